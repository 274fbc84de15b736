"""Random games of Fin-Napoleon under every option; at every decision the counters are counted, apart from the rules."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from soak import SOAK, Tally, play, scenarios, settings

COUNTERS = {"France": 13, "Prussia": 9, "Austria": 9, "Russia": 10, "Spain": 6, "Britain": 5}
STRONGEST = {"France": 12, "Prussia": 8, "Austria": 8, "Russia": 9, "Spain": 5, "Britain": 4}
SEAS = {"Atlantic", "Baltic", "Mediterranean"}


def check_counters(core: Any) -> None:
    """Every counter is in one place, and that place holds it; nobody is stronger than the chart allows."""
    units = [each for each in core.world.objects if each.kind == "unit"]
    assert Counter(each.a_country.id for each in units) == COUNTERS
    holders = {each.at for each in units}
    assert sum([len(each.c_unit) for each in holders]) == len(units)
    assert all(each in each.at.c_unit for each in units)
    on_map = Counter(each.a_country.id for each in units if each.at.kind == "area")
    assert all(on_map[name] <= most for name, most in STRONGEST.items())
    assert all(each.a_country.id == "Britain" for each in units if each.at.id in SEAS)
    assert 0 <= core.world.state.a_morale <= 20


@pytest.mark.soak
@pytest.mark.parametrize("name", scenarios("fin_napoleon"))
def test_random_games_keep_every_counter(name: str) -> None:
    """Random games under every option keep every counter in a lawful place at every decision."""
    tally = Tally()
    every = settings(name)
    games = max(SOAK // (len(every) * len(scenarios("fin_napoleon"))), 1)
    for options in every:
        play(name, options, range(50_000, 50_000 + games), tally, check_counters)
    assert tally.failures == []
    assert tally.games == games * len(every)
