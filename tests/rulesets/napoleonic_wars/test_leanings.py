"""Where computer players lean to march: on to the enemy, not to and fro in their own rear."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from prior_checks import drawn
from soak import load

from interpreter import Game


@pytest.mark.parametrize("name", ["duel_1805", "campaign_2"])
def test_columns_of_own_rear_march_on_or_stop(name: str) -> None:
    """In games drawn by the priors no column turns back in its own rear, or marches there over more than four areas.

    On land of the enemy it may turn back, because it can pay for control of what it has passed.
    """
    strides = Counter[str]()

    def note(game: Game, answer: Any) -> None:
        if game.decision is not None and game.decision.address == "go.there":
            strides[kind_of_stride(game, answer)] += 1

    drawn(load(f"napoleonic_wars/{name}"), note)
    assert min(strides["on"], strides["against the enemy"]) > 20, strides
    assert not strides["back"] + strides["too far"], strides


def kind_of_stride(game: Game, there: Any) -> str:
    """Returns what the next stride of the marching column is."""
    state: Any = game.core.world.state
    here, nation = state.a_column_at, state.a_active

    def is_hostile(area: Any) -> bool:
        return bool(game.evaluate("definitions/enemy_area", area, nation))

    if is_hostile(here) or is_hostile(there):
        return "against the enemy"
    if state.a_strides and there is state.a_came_from:
        return "back"
    return "too far" if state.a_strides >= 4 and not any(map(is_hostile, here.neighbours)) else "on"


def test_interceptors_are_as_many_as_can_match_the_march() -> None:
    """An interception against a march is hardly ever made with fewer units than march, if there are more at hand."""
    matched = Counter[bool]()

    def note(game: Game, answer: Any) -> None:
        marching, decision = len(game.evaluate("definitions/column_units")), game.decision
        if decision is not None and decision.address == "gather_army.number" and marching:
            matched[answer >= min(marching, max(decision.options))] += 1

    drawn(load("napoleonic_wars/campaign_2"), note)
    assert sum(matched.values()) > 20
    assert matched[False] < matched.total() / 10
