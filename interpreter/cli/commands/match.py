"""`bicorne match`: which of two players is the stronger, by pairs of games with sides changed."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from interpreter.cli.arguments import read_options
from interpreter.cli.open import open_scenario
from interpreter.cli.output import OK, Output
from interpreter.cli.progress import tracked
from interpreter.language.diagnostics import UsageError
from interpreter.play.engine.source import source_of
from interpreter.simulation.confidence import wilson
from interpreter.simulation.plan import GameRecord, SimulationPlan, make_plan, play_games, seat_ids
from interpreter.simulation.processes import default_workers, worker_processes


class _MatchSide(NamedTuple):
    """The seats that the first player has in one game of each pair, with the plan of those games."""

    seats: tuple[str, ...]
    plan: SimulationPlan


class _MatchScore(NamedTuple):
    """The games that the first player won and lost, and those that neither or both won."""

    won: int
    lost: int
    even: int

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval for the share of games won."""
        return wilson(self.won, self.games) if self.games else (0.0, 1.0)


def run(arguments: Namespace, output: Output) -> int:
    """Plays the pairs of games and prints how many the first player won, in either side.

    Raises:
        BicorneError: if the scenario is missing or wrong, or a rule fails.
        UsageError: for an unknown player, or a game with one seat.
    """
    sides = _sides(arguments)
    results: dict[int, list[int]] = {number: [] for number in range(len(sides))}
    games = len(sides) * arguments.pairs
    try:
        for number, record in tracked(
            _records(sides, arguments.pairs, arguments.workers), games, f"playing {arguments.scenario}", output
        ):
            results[number].append(_result(record, sides[number].seats))
    except KeyboardInterrupt:
        output.message(f"\n{sum(map(len, results.values())):,} of {games:,} games played")
        _print(arguments, sides, list(results.values()), output)
        raise
    _print(arguments, sides, list(results.values()), output)
    return OK


def _sides(arguments: Namespace) -> list[_MatchSide]:
    """Returns both ways to seat the players: the first of the seats that are played plays against all others."""
    options, overlays = read_options(arguments.option), tuple(arguments.overlays)
    applied = {"overlays": overlays} if overlays else {}
    scenario = open_scenario(arguments.scenario, options, arguments.path, **applied)
    source = source_of(scenario)
    first, *others = source.played_seats(seat_ids(source))
    if not others:
        raise UsageError("a match needs a game with at least two seats")
    sides = []
    for seats, opposite in (((first,), tuple(others)), (tuple(others), (first,))):
        players = dict.fromkeys(seats, arguments.player) | dict.fromkeys(opposite, arguments.opponent)
        plan = make_plan(
            scenario,
            players,
            arguments.seed,
            options,
            arguments.path,
            overlays,
            may_depend_on_clock=True,
            checked=arguments.invariants,
        )
        sides.append(_MatchSide(seats, plan))
    return sides


def _records(sides: Sequence[_MatchSide], pairs: int, workers: int | None) -> Iterator[tuple[int, GameRecord]]:
    """Yields the games with the numbers of their sides, pair by pair; both games of a pair have the same seed."""
    tasks = [(side, number) for number in range(pairs) for side in range(len(sides))]
    workers = min(workers or default_workers(), len(tasks))
    if workers < 2:
        for side, number in tasks:
            yield side, play_games(sides[side].plan, (number,))[0]
        return
    with worker_processes(workers) as pool:
        playing = [(side, pool.submit(play_games, sides[side].plan, (number,))) for side, number in tasks]
        for side, records in playing:
            yield side, records.result()[0]


def _result(record: GameRecord, seats: Sequence[str]) -> int:
    """Returns 1 if only these seats have winners, -1 if only the others have, and 0 otherwise."""
    winners = record.winners or ()
    own = sum(each in seats for each in winners)
    return bool(own) - (own < len(winners))


def _score(results: Sequence[int]) -> _MatchScore:
    return _MatchScore(results.count(1), results.count(-1), results.count(0))


# ---------------------------------------------------------------- output
def _print(arguments: Namespace, sides: Sequence[_MatchSide], results: Sequence[list[int]], output: Output) -> None:
    scores = [_score(each) for each in results]
    total = _MatchScore(*map(sum, zip(*scores, strict=True)))
    low, high = total.interval
    games = f"{total.games:,} game" + "s" * (total.games != 1)
    output.line(f"{arguments.player} against {arguments.opponent}: {games}", "bold")
    names = [", ".join(each.seats) for each in sides]
    rows = [_row(name, score) for name, score in zip([*names, "all"], [*scores, total], strict=True)]
    output.table(
        (f"seats of {arguments.player}", "won", "lost", "even", "share won", "95% interval"), rows, (1, 2, 3, 4)
    )
    if low <= 1 / 2 <= high:
        output.line("this is no evidence that one of them is the stronger; play more games with --pairs N", "yellow")
    output.document(
        {
            "scenario": sides[0].plan.scenario,
            "players": [arguments.player, arguments.opponent],
            "seed": arguments.seed,
            **_data(total),
            "sides": [{"seats": each.seats, **_data(score)} for each, score in zip(sides, scores, strict=True)],
        }
    )


def _row(name: str, score: _MatchScore) -> tuple[Any, ...]:
    low, high = score.interval
    share = score.won / score.games if score.games else 0
    return name, score.won, score.lost, score.even, f"{share:.0%}", f"{low:.0%} – {high:.0%}"


def _data(score: _MatchScore) -> dict[str, Any]:
    low, high = score.interval
    return {"won": score.won, "lost": score.lost, "even": score.even, "low": low, "high": high}
