"""Orders: answers of a seat that are given one by one as their questions come, until something interferes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from interpreter.play.engine.decision import Decision
from interpreter.play.game import Game
from interpreter.play.inputs.value_codec import Stable
from interpreter.play.wording import messages
from interpreter.play.wording.message import Message
from interpreter.players.orders.forecast import Forecast
from interpreter.players.orders.interference import AnswerWatch, Watch
from interpreter.players.orders.order_plan import OrderGoal, OrderPlan, declining, position_of
from interpreter.players.orders.plan_search import leads_on, plans_on
from interpreter.world.things import Piece


class OpenAnswer(Enum):
    """An answer that depends on the question: the first option in the list, or the place of what is asked about."""

    NEXT = "next"
    STAY = "stay"


@dataclass(frozen=True, slots=True)
class Expected:
    """An answer to the question at an address.

    `picks` restricts it to the picks of one decision (`Decision.live_picks`). With `repeats` it answers that question
    as often as it is asked in a row; with `optional` it may remain without its question.
    """

    address: str
    value: Stable | OpenAnswer
    text: str
    picks: Any = None
    repeats: bool = False
    optional: bool = False
    forecast: Forecast | None = None
    """How the map is to look after it."""
    fulfilled: int = 0
    """How many of the names in an order it fulfils, with the answers that are forced after it."""

    @property
    def may_remain(self) -> bool:
        """Whether the answer may remain without its question."""
        return self.optional or self.repeats

    def position(self, decision: Decision) -> int | None:
        """Returns the position of the answer among the options of a decision; none if it does not fit."""
        if decision.address != self.address or (self.picks is not None and decision.live_picks is not self.picks):
            return None
        if self.value is OpenAnswer.NEXT:
            return next((at for at, each in enumerate(decision.options) if each is not None), None)
        if self.value is OpenAnswer.STAY:
            return staying(decision)
        return position_of(decision, self.value)


@dataclass(slots=True)
class _OrderPart:
    """Answers that are given in order; `step` is the step of the game in which they were planned, if they were."""

    answers: list[Expected]
    step: int | None = None
    goal: OrderGoal | None = None
    """What a plan has still to lead to."""
    forecast: Forecast | None = None
    """How the map was to look after the last answer that was given."""
    is_part: bool = False
    """Whether a plan ends where chance comes in."""
    left_open: frozenset[str] = frozenset()
    """The addresses of the questions on the way that a plan leaves to the seat."""
    watch: Watch | None = None
    disturbance: Message | None = None
    """What came after the last answer that the part did not foresee."""

    @classmethod
    def of(cls, plan: OrderPlan) -> _OrderPart:
        """Returns the answers of a plan up to the first question that the seat has to answer itself."""
        given: list[Expected] = []
        for each in plan.until_open_question:
            if not each.is_forced:
                given.append(Expected(each.address, each.value, each.text, forecast=each.forecast))
            if each.is_fulfilling:
                given[-1] = replace(given[-1], fulfilled=given[-1].fulfilled + 1)
        left_open = frozenset([each.address for each in plan.answers if each.is_open])
        return cls(given, plan.step, plan.goal, is_part=plan.is_part, left_open=left_open)

    @property
    def is_awaiting(self) -> bool:
        """Whether a plan goes on behind a question that the seat answers itself."""
        return self.goal is not None and bool(self.goal.names) and not self.answers

    @property
    def is_ended(self) -> bool:
        """Whether nothing is left but answers that may remain without their question."""
        return self.goal is None and all(each.may_remain for each in self.answers)

    def observe(self, game: Game) -> None:
        """Notes what interfered since the last answer."""
        if self.watch is not None:
            self.disturbance = self.watch.interference(game) or self.disturbance

    def position(self, decision: Decision) -> tuple[int, int] | None:
        """Returns the place of the next answer that fits a decision, and its position among the options."""
        for at, expected in enumerate(self.answers):
            position = expected.position(decision)
            if position is not None:
                return at, position
            if not expected.may_remain:
                break
        return None

    def take(self, at: int) -> None:
        """Takes an answer; what was to be answered before it is left out."""
        taken = self.answers[at]
        del self.answers[: at if taken.repeats else at + 1]
        self.forecast, self.disturbance = taken.forecast, None
        if self.goal is not None:
            self.goal = self.goal.after(taken.fulfilled)

    def goes_on(self, game: Game, decision: Decision) -> bool:
        """Whether it goes on, now or later, although something interfered."""
        if self.is_awaiting and not (self.is_part and self.disturbance is messages.DICE_FELL):
            return True
        return self._is_unchanged(game, decision) if self.position(decision) is not None else self.waits(game, decision)

    def waits(self, game: Game, decision: Decision) -> bool:
        """Whether a plan may go on behind a question that it did not foresee: in its step, and not in a menu."""
        return self.step == len(game.steps) and decision.kind != "menu"

    def is_barred(self, decision: Decision) -> bool:
        """Whether it answers the question of a decision with what is not offered."""
        return bool(self.answers) and not self.answers[0].may_remain and self.answers[0].address == decision.address

    def _is_unchanged(self, game: Game, decision: Decision) -> bool:
        """Whether nothing changed for a plan: all is where it was to be, and the same way is the cheapest."""
        if self.goal is None or self.forecast is None or not self.forecast.is_true(game.core, decision.seat):
            return False
        left = [(each.address, each.value) for each in self.answers]
        return any(
            left == [(each.address, each.value) for each in _OrderPart.of(plan).answers]
            for plan in plans_on(game, self.goal)
        )


class OrderExecution:
    """The rest of an order of one seat. `next` gives its answers; `dropped` says why a rest was dropped.

    An order may have several parts. Each part is in order; a question is answered by the first part that fits. A plan
    waits while its seat answers questions that only the seat can answer, and goes on if nothing changed for it.
    """

    def __init__(self, seat: str, answers: Iterable[Expected]) -> None:
        self._seat = seat
        self._parts = [_OrderPart(part)] if (part := list(answers)) else []
        self.dropped: tuple[str, Message] | None = None
        """What was dropped and the reason."""
        self.resumed: OrderPlan | None = None
        """The plan that was made in the last call of `next`, if the order went on by a new one."""

    @classmethod
    def of(cls, seat: str, plan: OrderPlan) -> OrderExecution:
        """Returns the order to carry out a plan."""
        order = cls(seat, ())
        order._parts = [_OrderPart.of(plan)]
        return order

    def follow(self, part: OrderExecution) -> None:
        """Adds the rest of another order of the seat as further parts; a new plan replaces an older one."""
        if any(each.goal is not None for each in part._parts):
            self._parts = [each for each in self._parts if each.goal is None]
        self._parts += part._parts

    def plan_of(self, seat: str) -> OrderExecution:
        """Returns what is left of a plan of a seat, without other answers."""
        order = OrderExecution(seat, ())
        order._parts = [each for each in self._parts if each.goal is not None and seat == self._seat]
        return order

    def next(self, game: Game, *, more_follows: bool = False) -> int | None:
        """Returns the position of the next answer; none if the order is at its end, waits, or its rest is dropped.

        With `more_follows`, a question that no part answers is left to a part to come, and nothing is dropped for it.
        """
        decision = game.decision
        self.resumed = None
        if decision is None or not self._parts:
            return None
        for each in self._parts:
            each.observe(game)
            if each.disturbance is not None and not each.goes_on(game, decision):
                self._drop(each.disturbance)
                return None
        if decision.seat != self._seat:
            position = None
        else:
            position = self._taken(decision)
            if position is None:
                position = self._taken_of_new_plan(game, decision)
        if position is None:
            self._leave_open(game, decision, more_follows=more_follows)
        else:
            for each in self._parts:
                each.watch = each.watch or (AnswerWatch if each.goal is None else Watch)(self._seat)
                each.watch.start(game, position)
        return position

    def _leave_open(self, game: Game, decision: Decision, *, more_follows: bool) -> None:
        """Lets the rest of the order wait for a question of its own, or drops it."""
        is_own = decision.seat == self._seat
        if is_own:
            self._parts = [each for each in self._parts if not each.is_ended] or self._parts
        if is_own and any(each.is_barred(decision) for each in self._parts):
            self._drop(messages.NOT_POSSIBLE_NOW)
        elif is_own and all(each.waits(game, decision) for each in self._parts):
            for each in self._parts:
                each.disturbance = each.disturbance or messages.OTHER_QUESTION_FIRST
        elif not more_follows:
            self._drop(messages.OTHER_QUESTION_FIRST)

    def _taken(self, decision: Decision) -> int | None:
        """Takes the next answer of the first part that fits a decision, and returns its position."""
        for part in self._parts:
            found = part.position(decision)
            if found is not None:
                at, position = found
                part.take(at)
                self._parts = [each for each in self._parts if each.answers or each.is_awaiting]
                return position
        return None

    def _taken_of_new_plan(self, game: Game, decision: Decision) -> int | None:
        """Plans anew to the goal of a plan that waits, if the question belongs to the way there; takes its answer."""
        for at, part in enumerate(self._parts):
            is_open = decision.address in part.left_open
            if part.is_awaiting and part.goal is not None and not is_open and leads_on(game, part.goal):
                plans = plans_on(game, part.goal, in_part=part.is_part)
                if plans:
                    self.resumed = min(plans, key=lambda each: len(each.reactions))
                    self._parts[at] = _OrderPart.of(self.resumed)
                    self._parts[at].goal = part.goal
                    return self._taken(decision)
                self._drop(messages.NO_WAY_NOW)
                return None
        return None

    def _drop(self, reason: Message) -> None:
        left = [each.text for part in self._parts for each in part.answers if not each.optional]
        left = left or [each.goal.names[-1] for each in self._parts if each.goal is not None]
        self._parts.clear()
        if left:
            self.dropped = left[-1], reason


def staying(decision: Decision) -> int | None:
    """Returns the position of the answer that leaves what is asked about where it is, else of 'none', if it exists.

    Where the question is which piece acts, none of them is asked to stay.
    """
    asked = [each for each in decision.mentioned_values if isinstance(each, Piece)]
    if not asked and any(isinstance(each, Piece) for each in decision.options):
        return None
    for at, option in enumerate(decision.options):
        if any(_is_in(each, option) for each in asked):
            return at
    return declining(decision)


def _is_in(piece: Piece, place: Any) -> bool:
    holder: Any = piece.at
    while holder is not None and holder is not place:
        holder = holder.at if isinstance(holder, Piece) else None
    return holder is not None
