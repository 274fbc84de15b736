"""Random games of a ruleset, played to see which of its rules come up."""

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
from interpreter.play.engine.budget import AT_LEISURE
from interpreter.play.engine.bulk import random_index, random_stream
from interpreter.play.engine.engine import Observer
from interpreter.play.engine.source import GameSource
from interpreter.play.game import Game
from interpreter.players.planning.evaluation import Evaluator
from interpreter.rules.documents.discovery import list_scenarios
from interpreter.rules.linking.setup import Setup
from interpreter.rules.loading.load import load_scenario
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.examples.environment import Stages
from interpreter.workshop.examples.scripted_game import event_sites

MOST_DECISIONS = 5_000
"""In one game, which is then left."""
LOOK_EVERY = 100
"""Decisions after which every seat looks at the board."""


@dataclass(frozen=True, slots=True)
class Roamed:
    """One random game: the sites and steps that ran, under which options, and what broke it off, if anything did."""

    scenario: str
    seed: int
    options: Mapping[str, object]
    sites: frozenset[int]
    steps: frozenset[str]
    fault: Diagnostic | None = None


def play_random_games(stages: Stages, games: int, seconds: float) -> Iterator[Roamed]:
    """Random games in all scenarios of a ruleset in turn; every second round draws its options too.

    Stops early when the time is over.
    """
    return gc_between(_games(stages, games, seconds))


def _games(stages: Stages, games: int, seconds: float) -> Iterator[Roamed]:
    begun = situations(stages.ruleset)
    end = time.monotonic() + seconds
    for number in range(games):
        if time.monotonic() > end:
            return
        name, options, setup = begun[number % len(begun)]
        if number // len(begun) % 2:
            options = {**options, **_drawn(list(stages.program.options.values()), Random(number))}  # noqa: S311
        yield _played(stages, name, options, setup, number)


def situations(ruleset: Ruleset) -> Sequence[tuple[str, Mapping[str, object], Setup]]:
    """The scenarios of a ruleset with their options and set-ups; its own beginning where it has none."""
    paths = (ruleset.folder.parent.parent,)
    found = []
    for each in list_scenarios(paths):
        if each.ruleset == ruleset.name and each.fault is None:
            scenario = load_scenario(each.path, paths=paths, overlays=ruleset.overlays)
            if scenario.ruleset.folder == ruleset.folder:
                found.append((each.name, scenario.ruleset.options, scenario.setup))
    return found or [(ruleset.name, {}, Setup())]


def _drawn(options: Sequence[Option], chance: Random) -> dict[str, object]:
    """A setting at random of every option that is a switch or a word."""
    choices = {each.name: [True, False] if each.type == BOOL else list(each.choices) for each in options}
    return {name: chance.choice(known) for name, known in choices.items() if known}


def _played(stages: Stages, name: str, options: Mapping[str, object], setup: Setup, seed: int) -> Roamed:
    seen = _Executed()
    fault = None
    try:
        _play(stages.under(options).setting(setup), seen, seed)
    except RuleFault as error:
        fault = error.diagnostic
    except BicorneError as error:
        fault = Diagnostic("fault", str(error))
    return Roamed(name, seed, options, frozenset(seen.sites), frozenset(seen.steps), fault)


def _play(setting: GameSource, seen: _Executed, seed: int) -> None:
    game = Game(setting, seed, trace=True, checked=True, observers=(seen,))
    game.core.budget.seconds = AT_LEISURE
    streams = {seat: random_stream(seed, seat) for seat in game.seats}
    for seat in game.seats:
        Evaluator(seat).worth(game)
    for number in range(MOST_DECISIONS):
        decision = game.decision
        if decision is None:
            return
        if number % LOOK_EVERY == 0:
            for seat in game.seats:
                game.view(seat)
        game.choose_index(random_index(streams[decision.seat], len(decision.options)))


class _Executed(Observer):
    """The sites and steps that have run in a game, while options were listed too."""

    def __init__(self) -> None:
        self.sites: set[int] = set()
        self.steps: set[str] = set()

    def on_event(self, kind: str, site: int, data: Any) -> None:
        """Notes the step or the sites of an event."""
        if kind == "step":
            self.steps.add(data.node.path)
        else:
            self.sites.update(event_sites(kind, site, data))

    def on_unlogged_event(self, kind: str, site: int, data: Any) -> None:
        """Notes what ran while options were listed."""
        self.on_event(kind, site, data)
