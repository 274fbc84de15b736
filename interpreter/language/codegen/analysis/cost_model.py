"""How much work a rule is, roughly: whether its answers are worth keeping rather than working them out again."""

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

WORTH_KEEPING = 120
"""From this weight on answers are kept. With a lower one small games get slower, with a higher one large ones."""
_LOOK_UP = 5
_SEARCH = 500
_LOOP = 4
_FEW, _AROUND, _MANY = 3, 6, 30
"""How many things stand in one place, adjoin one, or are there in all."""
_MOST = 10_000


def worth_keeping(rule: Rule, emission: Emission) -> bool:
    """Whether working out a rule's answer anew takes longer, as a rule, than keeping it."""
    return cost_of(rule, emission) >= WORTH_KEEPING


def cost_of(rule: Rule, emission: Emission) -> int:
    """The weight of a rule's text with all that it calls; what is kept of these counts as looked up."""
    if rule.path not in emission.weights:
        emission.weights[rule.path] = WORTH_KEEPING  # what it is taken for where it comes to call itself
        own = _SEARCH if isinstance(rule, Search) else sum([_weight(each, emission) for each in rule_texts(rule)])
        emission.weights[rule.path] = min(own, _MOST)
    return emission.weights[rule.path]


def _weight(node: SyntaxNode, emission: Emission) -> int:
    match node:
        case Where(condition=inner) if looked_up(node, emission.changed):
            return _LOOP + _AROUND * _weight(inner, emission)
        case Where(of=of, condition=inner) | Each(of=of, value=inner) | SortedBy(of=of, key=inner):
            return _LOOP + _weight(of, emission) + _length(of) * _weight(inner, emission)
        case ForEach(of=of):
            return _LOOP + _weight(of, emission) + _length(of) * sum([_weight(each, emission) for each in node.body])
        case While() | Repeat():
            return _LOOP + _AROUND * sum([_weight(each, emission) for each in children(node)])
        case Reach():
            return _SEARCH
    own = 1 + sum([_weight(each, emission) for each in children(node)])
    if isinstance(node, Call | Attr):
        if isinstance(node.ref, Rule):
            called = cost_of(node.ref, emission)
            own += called if called < WORTH_KEEPING else _LOOK_UP
        elif isinstance(node.ref, DerivedAttribute) and node.ref.how == "down":
            own += _FEW
    return own


def _length(of: Expr) -> int:
    match of:
        case Name(ref=Kind()):
            return _MANY
        case Attr(ref=DerivedAttribute(how="neighbours")):
            return _AROUND
        case Where(of=inner) | Each(of=inner) | SortedBy(of=inner) | Attr(of=inner, spread=True):
            return _length(inner)
    return _FEW
