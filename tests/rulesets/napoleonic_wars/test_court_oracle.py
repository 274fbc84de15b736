"""Sides, control, keys, conquest, hands, money, prices and victory compared with plain Python, in all scenarios."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from plain_court import Court

from interpreter import Game, load_scenario

CAMPAIGNS = ("campaign_2", "campaign_3", "campaign_4", "campaign_5")
EVERY = 60
"""The number of decisions between two compared positions."""


def name(value: Any) -> Any:
    return getattr(value, "id", value)


def compare(game: Game, court: Court) -> None:
    for nation in court.track:
        compare_nation(game, court, nation)
    for area, thing in court.area.items():
        assert name(game.evaluate("definitions/area.controller", thing)) == court.controller(area)
    assert game.evaluate("definitions/war_goes_on") == court.at_war()
    if court.state.a_duel:
        assert game.evaluate("definitions/imperial_points") == court.imperial_points()


def compare_nation(game: Game, court: Court, nation: str) -> None:
    def term(which: str, *others: str) -> Any:
        things = [court.nation[each] for each in (nation, *others)]
        return name(game.evaluate(f"definitions/{which}", *things))

    assert term("nation.side") == court.side(nation)
    assert term("nation.player") == court.seat(nation)
    assert term("nation.acts") == court.acts(nation)
    assert term("keys_of") == court.keys(nation)
    assert term("captor_of") == court.captor(nation)
    assert term("conquered") == court.conquered(nation)
    for other in court.track:
        assert term("hostile", other) == court.hostile(nation, other)
        assert term("friends", other) == court.friends(nation, other)
    if court.acts(nation):
        assert term("cards_due") == court.cards_due(nation)
        assert term("reinforcement_of") == court.reinforcement(nation)
    built = {each.id for each in term("build_areas")}
    assert built == court.build_areas(nation, limit=not court.state.a_reinforcing)
    if court.major(nation):
        assert term("points_of") == court.points(nation)
    elif court.box(nation) != "alliance":
        assert term("courting_price") == court.price(nation, 1)
        if court.box(nation) != "undecided":
            assert term("estranging_price") == court.price(nation, -1)


@pytest.mark.parametrize("scenario", [*CAMPAIGNS, "duel_1805"])
def test_random_games_match_plain_python(scenario: str) -> None:
    """Every value agrees on the way, and in a campaign the winner does at the end."""
    decisions = 0
    for seed in range(2):
        game, random = Game(load_scenario(f"napoleonic_wars/{scenario}"), seed=seed), Random(f"{scenario} {seed}")
        court = Court(game.core)
        while game.decision is not None:
            decisions += 1
            if decisions % EVERY == 0:
                compare(game, court)
            game.choose_index(random.randrange(len(game.decision.options)))
        compare(game, court)
        assert game.result is not None
        if scenario in CAMPAIGNS:
            assert [str(each) for each in game.result.winners] == [court.winner()]
    assert decisions > EVERY
