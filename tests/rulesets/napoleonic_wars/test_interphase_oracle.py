"""The steps between the impulses of two turns, followed by plain Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from invaded_games import Invaded, follow


class AttritionStep(Invaded):
    def start(self, core: Any) -> Callable[[], Any]:
        self.invade(core)
        return partial(core.rule("procedures/attrition_step"))

    def predict(self) -> None:
        self.table.stand_abroad()


class SquadronStep(Invaded):
    def start(self, core: Any) -> Callable[[], Any]:
        for each in self.scene.things["squadron"].values():
            if each.at.kind == "area" and self.random.random() < 0.5:
                each.a_state = core.find("readiness", "under_construction")
        return lambda: iter(core.rule("procedures/squadrons_step")() or ())

    def predict(self) -> None:
        self.table.finish_squadrons()


class ReinforcementStep(Invaded):
    def start(self, core: Any) -> Callable[[], Any]:
        scene, random = self.scene, self.random
        self.invade(core)
        self.nation = random.choice(list(scene.nation.values()) if random.random() < 0.2 else scene.acting())
        self.nation.a_foreign_war = random.random() < 0.1
        for each in scene.things["leader"].values():
            if each.at.kind == "box" and random.random() < 0.3:
                each.a_fallen_in = random.randint(1, core.world.state.a_turn)
                core.world.place(each, each.a_nation.a_fallen)
        return partial(core.rule("procedures/reinforce"), self.nation)

    def preferred(self, address: str, options: list[Any]) -> int:
        if address == "reinforce.operations" and len(options) > 1:
            return self.random.randrange(len(options) - 1)
        return super().preferred(address, options)

    def predict(self) -> None:
        self.table.reinforce(self.nation.id)


class DrawStep(Invaded):
    def start(self, core: Any) -> Callable[[], Any]:
        self.invade(core)
        for each in self.scene.nation.values():
            each.a_gave_up, each.a_fewer_cards = self.random.random() < 0.2, int(self.random.random() < 0.1)
        return partial(core.rule("procedures/draw_step"))

    def predict(self) -> None:
        self.table.draw_cards()


class ReserveStep(Invaded):
    def start(self, core: Any) -> Callable[[], Any]:
        self.invade(core)
        for each in self.scene.things["squadron"].values():
            chance = self.random.random()
            if chance < 0.1:
                core.world.place(each, self.scene.things["box"]["fleet_box"])
            elif chance < 0.3:
                core.world.place(each, self.random.choice(list(self.scene.things["sea"].values())))
        return partial(core.rule("procedures/reserve_step"))

    def predict(self) -> None:
        self.table.end_turn()


@pytest.mark.parametrize(
    ("procedure", "states", "questions"),
    [
        (AttritionStep, 15, {"attrition_step.mark"}),
        (SquadronStep, 5, set[str]()),
        (
            ReinforcementStep,
            30,
            {"build_unit.area", "build_leader.area", "regroup_unit.number", "deploy.there", "deploy.number"},
        ),
        (DrawStep, 10, {"exchange_draw.exchange"}),
        (ReserveStep, 15, {"come_in.there"}),
    ],
)
def test_steps_follow_the_clauses(procedure: type[Invaded], states: int, questions: set[str]) -> None:
    """Every question, die, piece, card and marker agrees; the oracle was run over some hundreds."""
    assert questions <= follow(procedure, states)
