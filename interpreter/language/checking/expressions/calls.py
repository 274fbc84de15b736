"""Infers the types of calls, of built-in functions, and of new things."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import permutations

from interpreter.language.checking.context.rule_context import Handler, RuleContext
from interpreter.language.checking.context.scope import BUILTINS, target_noun
from interpreter.language.checking.types.assignability import is_collection, is_number
from interpreter.language.checking.types.resolve_types import may_be_missing
from interpreter.language.diagnostics import did_you_mean, nearest, quoted, with_article
from interpreter.language.model.kind_hierarchy import Attribute
from interpreter.language.model.program import Builtin, Parameter
from interpreter.language.tree.statements import Call, Expr, New, Proceed, Reach
from interpreter.language.tree.types import (
    BOOL,
    INT,
    NUMBER,
    REASON,
    UNKNOWN,
    KindType,
    ListType,
    MapType,
    OptionalType,
    SetType,
    Type,
    UnknownType,
    element,
    optional,
    present,
)


# ---------------------------------------------------------------- rules of the ruleset
def _call(cx: RuleContext, node: Call, _: Type | None) -> Type:
    if node.is_method:
        return _method(cx, node)
    if node.name in BUILTINS:
        return _builtin(cx, node)
    rule = cx.environment.callable.get(node.name)
    if rule is None:
        return _unknown_call(cx, node)
    node.ref = rule
    arguments(cx, node, rule.takes)
    return cx.environment.gives(rule, node.place)


def _method(cx: RuleContext, node: Call) -> Type:
    """A call `thing.name(…)`: the text of the thing is found when it is run."""
    thing = cx.infer(node.arguments[0])
    program = cx.environment.program
    rule = program.method(thing.name, node.name) if isinstance(thing, KindType) else None
    if rule is not None:
        node.ref = rule
        arguments(cx, node, rule.takes)
        return cx.environment.gives(rule, node.place)
    for value in (*node.arguments[1:], *[value for _, value in node.named]):
        cx.infer(value)
    if isinstance(thing, UnknownType):
        return UNKNOWN
    inner = present(thing)
    if isinstance(thing, OptionalType) and isinstance(inner, KindType) and program.method(inner.name, node.name):
        hint = "test it first: 'if thing != none:'"
        return cx.error("wrong-type", f"'{node.name}' is called on a thing that may be none", node.place, hint)
    if isinstance(each := element(inner), KindType) and program.method(each.name, node.name):
        hint = f"call it for each: 'for each {each.name} in …: {each.name}.{node.name}(…)'"
        return cx.error("wrong-type", f"'{node.name}' is called on one thing, found {thing}", node.place, hint)
    known = program.methods(inner.name) if isinstance(inner, KindType) else {}
    message = f"{thing} has no method '{node.name}'"
    return cx.error("unknown-call", message, node.place, did_you_mean(node.name, known) or _METHOD_HINT)


_METHOD_HINT = "a kind declares its methods under 'procedures' or 'definitions'; a rule is called as 'rule(thing, …)'"


def _proceed(cx: RuleContext, node: Proceed, _: Type | None) -> Type:
    if cx.proceeds is None:
        for argument in (*node.arguments, *[value for _, value in node.named]):
            cx.infer(argument)
        hint = "'proceed' is allowed in an 'instead' of a rule's 'around', and runs the rule without that"
        return cx.error("proceed-outside", "there is no rule to proceed to here", node.place, hint)
    node.ref = cx.proceeds
    arguments(cx, node, cx.proceeds.takes)
    return cx.environment.gives(cx.proceeds, node.place)


def _unknown_call(cx: RuleContext, node: Call) -> Type:
    program = cx.environment.program
    for argument in (*node.arguments, *[value for _, value in node.named]):
        cx.infer(argument)
    message = f"there is no rule '{node.name}'"
    hint = did_you_mean(node.name, [*BUILTINS, *cx.environment.callable])
    sort = "menu" if node.name in program.menus else "search" if node.name in program.searches else "table"
    if sort != "table" or node.name in program.tables:
        message = f"'{node.name}' is a {sort} and can't be called"
        hint = _USE_HINTS[sort].format(node.name)
    elif cx.scope.it is not None and cx.environment.attributes.find(present(cx.scope.it), node.name) is not None:
        hint = f"'{node.name}' is an attribute: '.{node.name}'"
    elif meanings := cx.environment.names.meanings(node.name):
        message = f"'{node.name}' is {target_noun(meanings[0])} and can't be called"
        hint = f"write '{node.name}' without brackets after it"
    return cx.error("unknown-call", message, node.place, hint or "write it under 'definitions' or 'procedures'")


_USE_HINTS = {
    "menu": "a menu is offered: 'seat may take {}(…)'",
    "search": "a search is run: 'reach {}(…) from …'",
    "table": "a table is looked up: '{}[…]'",
}
"""How to use named things that look like rules but are not called."""


def arguments(cx: RuleContext, node: Call, takes: tuple[Parameter, ...]) -> None:
    """Sorts the arguments of a call into the order of the parameters and checks their types."""
    given: dict[str, Expr] = {}
    names = ", ".join([each.name for each in takes])
    requirement = f"'{node.name}' takes {len(takes)} value{'' if len(takes) == 1 else 's'}" + (
        f" ({names})" if takes else ""
    )
    for parameter, value in zip(takes, node.arguments, strict=False):
        given[parameter.name] = value
    spare = list(node.arguments[len(takes) :])
    for name, value in node.named:
        if name in given or all(each.name != name for each in takes):
            twice = name in given
            hint = None if twice else did_you_mean(name, [each.name for each in takes])
            message = f"argument '{name}' is given twice" if twice else f"'{node.name}' has no parameter '{name}'"
            cx.error("unknown-argument", message, node.name_place[name], hint)
            spare.append(value)
        else:
            given[name] = value
    missing = [each.name for each in takes if each.name not in given]
    if len(node.arguments) > len(takes) or (missing and len(spare) == 0):
        count = len(node.arguments) + len(node.named)
        hint = f"give {quoted(missing, ' and ')} too" if missing else "leave out the extra values"
        cx.error("wrong-arity", f"{requirement}, found {count}", node.place, hint)
    _must_fit(cx, node, takes, given)
    for value in spare:
        cx.infer(value)
    node.ordered = tuple([given[each.name] for each in takes if each.name in given])


def _must_fit(cx: RuleContext, node: Call | Proceed, takes: tuple[Parameter, ...], given: Mapping[str, Expr]) -> None:
    """Reports arguments that do not fit their parameters; arguments in the wrong order are one error."""
    fits = cx.environment.lattice.fits
    types = {each.name: cx.infer(given[each.name], each.type) for each in takes if each.name in given}
    wrong = [each for each in takes if each.name in types and not fits(types[each.name], each.type)]
    if len(wrong) == 2 and all(fits(types[one.name], other.type) for one, other in permutations(wrong)):
        order = ", ".join([each.name for each in takes])
        hint = f"it takes, in this order: {order}"
        cx.error("wrong-type", f"the arguments of '{node.name}' are in the wrong order", node.place, hint)
        return
    for each in wrong:
        cx.must_fit(types[each.name], each.type, given[each.name].place, f"'{each.name}' of '{node.name}'")


# ---------------------------------------------------------------- built-in functions
def _builtin(cx: RuleContext, node: Call) -> Type:
    node.ref = Builtin(name=node.name)
    node.ordered = node.arguments
    for name, value in node.named:
        cx.infer(value)
        cx.error("unknown-argument", f"'{node.name}' has no named arguments, found '{name}'", node.name_place[name])
    check, least, most = _BUILTINS[node.name]
    if node.named or not least <= len(node.arguments) <= most:
        for value in node.arguments:
            cx.infer(value)
        if node.named:
            return UNKNOWN
        wanted = "one collection, or two numbers or more" if most > 2 else f"{least} value{'' if least == 1 else 's'}"
        return cx.error("wrong-arity", f"'{node.name}' takes {wanted}, found {len(node.arguments)}", node.place)
    return check(cx, node)


def _count(cx: RuleContext, node: Call) -> Type:
    cx.collection(node.arguments[0])
    return INT


def _any(cx: RuleContext, node: Call) -> Type:
    cx.collection(node.arguments[0])
    return BOOL


def _all(cx: RuleContext, node: Call) -> Type:
    inner = cx.collection(node.arguments[0])
    if inner not in (BOOL, UNKNOWN):
        hint = "give a condition for each: 'all(… each …)'"
        cx.error("wrong-type", f"'all' expects yes-or-no values, found a collection of {inner}", node.place, hint)
    return BOOL


def _numbers(cx: RuleContext, node: Call) -> Type:
    inner = cx.collection(node.arguments[0])
    if is_number(inner):
        return inner
    hint = "give a number for each: '… each .steps'" if not is_collection(inner) else None
    return cx.error("wrong-type", f"'{node.name}' expects numbers, found a collection of {inner}", node.place, hint)


def _extreme(cx: RuleContext, node: Call) -> Type:
    if len(node.arguments) == 1:
        return optional(_numbers(cx, node))
    types = [cx.number(each) for each in node.arguments]
    return UNKNOWN if UNKNOWN in types else NUMBER if NUMBER in types else INT


def _first(cx: RuleContext, node: Call) -> Type:
    return optional(cx.collection(node.arguments[0]))


def _distinct(cx: RuleContext, node: Call) -> Type:
    inner = cx.collection(node.arguments[0])
    if is_collection(present(inner)):
        message = f"'distinct' expects single values, found a collection of {inner}"
        return cx.error("wrong-type", message, node.place)
    return SetType(inner)


def _spaces(cx: RuleContext, node: Call) -> list[Type]:
    return [cx.thing(each, "space") for each in node.arguments]


def _distance(cx: RuleContext, node: Call) -> Type:
    _spaces(cx, node)
    return INT


def _adjacent(cx: RuleContext, node: Call) -> Type:
    _spaces(cx, node)
    return BOOL


def _between(cx: RuleContext, node: Call) -> Type:
    return ListType(SetType(_spaces(cx, node)[0]))


def _link(cx: RuleContext, node: Call) -> Type:
    ends = [each for each in _spaces(cx, node) if isinstance(each, KindType)]
    program, lattice = cx.environment.program, cx.environment.lattice
    kinds = [
        each
        for each in program.kinds.values()
        if each.root == "link" and each.between is not None and _joins(lattice.is_a, each.between, ends)
    ]
    if len(kinds) == 1:
        return KindType(kinds[0].name)
    found = " and ".join([each.name for each in kinds]) or "none"
    ends_text = " and ".join([str(each) for each in ends])
    return cx.error(
        "unknown-link", f"'link' needs exactly one kind of link between {ends_text}, found {found}", node.place
    )


def _cuts(cx: RuleContext, node: Call) -> Type:
    """Where a search is cut on the way to a place, as steps, or what cuts it first."""
    search, goal = node.arguments
    found, wanted = cx.infer(search), cx.infer(goal)
    if not isinstance(search, Reach):
        hint = f"write '{node.name}(reach s(…) from x, goal)'"
        return cx.error("wrong-type", f"'{node.name}' expects a search, found {found}", search.place, hint)
    if not isinstance(found, MapType):
        return UNKNOWN
    goals = SetType(found.key) if is_collection(wanted) else found.key
    cx.must_fit(wanted, goals, goal.place, f"the goal of {search.search.name}")
    return MapType(found.key, found.key) if node.name == "cuts" else SetType(REASON)


def _joins(is_a: Callable[[str, str], bool], between: str, ends: list[KindType]) -> bool:
    return all(is_a(end.name, between) or is_a(between, end.name) for end in ends)


_BUILTINS: dict[str, tuple[Callable[[RuleContext, Call], Type], int, int]] = {
    "count": (_count, 1, 1),
    "any": (_any, 1, 1),
    "all": (_all, 1, 1),
    "sum": (_numbers, 1, 1),
    "min": (_extreme, 1, 99),
    "max": (_extreme, 1, 99),
    "first": (_first, 1, 1),
    "distinct": (_distinct, 1, 1),
    "distance": (_distance, 2, 2),
    "adjacent": (_adjacent, 2, 2),
    "between": (_between, 2, 2),
    "link": (_link, 2, 2),
    "cuts": (_cuts, 2, 2),
    "cut_by": (_cuts, 2, 2),
}


# ---------------------------------------------------------------- new things
def _new(cx: RuleContext, node: New, _: Type | None) -> Type:
    kind = cx.environment.program.kinds.get(node.kind)
    if kind is None or kind.root not in ("record", "piece"):
        for _name, value in node.fields:
            cx.infer(value)
        if kind is not None:
            hint = "only pieces and records can be created during play"
            return cx.error("wrong-type", f"a {kind.root} can't be created: '{node.kind}'", node.place, hint)
        known = [each.name for each in cx.environment.program.kinds.values() if each.root in ("record", "piece")]
        near = did_you_mean(node.kind, known)
        return cx.error("unknown-kind", f"there is no kind '{node.kind}'", node.kind_place, near)
    attributes = cx.environment.program.attributes(node.kind)
    copied = _copied(cx, node)
    for name, value in node.fields:
        _field(cx, node, name, value, attributes)
    seen = {name for name, _ in node.fields}
    seen |= {close for name in seen - {*attributes, "at"} if (close := nearest(name, attributes)) is not None}
    for name, attribute in attributes.items():
        if name not in seen and name not in copied and not may_be_missing(attribute):
            hint = f"write '{name}: …', or give the attribute a default"
            cx.error("missing-value", f"a new {node.kind} needs '{name}' ({attribute.type})", node.place, hint)
    return KindType(node.kind)


def _copied(cx: RuleContext, node: New) -> Mapping[str, Attribute]:
    """Returns the attributes that `like` copies."""
    if node.like is None:
        return {}
    given = cx.infer(node.like)
    if isinstance(given, UnknownType):
        return cx.environment.program.attributes(node.kind)
    if not isinstance(given, KindType) or not cx.environment.lattice.overlap(given.name, node.kind):
        hint = cx.environment.lattice.advice(given, KindType(node.kind))
        cx.error("wrong-type", f"like: expected {node.kind}, found {given}", node.like.place, hint)
        return cx.environment.program.attributes(node.kind)
    return cx.environment.program.attributes(given.name)


def _field(cx: RuleContext, node: New, name: str, value: Expr, attributes: Mapping[str, Attribute]) -> None:
    if name in attributes:
        cx.expect(value, attributes[name].type, f"'{name}' of a new {node.kind}")
    elif name == "at" and cx.environment.program.kinds[node.kind].root == "piece":
        where = cx.thing(value, "space", "piece")
        check_holder(cx, KindType(node.kind), where, value)
    else:
        cx.infer(value)
        known = [*attributes, "at"] if cx.environment.program.kinds[node.kind].root == "piece" else list(attributes)
        hint = did_you_mean(name, known)
        cx.error("unknown-attribute", f"{node.kind} has no attribute '{name}' to give", node.name_place[name], hint)


def check_holder(cx: RuleContext, piece: Type, where: Type, node: Expr) -> None:
    """Reports a piece put into a holder that its kind does not allow."""
    if not isinstance(piece, KindType) or not isinstance(where, KindType):
        return
    if not cx.environment.attributes.can_hold(where.name, piece.name):
        holders = cx.environment.program.holders(piece.name)
        hint = f"it can be in {' or '.join(holders)}" if holders else "its kind declares no 'in:'"
        cx.error("cannot-stand", f"{with_article(piece)} can't be in {with_article(where)}", node.place, hint)


def element_or_self(kind: Type) -> Type:
    """Returns the element type of a collection, or the type itself, where one thing or several are allowed."""
    return element(kind) or kind


HANDLERS: dict[type[Expr], Handler] = {Call: _call, Proceed: _proceed, New: _new}
