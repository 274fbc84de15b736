"""The two set-ups: every stack stands legally and is in supply, strengths and score are what the scenario says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from interpreter import Game, load_scenario

SCORES = {"marengo_1800": 1, "ulm_austerlitz_1805": -2}
"""At the start, by the scenario's own list of who holds what."""
STEPS = {"marengo_1800": {"empire": 33, "coalition": 36}, "ulm_austerlitz_1805": {"empire": 41, "coalition": 41}}
"""On the map; 2 and 7 more arrive in 1805."""
SHORT: dict[str, set[str]] = {"marengo_1800": {"force_of_Massena"}, "ulm_austerlitz_1805": set()}
"""Shut in Genoa, a fortress of level 2, with 3 steps: one too many (7.1.8.1)."""


@pytest.fixture(scope="module", params=SCORES)
def start(request: pytest.FixtureRequest) -> tuple[str, Game]:
    """A scenario at its first decision."""
    return request.param, Game(load_scenario(f"nations_in_arms/{request.param}"))


def stacks(game: Game) -> Iterator[Any]:
    """The forces that stand on the map and hold a combat unit."""
    for each in game.core.world.objects:
        if each.kind == "force" and each.at is not None and game.evaluate("definitions/force.is_force", each):
            yield each


def test_stacks_keep_the_stacking_limits(start: tuple[str, Game]) -> None:
    """Every stack keeps the limits of 3.1.2.2, 2.4.4.1, 2.4.4.2 and 3.1.3.2."""
    _, game = start
    assert [each.id for each in stacks(game) if not game.evaluate("definitions/within_limits", each)] == []


def test_stacks_are_in_supply(start: tuple[str, Game]) -> None:
    """Every stack is in supply (7.1), but for the one in Genoa."""
    name, game = start
    assert {each.id for each in stacks(game) if not game.evaluate("definitions/in_supply", each)} == SHORT[name]


def test_strengths_and_score_match_the_scenario(start: tuple[str, Game]) -> None:
    """The combat steps on the map by bloc and the points for the cities are those of the scenario."""
    name, game = start
    steps: dict[str, int] = {}
    for each in stacks(game):
        bloc = each.a_flag.a_bloc.id
        steps[bloc] = steps.get(bloc, 0) + game.evaluate("definitions/force.steps", each)
    assert steps == STEPS[name]
    assert game.evaluate("definitions/score") == SCORES[name]


def test_counters_have_lawful_places(start: tuple[str, Game]) -> None:
    """Each army holds its chief, no force is empty, and none of a neutral power is on the map."""
    _, game = start
    for each in game.core.world.objects:
        if each.kind == "army" and each.at.kind == "force":
            assert each.a_chief.at is each
        if each.kind == "force":
            assert each.a_flag.a_bloc.id in ("empire", "coalition")
            assert any(getattr(each, slot) for slot in each.holds), each.id
