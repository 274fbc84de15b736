"""Where rule text names something: every place of a checked program at which a name means one thing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from interpreter.language.checking.program.effects import stating_texts, texts
from interpreter.language.checking.types.derived_attributes import Relation
from interpreter.language.diagnostics import Place
from interpreter.language.model.kind_hierarchy import Symbol, WordDeclaration
from interpreter.language.model.program import Individual, Parameter, Program, Rule, Step
from interpreter.language.model.rule_bodies import called_rules, opinions
from interpreter.language.tree.statements import (
    Attr,
    Binding,
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
from interpreter.language.tree.traversal import below

Use = tuple[Place, str, object]
"""Where a name stands, the name, and what it means: a symbol, or the sort of thing that only has a name."""


def uses(program: Program) -> Iterator[Use]:
    """Every name in the rule text of a program."""
    for root in roots(program):
        yield from uses_in(root)


def uses_in(root: SyntaxNode) -> Iterator[Use]:
    """Every name in a text."""
    for node in below(root):
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
    """All rule text, types among it."""
    for _, found in texts(program):
        yield from found
    for _, found in stating_texts(program):
        yield from found
    if program.sequence is not None:
        yield from _bindings(program.sequence)
    for kind in program.kinds.values():
        yield from (each.written.declared for each in kind.attributes.values() if each.written is not None)
    for state in program.state.values():
        if state.attribute.written is not None:
            yield state.attribute.written.declared
    for rule in _rules(program):
        yield from (each.written for each in rule.takes if each.written is not None)
        if rule.written is not None:
            yield rule.written
    for table in program.tables.values():
        yield from (each.parameter.written for each in table.axes if each.parameter.written is not None)
        if table.written is not None:
            yield table.written


def _bindings(step: Step) -> Iterator[Binding]:
    if step.each is not None:
        yield step.each
    for each in step.steps:
        yield from _bindings(each)


def _rules(program: Program) -> Iterator[Rule]:
    yield from called_rules(program)
    yield from opinions(program)


Means = Callable[[str, object], bool]
"""Whether a name with its meaning is the one that is looked for."""


def means_symbol(symbol: Symbol) -> Means:
    """Whether a name means a rule, a value, a table: the symbol itself, or an inner part of it."""
    name = symbol.name

    def test(_: str, ref: object) -> bool:
        return ref is symbol or (isinstance(ref, Rule) and type(ref) is type(symbol) and ref.layer_of == name)

    return test


def means_kind(kind: str, subjects: frozenset[int]) -> Means:
    """Whether a name is that of a kind, of what encloses things, or of the thing of this kind that a text is about."""

    def test(name: str, ref: object) -> bool:
        if name != kind:
            return False
        if isinstance(ref, Relation):
            return ref.how == "up" and ref.kind == kind
        return ref == "kind" or (isinstance(ref, Parameter) and id(ref) in subjects)

    return test


def means_word(enum: str, word: str) -> Means:
    """Whether a name is a word of an enum."""
    return lambda name, ref: isinstance(ref, WordDeclaration) and (ref.enum, ref.name) == (enum, word) and name == word


def means_individual(kind: str, names: frozenset[str]) -> Means:
    """Whether a name is that of one of these individuals."""
    return lambda name, ref: isinstance(ref, Individual) and ref.kind == kind and name in names


def decisions(program: Program) -> list[str]:
    """The addresses of all decisions, in the order of the text."""
    return [
        node.address
        for root in roots(program)
        for node in below(root)
        if isinstance(node, DecisionExpr | ChoiceBlock | ForEach) and node.address
    ]
