"""`bicorne odds`: the exact distribution of a procedure's outcomes, with a chart on a terminal."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from interpreter.cli.arguments import read_options
from interpreter.cli.output import OK, Output
from interpreter.cli.progress import status_shown
from interpreter.cli.streams import is_terminal
from interpreter.inference.charts import check_chart, write_chart
from interpreter.inference.odds import QUANTILES, Odds, Outcome, odds
from interpreter.language.diagnostics import UsageError, number_of

_BAR_LENGTH = 30
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def run(arguments: Namespace, output: Output) -> int:
    """Computes and prints the odds, or those of two sets of rules side by side.

    Raises:
        BicorneError: if the ruleset, the procedure or the situation is missing or wrong, or the chart can't be
            written.
    """
    if arguments.given is None:
        from interpreter.cli.commands.odds_of_game import run_for_game  # noqa: PLC0415 - only for games

        return run_for_game(arguments, output)
    if arguments.procedure is None:
        raise UsageError("name the procedure whose odds are wanted")
    if arguments.compare and not arguments.overlays:
        raise UsageError("--compare needs an overlay; give one with --with FILE")
    chart = None if arguments.chart is None else Path(arguments.chart)
    if chart is not None:
        check_chart(chart)
    with status_shown(f"computing the odds of {arguments.procedure}", output):
        found = _compute(arguments, [] if arguments.compare else arguments.overlays)
        other = _compute(arguments, arguments.overlays) if arguments.compare else None
    if other is None:
        _print_odds(found, output)
        output.document(found.as_json())
    else:
        _print_comparison(found, other, output)
        output.document({"without": found.as_json(), "with": other.as_json(), "overlays": list(arguments.overlays)})
    if chart is not None:
        write_chart(chart, [("", found)] if other is None else [("without", found), ("with", other)])
        output.message(f"chart written to {chart}")
    return OK


def _compute(arguments: Namespace, overlays: Sequence[str]) -> Odds:
    return odds(
        arguments.source,
        arguments.procedure,
        Path(arguments.given),
        orders=[Path(each) for each in arguments.orders],
        overlays=overlays,
        options=read_options(arguments.option),
        paths=arguments.path,
    )


# ---------------------------------------------------------------- one set of rules
def _print_odds(found: Odds, output: Output) -> None:
    chart = is_terminal()
    output.line(f"{found.procedure}: {number_of(len(found.rows), 'outcome')}", "bold")
    _print_warnings(found, output)
    _print_rows(found, output, chart=chart)
    if len(found.names) > 1:
        for name in found.names:
            _print_outcome(found, name, output, chart=chart)
    for name in found.names:
        if (mean := found.mean(name)) is not None:
            output.line(f"{_summary(found, name)}  ({mean})")


def _print_warnings(found: Odds, output: Output, under: str = "") -> None:
    for each in found.warnings:
        output.line(f"warning{under}: {each}")


def _summary(found: Odds, name: str) -> str:
    low, middle, high = [found.quantile(name, each) for each in QUANTILES]
    spread = f"median {middle}, 10% to 90%: {low} to {high}"
    return f"mean {name.replace('_', ' ')}: {float(found.mean(name) or 0):.3f}, {spread}"


def _print_rows(found: Odds, output: Output, *, chart: bool) -> None:
    most = max((share for _, share in found.rows), default=Fraction(1))
    header = [*(name.replace("_", " ") for name in found.names), "exact", "odds"]
    rows = [(*outcome, str(share), percent(share)) for outcome, share in found.rows]
    _print_table(header, rows, [share / most for _, share in found.rows], output, chart=chart)


def _print_outcome(found: Odds, name: str, output: Output, *, chart: bool) -> None:
    pairs = found.of(name)
    most = max(share for _, share in pairs)
    output.line()
    rows = [(value, str(share), percent(share)) for value, share in pairs]
    _print_table(
        [name.replace("_", " "), "exact", "odds"], rows, [share / most for _, share in pairs], output, chart=chart
    )


def _print_table(
    header: list[str], rows: Sequence[tuple[str, ...]], shares: list[Fraction], output: Output, *, chart: bool
) -> None:
    right = (len(header) - 2, len(header) - 1)
    if chart:
        header, rows = [*header, ""], [(*row, bar(share)) for row, share in zip(rows, shares, strict=True)]
    output.table(header, rows, right)


# ---------------------------------------------------------------- two sets of rules
def _print_comparison(before: Odds, after: Odds, output: Output) -> None:
    output.line(
        f"{before.procedure}: {number_of(len(before.rows), 'outcome')} without, {len(after.rows):,} with", "bold"
    )
    if before.warnings == after.warnings:
        _print_warnings(before, output)
    else:
        _print_warnings(before, output, " without")
        _print_warnings(after, output, " with")
    _print_both([name.replace("_", " ") for name in before.names], before.rows, after.rows, output)
    if len(before.names) > 1:
        for name in before.names:
            output.line()
            one, other = ([((value,), share) for value, share in each.of(name)] for each in (before, after))
            _print_both([name.replace("_", " ")], one, other, output)
    for name in before.names:
        if before.mean(name) is not None and after.mean(name) is not None:
            output.line(f"without: {_summary(before, name)}")
            output.line(f"with:    {_summary(after, name)}")


def _print_both(
    names: list[str],
    before: Sequence[tuple[Outcome, Fraction]],
    after: Sequence[tuple[Outcome, Fraction]],
    output: Output,
) -> None:
    was, now = dict(before), dict(after)
    rows: list[tuple[Any, ...]] = []
    for outcome in dict.fromkeys([*was, *now]):
        one, other = was.get(outcome, Fraction(0)), now.get(outcome, Fraction(0))
        rows.append((*outcome, str(one), percent(one), str(other), percent(other), f"{float(other - one):+.2%}"))
    header = [*names, "exact", "without", "exact", "with", "difference"]
    output.table(header, rows, tuple(range(len(names), len(header))))


def percent(share: Fraction) -> str:
    """Returns a probability in per cent."""
    return f"{float(share):.2%}"


def bar(share: Fraction) -> str:
    """Returns a bar of a length from 0 to 1, in eighths of a character."""
    eighths = round(share * _BAR_LENGTH * 8)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
