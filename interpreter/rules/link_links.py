"""Links the `links` of a ruleset: which spaces adjoin, and what lies on their borders."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.language.program import Link
from interpreter.rules.link_context import Context, Entry, cites, datum, several, text_of, words
from interpreter.rules.nodes import Mapping, Node, Scalar, Sequence, described
from interpreter.rules.standings import Figure, read_basis

_Pair = frozenset[tuple[str, str]]


@dataclass(slots=True)
class _Borders:
    """All spaces by name with the kinds that have one of that name, and the links so far."""

    spaces: dict[str, list[str]]
    known: dict[_Pair, Link]


def link_links(context: Context) -> None:
    """The `links`: pairs of spaces that adjoin, and what lies on their borders."""
    borders = _Borders({}, {_pair(each): each for each in context.program.links})
    for kind, name in context.program.individuals:
        if context.program.kinds[kind].root == "space":
            borders.spaces.setdefault(name, []).append(kind)
    for entry in context.entries("links"):
        _link_entry(context, entry, borders)


def _pair(link: Link) -> _Pair:
    return frozenset(zip(link.end_kinds, link.ends, strict=True))


def _link_entry(context: Context, entry: Entry, borders: _Borders) -> None:
    fields = entry.fields
    kind = _link_kind(context, fields)
    of = _space_kind(context, fields, kind)
    values = _link_values(context, fields, kind)
    between = fields.get("between")
    pairs = list(between) if isinstance(between, Sequence) else []
    mine: set[_Pair] = set()
    for node in pairs:
        link = _one_link(context, entry, node, kind, of, borders.spaces)
        if link is None:
            continue
        link.values = {name: datum(each.node) for name, each in values.items()}
        link.value_places = {name: each.node.place for name, each in values.items()}
        pair = _pair(link)
        if pair in mine:
            context.fault("duplicate-link", f"{' and '.join(link.ends)} are linked twice here", link.place)
        elif pair in borders.known:
            _merge(context, borders.known[pair], link)
        else:
            borders.known[pair] = link
            context.program.links.append(link)
        mine.add(pair)
    basis = read_basis(context, fields)
    figure = Figure(f"links/{entry.name}", len(pairs), basis.standing, basis.cites, basis.source, entry.place)
    context.figures.append(figure)


def _merge(context: Context, known: Link, link: Link) -> None:
    """Two entries may tell different things of one border: a river here, a road there."""
    ends = " and ".join(link.ends)
    if link.kind is None:
        if known.kind is None:
            context.fault("duplicate-link", f"{ends} are linked already", link.place, f"first at {known.place}")
        return
    if known.kind not in (None, link.kind):
        message = f"the link of {ends} is a {known.kind} already and can't be a {link.kind} too"
        context.fault("duplicate-link", message, link.place, f"first at {known.place}")
        return
    known.kind = link.kind
    known.cites += tuple(each for each in link.cites if each not in known.cites)
    for name, value in link.values.items():
        if name in known.values:
            message = f"'{name}' of the link of {ends} is given already"
            context.fault("duplicate-link", message, link.place, f"first at {known.value_places[name]}")
        else:
            known.values[name] = value
            known.value_places[name] = link.value_places[name]


def _link_kind(context: Context, fields: Mapping) -> str | None:
    node = fields.get("kind")
    if node is None:
        if (has := fields.get("has")) is not None:
            hint = "add 'kind:' with the link kind whose attributes these are"
            context.fault("no-link-kind", "a plain border has no attributes", has.place, hint)
        return None
    name = text_of(node)
    kinds = [each.name for each in context.program.kinds.values() if each.root == "link"]
    if name not in kinds:
        context.unknown("link kind", name, kinds, node.place)
        return None
    return name


def _space_kind(context: Context, fields: Mapping, kind: str | None) -> str:
    """The kind that both ends must be of."""
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


def _link_values(context: Context, fields: Mapping, kind: str | None) -> dict[str, Entry]:
    if kind is None:
        return {}
    attributes = context.program.attributes(kind)
    found = {}
    for each in context.pairs(fields.get("has")):
        if each.name in attributes:
            found[each.name] = each
        else:
            context.unknown("attribute", each.name, attributes, each.place)
    return found


def _one_link(
    context: Context, entry: Entry, node: Node, kind: str | None, of: str, spaces: dict[str, list[str]]
) -> Link | None:
    ends = words(node)
    if not isinstance(node, Sequence) or len(ends) != 2:
        context.fault("wrong-shape", f"a link is a pair of spaces [a, b], not {described(node)}", node.place)
        return None
    kinds = []
    for end in ends:
        found = [each for each in spaces.get(end.text, ()) if context.program.is_a(each, of)]
        if len(found) != 1:
            _no_such_end(context, end, found, of, spaces)
            return None
        kinds.append(found[0])
    names = (ends[0].text, ends[1].text)
    if names[0] == names[1] and kinds[0] == kinds[1]:
        context.fault("self-link", f"'{names[0]}' can't be linked to itself", node.place)
        return None
    fields = entry.fields
    return Link(
        name=entry.name, place=node.place, cites=cites(fields), kind=kind, ends=names, end_kinds=(kinds[0], kinds[1])
    )


def _no_such_end(context: Context, end: Scalar, found: list[str], of: str, spaces: dict[str, list[str]]) -> None:
    if found:
        context.fault("ambiguous-name", several(end.text, found), end.place, "add 'of:' with the kind of space meant")
        return
    fitting = [name for name, kinds in spaces.items() if any(context.program.is_a(each, of) for each in kinds)]
    context.unknown(of, end.text, fitting, end.place, "unknown-individual")
