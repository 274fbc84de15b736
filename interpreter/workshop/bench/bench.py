"""Benchmarks of a game: loading, play in bulk and decision by decision, rewinding, hashing and views."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from time import perf_counter
from types import ModuleType
from typing import Any

from interpreter.inference.odds import clear_situations, odds
from interpreter.inference.sampling import with_dice
from interpreter.language.diagnostics import UsageError
from interpreter.play.engine.bulk import Simulation
from interpreter.play.game import Game
from interpreter.play.views.view import view
from interpreter.players.random import RandomPlayer
from interpreter.rules.loading.load import load_scenario
from interpreter.rules.loading.ruleset import Scenario

_DECISIONS_BEFORE_MEASUREMENT = 60
"""The number of decisions before the costs in the middle of a game are measured."""
_DICE = 1_000
MAX_STANDARD_ERROR = Fraction(1, 1000)
"""The standard error of the likeliest outcomes below which sampled odds count as good as exact odds."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measured value of a scenario; `what` is the measured quantity."""

    scenario: str
    what: str
    value: float
    unit: str


def measure(name: str, paths: tuple[str, ...], seconds: float, yardstick: Path | None = None) -> Iterator[Measurement]:
    """Yields the measurements of one scenario, each over about `seconds`.

    Raises:
        BicorneError: if the scenario is not found or has mistakes, a rule fails, or the yardstick is not usable.
    """
    baseline = _load_yardstick(yardstick) if yardstick is not None else None
    yield Measurement(
        name, "the machine's pace: random.randint(1, 6)", _per_run(_dice, seconds / 10) * 1e9 / _DICE, "ns"
    )
    begun = perf_counter()
    load_scenario(name, paths=paths, cache=False)
    yield Measurement(name, "load, nothing cached", (perf_counter() - begun) * 1e3, "ms")
    load_scenario(name, paths=paths)
    per_load = _per_run(lambda: load_scenario(name, paths=paths), seconds / 4)
    yield Measurement(name, "load, cached", per_load * 1e3, "ms")
    scenario = load_scenario(name, paths=paths)
    yield from _in_bulk(name, scenario, seconds, baseline)
    yield from _by_decision(name, scenario, seconds)
    yield from _in_mid_game(name, scenario, seconds / 4)


def measure_odds(
    name: str, paths: tuple[str, ...], seconds: float, procedure: str, given: Path
) -> Iterator[Measurement]:
    """Yields the cost of the exact odds of a procedure, and of sampled odds of similar precision.

    The procedure belongs to the ruleset of the scenario.

    Raises:
        BicorneError: if the scenario, the procedure or the situation is not found or has mistakes, or a rule fails.
    """
    ruleset = load_scenario(name, paths=paths).ruleset
    found = odds(ruleset, procedure, given)

    def uncached() -> None:
        clear_situations()
        odds(ruleset, procedure, given)

    exact = _per_run(uncached, seconds)
    yield Measurement(name, f"exact odds of {procedure}", exact * 1e3, "ms")
    runner = with_dice(ruleset, procedure, given, seed=1)
    sampled = _per_run(runner.run, seconds)
    yield Measurement(name, f"{procedure} once, with dice", sampled * 1e3, "ms")
    runs = max(share * (1 - share) for _, share in found.rows) / MAX_STANDARD_ERROR**2
    what = f"dice to a standard error of {float(MAX_STANDARD_ERROR):g} against exact odds"
    yield Measurement(name, what, float(runs) * sampled / exact, "times")
    odds(ruleset, procedure, given)
    again = _per_run(lambda: odds(ruleset, procedure, given), seconds)
    yield Measurement(name, "a further question about the same situation", again * 1e3, "ms")


def _dice() -> None:
    """Rolls dice with Python's own generator, as a unit for the comparison of two machines."""
    die = Random(0).randint  # noqa: S311 - nothing to keep secret
    for _ in range(_DICE):
        die(1, 6)


def _in_bulk(
    name: str, scenario: Scenario, seconds: float, baseline: Callable[[int], Any] | None
) -> Iterator[Measurement]:
    simulation = Simulation(scenario)
    decisions = [0]

    def game(number: int) -> None:
        decisions[0] += simulation.play(number, hashed=False).decisions

    game(0)
    decisions[0] = 0
    if baseline is None:
        per_game, games = _runs(game, seconds)
    else:
        baseline(0)
        (per_game, per_baseline), games = _runs_in_turn((game, baseline), 2 * seconds)
    yield Measurement(name, "random games in bulk", 1 / per_game, "/s")
    yield Measurement(name, "decisions in bulk", decisions[0] / (per_game * games), "/s")
    if baseline is not None:
        yield Measurement(name, "random games written by hand", 1 / per_baseline, "/s")
        yield Measurement(name, "time against the game written by hand", per_game / per_baseline, "times")


def _by_decision(name: str, scenario: Scenario, seconds: float) -> Iterator[Measurement]:
    decisions = [0]

    def game(number: int) -> None:
        decisions[0] += _played(Game(scenario, seed=number), number)

    per_game, games = _runs(game, seconds)
    yield Measurement(name, "random games, decision by decision", 1 / per_game, "/s")
    yield Measurement(name, "decisions, one by one", decisions[0] / (per_game * games), "/s")


def _in_mid_game(name: str, scenario: Scenario, seconds: float) -> Iterator[Measurement]:
    """Measures a rewind, a hash and a view in the middle of a game."""
    game = Game(scenario, seed=1)
    _played(game, 1, _DECISIONS_BEFORE_MEASUREMENT)
    if game.decision is None:
        game = Game(scenario, seed=1)
    if game.decision is None:
        return
    mark, seat = game.mark(), game.decision.seat

    def there_and_back() -> None:
        game.choose_index(0)
        game.rewind(mark)

    def changes() -> None:
        game.choose_index(0)
        game.view(seat, since=mark)
        game.rewind(mark)

    game.view(seat)
    for what, run in (
        ("a decision and its rewind", there_and_back),
        ("hash of the state", game.hash),
        ("view of a seat", lambda: view(game, seat)),
        ("changes of a view, with a decision and its rewind", changes),
    ):
        yield Measurement(name, what, _per_run(run, seconds) * 1e6, "µs")


def _played(game: Game, seed: int, limit: int = sys.maxsize) -> int:
    players = {seat: RandomPlayer(seed, seat) for seat in game.seats}
    count = 0
    while game.decision is not None and count < limit:
        game.choose_index(players[game.decision.seat].choose(game))
        count += 1
    return count


def _per_run(run: Callable[[], object], seconds: float) -> float:
    return _runs(lambda _number: run(), seconds)[0]


def _runs(run: Callable[[int], object], seconds: float) -> tuple[float, int]:
    """Runs for about `seconds`, at least once; returns the time for each run, and the number of runs."""
    count, begun = 0, perf_counter()
    while True:
        run(count)
        count += 1
        spent = perf_counter() - begun
        if spent >= seconds:
            return spent / count, count


def _runs_in_turn(runs: Sequence[Callable[[int], object]], seconds: float) -> tuple[list[float], int]:
    """Runs functions in turn, under equal conditions; returns the time for each run and the number of rounds."""
    spent, count = [0.0 for _ in runs], 0
    while count == 0 or sum(spent) < seconds:
        for number, run in enumerate(runs):
            begun = perf_counter()
            run(count)
            spent[number] += perf_counter() - begun
        count += 1
    return [each / count for each in spent], count


# ---------------------------------------------------------------- a game written by hand
def _load_yardstick(path: Path) -> Callable[[int], Any]:
    """Returns the function `play_random(seed)` of a Python file, which can import modules of its folder.

    Raises:
        UsageError: if there is no such file or function.
    """
    spec = importlib.util.spec_from_file_location(path.stem, path) if path.is_file() else None
    if spec is None or spec.loader is None:
        raise UsageError(f"the yardstick {path} is not a Python file")
    module: ModuleType = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except (ImportError, SyntaxError) as error:
        raise UsageError(f"the yardstick {path} can't be imported: {error}") from error
    finally:
        sys.path.pop(0)
    function: Callable[[int], Any] | None = getattr(module, "play_random", None)
    if function is None:
        raise UsageError(f"the yardstick {path} has no function play_random(seed)")
    return function
