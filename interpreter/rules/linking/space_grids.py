"""Links the grids of spaces: size, ids, holes and adjacency."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.language.diagnostics import with_article
from interpreter.language.model.image import GridLayout
from interpreter.language.model.kind_hierarchy import GridDeclaration, Kind
from interpreter.language.model.program import Individual, LinkDeclaration, Program
from interpreter.rules.documents.nodes import Mapping, Node, Scalar
from interpreter.rules.linking.link_context import LinkContext, text_of, whole, words
from interpreter.world.map_graph import SHAPES, Coordinates, coordinates_around

_WIDEST = 200
_MOST_PLACES = 50_000
_PLAIN_IDS = "{letter}{row}"
_PARTS = re.compile(r"\{([^{}]*)\}|([^{}]+)|[{}]")
_FIELD = re.compile(r"(column|row)(?::([1-9]))?|(letter|LETTER|row_letter|ROW_LETTER)")
_COLUMN_FIELDS = {"column", "letter", "LETTER"}


# ---------------------------------------------------------------- the grid of a kind
def read_kind_grid(context: LinkContext, node: Node | None, root: str) -> GridDeclaration | None:
    """The grid of a kind of space; none if it has none, or the grid has errors."""
    if not isinstance(node, Mapping):
        return None
    if root != "space":
        context.fault("misplaced", "only spaces lie on a grid", node.place, "leave 'grid' out")
        return None
    sizes = [_size(context, node, name) for name in ("columns", "rows")]
    if None in sizes:
        return None
    columns, rows = (size or 1 for size in sizes)
    layout = _layout(context, node)
    if layout is None or not context.has_room("places on grids", _MOST_PLACES, node.place, columns * rows):
        return None
    named = _named_coordinates(context, node.get("ids"), columns, rows)
    if not named:
        return None
    coordinates, row_labels, column_labels = named
    grid = GridDeclaration(
        columns=columns,
        rows=rows,
        layout=layout,
        coordinates=coordinates,
        row_labels=row_labels,
        column_labels=column_labels,
    )
    grid.holes = _holes(context, node, grid)
    return grid


def _layout(context: LinkContext, node: Mapping) -> GridLayout | None:
    shape = node.get("shape")
    called = text_of(shape)
    if called not in SHAPES:
        context.unknown("shape", called, SHAPES, shape.place if shape is not None else node.place)
        return None
    squares = called.startswith("squares")
    if squares and "offset" in node:
        context.fault("misplaced", "no row of squares is offset", node.items["offset"].place, "leave 'offset' out")
    return GridLayout(
        called,
        text_of(node.get("offset")) or "even",
        text_of(node.get("first_row")) or ("bottom" if squares else "top"),
        text_of(node.get("off_board")) or "ignored",
    )


def _holes(context: LinkContext, node: Mapping, grid: GridDeclaration) -> frozenset[str]:
    """The ids without a space."""
    found: dict[str, Scalar] = {}
    for each in words(node.get("holes")):
        if each.text not in grid.coordinates:
            context.fault("off-grid", f"'{each.text}' is no place on this grid", each.place, _extent(grid))
        elif each.text in found:
            hint = f"remove one; the first is at {found[each.text].place}"
            context.fault("duplicate-name", f"'{each.text}' is listed twice", each.place, hint)
        else:
            found[each.text] = each
    return frozenset(found)


def _extent(grid: GridDeclaration) -> str:
    first, last = next(iter(grid.coordinates)), next(reversed(grid.coordinates))
    return f"{grid.columns} columns and {grid.rows} rows are called '{first}' to '{last}'"


def _size(context: LinkContext, node: Mapping, name: str) -> int | None:
    size = node.get(name)
    value = whole(size)
    if value is not None and 1 <= value <= _WIDEST:
        return value
    context.fault("grid-size", f"a grid has 1 to {_WIDEST} {name}", size.place if size is not None else node.place)
    return None


_Coordinates = tuple[dict[str, Coordinates], dict[str, int], dict[str, int]]


def _named_coordinates(context: LinkContext, node: Node | None, columns: int, rows: int) -> _Coordinates | None:
    """The coordinates of ids, row by row, and the rows and columns by their parts of ids; none if `ids` has errors."""
    pattern = text_of(node) if node is not None else _PLAIN_IDS
    pieces = list(_pieces(context, node, pattern))
    across, down = (
        [field for field, _, _ in pieces if field and (field in _COLUMN_FIELDS) is is_across]
        for is_across in (True, False)
    )
    if len(across) != 1 or len(down) != 1:
        if isinstance(node, Scalar) and not any(each.place == node.place for each in context.faults):
            hint = "write each once, such as 'h{column:2}{row:2}', or '{letter}{row}' for a1, b1 …"
            context.fault("grid-ids", "an id has the column and the row of its place", node.place, hint)
        return None
    found: dict[str, Coordinates] = {}
    numbers = range(1, max(columns, rows) + 1)
    written = {field: ["", *[_written(field, each, width) for each in numbers]] for field, width, _ in pieces if field}
    form = "".join(f"{{{field}}}" if field else text for field, _, text in pieces)
    for row in range(1, rows + 1):
        for column in range(1, columns + 1):
            name = form.format_map({across[0]: written[across[0]][column], down[0]: written[down[0]][row]})
            if name in found and node is not None:
                twin = " and ".join(f"column {each} row {other}" for each, other in (found[name], (column, row)))
                hint = "give the numbers a width, such as '{column:2}{row:2}'"
                context.fault("grid-ids", f"{twin} would both be '{name}'", node.place, hint)
                return None
            found[name] = (column, row)
    if node is not None and not context.name_is_sound(next(iter(found)), "space", node.place):
        return None
    labels = [
        {written[field][each]: each for each in range(1, number + 1)}
        for field, number in ((down[0], rows), (across[0], columns))
    ]
    return found, labels[0], labels[1]


def _pieces(context: LinkContext, node: Node | None, pattern: str) -> Iterator[tuple[str, int, str]]:
    """The parts of a pattern: a field with its width, or a text."""
    for found in _PARTS.finditer(pattern):
        text = found[2]
        field = _FIELD.fullmatch(found[1] or "")
        if text is None and field is None and node is not None:
            hint = "there are {column} or {letter}, and {row} or {row_letter}; a number may have a width, as {column:2}"
            context.fault("grid-ids", f"'{found[0]}' is no part of an id", node.place, hint)
            return
        yield (field[1] or field[3], int(field[2] or 1), "") if field else ("", 0, text)


def _written(field: str, number: int, width: int) -> str:
    """A column or row as a field of the pattern writes it; a field in capitals gives capital letters."""
    if field in ("column", "row"):
        return str(number).rjust(width, "0")
    return column_letters(number).upper() if field.isupper() else column_letters(number)


def column_letters(column: int) -> str:
    """The letters of a column or row from 1 on: a to z, then aa, ab and so on."""
    letters = ""
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


# ---------------------------------------------------------------- its spaces
def link_grids(context: LinkContext) -> None:
    """The spaces of every grid whose spaces no document lists; the others are linked in `individuals`."""
    program = context.program
    listed = {entry.name for entry in context.entries("individuals")}
    for kind in program.kinds.values():
        if kind.grid is None:
            continue
        kind.grid.sparse = any(each.name in listed for each in program.subkinds(kind.name))
        for name, (column, row) in {} if kind.grid.sparse else kind.grid.coordinates.items():
            if name in kind.grid.holes:
                continue
            program.individuals[kind.name, name] = Individual(
                name=name, place=kind.place, kind=kind.name, column=column, row=row
            )


def put_on_grid(context: LinkContext, kind: Kind, individual: Individual) -> None:
    """Sets the column and row of a listed space on a grid."""
    above = context.program.grid_kind(kind.name)
    if above is None or above.grid is None:
        return
    at = above.grid.coordinates.get(individual.name)
    if at is None:
        message = f"'{individual.name}' is no place on the grid of '{above.name}'"
        context.fault("off-grid", message, individual.place, _extent(above.grid))
        return
    if individual.name in above.grid.holes:
        message = f"'{individual.name}' is a hole in the grid of '{above.name}'"
        context.fault("off-grid", message, individual.place, "leave it out here or under 'holes'")
        return
    known = context.space_at.setdefault((above.name, at), individual)
    if known is not individual:
        context.twice(f"'{individual.name}' is {with_article(known.kind)} already", individual.place, known.place)
    individual.column, individual.row = at


def adjoin_on_grid(program: Program, link: LinkDeclaration) -> bool:
    """Whether the ends of a link touch on one grid."""
    one, two = (program.individuals[end] for end in zip(link.end_kinds, link.ends, strict=True))
    kind = program.grid_kind(one.kind)
    if kind is None or kind.grid is None or program.grid_kind(two.kind) is not kind:
        return False
    if one.column is None or one.row is None or two.column is None or two.row is None:
        return False
    return (two.column, two.row) in coordinates_around((one.column, one.row), kind.grid.layout)
