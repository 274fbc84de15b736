"""Checks statements: what they declare, what they change, and whether control leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.language.checking.context.rule_context import AGREE, WHOLE, Facts, RuleContext
from interpreter.language.checking.expressions.calls import check_holder, element_or_self
from interpreter.language.checking.expressions.collections import elements_of
from interpreter.language.checking.expressions.decisions import seat, winners
from interpreter.language.checking.expressions.narrowing import narrowed_types
from interpreter.language.checking.statements.assignment import set_statement
from interpreter.language.checking.statements.presence import off_board_in_any, put_on, take_off, take_off_by_calls
from interpreter.language.checking.types.assignability import is_collection
from interpreter.language.diagnostics import did_you_mean
from interpreter.language.model.program import Procedure
from interpreter.language.tree.statements import (
    Call,
    ChoiceBlock,
    Do,
    End,
    Expr,
    ForEach,
    If,
    Let,
    ListLit,
    Log,
    Move,
    New,
    Remove,
    Repeat,
    Return,
    Reveal,
    Set,
    Shuffle,
    Spread,
    Stmt,
    Stop,
    Take,
    Term,
    Tie,
    Together,
    While,
    Win,
)
from interpreter.language.tree.traversal import walk_tree
from interpreter.language.tree.types import EMPTY, VOID, KindType, SetType, Type, UnknownType, element

MAX_LOOP_DEPTH = 15
"""The deepest nesting of loops; Python itself allows twenty nested blocks."""


def block(cx: RuleContext, body: Sequence[Stmt]) -> bool:
    """Checks statements in order; returns whether control never passes their end."""
    left = reported = False
    for statement in body:
        if left and not reported:
            hint = "remove it, or let the line before leave only under a condition"
            cx.error("unreachable", "this is never reached: the line before always leaves", statement.place, hint)
            reported = True
        left = _HANDLERS[type(statement)](cx, statement) or left
        if isinstance(statement, Do | Let | Set):
            take_off_by_calls(cx, statement)
    return left


def suite(cx: RuleContext, body: Sequence[Stmt], more: Facts | None = None) -> tuple[bool, Facts]:
    """Checks a branch or loop body in its own scope; returns whether it leaves, and the facts at its end."""
    with cx.inner(more) as scope:
        left = block(cx, body)
        return left, scope.facts


# ---------------------------------------------------------------- names
def _let(cx: RuleContext, node: Let) -> bool:
    cx.decision_name = node.name
    given = cx.infer(node.value, cx.widened.get(id(node)), WHOLE)
    for term in node.terms:
        _term(cx, node.value, term)
    if given == VOID:
        hint = "leave 'let' out and call it on a line of its own"
        given = cx.error("wrong-type", f"expected a value for '{node.name}', found nothing", node.value.place, hint)
    parameter = cx.declare(node.name, cx.widened.get(id(node), given), node.place)
    cx.settable.add(id(parameter))
    cx.lets.append(parameter)
    cx.origins[id(parameter)] = id(node)
    if isinstance(node.value, ListLit) and given == EMPTY:
        cx.lists.add(id(parameter))
    return False


def _term(cx: RuleContext, decision: Expr, term: Term) -> None:
    cx.integer(term.amount)
    of = decision.over if isinstance(decision, Spread) else getattr(decision, "of", None)
    if of is None:
        cx.error("no-terms", "terms are only allowed for a choice of several or a spread", term.place)
        return
    inner = elements_of(element(of.type) or UnknownType())
    if term.mode == "total":
        with cx.elements(inner, None, term.place):
            cx.integer(term.of)
        return
    found = cx.collection(term.of, of.type)
    if not cx.environment.lattice.comparable(found, inner):
        cx.error("mixed-types", f"the choice is among {inner}, never from a collection of {found}", term.of.place)


# ---------------------------------------------------------------- changes of the board
def _pieces(cx: RuleContext, node: Expr) -> Type:
    given = cx.infer(node)
    inner = element_or_self(given)
    root = cx.environment.lattice.root(inner.name) if isinstance(inner, KindType) else ""
    if root == "piece" or isinstance(inner, UnknownType) or given == EMPTY:
        return inner
    hint = cx.advice(given, KindType("piece"))
    return cx.error("wrong-type", f"expected a piece or pieces, found {given}", node.place, hint)


def _move(cx: RuleContext, node: Move) -> bool:
    pieces = _pieces(cx, node.what)
    check_holder(cx, pieces, cx.thing(node.to, "space", "piece"), node.to)
    put_on(cx, node.what)
    return False


def _remove(cx: RuleContext, node: Remove) -> bool:
    _pieces(cx, node.what)
    take_off(cx, node.what)
    return False


def _shuffle(cx: RuleContext, node: Shuffle) -> bool:
    cx.thing(node.pile, "space", "piece")
    return False


def _reveal(cx: RuleContext, node: Reveal) -> bool:
    given = cx.infer(node.what)
    inner = element_or_self(given)
    if not isinstance(inner, KindType | UnknownType):
        cx.error("wrong-type", f"expected things to reveal, found {given}", node.what.place)
    if node.to is not None:
        to = cx.infer(node.to)
        wanted = SetType(KindType("seat")) if is_collection(to) else KindType("seat")
        cx.must_fit(to, wanted, node.to.place)
    return False


# ---------------------------------------------------------------- leaving
def _return(cx: RuleContext, node: Return) -> bool:
    cx.decision_name = "result"
    given: Type = VOID
    if node.value is not None:
        given = cx.infer(node.value, cx.gives, WHOLE)
    if cx.gives is None:
        cx.returns.append((given, node.place))
    elif cx.gives == VOID and node.value is not None:
        hint = "say with 'gives:' what the rule gives"
        cx.error("wrong-type", f"expected no value, found {given}", node.place, hint)
    elif node.value is None and cx.gives != VOID:
        cx.error("missing-return", f"expected a value ({cx.gives}) after 'return'", node.place)
    elif node.value is not None:
        cx.must_fit(given, cx.gives, node.value.place, "returned")
    return True


def _stop(cx: RuleContext, node: Stop) -> bool:
    if cx.loops == 0:
        hint = "'return' leaves a rule, 'end …' a step"
        cx.error("stop-outside", "'stop' leaves a loop, but there is no loop around it", node.place, hint)
    return cx.loops > 0


def _end(cx: RuleContext, node: End) -> bool:
    if node.step not in cx.environment.steps:
        hint = did_you_mean(node.step, cx.environment.steps)
        cx.error("unknown-step", f"there is no step '{node.step}' in the sequence", node.step_place, hint)
    return True


def _win(cx: RuleContext, node: Win) -> bool:
    winners(cx, node.who)
    if node.reason is not None:
        cx.infer(node.reason)
    return True


def _tie(cx: RuleContext, node: Tie) -> bool:
    if node.reason is not None:
        cx.infer(node.reason)
    return True


def _log(cx: RuleContext, node: Log) -> bool:
    cx.infer(node.text)
    return False


def _do(cx: RuleContext, node: Do) -> bool:
    cx.infer(node.value, allowed=WHOLE)
    if isinstance(node.value, Call) and node.value.ref is not None and not isinstance(node.value.ref, Procedure):
        hint = "name its value with 'let', or leave the line out"
        cx.error("idle-line", f"'{node.value.name}' only gives a value, so the line does nothing", node.place, hint)
    elif not isinstance(node.value, Call | Take | New):
        cx.error("idle-line", "the line does nothing", node.place)
    return False


# ---------------------------------------------------------------- branches
def _if(cx: RuleContext, node: If) -> bool:
    ends: list[Facts] = []
    known: Facts = dict(cx.scope.facts)
    every = True
    for condition, body in node.branches:
        cx.decision_name = "result"
        with cx.inner(known):
            cx.condition(condition, WHOLE)
            shown, denied = narrowed_types(cx, condition, True), narrowed_types(cx, condition, False)
        left, at_end = suite(cx, body, {**known, **shown})
        every = every and left
        if not left:
            ends.append(at_end)
        known = {**known, **denied}
    left, at_end = suite(cx, node.otherwise, known) if node.otherwise else (False, known)
    if not left:
        ends.append(at_end)
    _merge(cx, ends)
    return every and left


def _merge(cx: RuleContext, ends: list[Facts]) -> None:
    """Keeps the facts after branches on which all branches that continue agree, and pieces off the board in any."""
    if ends:
        first, *rest = ends
        agreed = {path: kind for path, kind in first.items() if all(other.get(path) == kind for other in rest)}
        _keep(cx, agreed | off_board_in_any(ends))


def _keep(cx: RuleContext, facts: Facts) -> None:
    """Replaces the facts by those of them whose names are in scope."""
    roots = _roots(cx)
    cx.scope.facts = {path: kind for path, kind in facts.items() if path.partition(".")[0] in roots}


def _roots(cx: RuleContext) -> set[str]:
    return {*cx.scope.locals, cx.scope.it_path, *cx.environment.names.single}


def _together(cx: RuleContext, node: Together) -> bool:
    return block(cx, node.body)


def _choice_block(cx: RuleContext, node: ChoiceBlock) -> bool:
    seat(cx, node.who)
    node.address = f"{cx.owner}.{node.name}"
    if node.prompt is not None:
        cx.infer(node.prompt)
    ends: list[Facts] = []
    seen: set[str] = set()
    for choice in node.choices:
        if choice.name in seen:
            cx.error("choice-again", f"choice '{choice.name}' is written twice here", choice.place)
        seen.add(choice.name)
        if choice.prompt is not None:
            cx.infer(choice.prompt)
        shown: Facts = {}
        if choice.when is not None:
            cx.condition(choice.when)
            shown = narrowed_types(cx, choice.when, True)
        left, at_end = suite(cx, choice.body, shown)
        if not left:
            ends.append(at_end)
    _merge(cx, ends)
    return not ends


# ---------------------------------------------------------------- loops
def _loop(cx: RuleContext, node: Stmt, body: Sequence[Stmt], more: Facts | None = None) -> None:
    """Checks a loop's body with the facts that hold in every iteration."""
    for each in body:
        for inner in walk_tree(each):
            if isinstance(inner, Set) and (path := cx.path(inner.target)) is not None:
                cx.scope.forget(path)
    cx.loops += 1
    if cx.loops == MAX_LOOP_DEPTH + 1:
        hint = "put the inner ones into a procedure or definition of their own"
        cx.error("too-nested", f"more than {MAX_LOOP_DEPTH} nested loops", node.place, hint)
    cx.scope.facts.update(cx.off_board.get(id(node), {}))
    entered = dict(cx.scope.facts)
    _, at_end = suite(cx, body, more)
    _keep(cx, entered | off_board_in_any([at_end]))
    removed = off_board_in_any([cx.scope.facts])
    if not removed.keys() <= entered.keys():
        cx.off_board[id(node)] = removed
        cx.reread = True
    cx.loops -= 1


def _for_each(cx: RuleContext, node: ForEach) -> bool:
    cx.decision_name = node.name
    inner = elements_of(cx.collection(node.of, None, WHOLE))
    if node.chosen_by is not None:
        seat(cx, node.chosen_by)
        node.address = f"{cx.owner}.{node.name}"
    if node.prompt is not None:
        cx.infer(node.prompt)
    with cx.inner():
        cx.declare(node.name, inner, node.place)
        _loop(cx, node, node.body)
        remaining = cx.scope.facts
    _keep(
        cx, {path: kind for path, kind in remaining.items() if path in cx.scope.facts} | off_board_in_any([remaining])
    )
    return False


def _repeat(cx: RuleContext, node: Repeat) -> bool:
    cx.integer(node.times)
    _loop(cx, node, node.body)
    return False


def _while(cx: RuleContext, node: While) -> bool:
    cx.integer(node.times)
    cx.scope.facts.update(cx.off_board.get(id(node), {}))
    for each in node.body:
        for inner in walk_tree(each):
            if isinstance(inner, Set) and (path := cx.path(inner.target)) is not None:
                cx.scope.forget(path)
    cx.decision_name = "result"
    cx.condition(node.condition, AGREE)
    _loop(cx, node, node.body, narrowed_types(cx, node.condition, True))
    return False


_HANDLERS: dict[type[Stmt], Callable[[RuleContext, Any], bool]] = {
    Let: _let,
    Set: set_statement,
    Move: _move,
    Remove: _remove,
    Shuffle: _shuffle,
    Reveal: _reveal,
    Return: _return,
    Stop: _stop,
    End: _end,
    Win: _win,
    Tie: _tie,
    Log: _log,
    Do: _do,
    If: _if,
    ForEach: _for_each,
    Repeat: _repeat,
    While: _while,
    Together: _together,
    ChoiceBlock: _choice_block,
}
