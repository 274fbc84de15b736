"""Sailing of The Napoleonic Wars in plain Python (r.13.1 to r.13.4)."""

from __future__ import annotations

from plain_battles import Battles
from plain_ground import GATES, OTHER_SIDE


class Voyages(Battles):
    """Squadrons sail for CP, and fight on the way."""

    def fleet_places(self, nation: str) -> list[str]:
        return [each for each in [*self.area, *self.seas] if self.squadrons(each, nation)]

    def squadrons(self, place: str, nation: str) -> list[str]:
        return [q for q, owner in self.ships.items() if self.at[q] == place and owner == nation and self.ready[q]]

    def gate_open(self, nation: str, here: str, there: str, number: int) -> bool:
        """Whether the passage is open to this number of squadrons (r.13.4)."""
        gate = GATES.get(frozenset((here, there)))
        if gate is None or not self.enemy(gate, nation):
            return True
        guard = self.side[self.control[gate]]
        return number >= 2 + sum(len(self.fleet(each, guard)) for each in (here, there, gate))

    def sail_ways(self, nation: str, place: str, number: int) -> list[str]:
        if place in self.area:
            return self.ports[place]
        foe = OTHER_SIDE[self.side[nation]]
        seas = [each for each in self.sea_neighbours(place) if self.gate_open(nation, place, each, number)]
        ports = [each for each in self.area if place in self.ports[each]]
        guarded = [each for each in ports if self.enemy(each, nation) and self.fleet(each, foe)]
        free = [each for each in guarded if not self.truce(self.side[nation], place, each)]
        open_ports = [each for each in ports if self.own(each, nation)]
        open_ports += [each for each in free if not self.bound(nation, self.control[each])]
        return seas + open_ports

    def sail(self, nation: str) -> None:
        """Up to three steps; a port or a battle ends them (r.13.1, r.13.2)."""
        place = self.ask("sail.place", nation, self.fleet_places(nation))
        force = self.squadrons(place, nation)
        number = self.ask("sail.number", nation, range(1, min(len(force), self.points) + 1))
        self.points -= number
        side = self.side[nation]
        for _ in range(3):
            there = self.ask("sail_from.there", nation, [*self.sail_ways(nation, place, number), None])
            if there is None:
                return
            if there in self.area and self.enemy(there, nation):
                self.naval_battle(side, place, there)
                return
            for each in force[:number]:
                self.at[each] = there
            place = there
            if there in self.area:
                return
            foes = self.fleet(there, OTHER_SIDE[side])
            if foes and not self.truce(side, there, there) and self.meets(nation, self.ships[foes[0]], there):
                return

    def meets(self, nation: str, foe: str, sea: str) -> bool:
        """Whether who enters or who is there attacks the other."""
        if self.ask("arrive.attack_fleet", nation, (True, False)):
            self.naval_battle(self.side[nation], sea, sea)
            return True
        if self.ask("arrive.meet_fleet", foe, (True, False)):
            self.naval_battle(self.side[foe], sea, sea)
            return True
        return False
