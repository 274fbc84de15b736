"""`bicorne bench`: the benchmarks, as a table."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from interpreter.cli.output import OK, Output
from interpreter.cli.progress import tracked
from interpreter.language.diagnostics import UsageError
from interpreter.rules.documents.discovery import discover_in, list_scenarios
from interpreter.rules.documents.own_folder import RULESET_FILE
from interpreter.workshop.bench.bench import Measurement, measure, measure_odds
from interpreter.workshop.bench.profile import Cost, profile

_MAX_RULES = 40
"""The number of rules that a profile shows; its JSON has all of them."""


def run(arguments: Namespace, output: Output) -> int:
    """Measures the scenarios named, or the first of every ruleset.

    Raises:
        BicorneError: if a scenario is missing or wrong, or the yardstick can't be used.
    """
    named = [name for each in arguments.scenarios for name in _scenarios_of(each)]
    names = named or _first_of_each(arguments.path)
    yardstick = Path(arguments.yardstick) if arguments.yardstick else None
    if yardstick is not None and len(names) != 1:
        raise UsageError("a yardstick is one game written by hand; name the one scenario that it plays")
    if (arguments.odds is None) != (arguments.given is None):
        raise UsageError("exact odds need a procedure and a situation; give both --odds PROCEDURE and --given FILE")
    if arguments.odds is not None and (arguments.profile or yardstick is not None):
        raise UsageError("exact odds are measured alone; leave out --profile and --yardstick, or --odds")
    if arguments.odds is not None and len(names) != 1:
        raise UsageError("exact odds are those of one game; name one scenario")
    if not names:
        raise UsageError("there is no scenario to measure; name one, or give --path DIR")
    if arguments.profile:
        return _print_profiles(names, arguments, output)
    found: list[Measurement] = []
    for name in tracked(names, len(names), "measuring", output):
        figures = list(_figures(name, arguments, yardstick))
        output.line(name, "bold")
        output.table([], list(_rows(figures)), right=(1,))
        found += figures
    output.document({"figures": [asdict(each) for each in found]})
    return OK


def _figures(name: str, arguments: Namespace, yardstick: Path | None) -> Iterator[Measurement]:
    paths, seconds = tuple(arguments.path), arguments.seconds
    if arguments.odds is None:
        return measure(name, paths, seconds, yardstick)
    return measure_odds(name, paths, seconds, arguments.odds, Path(arguments.given))


def _print_profiles(names: Sequence[str], arguments: Namespace, output: Output) -> int:
    """Prints the rules that take the most time, the slowest first."""
    profiles = {}
    for name in tracked(names, len(names), "measuring", output):
        costs = profile(name, tuple(arguments.path), arguments.seconds)
        output.line(name, "bold")
        heads = ["own", "with calls", "calls", "computed", "rule", "", "place"]
        output.table(heads, [_cost(each) for each in costs[:_MAX_RULES]], right=(0, 1, 2, 3))
        profiles[name] = [*map(_cost_data, costs)]
    output.line("own, with calls: share of the time; calls, computed: number per decision")
    output.document({"profiles": profiles})
    return OK


def _cost(each: Cost) -> tuple[str, ...]:
    shares = f"{each.own:.1%}", f"{each.whole:.1%}" if each.whole else ""
    times = (f"{each.calls:.2f}", f"{each.executions:.2f}") if each.calls else ("", "")
    return (*shares, *times, each.rule, each.kind, each.place)


def _cost_data(each: Cost) -> dict[str, object]:
    return {
        "rule": each.rule,
        "sort": each.kind,
        "own": each.own,
        "whole": each.whole,
        "calls": each.calls,
        "worked": each.executions,
        "place": each.place,
    }


def _rows(figures: Sequence[Measurement]) -> Iterator[tuple[str, str, str]]:
    for each in figures:
        yield f"  {each.what}", f"{each.value:,.0f}" if each.value >= 100 else f"{each.value:,.2f}", each.unit


def _scenarios_of(name: str) -> list[str]:
    """Returns the scenarios that an argument means: those of a folder, the first one of a ruleset's folder, or itself.

    Raises:
        UsageError: if a folder has no scenario.
    """
    folder = Path(name)
    if not folder.is_dir():
        return [name]
    found = discover_in(folder).scenarios.values()
    inside = [str(each.path) for each in found if each.fault is None]
    if (folder / RULESET_FILE).is_file() and not inside:  # its scenarios are beside 'rulesets'
        inside = [each.name for each in list_scenarios(folder.absolute().parents[1:2]) if each.ruleset == folder.name]
    if not inside:
        raise UsageError(f"{name} has no scenario; name one, or a folder that has some")
    return inside[:1] if (folder / RULESET_FILE).is_file() else inside


def _first_of_each(paths: Sequence[str]) -> list[str]:
    first: dict[str, str] = {}
    for each in list_scenarios(paths):
        first.setdefault(each.ruleset, each.name)
    return sorted(first.values())
