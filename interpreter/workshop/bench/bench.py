"""How fast the interpreter is with a game: loading, play in bulk and decision by decision, going back, looking."""

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
from interpreter.players.random import RandomPlayer
from interpreter.rules.loading.load import load_scenario
from interpreter.rules.loading.ruleset import Scenario

_DECISIONS_BEFORE_MEASUREMENT = 60
"""So many decisions into a game its costs are measured."""
_DICE = 1_000
MAX_STANDARD_ERROR = Fraction(1, 1000)
"""How sure dice have to be of the likeliest outcomes to count as good as exact odds."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One figure of one scenario; `what` says what of, `unit` in what."""

    scenario: str
    what: str
    value: float
    unit: str


def measure(name: str, paths: tuple[str, ...], seconds: float, yardstick: Path | None = None) -> Iterator[Measurement]:
    """The figures of one scenario, one after the other, each over about so many seconds.

    Raises:
        BicorneError: if the scenario isn't there or isn't sound, a rule goes wrong, or the yardstick can't be used.
    """
    by_hand = _hand_written(yardstick) if yardstick is not None else None
    yield Measurement(name, "the machine's pace: random.randint(1, 6)", _per_run(_dice, seconds / 10) * 1e9 / _DICE, "ns")
    begun = perf_counter()
    load_scenario(name, paths=paths, cache=False)
    yield Measurement(name, "load, nothing cached", (perf_counter() - begun) * 1e3, "ms")
    load_scenario(name, paths=paths)
    per_load = _per_run(lambda: load_scenario(name, paths=paths), seconds / 4)
    yield Measurement(name, "load, cached", per_load * 1e3, "ms")
    scenario = load_scenario(name, paths=paths)
    yield from _in_bulk(name, scenario, seconds, by_hand)
    yield from _by_decision(name, scenario, seconds)
    yield from _in_mid_game(name, scenario, seconds / 4)


def measure_odds(name: str, paths: tuple[str, ...], seconds: float, procedure: str, given: Path) -> Iterator[Measurement]:
    """What the exact odds of a procedure cost, and dice that come as near to them; its ruleset is the scenario's.

    Raises:
        BicorneError: if the scenario, the procedure or the situation isn't there or isn't sound, or a rule goes wrong.
    """
    ruleset = load_scenario(name, paths=paths).ruleset
    found = odds(ruleset, procedure, given)

    def anew() -> None:
        clear_situations()
        odds(ruleset, procedure, given)

    exact = _per_run(anew, seconds)
    yield Measurement(name, f"exact odds of {procedure}", exact * 1e3, "ms")
    runner = with_dice(ruleset, procedure, given, seed=1)
    with_luck = _per_run(runner.run, seconds)
    yield Measurement(name, f"{procedure} once, with dice", with_luck * 1e3, "ms")
    runs = max(share * (1 - share) for _, share in found.rows) / MAX_STANDARD_ERROR**2
    what = f"dice to a standard error of {float(MAX_STANDARD_ERROR):g} against exact odds"
    yield Measurement(name, what, float(runs) * with_luck / exact, "times")
    odds(ruleset, procedure, given)
    again = _per_run(lambda: odds(ruleset, procedure, given), seconds)
    yield Measurement(name, "a further question about the same situation", again * 1e3, "ms")


def _dice() -> None:
    """Some dice by Python's own means: what figures from two machines can be compared by."""
    die = Random(0).randint  # noqa: S311 - nothing to keep secret
    for _ in range(_DICE):
        die(1, 6)


def _in_bulk(name: str, scenario: Scenario, seconds: float, by_hand: Callable[[int], Any] | None) -> Iterator[Measurement]:
    simulation = Simulation(scenario)
    decisions = [0]

    def game(number: int) -> None:
        decisions[0] += simulation.play(number, hashed=False).decisions

    game(0)
    decisions[0] = 0
    if by_hand is None:
        per_game, games = _runs(game, seconds)
    else:
        by_hand(0)
        (per_game, per_hand), games = _runs_in_turn((game, by_hand), 2 * seconds)
    yield Measurement(name, "random games in bulk", 1 / per_game, "/s")
    yield Measurement(name, "decisions in bulk", decisions[0] / (per_game * games), "/s")
    if by_hand is not None:
        yield Measurement(name, "random games written by hand", 1 / per_hand, "/s")
        yield Measurement(name, "time against the game written by hand", per_game / per_hand, "times")


def _by_decision(name: str, scenario: Scenario, seconds: float) -> Iterator[Measurement]:
    decisions = [0]

    def game(number: int) -> None:
        decisions[0] += _played(Game(scenario, seed=number), number)

    per_game, games = _runs(game, seconds)
    yield Measurement(name, "random games, decision by decision", 1 / per_game, "/s")
    yield Measurement(name, "decisions, one by one", decisions[0] / (per_game * games), "/s")


def _in_mid_game(name: str, scenario: Scenario, seconds: float) -> Iterator[Measurement]:
    """What one look or one way back costs in the middle of a game."""
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

    for what, run in (
        ("a decision and its rewind", there_and_back),
        ("hash of the state", game.hash),
        ("view of a seat", lambda: game.view(seat)),
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
    """Seconds for each run, and how many there were, in about so many seconds; at least one."""
    count, begun = 0, perf_counter()
    while True:
        run(count)
        count += 1
        spent = perf_counter() - begun
        if spent >= seconds:
            return spent / count, count


def _runs_in_turn(runs: Sequence[Callable[[int], object]], seconds: float) -> tuple[list[float], int]:
    """Seconds for each of several, run in turn so that all have the same machine, and how often each was run."""
    spent, count = [0.0 for _ in runs], 0
    while count == 0 or sum(spent) < seconds:
        for number, run in enumerate(runs):
            begun = perf_counter()
            run(count)
            spent[number] += perf_counter() - begun
        count += 1
    return [each / count for each in spent], count


# ---------------------------------------------------------------- a game written by hand
def _hand_written(path: Path) -> Callable[[int], Any]:
    """The `play_random(seed)` of a Python file; its folder is where it finds its own modules.

    Raises:
        UsageError: if there is no such file or function.
    """
    spec = importlib.util.spec_from_file_location(path.stem, path) if path.is_file() else None
    if spec is None or spec.loader is None:
        raise UsageError(f"the yardstick {path} is no Python file")
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
