"""What no rule ever changes: the map, the words, and the attributes that nothing sets."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from itertools import takewhile

from interpreter.language.checking.types.derived_attributes import DerivedAttribute
from interpreter.language.codegen.analysis.indexes import conjuncts
from interpreter.language.codegen.core.context import Emission
from interpreter.language.model.kind_hierarchy import Attribute, Kind, WordDeclaration
from interpreter.language.model.program import (
    Builtin,
    Constant,
    Definition,
    Individual,
    Modifiers,
    Option,
    Restrictions,
    Rule,
    Table,
)
from interpreter.language.model.rule_bodies import rule_texts
from interpreter.language.tree.statements import (
    After,
    Attr,
    Call,
    DecisionExpr,
    Draw,
    Expr,
    It,
    Name,
    New,
    Random,
    Reach,
    RollApart,
    RollSum,
    Stmt,
    SyntaxNode,
    Where,
)
from interpreter.language.tree.traversal import walk_tree

_PLAIN = {"count", "any", "all", "sum", "min", "max", "first", "distinct", "distance", "adjacent", "between", "link"}
MANY = 12
"""From so many things on a filter is worth remembering."""
_MADE_IN_PLAY = {"piece", "record"}


def is_fixed(text: SyntaxNode, known: AbstractSet[int], emission: Emission) -> bool:
    """Whether a text always has the same value for the same values of some parameters, given by their identities."""
    return all(_node_is_fixed(each, known, emission) for each in walk_tree(text))


def fixed_first(node: Where, emission: Emission) -> tuple[list[Expr], list[Expr]]:
    """What a filter of the members of a kind asks first that always comes out the same, and what it asks then.

    Nothing comes first where that saves little: of few things, or of what is made in play.
    """
    parts = conjuncts(node.condition)
    of = node.of.ref if isinstance(node.of, Name) else None
    if emission.traced or emission.apart or not isinstance(of, Kind) or of.root in _MADE_IN_PLAY:
        return [], [node.condition]
    kinds = {each.name for each in emission.program.subkinds(of.name)}
    if sum(1 for each in emission.program.individuals.values() if each.kind in kinds) < MANY:
        return [], [node.condition]
    first = list(takewhile(lambda each: _tells_of_element(each, node, emission), parts))
    return (first, parts[len(first) :]) if first else ([], [node.condition])


def _tells_of_element(part: Expr, node: Where, emission: Emission) -> bool:
    """Whether a part of a filter rests on nothing but what is filtered; if that is named, a dot is not it."""
    named = node.element is not None
    return is_fixed(part, {id(node.element)}, emission) and not (
        named and any(isinstance(e, It) for e in walk_tree(part))
    )


def _node_is_fixed(node: SyntaxNode, known: AbstractSet[int], emission: Emission) -> bool:
    match node:
        case Stmt() | DecisionExpr() | RollSum() | RollApart() | Random() | Draw() | New() | After() | Reach():
            return False
        case Name(ref=Constant(value=inner)):
            return is_fixed(inner, known, emission)
        case Name(ref=ref):
            known_for_good = isinstance(ref, Option | Individual | WordDeclaration | Table)
            return known_for_good or id(ref) in known or (isinstance(ref, Kind) and ref.root not in _MADE_IN_PLAY)
        case Attr(ref=Attribute() as attribute):
            return id(attribute) not in emission.changed
        case Attr(ref=DerivedAttribute(how=how)):
            return how in {"neighbours", "row", "column"}
        case Attr(ref=Definition() as rule) | Call(ref=Definition() | Modifiers() | Restrictions() as rule):
            return _rule_is_fixed(rule, emission)
        case Call(ref=Builtin(name=name)):
            return name in _PLAIN
        case Call():
            return False
        case It():
            return True
    return True


def _rule_is_fixed(rule: Rule, emission: Emission) -> bool:
    """Whether a rule reads nothing that changes but what it is given."""
    if rule.path in emission.recursive or (isinstance(rule, Definition) and emission.overridden(rule)):
        return False
    if rule.path not in emission.fixed:
        emission.fixed[rule.path] = False
        own = {id(each) for each in rule.takes}
        emission.fixed[rule.path] = all(is_fixed(each, own, emission) for each in rule_texts(rule))
    return emission.fixed[rule.path]
