"""Frequencies of endings of games, with confidence intervals."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from interpreter.simulation.confidence import wilson
from interpreter.simulation.plan import GameRecord

Ending = tuple[tuple[str, ...] | None, str]


class Frequency(NamedTuple):
    """One ending with its frequency: the winners (empty for a tie, None if the game did not end) and the reason.

    `low` and `high` bound its true share with 95 per cent confidence.
    """

    winners: tuple[str, ...] | None
    reason: str
    games: int
    share: float
    low: float
    high: float


class Tally:
    """Counts the endings of games."""

    def __init__(self) -> None:
        self.games = 0
        self._decisions = 0
        self._endings: Counter[Ending] = Counter()

    def add(self, record: GameRecord) -> None:
        """Adds one game."""
        self.games += 1
        self._decisions += record.decisions
        self._endings[(record.winners, record.reason)] += 1

    @property
    def mean_decisions(self) -> float:
        """The mean number of decisions per game."""
        return self._decisions / self.games if self.games else 0.0

    def frequencies(self) -> list[Frequency]:
        """Returns every ending that occurred, the most frequent first."""
        return [
            Frequency(winners, reason, count, count / self.games, *wilson(count, self.games))
            for (winners, reason), count in self._endings.most_common()
        ]
