"""CP, + cards, marches, reactions, peace, pre-emption and excess cards, followed by plain Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from test_fight_card_oracle import PLAYS, Battle, follow


class Points(Battle):
    """A card for its CP, what others take off it, and a + card."""

    windows = frozenset({"card_play", "impulse"})

    def start(self, core: Any) -> Callable[[], Any]:
        self.arm(core, [each.id for each in self.scene.acting()])
        card = self.random.choice(list(self.scene.things["card"].values()))
        core.world.place(card, self.nation.a_hand)
        self.card = card.id
        return partial(core.rule("procedures/play_points_card"), self.nation, card)

    def predict(self) -> None:
        self.table.spend(self.card, self.nation.id)


class Peace(Battle):
    """Step 5."""

    windows = frozenset({"peace", "card_play"})

    def start(self, core: Any) -> Callable[[], Any]:
        self.arm(core, [each.id for each in self.scene.acting()])
        core.world.state.a_one_victor_a_side = self.random.random() < 0.3
        return partial(core.rule("procedures/peace_step"))

    def predict(self) -> None:
        assert self.winners() == [*filter(None, [self.table.peace()])]


class Marker(Battle):
    """The marker of the track, and who takes the next impulse."""

    windows = frozenset({"impulse"})

    def start(self, core: Any) -> Callable[[], Any]:
        acting = [each.id for each in self.scene.acting()]
        self.arm(core, self.random.choices(acting, k=2) if self.random.random() < 0.7 else acting)
        return partial(core.rule("procedures/move_marker"), self.nation)

    def predict(self) -> None:
        self.table.move_marker(self.nation.id)


class Excess(Battle):
    """Step 9 of a nation with a full hand."""

    def start(self, core: Any) -> Callable[[], Any]:
        cards = list(self.scene.things["card"].values())
        for each in self.random.sample(cards, self.nation.a_most_hand + self.random.randint(0, 3)):
            core.world.place(each, self.nation.a_hand)
        core.world.state.a_points = 0
        return partial(core.rule("procedures/drop_excess"), self.nation)

    def predict(self) -> None:
        self.table.drop_excess(self.nation.id)
        assert len(self.table.hand(self.nation.id)) <= self.nation.a_most_hand


class Evasion(Battle):
    """A force evades an enemy who comes."""

    windows = frozenset({"evasion", "card_play", "attrition"})
    procedure = "evade"

    def start(self, core: Any) -> Callable[[], Any]:
        super().start(core)
        things = self.scene.things["area"]
        _, here, field = self.call
        self.faced = any(each.at is things[field] for each in self.foes())
        if not self.faced:
            return lambda: iter(())
        return partial(core.rule(f"procedures/{self.procedure}"), self.nation, things[here], things[field])

    def predict(self) -> None:
        nation, here, field = self.call
        if self.faced:
            self.table.evade(nation, here, field)

    def foes(self) -> list[Any]:
        sides = self.scene.side
        mine = sides[self.nation.id]
        return [each for each in self.scene.things["unit"].values() if sides[each.a_nation.id] not in (mine, "neutral")]


class Interception(Evasion):
    """An army intercepts into a neighbouring area."""

    windows = frozenset({"interception", "card_play", "attrition"})
    procedure = "intercept"

    def start(self, core: Any) -> Callable[[], Any]:
        started = super().start(core)
        nation, here, _ = self.call
        self.muster(core, [nation], self.scene.area[here])
        return started

    def predict(self) -> None:
        nation, here, field = self.call
        if self.faced:
            self.table.intercept(nation, here, field)


class Stride(Battle):
    """A force enters an area without a fortress and without enemies in it or beside it."""

    windows = frozenset({"movement", "card_play", "attrition"})

    def start(self, core: Any) -> Callable[[], Any]:
        super().start(core)
        scene, state = self.scene, core.world.state
        nation, here, there = self.call
        side = scene.side[nation]
        around = {there, *scene.beside(there)}
        for kind in ("unit", "leader"):
            for each in scene.things[kind].values():
                foe = scene.side[each.a_nation.id] != side
                if each.at is scene.area[here] or (foe and each.at.id in around):
                    core.world.place(each, each.a_nation.a_pool)
        self.muster(core, [nation], scene.area[here])
        for kind in ("unit", "leader"):
            for each in scene.things[kind].values():
                each.a_marching = each.at is scene.area[here]
        self.entered = self.random.randint(0, 5)
        state.a_column_at, state.a_strides = scene.area[here], self.entered
        holder = scene.nation[self.random.choice([each for each in scene.side if scene.side[each] != "neutral"])]
        scene.area[there].a_marker = None if scene.area[there].a_home is holder else holder
        if scene.area[there].a_fortress or not self.units_at(here):
            self.call = ("", "", "")
            return lambda: iter(())
        return partial(core.rule("procedures/stride"), self.nation, scene.area[there])

    def units_at(self, area: str) -> list[Any]:
        return [each for each in self.scene.things["unit"].values() if each.at.id == area]

    def predict(self) -> None:
        if self.call[0]:
            nation, here, there = self.call
            self.table.stride(nation, here, there, self.entered)


@pytest.mark.parametrize(
    ("procedure", "number", "questions"),
    [
        (Points, 30, {"contest.reply", "add_plus.added"}),
        (Peace, 30, {"vote.vote", "give_up.giver"}),
        (Marker, 60, {"move_marker.preempt"}),
        (Excess, 40, {"drop_excess.trade", "drop_excess.dropped", "move_diplomat.minor", "court.favour"}),
        (Evasion, 30, {"evade.to"}),
        (Interception, 30, {"intercept.chosen"}),
        (Stride, 30, {"answer.card"}),
    ],
)
def test_procedures_with_cards_follow_the_clauses(procedure: type[Battle], number: int, questions: set[str]) -> None:
    """Every question, die and change agrees; the oracle was run over some thousands."""
    asked: set[str] = set()
    for seed in range(number):
        followed = procedure(f"{procedure.__name__} {seed}")
        followed.check()
        asked |= followed.addresses
    assert questions <= asked


@pytest.mark.parametrize(
    ("procedure", "card"),
    [
        (Points, "courier_taken"),
        (Peace, "peace_party"),
        (Evasion, "slip_away"),
        (Interception, "marched_all_night"),
        (Interception, "blunder"),
        (Stride, "lost_orders"),
        (Stride, "bad_roads"),
        (Stride, "bridges_burnt"),
    ],
)
def test_a_card_does_in_its_window_what_its_text_says(procedure: type[Battle], card: str) -> None:
    assert follow(procedure, card) == PLAYS
