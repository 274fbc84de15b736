"""Expressions whose evaluation may fault: they must not be reordered or skipped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from interpreter.language.checking.types.derived_attributes import DerivedAttribute
from interpreter.language.codegen.core.context import Emission, static_kind
from interpreter.language.model.program import Builtin, Constant, Definition, Modifiers, Program, Rule, Search, Table
from interpreter.language.model.rule_bodies import rule_texts
from interpreter.language.tree.statements import (
    Attr,
    Binary,
    Call,
    Each,
    Expr,
    IfElse,
    Index,
    IntLit,
    It,
    Name,
    Reach,
    SortedBy,
    SyntaxNode,
    Where,
)
from interpreter.language.tree.traversal import children
from interpreter.language.tree.types import BOOL, EnumType

_Seen = set[tuple[str, frozenset[int]]]


def may_fault(text: SyntaxNode, emission: Emission) -> bool:
    """Whether evaluating an expression outside of searches may fault."""
    return text_can_fail(text, frozenset(), emission)


def text_can_fail(text: SyntaxNode, ends: AbstractSet[int], emission: Emission) -> bool:
    """Whether evaluating an expression may fault.

    `ends` are the identities of the parameters that stand for neighbours between which there is a link.
    """
    return _can_fail(text, ends, emission, set())


def _can_fail(text: SyntaxNode, ends: AbstractSet[int], emission: Emission, seen: _Seen) -> bool:
    beside = _elements_beside(text, emission)
    for node in emission.program.nodes(text):
        match node:
            case Index(of=Name(ref=Table(axes=axes))) if all(
                isinstance(each.parameter.type, EnumType) or each.parameter.type == BOOL for each in axes
            ):
                continue
            case Binary(op="/" | "mod", right=IntLit(value=divisor)) if divisor:
                continue
            case Call(ref=Builtin(name="link")) if all(_ends_given(node.ordered, ends, beside)):
                continue
            case Reach():
                continue
            case Call(ref=Search() as search):
                if _search_can_fail(search, emission, seen):
                    return True
            case Index() | Binary(op="/" | "mod") | Call(ref=Builtin(name="link")):
                return True
            case Attr(ref=Rule() as rule) | Call(ref=Rule() as rule):
                given = node.ordered if isinstance(node, Call) else (node.of,)
                are_ends = zip(rule.takes, _ends_given(given, ends, beside), strict=True)
                if _rule_can_fail(rule, frozenset(id(take) for take, is_end in are_ends if is_end), emission, seen):
                    return True
    return False


def _rule_can_fail(rule: Rule, ends: frozenset[int], emission: Emission, seen: _Seen) -> bool:
    key = (rule.key, ends)
    if key in seen:
        return False
    if key not in emission.may_fault:
        seen.add(key)
        found = any(_can_fail(each, ends, emission, seen) for each in rule_texts(rule))
        if rule.key in emission.recursive:  # results during recursion may depend on the provisional value
            return found
        emission.may_fault[key] = found
    return emission.may_fault[key]


def _search_can_fail(search: Search, emission: Emission, seen: _Seen) -> bool:
    if search.cost is not None and not never_negative(search.cost, emission):
        return True
    linked = search.next is None and linked_everywhere(search.over, emission)
    ends = {id(search.here), id(search.there)} if linked else set()
    return _rule_can_fail(search, frozenset(ends), emission, seen)


def _ends_given(given: Iterable[Expr], ends: AbstractSet[int], beside: Mapping[int, int]) -> list[bool]:
    """Which arguments of a call are neighbours with a link between them."""
    arguments = list(given)
    if all(not isinstance(each, Name) or id(each.ref) not in ends for each in arguments):
        ends = {beside[id(each)] for each in arguments if id(each) in beside}
    return [(isinstance(each, Name) and id(each.ref) in ends) or beside.get(id(each)) in ends for each in arguments]


def _elements_beside(text: SyntaxNode, emission: Emission) -> dict[int, int]:
    """The mentions of `it` in filters of the neighbours of a named space, each with the identity of what is named."""
    found: dict[int, int] = {}
    for node in emission.program.nodes(text):
        if not isinstance(node, Where) or not isinstance(node.of, Attr) or not isinstance(node.of.of, Name):
            continue
        if not isinstance(node.of.ref, DerivedAttribute) or node.of.ref.how != "neighbours":
            continue
        if node.element is None and linked_everywhere(static_kind(node.of.type), emission):
            found |= {id(each): id(node.of.of.ref) for each in _own_elements(node.condition)}
    return found


def _own_elements(condition: Expr) -> Iterator[It]:
    """The mentions of `it` that mean the element of the filter itself, not of a collection inside its condition."""
    waiting: list[SyntaxNode] = [condition]
    while waiting:
        node = waiting.pop()
        if isinstance(node, It):
            yield node
        waiting += [node.of] if isinstance(node, Where | Each | SortedBy) else children(node)


def linked_everywhere(kind: str, emission: Emission) -> bool:
    """Whether any two neighbours of which one is a space of the kind have a link of any kind."""
    if kind not in emission.always_linked:
        emission.always_linked[kind] = _linked_everywhere(kind, emission.program)
    return emission.always_linked[kind]


def _linked_everywhere(kind: str, program: Program) -> bool:
    joined = [each.between for each in program.kinds.values() if each.between is not None]
    return kind in program.kinds and any(
        (between == "space" or program.is_a(kind, between))
        and all(
            program.is_a(one, between) == program.is_a(two, between)
            for one, two in (link.end_kinds for link in program.links if link.kind is None)
        )
        for between in joined
    )


def never_negative(cost: Expr, emission: Emission) -> bool:
    """Whether the text of a cost shows that it is not negative."""
    match cost:
        case IntLit():
            return True
        case IfElse(value=one, other=other):
            return never_negative(one, emission) and never_negative(other, emission)
        case Name(ref=Constant(value=inner)):
            return never_negative(inner, emission)
        case Index(of=Name(ref=Table(cells=cells))):
            return all(isinstance(each.value, int) and each.value >= 0 for each in cells.values())
        case Call(ref=Modifiers(items=items, limits=())):
            return all(each.value is not None and never_negative(each.value, emission) for each in items)
        case Attr(ref=Definition(value=Expr() as inner) as rule) | Call(ref=Definition(value=Expr() as inner) as rule):
            known = rule.key not in emission.recursive and not emission.is_overridden(rule)
            return known and never_negative(inner, emission)
    return False
