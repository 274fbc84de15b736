"""The texts of rules, in source order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.language.model.program import (
    Definition,
    Item,
    Limit,
    Modifiers,
    Procedure,
    Program,
    Restrictions,
    Rule,
    Search,
    Step,
)
from interpreter.language.tree.statements import Expr, SyntaxNode


def rule_texts(rule: Rule) -> Iterator[SyntaxNode]:
    """Yields the texts of a definition, a procedure, a search or a list of items."""
    match rule:
        case Definition(value=value, body=body):
            yield from body if value is None else (value,)
        case Procedure(body=body):
            yield from body
        case Search(next=following, cost=cost, within=within, bars=bars, stops=stops):
            yield from _present(following, cost, within)
            yield from item_texts((*bars, *stops))
        case Modifiers(items=items, limits=limits, whose=whose):
            yield from item_texts((*items, *limits))
            yield from _present(whose)
        case Restrictions(items=items):
            yield from item_texts(items)


def called_rules(program: Program) -> Iterator[Rule]:
    """Yields every rule that is called by its name."""
    for section in (
        program.definitions,
        program.modifiers,
        program.restrictions,
        program.searches,
        program.procedures,
        program.menus,
    ):
        yield from section.values()


def evaluation_rules(program: Program) -> list[Definition]:
    """Returns the rules that only players that look ahead use: the evaluation and the priors."""
    return [*([] if program.evaluation is None else [program.evaluation]), *program.priors.values()]


def all_rules(program: Program) -> Iterator[Rule]:
    """Yields every rule that has parameters."""
    yield from called_rules(program)
    yield from program.invariants.values()
    yield from evaluation_rules(program)


def steps_of(sequence: Step | None) -> Iterator[Step]:
    """Yields all steps of a sequence, each before those in it."""
    if sequence is not None:
        yield sequence
        for each in sequence.steps:
            yield from steps_of(each)


def item_texts(items: Iterable[Item]) -> Iterator[SyntaxNode]:
    """Yields the texts of modifiers, restrictions, bars, stops, limits, or conditions of an action."""
    for item in items:
        yield from _present(item.when, item.unless, item.value)
        if isinstance(item, Limit):
            yield from _present(item.least, item.most)


def _present(*texts: Expr | None) -> list[Expr]:
    return [each for each in texts if each is not None]
