"""Links the `kinds` of a ruleset: enums, kinds with their attributes, and the individuals that they declare."""

from __future__ import annotations

from interpreter.language.diagnostics import with_article
from interpreter.language.model.kind_hierarchy import Attribute, Enum, Kind
from interpreter.language.model.program import Individual
from interpreter.language.parsing.build_expressions import FIXED_WORDS
from interpreter.language.parsing.parse import parse_attr
from interpreter.rules.documents.nodes import Mapping, Scalar
from interpreter.rules.linking.link_context import (
    CALLED_NAMES,
    ROOTS,
    TYPE_WORDS,
    Entry,
    LinkContext,
    cites,
    text_of,
    texts,
    words,
)
from interpreter.rules.linking.space_grids import link_grids, read_kind_grid

_DEEPEST = 20
"""The maximum number of ancestors of a kind."""
_BUILT_IN = {"piece": ("at",), "space": ("neighbours",)}


def link_kinds(context: LinkContext) -> None:
    """Links all kinds and enums, and checks them against each other."""
    entries = context.entries("kinds")
    parents = {entry.name: text_of(entry.fields.get("is")) for entry in entries}
    for entry in entries:
        if entry.name in TYPE_WORDS:
            message = f"'{entry.name}' is a word for types and can't be a kind"
            context.fault("reserved-name", message, entry.place, f"choose another, such as '{entry.name}_'")
        elif context.name_is_sound(entry.name, "kind", entry.place, CALLED_NAMES):
            _link_kind(context, entry, parents)
    for kind in context.program.kinds.values():
        _check_attributes(context, kind)
    for entry in entries:
        if (found := context.program.kinds.get(entry.name)) is not None:
            _check_places(context, found, entry.fields)


def _link_kind(context: LinkContext, entry: Entry, parents: dict[str, str]) -> None:
    fields, word = entry.fields, parents[entry.name]
    plural = text_of(fields.get("plural")) or entry.name + "s"
    if (node := fields.get("plural")) is not None:
        context.name_is_sound(plural, "plural", node.place, CALLED_NAMES)
    if word == "enum":
        members = _members(context, fields, "word")
        if not members:
            context.fault("empty-enum", f"the enum '{entry.name}' has no members", entry.place, "list its words")
        context.program.enums[entry.name] = Enum(
            name=entry.name, place=entry.place, cites=cites(fields), words=members, plural=plural
        )
        return
    root = _root(context, entry, parents)
    if root is None:
        context.broken.add(entry.name)
        return
    kind = Kind(
        name=entry.name,
        place=entry.place,
        cites=cites(fields),
        root=root,
        parent=None if word in ROOTS else word,
        plural=plural,
        attributes=_attributes(context, entry),
        holders=texts(fields.get("in")),
        between=text_of(fields.get("between")) or None,
        grid=read_kind_grid(context, fields.get("grid"), root),
        members=_members(context, fields, "seat") if root == "seat" else (),
    )
    if "members" in fields and root != "seat":
        hint = "list its things under 'individuals', or counters under 'pieces'"
        context.fault("misplaced", "only enums and seats have members", fields.key_place("members"), hint)
    context.program.kinds[entry.name] = kind


def _root(context: LinkContext, entry: Entry, parents: dict[str, str]) -> str | None:
    """The root word of a kind; reports an error and returns none if its ancestors lead to no root."""
    node = entry.fields.get("is")
    place = node.place if node is not None else entry.place
    seen = [entry.name]
    word = parents[entry.name]
    while word not in ROOTS:
        first = len(seen) == 1
        if word in seen:
            if word == entry.name == min(seen, key=[*parents].index):
                way = " is ".join([*seen, word])
                hint = f"one of them must be below something else: {', '.join(ROOTS)}"
                context.fault("kind-cycle", f"the kind '{entry.name}' is below itself: {way}", place, hint)
            return None
        if word not in parents:
            if first:
                known = [*ROOTS, "enum", *(each for each in parents if each != entry.name)]
                context.unknown("kind", word, known, place)
            return None
        if parents[word] == "enum":
            if first:
                hint = f"name another kind, or one of {', '.join(ROOTS)}"
                context.fault("not-a-parent", f"'{word}' is an enum, and no kind can be below it", place, hint)
            return None
        seen.append(word)
        word = parents[word]
        if len(seen) > _DEEPEST:
            if not context.counted["deep"]:
                context.fault("too-deep", f"more than {_DEEPEST} kinds are above '{entry.name}'", place, "flatten it")
            context.counted["deep"] += 1
            return None
    return word


def _members(context: LinkContext, fields: Mapping, what: str) -> tuple[str, ...]:
    found: dict[str, Scalar] = {}
    for each in words(fields.get("members")):
        if each.text in found:
            message = f"'{each.text}' is listed twice"
            context.fault(
                "duplicate-name", message, each.place, f"remove one; the first is at {found[each.text].place}"
            )
        elif context.name_is_sound(each.text, what, each.place, FIXED_WORDS):
            found[each.text] = each
    return tuple(found)


def _attributes(context: LinkContext, entry: Entry) -> dict[str, Attribute]:
    found = {}
    for each in context.pairs(entry.fields.get("has")):
        context.name_is_sound(each.name, "attribute", each.place)
        text = context.scalar(each.node, "an attribute")
        written = context.attempt(parse_attr, text.source) if text is not None else None
        found[each.name] = Attribute(name=each.name, owner=entry.name, place=each.place, written=written)
    return found


# ---------------------------------------------------------------- what kinds say of one another
def _check_attributes(context: LinkContext, kind: Kind) -> None:
    """Reports attributes that hide one of a parent, or a derived attribute."""
    built_in: tuple[str, ...] = _BUILT_IN.get(kind.root, ())
    lineage = context.program.lineage(kind.name)
    if any(each.grid is not None for each in lineage):
        built_in += ("row", "column")
    above_it = next((each for each in lineage[1:] if each.grid is not None), None)
    if kind.grid is not None and above_it is not None:
        message = f"{with_article(kind.name)} lies on the grid of '{above_it.name}' already"
        context.fault("duplicate-name", message, kind.place, "leave one of the two grids out")
    for attribute in kind.attributes.values():
        if attribute.name in built_in:
            message = f"every {kind.root} of this sort has '{attribute.name}' by itself"
            context.fault("reserved-name", message, attribute.place, "choose another name for the attribute")
        for above in context.program.lineage(kind.name)[1:]:
            if (first := above.attributes.get(attribute.name)) is not None:
                message = f"'{attribute.name}' is an attribute of '{above.name}' already"
                hint = f"leave it out here or rename it; the first is at {first.place}"
                context.fault("duplicate-name", message, attribute.place, hint)


def _check_places(context: LinkContext, kind: Kind, fields: Mapping) -> None:
    """`in` and `between` of a kind."""
    program = context.program
    if kind.holders and kind.root != "piece":
        hint = "leave 'in' out; it says where pieces stand"
        context.fault("misplaced", "only pieces stand in something", fields.key_place("in"), hint)
    for node in words(fields.get("in")):
        if node.text not in ("space", "piece") and node.text not in program.kinds:
            known = [each.name for each in program.kinds.values() if each.root in ("space", "piece")]
            context.unknown("kind", node.text, known, node.place)
        elif node.text in program.kinds and program.kinds[node.text].root not in ("space", "piece"):
            message = f"'{node.text}' is a {program.kinds[node.text].root}, and pieces stand in spaces or other pieces"
            context.fault("not-a-holder", message, node.place, "name a kind of space or piece")
    if kind.root == "piece" and not program.holders(kind.name) and not _has_sub_kinds(context, kind):
        hint = f"add 'in:' with the kinds of space or piece that can hold {with_article(kind.name)}"
        context.fault("no-holder", f"nothing says where a '{kind.name}' can stand", kind.place, hint)
    between = fields.get("between")
    if between is None:
        return
    if kind.root != "link":
        context.fault("misplaced", "only links run between spaces", fields.key_place("between"), "leave 'between' out")
        return
    spaces = [each.name for each in program.kinds.values() if each.root == "space"]
    if kind.between not in ("space", *spaces):
        context.unknown("kind of space", str(kind.between), spaces, between.place, "unknown-kind")


def _has_sub_kinds(context: LinkContext, kind: Kind) -> bool:
    return len(context.program.subkinds(kind.name)) > 1


# ---------------------------------------------------------------- individuals that kinds bring with them
def link_members(context: LinkContext) -> None:
    """The seats as individuals, then the spaces of grids that no document lists."""
    program = context.program
    for entry in context.entries("kinds"):
        places = {each.text: each.place for each in words(entry.fields.get("members"))}
        for name in program.kinds[entry.name].members if entry.name in program.kinds else ():
            program.individuals[entry.name, name] = Individual(name=name, place=places[name], kind=entry.name)
    link_grids(context)
