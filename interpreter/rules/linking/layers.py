"""Links `layers`: an attribute of the spaces of a grid, drawn as a text grid with a mark in each cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from interpreter.language.diagnostics import Located, Place
from interpreter.language.model.kind_hierarchy import GridDeclaration
from interpreter.language.model.program import Datum, Individual
from interpreter.rules.documents.nodes import Node, Scalar
from interpreter.rules.documents.text_grids import GridCell
from interpreter.rules.linking.figure_sources import read_basis, record_figure
from interpreter.rules.linking.link_context import Entry, LinkContext, datum, text_of

_LABEL = "row"


@dataclass(frozen=True, slots=True)
class DrawnValue:
    """The value that a layer gives to an attribute of a space; `cell` is where it is drawn."""

    space: Individual
    attribute: str
    value: Datum
    source: Located
    """The entry of the key that has the value, or the cell."""
    cell: Place


def link_layers(context: LinkContext) -> None:
    """The `layers` of a ruleset: values of individuals."""
    for entry in context.entries("layers"):
        drawn = 0
        for each in drawn_values(context, entry):
            drawn += 1
            values, places = each.space.values, each.space.value_places
            if each.attribute in values:
                what = f"'{each.attribute}' of {each.space.name} has a value already"
                context.twice(what, each.cell, places[each.attribute].place)
                continue
            values[each.attribute], places[each.attribute] = each.value, each.source
        record_figure(context, f"layers/{entry.name}", drawn, read_basis(context, entry.fields), entry)


def drawn_values(context: LinkContext, entry: Entry) -> Iterator[DrawnValue]:
    """The values of one layer, row by row; a cell with a dash has none."""
    fields = entry.fields
    attribute = fields.get("sets")
    text = fields.get("grid")
    of = _gridded_kind(context, fields.get("of"))
    if of is None or not isinstance(attribute, Scalar) or not isinstance(text, Scalar):
        return
    name, layout = of
    if attribute.text not in context.program.attributes(name):
        context.no_attribute(name, attribute.text, context.program.attributes(name), attribute.place)
        return
    grid = context.grid(text.source)
    if grid is None:
        return
    if tuple(each.text for each in grid.labels) != (_LABEL,):
        hint = f"the rows are before the bar, the columns after: '{_LABEL} | {' '.join([*layout.column_labels][:3])} …'"
        context.fault("grid-header", f"the first row must begin with '{_LABEL} |'", grid.labels[0].place, hint)
        return
    columns = _numbers(context, "column", layout.column_labels, grid.headings)
    rows = _numbers(context, "row", layout.row_labels, [row.keys[0] for row in grid.rows])
    spaces = _spaces(context, name)
    key = {each.name: each for each in context.pairs(fields.get("key"))}
    for row, line in zip(rows, grid.rows, strict=True):
        for column, heading, cell in zip(columns, grid.headings, line.cells, strict=True):
            if row is None or column is None or not cell.has_value:
                continue
            if (space := spaces.get((column, row))) is None:
                message = f"there is no {name} in row {line.keys[0].text}, column {heading.text}"
                context.fault("off-grid", message, cell.place, "write '-' where the board has a hole")
            elif not key:
                yield DrawnValue(space, attribute.text, cell.datum, cell, cell.place)
            elif (meant := key.get(cell.text)) is None:
                context.unknown("mark", cell.text, key, cell.place)
            else:
                yield DrawnValue(space, attribute.text, datum(meant.node), meant.node, cell.place)


def _gridded_kind(context: LinkContext, node: Node | None) -> tuple[str, GridDeclaration] | None:
    """The name of a kind of space on a grid, and the grid."""
    name = text_of(node)
    gridded = {each: above for each in context.program.kinds if (above := context.program.grid_kind(each)) is not None}
    above = gridded.get(name)
    if above is not None and above.grid is not None:
        return name, above.grid
    if node is not None and name in context.program.kinds:
        context.fault("misplaced", f"'{name}' is not on a grid", node.place, "a layer is drawn of spaces with a 'grid'")
    elif node is not None:
        context.unknown("kind", name, gridded, node.place)
    return None


def _numbers(context: LinkContext, what: str, labels: dict[str, int], cells: Iterable[GridCell]) -> list[int | None]:
    """The numbers of rows or columns by their labels as in ids, leading zeros aside; none for those reported here."""
    known = {label.lstrip("0"): number for label, number in labels.items()}
    found: list[int | None] = []
    for cell in cells:
        number = known.get(cell.text.lstrip("0"))
        if number is None:
            context.unknown(what, cell.text, labels, cell.place)
        elif number in found:
            context.fault("duplicate-name", f"{what} '{cell.text}' is drawn twice", cell.place, "leave one of them out")
            number = None
        found.append(number)
    return found


def _spaces(context: LinkContext, kind: str) -> dict[tuple[int | None, int | None], Individual]:
    """The spaces of a kind and its sub-kinds by column and row."""
    program = context.program
    kinds = {each.name for each in program.subkinds(kind)}
    return {(each.column, each.row): each for each in program.individuals.values() if each.kind in kinds}
