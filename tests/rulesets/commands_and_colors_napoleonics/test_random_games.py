"""Random games of the six scenarios: banners count what is lost, and the invariants hold."""

from __future__ import annotations

from typing import Any

import pytest
from soak import SOAK, Tally, play, scenarios


def banners_count_losses(core: Any) -> None:
    """A side has a banner for each enemy unit destroyed, and at most one for each leader or unit that is gone."""
    units = [each for each in core.world.objects if each.kind == "unit" and each.at is None]
    leaders = [each for each in core.world.objects if each.kind == "leader" and each.at is None]
    for player in core.seats:
        destroyed = sum(each.a_blocks == 0 and each.a_troop.a_nation.a_player is not player for each in units)
        leaders_gone = sum(each.a_nation.a_player is not player for each in leaders)
        left_the_field = sum(each.a_blocks > 0 for each in units)
        assert destroyed <= player.a_banners <= destroyed + leaders_gone + left_the_field, player.id


@pytest.mark.soak
@pytest.mark.parametrize("name", scenarios("commands_and_colors_napoleonics"))
def test_banners_count_what_is_lost(name: str) -> None:
    """At every decision of a random game the banners are those for what is lost, and the invariants hold."""
    tally = Tally()
    play(name, {}, range(max(SOAK // 6, 2)), tally, banners_count_losses)
    if SOAK:
        print(tally)
    assert tally.failures == []
