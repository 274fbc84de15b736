"""The reader of a roll: the expression that decides which results the rules can distinguish.

In the `odds` variant a roll takes its reader: all faces that the reader maps to one value become one branch. A
reader is only given where nothing can change between the roll and its use; without one every face, or every unordered
result of dice rolled apart, is an outcome of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from interpreter.language.codegen.core.context import CodeContext, quiet
from interpreter.language.codegen.core.dispatch import condition, value
from interpreter.language.model.emitted_names import LOCAL
from interpreter.language.model.program import Builtin, Definition, Parameter
from interpreter.language.tree.statements import (
    Body,
    Call,
    Do,
    Each,
    Expr,
    If,
    Let,
    Name,
    Return,
    RollApart,
    RollSum,
    Set,
    Stmt,
    SyntaxNode,
    Where,
)
from interpreter.language.tree.traversal import children, walk_tree

_COUNTED = {"count", "sum", "any", "all"}
_WORD = re.compile(r"\w+")


def own_expression(statement: Stmt) -> Expr | None:
    """The expression that a statement evaluates before it does anything."""
    match statement:
        case Let(value=expr, terms=()) | Set(value=expr) | Do(value=expr):
            return expr
        case Return(value=expr):
            return expr
        case If(branches=((expr, _), *_)):
            return expr
    return None


def readers(statements: Body, number: int, cx: CodeContext) -> dict[int, str]:
    """The readers of the rolls in one statement of a body, as Python text by the identity of the roll."""
    root = own_expression(statements[number])
    if root is None:
        return {}
    rolls = [each for each in walk_tree(root) if isinstance(each, RollSum | RollApart)]
    if len(rolls) != 1:
        return {}
    roll = rolls[0]
    if isinstance(roll, RollSum):
        text = _sum_reader(root, roll, cx)
    elif root is roll and isinstance(statements[number], Let):
        text = _kept_dice_reader(statements, number, cx)
    else:
        text = _dice_reader([(root, roll)], cx)
    return {id(roll): text} if text is not None else {}


def _sum_reader(root: Expr, roll: RollSum, cx: CodeContext) -> str | None:
    widest = _widest_quiet(root, roll)
    if widest is roll or widest is None:
        return None
    variable = cx.fresh()
    inner = replace(cx, replaced={**cx.replaced, id(roll): variable})
    return f"lambda {variable}: {value(widest, inner)}"


def _widest_quiet(root: Expr, roll: Expr) -> Expr | None:
    """The largest expression around a roll that does not otherwise ask, roll or change anything."""
    widest: Expr | None = None
    for node in _path(root, roll):
        if isinstance(node, Expr) and _quiet_but(node, roll):
            return node
        widest = None
    return widest


def _path(root: SyntaxNode, goal: SyntaxNode) -> list[SyntaxNode]:
    """The nodes from `root` down to `goal`."""
    if root is goal:
        return [root]
    for each in children(root):
        if path := _path(each, goal):
            return [root, *path]
    return []


def _quiet_but(root: Expr, roll: Expr) -> bool:
    if root is roll:
        return True
    return quiet(root, roll)


def _kept_dice_reader(statements: Body, number: int, cx: CodeContext) -> str | None:
    let = statements[number]
    assert isinstance(let, Let)
    uses: list[tuple[Expr, Expr]] = []
    made: set[str] = set()
    """Names that have no value yet when the dice are rolled."""
    total = sum(1 for each in statements[number + 1 :] for _ in _names(each, let.name))
    for statement in statements[number + 1 :]:
        root = own_expression(statement)
        if root is None:
            return None
        uses += [(root, each) for each in _names(root, let.name)]
        if len(uses) == total:
            text = _dice_reader(uses, cx)
            return None if text is None or made.intersection(_WORD.findall(text)) else text
        if not (isinstance(statement, Let) and quiet(root)):
            return None
        made.add(LOCAL(statement.name))
    return None


def _names(root: SyntaxNode, name: str) -> Iterator[Expr]:
    return (
        each
        for each in walk_tree(root)
        if isinstance(each, Name) and each.name == name and isinstance(each.ref, Parameter)
    )


def _dice_reader(uses: list[tuple[Expr, Expr]], cx: CodeContext) -> str | None:
    variable = cx.fresh()
    read: list[str] = []
    for root, dice in uses:
        texts = _read_of_each(root, dice, variable, cx)
        if texts is None:
            return None
        read += texts
    return f"lambda {variable}: ({''.join([f'{each}, ' for each in read])})"


def _read_of_each(root: Expr, dice: Expr, variable: str, cx: CodeContext) -> list[str] | None:
    """What a use of dice reads of each die, or none where dice are not only counted or summed."""
    path = _path(root, dice)[::-1]
    texts: list[str] = []
    for below, node in pairwise(path):
        if isinstance(node, Where) and quiet(node.condition) and not _mentions(node.condition, dice):
            texts.append(f"bool({condition(node.condition, cx.element(variable, node.element))})")
        elif isinstance(node, Each) and quiet(node.value) and not _mentions(node.value, dice):
            texts.append(value(node.value, cx.element(variable, node.element)))
        elif isinstance(node, Call) and isinstance(node.ref, Definition):
            read = _read_by_definition(node, node.ref, below, variable, cx)
            return None if read is None else [*texts, *read]
        elif isinstance(node, Call) and isinstance(node.ref, Builtin) and node.name in _COUNTED:
            mapped = any(isinstance(each, Each) for each in path[1 : path.index(node)])
            return texts if mapped or node.name != "sum" else [*texts, variable]
        else:
            return None
    return None


def _mentions(text: Expr, dice: Expr) -> bool:
    """Whether a text names the dice that are about to be rolled."""
    return isinstance(dice, Name) and any(True for _ in _names(text, dice.name))


def _read_by_definition(
    call: Call, rule: Definition, dice: SyntaxNode, variable: str, cx: CodeContext
) -> list[str] | None:
    """What a definition that takes dice reads of each die, or none where it does more than count or sum them."""
    at = next((number for number, each in enumerate(call.ordered) if each is dice), None)
    others = [each for each in call.ordered if each is not dice]
    emission = cx.emission
    if at is None or rule.value is None or rule.key in emission.recursive or emission.is_overridden(rule):
        return None
    if not all(quiet(each) and (not isinstance(dice, Expr) or not _mentions(each, dice)) for each in others):
        return None
    given = {
        id(name): f"({value(each, cx)})"
        for name, each in zip(rule.takes, call.ordered, strict=True)
        if each is not dice
    }
    inside = cx.opened(given, given.get(id(rule.takes[0])) if rule.subject is not None else None)
    read: list[str] = []
    for use in _names(rule.value, rule.takes[at].name):
        texts = _read_of_each(rule.value, use, variable, inside)
        if texts is None:
            return None
        read += texts
    return read
