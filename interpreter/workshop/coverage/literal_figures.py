"""The figures in rule text itself: numbers, and the dice that are rolled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from interpreter.language.diagnostics import Place
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
from interpreter.language.model.rule_bodies import called_rules
from interpreter.language.tree.expressions import IntLit, RollApart, RollSum
from interpreter.language.tree.statements import Stmt, SyntaxNode
from interpreter.language.tree.traversal import children
from interpreter.rules.linking.figure import Figure

_TRIVIAL_NUMBERS = frozenset({0, 1})
"""Numbers that counting and comparing need; all other numbers are figures of the game."""

Cites = tuple[str, ...]


def literal_figures(program: Program) -> Iterator[Figure]:
    """Yields every number of rule text but 0 and 1, with the clauses of its line, or else of its item, rule or kind.

    Modifiers that are plain numbers are figures of their documents, and not among these. Rules that only dispatch a
    call to the text of a thing have no figures.
    """
    dispatchers = {id(each) for kind in program.kinds.values() for each in kind.methods.values()}
    for kind in program.kinds.values():
        for attribute in kind.attributes.values():
            if attribute.written is not None and attribute.written.default is not None:
                yield from _in_texts(f"{kind.path}/has/{attribute.name}", [attribute.written.default], kind.cites)
    for value in program.state.values():
        if value.attribute.written is not None and value.attribute.written.default is not None:
            yield from _in_texts(value.path, [value.attribute.written.default], value.cites)
    for rule in called_rules(program):
        if id(rule) not in dispatchers:
            for figure in _in_rule(rule):
                yield replace(figure, standing=rule.standing, source=rule.source)
    for action in program.actions.values():
        yield from _in_items(f"{action.path}/when", action.needs, action.cites)
        for pick in action.picks:
            yield from _in_texts(action.path, [pick.of], action.cites)
        yield from _in_texts(action.path, action.body, action.cites)
    for invariant in program.invariants.values():
        yield from _in_texts(invariant.path, invariant.body, invariant.cites)
    if program.sequence is not None:
        yield from _in_step(program.sequence, ())


def _in_rule(rule: Rule) -> Iterator[Figure]:
    path, cites = rule.path, rule.cites
    match rule:
        case Modifiers(items=items, limits=limits):
            yield from _in_items(f"{path}/each", items, cites, apart_from_values=True)
            yield from _in_items(f"{path}/limits", limits, cites)
        case Restrictions(items=items):
            yield from _in_items(f"{path}/each", items, cites)
        case Search(next=following, cost=cost, within=within, bars=bars, stops=stops):
            yield from _in_texts(path, _given(following, cost, within), cites)
            yield from _in_items(f"{path}/bars", bars, cites)
            yield from _in_items(f"{path}/stops", stops, cites)
        case Definition(value=value, body=body):
            yield from _in_texts(path, body if value is None else [value], cites)
        case Procedure(body=body, needs=needs):
            yield from _in_items(f"{path}/when", needs, cites)
            yield from _in_texts(path, body, cites)


def _in_step(step: Step, around: Cites) -> Iterator[Figure]:
    cites = step.cites or around
    yield from _in_texts(step.path, [*_given(step.when, step.repeat, step.until), *step.body], cites)
    for each in step.steps:
        yield from _in_step(each, cites)


def _in_items(path: str, items: Iterable[Item], around: Cites, *, apart_from_values: bool = False) -> Iterator[Figure]:
    for each in items:
        texts = _given(each.when, each.unless)
        if each.value is not None and not (apart_from_values and _is_plain(each.value)):
            texts.append(each.value)
        if isinstance(each, Limit):
            texts += _given(each.least, each.most)
        yield from _in_texts(f"{path}/{each.name}", texts, each.cites or around)


def _in_texts(path: str, texts: Iterable[SyntaxNode], cites: Cites) -> Iterator[Figure]:
    for text in texts:
        for value, place, figure_cites in _numbers(text, cites):
            yield Figure(f"{path}/line {place.line}", value, "stated", figure_cites, None, place)


def _numbers(node: SyntaxNode, cites: Cites) -> Iterator[tuple[int | str, Place, Cites]]:
    if isinstance(node, Stmt) and node.cites:
        cites = node.cites
    if isinstance(node, IntLit):
        if node.value not in _TRIVIAL_NUMBERS:
            yield node.value, node.place, cites
    elif isinstance(node, RollSum):
        yield f"{node.count}d{node.faces}", node.place, cites
    elif isinstance(node, RollApart) and node.dice[1:].isdecimal():
        yield node.dice, node.dice_place, cites
    for each in children(node):
        yield from _numbers(each, cites)


def _is_plain(node: SyntaxNode) -> bool:
    inner = children(node)
    return isinstance(node, IntLit) or (len(inner) == 1 and isinstance(inner[0], IntLit))


def _given(*texts: SyntaxNode | None) -> list[SyntaxNode]:
    return [each for each in texts if each is not None]
