"""Links the rules of a ruleset: everything that has parameters and rule text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TypedDict

from interpreter.language.diagnostics import Place
from interpreter.language.model.program import (
    Action,
    Definition,
    Item,
    Limit,
    Menu,
    Modifiers,
    Parameter,
    Pick,
    Procedure,
    Restrictions,
    Search,
    View,
)
from interpreter.language.parsing.build_expressions import RESERVED_WORDS
from interpreter.language.tree.statements import And, Body, Expr, TypeExpr
from interpreter.rules.documents.nodes import Mapping, Node, Sequence
from interpreter.rules.linking.around import layered_body, layered_definition, layered_procedure
from interpreter.rules.linking.attribute_values import literal_number
from interpreter.rules.linking.figure import Basis, Figure
from interpreter.rules.linking.figure_sources import read_basis
from interpreter.rules.linking.link_context import (
    CALLED_NAMES,
    Entry,
    LinkContext,
    cites,
    id_place,
    is_true,
    localized,
    named_items,
    text_of,
    texts,
    texts_by_language,
    words,
)

_CONDITION_PART = re.compile(r'"[^"]*"|#[^\n]*|\w+|\s+|.')
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


class _Head(TypedDict):
    """The fields that all rules have."""

    name: str
    place: Place
    cites: tuple[str, ...]
    takes: tuple[Parameter, ...]
    written: TypeExpr | None
    standing: str
    source: str | None


def _head(context: LinkContext, entry: Entry) -> _Head:
    fields = entry.fields
    basis = read_basis(context, fields)
    return _Head(
        name=entry.name,
        place=entry.place,
        cites=basis.cites,
        takes=context.parameters(fields.get("takes")),
        written=context.type(fields.get("gives")),
        standing=basis.standing,
        source=basis.source,
    )


def _rules(context: LinkContext, section: str, what: str) -> list[Entry]:
    """The entries of a section whose names can be called."""
    return [
        entry
        for entry in context.entries(section)
        if context.name_is_sound(entry.name, what, entry.place, CALLED_NAMES)
    ]


# ---------------------------------------------------------------- definitions
def link_definitions(context: LinkContext) -> None:
    """The `definitions`: functions, and computed attributes under the name of their kind."""
    for entry in context.entries("definitions"):
        subject, dot, name = entry.name.rpartition(".")
        if not dot:
            if context.name_is_sound(name, "definition", entry.place, CALLED_NAMES):
                _add_definition(context, entry, partial(read_definition, context, entry))
            continue
        known = [*context.program.kinds, *context.program.enums]
        if subject not in known:
            context.unknown("kind", subject, known, entry.place)
        elif context.name_is_sound(name, "computed attribute", entry.place):
            if (stored := context.program.attribute(subject, name)) is not None:
                message = f"'{name}' is a stored attribute of '{stored.owner}' and can't be computed too"
                context.twice(message, entry.place, stored.place)
            _add_definition(context, entry, partial(_computed, context, entry, subject))


def _computed(context: LinkContext, entry: Entry, subject: str) -> Definition:
    """A computed attribute without its layers."""
    made = read_definition(context, entry)
    made.subject = subject
    made.takes = (Parameter(name=subject, place=entry.place), *made.takes)
    return made


def _add_definition(context: LinkContext, entry: Entry, make: Callable[[], Definition]) -> None:
    """A definition with its layers."""
    made = layered_definition(context, entry, make) if "around" in entry.fields else [make()]
    context.program.definitions.update({each.name: each for each in made})


def read_definition(context: LinkContext, entry: Entry) -> Definition:
    """A definition out of `takes`, `gives` and either `is` or `do`."""
    head = _head(context, entry)
    value, body = _text_of(context, entry)
    return Definition(**head, value=value, body=body)


def _text_of(context: LinkContext, entry: Entry) -> tuple[Expr | None, Body]:
    """The text under `is` or `do`; reports an error unless there is exactly one."""
    fields = entry.fields
    if ("is" in fields) == ("do" in fields):
        said = "both 'is' and 'do'" if "is" in fields else "neither 'is' nor 'do'"
        hint = "'is' holds an expression, 'do' a block that returns one"
        context.fault("wrong-shape", f"'{entry.name}' has {said}", entry.place, hint)
    return context.expr(fields.get("is")), context.body(fields.get("do"))


# ---------------------------------------------------------------- items
def _items(context: LinkContext, node: Node | None, what: str) -> tuple[Item, ...]:
    return tuple(_item(context, name, fields) for name, fields in named_items(context, node, what))


def _item(context: LinkContext, name: str, fields: Mapping) -> Item:
    return Item(
        name=name,
        place=id_place(fields),
        cites=cites(fields),
        when=context.expr(fields.get("when")),
        unless=context.expr(fields.get("unless")),
        value=context.expr(fields.get("value")),
        says=localized(fields.get("says")),
        texts=texts_by_language(fields.get("says")),
        warns=is_true(fields.get("warns")),
    )


# ---------------------------------------------------------------- modifiers, restrictions, searches
def link_modifiers(context: LinkContext) -> None:
    """The `modifiers`, their items as figures where these are plain numbers."""
    for entry in _rules(context, "modifiers", "list of modifiers"):
        fields = entry.fields
        named = named_items(context, fields.get("each"), "modifier")
        items = tuple(_item(context, name, each) for name, each in named)
        general = read_basis(context, fields)
        for item, (_, each) in zip(items, named, strict=True):
            if "value" not in each:
                context.fault("missing-key", f"the modifier '{item.name}' has no 'value'", item.place, "add 'value:'")
            _modifier_figure(context, entry.name, item, read_basis(context, each, general), each)
        limits = _limits(context, fields.get("limits"), [each.name for each in items])
        context.program.modifiers[entry.name] = Modifiers(
            **_head(context, entry), items=items, limits=limits, whose=context.expr(fields.get("whose"))
        )


def _modifier_figure(context: LinkContext, name: str, item: Item, basis: Basis, fields: Mapping) -> None:
    number = literal_number(item.value)
    if number is not None:
        path = f"modifiers/{name}/each/{item.name}/value"
        place = fields.items["value"].place
        context.figures.append(Figure(path, number, basis.standing, basis.cites, basis.source, place))


def _limits(context: LinkContext, node: Node | None, known: list[str]) -> tuple[Limit, ...]:
    found = []
    for name, fields in named_items(context, node, "limit"):
        scopes = {}
        for key in ("on_each", "on_sum", "except"):
            for each in words(fields.get(key)):
                if each.text not in known:
                    context.unknown("modifier", each.text, known, each.place)
            scopes[key] = texts(fields.get(key))
        if sum(1 for each in scopes.values() if each) > 1:
            hint = "write a limit for each of them"
            context.fault("wrong-shape", f"the limit '{name}' says twice what it is on", id_place(fields), hint)
        if "least" not in fields and "most" not in fields:
            context.fault("missing-key", f"the limit '{name}' has neither 'least' nor 'most'", id_place(fields))
        found.append(
            Limit(
                name=name,
                place=id_place(fields),
                cites=cites(fields),
                when=context.expr(fields.get("when")),
                unless=context.expr(fields.get("unless")),
                least=context.expr(fields.get("least")),
                most=context.expr(fields.get("most")),
                on_each=scopes["on_each"],
                on_sum=scopes["on_sum"],
                except_=scopes["except"],
            )
        )
    return tuple(found)


def link_restrictions(context: LinkContext) -> None:
    """The `restrictions`: reasons against."""
    for entry in _rules(context, "restrictions", "list of restrictions"):
        items = _items(context, entry.fields.get("each"), "restriction")
        context.program.restrictions[entry.name] = Restrictions(**_head(context, entry), items=items)


def link_searches(context: LinkContext) -> None:
    """The `searches` over graphs of spaces."""
    program = context.program
    spaces = ["space", *(each.name for each in program.kinds.values() if each.root == "space")]
    for entry in _rules(context, "searches", "search"):
        fields = entry.fields
        over = text_of(fields.get("over"))
        if over not in spaces:
            place = fields.items["over"].place if "over" in fields else entry.place
            context.unknown("kind of space", over, spaces, place, "unknown-kind")
        program.searches[entry.name] = Search(
            **_head(context, entry),
            over=over,
            next=context.expr(fields.get("next")),
            cost=context.expr(fields.get("cost")),
            within=context.expr(fields.get("within")),
            bars=_items(context, fields.get("bars"), "bar"),
            stops=_items(context, fields.get("stops"), "stop"),
            here=Parameter(name="here", place=entry.place),
            there=Parameter(name="there", place=entry.place),
        )


# ---------------------------------------------------------------- procedures, menus, actions
def link_procedures(context: LinkContext) -> None:
    """The `procedures`: rules that change the state."""
    for entry in _rules(context, "procedures", "procedure"):
        if "around" not in entry.fields:
            context.program.procedures[entry.name] = _procedure(context, entry)
            continue
        for made in layered_procedure(context, entry, partial(_procedure, context, entry)):
            context.program.procedures[made.name] = made


def _procedure(context: LinkContext, entry: Entry) -> Procedure:
    """A procedure without its layers."""
    outcomes = {}
    for each in context.pairs(entry.fields.get("outcomes")):
        context.name_is_sound(each.name, "outcome", each.place)
        if (value := context.expr(each.node)) is not None:
            outcomes[each.name] = value
    body, needs = context.body(entry.fields.get("do")), _needs(context, entry.fields.get("when"))
    return Procedure(**_head(context, entry), body=body, needs=needs, outcomes=outcomes)


def link_menus(context: LinkContext) -> None:
    """The `menus`: places where a seat may act."""
    for entry in _rules(context, "menus", "menu"):
        prompt = text_of(entry.fields.get("prompt"))
        context.program.menus[entry.name] = Menu(
            **_head(context, entry), prompt=prompt, secret=is_true(entry.fields.get("secret"))
        )


def link_actions(context: LinkContext) -> None:
    """The `actions` of menus."""
    for entry in context.entries("actions"):
        if not context.name_is_sound(entry.name, "action", entry.place):
            continue
        fields = entry.fields
        menu = text_of(fields.get("menu"))
        if menu not in context.program.menus:
            place = fields.items["menu"].place if "menu" in fields else entry.place
            context.unknown("menu", menu, context.program.menus, place)
        context.program.actions[entry.name] = Action(
            name=entry.name,
            place=entry.place,
            cites=cites(fields),
            menu=menu,
            needs=_needs(context, fields.get("when")),
            picks=_picks(context, fields.get("pick")),
            secret=is_true(fields.get("secret")),
            body=layered_body(context, entry),
        )


def _needs(context: LinkContext, node: Node | None) -> tuple[Item, ...]:
    """The conditions of an action or a procedure, separate so that the failing one can be reported."""
    if isinstance(node, Sequence):
        return _items(context, node, "condition")
    condition = context.expr(node)
    if condition is None:
        return ()
    parts = condition.items if isinstance(condition, And) else (condition,)
    said = _conjuncts(text_of(node)) if len(parts) > 1 else [text_of(node)]
    if len(said) != len(parts):  # brackets around the whole
        said = [""] * len(parts)
    return tuple(
        Item(name=str(number), place=each.place, when=each, says=text)
        for number, (each, text) in enumerate(zip(parts, said, strict=True), 1)
    )


def _conjuncts(text: str) -> list[str]:
    """The texts between the `and`s of a condition, outside of brackets and quotes."""
    parts = [""]
    depth = 0
    for found in _CONDITION_PART.finditer(text):
        piece = found.group()
        depth += (piece in _OPENING) - (piece in _CLOSING)
        if piece == "and" and not depth:
            parts.append("")
        elif not piece.startswith("#"):
            parts[-1] += " " if piece.isspace() else piece
    return [each.strip() for each in parts]


def _picks(context: LinkContext, node: Node | None) -> tuple[Pick, ...]:
    found = []
    for each in context.pairs(node):
        context.name_is_sound(each.name, "pick", each.place, RESERVED_WORDS)
        of = each.node.get("of") if isinstance(each.node, Mapping) else each.node
        prompt = text_of(each.fields.get("prompt"))
        if of is None:
            context.fault("missing-key", f"the pick '{each.name}' has no 'of'", each.place, "add what is picked from")
            continue
        if (options := context.expr(of)) is not None:
            found.append(Pick(parameter=Parameter(name=each.name, place=each.place), of=options, prompt=prompt))
    return tuple(found)


# ---------------------------------------------------------------- views, opinions, invariants
_ALWAYS_SEEN = ("contents", "count")


def link_views(context: LinkContext) -> None:
    """The `views`: who sees what."""
    program = context.program
    for entry in context.entries("views"):
        fields = entry.fields
        context.name_is_sound(entry.name, "view", entry.place)
        kind = text_of(fields.get("of"))
        place = fields.items["of"].place if "of" in fields else entry.place
        if kind not in program.kinds:
            context.unknown("kind", kind, program.kinds, place)
            continue
        seen = [*program.attributes(kind), *_ALWAYS_SEEN]
        for each in words(fields.get("others_see")):
            if each.text not in seen and program.computed(kind, each.text) is None:
                context.no_attribute(kind, each.text, seen, each.place)
        program.views[entry.name] = View(
            name=entry.name,
            place=entry.place,
            cites=cites(fields),
            kind=kind,
            when=context.expr(fields.get("when")),
            seen_by=context.expr(fields.get("seen_by")),
            others_see=texts(fields.get("others_see")),
            subject=Parameter(name=kind, place=place),
        )


def link_evaluation(context: LinkContext) -> None:
    """The `evaluation`, a single definition."""
    for node in context.documents.nodes("evaluation"):
        context.program.evaluation = read_definition(context, Entry("evaluation", node.place, node))


def link_priors(context: LinkContext) -> None:
    """The `priors`, by the action, the named choice or the question that they are about."""
    for entry in context.entries("priors"):
        if isinstance(entry.node, Mapping):
            head = _head(context, entry)
            value, body = _text_of(context, entry)
            rule = Definition(**head, section="priors", value=value, body=body)
        else:
            value = context.expr(entry.node)
            rule = Definition(section="priors", name=entry.name, place=entry.place, value=value)
        context.program.priors[entry.name] = rule


def link_invariants(context: LinkContext) -> None:
    """The `invariants`: conditions that hold whenever a step ends."""
    for entry in context.entries("invariants"):
        if context.name_is_sound(entry.name, "invariant", entry.place):
            context.program.invariants[entry.name] = Definition(
                name=entry.name,
                place=entry.place,
                cites=cites(entry.fields),
                value=context.expr(entry.fields.get("is")),
            )
