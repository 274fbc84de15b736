"""Positions, scattered or from random games, in which enemies hold capitals and home keys of some nations."""

from __future__ import annotations

from typing import Any

from followed_games import Followed
from plain_ground import OTHER_SIDE
from plain_interphase import Interphase
from played_positions import PlayedPosition

FROM_GAMES = 0.25
"""The share of positions that are taken from random games."""


class Invaded(Followed):
    """A procedure of the game in such a position."""

    table: Interphase
    table_kind = Interphase

    def position(self, core: Any) -> Any:
        return PlayedPosition(core, self.random) if self.random.random() < FROM_GAMES else super().position(core)

    def invade(self, core: Any) -> None:
        """Gives home areas to enemies, with their fleets in the ports."""
        scene, random = self.scene, self.random
        at_war = [name for name, side in scene.side.items() if side != "neutral"]
        for victim in random.sample(at_war, min(len(at_war), random.randint(1, 3))):
            foes = [each for each in at_war if scene.side[each] == OTHER_SIDE[scene.side[victim]]]
            if not foes:
                continue
            lead, share = random.choice(foes), random.choice((0.3, 0.6, 0.9))
            for each in scene.area.values():
                if each.a_home.id == victim and (random.random() < share or each is scene.nation[victim].a_capital):
                    holder = lead if random.random() < 0.6 else random.choice(foes)
                    each.a_marker, each.a_raised = scene.nation[holder], False
        for each in scene.things["squadron"].values():
            if each.at.kind == "area" and self.foreign(each):
                core.world.place(each, random.choice(list(each.at.a_ports)))
                each.a_state = core.find("readiness", "ready")
            elif each.at.kind == "box" and random.random() < 0.3:
                ports = [it for it in scene.area.values() if it.a_marker is each.a_nation and it.a_ports]
                if ports:
                    core.world.place(each, random.choice(ports))
                    each.a_state = core.find("readiness", "ready")

    def leave_out(self, core: Any, nations: list[str]) -> None:
        """Takes minor nations out of the war, as in the duel."""
        for each in nations:
            self.scene.side[each] = "neutral"
            self.scene.nation[each].a_patron = None
            self.scene.nation[each].a_attitude = core.find("attitude", "undecided")
        for each in self.scene.area.values():
            if (each.a_marker and each.a_marker.id in nations) or each.a_home.id in nations:
                each.a_marker = None
        for kind in ("unit", "leader", "squadron"):
            for each in self.scene.things[kind].values():
                if each.a_nation.id in nations or (each.at.kind == "area" and each.at.a_home.id in nations):
                    core.world.place(each, each.a_nation.a_pool)

    def foreign(self, ship: Any) -> bool:
        """Whether a squadron lies in a port that its side does not hold."""
        side, holder = self.scene.side, (ship.at.a_marker or ship.at.a_home).id
        friends = side[holder] == side[ship.a_nation.id] != "neutral"
        return not (friends or holder == ship.a_nation.id)


def follow(procedure: type[Invaded], states: int) -> set[str]:
    """Follows the procedure in some states and gives the questions that were compared."""
    asked: set[str] = set()
    for seed in range(states):
        followed = procedure(f"{procedure.__name__} {seed}")
        followed.check()
        asked |= followed.addresses
    return asked
