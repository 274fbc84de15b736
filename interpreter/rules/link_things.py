"""Links what stands on the table at the start: individuals and the counter-mix."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.language.diagnostics import Place
from interpreter.language.parsing.expression_builder import FIXED_WORDS
from interpreter.language.program import Datum, Individual, Kind
from interpreter.language.source import SourceText
from interpreter.rules.grids import GridCell, GridRow, TextGrid, read_grid
from interpreter.rules.link_context import Context, Entry, cites, datum, several, text_of, whole, words
from interpreter.rules.nodes import Mapping, Scalar, Sequence
from interpreter.rules.standings import Figure, is_figure, read_basis, read_exceptions

_INDIVIDUAL_ROOTS = ("space", "thing", "seat", "piece")
_MOST_COUNTERS = 2000
_BASIS_KEYS = frozenset({"cite", "standing", "source", "figures"})
_COUNTER_KEYS = _BASIS_KEYS | {"id", "count"}


# ---------------------------------------------------------------- individuals
def link_individuals(context: Context) -> None:
    """The `individuals`, in any of their three forms."""
    for entry in context.entries("individuals"):
        kind = _kind(context, entry, _INDIVIDUAL_ROOTS)
        if kind is None:
            continue
        grid = entry.fields.get("grid")
        if isinstance(grid, Scalar):
            _individuals_of_grid(context, kind, entry.fields, grid.source)
        elif isinstance(entry.node, Mapping):
            for each in context.pairs(entry.node):
                individual = _individual(context, kind, each.name, each.place, cites(each.fields))
                for attribute in context.pairs(each.node):
                    if attribute.name not in _BASIS_KEYS:
                        _give(context, kind, individual, attribute.name, _datum(context, attribute), attribute)
                _figures(context, "individuals", individual, each.fields)
        else:
            for word in words(entry.node):
                _individual(context, kind, word.text, word.place, ())


def _kind(context: Context, entry: Entry, roots: tuple[str, ...]) -> Kind | None:
    program = context.program
    kind = program.kinds.get(entry.name)
    if kind is None:
        context.unknown("kind", entry.name, [each.name for each in program.kinds.values()], entry.place)
    elif kind.root not in roots:
        wanted = ", ".join(f"{root}s" for root in roots)
        context.fault("misplaced", f"'{entry.name}' is a {kind.root}; only {wanted} can stand here", entry.place)
        return None
    return kind


def _individual(context: Context, kind: Kind, name: str, place: Place, cited: tuple[str, ...]) -> Individual:
    """A new individual, or the one that the kind brought with it (a seat, a space of a grid)."""
    program = context.program
    known = program.individuals.get((kind.name, name))
    if kind.members or kind.grid is not None:
        if known is not None:
            known.place = place
            known.cites = cited
            return known
        members = [each for of, each in program.individuals if of == kind.name]
        context.unknown(kind.name, name, members, place, "unknown-individual")
        return Individual(name=name, place=place, kind=kind.name)
    made = Individual(name=name, place=place, cites=cited, kind=kind.name)
    if known is not None:
        context.fault("duplicate-name", f"there are two of {kind.name} '{name}'", place, f"first at {known.place}")
    elif context.name_is_sound(name, kind.name, place, FIXED_WORDS):
        program.individuals[kind.name, name] = made
    return made


def _give(context: Context, kind: Kind, individual: Individual, name: str, value: Datum, where: Entry | Place) -> None:
    """Set an attribute (or the holder) of an individual."""
    key_place, value_place = (where.place, where.node.place) if isinstance(where, Entry) else (where, where)
    individual.value_places[name] = value_place
    if name == "at" and kind.root == "piece":
        individual.at = value if isinstance(value, str) else None
        return
    attributes = context.program.attributes(kind.name)
    if name not in attributes:
        known = [*attributes, *(["at"] if kind.root == "piece" else [])]
        context.unknown("attribute", name, known, key_place)
        return
    individual.values[name] = value


def _datum(context: Context, entry: Entry) -> Datum:
    if isinstance(entry.node, Mapping):
        context.fault("wrong-shape", f"'{entry.name}' must be a value or a list, not a mapping", entry.node.place)
    return datum(entry.node)


def _figures(context: Context, section: str, individual: Individual, fields: Mapping) -> None:
    """The figures among the values of an individual that is written as a mapping."""
    exceptions = read_exceptions(context, fields)
    for name, value in individual.values.items():
        basis = exceptions.at(name)
        if is_figure(value):
            path = f"{section}/{individual.kind}/{individual.name}/{name}"
            place = individual.value_places[name]
            context.figures.append(Figure(path, value, basis.standing, basis.cites, basis.source, place))
    exceptions.close(context)


def _individuals_of_grid(context: Context, kind: Kind, fields: Mapping, source: SourceText) -> None:
    grid, faults = read_grid(source)
    context.faults.extend(faults)
    if grid is None:
        return
    columns = _columns(context, kind, grid)
    exceptions = read_exceptions(context, fields)
    for row in grid.rows:
        name = row.keys[0].text
        individual = _individual(context, kind, name, row.keys[0].place, cites(fields))
        for column, cell in _cells(columns, row):
            _give(context, kind, individual, column, cell.datum, cell.place)
            basis = exceptions.at(f"{name}/{column}", name, column)
            if is_figure(cell.datum):
                path = f"individuals/{kind.name}/{name}/{column}"
                figure = Figure(path, cell.datum, basis.standing, basis.cites, basis.source, cell.place)
                context.figures.append(figure)
    exceptions.close(context)


def _columns(context: Context, kind: Kind, grid: TextGrid) -> list[str | None]:
    """The attribute of each column; none for a column that is reported here and then passed over."""
    if [each.text for each in grid.labels] != ["id"]:
        hint = "the ids stand before the bar, the attributes after"
        context.fault("grid-header", "the first row must begin with 'id |'", grid.labels[0].place, hint)
    known = [*context.program.attributes(kind.name), *(["at"] if kind.root == "piece" else [])]
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


def _cells(columns: list[str | None], row: GridRow) -> Iterator[tuple[str, GridCell]]:
    for column, cell in zip(columns, row.cells, strict=True):
        if column is not None:
            yield column, cell


# ---------------------------------------------------------------- the counter-mix
def link_pieces(context: Context) -> None:
    """The `pieces`: counters in any number, which rule text can't name."""
    for entry in context.entries("pieces"):
        kind = _kind(context, entry, ("piece",))
        if kind is None:
            continue
        for node in entry.node if isinstance(entry.node, Sequence) else ():
            if isinstance(node, Mapping):
                for individual in read_counters(context, kind, node):
                    key = (kind.name, individual.name)
                    if (known := context.program.individuals.get(key)) is not None:
                        message = f"there are two of {kind.name} '{individual.name}'"
                        context.fault("duplicate-name", message, individual.place, f"first at {known.place}")
                    else:
                        context.program.individuals[key] = individual


def read_counters(context: Context, kind: Kind, fields: Mapping) -> list[Individual]:
    """The counters of one line of a counter-mix, without adding them to the program."""
    name, count = text_of(fields.get("id")), fields.get("count")
    place = fields.items["id"].place if "id" in fields else fields.place
    if not context.name_is_sound(name, kind.name, place):
        return []
    number = whole(count)
    if count is not None and (number is None or not 1 <= number <= _MOST_COUNTERS):
        context.fault("wrong-count", f"a count is a whole number from 1 to {_MOST_COUNTERS}", count.place)
        return []
    basis = read_basis(context, fields)
    path = f"pieces/{kind.name}/{name}"
    if number is not None and count is not None:
        figure = Figure(f"{path}/count", number, basis.standing, basis.cites, basis.source, count.place)
        context.figures.append(figure)
    names = [f"{name}_{each}" for each in range(1, number + 1)] if number is not None else [name]
    made = Individual(name=name, place=place, cites=cites(fields), kind=kind.name, named=False)
    for each in context.pairs(fields):
        if each.name not in _COUNTER_KEYS:
            _give(context, kind, made, each.name, _datum(context, each), each)
    _figures(context, "pieces", made, fields)
    return [_copy(made, each) for each in names]


def _copy(individual: Individual, name: str) -> Individual:
    return Individual(
        name=name,
        place=individual.place,
        cites=individual.cites,
        kind=individual.kind,
        values=dict(individual.values),
        at=individual.at,
        named=individual.named,
        value_places=individual.value_places,
    )


def check_holders(context: Context) -> None:
    """Every piece must start in something that it can stand in."""
    reported: set[Place] = set()
    for individual in context.program.individuals.values():
        if individual.at is None:
            continue
        place = individual.value_places.get("at", individual.place)
        if place not in reported and find_holder(context, individual.kind, individual.at, place) is None:
            reported.add(place)


def find_holder(context: Context, kind: str, name: str, place: Place) -> tuple[str, str] | None:
    """The holder of that name that a piece of the kind can stand in; a fault and none if there is not just one."""
    program = context.program
    wanted = program.holders(kind) or ("space", "piece")
    able = [each for each in program.kinds if any(program.is_a(each, holder) for holder in wanted)]
    found = [(each, name) for each in able if (each, name) in program.individuals]
    if len(found) == 1:
        return found[0]
    if found:
        context.fault("ambiguous-name", several(name, [each for each, _ in found]), place, "rename one of them")
    elif other := [each for each in program.kinds if (each, name) in program.individuals]:
        message = f"no {kind} can stand in the {other[0]} '{name}'"
        context.fault("wrong-holder", message, place, f"it stands in: {', '.join(wanted)}")
    else:
        context.unknown("holder", name, [each for of, each in program.individuals if of in able], place)
    return None
