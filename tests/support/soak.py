"""Plays random games in bulk, of every scenario with every option on and off, and checks each of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from interpreter import Game, load_ruleset, load_scenario
from interpreter.language.codegen.emit import image_under_settings
from interpreter.language.model.image import Image
from interpreter.language.model.program import Option, Program
from interpreter.play.engine.bulk import Chooser, Simulation
from interpreter.players.random import RandomPlayer
from interpreter.rules.documents.discovery import list_scenarios
from interpreter.rules.linking.option_settings import with_settings
from interpreter.rules.loading.ruleset import Scenario

TESTS = Path(__file__).resolve().parents[1]
SOAK = int(os.environ.get("BICORNE_SOAK") or 0)
"""How many games in all; 0 for the small share of every run of the tests."""
BOUND = 50_000
"""Decisions that no game may need."""

Check = Callable[[Any], None]
"""Looks at the core of a game in play, and raises what is wrong."""

Liking = Callable[[Any, str, Sequence[Any]], Sequence[Any]]
"""Of the options of a decision those that players with a purpose take: by the core of the game and its address."""
LIKED = 0.8
"""How often they do; else they take anything."""


@dataclass(slots=True)
class Tally:
    """What was played, and what went wrong: each failure with the words to play it again."""

    games: int = 0
    decisions: int = 0
    failures: list[str] = field(default_factory=list)
    started: float = field(default_factory=monotonic)

    def __str__(self) -> str:
        seconds = monotonic() - self.started
        return f"{self.games} games, {self.decisions} decisions, {len(self.failures)} failures, {seconds:.0f} s"


def scenarios(ruleset: str = "") -> list[str]:
    """The names of all scenarios installed and of those of the tests, or of one ruleset's."""
    found = [each.name for each in list_scenarios([TESTS]) if not ruleset or each.ruleset == ruleset]
    assert found
    return found


@lru_cache(maxsize=8)
def load(name: str, **options: object) -> Scenario:
    """A scenario, installed or of the tests; the last few are kept, because much is compiled for each."""
    return load_scenario(name, options, [TESTS])


def under(name: str, options: dict[str, object]) -> Scenario:
    """A scenario under other settings; but for a soak, only its code is generated anew, and not kept in the cache."""
    if SOAK or not options:
        return load(name, **options)
    scenario = load(name)
    rules = scenario.ruleset
    key = rules.hash, tuple(options.items())
    if key not in _generated:
        while len(_generated) >= MAX_GENERATED:
            del _generated[next(iter(_generated))]
        program = with_settings(rules.program, options)
        _generated[key] = program, image_under_settings(rules.image, program, rules.unit("fast"))
    program, image = _generated[key]
    ruleset = replace(rules, image=image, options={**rules.options, **options}, _units={})
    vars(ruleset).update(program=program)  # fills the cached property
    return replace(scenario, ruleset=ruleset)


MAX_GENERATED = 64
_generated: dict[tuple[str, tuple[tuple[str, object], ...]], tuple[Program, Image]] = {}
"""The programs and images under other settings by the hash of the ruleset: its scenarios and tests share them."""


def settings(name: str) -> list[dict[str, Any]]:
    """The scenario as it is, and with each option in turn set to each of its other values."""
    found: list[dict[str, Any]] = [{}]
    current = dict(load(name).ruleset.image.options)
    for option in _options(name.partition("/")[0]):
        found += [{option.name: value} for value in _values(option) if value != current[option.name]]
    return found


@cache
def _options(ruleset: str) -> list[Option]:
    return [*load_ruleset(ruleset, paths=[TESTS]).program.options.values()]


@cache
def every_setting() -> dict[str, list[dict[str, Any]]]:
    """Each scenario as it is, and each setting of a ruleset in one of its scenarios in turn; for a soak, in all."""
    found: dict[str, list[dict[str, Any]]] = {}
    together: dict[str, list[str]] = {}
    for name in scenarios():
        together.setdefault(name.partition("/")[0], []).append(name)
    for names in together.values():
        for turn, name in enumerate(names):
            found[name] = [
                options
                for number, options in enumerate(settings(name))
                if SOAK or number == 0 or number % len(names) == turn
            ]
    return found


def _values(option: Option) -> Iterator[Any]:
    if str(option.type) == "bool":
        yield from (False, True)
    elif str(option.type) == "int":
        yield from sorted({option.value, option.least or option.value, option.most or option.value})
    else:
        yield from option.choices


def play(
    name: str,
    options: dict[str, Any],
    seeds: Sequence[int],
    tally: Tally,
    check: Check | None = None,
    liking: Liking | None = None,
) -> None:
    """Random games of one setting to their ends, with the invariants and `check` tested all along."""
    simulation = Simulation(under(name, options), checked=True)
    for seed in seeds:
        try:
            played = simulation.play(seed, _players(simulation, seed, check, liking), BOUND, hashed=False)
            if check is not None:
                check(simulation.core)
            assert played.result is not None, f"no end within {BOUND} decisions"
        except Exception as error:  # whatever it is, it is reported with its seed, and fails the test
            tally.failures.append(f"{name} {options} seed {seed}: {type(error).__name__}: {error}")
        else:
            tally.decisions += played.decisions
        tally.games += 1
        if SOAK and tally.games % 250 == 0:
            print(f"{tally} ({name} {options})", file=sys.__stderr__, flush=True)


def _players(simulation: Simulation, seed: int, check: Check | None, liking: Liking | None) -> dict[str, Chooser]:
    """Random players that look at the state whenever they are asked, and may have a purpose."""
    if check is None and liking is None:
        return {}
    random = Random(seed)

    def choose(site: Any, options: Sequence[Any], _chosen: Any) -> Any:
        if check is not None:
            check(simulation.core)
        liked = liking(simulation.core, site.address, options) if liking and random.random() < LIKED else ()
        return random.choice(liked or options)

    return {each.id: choose for each in simulation.core.seats}


def played_game(scenario: Scenario, seed: int) -> Game:
    """The same game as `Simulation` plays with this seed, recorded."""
    game = Game(scenario, seed)
    players = {seat: RandomPlayer(seed, seat) for seat in game.seats}
    while game.decision is not None:
        game.choose_index(players[game.decision.seat].choose(game))
    return game
