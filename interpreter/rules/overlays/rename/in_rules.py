"""Finds the uses of a name in the rule text of a checked program."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from interpreter.language.checking.program.effects import effect_texts, pure_texts
from interpreter.language.checking.types.derived_attributes import DerivedAttribute
from interpreter.language.diagnostics import Place
from interpreter.language.model.kind_hierarchy import Symbol, WordDeclaration
from interpreter.language.model.program import Individual, Parameter, Program, Rule
from interpreter.language.model.rule_bodies import all_rules, steps_of
from interpreter.language.tree.statements import (
    Attr,
    Call,
    ChoiceBlock,
    DecisionExpr,
    End,
    ForEach,
    IsKind,
    Name,
    New,
    RollApart,
    SyntaxNode,
    TypeExpr,
)
from interpreter.language.tree.traversal import walk_tree

Use = tuple[Place, str, object]
"""The place of a name, the name, and what it refers to: a symbol, or the sort of a thing that has no symbol."""


def uses(program: Program) -> Iterator[Use]:
    """Yields every name in the rule text of a program."""
    for root in roots(program):
        yield from uses_in(root)


def uses_in(root: SyntaxNode) -> Iterator[Use]:
    """Yields every name in a syntax tree."""
    for node in walk_tree(root):
        match node:
            case Name(name=name, ref=ref) if ref is not None:
                yield node.place, name, ref
            case Call(name=name, ref=ref):
                yield node.place, name, ref
                yield from ((node.name_place[each], each, "argument") for each, _ in node.named)
            case Attr(name=name, ref=ref):
                yield node.place, name, ref
            case New(kind=kind):
                yield node.kind_place, kind, "kind"
                yield from ((node.name_place[each], each, (kind, "field")) for each, _ in node.fields)
            case IsKind(kind=kind):
                yield node.kind_place, kind, "kind"
            case End(step=step):
                yield node.step_place, step, "step"
            case RollApart(dice=dice):
                yield node.dice_place, dice, "dice"
            case TypeExpr(form="name", name=name):
                yield node.place, name, "kind"


def roots(program: Program) -> Iterator[SyntaxNode]:
    """Yields the syntax trees of all rule text, types included."""
    for _, found in effect_texts(program):
        yield from found
    for _, found in pure_texts(program):
        yield from found
    yield from (each.each for each in steps_of(program.sequence) if each.each is not None)
    for kind in program.kinds.values():
        yield from (each.written.declared for each in kind.attributes.values() if each.written is not None)
    for state in program.state.values():
        if state.attribute.written is not None:
            yield state.attribute.written.declared
    for rule in all_rules(program):
        yield from (each.written for each in rule.takes if each.written is not None)
        if rule.written is not None:
            yield rule.written
    for table in program.tables.values():
        yield from (each.parameter.written for each in table.axes if each.parameter.written is not None)
        if table.written is not None:
            yield table.written


NamePredicate = Callable[[str, object], bool]
"""A predicate: whether a name and what it refers to are the ones looked for."""


def means_symbol(symbol: Symbol) -> NamePredicate:
    """Returns a predicate: whether a name refers to a symbol, or to a layer of its rule."""
    name = symbol.name

    def test(_: str, ref: object) -> bool:
        return ref is symbol or (isinstance(ref, Rule) and type(ref) is type(symbol) and ref.layer_of == name)

    return test


def means_kind(kind: str, subjects: frozenset[int]) -> NamePredicate:
    """Returns a predicate: whether a name is that of a kind, its enclosing relation, or a subject of this kind."""

    def test(name: str, ref: object) -> bool:
        if name != kind:
            return False
        if isinstance(ref, DerivedAttribute):
            return ref.how == "up" and ref.kind == kind
        return ref == "kind" or (isinstance(ref, Parameter) and id(ref) in subjects)

    return test


def means_word(enum: str, word: str) -> NamePredicate:
    """Returns a predicate: whether a name is a word of an enum."""
    return lambda name, ref: isinstance(ref, WordDeclaration) and (ref.enum, ref.name) == (enum, word) and name == word


def means_individual(kind: str, names: frozenset[str]) -> NamePredicate:
    """Returns a predicate: whether a name is that of one of these individuals."""
    return lambda name, ref: isinstance(ref, Individual) and ref.kind == kind and name in names


def decisions(program: Program) -> list[str]:
    """Returns the addresses of all decisions, in the order of the text."""
    return [
        node.address
        for root in roots(program)
        for node in walk_tree(root)
        if isinstance(node, DecisionExpr | ChoiceBlock | ForEach) and node.address
    ]
