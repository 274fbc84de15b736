"""Checks `set`: what can be set, and to which type."""

from __future__ import annotations

from interpreter.language.checking.context.rule_context import WHOLE, RuleContext
from interpreter.language.checking.context.scope import target_noun
from interpreter.language.checking.expressions.names import attribute_type
from interpreter.language.checking.expressions.operators import binary_type
from interpreter.language.diagnostics import did_you_mean
from interpreter.language.model.kind_hierarchy import Attribute
from interpreter.language.model.program import Definition, Parameter, StateValue
from interpreter.language.tree.statements import Attr, Binary, Expr, Name, Set
from interpreter.language.tree.types import (
    EMPTY,
    INT,
    NONE,
    NUMBER,
    UNKNOWN,
    VOID,
    ListType,
    OptionalType,
    SetType,
    Type,
    UnknownType,
    element,
    present,
)


def set_statement(cx: RuleContext, node: Set) -> bool:
    """Checks `set` and returns false: control continues after it."""
    wanted = _target(cx, node.target)
    cx.decision_name = node.target.name if isinstance(node.target, Name | Attr) else "result"
    if node.op:
        given = _changed(cx, node, wanted)
    else:
        given = cx.infer(node.value, wanted, WHOLE)
        if given == VOID:
            given = cx.error("wrong-type", "expected a value, found nothing", node.value.place)
    wanted = refine(cx, node.target, wanted, given)
    name = node.target.name if isinstance(node.target, Name | Attr) else ""
    cx.must_fit(given, wanted, node.value.place, name)
    _remember(cx, node.target, wanted, given)
    return False


def _changed(cx: RuleContext, node: Set, wanted: Type) -> Type:
    """Returns the type of the value after `+=` or `-=`."""
    if isinstance(node.target, Attr) and node.target.spread and element(wanted) is not None:
        cx.infer(node.value)
        advice = "loop over them with 'for each'"
        return cx.error(
            "not-settable", f"'{node.op}=' can't change the collections of several things at once", node.place, advice
        )
    collection = wanted if element(wanted) is not None else None
    right = cx.infer(node.value, collection, WHOLE)
    known = cx.narrowed(node.target, wanted)
    sum_of = Binary(node.place, op=node.op, left=node.target, right=node.value)
    return binary_type(cx, sum_of, known, right)


def _remember(cx: RuleContext, target: Expr, wanted: Type, given: Type) -> None:
    """Narrows the type of a path after it is set."""
    path = cx.path(target)
    if path is None:
        return
    cx.scope.forget(path)
    if isinstance(wanted, OptionalType) and not isinstance(given, OptionalType | UnknownType) and given != NONE:
        cx.scope.facts[path] = present(wanted)


def _target(cx: RuleContext, node: Expr) -> Type:
    """Returns the declared type of what is set."""
    match node:
        case Name():
            node.type = _name_target(cx, node)
        case Attr():
            node.type = _attr_target(cx, node)
        case _:
            cx.infer(node)
            hint = "only names and attributes can be set"
            node.type = cx.error("not-settable", "this can't be set", node.place, hint)
    return node.type


def _name_target(cx: RuleContext, node: Name) -> Type:
    local = cx.scope.locals.get(node.name)
    if local is not None:
        node.ref = local
        if id(local) not in cx.settable:
            hint = f"take a copy first: 'let {node.name}_now = {node.name}'"
            return cx.error("not-settable", f"'{node.name}' is bound here and can't be set", node.place, hint)
        return local.type
    meanings = cx.environment.names.meanings(node.name)
    match meanings:
        case []:
            near = did_you_mean(node.name, [*cx.scope.locals, *cx.environment.program.state])
            near = near or f"a new local begins with 'let {node.name} = …'"
            return cx.error("unknown-name", f"nothing is called '{node.name}' here", node.place, near)
        case [StateValue(attribute=attribute) as value]:
            node.ref = value
            return attribute.type
    message = f"'{node.name}' is {target_noun(meanings[0])} and can't be set"
    return cx.error("not-settable", message, node.place, "state values, locals and attributes can be set")


def _attr_target(cx: RuleContext, node: Attr) -> Type:
    base = cx.infer(node.of)
    if isinstance(base, OptionalType):
        hint = "test it with '!= none' before"
        return cx.error("wrong-type", f"expected a thing to set '{node.name}' of, found {base}", node.of.place, hint)
    kind = attribute_type(cx, node, base)
    if node.spread and isinstance(element(base), OptionalType):
        hint = "leave those out with 'where it != none'"
        message = f"expected things to set '{node.name}' of, found {base}: some may be none"
        return cx.error("wrong-type", message, node.of.place, hint)
    match node.ref:
        case Attribute(type=declared):
            return declared
        case Definition():
            hint = "set what it is computed from"
            return cx.error("not-settable", f"'{node.name}' is computed, so it can't be set", node.place, hint)
        case None:
            return kind if isinstance(kind, UnknownType) else UNKNOWN
    hint = "use 'move … to …' to move pieces"
    return cx.error("not-settable", f"'{node.name}' is derived from where things are", node.place, hint)


def refine(cx: RuleContext, target: Expr, wanted: Type, given: Type) -> Type:
    """Widens the type of a local that began as `none`, `{}` or a whole number, and returns it."""
    if not isinstance(target, Name) or not isinstance(target.ref, Parameter):
        return wanted
    origin = cx.origins.get(id(target.ref))
    better = _better(cx, target.ref, wanted, given)
    if origin is None or better is None or better == wanted:
        return wanted
    cx.widened[origin] = better
    cx.reread = True
    target.ref.type = better
    return better


def _better(cx: RuleContext, local: Parameter, wanted: Type, given: Type) -> Type | None:
    if isinstance(given, UnknownType):
        return None
    if wanted == EMPTY:
        inner = element(given)
        if inner is None or inner == NONE:
            return None
        return ListType(inner) if id(local) in cx.lists or isinstance(given, ListType) else SetType(inner)
    if wanted == NONE:
        return cx.environment.lattice.join(wanted, given)
    if wanted == INT and given == NUMBER:
        return NUMBER
    return None
