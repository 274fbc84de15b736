"""Games of the six scenarios: blocks, cards, hands, stacking and banners are right, and recordings end the same.

`python tests/support/napoleonics_soak.py 10000` plays that many.
"""

from __future__ import annotations

import pytest
from napoleonics_soak import CARDS, PLAY, RULESET, Report, play_random
from soak import scenarios


@pytest.mark.parametrize("name", scenarios(RULESET))
def test_random_games_are_sound(name: str) -> None:
    """Random games break no rule; one of them is recorded, replayed and read."""
    report = Report()
    play_random(name, range(99, 102), report)
    assert report.failures == []
    assert (report.games, report.recorded) == (3, 1)
    assert len(report.played) == CARDS


def test_games_of_greedy_players_are_sound() -> None:
    """So are games between players that look ahead."""
    report = Report()
    PLAY["greedy"](f"{RULESET}/rolica_1", range(1), report)
    assert report.failures == []
    assert report.recorded == 1
