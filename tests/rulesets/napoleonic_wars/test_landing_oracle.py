"""Landings with cards from random positions, followed by plain Python over the same dice and answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from plain_landings import Landings
from test_fight_card_oracle import IN_BATTLE, PLAYS, Battle, follow

SHORE = IN_BATTLE | {"movement", "evasion", "interception", "siege_dice"}


class Landing(Battle):
    """A force of one nation goes from a port of its side to another port of either side."""

    windows = SHORE
    table_kind = Landings

    def start(self, core: Any) -> Callable[[], Any]:
        scene, random = self.scene, self.random
        warring = [name for name, side in scene.side.items() if side != "neutral"]
        side = random.choice(("imperial", "coalition"))
        mine = [each for each in warring if scene.side[each] == side]
        foes = [each for each in warring if scene.side[each] not in (side, "neutral")]
        self.nation = scene.nation[random.choice(mine)]
        here, there = random.sample([each for each in scene.area.values() if each.a_ports], 2)
        self.give(here, self.nation.id)
        self.give(there, random.choice(mine if random.random() < 0.3 else foes))
        core.world.state.a_winter = False
        beside = [each for each in scene.beside(there.id) if each != here.id]
        self.scene_of_action = (there, *(scene.area[each] for each in beside))
        for each in (*scene.things["unit"].values(), *scene.things["leader"].values()):
            friend = scene.side[each.a_nation.id] == side
            if each.at in (here, there) or (friend and each.at.id in beside):
                core.world.place(each, each.a_nation.a_pool)
        if random.random() < 0.6:
            self.muster(core, foes, there)
        if beside and random.random() < 0.5:
            self.muster(core, random.sample(foes, len(foes)), scene.area[random.choice(beside)])
        self.embark(core, here)
        self.arm(core, warring)
        state = core.world.state
        state.a_active, state.a_column_at, state.a_points = self.nation, here, 0
        self.call = (self.nation.id, here.id, there.id)
        return partial(core.rule("procedures/land"), self.nation, there)

    def give(self, area: Any, nation: str) -> None:
        area.a_marker = None if area.a_home.id == nation else self.scene.nation[nation]
        area.a_raised = False

    def embark(self, core: Any, here: Any) -> None:
        self.muster(core, [self.nation.id], here)
        for kind in ("unit", "leader"):
            for each in self.scene.things[kind].values():
                each.a_marching = each.at is here
        if not any(each.at is here for each in self.scene.things["unit"].values()):
            unit = next(each for each in self.scene.things["unit"].values() if each.a_nation is self.nation)
            core.world.place(unit, here)
            unit.a_marching = True

    def predict(self) -> None:
        self.table.land(*self.call)


def test_landings_follow_the_clauses() -> None:
    """Every question, die, piece, marker and card agrees; the oracle was run over some thousands."""
    asked: set[str] = set()
    for seed in range(60):
        followed = Landing(f"landing {seed}")
        followed.check()
        asked |= followed.addresses
    assert {"evade.to", "intercept.chosen", "answer.card", "asks_for_more.fight_on"} <= asked


@pytest.mark.parametrize(
    "card",
    ["lost_orders", "bad_roads", "slip_away", "marched_all_night", "blunder", "march_to_the_guns", "foraging"],
)
def test_a_card_does_at_a_landing_what_its_text_says(card: str) -> None:
    assert follow(Landing, card) == PLAYS
