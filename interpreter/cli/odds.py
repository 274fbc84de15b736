"""`bicorne odds`: the exact distribution of a procedure's outcomes, with a chart on a terminal."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from interpreter.cli.arguments import read_options
from interpreter.cli.output import OK, Output
from interpreter.cli.progress import working
from interpreter.reckoning.odds import Odds, odds

_BAR = 30
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def run(arguments: Namespace, output: Output) -> int:
    """Reckons and prints the odds.

    Raises:
        BicorneError: if the ruleset, the procedure or the situation isn't there or isn't sound.
    """
    with working(f"following every course of {arguments.procedure}", output):
        found = odds(
            arguments.ruleset,
            arguments.procedure,
            Path(arguments.given),
            overlays=arguments.overlays,
            options=read_options(arguments.option),
            paths=arguments.path,
        )
    chart = output.on_terminal
    output.line(f"{found.procedure}: {found.leaves:,} courses of events", "bold")
    _say_rows(found, output, chart=chart)
    if len(found.names) > 1:
        for name in found.names:
            _say_one(found, name, output, chart=chart)
    for name in found.names:
        if (mean := found.mean(name)) is not None:
            output.line(f"mean {name.replace('_', ' ')}: {float(mean):.3f}  ({mean})")
    output.document(found.as_json())
    return OK


def _say_rows(found: Odds, output: Output, *, chart: bool) -> None:
    most = max((share for _, share in found.rows), default=Fraction(1))
    header = [*(name.replace("_", " ") for name in found.names), "exact", "odds"]
    rows = [(*outcome, str(share), percent(share)) for outcome, share in found.rows]
    _table(header, rows, [share / most for _, share in found.rows], output, chart=chart)


def _say_one(found: Odds, name: str, output: Output, *, chart: bool) -> None:
    pairs = found.of(name)
    most = max(share for _, share in pairs)
    output.line()
    rows = [(value, str(share), percent(share)) for value, share in pairs]
    _table([name.replace("_", " "), "exact", "odds"], rows, [share / most for _, share in pairs], output, chart=chart)


def _table(
    header: list[str], rows: Sequence[tuple[str, ...]], shares: list[Fraction], output: Output, *, chart: bool
) -> None:
    right = (len(header) - 2, len(header) - 1)
    if chart:
        header, rows = [*header, ""], [(*row, bar(share)) for row, share in zip(rows, shares, strict=True)]
    output.table(header, rows, right)


def percent(share: Fraction) -> str:
    """A probability in per cent."""
    return f"{float(share):.2%}"


def bar(share: Fraction) -> str:
    """A bar of a length from 0 to 1, in eighths of a sign."""
    eighths = round(share * _BAR * 8)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
