"""Infers the types of decisions and of chance."""

from __future__ import annotations

import re

from interpreter.language.checking.context.rule_context import AGREE, WHOLE, Handler, RuleContext
from interpreter.language.checking.expressions.ambiguous_names import expected_set
from interpreter.language.checking.expressions.calls import arguments
from interpreter.language.checking.expressions.collections import elements_of
from interpreter.language.diagnostics import did_you_mean
from interpreter.language.tree.statements import (
    Agree,
    Assign,
    Choose,
    ChooseNumber,
    DecisionExpr,
    Draw,
    Expr,
    Random,
    Rank,
    RollApart,
    RollSum,
    Spread,
    Take,
)
from interpreter.language.tree.types import (
    BOOL,
    INT,
    UNKNOWN,
    EnumType,
    KindType,
    ListType,
    MapType,
    SetType,
    Type,
    element,
    optional,
)


def seat(cx: RuleContext, node: Expr) -> None:
    """Checks who decides, rolls or wins: a seat, never none."""
    cx.thing(node, "seat")


def winners(cx: RuleContext, node: Expr) -> None:
    """Checks who wins: a seat, or seats that share the victory."""
    found = cx.infer(node, KindType("seat"))
    of = element(found)
    if of is None:
        seat(cx, node)
    elif of != UNKNOWN and not (isinstance(of, KindType) and cx.environment.lattice.root(of.name) == "seat"):
        cx.error("wrong-type", f"expected a seat or seats, found {found}", node.place, "give a seat, or a set of seats")


def _set_address(cx: RuleContext, node: DecisionExpr, name: str, needed: int = WHOLE) -> None:
    """Checks that a decision is allowed here and sets its address."""
    if cx.allowed < needed:
        hint = "give it a line and a name of its own: 'let answer = …'"
        cx.error("decision-inside", "a decision can't be part of a larger expression", node.place, hint)
    node.address = f"{cx.owner}.{name}"
    seat(cx, node.who)
    if node.prompt is not None:
        cx.infer(node.prompt)


# ---------------------------------------------------------------- decisions
def _choose(cx: RuleContext, node: Choose, expected: Type | None) -> Type:
    _set_address(cx, node, cx.decision_name)
    if node.amount is not None:
        cx.integer(node.amount)
    several = node.mode in ("some", "up_to", "any")
    inner = cx.collection(node.of, expected if several or expected is None else expected_set(expected))
    match node.mode:
        case "one":
            return inner
        case "maybe":
            return optional(inner)
        case _:
            return SetType(inner)


def _choose_number(cx: RuleContext, node: ChooseNumber, _: Type | None) -> Type:
    _set_address(cx, node, cx.decision_name)
    cx.integer(node.low)
    cx.integer(node.high)
    return INT


def _rank(cx: RuleContext, node: Rank, expected: Type | None) -> Type:
    _set_address(cx, node, cx.decision_name)
    return ListType(cx.collection(node.of, expected))


def _assign(cx: RuleContext, node: Assign, _: Type | None) -> Type:
    _set_address(cx, node, cx.decision_name)
    return MapType(cx.collection(node.of), cx.collection(node.to))


def _spread(cx: RuleContext, node: Spread, _: Type | None) -> Type:
    _set_address(cx, node, cx.decision_name)
    cx.integer(node.amount)
    inner = elements_of(cx.collection(node.over))
    with cx.elements(inner, None, node.place):
        cx.integer(node.at_most)
    return MapType(inner, INT)


def _agree(cx: RuleContext, node: Agree, _: Type | None) -> Type:
    _set_address(cx, node, node.name, AGREE)
    return BOOL


def _take(cx: RuleContext, node: Take, _: Type | None) -> Type:
    menu = cx.environment.program.menus.get(node.menu.name)
    _set_address(cx, node, node.menu.name)
    if node.times is not None:
        cx.integer(node.times)
    if menu is None:
        for argument in (*node.menu.arguments, *[value for _, value in node.menu.named]):
            cx.infer(argument)
        hint = did_you_mean(node.menu.name, cx.environment.program.menus)
        return cx.error("unknown-menu", f"there is no menu '{node.menu.name}'", node.menu.place, hint)
    node.menu.ref = menu
    node.menu.type = BOOL
    arguments(cx, node.menu, menu.takes)
    return BOOL


# ---------------------------------------------------------------- chance
def _roll_sum(cx: RuleContext, node: RollSum, _: Type | None) -> Type:
    seat(cx, node.who)
    return INT


def _roll_apart(cx: RuleContext, node: RollApart, _: Type | None) -> Type:
    seat(cx, node.who)
    cx.integer(node.count)
    if re.fullmatch(r"d\d+", node.dice):
        return ListType(INT)
    dice = cx.environment.program.dice.get(node.dice)
    if dice is None:
        hint = did_you_mean(node.dice, cx.environment.program.dice) or "write 'd6' for a die with the numbers 1 to 6"
        cx.error("unknown-dice", f"there are no dice '{node.dice}'", node.dice_place, hint)
        return ListType(UNKNOWN)
    return ListType(INT if dice.enum is None else EnumType(dice.enum))


def _random(cx: RuleContext, node: Random, expected: Type | None) -> Type:
    if node.amount is not None:
        cx.integer(node.amount)
    one = node.amount is None
    inner = cx.collection(node.of, expected_set(expected) if one and expected is not None else expected)
    return inner if node.amount is None else SetType(inner)


def _draw(cx: RuleContext, node: Draw, _: Type | None) -> Type:
    if node.amount is not None:
        cx.integer(node.amount)
    amount = "one" if node.amount is None else "n"
    pile = cx.thing(node.pile, "space", "piece", hint=f"a draw is from a holder; of a set take 'random {amount} of …'")
    inner = cx.environment.attributes.held_by(pile.name) if isinstance(pile, KindType) else UNKNOWN
    return inner if node.amount is None else SetType(inner)


HANDLERS: dict[type[Expr], Handler] = {
    Choose: _choose,
    ChooseNumber: _choose_number,
    Rank: _rank,
    Assign: _assign,
    Spread: _spread,
    Agree: _agree,
    Take: _take,
    RollSum: _roll_sum,
    RollApart: _roll_apart,
    Random: _random,
    Draw: _draw,
}
