"""`bicorne simulate`: many games, and how often they end in which way."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from interpreter.cli.arguments import read_options, read_pairs
from interpreter.cli.open import open_scenario
from interpreter.cli.output import OK, Output
from interpreter.cli.progress import tracked
from interpreter.language.diagnostics import UsageError
from interpreter.play.engine.bulk import Simulation
from interpreter.play.engine.source import source_of
from interpreter.play.wording.wording import Wording
from interpreter.rules.loading.ruleset import Scenario
from interpreter.simulation.executors import play_here, play_in_processes, play_on_cluster
from interpreter.simulation.paired_comparison import Comparison, compare
from interpreter.simulation.plan import GameRecord, SimulationPlan, make_plan, seat_ids
from interpreter.simulation.processes import usual_workers
from interpreter.simulation.results_file import LEDGER, TABLES, Ledger, table_library, write_table
from interpreter.simulation.statistics import Ending, Frequency, Tally

Records = dict[int, GameRecord]
FEW = 40
"""Random games that one process plays sooner than others could be started; what plays slower is worth starting for."""


class _Side(NamedTuple):
    """One of the simulations of a run: its plan, its games, how many of them were played now and how long that took."""

    plan: SimulationPlan
    scenario: Scenario
    records: Records
    played: int
    seconds: float


def run(arguments: Namespace, output: Output) -> int:
    """Plays the games and prints a table of their outcomes, or of the difference that overlays make.

    Raises:
        BicorneError: if the scenario isn't there or isn't sound, a file can't be written, or a rule goes wrong.
    """
    overlays = tuple(arguments.overlays)
    if arguments.compare and not overlays:
        raise UsageError("--compare plays with overlays and without: lay one on by --with FILE")
    if arguments.cluster and arguments.workers:
        raise UsageError("give --workers or --cluster, not both: a cluster has workers of its own")
    out = _checked_out(arguments.out)
    side = _simulated(arguments, output, () if arguments.compare else overlays, out)
    if not arguments.compare:
        _say(side, output, arguments.language)
        return OK
    other = _simulated(arguments, output, overlays, out.with_stem(f"{out.stem}.with") if out else None)
    _say_compared(side, other, output, arguments.language)
    return OK


def _checked_out(written: str | None) -> Path | None:
    if written is None:
        return None
    path = Path(written)
    if path.suffix not in (LEDGER, *TABLES):
        raise UsageError(f"'{written}': games are written as {', '.join((LEDGER, *TABLES))}; end the name so")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"{path} can't be written: there is no folder {path.absolute().parent}")
    if path.suffix in TABLES:
        table_library()
        if path.exists():
            raise UsageError(f"{path} is there already; name another file")
    return path


# ---------------------------------------------------------------- playing
def _simulated(arguments: Namespace, output: Output, overlays: tuple[str, ...], out: Path | None) -> _Side:
    options = read_options(arguments.option)
    laid = {"overlays": overlays} if overlays else {}
    scenario = open_scenario(arguments.scenario, options, arguments.path, **laid)
    players = read_pairs(arguments.seat, "--seat", seat_ids(source_of(scenario)))
    plan = make_plan(scenario, players, arguments.seed, options, arguments.path, overlays)
    ledger = None if out is None else Ledger(out if out.suffix == LEDGER else _aside(out), plan)
    known = {} if ledger is None else ledger.read()
    records = {number: each for number, each in known.items() if number < arguments.games}
    left = [number for number in range(arguments.games) if number not in records]
    begun = perf_counter()
    with ExitStack() as stack:
        if ledger is not None:
            stack.enter_context(ledger.writing())
        try:
            for record in tracked(_games(plan, left, arguments), len(left), f"playing {scenario.name}", output):
                records[record.number] = record
                if ledger is not None:
                    ledger.add(record)
        except KeyboardInterrupt:
            _say_interrupted(len(records), arguments, ledger, output)
            raise
    if out is not None and out.suffix in TABLES:
        write_table(out, records.values())
        _aside(out).unlink()
    return _Side(plan, scenario, records, len(left), perf_counter() - begun)


def _aside(out: Path) -> Path:
    """Where the games are kept until the table is whole."""
    return out.with_name(f"{out.name}.part{LEDGER}")


def _games(plan: SimulationPlan, numbers: list[int], arguments: Namespace) -> Iterator[GameRecord]:
    if arguments.cluster:
        return play_on_cluster(plan, numbers, arguments.cluster)
    workers = arguments.workers or (1 if len(numbers) <= FEW and not plan.players else usual_workers())
    workers = min(workers, len(numbers))
    return play_in_processes(plan, numbers, workers) if workers > 1 else play_here(plan, numbers)


def _say_interrupted(played: int, arguments: Namespace, ledger: Ledger | None, output: Output) -> None:
    told = f"{played:,} of {arguments.games:,} games were played"
    if ledger is None:
        output.person(f"\n{told}; with --out FILE they would have been kept")
    else:
        output.person(f"\n{told} and kept in {ledger.path}; the same command goes on")


# ---------------------------------------------------------------- telling
def _say(side: _Side, output: Output, language: str) -> None:
    tally = _tally(side)
    rows = tally.frequencies()
    words = source_of(side.scenario, language).wording
    names = _seat_names(side.scenario, language)
    games = f"{tally.games:,} game" + "s" * (tally.games != 1)
    output.line(f"{_title(side)}: {games}, {_players(side.plan)}", "bold")
    table = [_row(each, names, words) for each in rows]
    output.table(("outcome", "games", "share", "95% interval"), table, right=(1, 2, 3))
    output.line("; ".join([f"{tally.mean_decisions:.1f} decisions a game", *_pace(side.played, side.seconds)]))
    output.document({**_head(side), **_side_data(tally, rows)})


def _pace(games: int, seconds: float) -> list[str]:
    """How fast games are played, in the unit that gives a number above one; nothing where none was played now."""
    if not games:
        return []
    return [f"{games / seconds:.0f} games a second" if games > seconds else f"{seconds / games:.1f} s a game"]


def _say_compared(before: _Side, after: _Side, output: Output, language: str) -> None:
    found = compare(before.records, after.records)
    words = source_of(before.scenario, language).wording
    names = _seat_names(before.scenario, language)
    laid = ", ".join(Path(each).stem for each in after.plan.overlays)
    output.line(f"{_title(before)}, without and with {laid}: {found.games:,} pairs, {_players(before.plan)}", "bold")
    table = [
        (
            ending_text(each.ending, names, words),
            f"{each.before:.1%}",
            f"{each.after:.1%}",
            f"{each.difference:+.1%}",
            f"{each.low:+.1%} – {each.high:+.1%}",
        )
        for each in found.differences
    ]
    output.table(("outcome", "without", "with", "difference", "95% interval"), table, right=(1, 2, 3, 4))
    output.line(
        f"{found.diverged:,} of {found.games:,} games took another course; {found.ended_otherwise:,} ended otherwise"
    )
    tallies = {"without": _tally(before), "with": _tally(after)}
    sides = {name: _side_data(tally, tally.frequencies()) for name, tally in tallies.items()}
    output.document({**_head(before), "overlays": list(after.plan.overlays), **sides, **_compared_data(found)})


def _title(side: _Side) -> str:
    return f"{side.scenario.title} ({side.scenario.name} {side.scenario.ruleset.version})"


def _players(plan: SimulationPlan) -> str:
    told = ", ".join(f"{seat} {word}" for seat, word in plan.players)
    return f"{told}, all others random" if told else "all seats random"


def _tally(side: _Side) -> Tally:
    tally = Tally()
    for record in side.records.values():
        tally.add(record)
    return tally


def _seat_names(scenario: Scenario, language: str) -> dict[str, str]:
    setting = source_of(scenario, language)
    return {each.id: setting.wording.of(each) for each in Simulation(setting).core.seats}


def _row(each: Frequency, names: Mapping[str, str], words: Wording) -> tuple[str, ...]:
    outcome = ending_text((each.winners, each.reason), names, words)
    return outcome, f"{each.games}", f"{each.share:.1%}", f"{each.low:.1%} – {each.high:.1%}"


def ending_text(ending: Ending, names: Mapping[str, str], words: Wording) -> str:
    """An ending in words, with the seats by these names."""
    winners, reason = ending
    if winners is None:
        return "not finished"
    told = " and ".join([names[seat] for seat in winners]) or "nobody"
    return f"{told}: {words.word(reason)}" if reason else told


# ---------------------------------------------------------------- JSON
def _head(side: _Side) -> dict[str, Any]:
    plan = side.plan
    return {"scenario": plan.scenario, "seed": plan.seed, "players": dict(plan.players), "games": len(side.records)}


def _side_data(tally: Tally, rows: list[Frequency]) -> dict[str, Any]:
    return {
        "mean_decisions": tally.mean_decisions,
        "outcomes": [
            {**_ending_data((each.winners, each.reason)), "games": each.games, "share": each.share}
            | {"low": each.low, "high": each.high}
            for each in rows
        ],
    }


def _compared_data(found: Comparison) -> dict[str, Any]:
    return {
        "diverged": found.diverged,
        "ended_otherwise": found.ended_otherwise,
        "differences": [
            {**_ending_data(each.ending), "before": each.before, "after": each.after, "difference": each.difference}
            | {"low": each.low, "high": each.high}
            for each in found.differences
        ],
    }


def _ending_data(ending: Ending) -> dict[str, Any]:
    winners, reason = ending
    return {"winners": None if winners is None else list(winners), "reason": reason}
