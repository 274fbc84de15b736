"""Compares two simulations game by game: the same seeds under changed rules."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import NamedTuple

from interpreter.simulation.confidence import Z_95
from interpreter.simulation.plan import GameRecord
from interpreter.simulation.statistics import Ending


class PairedDifference(NamedTuple):
    """The share of games with one ending, before and after, and the difference.

    `low` and `high` bound the true difference with 95 per cent confidence. Games are compared in pairs with the same
    seed, so that luck common to both does not widen the interval.
    """

    ending: Ending
    before: float
    after: float
    low: float
    high: float

    @property
    def difference(self) -> float:
        """The growth of the share."""
        return self.after - self.before


class Comparison(NamedTuple):
    """The numbers of paired games, of pairs with different endings and of pairs that differ at all, and the endings."""

    games: int
    different_endings: int
    diverged: int
    differences: list[PairedDifference]


def compare(before: Mapping[int, GameRecord], after: Mapping[int, GameRecord]) -> Comparison:
    """Compares the games that both simulations have, with the most frequent ending first.

    Raises:
        ValueError: if there are no such games.
    """
    pairs = [(before[number], after[number]) for number in sorted(before.keys() & after.keys())]
    if not pairs:
        raise ValueError("there are no games to compare")
    endings = sorted(
        {_ending(each) for pair in pairs for each in pair}, key=lambda each: (-_count(pairs, each), str(each))
    )
    return Comparison(
        len(pairs),
        sum(_ending(one) != _ending(other) for one, other in pairs),
        sum(one[1:] != other[1:] for one, other in pairs),
        [_difference(pairs, each) for each in endings],
    )


Pairs = list[tuple[GameRecord, GameRecord]]


def _difference(pairs: Pairs, ending: Ending) -> PairedDifference:
    earlier = [_ending(one) == ending for one, _ in pairs]
    later = [_ending(other) == ending for _, other in pairs]
    gained = sum(b and not a for a, b in zip(earlier, later, strict=True))
    lost = sum(a and not b for a, b in zip(earlier, later, strict=True))
    total = len(pairs)
    mean = (gained - lost) / total
    spread = Z_95 * sqrt(max(gained + lost - (gained - lost) ** 2 / total, 0.0)) / total
    return PairedDifference(
        ending, sum(earlier) / total, sum(later) / total, max(mean - spread, -1.0), min(mean + spread, 1.0)
    )


def _ending(record: GameRecord) -> Ending:
    return record.winners, record.reason


def _count(pairs: Pairs, ending: Ending) -> int:
    return sum(_ending(each) == ending for pair in pairs for each in pair)
