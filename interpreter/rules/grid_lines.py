"""Reads text grids of things: a line for each, the attributes in columns, and what the figures among them rest on."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from interpreter.language.source import SourceText
from interpreter.rules.grids import GridCell, TextGrid, read_grid
from interpreter.rules.link_context import Context
from interpreter.rules.nodes import Mapping
from interpreter.rules.standings import Basis, Figure, is_figure, read_exceptions


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a grid: what stands before the bar, and the cells by column that say something (`-` says nothing).

    `basis` is what the line as a whole rests on.
    """

    keys: tuple[GridCell, ...]
    cells: dict[str, GridCell]
    basis: Basis


def read_lines(
    context: Context, fields: Mapping, source: SourceText, labels: tuple[str, ...], known: Collection[str], path: str
) -> Iterator[Line]:
    """The lines of a text grid whose row keys are called `labels` and whose columns are among `known`.

    Whole numbers in it are figures of the ruleset, listed under `path`; several keys are joined in paths by a dash.
    """
    grid, faults = read_grid(source)
    context.faults.extend(faults)
    if grid is None or not _fits(context, grid, labels):
        return
    columns = _columns(context, grid, known)
    exceptions = read_exceptions(context, fields)
    for row in grid.rows:
        written = [each.text for each in row.keys]
        names = dict.fromkeys(("-".join(written), "-".join(reversed(written))))
        cells = {}
        for column, cell in zip(columns, row.cells, strict=True):
            if column is None or not cell.says_something:
                continue
            cells[column] = cell
            basis = exceptions.at(*[f"{name}/{column}" for name in names], *names, column)
            if is_figure(value := cell.datum):
                where = f"{path}/{'-'.join(written)}/{column}"
                context.figures.append(Figure(where, value, basis.standing, basis.cites, basis.source, cell.place))
        yield Line(row.keys, cells, exceptions.at(*names))
    exceptions.close(context)


def _fits(context: Context, grid: TextGrid, labels: tuple[str, ...]) -> bool:
    """Whether lines have as many keys as there are labels; what else is wrong with the labels is told."""
    if tuple(each.text for each in grid.labels) == labels:
        return True
    what = "the ids stand" if labels == ("id",) else "the two ends stand"
    message = f"the first row must begin with '{' '.join(labels)} |'"
    context.fault("grid-header", message, grid.labels[0].place, f"{what} before the bar, the attributes after")
    return len(grid.labels) == len(labels)


def _columns(context: Context, grid: TextGrid, known: Collection[str]) -> list[str | None]:
    """The attribute of each column; none for a column that is reported here and then passed over."""
    columns: list[str | None] = []
    for heading in grid.headings:
        if heading.text in columns:
            context.fault("duplicate-name", f"two columns are called '{heading.text}'", heading.place)
            columns.append(None)
        elif heading.text not in known:
            context.unknown("attribute", heading.text, known, heading.place)
            columns.append(None)
        else:
            columns.append(heading.text)
    return columns
