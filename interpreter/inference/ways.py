"""Ways: what is decided between an option and the procedures to which it leads."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from interpreter.inference.ahead_results import OpenChoice
from interpreter.inference.assumptions import Assumption, without_idle_ends
from interpreter.play.engine.decision import Decision
from interpreter.players.orders.order_plan import PlannedAnswer, position_of


@dataclass(frozen=True, slots=True)
class OwnDecision:
    """A further decision of the seat on the way to a procedure: its place on the way, and what else it may do."""

    number: int
    address: str
    answer: int
    others: tuple[int, ...]
    choice: OpenChoice


@dataclass(slots=True)
class Way:
    """What was decided on the way to a procedure. `forced` are the place of a decision and the answer that it gets."""

    forced: tuple[int, int] | None = None
    varied: Assumption | None = None
    """The answer that was forced, once it is given."""
    begun: list[Assumption] = field(default_factory=list)
    """The option with which it begins."""
    assumptions: list[Assumption] = field(default_factory=list)
    own: list[OwnDecision] = field(default_factory=list)
    passed: list[tuple[int, int, int | None]] = field(default_factory=list)
    """The decisions after the option that no plan answers: place on the way, number of options, and the answer; none
    where it ends."""
    planned: deque[PlannedAnswer] = field(default_factory=deque)
    """The answers of a plan that are still to be given."""
    is_followed: bool = False
    """Whether it goes on beyond procedures, until the seat has a new action to choose."""
    ended: int = 0
    """How many of its assumptions belong to procedures that have ended."""

    @property
    def assumed(self) -> tuple[Assumption, ...]:
        """What is assumed after the option, but for the ends of what it begins."""
        found = without_idle_ends([*self.begun, *self.assumptions[self.ended :]])
        return tuple([each for each in found if each not in self.begun])

    def take_assumed(self) -> tuple[Assumption, ...]:
        """Returns what is assumed since a procedure ended the last time, for one that ends now."""
        found = self.assumed
        self.ended = len(self.assumptions)
        return found

    def take(self, decision: Decision) -> tuple[int, PlannedAnswer] | None:
        """Takes the next answer of the plan if it answers a decision, with its position; none if it does not."""
        if not self.planned or self.planned[0].address != decision.address:
            return None
        position = position_of(decision, self.planned[0].value)
        return None if position is None else (position, self.planned.popleft())
