"""Type narrowing: which paths a condition shows to be not none, or of a narrower kind."""

from __future__ import annotations

from interpreter.language.checking.context.rule_context import Facts, RuleContext
from interpreter.language.tree.statements import And, Attr, Compare, Expr, In, IsKind, Not, Or
from interpreter.language.tree.types import NONE, KindType, OptionalType, UnknownType, present


def narrowed_types(cx: RuleContext, node: Expr, holds: bool) -> Facts:
    """Returns the narrower types of paths where `node` is true (`holds`) or false; `node` must be typed already."""
    match node:
        case And(items=items) if holds:
            return _all(cx, items, True)
        case Or(items=items) if not holds:
            return _all(cx, items, False)
        case Not(value=value):
            return narrowed_types(cx, value, not holds)
        case IsKind(value=value, kind=kind, negated=negated) if holds != negated:
            path = cx.path(value)
            return {} if path is None else {**_not_none(cx, value), path: KindType(kind)}
        case In(value=value, negated=negated) if holds != negated:
            return _not_none(cx, value)
        case Compare(op="=" | "!=", left=left, right=right):
            return _compared(cx, left, right, holds == (node.op == "="))
    return {}


def is_shown_by_test(cx: RuleContext, node: Expr) -> bool:
    """Whether an earlier test has shown that `node` is not none; another test of it is no error."""
    path = cx.path(node)
    return path is not None and any(path == known or path.startswith(f"{known}.") for known in cx.scope.facts)


def _all(cx: RuleContext, items: tuple[Expr, ...], holds: bool) -> Facts:
    found: Facts = {}
    for item in items:
        found.update(narrowed_types(cx, item, holds))
    return found


def _compared(cx: RuleContext, left: Expr, right: Expr, equal: bool) -> Facts:
    if NONE in (left.type, right.type):
        other = left if right.type == NONE else right
        return {} if equal else _not_none(cx, other)
    found: Facts = {}
    for one, other in ((left, right), (right, left)):
        if equal and not isinstance(other.type, OptionalType | UnknownType):
            found.update(_not_none(cx, one))
    return found


def _not_none(cx: RuleContext, node: Expr) -> Facts:
    """Returns the facts that a path, and every thing along it, is not none."""
    found: Facts = {}
    while True:
        path = cx.path(node)
        if path is not None and isinstance(node.type, OptionalType):
            found[path] = present(node.type)
            if path.endswith(".at"):  # what is around a piece after a removal: see `statements.presence`
                around = path.removesuffix("at")
                found |= {each: present(kind) for each, kind in cx.scope.facts.items() if each.startswith(around)}
        if not isinstance(node, Attr) or node.spread:
            return found
        node = node.of
