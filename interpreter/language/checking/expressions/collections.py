"""Infers the types of filters, maps and orders of collections, of `reach` and of `after`."""

from __future__ import annotations

from interpreter.language.checking.context.rule_context import Handler, RuleContext
from interpreter.language.checking.expressions.calls import arguments
from interpreter.language.checking.expressions.narrowing import narrowed_types
from interpreter.language.checking.types.assignability import is_number
from interpreter.language.diagnostics import did_you_mean
from interpreter.language.model.program import Procedure
from interpreter.language.tree.statements import After, Each, Expr, Reach, SortedBy, Where
from interpreter.language.tree.types import (
    INT,
    NONE,
    UNKNOWN,
    VOID,
    EnumType,
    KindType,
    ListType,
    MapType,
    SetType,
    Type,
)


def elements_of(kind: Type) -> Type:
    """Returns the type of `it` for a collection; unknown for an empty collection."""
    return UNKNOWN if kind == NONE else kind


def _where(cx: RuleContext, node: Where, expected: Type | None) -> Type:
    inner = elements_of(cx.collection(node.of, expected))
    with cx.elements(inner, node.element, node.place) as path:
        cx.condition(node.condition)
        inner = narrowed_types(cx, node.condition, True).get(path, inner)
    return ListType(inner) if isinstance(node.of.type, ListType) else SetType(inner)


def _each(cx: RuleContext, node: Each, _: Type | None) -> Type:
    inner = elements_of(cx.collection(node.of))
    with cx.elements(inner, node.element, node.place):
        value = cx.infer(node.value)
    if value == VOID:
        hint = "loop over them with 'for each'"
        return cx.error("wrong-type", "expected a value for each, found nothing", node.value.place, hint)
    return ListType(value)


def _sorted_by(cx: RuleContext, node: SortedBy, expected: Type | None) -> Type:
    inner = elements_of(cx.collection(node.of, expected))
    with cx.elements(inner, node.element, node.place):
        key = cx.infer(node.key)
    if not (is_number(key) or isinstance(key, EnumType | KindType)):
        hint = cx.environment.lattice.advice(key, INT)
        cx.error("wrong-type", f"expected a number to sort by, found {key}", node.key.place, hint)
    return ListType(inner)


def _reach(cx: RuleContext, node: Reach, _: Type | None) -> Type:
    call = node.search
    search = cx.environment.program.searches.get(call.name)
    start = cx.thing(node.start, "space")
    if search is None:
        hint = did_you_mean(call.name, cx.environment.program.searches)
        return cx.error("unknown-search", f"there is no search '{call.name}'", call.place, hint)
    call.ref = search
    arguments(cx, call, search.takes)
    over = KindType(search.over)
    call.type = MapType(over, INT)
    cx.must_fit(start, over, node.start.place, f"the start of {search.name}")
    return call.type


def _after(cx: RuleContext, node: After, expected: Type | None) -> Type:
    cx.infer(node.call)
    if not isinstance(node.call.ref, Procedure) and node.call.ref is not None:
        hint = "only a procedure changes anything"
        cx.error("after-idle", f"'{node.call.name}' changes nothing, so 'after' has no effect", node.call.place, hint)
    return cx.infer(node.value, expected)


HANDLERS: dict[type[Expr], Handler] = {Where: _where, Each: _each, SortedBy: _sorted_by, Reach: _reach, After: _after}
