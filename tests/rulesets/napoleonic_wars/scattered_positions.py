"""Random positions of The Napoleonic Wars, and dice that remember their faces."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from plain_ground import OTHER_SIDE

from interpreter import load_ruleset
from interpreter.play.inputs.dice import Dice


@cache
def rules() -> Any:
    return load_ruleset(Path(__file__).resolve().parents[3] / "rulesets" / "napoleonic_wars")


class RecordedDice(Dice):
    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self.faces: list[int] = []

    def roll(self, site: Any, count: int, faces: Sequence[int]) -> list[int]:
        rolled = super().roll(site, count, faces)
        self.faces += [faces[each] for each in rolled]
        return rolled


@cache
def slots(kind: type) -> tuple[str, ...]:
    """The slots of the attributes of a thing, by its class."""
    return tuple([each for each in dir(kind) if each.startswith("a_")])


def kinds_of(core: Any) -> dict[str, dict[str, Any]]:
    things: dict[str, dict[str, Any]] = {}
    for each in core.world.objects:
        things.setdefault(each.kind, {})[each.id] = each
    return things


class Scattering:
    """A random position: sides, markers, forces and fleets anywhere, but no enemies in one area."""

    def __init__(self, core: Any, random: Random) -> None:
        self.core, self.random, self.things = core, random, kinds_of(core)
        self.nation, self.area = self.things["nation"], self.things["area"]
        self.take_sides()
        self.side = {name: self.side_of(each) for name, each in self.nation.items()}
        self.place_markers()
        self.place_forces()
        self.place_fleets()
        core.forget()

    def take_sides(self) -> None:
        majors = [each for each in self.nation.values() if each.a_major]
        for each in majors:
            side = self.random.choices(("imperial", "coalition", "neutral"), (1, 5, 2))[0]
            each.a_stance = self.core.find("side", "imperial" if each.id == "france" else side)
        self.nation["austria"].a_stance = self.core.find("side", "coalition")
        patrons = [each for each in majors if each.a_stance.id != "neutral"]
        for each in self.nation.values():
            each.a_reserve_used, each.a_resources = True, self.random.randint(0, 4)
            if not each.a_major:
                allied = self.random.random() < 0.6
                each.a_patron = self.random.choice(patrons) if allied else None
                each.a_attitude = self.core.find("attitude", "alliance" if allied else "undecided")

    def side_of(self, nation: Any) -> str:
        power = nation if nation.a_major else nation.a_patron
        return str(power.a_stance.id) if power else "neutral"

    def place_markers(self) -> None:
        share = self.random.choice((0.05, 0.3))
        at_war = [name for name, side in self.side.items() if side != "neutral"]
        self.control = {}
        for name, each in self.area.items():
            holder = self.random.choice(at_war) if self.random.random() < share else each.a_home.id
            if self.side[each.a_home.id] == "neutral":
                holder = each.a_home.id
            each.a_marker = None if holder == each.a_home.id else self.nation[holder]
            self.control[name] = holder

    def place_forces(self) -> None:
        density, front, share = (self.random.choice(each) for each in ((0.15, 0.4, 0.8), (0.1, 0.35), (0.3, 0.6, 0.9)))
        ground = {name: self.side[holder] for name, holder in self.control.items() if self.random.random() < density}
        for name in ground:
            if self.random.random() < front:
                ground[name] = OTHER_SIDE[ground[name]]
        for kind in ("unit", "leader"):
            for each in self.things[kind].values():
                owner = each.a_nation
                spots = [name for name, side in ground.items() if side == self.side[owner.id] != "neutral"]
                crowded = spots[: max(2, len(spots) // 4)] if self.random.random() < 0.7 else spots
                there = self.area[self.random.choice(crowded)] if spots and self.random.random() < share else None
                self.core.world.place(each, there or owner.a_regroup)
                each.a_used, each.a_marching = self.random.random() < 0.1, False
                if kind == "leader":
                    each.a_failed = self.random.random() < 0.1

    def place_fleets(self) -> None:
        for each in self.things["squadron"].values():
            owner = each.a_nation
            each.a_sailing, each.a_state = False, self.core.find("readiness", "ready")
            ports = [each for name, each in self.area.items() if self.may_harbour(name, owner.id)]
            chance = self.random.random()
            if chance < 0.4 and self.side[owner.id] != "neutral":
                self.core.world.place(each, self.random.choice(list(self.things["sea"].values())))
            elif chance < 0.8 and ports:
                there = self.random.choice(ports)
                self.core.world.place(each, there)
                if there.a_home is owner and self.random.random() < 0.3:
                    each.a_state = self.core.find("readiness", "refit")
            else:
                self.core.world.place(each, owner.a_regroup)
                each.a_state = self.core.find("readiness", "refit")

    def may_harbour(self, area: str, nation: str) -> bool:
        holder = self.control[area]
        friendly = holder == nation or self.side[holder] == self.side[nation] != "neutral"
        return bool(self.area[area].a_ports) and friendly
