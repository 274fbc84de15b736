"""Links the `tables` of a ruleset: axes with headings from a text grid, and cells read by a pattern."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from interpreter.language.diagnostics import Place
from interpreter.language.model.program import Axis, Cell, Datum, Parameter, Table
from interpreter.language.tree.statements import TypeExpr
from interpreter.language.whole_numbers import MAX_DIGITS
from interpreter.rules.documents.nodes import Mapping, Scalar
from interpreter.rules.documents.text_grids import GridCell, TextGrid
from interpreter.rules.linking.cell_patterns import CellPattern, read_pattern
from interpreter.rules.linking.figure import Figure
from interpreter.rules.linking.figure_sources import Exceptions, read_exceptions
from interpreter.rules.linking.link_context import CALLED_NAMES, Entry, LinkContext, cites, is_true

_BOUND = rf"[+-]?[0-9]{{1,{MAX_DIGITS}}}"
_RANGE = re.compile(rf"(?P<low>{_BOUND})?\.\.(?P<high>{_BOUND})?")

Heading = Datum | tuple[int | None, int | None]


def link_tables(context: LinkContext) -> None:
    """Links all tables; those with errors are left out."""
    for entry in context.entries("tables"):
        if context.name_is_sound(entry.name, "table", entry.place, CALLED_NAMES):
            before = len(context.faults)
            table = _table(context, entry)
            if table is not None and len(context.faults) == before:
                context.program.tables[entry.name] = table
            else:
                context.broken.add(entry.name)


@dataclass(slots=True)
class _AxisReader:
    """Collects the headings of one axis in order of first use."""

    parameter: Parameter
    headings: list[Heading] = field(default_factory=list)
    ranges: list[bool] = field(default_factory=list)
    cells: list[GridCell] = field(default_factory=list)

    def position(self, cell: GridCell) -> int | None:
        """The position of an earlier heading with the same text."""
        heading, is_range = _heading(cell)
        for index, (known, ranged) in enumerate(zip(self.headings, self.ranges, strict=True)):
            if ranged == is_range and type(known) is type(heading) and known == heading:
                return index
        return None

    def add(self, context: LinkContext, cell: GridCell) -> int:
        """A further heading, checked against those before it."""
        heading, is_range = _heading(cell)
        bounds = _bounds(heading)
        if bounds is not None and bounds[0] > bounds[1]:
            hint = "the lower end comes first"
            context.fault("empty-range", f"the range '{cell.text}' holds nothing", cell.place, hint)
        elif bounds is not None:
            self._check_overlap(context, cell, bounds)
        self.headings.append(heading)
        self.ranges.append(is_range)
        self.cells.append(cell)
        return len(self.headings) - 1

    def _check_overlap(self, context: LinkContext, cell: GridCell, bounds: tuple[float, float]) -> None:
        for known, other in zip(self.headings, self.cells, strict=True):
            limits = _bounds(known)
            if limits is not None and bounds[0] <= limits[1] and limits[0] <= bounds[1]:
                message = f"the headings '{other.text}' and '{cell.text}' of '{self.parameter.name}' overlap"
                hint = f"let every number lie under one heading; the first is at {other.place}"
                context.fault("overlapping-headings", message, cell.place, hint)
                return

    def axis(self) -> Axis:
        return Axis(
            parameter=self.parameter,
            headings=tuple(self.headings),
            is_range=tuple(self.ranges),
            places=tuple(each.place for each in self.cells),
        )


def _heading(cell: GridCell) -> tuple[Heading, bool]:
    """A heading's value, and whether it is a range."""
    found = None if cell.quoted else _RANGE.fullmatch(cell.text)
    if found is None or found.group() == "..":
        return cell.datum, False
    low, high = found.group("low"), found.group("high")
    return (None if low is None else int(low), None if high is None else int(high)), True


def _bounds(heading: Heading) -> tuple[float, float] | None:
    """Lowest and highest number under a heading; none if it is no number."""
    if isinstance(heading, bool):
        return None
    if isinstance(heading, int):
        return heading, heading
    if isinstance(heading, tuple) and len(heading) == 2:
        low, high = heading
        if (low is None or isinstance(low, int)) and (high is None or isinstance(high, int)):
            return (float("-inf") if low is None else low), (float("inf") if high is None else high)
    return None


@dataclass(slots=True)
class _TableBuilder:
    """Builds one table."""

    entry: Entry
    axes: list[_AxisReader]
    pattern: CellPattern | None
    exceptions: Exceptions
    cells: dict[tuple[int, ...], Cell] = field(default_factory=dict)


def _table(context: LinkContext, entry: Entry) -> Table | None:
    fields = entry.fields
    keys = context.parameters(fields.get("keys"))
    written = context.type(fields.get("gives"))
    node = fields.get("grid")
    if not keys or not isinstance(node, Scalar):
        missing = "keys" if not keys else "grid"
        context.fault("missing-key", f"the table '{entry.name}' has no '{missing}'", entry.place, f"add '{missing}:'")
        return None
    pattern = _pattern(context, fields, written)
    exceptions = read_exceptions(context, fields)
    known = len(context.faults)
    grid = context.grid(node.source)
    if len(context.faults) > known or grid is None or not _labels_are_sound(context, grid, keys):
        return None
    reading = _TableBuilder(entry, [_AxisReader(each) for each in keys], pattern, exceptions)
    if len(keys) == 1:
        _read_line(context, reading, grid)
    else:
        _read_rows(context, reading, grid)
    exceptions.close(context)
    return Table(
        name=entry.name,
        place=entry.place,
        cites=cites(fields),
        axes=tuple(each.axis() for each in reading.axes),
        written=written,
        clamp=is_true(fields.get("clamp")),
        cells=reading.cells,
        standing=exceptions.general.standing,
    )


def _pattern(context: LinkContext, fields: Mapping, written: TypeExpr | None) -> CellPattern | None:
    node = fields.get("cell")
    if not isinstance(node, Scalar):
        return None
    pattern = read_pattern(context, node)
    if pattern is None or written is None:
        return pattern
    name = written.name
    if written.form != "name" or name not in context.program.kinds or context.program.kinds[name].root != "record":
        message = "a 'cell' pattern reads the attributes of a record, but 'gives' names none"
        context.fault("not-a-record", message, node.place, "let 'gives' name a record kind, or drop 'cell'")
        return pattern
    attributes = context.program.attributes(name)
    for attribute, place in pattern.attributes.items():
        if attribute not in attributes:
            context.no_attribute(name, attribute, attributes, place)
    return pattern


def _labels_are_sound(context: LinkContext, grid: TextGrid, keys: tuple[Parameter, ...]) -> bool:
    """Whether the first row names the row keys: all keys but the last, or the only one."""
    wanted = [each.name for each in (keys[:-1] if len(keys) > 1 else keys)]
    said = [each.text for each in grid.labels]
    if said == wanted:
        return True
    right = " ".join(wanted)
    message = f"the first row begins with '{' '.join(said)}', but the row keys are '{right}'"
    place = next((cell.place for cell, name in zip(grid.labels, wanted, strict=False) if cell.text != name), None)
    place = place or grid.labels[min(len(wanted), len(said) - 1)].place
    hint = f"begin it with '{right} |'; the last of several keys runs along the columns"
    context.fault("grid-header", message, place, hint)
    return False


def _columns(context: LinkContext, axis: _AxisReader, grid: TextGrid) -> list[int]:
    """The position of each column on the axis."""
    found = []
    for cell in grid.headings:
        if (known := axis.position(cell)) is not None:
            message = f"the heading '{cell.text}' appears twice"
            context.twice(message, cell.place, axis.cells[known].place, "duplicate-heading")
            found.append(known)
        else:
            found.append(axis.add(context, cell))
    return found


def _read_line(context: LinkContext, reading: _TableBuilder, grid: TextGrid) -> None:
    """A table with one key: a row of headings and a row of cells."""
    columns = _columns(context, reading.axes[0], grid)
    if len(grid.rows) != 1:
        place = grid.rows[1].place if grid.rows else grid.labels[0].place
        message = f"a table with one key has one row of cells, not {len(grid.rows)}"
        context.fault("grid-rows", message, place, "name a second key for the rows in 'keys'")
        return
    for column, heading, cell in zip(columns, grid.headings, grid.rows[0].cells, strict=True):
        _add_cell(context, reading, (column,), (heading.text,), cell)


def _read_rows(context: LinkContext, reading: _TableBuilder, grid: TextGrid) -> None:
    columns = _columns(context, reading.axes[-1], grid)
    rows: dict[tuple[int, ...], Place] = {}
    for row in grid.rows:
        position = tuple(
            known if (known := axis.position(cell)) is not None else axis.add(context, cell)
            for axis, cell in zip(reading.axes[:-1], row.keys, strict=True)
        )
        if position in rows:
            label = " ".join(each.text for each in row.keys)
            message = f"the row '{label}' appears twice"
            context.twice(message, row.keys[0].place, rows[position], "duplicate-heading")
            continue
        rows[position] = row.keys[0].place
        keys = tuple(each.text for each in row.keys)
        for column, heading, cell in zip(columns, grid.headings, row.cells, strict=True):
            _add_cell(context, reading, (*position, column), (*keys, heading.text), cell)
    _check_all_rows(context, reading, rows)


def _check_all_rows(context: LinkContext, reading: _TableBuilder, rows: dict[tuple[int, ...], Place]) -> None:
    """Reports combinations of row keys without a row."""
    wanted: list[tuple[int, ...]] = [()]
    for axis in reading.axes[:-1]:
        wanted = [(*before, index) for before in wanted for index in range(len(axis.headings))]
    for position in wanted:
        if position not in rows:
            label = " ".join(axis.cells[index].text for axis, index in zip(reading.axes[:-1], position, strict=True))
            place = reading.entry.fields.key_place("grid")
            context.fault("missing-row", f"the table '{reading.entry.name}' has no row '{label}'", place, "add the row")


def _add_cell(
    context: LinkContext, reading: _TableBuilder, position: tuple[int, ...], headings: tuple[str, ...], cell: GridCell
) -> None:
    path = "/".join(headings)
    basis = reading.exceptions.at(path, *_shorter(headings))
    value: Datum | dict[str, Datum] = cell.datum
    if reading.pattern is not None:
        record = reading.pattern.read(cell.text)
        if record is None:
            message = f"the cell '{cell.text}' doesn't fit the pattern '{reading.pattern.text}'"
            context.fault("wrong-cell", message, cell.place, f"a cell reads like {reading.pattern.sample}")
            return
        value = record
    reading.cells[position] = Cell(value=value, text=cell.text, place=cell.place, standing=basis.standing)
    shown = cell.text if isinstance(value, dict) else value
    full = f"tables/{reading.entry.name}/{path}"
    figure = Figure(full, shown, basis.standing, basis.cites, basis.source, cell.place)
    context.figures.append(figure)


def _shorter(headings: tuple[str, ...]) -> list[str]:
    """The paths of the rows that contain a cell, the narrowest first."""
    return ["/".join(headings[:length]) for length in range(len(headings) - 1, 0, -1)]
