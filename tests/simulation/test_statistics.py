"""Shares of games and their confidence intervals."""

from __future__ import annotations

import pytest

from interpreter.simulation.confidence import wilson
from interpreter.simulation.plan import GameRecord
from interpreter.simulation.statistics import Tally


@pytest.mark.parametrize(
    ("count", "total", "low", "high"), [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962)]
)
def test_wilson_gives_the_textbook_interval(count: int, total: int, low: float, high: float) -> None:
    """The interval equals Wilson's, and stays between 0 and 1."""
    assert list(wilson(count, total)) == pytest.approx([low, high], abs=1e-4)


@pytest.mark.parametrize(("count", "total"), [(0, 0), (3, 2), (-1, 2)])
def test_invalid_share_is_refused(count: int, total: int) -> None:
    """A total of 0, or a count outside 0 to the total, is refused."""
    with pytest.raises(ValueError, match="is not a share"):
        wilson(count, total)


def test_tally_counts_each_ending() -> None:
    """Each pair of winners and reason has a count of its own, unfinished games too; the most frequent comes first."""
    tally = Tally()
    endings: list[tuple[tuple[str, ...] | None, str]] = [
        (("one",), "first"),
        ((), "even"),
        (("one",), "first"),
        (None, ""),
    ]
    for number, (winners, reason) in enumerate(endings):
        tally.add(GameRecord(number, winners, reason, 10, ""))
    counts = [(each.winners, each.reason, each.games) for each in tally.frequencies()]
    assert counts == [(("one",), "first", 2), ((), "even", 1), (None, "", 1)]
    assert (tally.games, tally.mean_decisions) == (4, 10.0)
