"""Links individuals and the counter-mix."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.language.diagnostics import Located, Place, did_you_mean, with_article
from interpreter.language.model.kind_hierarchy import Kind
from interpreter.language.model.program import Datum, Individual
from interpreter.language.parsing.build_expressions import FIXED_WORDS
from interpreter.language.parsing.source_map import SourceText
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.linking.figure_sources import read_exceptions, record_figure
from interpreter.rules.linking.grid_rows import LabelledRow, read_lines
from interpreter.rules.linking.link_context import (
    Entry,
    LinkContext,
    MethodText,
    cites,
    datum,
    localized,
    several,
    text_of,
    texts,
    texts_by_language,
    whole,
    words,
)
from interpreter.rules.linking.methods import declared_methods
from interpreter.rules.linking.space_grids import put_on_grid

_INDIVIDUAL_ROOTS = ("space", "thing", "seat", "piece")
_MOST_COUNTERS = 2000
_MOST_IN_ALL = 10_000
_BASIS_KEYS = frozenset({"cite", "standing", "source", "figures"})
_COUNTER_KEYS = _BASIS_KEYS | {"id", "count"}


# ---------------------------------------------------------------- individuals
def link_individuals(context: LinkContext) -> None:
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
                    if attribute.name in _BASIS_KEYS:
                        continue
                    if not _carries(context, kind, individual, attribute, each.fields):
                        value = _datum(context, individual, attribute)
                        _give(context, kind, individual, attribute.name, value, attribute)
                _figures(context, "individuals", individual, each.fields)
        else:
            for word in words(entry.node):
                _individual(context, kind, word.text, word.place, ())


def _kind(context: LinkContext, entry: Entry, roots: tuple[str, ...]) -> Kind | None:
    program = context.program
    kind = program.kinds.get(entry.name)
    if kind is None:
        context.unknown("kind", entry.name, [each.name for each in program.kinds.values()], entry.place)
    elif kind.root not in roots:
        wanted = ", ".join(f"{root}s" for root in roots)
        context.fault("misplaced", f"'{entry.name}' is a {kind.root}; only {wanted} can be here", entry.place)
        return None
    return kind


def _individual(context: LinkContext, kind: Kind, name: str, place: Place, cited: tuple[str, ...]) -> Individual:
    """A new individual, or the seat that its kind already declared."""
    program = context.program
    known = program.individuals.get((kind.name, name))
    if kind.members:
        if known is not None:
            known.place = place
            known.cites = cited
            return known
        members = [each for of, each in program.individuals if of == kind.name]
        context.unknown(kind.name, name, members, place, "unknown-individual")
        return Individual(name=name, place=place, kind=kind.name)
    made = Individual(name=name, place=place, cites=cited, kind=kind.name)
    if known is not None:
        context.twice(f"the {kind.name} '{name}' is given twice", place, known.place)
    elif context.name_is_sound(name, kind.name, place, FIXED_WORDS):
        program.individuals[kind.name, name] = made
        put_on_grid(context, kind, made)
    return made


def _give(context: LinkContext, kind: Kind, individual: Individual, name: str, value: Datum, where: Entry) -> None:
    """Set an attribute (or the holder) of an individual."""
    individual.value_places[name] = where.node
    if name == "at" and kind.root == "piece":
        individual.at = value if isinstance(value, str) else None
        return
    attributes = context.program.attributes(kind.name)
    if name not in attributes:
        context.no_attribute(kind.name, name, _known(context, kind), where.place)
        return
    individual.values[name] = value


def _carries(context: LinkContext, kind: Kind, individual: Individual, entry: Entry, around: Mapping) -> bool:
    """Whether an entry of an individual is the text of a method, which is noted with the basis of the individual."""
    if entry.name in context.program.methods(kind.name):  # the program is linked already: this is a scenario
        message = f"'{individual.name}' carries a text for '{entry.name}', but a scenario has no rule text"
        context.fault("misplaced", message, entry.place, "write it in the ruleset or in an overlay")
        return True
    if entry.name not in declared_methods(context, kind):
        return False
    figures = around.get("figures")
    own = figures.get(entry.name) if isinstance(figures, Mapping) else None  # the basis of this text alone
    basis = [own, around] if isinstance(own, Mapping) else [around]
    cited = cites(entry.fields) or (cites(own) if isinstance(own, Mapping) else ()) or individual.cites
    standing = text_of(own) if isinstance(own, Scalar) else _first(basis, "standing") or "stated"
    source = _first(basis, "source") or None
    text = MethodText(kind.name, individual.name, entry, cited, not individual.named, standing, source)
    context.method_texts.setdefault(individual.place, {})[entry.name] = text
    return True


def _first(around: list[Mapping], key: str) -> str:
    """Returns the words of the innermost mapping that has a key; empty if none has it."""
    return next((", ".join(texts(each.items[key])) for each in around if key in each), "")


def _datum(context: LinkContext, individual: Individual, entry: Entry) -> Datum:
    """The value of an attribute; of texts by language, which are noted, the English one."""
    if isinstance(entry.node, Mapping):
        if "en" in entry.node:
            individual.texts[entry.name] = dict(texts_by_language(entry.node))
            return localized(entry.node)
        message = f"'{entry.name}' must be a value or a list, not a mapping"
        context.fault("wrong-shape", message, entry.node.place, "texts by language need one in English: '{en: …}'")
    return datum(entry.node)


_Figures = dict[str, tuple[Datum, Located]]


def _figures(
    context: LinkContext, section: str, individual: Individual, fields: Mapping, figures: _Figures | None = None
) -> None:
    """The figures among the values of an individual that is written as a mapping, and others that it has."""
    exceptions = read_exceptions(context, fields)
    values = {name: (value, individual.value_places[name]) for name, value in individual.values.items()}
    for name, (value, place) in ((figures or {}) | values).items():
        path = f"{section}/{individual.kind}/{individual.name}/{name}"
        record_figure(context, path, value, exceptions.at(name), place, has_own_basis=name in exceptions.single)
    for name in context.method_texts.get(individual.place, ()):
        exceptions.at(name)
    exceptions.close(context)


def _individuals_of_grid(context: LinkContext, kind: Kind, fields: Mapping, source: SourceText) -> None:
    cited = cites(fields)
    for line in read_lines(context, fields, source, ("id",), _known(context, kind), f"individuals/{kind.name}"):
        key = line.keys[0]
        _fill(_individual(context, kind, key.text, key.place, cited), line)


def _known(context: LinkContext, kind: Kind) -> list[str]:
    """The keys that a thing of the kind can have."""
    return [*context.program.attributes(kind.name), *(["at"] if kind.root == "piece" else [])]


def _fill(individual: Individual, line: LabelledRow) -> None:
    """Sets the attributes of an individual from a line of a text grid."""
    for name, cell in line.cells.items():
        individual.value_places[name] = cell
        if name == "at":
            individual.at = cell.text if cell.datum is not None else None
        elif name != "count":
            individual.values[name] = cell.datum


# ---------------------------------------------------------------- the counter-mix
def link_pieces(context: LinkContext) -> None:
    """The `pieces`: counters in any number, which rule text cannot name."""
    for entry in context.entries("pieces"):
        kind = _kind(context, entry, ("piece",))
        for individual in read_counters(context, kind, entry.node) if kind is not None else ():
            key = (individual.kind, individual.name)
            if (known := context.program.individuals.get(key)) is not None:
                context.twice(
                    f"the {individual.kind} '{individual.name}' is given twice", individual.place, known.place
                )
            else:
                context.program.individuals[key] = individual


def read_counters(context: LinkContext, kind: Kind, node: Node) -> Iterator[Individual]:
    """The counters of one kind: a list, a text grid, or a list with text grids; does not change the program."""
    for each in node if isinstance(node, Sequence) else [node]:
        if isinstance(each, Mapping):
            grid = each.get("grid")
            yield from _counters_of_grid(context, kind, each, grid) if grid else _counters(context, kind, each)


def _counters(context: LinkContext, kind: Kind, fields: Mapping) -> list[Individual]:
    """The counters of one line of a list."""
    name, count = text_of(fields.get("id")), fields.get("count")
    place = fields.items["id"].place if "id" in fields else fields.place
    if not context.name_is_sound(name, kind.name, place):
        return []
    number = whole(count)
    if count is not None and not _count_is_sound(context, number, count.place):
        return []
    made = Individual(name=name, place=place, cites=cites(fields), kind=kind.name, named=False)
    for each in context.pairs(fields):
        if each.name not in _COUNTER_KEYS and not _carries(context, kind, made, each, fields):
            _give(context, kind, made, each.name, _datum(context, made, each), each)
    figures: _Figures = {} if number is None or count is None else {"count": (number, count.place)}
    _figures(context, "pieces", made, fields, figures)
    return _numbered(context, made, number)


def _counters_of_grid(context: LinkContext, kind: Kind, fields: Mapping, grid: Node) -> Iterator[Individual]:
    if not isinstance(grid, Scalar):
        return
    known, cited = [*_known(context, kind), "count"], cites(fields)
    for line in read_lines(context, fields, grid.source, ("id",), known, f"pieces/{kind.name}"):
        key = line.keys[0]
        if not context.name_is_sound(key.text, kind.name, key.place):
            continue
        made = Individual(name=key.text, place=key.place, cites=cited, kind=kind.name, named=False)
        _fill(made, line)
        count = line.cells.get("count")
        if count is None or _count_is_sound(context, count.datum, count.place):
            yield from _numbered(context, made, None if count is None else count.datum)


def _count_is_sound(context: LinkContext, number: Datum, place: Place) -> bool:
    if isinstance(number, int) and 1 <= number <= _MOST_COUNTERS:
        return True
    context.fault("wrong-count", f"a count is a whole number from 1 to {_MOST_COUNTERS}", place)
    return False


def _numbered(context: LinkContext, individual: Individual, number: Datum) -> list[Individual]:
    """The counters of one entry; their ids are numbered where a count is given."""
    if not context.has_room("counters", _MOST_IN_ALL, individual.place, number if isinstance(number, int) else 1):
        return []
    if not isinstance(number, int):
        return [individual]
    return [
        Individual(
            name=f"{individual.name}_{each}",
            place=individual.place,
            cites=individual.cites,
            kind=individual.kind,
            values=dict(individual.values),
            at=individual.at,
            named=individual.named,
            value_places=individual.value_places,
            texts=individual.texts,
        )
        for each in range(1, number + 1)
    ]


def check_holders(context: LinkContext) -> None:
    """Reports pieces that start in something that cannot hold them."""
    reported: set[Place] = set()
    for individual in context.program.individuals.values():
        if individual.at is None:
            continue
        place = individual.value_places.get("at", individual.place).place
        if place not in reported and find_holder(context, individual.kind, individual.at, place) is None:
            reported.add(place)


def find_holder(context: LinkContext, kind: str, name: str, place: Place) -> tuple[str, str] | None:
    """The holder with this name that can hold the piece; reports an error unless there is exactly one."""
    program = context.program
    wanted = program.holders(kind) or ("space", "piece")
    if kind not in context.holders:
        context.holders[kind] = [each for each in program.kinds if any(program.is_a(each, holder) for holder in wanted)]
    able = context.holders[kind]
    found = [(each, name) for each in able if (each, name) in program.individuals]
    if len(found) == 1:
        return found[0]
    if found:
        context.fault("ambiguous-name", several(name, [each for each, _ in found]), place, "rename one of them")
    elif other := [each for each in program.kinds if (each, name) in program.individuals]:
        message = f"no {kind} can stand in the {other[0]} '{name}'"
        hint = f"{with_article(kind)} is placed in {' or '.join(map(with_article, wanted))}"
        context.fault("wrong-holder", message, place, hint)
    else:
        message = f"there is no {' or '.join(wanted)} '{name}'"
        near = did_you_mean(name, [each for of, each in program.individuals if of in able])
        context.fault("unknown-holder", message, place, near or "write 'none' for what is off the map")
    return None
