"""Conquest, submission, the end of an impulse, foreign wars, changes of side and wars, followed by plain Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from invaded_games import Invaded, follow


class ConquestStep(Invaded):
    def start(self, core: Any) -> Callable[[], Any]:
        state = core.world.state
        state.a_duel = self.random.random() < 0.3
        state.a_one_victor_a_side = self.random.random() < 0.2
        if state.a_duel:
            state.a_turn, state.a_last_turn = self.random.randint(1, 2), 2
            minors = [name for name, each in self.scene.nation.items() if not each.a_major]
            self.leave_out(core, [each for each in minors if each != "spain"])
        self.invade(core)
        return partial(core.rule("procedures/conquest_step"))

    def predict(self) -> None:
        assert self.winners() == [*filter(None, [self.table.conquest()])]


class Submission(Invaded):
    def start(self, core: Any) -> Callable[[], Any]:
        self.invade(core)
        core.forget()
        able = [each for each in self.scene.nation.values() if core.rule("definitions/captor_of")(each) is not None]
        self.nation = self.random.choice(able)
        return partial(core.rule("procedures/offer_submission"), self.nation)

    def predict(self) -> None:
        self.table.offer_submission(self.nation.id)


class EndOfImpulse(Invaded):
    """Often few nations are left with cards."""

    def start(self, core: Any) -> Callable[[], Any]:
        self.invade(core)
        core.world.state.a_over = False
        self.nation = core.world.state.a_active = self.random.choice(self.scene.acting())
        rich = self.random.sample(self.scene.acting(), self.random.randint(0, 2))
        for each in self.scene.things["card"].values():
            if rich and each.at.id.endswith("_hand"):
                core.world.place(each, self.random.choice(rich).a_hand)
            elif self.random.random() < 0.1:
                core.world.place(each, self.scene.things["pile"]["discards"])
        return partial(core.rule("procedures/end_of_impulse"), self.nation)

    def predict(self) -> None:
        self.table.end_impulse(self.nation.id)


class SidesStep(Invaded):
    def start(self, core: Any) -> Callable[[], Any]:
        self.invade(core)
        for each in self.scene.nation.values():
            each.a_neutral_since = self.random.randint(0, core.world.state.a_turn)
        return partial(core.rule("procedures/sides_step"))

    def predict(self) -> None:
        self.table.change_sides()


class WarOverseas(Invaded):
    """A foreign war in step 7."""

    def start(self, core: Any) -> Callable[[], Any]:
        self.invade(core)
        self.nation = self.random.choice(list(self.scene.nation.values()))
        self.nation.a_foreign_war = self.random.random() < 0.9
        if self.random.random() < 0.7:
            for kind in ("unit", "squadron"):
                mine = [each for each in self.scene.things[kind].values() if each.a_nation is self.nation]
                for each in mine[self.random.randint(0, 2) :]:
                    core.world.place(each, self.nation.a_regroup)
        self.due = self.nation.a_foreign_war
        return partial(core.rule("procedures/send_overseas"), self.nation) if self.due else lambda: iter(())

    def predict(self) -> None:
        self.table.fight_overseas(self.nation.id)


class Paid(Invaded):
    """One operation of an impulse, if it can be paid."""

    operation = ""
    chosen = False
    offered: bool | None = None

    def start(self, core: Any) -> Callable[[], Any]:
        core.world.state.a_points = self.random.randint(1, 8)
        return partial(core.rule("procedures/operate"), self.nation)

    def preferred(self, address: str, options: list[Any]) -> int:
        if address != "operate.operations":
            return super().preferred(address, options)
        if self.offered is None:
            self.offered = self.chosen = self.operation in options
            if self.chosen:
                return options.index(self.operation)
        return options.index(None)

    def predict(self) -> None:
        assert self.offered == getattr(self.table, f"can_{self.operation}")(self.nation.id)
        self.table.questions = [each for each in self.table.questions if each.address != "operate.operations"]
        if self.chosen:
            getattr(self.table, self.operation)(self.nation.id)


class WarOverseasEnds(Paid):
    operation = "end_foreign_war"

    def start(self, core: Any) -> Callable[[], Any]:
        self.nation.a_foreign_war = self.random.random() < 0.8
        return super().start(core)


class DeclaredWar(Paid):
    operation = "declare_war"

    def start(self, core: Any) -> Callable[[], Any]:
        self.invade(core)
        state, powers = core.world.state, [each for each in self.scene.nation.values() if each.a_major]
        if self.random.random() < 0.8:
            self.nation = state.a_active = self.random.choice(
                [each for each in powers if each.a_stance.id != "neutral"]
            )
        state.a_pact_maker, state.a_pact_partner = self.random.sample(powers, 2)
        state.a_match_maker, state.a_match_partner = self.random.sample(powers, 2)
        if self.random.random() < 0.4:
            state.a_pact_impulses = self.random.choice((2, 0))
            state.a_match_turn = self.random.choice((state.a_turn, 0))
        return super().start(core)


@pytest.mark.parametrize(
    ("procedure", "states", "questions"),
    [
        (ConquestStep, 40, {"withdraw_to.there", "sail_home.there"}),
        (Submission, 20, {"offer_submission.accept", "submit.kept", "withdraw_to.there"}),
        (EndOfImpulse, 20, {"offer_submission.submit", "move_marker.preempt"}),
        (SidesStep, 15, {"sides_step.stance", "apply_to.welcome"}),
        (WarOverseas, 30, {"send_units.area", "send_ship.ship", "submit.kept"}),
        (WarOverseasEnds, 10, {"end_foreign_war.paid"}),
        (DeclaredWar, 20, {"declare_war.foe"}),
    ],
)
def test_beaten_nations_follow_the_clauses(procedure: type[Invaded], states: int, questions: set[str]) -> None:
    """Every question, die and change agrees, and who wins if the game ends; the oracle was run over some hundreds."""
    assert questions <= follow(procedure, states)
