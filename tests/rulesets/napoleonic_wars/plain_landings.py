"""Forces that go by sea to a port, with the cards of every window that opens, from the clauses (r.9.3, r.10, r.13)."""

from __future__ import annotations

from typing import Any

from plain_battle_cards import Side
from plain_port_fights import OTHER
from plain_turns import Turns


class Landings(Turns):
    """A transport to a port of the own side, or an assault on one of the enemy (r.13.6, r.13.7)."""

    assaults = False
    arriving: list[Any]

    def fits(self, card: str, nation: str, which: str, facts: dict[str, Any]) -> bool:
        """Orders are lost and roads are bad at sea, too, but no bridges burn."""
        return not (which == "movement" and card == "bridges_burnt") and super().fits(card, nation, which, facts)

    def ashore(self, place: str) -> list[Any]:
        """Those who are still in the marching force."""
        return [each for each in self.arriving if each.at is self.places[place]]

    def land(self, nation: str, here: str, there: str) -> None:
        """One entry, in the order of the flow chart (r.9.3)."""
        facts: dict[str, Any] = {"mover": nation, "played": set()}
        self.window("movement", facts)
        if "lost_orders" in facts["played"]:
            return
        self.assaults = self.enemy_area(there, nation)
        self.arriving = self.units(here, nation) + self.leaders(here, nation)
        for each in self.arriving:
            self.put(each, there)
        self.end_of_chouans(there)
        self.react(nation, here, there)
        scorched = self.area[there].a_burnt and self.hostile(self.area[there].a_home.id, nation)
        for _ in range(("bad_roads" in facts["played"]) + bool(scorched)):
            if left := self.units_ashore(there):
                self.wear(there, left)
        self.meet(nation, here, there)

    def units_ashore(self, place: str) -> list[Any]:
        return [each for each in self.ashore(place) if each.kind == "unit"]

    def react(self, nation: str, here: str, there: str) -> None:
        """Evasion, and interceptions in the order that the mover chooses (r.10.2)."""
        if self.foes(there, nation):
            self.evade(nation, here, there)
        left = [each for each in self.area if each in self.next_to[there] and self.comers(each, nation, there)]
        while left:
            area = self.ask(nation, left)
            left.remove(area)
            for foe in self.comers(area, nation, there):
                self.intercept(foe, area, there)
        self.evaded = ()

    def comers(self, area: str, mover: str, there: str) -> list[str]:
        """Enemy nations with an army in an area beside it that may go there (r.10.2)."""
        hostile = [each for each in self.track if self.hostile(each, mover) and self.interceptors(area, each)]
        return [each for each in hostile if self.crosses(area, there, each) and not self.closed(there, each)]

    def meet(self, nation: str, here: str, there: str) -> None:
        """The battle, and the siege of an army that fought none or has overrun the enemy (r.12.1)."""
        result = "overrun"
        if any(self.friends(each.a_nation.id, nation) for each in self.troops(there)):
            if self.foes(there, nation):
                result = self.battle(nation, here, there)
            else:
                self.scatter(each for each in self.leaders(there) if self.hostile(each.a_nation.id, nation))
        led = any(each.kind == "leader" for each in self.ashore(there))
        besieges = self.enemy_area(there, nation) and bool(self.area[there].a_fortress) and led
        if result == "overrun" and besieges and self.units_ashore(there):
            self.storm(there, nation)

    def crosses_hard(self, here: str, place: str) -> bool:
        """An assault is like one over a strait (r.13.7)."""
        return self.assaults

    def move_off(self, loser: Side, there: str) -> None:
        """Beaten, an assault goes back to its port and rolls (attrition.7); a transport does not roll."""
        if loser is not self.sides[0]:
            super().move_off(loser, there)
            return
        units = self.force(loser)
        for each in units + self.staff(loser):
            self.put(each, there)
        if self.assaults:
            self.wear(there, units)

    def storm(self, area: str, nation: str) -> None:
        """The siege of an army that arrives: its own commander, units and losses (r.12.1, r.12.3 to r.12.5)."""
        self.line_up("siege", area, self.side(nation), OTHER[self.side(nation)])
        attacker, defender = self.sides
        attacker.chief = self.chief_of(each for each in self.ashore(area) if each.kind == "leader")
        attacker.speaker, defender.speaker = nation, self.controller(area)
        self.stubborn, self.betrayed, self.relieved = 0, False, False
        fallen = self.siege_round(self.units_ashore(area), plain=False)
        hits = attacker.round.hits, defender.round.hits
        strength = int(self.area[area].a_fortress) + self.stubborn
        if not fallen and hits[1] < hits[0] < strength and (left := self.units_ashore(area)):
            self.number_of_round = 2
            fallen = self.siege_round(left, plain=False)
        self.kind = ""
        if fallen:
            self.take(area, nation)
        self.leave_alone(area, attacker.side)

    def lose(self, side: Side, units: list[Any], number: int) -> list[Any]:
        """In its siege the arriving army alone loses units."""
        if self.kind == "siege" and side is self.sides[0]:
            return super().lose(side, self.units_ashore(self.place), number)
        return super().lose(side, units, number)
