"""Constant expressions: those that read only what no rule changes, such as the map and attributes that nothing sets."""

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

_PURE_BUILTINS = frozenset(
    ("count", "any", "all", "sum", "min", "max", "first", "distinct", "distance", "adjacent", "between", "link")
)
MIN_MEMBERS = 12
"""A filter over fewer things is not precomputed."""
_MADE_IN_PLAY = {"piece", "record"}


def is_constant(text: SyntaxNode, known: AbstractSet[int], emission: Emission) -> bool:
    """Whether an expression is a function of some parameters alone, given by their identities."""
    return all(_node_is_constant(each, known, emission) for each in walk_tree(text))


def split_constant_conditions(node: Where, emission: Emission) -> tuple[list[Expr], list[Expr]]:
    """Splits the condition of a filter over the members of a kind into its leading constant parts and the rest.

    Nothing is split off where that saves little: with few members, or with things that are created in play.
    """
    parts = conjuncts(node.condition)
    of = node.of.ref if isinstance(node.of, Name) else None
    if emission.traced or emission.is_ad_hoc or not isinstance(of, Kind) or of.root in _MADE_IN_PLAY:
        return [], [node.condition]
    kinds = {each.name for each in emission.program.subkinds(of.name)}
    if sum(1 for each in emission.program.individuals.values() if each.kind in kinds) < MIN_MEMBERS:
        return [], [node.condition]
    first = list(takewhile(lambda each: _is_about_element(each, node, emission), parts))
    return (first, parts[len(first) :]) if first else ([], [node.condition])


def _is_about_element(part: Expr, node: Where, emission: Emission) -> bool:
    """Whether a part of a condition depends on the element alone; a leading dot is another if this has a name."""
    named = node.element is not None
    return is_constant(part, {id(node.element)}, emission) and not (
        named and any(isinstance(e, It) for e in walk_tree(part))
    )


def _node_is_constant(node: SyntaxNode, known: AbstractSet[int], emission: Emission) -> bool:
    match node:
        case Stmt() | DecisionExpr() | RollSum() | RollApart() | Random() | Draw() | New() | After() | Reach():
            return False
        case Name(ref=Constant(value=inner)):
            return is_constant(inner, known, emission)
        case Name(ref=ref):
            is_constant_ref = isinstance(ref, Option | Individual | WordDeclaration | Table)
            return is_constant_ref or id(ref) in known or (isinstance(ref, Kind) and ref.root not in _MADE_IN_PLAY)
        case Attr(ref=Attribute() as attribute):
            return id(attribute) not in emission.changed
        case Attr(ref=DerivedAttribute(how=how)):
            return how in {"neighbours", "row", "column", "index"}
        case Attr(ref=Definition() as rule) | Call(ref=Definition() | Modifiers() | Restrictions() as rule):
            return _rule_is_constant(rule, emission)
        case Call(ref=Builtin(name=name)):
            return name in _PURE_BUILTINS
        case Call():
            return False
        case It():
            return True
    return True


def _rule_is_constant(rule: Rule, emission: Emission) -> bool:
    """Whether a rule is a function of its parameters alone."""
    if rule.key in emission.recursive or (isinstance(rule, Definition) and emission.is_overridden(rule)):
        return False
    if rule.key not in emission.constant:
        emission.constant[rule.key] = False
        own = {id(each) for each in rule.takes}
        emission.constant[rule.key] = all(is_constant(each, own, emission) for each in rule_texts(rule))
    return emission.constant[rule.key]
