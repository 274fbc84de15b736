"""Fights with cards from random positions, followed by plain Python over the same dice and answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from followed_games import Followed

IN_BATTLE = frozenset({"battle_dice", "after_round", "rout", "card_play", "attrition"})


class Battle(Followed):
    """A field battle between forces of one or two nations a side, with hands full of cards."""

    windows = IN_BATTLE
    call: tuple[str, ...]
    scene_of_action: tuple[Any, ...] = ()
    defender: str | None = None

    def start(self, core: Any) -> Callable[[], Any]:
        scene, random = self.scene, self.random
        warring = [name for name, side in scene.side.items() if side != "neutral"]
        side = random.choice(("imperial", "coalition"))
        self.nation = scene.nation[random.choice(self.makers([each for each in warring if scene.side[each] == side]))]
        field = random.choice([each for each in scene.area.values() if len(scene.beside(each.id)) > 1])
        self.scene_of_action = (field,)
        here = scene.area[random.choice(scene.beside(field.id))]
        for each in (*scene.things["unit"].values(), *scene.things["leader"].values()):
            foe = scene.side[each.a_nation.id] != side
            if each.at is field or (each.at is here and foe):
                core.world.place(each, each.a_nation.a_pool)
        self.muster(core, [self.nation.id, *(each for each in warring if scene.side[each] == side)], field)
        foes = [each for each in warring if scene.side[each] not in (side, "neutral")]
        self.muster(core, [*self.makers(foes), *foes], field)
        self.arm(core, warring)
        self.failed = random.random() < 0.2
        core.world.state.a_active, core.world.state.a_evasion_failed = self.nation, self.failed
        self.call = (self.nation.id, here.id, field.id)
        return partial(core.rule("procedures/battle"), self.nation, here, field)

    def muster(self, core: Any, nations: list[str], field: Any) -> None:
        """Puts units, and often leaders, of one or two nations into the area."""
        pieces = [each for kind in ("unit", "leader") for each in self.scene.things[kind].values()]
        for nation in list(dict.fromkeys(nations))[: self.random.randint(1, 2)]:
            mine = [each for each in pieces if each.a_nation.id == nation and each.at.kind == "box"]
            units = [each for each in mine if each.kind == "unit"][: self.random.randint(1, 6)]
            leaders = [each for each in mine if each.kind == "leader"]
            great = [each for each in leaders if each.a_great and self.random.random() < 0.5]
            chosen = great or self.random.sample(leaders, min(len(leaders), self.random.randint(0, 2)))
            for each in units + chosen:
                core.world.place(each, field)

    def arm(self, core: Any, nations: list[str]) -> None:
        """Deals cards that can be played in such a fight, and leaves some reserves unused."""
        for nation in nations:
            self.scene.nation[nation].a_reserve_used = self.random.random() < 0.6
        cards = [each for each in self.scene.things["card"].values() if self.windows & {it.id for it in each.a_windows}]
        for each in self.scene.things["card"].values():
            core.world.place(each, self.scene.things["pile"]["deck"])
        for each in self.random.sample(cards, self.random.randint(0, len(cards))):
            core.world.place(each, self.scene.nation[self.random.choice(nations)].a_hand)
        if self.star:
            present = {each.a_nation.id for each in self.pieces() if each.at in self.scene_of_action}
            able = self.makers(nations)
            holder = self.defender if self.star in OF_THE_BESIEGED else None
            holder = holder or self.random.choice([each for each in able if each in present] or able)
            core.world.place(self.scene.things["card"][self.star], self.scene.nation[holder].a_hand)

    def makers(self, nations: list[str]) -> list[str]:
        """The nations that may play the star."""
        by = {each.id for each in self.scene.things["card"][self.star].a_by} if self.star else set[str]()
        return [each for each in nations if each in by] or nations

    def pieces(self) -> list[Any]:
        return [each for kind in ("unit", "leader", "squadron") for each in self.scene.things[kind].values()]

    def predict(self) -> None:
        self.table.evasion_failed = self.failed
        nation, here, field = self.call
        self.table.battle(nation, here, field)


class Siege(Battle):
    """A siege by a nation that stands before a fortress."""

    windows = frozenset({"siege_dice", "card_play"})

    def start(self, core: Any) -> Callable[[], Any]:
        scene, random = self.scene, self.random
        warring = [name for name, side in scene.side.items() if side != "neutral"]
        side = random.choice(("imperial", "coalition"))
        self.nation = scene.nation[random.choice([each for each in warring if scene.side[each] == side])]
        foes = [each for each in warring if scene.side[each] not in (side, "neutral")]
        ports = self.star == "relieved_by_sea"
        field = random.choice([each for each in scene.area.values() if each.a_fortress and (each.a_ports or not ports)])
        self.scene_of_action = (field,)
        for each in (*scene.things["unit"].values(), *scene.things["leader"].values()):
            if each.at is field:
                core.world.place(each, each.a_nation.a_pool)
        holder = scene.nation[random.choice(foes)]
        field.a_marker = None if field.a_home is holder else holder
        self.defender = holder.id
        if ports:
            self.patrol(core, next(iter(field.a_ports)), holder)
        self.muster(core, [self.nation.id, *(each for each in warring if scene.side[each] == side)], field)
        self.arm(core, warring)
        core.world.state.a_active = self.nation
        self.call = (field.id, self.nation.id)
        core.forget()
        self.stands = bool(core.rule("definitions/siege_stands")(field, self.nation))
        return partial(core.rule("procedures/resume_siege"), field, self.nation) if self.stands else lambda: iter(())

    def predict(self) -> None:
        if self.stands:
            field, nation = self.call
            self.table.siege(field, nation)

    def patrol(self, core: Any, sea: Any, nation: Any) -> None:
        """Gives a sea zone to a nation's side."""
        ships = [each for each in self.scene.things["squadron"].values() if each.at is sea]
        mine = [each for each in self.scene.things["squadron"].values() if each.a_nation is nation][:1]
        for each in ships:
            core.world.place(each, each.a_nation.a_pool)
        for each in mine:
            each.a_state = core.find("readiness", "ready")
            core.world.place(each, sea)


class NavalBattle(Battle):
    """A naval battle at sea or before a port."""

    windows = frozenset({"naval_dice", "card_play"})

    def start(self, core: Any) -> Callable[[], Any]:
        scene, random = self.scene, self.random
        warring = [name for name, side in scene.side.items() if side != "neutral"]
        side = random.choice(("imperial", "coalition"))
        sea = random.choice(list(scene.things["sea"].values()))
        ports = [each for each in scene.area.values() if sea in each.a_ports]
        there = random.choice([sea, random.choice(ports)])
        fleets = {True: list[Any](), False: list[Any]()}
        for each in scene.things["squadron"].values():
            if scene.side[each.a_nation.id] != "neutral" and random.random() < 0.4:
                fleets[scene.side[each.a_nation.id] == side].append(each)
            if each.at in (sea, there):
                core.world.place(each, each.a_nation.a_pool)
        for mine, ships in fleets.items():
            for each in ships[: random.randint(1, 6)]:
                each.a_state = core.find("readiness", "ready")
                core.world.place(each, sea if mine else there)
        self.scene_of_action = (sea, there)
        self.arm(core, warring)
        self.nation = scene.nation[random.choice(warring)]
        core.world.state.a_active = self.nation
        self.call = (side, sea.id, there.id)
        return partial(core.rule("procedures/naval_battle"), core.find("side", side), sea, there)

    def predict(self) -> None:
        side, here, there = self.call
        self.table.naval_battle(side, here, there)


FIELD = [
    "to_the_death",
    "the_old_guard",
    "grand_battery",
    "reserve_artillery",
    "horse_artillery",
    "cuirassiers",
    "hussars_in_pursuit",
    "grenadiers",
    "skirmishers",
    "column_of_attack",
    "reverse_slope",
    "thin_red_line",
    "oblique_order",
    "russian_tenacity",
    "envelopment",
    "sun_of_austerlitz",
    "fog_and_snow",
    "hold_the_village",
    "night_march",
    "in_squares",
    "rally",
    "march_to_the_guns",
    "broken_cipher",
    "rearguard",
    "quarrelling_marshals",
    "a_general_falls",
    "short_of_powder",
    "foraging",
    "cossacks",
]
FORTRESS = [
    "siege_train",
    "engineers",
    "treachery_at_the_gate",
    "sortie",
    "stubborn_governor",
    "relieved_by_sea",
    "grand_battery",
    "reserve_artillery",
    "grenadiers",
    "short_of_powder",
]
SEA = ["the_weather_gauge", "the_nelson_touch", "fireships"]
OF_THE_BESIEGED = {"sortie", "stubborn_governor", "relieved_by_sea"}
PLAYS = 2
"""The fights with each card; the oracle was run over some thousands."""
MOST_TRIES = 150


def follow(fight: type[Battle], card: str) -> int:
    """Follows fights until the card was played in some; every question, die, piece, marker and card agrees.

    Returns in how many the card was played.
    """
    played = 0
    for seed in range(MOST_TRIES):
        followed = fight(f"{fight.__name__} {card} {seed}", card)
        followed.check()
        played += followed.starred
        if played == PLAYS:
            break
    return played


@pytest.mark.parametrize(
    ("fight", "card"),
    [(Battle, each) for each in FIELD] + [(Siege, each) for each in FORTRESS] + [(NavalBattle, each) for each in SEA],
)
def test_a_card_does_in_a_fight_what_its_text_says(fight: type[Battle], card: str) -> None:
    assert follow(fight, card) == PLAYS
