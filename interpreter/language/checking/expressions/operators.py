"""Infers the types of arithmetic, comparisons and conditions."""

from __future__ import annotations

from interpreter.language.checking.context.rule_context import AGREE, Handler, RuleContext
from interpreter.language.checking.expressions.ambiguous_names import expected_set, hint_for, infer_alike, is_ambiguous
from interpreter.language.checking.expressions.narrowing import is_shown_by_test, narrowed_types
from interpreter.language.checking.types.assignability import is_collection, is_number
from interpreter.language.diagnostics import MAX_LISTED, did_you_mean
from interpreter.language.tree.statements import (
    And,
    Binary,
    Compare,
    Expr,
    IfElse,
    In,
    IsKind,
    Neg,
    Not,
    Or,
    Otherwise,
    Rounded,
)
from interpreter.language.tree.types import (
    BOOL,
    INT,
    NONE,
    NUMBER,
    TEXT,
    UNKNOWN,
    VOID,
    EnumType,
    KindType,
    ListType,
    OptionalType,
    SetType,
    Type,
    UnknownType,
    element,
    optional,
    present,
)


# ---------------------------------------------------------------- arithmetic and union
def _neg(cx: RuleContext, node: Neg, _: Type | None) -> Type:
    return cx.number(node.value)


def _rounded(cx: RuleContext, node: Rounded, _: Type | None) -> Type:
    cx.number(node.value)
    if node.at is not None:
        cx.number(node.at)
    return INT


def _binary(cx: RuleContext, node: Binary, expected: Type | None) -> Type:
    wanted = expected if expected is not None and is_collection(expected) else None
    left, right = infer_alike(cx, (node.left, node.right), wanted)
    return binary_type(cx, node, left, right)


def binary_type(cx: RuleContext, node: Binary, left: Type, right: Type) -> Type:
    """Returns the type of a sum, difference, product, quotient or remainder of such values."""
    if node.op in ("+", "-") and (is_collection(left) or is_collection(right)):
        return _joined(cx, node, left, right)
    if is_number(left) and is_number(right):
        if UNKNOWN in (left, right):
            return UNKNOWN
        if node.op == "mod" and not left == right == INT:
            message = f"expected two whole numbers for 'mod', found {left} and {right}"
            return cx.error("wrong-type", message, node.place, cx.advice(NUMBER, INT))
        return INT if left == right == INT and node.op != "/" else NUMBER
    hint = _number_advice(cx, left if not is_number(left) else right)
    return cx.error("wrong-type", f"expected two numbers for '{node.op}', found {left} and {right}", node.place, hint)


def _number_advice(cx: RuleContext, given: Type) -> str | None:
    if given == TEXT:
        return 'put texts together with braces: "{one} {two}"'
    return cx.advice(given, INT)


def _joined(cx: RuleContext, node: Binary, left: Type, right: Type) -> Type:
    if UNKNOWN in (left, right):
        return UNKNOWN
    lattice = cx.environment.lattice
    one, other = _inner(left), _inner(right)
    if node.op == "-":
        if not is_collection(left):
            return cx.error("wrong-type", f"expected a collection to take from, found {left}", node.left.place)
        if not lattice.comparable(one, other):
            return cx.error("mixed-types", f"{left} never contains {other}", node.place)
        return ListType(one) if isinstance(left, ListType) else SetType(one)
    both = other if one == NONE else one if other == NONE else lattice.join(one, other)
    if both is None:
        return cx.error("mixed-types", f"{left} and {right} can't be joined", node.place)
    return ListType(both) if isinstance(left, ListType) or isinstance(right, ListType) else SetType(both)


def _inner(kind: Type) -> Type:
    inner = element(kind)
    return present(kind) if inner is None else inner


# ---------------------------------------------------------------- conditions
def _not(cx: RuleContext, node: Not, _: Type | None) -> Type:
    cx.expect(node.value, BOOL, allowed=min(cx.allowed, AGREE))
    return BOOL


def _chain(cx: RuleContext, items: tuple[Expr, ...], holds: bool) -> Type:
    allowed = min(cx.allowed, AGREE)
    with cx.inner() as scope:
        for item in items:
            cx.expect(item, BOOL, allowed=allowed)
            scope.facts.update(narrowed_types(cx, item, holds))
    return BOOL


def _and(cx: RuleContext, node: And, _: Type | None) -> Type:
    return _chain(cx, node.items, True)


def _or(cx: RuleContext, node: Or, _: Type | None) -> Type:
    return _chain(cx, node.items, False)


def _compare(cx: RuleContext, node: Compare, _: Type | None) -> Type:
    left, right = infer_alike(cx, (node.left, node.right), None)
    if node.op in ("=", "!="):
        _equality(cx, node, left, right)
    elif UNKNOWN not in (left, right) and not _ordered(left, right):
        odd = left if not is_number(left) else right
        message = f"expected two numbers for '{node.op}', found {left} and {right}"
        cx.error("wrong-type", message, node.place, cx.advice(odd, INT))
    return BOOL


def _ordered(left: Type, right: Type) -> bool:
    """Whether values can be ordered: numbers, or words of one enum in their declared order."""
    return (is_number(left) and is_number(right)) or (isinstance(left, EnumType) and left == right)


def _equality(cx: RuleContext, node: Compare, left: Type, right: Type) -> None:
    if NONE in (left, right):
        other, there = (left, node.left) if right == NONE else (right, node.right)
        may_lack = isinstance(other, OptionalType | UnknownType) or other == NONE
        if not may_lack and not is_shown_by_test(cx, there):
            advice = f"leave the test out, or declare it as '{other}?'"
            advice = "test a collection with 'any(…)'" if is_collection(other) else advice
            cx.error("never-none", f"{other} is never none", there.place, advice)
    elif VOID in (left, right) or not cx.environment.lattice.comparable(left, right):
        hint = _equality_advice(cx, left, right)
        cx.error("never-equal", f"{left} and {right} are never equal", node.place, hint)
    elif _holds_collections(left) and _holds_collections(right):
        message = f"collections of collections, such as {left}, can't be compared"
        cx.error("wrong-type", message, node.place, "compare their elements")


def _holds_collections(kind: Type) -> bool:
    inner = element(present(kind))
    return inner is not None and is_collection(present(inner))


def _equality_advice(cx: RuleContext, left: Type, right: Type) -> str | None:
    for one, other in ((left, right), (right, left)):
        inner = element(one)
        if inner is not None and cx.environment.lattice.comparable(inner, other):
            return "use 'in' to test whether a collection contains it"
    for one, other in ((left, right), (right, left)):
        if len(names := cx.environment.attributes.giving(present(one), present(other))) == 1:
            return f"did you mean the '{names[0]}' of the {one}?"
    return _values_of(cx, left) or _values_of(cx, right)


def _values_of(cx: RuleContext, kind: Type) -> str | None:
    """Returns a hint that lists the values of a type, if they are few."""
    program, kind = cx.environment.program, present(kind)
    values: list[str] = []
    if isinstance(kind, EnumType) and kind.name in program.enums:
        values = list(program.enums[kind.name].words)
    elif isinstance(kind, KindType) and cx.environment.lattice.root(kind.name) == "seat":
        values = [name for of, name in program.individuals if cx.environment.lattice.is_a(of, kind.name)]
    return f"{kind} is one of {', '.join(values)}" if 0 < len(values) <= MAX_LISTED else None


def _in(cx: RuleContext, node: In, _: Type | None) -> Type:
    if is_ambiguous(cx, node.value):
        inner = cx.collection(node.of)
        given = cx.infer(node.value, inner)
    else:
        given = cx.infer(node.value)
        inner = cx.collection(node.of, None if given == NONE else expected_set(given))
    if given == NONE:
        cx.error("never-in", "none is never in a collection", node.value.place, "compare with '= none'")
    elif not cx.environment.lattice.comparable(given, inner):
        hint = cx.advice(given, inner) or _values_of(cx, inner) or "leave the test out"
        cx.error("never-in", f"{given} is never in a collection of {inner}", node.place, hint)
    elif is_collection(present(given)):
        hint = "write 'any(… as each where each = …)'"
        cx.error("wrong-type", f"expected a single value to look for, found {given}", node.value.place, hint)
    return BOOL


def _is_kind(cx: RuleContext, node: IsKind, _: Type | None) -> Type:
    given = present(cx.infer(node.value))
    lattice, program = cx.environment.lattice, cx.environment.program
    if node.kind not in program.kinds:
        hint = did_you_mean(node.kind, program.kinds)
        if node.kind in cx.environment.names.words or node.kind in program.enums:
            hint = "'is' tests the kind of a thing; compare words with '='"
        cx.error("unknown-kind", f"there is no kind '{node.kind}'", node.kind_place, hint)
    elif isinstance(given, UnknownType):
        return BOOL
    elif not isinstance(given, KindType):
        cx.error("wrong-type", f"expected a thing to test with 'is', found {given}", node.value.place)
    elif not lattice.overlap(given.name, node.kind):
        cx.error("never-is", f"{given} is never {node.kind}", node.place, "leave the test out")
    return BOOL


# ---------------------------------------------------------------- choices between values
def _if_else(cx: RuleContext, node: IfElse, expected: Type | None) -> Type:
    cx.condition(node.condition)
    one_facts, other_facts = narrowed_types(cx, node.condition, True), narrowed_types(cx, node.condition, False)

    def value(hint: Type | None) -> Type:
        with cx.inner(one_facts):
            return cx.infer(node.value, hint)

    def other(hint: Type | None) -> Type:
        with cx.inner(other_facts):
            return cx.infer(node.other, hint)

    if expected is None and is_ambiguous(cx, node.value) and not is_ambiguous(cx, node.other):
        right = other(None)
        left = value(right)
    else:
        left = value(expected or _shared(cx, node))
        right = other(expected or left)
    return _either(cx, node, left, right)


def _shared(cx: RuleContext, node: IfElse) -> Type | None:
    return hint_for(cx, (node.value, node.other), None) if is_ambiguous(cx, node.value) else None


def _either(cx: RuleContext, node: Expr, left: Type, right: Type) -> Type:
    both = cx.environment.lattice.join(left, right)
    if both is None or VOID in (left, right):
        return cx.error("mixed-types", f"the two sides differ: {left} and {right}", node.place)
    return both


def _otherwise(cx: RuleContext, node: Otherwise, expected: Type | None) -> Type:
    types = infer_alike(cx, node.items, expected)
    for kind, item in zip(types[:-1], node.items, strict=False):
        may_lack = isinstance(kind, OptionalType | UnknownType) or kind == NONE or is_collection(kind)
        if not may_lack and not is_shown_by_test(cx, item):
            message = f"{kind} is never none, so what follows 'otherwise' is never used"
            hint = "leave 'otherwise' out"
            if cx.scope.it is not None:
                hint += "; for a value in place of a whole collection, put that in brackets: '(… where …) otherwise …'"
            return cx.error("idle-otherwise", message, item.place, hint)
    result = present(types[0])
    for kind in types[1:]:
        result = present(_either(cx, node, result, present(kind)))
    return optional(result) if isinstance(types[-1], OptionalType) or types[-1] == NONE else result


HANDLERS: dict[type[Expr], Handler] = {
    Neg: _neg,
    Rounded: _rounded,
    Binary: _binary,
    Not: _not,
    And: _and,
    Or: _or,
    Compare: _compare,
    In: _in,
    IsKind: _is_kind,
    IfElse: _if_else,
    Otherwise: _otherwise,
}
