"""Assumptions: the answers that odds of what lies ahead suppose to decisions on the way, in words."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.play.engine.decision import Decision
from interpreter.play.views.visibility import Visibility
from interpreter.play.wording.wording import Wording
from interpreter.players.orders.order_execution import staying
from interpreter.world.things import Piece, Thing


@dataclass(frozen=True, slots=True)
class Assumption:
    """A decision on the way to the procedure, and the answer that is assumed: both in words."""

    seat: str
    question: str
    answer: str
    stays: str = ""
    """The piece about which it is asked, if the answer leaves it where it is."""
    is_supposed: bool = False
    """Whether the answer depends on what is hidden from the seat that asks for the odds: it is only an example."""


def assumption_of(decision: Decision, index: int, words: Wording, sight: Visibility) -> Assumption:
    """Returns an answer to a decision as an assumption, for the seat whose `sight` it is."""
    option, who = decision.options[index], words.of(decision.seat_object)
    is_others = decision.seat_object is not sight.seat
    is_supposed = is_others and (decision.site.secret or (isinstance(option, Thing) and sight.hides(option)))
    asked = next((each for each in decision.mentioned_values if isinstance(each, Piece)), None)
    stays = words.of(sight.masked(asked)) if asked is not None and index == staying_place(decision) else ""
    return Assumption(who, decision.prompt, decision.labels[index], stays, is_supposed)


def staying_place(decision: Decision) -> int | None:
    """Returns the position of the place where what is asked about is; none if that is not offered."""
    position = staying(decision)
    return position if position is not None and isinstance(decision.options[position], Thing) else None
