"""Orders: answers of a seat that are given one by one as their questions come, until something interferes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from interpreter.play.engine.decision import Decision
from interpreter.play.game import Game
from interpreter.play.inputs.inputs import ANSWER, DIE, PICK, SINGLE
from interpreter.play.inputs.value_codec import Stable
from interpreter.play.wording import messages
from interpreter.play.wording.message import Message
from interpreter.players.orders.order_plan import OrderPlan, declining, position_of
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


class Watch:
    """Notices what interferes with a seat's answers: a die, a random pick, or another seat that does something."""

    def __init__(self, seat: str) -> None:
        self._seat = seat
        self._seen = 0

    def start(self, game: Game) -> None:
        """Begins to watch from here on."""
        self._seen = _visible_inputs(game)

    def interference(self, game: Game) -> Message | None:
        """Returns what has happened since that the seat may know, as a message; none if nothing interfered."""
        sites = game.core.image.sites
        for tag, site, *values in game.inputs.items[self._seen : _visible_inputs(game)]:
            if tag in (DIE, PICK):
                return messages.DICE_FELL
            if tag in (ANSWER, SINGLE) and not sites[site].secret:
                answer, seat = values
                if seat != self._seat and answer is not None and answer is not False:
                    return messages.SOMEBODY_REACTED
        return None


def _visible_inputs(game: Game) -> int:
    """Returns the number of inputs before a block of simultaneous lines, of which no seat sees anything yet."""
    since = game.core.simultaneous_since
    return len(game.inputs.items) if since is None else since


class OrderExecution:
    """The rest of an order of one seat. `next` gives its answers; `dropped` says why a rest was dropped.

    An order may have several parts. Each part is in order; a question is answered by the first part that fits.
    """

    def __init__(self, seat: str, answers: Iterable[Expected]) -> None:
        self._seat = seat
        self._parts = [part] if (part := list(answers)) else []
        self._watch: Watch | None = None
        self.dropped: tuple[str, Message] | None = None
        """What was dropped and the reason."""

    @classmethod
    def of(cls, seat: str, plan: OrderPlan) -> OrderExecution:
        """Returns the order to carry out a plan."""
        given = [each for each in plan.answers if not each.is_forced]
        return cls(seat, [Expected(each.address, each.value, each.text) for each in given])

    def follow(self, part: OrderExecution) -> None:
        """Adds the rest of another order of the seat as further parts."""
        self._parts += part._parts

    def next(self, game: Game, *, more_follows: bool = False) -> int | None:
        """Returns the position of the next answer; none if the order is at its end or the rest of it is dropped.

        With `more_follows`, a question that no part answers is left to a part to come, and nothing is dropped for it.
        """
        decision = game.decision
        if decision is None or not self._parts:
            return None
        if self._watch is not None and (reason := self._watch.interference(game)) is not None:
            self._drop(reason)
            return None
        is_own = decision.seat == self._seat
        position = self._taken(decision) if is_own else None
        if position is not None:
            self._watch = self._watch or Watch(self._seat)
            self._watch.start(game)
        elif is_own and any(_is_barred(each, decision) for each in self._parts):
            self._drop(messages.NOT_POSSIBLE_NOW)
        elif not more_follows:
            self._drop(messages.OTHER_QUESTION_FIRST)
        return position

    def _taken(self, decision: Decision) -> int | None:
        """Takes the next answer of the first part that fits a decision, and returns its position."""
        for part in self._parts:
            for at, expected in enumerate(part):
                position = expected.position(decision)
                if position is not None:
                    del part[: at if expected.repeats else at + 1]
                    self._parts = [each for each in self._parts if each]
                    return position
                if not expected.may_remain:
                    break
        return None

    def _drop(self, reason: Message) -> None:
        left = [each.text for part in self._parts for each in part if not each.optional]
        self._parts.clear()
        if left:
            self.dropped = left[-1], reason


def _is_barred(part: Sequence[Expected], decision: Decision) -> bool:
    """Whether a part answers the question of a decision with what is not offered."""
    return not part[0].may_remain and part[0].address == decision.address


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
