"""Plays random games of a ruleset, to record which of its rules run."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from interpreter.language.diagnostics import BicorneError, Diagnostic, RuleFault
from interpreter.language.gc_control import gc_between
from interpreter.language.model.program import Option
from interpreter.language.tree.types import BOOL
from interpreter.play.engine.budget import OBSERVED_SECONDS
from interpreter.play.engine.bulk import random_index, random_stream
from interpreter.play.engine.engine import Observer
from interpreter.play.engine.quota import QuotaSpentError, current_quota
from interpreter.play.engine.source import GameSource
from interpreter.play.game import Game
from interpreter.players.planning.evaluation import Evaluator
from interpreter.rules.documents.discovery import list_scenarios
from interpreter.rules.linking.setup import Setup
from interpreter.rules.loading.load import load_scenario
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.examples.environment import Environments
from interpreter.workshop.examples.scripted_game import event_sites

MAX_DECISIONS = 5_000
"""The number of decisions after which a game is abandoned."""
DECISIONS_BETWEEN_VIEWS = 100
"""The number of decisions between views of the board by every seat."""


@dataclass(frozen=True, slots=True)
class RandomGame:
    """One random game: its options, the sites and steps that ran, and the fault that ended it, if any."""

    scenario: str
    seed: int
    options: Mapping[str, object]
    sites: frozenset[int]
    steps: frozenset[str]
    fault: Diagnostic | None = None


def play_random_games(environments: Environments, games: int, seconds: float) -> Iterator[RandomGame]:
    """Plays random games in all scenarios of a ruleset in turn; every second round also has random options.

    Ends early after `seconds`.
    """
    return gc_between(_games(environments, games, seconds))


def _games(environments: Environments, games: int, seconds: float) -> Iterator[RandomGame]:
    setups = scenario_setups(environments.ruleset)
    end = time.monotonic() + seconds
    for number in range(games):
        if time.monotonic() > end:
            return
        if (quota := current_quota()) is not None:
            quota.check()
        name, options, setup = setups[number % len(setups)]
        if number // len(setups) % 2:
            options = {**options, **_random_options(list(environments.program.options.values()), Random(number))}  # noqa: S311
        yield _play_safely(environments, name, options, setup, number)


def scenario_setups(ruleset: Ruleset) -> Sequence[tuple[str, Mapping[str, object], Setup]]:
    """Returns the scenarios of a ruleset with their options and set-ups; an empty set-up if it has none."""
    paths = (ruleset.folder.parent.parent, ruleset.folder)  # scenarios may be beside 'rulesets' or in the folder itself
    found = []
    for each in list_scenarios(paths):
        if each.ruleset == ruleset.name and each.fault is None:
            scenario = load_scenario(each.path, paths=paths, overlays=ruleset.overlays)
            if scenario.ruleset.folder == ruleset.folder:
                found.append((each.name, scenario.ruleset.options, scenario.setup))
    return found or [(ruleset.name, {}, Setup())]


def _random_options(options: Sequence[Option], chance: Random) -> dict[str, object]:
    """Returns a random value for every option that is a boolean or a word."""
    choices = {each.name: [True, False] if each.type == BOOL else list(each.choices) for each in options}
    return {name: chance.choice(known) for name, known in choices.items() if known}


def _play_safely(
    environments: Environments, name: str, options: Mapping[str, object], setup: Setup, seed: int
) -> RandomGame:
    seen = _Executed()
    fault = None
    try:
        _play(environments.with_options(options).game_source(setup), seen, seed)
    except RuleFault as error:
        fault = error.diagnostic
    except QuotaSpentError:
        raise
    except BicorneError as error:
        fault = Diagnostic("fault", str(error))
    return RandomGame(name, seed, options, frozenset(seen.sites), frozenset(seen.steps), fault)


def _play(game_source: GameSource, seen: _Executed, seed: int) -> None:
    game = Game(game_source, seed, trace=True, checked=True, observers=(seen,))
    game.core.budget.seconds = OBSERVED_SECONDS
    streams = {seat: random_stream(seed, seat) for seat in game.seats}
    for seat in game.seats:
        Evaluator(seat).value(game)
    for number in range(MAX_DECISIONS):
        decision = game.decision
        if decision is None:
            return
        if number % DECISIONS_BETWEEN_VIEWS == 0:
            for seat in game.seats:
                game.view(seat)
        game.choose_index(random_index(streams[decision.seat], len(decision.options)))


class _Executed(Observer):
    """Records the sites and steps that ran in a game, also while options were listed."""

    def __init__(self) -> None:
        self.sites: set[int] = set()
        self.steps: set[str] = set()

    def on_event(self, kind: str, site: int, data: Any) -> None:
        """Records the step or the sites of an event."""
        if kind == "step":
            self.steps.add(data.node.path)
        else:
            self.sites.update(event_sites(kind, site, data))

    def on_unlogged_event(self, kind: str, site: int, data: Any) -> None:
        """Records the sites that ran while options were listed."""
        self.on_event(kind, site, data)
