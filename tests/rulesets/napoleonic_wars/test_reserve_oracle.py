"""Impulses in which a nation uses its strategic reserve, followed by plain Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from followed_games import Followed
from plain_reserves import RESERVE_CP, Reserves

STATES = 2
"""The states of each nation; the oracle was run over some hundreds."""
MOST_TRIES = 60
AT_SEA = ("the_weather_gauge", "the_nelson_touch", "fireships")


class Impulse(Followed):
    """The impulse of a nation, with no siege of its own, that uses its reserve if it can."""

    table: Reserves
    chosen = ""
    points: int | None = None

    def __init__(self, nation: str, use: str, seed: str) -> None:
        self.acting, self.use = nation, use
        super().__init__(seed)

    def begin(self, core: Any) -> Callable[[], Any]:
        started = super().begin(core)
        self.table = Reserves(core)
        return started

    def start(self, core: Any) -> Callable[[], Any]:
        scene, random = self.scene, self.random
        self.nation = core.world.state.a_active = scene.nation[self.acting]
        if not self.nation.a_major and self.nation not in scene.acting():
            self.nation.a_patron, self.nation.a_attitude = scene.nation["france"], core.find("attitude", "alliance")
        self.nation.a_reserve_used = random.random() < 0.1
        for each in (*scene.things["unit"].values(), *scene.things["leader"].values()):
            if each.a_nation is self.nation and each.at.kind == "area" and each.at.a_fortress:
                core.world.place(each, self.nation.a_regroup)
        for each in AT_SEA:
            core.world.place(scene.things["card"][each], random.choice(scene.acting()).a_hand)
        if random.random() < 0.4:
            self.make_pact(core)
        if random.random() < 0.7:
            for each in scene.things["card"].values():
                if each.at is self.nation.a_hand:
                    core.world.place(each, scene.things["pile"]["discards"])
        return partial(core.rule("procedures/impulse"), self.nation)

    def make_pact(self, core: Any) -> None:
        """An armistice or a marriage of the nation with another power."""
        state, powers = core.world.state, [each for each in self.scene.nation.values() if each.a_major]
        state.a_pact_maker, state.a_pact_partner = self.nation, self.random.choice(powers)
        state.a_match_maker, state.a_match_partner = self.nation, self.random.choice(powers)
        state.a_pact_impulses, state.a_match_turn = self.random.choice(((2, 0), (0, state.a_turn), (2, state.a_turn)))

    def preferred(self, address: str, options: list[Any]) -> int:
        if address == "impulse.opening":
            self.chosen = next((each for each in (self.use, "use_reserve_points") if each in options), "")
            return options.index(self.chosen) if self.chosen else len(options) - 1
        if address == "operate.operations":
            self.points = int(self.game.core.world.state.a_points)
            return options.index(None)
        return super().preferred(address, options)

    def predict(self) -> None:
        self.table.open_impulse(self.acting)
        if self.chosen == "use_reserve_points":
            assert self.points in (None, RESERVE_CP[self.acting])
            self.table.questions = [each for each in self.table.questions if each.address != "operate.operations"]
        self.table.close_impulse(self.acting)

    def compare(self) -> bool:
        """Whether the reserve was used as it should be; then all agrees."""
        if self.chosen:
            self.check()
        return self.chosen == self.use


@pytest.mark.parametrize("nation", ["britain", "austria", "prussia", "spain", "denmark"])
def test_a_reserve_does_what_the_power_card_says(nation: str) -> None:
    """When its event is offered, every question, die, piece and card agrees."""
    assert follow(nation, "use_reserve_event") == STATES


@pytest.mark.parametrize("nation", RESERVE_CP)
def test_a_reserve_gives_its_cp(nation: str) -> None:
    assert follow(nation, "use_reserve_points") == STATES


def follow(nation: str, use: str) -> int:
    """Follows impulses until the reserve was used in some, and returns in how many."""
    used = 0
    for seed in range(MOST_TRIES):
        used += Impulse(nation, use, f"{nation} {use} {seed}").compare()
        if used == STATES:
            break
    return used
