"""Frequencies of endings of games, with confidence intervals."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import NamedTuple

from interpreter.simulation.plan import GameRecord

Z_95 = 1.959964
"""95 per cent of a normal distribution lie within this many standard deviations of its mean."""

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


def wilson(count: int, total: int, z: float = Z_95) -> tuple[float, float]:
    """Returns Wilson's interval for a share of which `count` of `total` were seen; it is valid for small numbers too.

    Raises:
        ValueError: if `total` is 0, or `count` is not between 0 and `total`.
    """
    if total < 1 or not 0 <= count <= total:
        raise ValueError(f"{count} of {total} is not a share")
    share, square = count / total, z * z
    middle = share + square / (2 * total)
    spread = z * sqrt(share * (1 - share) / total + square / (4 * total * total))
    scale = 1 + square / total
    return max((middle - spread) / scale, 0.0), min((middle + spread) / scale, 1.0)
