"""Plans: the answers that lead a seat to its goal, with what is known of the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from interpreter.play.engine.decision import Decision
from interpreter.play.game import Game
from interpreter.play.inputs.value_codec import Stable, encode, encode_json
from interpreter.players.orders.forecast import Forecast


@dataclass(frozen=True, slots=True)
class PlannedAnswer:
    """An answer of a plan: the address of its decision, its stable value, its text, and its cost."""

    address: str
    value: Stable
    text: str
    is_place: bool
    """Whether the answer is a thing, and not the name of an action or a choice."""
    is_space: bool = False
    cost: int = 0
    is_forced: bool = False
    """Whether it is the only option, so that nobody is asked."""
    is_fulfilling: bool = False
    """Whether it is what the order names, or a place by which it is to lead."""
    question: str = ""
    """The question, if the seat itself has to answer it on the way: the answer is only assumed."""
    forecast: Forecast | None = None
    """How the map looks afterwards if nobody reacts."""

    @property
    def is_open(self) -> bool:
        """Whether the seat itself has to choose here."""
        return bool(self.question)


@dataclass(frozen=True, slots=True)
class PossibleReaction:
    """A seat that may react after an answer of a plan: its name, and its question unless that is secret."""

    after: str
    seat: str
    question: str = ""
    is_at_place: bool = True
    """Whether the answer is a thing, such as the place that is entered."""


@dataclass(frozen=True, slots=True)
class OrderGoal:
    """What is left of an order: the places by which it leads and its end, as they are named, and where it is over.

    `outer` are the menus of which no action belongs to the order any more.
    """

    names: tuple[str, ...]
    outer: frozenset[str] = frozenset()
    starts: bool = False
    """Whether the first name says where the order begins."""

    def after(self, fulfilled: int) -> OrderGoal:
        """Returns what is left after the first names, this number of them, are fulfilled."""
        return replace(self, names=self.names[fulfilled:], starts=self.starts and not fulfilled)


@dataclass(frozen=True, slots=True)
class OrderPlan:
    """The answers that fulfil a wish, in order; `unit` is the unit of the cost, empty if answers are counted."""

    answers: tuple[PlannedAnswer, ...]
    cost: int
    unit: str
    reactions: tuple[PossibleReaction, ...]
    distance: int
    """How far the last answer is from what was named: 0 if it is that itself, more if it holds it."""
    is_whole: bool
    """Whether the last answer completes an action; if not, more has to be chosen for it."""
    goal: OrderGoal
    step: int
    """The step of the game in which it was made."""
    is_part: bool = False
    """Whether it leads only to where chance comes in, nearer to what is named."""
    only_begins: bool = False
    """Whether what is named is the place where an action begins, about which more is asked."""
    other_order: str = ""
    """An order with which such an action leads to what is named, if one was looked for."""

    @property
    def until_open_question(self) -> tuple[PlannedAnswer, ...]:
        """The answers before the first question that the seat has to answer itself."""
        return tuple(takewhile(lambda each: not each.is_open, self.answers))

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions on the way that the seat has to answer itself."""
        return tuple(dict.fromkeys([each.question for each in self.answers if each.is_open]))

    @property
    def places(self) -> tuple[str, ...]:
        """The things that are chosen on the way, in words."""
        return tuple([each.text for each in self.answers if each.is_place and not each.is_open])

    def as_data(self) -> dict[str, Any]:
        """Returns the plan as plain data."""
        return {
            "answers": [
                {"address": each.address, "value": encode_json(each.value), "label": each.text, "cost": each.cost}
                | ({"question": each.question} if each.is_open else {})
                for each in self.answers
                if not each.is_forced
            ],
            "cost": self.cost,
            "unit": self.unit,
            "reactions": [
                {"after": each.after, "seat": each.seat, "question": each.question} for each in self.reactions
            ],
        }


def position_of(decision: Decision, value: Stable) -> int | None:
    """Returns the position of the option with this stable value; none if it is not offered."""
    return next((at for at, each in enumerate(decision.options) if encode(each) == value), None)


def declining(decision: Decision) -> int | None:
    """Returns the position of the answer that does nothing: none, pass or no; none if there is no such answer."""
    for at, option in enumerate(decision.options):
        if option is None or option is False:
            return at
    return None


def best_plans(found: Sequence[OrderPlan]) -> list[OrderPlan]:
    """Returns the best plan of each first answer: closest to what is named, cheapest, shortest, least disturbed."""
    ranked: dict[tuple[Any, ...], dict[Stable, OrderPlan]] = {}
    for each in found:
        rank = (each.distance, each.cost, len(each.answers), not each.is_whole)
        best = ranked.setdefault(rank, {})
        known = best.setdefault(each.answers[0].value, each)
        if len(each.reactions) < len(known.reactions):
            best[each.answers[0].value] = each
    return list(ranked[min(ranked)].values()) if ranked else []


def is_repeated(answers: Sequence[PlannedAnswer]) -> bool:
    """Whether the first choice was made again."""
    return any(each.address == answers[0].address for each in answers[1:])


def menu_of(game: Game, decision: Decision) -> str:
    """Returns the menu of a decision, or of the action to which it belongs; empty if there is none."""
    if decision.kind == "menu":
        return decision.address.rpartition(".")[2]
    action = decision.address.rpartition(".")[0]
    return next((each.menu for each in game.core.image.actions if each.name == action), "")


def is_of(answers: Sequence[PlannedAnswer], address: str) -> bool:
    """Whether a decision is a pick of the action that was chosen last."""
    last = next((each.value for each in reversed(answers) if not each.is_place), None)
    return isinstance(last, tuple) and last[:1] == (":action",) and address.rpartition(".")[0] == last[1]
