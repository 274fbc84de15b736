"""`bicorne simulate`: plays many games and counts their outcomes."""

from __future__ import annotations

import textwrap
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from interpreter.cli.arguments import read_options, read_pairs
from interpreter.cli.open import open_scenario
from interpreter.cli.output import OK, Output
from interpreter.cli.progress import tracked
from interpreter.inference.charts import Bars, Panel, check_chart, write_panels
from interpreter.language.diagnostics import UsageError
from interpreter.language.plain_files import check_writable
from interpreter.play.engine.bulk import Simulation
from interpreter.play.engine.source import source_of
from interpreter.play.wording.wording import Wording
from interpreter.rules.loading.ruleset import Scenario
from interpreter.simulation.confidence import wilson
from interpreter.simulation.executors import play_here, play_in_processes, play_on_cluster
from interpreter.simulation.paired_comparison import Comparison, compare
from interpreter.simulation.plan import GameRecord, SimulationPlan, make_plan, seat_ids
from interpreter.simulation.processes import default_workers
from interpreter.simulation.results_file import RESULTS_SUFFIX, TABLE_SUFFIXES, ResultsFile, table_library, write_table
from interpreter.simulation.statistics import Ending, Frequency, Tally

Records = dict[int, GameRecord]
_MAX_CHART_LINE = 36
"""The most characters in a line of a name in a chart."""
MAX_GAMES_IN_ONE_PROCESS = 40
"""The number of random games that one process plays faster than further processes could start."""


class _Side(NamedTuple):
    """One simulation of a run: its plan, its games, the number of games played now and the seconds that took."""

    plan: SimulationPlan
    scenario: Scenario
    records: Records
    played: int
    seconds: float


def run(arguments: Namespace, output: Output) -> int:
    """Plays the games and prints a table of their outcomes, or of the difference that overlays make.

    Raises:
        BicorneError: if the scenario is missing or wrong, a file can't be written, or a rule fails.
    """
    overlays = tuple(arguments.overlays)
    if arguments.compare and not overlays:
        raise UsageError("--compare needs an overlay; give one with --with FILE")
    if arguments.cluster and arguments.workers:
        raise UsageError("give --workers or --cluster, not both; a cluster has its own workers")
    out = _checked_results_path(arguments.out)
    chart = None if arguments.chart is None else Path(arguments.chart)
    if chart is not None:
        check_chart(chart)
    beside = _checked_results_path(out.with_stem(f"{out.stem}.with")) if out and arguments.compare else None
    result = partial(_print_result, output=output, language=arguments.language)
    side = _simulate(arguments, output, () if arguments.compare else overlays, out, result)
    if not arguments.compare:
        result(side)
        _draw(chart, [("", side)], arguments.language, output)
        return OK
    comparison = partial(_print_comparison, side, output=output, language=arguments.language)
    after = _simulate(arguments, output, overlays, beside, comparison)
    comparison(after)
    _draw(chart, [("without", side), ("with", after)], arguments.language, output)
    return OK


def _checked_results_path(given: str | Path | None) -> Path | None:
    if given is None:
        return None
    path = Path(given)
    if path.suffix not in (RESULTS_SUFFIX, *TABLE_SUFFIXES):
        suffixes = ", ".join((RESULTS_SUFFIX, *TABLE_SUFFIXES))
        raise UsageError(f"'{given}' has an unknown suffix; expected one of {suffixes}")
    check_writable(path)
    if path.suffix in TABLE_SUFFIXES:
        table_library()
        if path.exists():
            raise UsageError(f"{path} exists; choose another path")
    return path


# ---------------------------------------------------------------- playing
def _simulate(
    arguments: Namespace,
    output: Output,
    overlays: tuple[str, ...],
    out: Path | None,
    when_stopped: Callable[[_Side], None],
) -> _Side:
    """Plays the games that are still to be played; if the user stops that, `when_stopped` prints what there is."""
    options = read_options(arguments.option)
    applied = {"overlays": overlays} if overlays else {}
    scenario = open_scenario(arguments.scenario, options, arguments.path, **applied)
    source = source_of(scenario)
    seats = seat_ids(source)
    players = read_pairs(arguments.seat, "--seat", source.played_seats(seats))
    plan = make_plan(scenario, players, arguments.seed, options, arguments.path, overlays, checked=arguments.invariants)
    partial = out if out is None or out.suffix == RESULTS_SUFFIX else _partial_results_path(out)
    results_file = None if partial is None else ResultsFile(partial, plan, seats)
    known = {} if results_file is None else results_file.read()
    records = {number: each for number, each in known.items() if number < arguments.games}
    left = [number for number in range(arguments.games) if number not in records]
    begun = perf_counter()
    with ExitStack() as resources:
        if results_file is not None:
            resources.enter_context(results_file.opened())
        try:
            for record in tracked(_games(plan, left, arguments), len(left), f"playing {scenario.name}", output):
                records[record.number] = record
                if results_file is not None:
                    results_file.add(record)
        except KeyboardInterrupt:
            _print_interrupted(len(records), arguments, results_file, output)
            if records:
                when_stopped(_Side(plan, scenario, records, len(records), perf_counter() - begun))
            raise
    if out is not None and out.suffix in TABLE_SUFFIXES:
        write_table(out, records.values())
        _partial_results_path(out).unlink()
    return _Side(plan, scenario, records, len(left), perf_counter() - begun)


def _partial_results_path(out: Path) -> Path:
    """Returns the file in which games are collected until the table is complete."""
    return out.with_name(f"{out.name}.part{RESULTS_SUFFIX}")


def _games(plan: SimulationPlan, numbers: list[int], arguments: Namespace) -> Iterator[GameRecord]:
    if arguments.cluster:
        return play_on_cluster(plan, numbers, arguments.cluster)
    workers = arguments.workers or (
        1 if len(numbers) <= MAX_GAMES_IN_ONE_PROCESS and not plan.players else default_workers()
    )
    workers = min(workers, len(numbers))
    return play_in_processes(plan, numbers, workers) if workers > 1 else play_here(plan, numbers)


def _print_interrupted(played: int, arguments: Namespace, results_file: ResultsFile | None, output: Output) -> None:
    text = f"{played:,} of {arguments.games:,} games played"
    if results_file is None:
        output.message(f"\n{text}; use --out FILE to keep them")
    else:
        output.message(f"\n{text} and saved to {results_file.path}; the same command continues")


# ---------------------------------------------------------------- output
def _print_result(side: _Side, output: Output, language: str) -> None:
    tally = _tally(side)
    rows = tally.frequencies()
    words = source_of(side.scenario, language).wording
    names = _seat_names(side.scenario, language)
    games = f"{tally.games:,} game" + "s" * (tally.games != 1)
    output.line(f"{_title(side)}: {games}, {_players(side.plan)}", "bold")
    table = [_row(each, names, words) for each in rows]
    output.table(("outcome", "games", "share", "95% interval"), table, right=(1, 2, 3))
    output.line("; ".join([f"{tally.mean_decisions:.1f} decisions a game", *_speed(side.played, side.seconds)]))
    output.document({**_head(side), **_side_data(tally, rows)})


def _draw(chart: Path | None, sides: Sequence[tuple[str, _Side]], language: str, output: Output) -> None:
    """Draws the shares of the endings with their 95 % intervals, of one simulation or of two beside each other."""
    if chart is None:
        return
    scenario = sides[0][1].scenario
    words, names = source_of(scenario, language).wording, _seat_names(scenario, language)
    found = [
        (label, {(each.winners, each.reason): each for each in _tally(side).frequencies()}) for label, side in sides
    ]
    endings = list(dict.fromkeys(ending for _, shares in found for ending in shares))
    series = []
    for (label, shares), (_, side) in zip(found, sides, strict=True):
        total = len(side.records)
        seen = [shares[each].games if each in shares else 0 for each in endings]
        series.append(Bars(label, [each / total for each in seen], [wilson(each, total) for each in seen]))
    texts = [textwrap.fill(ending_text(each, names, words), _MAX_CHART_LINE) for each in endings]
    title = f"{_title(sides[0][1])}\n{len(sides[0][1].records):,} games, {_players(sides[0][1].plan)}"
    write_panels(chart, title, [Panel("outcome", texts, series)], horizontal=True)
    output.message(f"chart written to {chart}")


def _speed(games: int, seconds: float) -> list[str]:
    """Returns the speed in games a second or seconds a game, whichever is above one; empty if none was played now."""
    if not games:
        return []
    return [f"{games / seconds:.0f} games a second" if games > seconds else f"{seconds / games:.1f} s a game"]


def _print_comparison(before: _Side, after: _Side, output: Output, language: str) -> None:
    found = compare(before.records, after.records)
    words = source_of(before.scenario, language).wording
    names = _seat_names(before.scenario, language)
    applied = ", ".join(Path(each).stem for each in after.plan.overlays)
    output.line(f"{_title(before)}, without and with {applied}: {found.games:,} pairs, {_players(before.plan)}", "bold")
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
    output.line(f"{found.diverged:,} of {found.games:,} games diverged; {found.different_endings:,} ended differently")
    tallies = {"without": _tally(before), "with": _tally(after)}
    sides = {name: _side_data(tally, tally.frequencies()) for name, tally in tallies.items()}
    output.document({**_head(before), "overlays": list(after.plan.overlays), **sides, **_compared_data(found)})


def _title(side: _Side) -> str:
    return f"{side.scenario.title} ({side.scenario.name} {side.scenario.ruleset.version})"


def _players(plan: SimulationPlan) -> str:
    text = ", ".join(f"{seat} {word}" for seat, word in plan.players)
    return f"{text}, all others random" if text else "all seats random"


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
    """Returns an ending as text, with these names of seats."""
    winners, reason = ending
    if winners is None:
        return "not finished"
    text = " and ".join([names[seat] for seat in winners]) or "nobody"
    return f"{text}: {words.word(reason)}" if reason else text


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
        "ended_otherwise": found.different_endings,
        "differences": [
            {**_ending_data(each.ending), "before": each.before, "after": each.after, "difference": each.difference}
            | {"low": each.low, "high": each.high}
            for each in found.differences
        ],
    }


def _ending_data(ending: Ending) -> dict[str, Any]:
    winners, reason = ending
    return {"winners": None if winners is None else list(winners), "reason": reason}
