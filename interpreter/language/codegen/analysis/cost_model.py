"""A cost model of rules: whether memoizing the result of a rule is likely to be faster than computing it again."""

from __future__ import annotations

from interpreter.language.checking.types.derived_attributes import DerivedAttribute
from interpreter.language.codegen.analysis.indexes import looked_up
from interpreter.language.codegen.core.context import Emission
from interpreter.language.model.kind_hierarchy import Kind
from interpreter.language.model.program import Rule, Search
from interpreter.language.model.rule_bodies import rule_texts
from interpreter.language.tree.statements import (
    Attr,
    Call,
    Each,
    Expr,
    ForEach,
    Name,
    Reach,
    Repeat,
    SortedBy,
    SyntaxNode,
    Where,
    While,
)
from interpreter.language.tree.traversal import children

MIN_COST_TO_MEMOIZE = 120
"""Rules of this cost or more are memoized. A lower limit makes small games slower, a higher one large games."""
_LOOK_UP = 5
_SEARCH = 500
_LOOP = 4
_HELD, _ADJACENT, _ALL = 3, 6, 30
"""Estimated numbers of things: in one holder, adjacent to a space, and in all."""
_MAX_COST = 10_000


def is_worth_memoizing(rule: Rule, emission: Emission) -> bool:
    """Whether a rule costs enough to be memoized."""
    return cost_of(rule, emission) >= MIN_COST_TO_MEMOIZE


def cost_of(rule: Rule, emission: Emission) -> int:
    """The estimated cost of a rule with everything it calls; a memoized rule that is called counts as a look-up."""
    if rule.key not in emission.costs:
        emission.costs[rule.key] = MIN_COST_TO_MEMOIZE  # the value during recursion
        own = _SEARCH if isinstance(rule, Search) else sum([_cost(each, emission) for each in rule_texts(rule)])
        emission.costs[rule.key] = min(own, _MAX_COST)
    return emission.costs[rule.key]


def _cost(node: SyntaxNode, emission: Emission) -> int:
    match node:
        case Where(condition=inner) if looked_up(node, emission.changed):
            return _LOOP + _ADJACENT * _cost(inner, emission)
        case Where(of=of, condition=inner) | Each(of=of, value=inner) | SortedBy(of=of, key=inner):
            return _LOOP + _cost(of, emission) + _length(of) * _cost(inner, emission)
        case ForEach(of=of):
            return _LOOP + _cost(of, emission) + _length(of) * sum([_cost(each, emission) for each in node.body])
        case While() | Repeat():
            return _LOOP + _ADJACENT * sum([_cost(each, emission) for each in children(node)])
        case Reach():
            return _SEARCH
    own = 1 + sum([_cost(each, emission) for each in children(node)])
    if isinstance(node, Call | Attr):
        if isinstance(node.ref, Rule):
            called = cost_of(node.ref, emission)
            own += called if called < MIN_COST_TO_MEMOIZE else _LOOK_UP
        elif isinstance(node.ref, DerivedAttribute) and node.ref.how == "down":
            own += _HELD
    return own


def _length(of: Expr) -> int:
    match of:
        case Name(ref=Kind()):
            return _ALL
        case Attr(ref=DerivedAttribute(how="neighbours")):
            return _ADJACENT
        case Where(of=inner) | Each(of=inner) | SortedBy(of=inner) | Attr(of=inner, spread=True):
            return _length(inner)
    return _HELD
