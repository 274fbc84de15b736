"""Reads text grids of things: one line per thing, attributes in columns, with the basis of each figure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from interpreter.language.parsing.source_map import SourceText
from interpreter.rules.documents.nodes import Mapping
from interpreter.rules.documents.text_grids import GridCell, GridRow, TextGrid
from interpreter.rules.linking.figure import Basis
from interpreter.rules.linking.figure_sources import Exceptions, read_exceptions, record_figure
from interpreter.rules.linking.link_context import LinkContext


@dataclass(slots=True)
class LabelledRow:
    """One line of a grid: the keys before the bar, and the cells by column that have a value (`-` has none).

    `basis` is the basis of the line as a whole.
    """

    keys: tuple[GridCell, ...]
    cells: dict[str, GridCell]
    basis: Basis


def read_lines(
    context: LinkContext,
    fields: Mapping,
    source: SourceText,
    labels: tuple[str, ...],
    known: Collection[str],
    path: str,
) -> Iterator[LabelledRow]:
    """The lines of a text grid whose row keys are called `labels` and whose columns are among `known`.

    Whole numbers in it are figures of the ruleset, listed under `path`; several keys are joined in paths by a dash.
    """
    grid = context.grid(source)
    if grid is None or not _fits(context, grid, labels):
        return
    columns = _columns(context, grid, known)
    exceptions = read_exceptions(context, fields)
    plain = _Plain(exceptions, columns)
    for row in grid.rows:
        cells = {
            column: cell
            for column, cell in zip(columns, row.cells, strict=True)
            if column is not None and cell.has_value
        }
        if not context.tells_figures and plain.covers(row):
            yield LabelledRow(row.keys, cells, exceptions.general)
            continue
        names = _names(row)
        for column, cell in cells.items():
            basis = exceptions.at(*[f"{name}/{column}" for name in names], *names, column)
            record_figure(context, f"{path}/{names[0]}/{column}", cell.datum, basis, cell)
        yield LabelledRow(row.keys, cells, exceptions.at(*names))
    exceptions.close(context, lambda: _all_names(grid, columns))


class _Plain:
    """Recognizes rows without exceptions of their own, so that none needs to be looked up there."""

    def __init__(self, exceptions: Exceptions, columns: Iterable[str | None]) -> None:
        self._named = {path.partition("/")[0] for path in exceptions.single}
        for column in columns:
            if column in self._named:
                exceptions.at(column)

    def covers(self, row: GridRow) -> bool:
        return not self._named or self._named.isdisjoint(_names(row))


def _names(row: GridRow) -> tuple[str, ...]:
    """The names of a row in `figures`: its id; for two ends both orders."""
    if len(row.keys) == 1:
        return (row.keys[0].text,)
    written = [each.text for each in row.keys]
    return "-".join(written), "-".join(reversed(written))


def _all_names(grid: TextGrid, columns: Iterable[str | None]) -> Iterator[str]:
    """Everything that `figures` may name."""
    yield from (each for each in columns if each is not None)
    for row in grid.rows:
        for name in _names(row):
            yield name
            yield from (f"{name}/{each}" for each in columns if each is not None)


def _fits(context: LinkContext, grid: TextGrid, labels: tuple[str, ...]) -> bool:
    """Whether lines have one key per label; other errors of the labels are reported."""
    if tuple(each.text for each in grid.labels) == labels:
        return True
    what = "the ids are" if labels == ("id",) else "the two ends are"
    message = f"the first row must begin with '{' '.join(labels)} |'"
    context.fault("grid-header", message, grid.labels[0].place, f"{what} before the bar, the attributes after")
    return len(grid.labels) == len(labels)


def _columns(context: LinkContext, grid: TextGrid, known: Collection[str]) -> list[str | None]:
    """The attribute of each column; none for an invalid column, which is reported here."""
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
