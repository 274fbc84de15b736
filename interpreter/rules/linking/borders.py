"""Links the `links` of a ruleset: which spaces are adjacent, and what their borders are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.language.diagnostics import Place, with_article
from interpreter.language.model.program import LinkDeclaration
from interpreter.rules.documents.nodes import Mapping, Scalar, Sequence, describe
from interpreter.rules.documents.text_grids import GridCell
from interpreter.rules.linking.figure import Basis
from interpreter.rules.linking.figure_sources import read_exceptions, record_figure
from interpreter.rules.linking.grid_rows import read_lines
from interpreter.rules.linking.link_context import Entry, LinkContext, cites, datum, is_true, several, text_of, words
from interpreter.rules.linking.space_grids import adjoin_on_grid

_Pair = frozenset[tuple[str, str]]


@dataclass(slots=True)
class _Borders:
    """All spaces by name with the kinds that have one of that name, and the links so far."""

    spaces: dict[str, list[str]]
    known: dict[_Pair, LinkDeclaration]


def link_links(context: LinkContext) -> None:
    """The `links`: pairs of adjacent spaces, and the attributes of their borders."""
    borders = _Borders({}, {})
    for kind, name in context.program.individuals:
        if context.program.kinds[kind].root == "space":
            borders.spaces.setdefault(name, []).append(kind)
    for entry in context.entries("links"):
        _link_entry(context, entry, borders)


def _pair(link: LinkDeclaration) -> _Pair:
    return frozenset(zip(link.end_kinds, link.ends, strict=True))


def _link_entry(context: LinkContext, entry: Entry, borders: _Borders) -> None:
    fields = entry.fields
    kind = _link_kind(context, fields)
    of = _space_kind(context, fields, kind)
    cuts = _cuts(context, fields)
    mine: dict[_Pair, Place] = {}
    for link in _links(context, entry, kind, of, borders.spaces):
        pair = _pair(link)
        if pair in mine:
            _again(context, f"{' and '.join(link.ends)} are linked twice here", link.place, mine[pair])
        elif cuts:
            _cut(context, link, borders)
        elif pair in borders.known:
            _merge(context, borders.known[pair], link)
        elif kind is None and adjoin_on_grid(context.program, link):
            hint = "leave the pair out; give the links a 'kind' to say what lies on such borders"
            message = f"{' and '.join(link.ends)} adjoin on their grid already"
            context.fault("duplicate-link", message, link.place, hint)
        else:
            borders.known[pair] = link
            context.program.links.append(link)
        mine.setdefault(pair, link.place)


def _again(context: LinkContext, message: str, place: Place, first: Place) -> None:
    """Reports a border that is declared twice, with the place of the first declaration."""
    context.fault("duplicate-link", message, place, f"leave one of the two out; the first is at {first}")


def _cuts(context: LinkContext, fields: Mapping) -> bool:
    """Whether an entry separates neighbours on a grid instead of connecting spaces."""
    if not is_true(fields.get("cuts")):
        return False
    if (has := fields.get("has")) is not None:
        context.fault("misplaced", "a border that is cut carries nothing", has.place, "leave 'has' out")
    return True


def _cut(context: LinkContext, link: LinkDeclaration, borders: _Borders) -> None:
    ends = " and ".join(link.ends)
    known = borders.known.get(_pair(link))
    link.cuts = True
    if known is not None:
        said = "cut" if known.cuts else "linked"
        _again(context, f"{ends} are {said} already", link.place, known.place)
    elif not adjoin_on_grid(context.program, link):
        hint = "only neighbours on one grid can be parted"
        context.fault("no-border", f"{ends} don't adjoin: there is nothing to cut", link.place, hint)
    else:
        borders.known[_pair(link)] = link
        context.program.links.append(link)


# ---------------------------------------------------------------- the two ways to write them
def _links(
    context: LinkContext, entry: Entry, kind: str | None, of: str, spaces: dict[str, list[str]]
) -> Iterator[LinkDeclaration]:
    """The links of an entry, as pairs with values in common or as the lines of a text grid."""
    fields = entry.fields
    between, grid = fields.get("between"), fields.get("grid")
    values = _link_values(context, fields, kind)
    if isinstance(grid, Scalar):
        yield from _lines(context, entry, grid, values, kind, of, spaces)
        return
    exceptions = read_exceptions(context, fields)
    resting: dict[Basis, int] = {}
    for node in between if isinstance(between, Sequence) else ():
        ends = words(node)
        if not isinstance(node, Sequence) or len(ends) != 2:
            context.fault("wrong-shape", f"a link is a pair of spaces [a, b], not {describe(node)}", node.place)
            continue
        basis = exceptions.at(f"{ends[0].text}-{ends[1].text}", f"{ends[1].text}-{ends[0].text}")
        resting[basis] = resting.get(basis, 0) + 1
        if (link := _one_link(context, entry, (ends[0], ends[1]), node.place, kind, of, spaces)) is not None:
            link.values = {name: datum(each.node) for name, each in values.items()}
            link.value_places = {name: each.node for name, each in values.items()}
            yield link
    exceptions.close(context)
    _count(context, entry, resting)


def _count(context: LinkContext, entry: Entry, resting: dict[Basis, int]) -> None:
    """Records the number of links as figures of the ruleset: one for each basis of links in the entry."""
    for basis, number in resting.items():
        record_figure(context, f"links/{entry.name}", number, basis, entry)


def _lines(
    context: LinkContext,
    entry: Entry,
    grid: Scalar,
    common: dict[str, Entry],
    kind: str | None,
    of: str,
    spaces: dict[str, list[str]],
) -> Iterator[LinkDeclaration]:
    """The links of a text grid."""
    known = context.program.attributes(kind) if kind is not None else {}
    resting: dict[Basis, int] = {}
    for line in read_lines(context, entry.fields, grid.source, ("from", "to"), known, f"links/{entry.name}"):
        one, two = line.keys
        resting[line.basis] = resting.get(line.basis, 0) + 1
        link = _one_link(context, entry, (one, two), one.place, kind, of, spaces)
        if link is None:
            continue
        link.values = {name: datum(each.node) for name, each in common.items()}
        link.value_places = {name: each.node for name, each in common.items()}
        link.values |= {name: cell.datum for name, cell in line.cells.items()}
        link.value_places |= line.cells
        yield link
    _count(context, entry, resting)


def _merge(context: LinkContext, known: LinkDeclaration, link: LinkDeclaration) -> None:
    """Merges the entries of one border: one may have a river, another a road."""
    ends = " and ".join(link.ends)
    if link.kind is None:
        if known.kind is None:
            _again(context, f"{ends} are linked already", link.place, known.place)
        return
    if known.cuts:
        _again(context, f"{ends} are cut already", link.place, known.place)
        return
    if known.kind not in (None, link.kind):
        message = f"the link of {ends} is {with_article(known.kind)} already and can't be {with_article(link.kind)} too"
        _again(context, message, link.place, known.place)
        return
    known.kind = link.kind
    known.cites += tuple(each for each in link.cites if each not in known.cites)
    for name, value in link.values.items():
        if name in known.values:
            message = f"'{name}' of the link of {ends} is given already"
            _again(context, message, link.place, known.value_places[name].place)
        else:
            known.values[name] = value
            known.value_places[name] = link.value_places[name]


def _link_kind(context: LinkContext, fields: Mapping) -> str | None:
    node = fields.get("kind")
    if node is None:
        if (has := fields.get("has")) is not None:
            hint = "add 'kind:' with the link kind whose attributes these are"
            context.fault("no-link-kind", "links without a 'kind' have no attributes", has.place, hint)
        return None
    name = text_of(node)
    kinds = [each.name for each in context.program.kinds.values() if each.root == "link"]
    if name not in kinds:
        context.unknown("link kind", name, kinds, node.place)
        return None
    return name


def _space_kind(context: LinkContext, fields: Mapping, kind: str | None) -> str:
    """The kind of both ends."""
    program = context.program
    if (node := fields.get("of")) is not None:
        name = text_of(node)
        if name in program.kinds and program.kinds[name].root == "space":
            return name
        spaces = [each.name for each in program.kinds.values() if each.root == "space"]
        context.unknown("kind of space", name, spaces, node.place, "unknown-kind")
    if kind is not None:
        return next((each.between for each in program.lineage(kind) if each.between), "space")
    return "space"


def _link_values(context: LinkContext, fields: Mapping, kind: str | None) -> dict[str, Entry]:
    if kind is None:
        return {}
    attributes = context.program.attributes(kind)
    found = {}
    for each in context.pairs(fields.get("has")):
        if each.name in attributes:
            found[each.name] = each
        else:
            context.no_attribute(kind, each.name, attributes, each.place)
    return found


def _one_link(
    context: LinkContext,
    entry: Entry,
    ends: tuple[Scalar | GridCell, Scalar | GridCell],
    place: Place,
    kind: str | None,
    of: str,
    spaces: dict[str, list[str]],
) -> LinkDeclaration | None:
    kinds = []
    for end in ends:
        found = [each for each in spaces.get(end.text, ()) if context.program.is_a(each, of)]
        if len(found) != 1:
            _no_such_end(context, end, found, of, spaces)
            return None
        kinds.append(found[0])
    names = (ends[0].text, ends[1].text)
    if names[0] == names[1] and kinds[0] == kinds[1]:
        hint = "name another space, or leave the pair out"
        context.fault("self-link", f"'{names[0]}' can't be linked to itself", place, hint)
        return None
    cited = cites(entry.fields)
    return LinkDeclaration(
        name=entry.name, place=place, cites=cited, kind=kind, ends=names, end_kinds=(kinds[0], kinds[1])
    )


def _no_such_end(
    context: LinkContext, end: Scalar | GridCell, found: list[str], of: str, spaces: dict[str, list[str]]
) -> None:
    if found:
        context.fault("ambiguous-name", several(end.text, found), end.place, "add 'of:' with the kind of space meant")
        return
    fitting = [name for name, kinds in spaces.items() if any(context.program.is_a(each, of) for each in kinds)]
    context.unknown(of, end.text, fitting, end.place, "unknown-individual")
