"""Where computer players lean to march and to fight: in strength, to the enemy, not to and fro in their own rear."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from prior_checks import drawn
from soak import load

from interpreter import Game

SCENARIOS = ("ulm_1805", "leipzig_1813")


def moving(game: Game) -> list[Any]:
    """The corps of the army that is moving."""
    return list(game.evaluate("definitions/column"))


def points(group: list[Any]) -> int:
    return sum(each.a_battle_reduced if each.a_reduced else each.a_battle for each in group)


def seat_of(game: Game) -> Any:
    assert game.decision is not None
    return game.core.find("player", str(game.decision.seat))


@pytest.mark.parametrize("name", SCENARIOS)
def test_interceptors_have_half_the_points_of_the_army(name: str) -> None:
    """Who intercepts an army hardly ever has less than half its points, with those of his side that stand there."""
    matched = Counter[bool]()
    declared: list[int] = []

    def note(game: Game, answer: Any) -> None:
        """Adds up the chief and those who go with him, until nobody goes or the dice are rolled."""
        address = game.decision.address if game.decision is not None else ""
        if address == "intercept.chief" and answer is not None:
            here = game.core.world.state.a_vanguard.at
            declared[:] = [
                points(moving(game)),
                points([answer, *game.evaluate("definitions/army", seat_of(game), here)]),
            ]
        elif address == "intercept.followers" and answer is not None:
            declared[1] += points([answer])
        elif declared:
            matched[2 * declared[1] >= declared[0]] += 1
            declared.clear()

    drawn(load(f"age_of_napoleon/{name}"), note)
    assert matched.total() > 20
    assert matched[False] < matched.total() / 10, matched


@pytest.mark.parametrize("name", SCENARIOS)
def test_armies_march_to_the_enemy(name: str) -> None:
    """Beyond its first area no army enters an area of its own side that is no nearer to the enemy."""
    strides = Counter[str]()

    def note(game: Game, answer: Any) -> None:
        if game.decision is None or game.decision.address != "enter.area" or not game.core.world.state.a_areas_entered:
            return
        player, here = seat_of(game), game.core.world.state.a_vanguard.at
        own, peaceful = [
            [bool(rule(each)) for each in (here, answer)]
            for rule in (
                lambda area: game.evaluate("definitions/own_side", player, area),
                lambda area: not game.evaluate("definitions/army", player.a_enemy, area),
            )
        ]
        if not (all(own) and all(peaceful)):
            strides["against the enemy"] += 1
            return
        ways = [game.evaluate("definitions/way_to_enemy", player, each) for each in (here, answer)]
        strides["on" if ways[1] < ways[0] else "away"] += 1

    drawn(load(f"age_of_napoleon/{name}"), note)
    assert min(strides["on"], strides["against the enemy"]) > 5, strides
    assert not strides["away"], strides
