"""Bar charts of odds and of other shares; two sets of rules are drawn side by side."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from interpreter.inference.odds import Odds, sort_key
from interpreter.language.diagnostics import UsageError
from interpreter.language.plain_files import check_writable, replacing

FORMS = (".svg", ".png")
_WIDTH, _HEIGHT = 6.4, 2.8
_JAPANESE_FONTS = ("Noto Sans CJK JP", "Noto Sans JP", "IPAexGothic", "Hiragino Sans", "Yu Gothic", "MS Gothic")


def check_chart(path: Path) -> None:
    """Checks that a chart can be written to a file.

    Raises:
        UsageError: for a suffix that is not one of `FORMS`, an unwritable file, or if the extra is not installed.
    """
    if path.suffix not in FORMS:
        raise UsageError(f"'{path}': a chart is written as {' or '.join(FORMS)}; use one of these suffixes")
    check_writable(path)
    _library()


def write_chart(path: Path, series: Sequence[tuple[str, Odds]]) -> None:
    """Draws one set of odds, or several with their names beside each other.

    Raises:
        UsageError: as `check_chart`, or if the file can't be written.
    """
    names = list(dict.fromkeys(name for _, odds in series for name in odds.names))
    panels = []
    for name in names:
        values = sorted({value for _, odds in series for value, _ in odds.of(name)}, key=sort_key)
        bars = []
        for label, odds in series:
            shares = dict(odds.of(name))
            bars.append(Bars(label, [float(shares.get(value, 0)) for value in values]))
        panels.append(Panel(name.replace("_", " "), [value.replace("_", " ") for value in values], bars))
    write_panels(path, series[0][1].procedure.replace("_", " "), panels)


class Bars(NamedTuple):
    """The shares of one series, in the order of the values of its panel, and their bounds if they are estimates."""

    label: str
    shares: Sequence[float]
    bounds: Sequence[tuple[float, float]] = ()


class Panel(NamedTuple):
    """The values of one outcome, and the series of their shares beside each other."""

    name: str
    values: Sequence[str]
    series: Sequence[Bars]


def write_panels(path: Path, title: str, panels: Sequence[Panel], *, horizontal: bool = False) -> None:
    """Draws bar charts below each other; `horizontal` bars have room for long names of values.

    Raises:
        UsageError: as `check_chart`, or if the file can't be written.
    """
    check_chart(path)
    with import_module("matplotlib").rc_context({"svg.hashsalt": "bicorne", "font.family": _fonts()}):
        heights = [max(_HEIGHT, 0.4 * len(each.values)) if horizontal else _HEIGHT for each in panels]
        figure = _library()(figsize=(_WIDTH, sum(heights)), layout="constrained")
        figure.suptitle(title)
        for axes, panel in zip(figure.subplots(len(panels), squeeze=False)[:, 0], panels, strict=True):
            _draw(axes, panel, horizontal=horizontal)
        try:
            with replacing(path) as new:
                metadata = {"Date": None} if path.suffix == ".svg" else None
                figure.savefig(new, format=path.suffix.removeprefix("."), metadata=metadata)
        except OSError as error:
            raise UsageError(f"{path} can't be written: {error.strerror or error}") from error


def _fonts() -> list[str]:
    """Returns the fonts of a chart: those for Japanese that are installed come after Matplotlib's own."""
    installed = set(import_module("matplotlib.font_manager").get_font_names())
    return ["DejaVu Sans", *[each for each in _JAPANESE_FONTS if each in installed]]


def _draw(axes: Any, panel: Panel, *, horizontal: bool) -> None:
    width = 0.8 / len(panel.series)
    for number, (label, shares, bounds) in enumerate(panel.series):
        at = [place + (number - (len(panel.series) - 1) / 2) * width for place in range(len(panel.values))]
        errors = [
            [100 * (share - low), 100 * (high - share)] for share, (low, high) in zip(shares, bounds, strict=False)
        ]
        spread = [list(side) for side in zip(*errors, strict=True)] or None
        bars = (axes.barh if horizontal else axes.bar)(at, [100 * each for each in shares], width, label=label or None)
        if spread is None:
            axes.bar_label(bars, fmt="%.1f", fontsize=8)
        else:
            middles = [100 * each for each in shares]
            x, y, error = (middles, at, {"xerr": spread}) if horizontal else (at, middles, {"yerr": spread})
            axes.errorbar(x, y, fmt="none", ecolor="black", capsize=2, linewidth=0.8, **error)
    if horizontal:
        axes.set_yticks(range(len(panel.values)), panel.values)
        axes.invert_yaxis()
        axes.set_xlabel("per cent")
        axes.set_ylabel(panel.name)
    else:
        axes.set_xticks(range(len(panel.values)), panel.values)
        axes.set_xlabel(panel.name)
        axes.set_ylabel("per cent")
    axes.margins(**{"x" if horizontal else "y": 0.15})
    if len(panel.series) > 1:
        axes.legend()


def _library() -> Any:
    """Matplotlib's figure, which needs no screen."""
    try:
        return import_module("matplotlib.figure").Figure
    except ImportError as error:
        raise UsageError("a chart needs the extra 'charts': pip install 'bicorne[charts]'") from error
