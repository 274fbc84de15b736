"""Resolves words and individuals that belong to several kinds by the type that is expected of them."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.language.checking.context.rule_context import RuleContext
from interpreter.language.checking.context.scope import target_type
from interpreter.language.diagnostics import Place
from interpreter.language.model.kind_hierarchy import WordDeclaration
from interpreter.language.model.program import Individual
from interpreter.language.tree.statements import Expr, IfElse, ListLit, Name, Otherwise, SetLit
from interpreter.language.tree.types import NONE, VOID, OptionalType, SetType, Type, element, present


def is_ambiguous(cx: RuleContext, node: Expr) -> bool:
    """Whether the type of an expression depends on the type expected of it."""
    match node:
        case Name():
            return len(_meanings(cx, node)) > 1
        case SetLit(items=items) | ListLit(items=items) | Otherwise(items=items):
            return any(is_ambiguous(cx, each) for each in items)
        case IfElse(value=value, other=other):
            return is_ambiguous(cx, value) or is_ambiguous(cx, other)
    return False


def _meanings(cx: RuleContext, node: Expr) -> set[Type]:
    """Returns the types that the ambiguous names in an expression can all have."""
    match node:
        case Name(name=name) if name not in cx.scope.locals:
            found = cx.environment.names.meanings(name)
            return {target_type(each) for each in found if isinstance(each, Individual | WordDeclaration)}
        case SetLit(items=items) | ListLit(items=items) | Otherwise(items=items):
            return common_meaning(cx, items)
        case IfElse(value=value, other=other):
            return common_meaning(cx, (value, other))
    return set()


def common_meaning(cx: RuleContext, items: Sequence[Expr]) -> set[Type]:
    """Returns the types that all names among these expressions share."""
    sets = [each for each in [_meanings(cx, item) for item in items] if each]
    return set.intersection(*sets) if sets else set()


def hint_for(cx: RuleContext, items: Sequence[Expr], expected: Type | None) -> Type | None:
    """Returns the type to expect of expressions of one type: the expected type, or the only one they share."""
    if expected is not None:
        return expected
    common = common_meaning(cx, items)
    return next(iter(common)) if len(common) == 1 else None


def infer_alike(cx: RuleContext, items: Sequence[Expr], expected: Type | None) -> list[Type]:
    """Returns the types of expressions that must have one type; unambiguous ones resolve the ambiguous ones."""
    settled: dict[int, Type] = {}
    hint = hint_for(cx, items, expected) if all(is_ambiguous(cx, each) for each in items) else expected
    for item in sorted(items, key=lambda each: is_ambiguous(cx, each)):
        given = cx.infer(item, hint)
        settled[id(item)] = given
        if hint is None and given != NONE:
            hint = given
    return [settled[id(each)] for each in items]


def type_of_items(cx: RuleContext, items: Sequence[Expr], expected: Type | None, place: Place) -> Type | None:
    """Returns the element type of a set or list literal, without none; none for an empty one."""
    wanted = element(present(expected)) if expected is not None else None
    if not items:
        return None
    inner: Type | None = None
    for item, given in zip(items, infer_alike(cx, items, wanted), strict=True):
        if given == VOID:
            cx.error("wrong-type", "expected a value, found nothing: the procedure gives none", item.place)
        one = present(given)
        both = one if inner in (None, NONE) or inner is None else cx.environment.lattice.join(inner, one)
        if both is None:
            return cx.error("mixed-types", f"a collection holds one type, found {inner} and {one}", place)
        inner = present(both) if isinstance(both, OptionalType) else both
    return inner


def expected_set(kind: Type) -> Type:
    """Returns the type expected of a collection of such elements."""
    return SetType(present(kind))
