"""Bar charts of odds; two sets of rules are drawn side by side."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

from interpreter.inference.odds import Odds, sort_key
from interpreter.language.diagnostics import UsageError
from interpreter.language.plain_files import replacing

FORMS = (".svg", ".png")
_WIDTH, _HEIGHT = 6.4, 2.8


def check_chart(path: Path) -> None:
    """Checks that a chart can be written to a file.

    Raises:
        UsageError: for a suffix that is not one of `FORMS`, a missing folder, or if the extra is not installed.
    """
    if path.suffix not in FORMS:
        raise UsageError(f"'{path}': a chart is written as {' or '.join(FORMS)}; use one of these suffixes")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"{path} can't be written: there is no folder {path.absolute().parent}")
    _library()


def write_chart(path: Path, series: Sequence[tuple[str, Odds]]) -> None:
    """Draws one set of odds, or several with their names beside each other.

    Raises:
        UsageError: as `check_chart`, or if the file can't be written.
    """
    check_chart(path)
    figure_class = _library()
    names = list(dict.fromkeys(name for _, odds in series for name in odds.names))
    figure = figure_class(figsize=(_WIDTH, _HEIGHT * len(names)), layout="constrained")
    figure.suptitle(series[0][1].procedure.replace("_", " "))
    for axes, name in zip(figure.subplots(len(names), squeeze=False)[:, 0], names, strict=True):
        _draw(axes, name, [(label, dict(odds.of(name))) for label, odds in series])
    try:
        with replacing(path) as new:
            metadata = {"Date": None} if path.suffix == ".svg" else None
            figure.savefig(new, format=path.suffix.removeprefix("."), metadata=metadata)
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror or error}") from error


def _draw(axes: Any, name: str, series: list[tuple[str, dict[str, Fraction]]]) -> None:
    values = list(dict.fromkeys(value for _, shares in series for value in shares))
    values.sort(key=sort_key)
    width = 0.8 / len(series)
    for number, (label, shares) in enumerate(series):
        at = [place + (number - (len(series) - 1) / 2) * width for place in range(len(values))]
        heights = [100 * float(shares.get(value, 0)) for value in values]
        bars = axes.bar(at, heights, width, label=label or None)
        axes.bar_label(bars, fmt="%.1f", fontsize=8)
    axes.set_xticks(range(len(values)), [value.replace("_", " ") for value in values])
    axes.set_xlabel(name.replace("_", " "))
    axes.set_ylabel("per cent")
    axes.margins(y=0.15)
    if len(series) > 1:
        axes.legend()


def _library() -> Any:
    """Matplotlib's figure, which needs no screen."""
    try:
        return import_module("matplotlib.figure").Figure
    except ImportError as error:
        raise UsageError("a chart needs the extra 'charts': pip install 'bicorne[charts]'") from error
