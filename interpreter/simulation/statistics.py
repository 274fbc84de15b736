"""How often games end in which way, and how sure that is."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import NamedTuple

from interpreter.simulation.plan import GameRecord

Z_95 = 1.959964
"""How many standard deviations hold 95 per cent of a normal distribution."""

Ending = tuple[tuple[str, ...] | None, str]


class Frequency(NamedTuple):
    """One way to end: the winners (empty for a tie, none for a game that did not end), why, and how often.

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
        """Counts one game."""
        self.games += 1
        self._decisions += record.decisions
        self._endings[(record.winners, record.reason)] += 1

    @property
    def mean_decisions(self) -> float:
        """Decisions that a game took on average."""
        return self._decisions / self.games if self.games else 0.0

    def frequencies(self) -> list[Frequency]:
        """Every ending that occurred, the most frequent first."""
        return [
            Frequency(winners, reason, count, count / self.games, *wilson(count, self.games))
            for (winners, reason), count in self._endings.most_common()
        ]


def wilson(count: int, total: int, z: float = Z_95) -> tuple[float, float]:
    """Wilson's interval for a share of which `count` of `total` were seen; it holds for small numbers too.

    Raises:
        ValueError: if nothing was counted, or more than there was.
    """
    if total < 1 or not 0 <= count <= total:
        raise ValueError(f"{count} of {total} is no share")
    share, square = count / total, z * z
    middle = share + square / (2 * total)
    spread = z * sqrt(share * (1 - share) / total + square / (4 * total * total))
    scale = 1 + square / total
    return max((middle - spread) / scale, 0.0), min((middle + spread) / scale, 1.0)
