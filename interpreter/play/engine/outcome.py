"""The ends of steps and games, and the result of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


class EndStep(Exception):  # noqa: N818 - it is no error: a rule leaves a step of the sequence with it
    """Raised by a rule to end the innermost current step of this name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class EndGame(Exception):  # noqa: N818 - it is no error: a rule ends the game with it
    """Raised by a rule to end the game: `winner` is a seat, several that share the victory, or none for a tie."""

    def __init__(self, winner: Any, reason: str | None = None) -> None:
        super().__init__(reason)
        self.winner = winner
        self.reason = reason

    @property
    def winners(self) -> tuple[str, ...]:
        """The ids of the seats that win; empty for a tie."""
        if self.winner is None:
            return ()
        won = self.winner if isinstance(self.winner, tuple | list) else (self.winner,)
        return tuple([each.id for each in won])


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game: the ids of the winning seats (none for a tie), the reason, the steps, the clauses.

    `lines` are the numbers of the sites of the cited line that called the rule, if any, and of the line in it that
    ended the game; none if the sequence is over.
    """

    winners: tuple[str, ...]
    reason: str
    steps: int
    cites: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()

    @property
    def winner(self) -> str | None:
        """The id of the one seat that won; none for a tie or a shared victory."""
        return self.winners[0] if len(self.winners) == 1 else None

    def __str__(self) -> str:
        outcome = " and ".join(self.winners) or "nobody"
        outcome += " win" if len(self.winners) > 1 else " wins"
        return f"{outcome}: {self.reason}" if self.reason else outcome


SEQUENCE_OVER = "the sequence of play is over"
