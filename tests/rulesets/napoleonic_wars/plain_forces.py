"""Marches, landings, evasion and interception of The Napoleonic Wars in plain Python (r.9, r.10, r.13)."""

from __future__ import annotations

from typing import Any

from plain_ground import OTHER_SIDE, half
from plain_voyages import Voyages

MOST_STRIDES = 40
"""The marches of the game end after this number of orders; r.9.1 sets no limit."""


class Marches(Voyages):
    """A nation spends CP on marches, voyages and control markers; it is asked what it may choose."""

    def __init__(self, things: dict[str, dict[str, Any]], active: str, points: int) -> None:
        super().__init__(things, active, points)
        self.column: list[str] = []
        self.evaded: list[str] = []
        self.place = self.track[0]
        self.strides, self.halted, self.untiring, self.convoy = 0, False, False, False

    def operate(self, nation: str) -> None:
        while self.points > 0:
            offers: list[str | None] = []
            if self.march_areas(nation):
                offers.append("march")
            if self.fleet_places(nation):
                offers.append("sail")
            unmarked = [each for each in self.passed if self.enemy(each, nation) and not self.foes_at(each, nation)]
            if unmarked:
                offers.append("place_marker")
            chosen = self.ask("operate.operations", nation, [*offers, None])
            if chosen is None:
                return
            if chosen == "march":
                self.march(nation)
            elif chosen == "sail":
                self.sail(nation)
            else:
                area = self.ask("place_marker.area", nation, unmarked)
                self.points -= 1
                self.take(area, nation)

    # ---------------------------------------------------------------- who marches
    def idle_units(self, area: str, nation: str) -> list[str]:
        return [each for each in self.units_of(area, nation) if each not in self.used]

    def idle_leaders(self, area: str, nation: str) -> list[str]:
        return [
            each
            for each in self.leader
            if self.at[each] == area and self.owner(each) == nation and each not in self.used
        ]

    def spare(self, area: str, nation: str) -> int:
        """How many units may leave, since some must watch an enemy fortress (r.9.6)."""
        watch = half(self.fortress[area]) if self.enemy(area, nation) else 0
        stay = [each for each in self.units_at(area, nation) if each not in self.column]
        return min(len(self.idle_units(area, nation)), max(0, len(stay) - watch))

    def march_areas(self, nation: str) -> list[str]:
        return [each for each in self.area if self.spare(each, nation) or self.idle_leaders(each, nation)]

    def room(self, leaders: list[str]) -> int:
        """The units that an army group can lead (r.2.1)."""
        chief = self.chief(leaders)
        if chief is None:
            return 3
        others = [each for each in leaders if each != chief]
        return self.command(chief) - len(others) + sum(map(self.command, others))

    def led(self, leaders: list[str]) -> bool:
        chief = self.chief(leaders)
        return chief is not None and len(leaders) - 1 <= self.command(chief)

    def led_by_one(self, leaders: list[str]) -> list[str]:
        """The commander with as many of the others as he can command."""
        chief = self.chief(leaders)
        assert chief is not None
        return [chief, *[each for each in leaders if each != chief][: self.command(chief)]]

    def commands(self, nation: str, leaders: list[str]) -> bool:
        chief = self.chief(leaders)
        return chief is not None and self.owner(chief) == nation

    def enlist(self, pieces: list[str]) -> None:
        self.column += pieces
        self.used |= set(pieces)

    def marching_units(self) -> list[str]:
        return [each for each in self.column if each in self.units and self.at[each] == self.place]

    def marching_leaders(self) -> list[str]:
        return [each for each in self.column if each in self.leader and self.at[each] == self.place]

    def muster(self, nation: str, area: str) -> None:
        """Chooses the force and pays for it (r.5.1.5)."""
        idle, spare = self.idle_leaders(area, nation), self.spare(area, nation)
        if not spare:
            self.enlist([self.ask("muster.lone", nation, idle)])
            self.points -= 1
            return
        chosen: list[str] = []
        first = self.chief(idle)
        most = max(1, min(self.points - 1, spare, self.command(first) + 1)) if first else 0
        while len(chosen) < min(most, len(idle)):
            leader = self.ask("muster.chosen", nation, [*(each for each in idle if each not in chosen), None])
            if leader is None:
                break
            chosen.append(leader)
        free = self.idle_units(area, nation)
        if not chosen:
            number = self.ask("form.loose", nation, range(1, min(3, spare) + 1))
            self.enlist(free[:number])
            self.points -= 1
            return
        chosen = self.led_by_one(chosen)
        top = min(spare, self.room(chosen)) if self.points > 1 else 0
        least = len(chosen) if len(chosen) > 1 else 0
        number = self.ask("form.number", nation, range(min(least, top), top + 1))
        self.enlist(chosen + free[:number])
        self.points -= 1 + (len(chosen) if number else 0)
        if number:
            self.call_comrades(nation, area, chosen)

    def camps(self, nation: str) -> list[str]:
        return [each for each in self.area if self.idle_leaders(each, nation) and self.spare(each, nation)]

    def free_army(self, nation: str, most: int, budget: int) -> None:
        """An army, or an army group, is activated for nothing (c.21, c.30, c.31, c.32)."""
        camps = self.camps(nation)
        place = self.ask("free_army.area", nation, [*camps, None]) if camps else None
        if place is None:
            return
        self.place = str(place)
        chosen: list[str] = []
        idle = self.idle_leaders(self.place, nation)
        chief = self.chief(idle)
        assert chief is not None
        most = min(most, len(idle), self.spare(self.place, nation), self.command(chief) + 1)
        while len(chosen) < most:
            leader = self.ask("free_army.chosen", nation, [*(each for each in idle if each not in chosen), None])
            if leader is None:
                break
            chosen.append(leader)
        if chosen:
            chosen = self.led_by_one(chosen)
            top = min(self.spare(self.place, nation), self.room(chosen))
            number = self.ask("form.number", nation, range(len(chosen), top + 1))
            self.enlist(chosen + self.idle_units(self.place, nation)[:number])
            self.points = budget - 1 - len(chosen)
            self.call_comrades(nation, self.place, chosen)
            self.points = 0
            self.march_on(nation)

    def quays(self, nation: str) -> list[str]:
        """Ports of the own side from which a force can sail to another port (c.90)."""
        ports = [each for each in self.march_areas(nation) if self.own(each, nation)]
        return [each for each in ports if any(self.open_to(there, nation) for there in self.shores(each, nation, 0))]

    def sail_in_convoy(self, nation: str) -> None:
        """A force that may march is shipped for nothing, 2 units more than else (c.90)."""
        quays = self.quays(nation)
        place = self.ask("free_march.area", nation, [*quays, None]) if quays else None
        if place is None:
            return
        self.place, self.points = str(place), 8
        self.muster(nation, self.place)
        self.points, self.convoy = 0, True
        self.march_on(nation)

    def call_comrades(self, nation: str, area: str, chosen: list[str]) -> None:
        """Leaders of friends serve under the commander, if their players agree (r.2.2)."""
        chief = self.chief(chosen)
        assert chief is not None
        posts = self.command(chief) + 1 - len(chosen)
        room = min(self.points, self.room(chosen) - len(self.marching_units()), posts)
        rank = self.command(chief), self.rating(chief)
        able = [
            each
            for each in self.leaders_at(area, nation)
            if self.owner(each) != nation
            and each not in self.used
            and (self.command(each), self.rating(each)) <= rank
            and self.spare(area, self.owner(each))
        ]
        asked: list[str] = []
        while len(asked) < min(room, len(able)):
            leader = self.ask("join_comrades.asked", nation, [*(each for each in able if each not in asked), None])
            if leader is None:
                break
            asked.append(leader)
        for leader in asked:
            friend = self.owner(leader)
            spare = self.spare(area, friend)
            if not spare:
                continue
            same = self.power[friend] == self.power[nation]
            if same or self.ask("join_comrades.serve", friend, (True, False)):
                most = min(self.command(leader), spare)
                number = self.ask("join_comrades.number", friend, range(1, most + 1))
                self.enlist([leader, *self.idle_units(area, friend)[:number]])
                self.points -= 1

    # ---------------------------------------------------------------- on the way
    def march(self, nation: str) -> None:
        self.place = self.ask("march.area", nation, self.march_areas(nation))
        self.strides = 0
        self.muster(nation, self.place)
        self.march_on(nation)

    def march_on(self, nation: str) -> None:
        self.strides, self.halted = 0, False
        for _ in range(MOST_STRIDES):
            if self.halted or not self.column or not self.order(nation):
                break
        if self.marching_units() and self.strides:
            self.occupy(self.place, self.taker(nation))
        self.column = []

    def taker(self, nation: str) -> str:
        chief = self.chief(self.marching_leaders())
        return self.owner(chief) if chief else nation

    def order(self, nation: str) -> bool:
        """Carries out one order; gives whether there was one."""
        units, leaders = self.marching_units(), self.marching_leaders()
        ways, landings = self.ways(nation), self.landings(nation)
        take = min(self.spare(self.place, nation), self.room(leaders) - len(units))
        joins = [each for each in self.idle_leaders(self.place, nation) if self.can_join(each)]
        leave = len(units) - max(1, len(leaders))
        parts = [each for each in leaders if self.can_part(each, nation)]
        on_the_way = self.strides > 0
        offers = {
            "go": bool(ways),
            "embark": bool(landings),
            "take_units": on_the_way and take > 0,
            "take_leader": on_the_way and self.points > 0 and bool(joins),
            "drop_units": on_the_way and leave > 0,
            "drop_leader": on_the_way and bool(parts),
        }
        chosen = self.ask("march_step.march_orders", nation, [*(each for each in offers if offers[each]), None])
        if chosen == "go":
            self.stride(nation, self.ask("go.there", nation, ways))
        elif chosen == "embark":
            there = self.ask("embark.there", nation, landings)
            self.points -= not self.convoy
            self.advance(nation, there, 0, by_sea=True)
            self.halted = True
        elif chosen == "take_units":
            number = self.ask("take_units.number", nation, range(1, take + 1))
            self.enlist(self.idle_units(self.place, nation)[:number])
        elif chosen == "take_leader":
            self.enlist([self.ask("take_leader.leader", nation, joins)])
            self.points -= 1
        elif chosen == "drop_units":
            number = self.ask("drop_units.number", nation, range(1, leave + 1))
            for each in self.share("drop_units.share", nation, units, number):
                self.column.remove(each)
            self.occupy(self.place, self.taker(nation))
        elif chosen == "drop_leader":
            self.column.remove(self.ask("drop_leader.leader", nation, parts))
        return chosen is not None

    def can_join(self, leader: str) -> bool:
        group = [*self.marching_leaders(), leader]
        return len(group) <= len(self.marching_units()) and self.led(group) and self.commands(self.owner(leader), group)

    def can_part(self, leader: str, nation: str) -> bool:
        group = [each for each in self.marching_leaders() if each != leader]
        return self.commands(nation, group) and self.room(group) >= len(self.marching_units())

    def may_enter(self, area: str, nation: str) -> bool:
        """No neutral land, and leaders do not fight alone (r.9.8, r.11.1)."""
        force = {self.units[each] for each in self.marching_units()} | set(map(self.owner, self.marching_leaders()))
        if any(self.kept_out(each, area) for each in force):
            return False
        return self.known(area, nation) and (bool(self.marching_units()) or not self.foes_at(area, nation))

    def known(self, area: str, nation: str) -> bool:
        return self.own(area, nation) or self.enemy(area, nation)

    def open_to(self, area: str, nation: str) -> bool:
        return self.known(area, nation) and not self.kept_out(nation, area)

    def ways(self, nation: str) -> list[str]:
        if self.convoy:
            return []
        return [
            each
            for each in self.next_to[self.place]
            if self.may_enter(each, nation) and self.crosses(self.place, each, nation)
        ]

    def landings(self, nation: str) -> list[str]:
        """Ports that can be reached by sea (r.13.6, r.13.7)."""
        if self.strides or not self.own(self.place, nation) or (self.points < 1 and not self.convoy):
            return []
        shores = self.shores(self.place, nation, len(self.marching_units()))
        return [each for each in shores if self.may_enter(each, nation)]

    def shores(self, port: str, nation: str, number: int) -> list[str]:
        """Ports to which a number of units can be carried."""
        side = self.side[nation]
        seas: set[str] = set()
        for first in self.ports[port]:
            lift = 3 + 2 * (len(self.fleet(first, side)) - 1) + 2 * self.convoy
            if not self.controls(side, first) or number > lift:
                continue
            row = [first]
            for sea in row:
                row += [
                    each
                    for each in self.sea_neighbours(sea)
                    if each not in row and not self.controls(OTHER_SIDE[side], each)
                ]
            seas |= set(row)
        return [each for each in self.area if seas & set(self.ports[each]) and each != port]

    def stride(self, nation: str, there: str) -> None:
        here = self.place
        enemy = self.enemy(there, nation)
        hard = enemy and self.passage(here, there, nation) in ("mountain_pass", "marsh")
        far = self.strides >= 4 and not self.untiring
        self.advance(nation, there, far + hard + (enemy and not self.own(here, nation)), by_sea=False)

    def advance(self, nation: str, there: str, causes: int, by_sea: bool) -> None:
        """Enters an area, in the order of the flow chart (r.9.3)."""
        here = self.place
        self.strides += 1
        self.column = [each for each in self.column if self.at[each] == here]
        for each in self.column:
            self.at[each] = there
        self.place, self.evasion_failed = there, False
        self.assaults = by_sea and self.enemy(there, nation)
        had_units = bool(self.marching_units())
        if had_units:
            self.react(nation, here, there)
        for _ in range(causes):
            self.attrition(self.marching_units(), there)
        if causes and had_units:
            self.orphan(there, nation)
        self.surprise(there, nation)
        result = "through"
        if self.foes_at(there, nation) and self.units_at(there, nation):
            result = self.battle(nation, here, there, by_sea)
        if result == "lost":
            self.place, self.halted, self.strides = here, True, 0
        elif self.marching_units():
            self.hold(nation, there, result)
        self.column = [each for each in self.column if self.at[each] == self.place]

    def hold(self, nation: str, there: str, result: str) -> None:
        """Stands before a fortress, or as victor (r.9.5, r.12.1)."""
        self.halted = result == "won"
        if not self.enemy(there, nation):
            return
        if not self.fortress[there]:
            self.passed.add(there)
            return
        self.halted = True
        if result != "won" and self.marching_leaders():
            end = self.siege(there, self.marching_units(), self.marching_leaders())
            self.halted = end != "overrun"

    # ---------------------------------------------------------------- evasion and interception
    def reacts(self, nation: str, chief: str | None, here: str, there: str) -> bool:
        """Two dice with modifiers; 9 or more succeeds (r.10.3, r.10.4)."""
        modifier = self.rating(chief) + (1 if self.own(there, nation) else -1) - (self.way[here, there] != "open")
        return sum(self.dice(2)) + modifier >= 9

    def react(self, nation: str, here: str, there: str) -> None:
        self.evaded = []
        if self.foes_at(there, nation):
            self.evade(nation, here, there)
        left = [each for each in self.next_to[there] if self.interceptor_nations(each, nation, there)]
        while left:
            area = self.ask("react.area", nation, left)
            left.remove(area)
            for foe in self.interceptor_nations(area, nation, there):
                self.intercept(foe, area, there)
            left = [each for each in left if self.interceptor_nations(each, nation, there)]

    def evade(self, nation: str, here: str, there: str) -> None:
        foes = self.foes_at(there, nation)
        leaders = [each for each in self.leader if self.at[each] == there and self.hostile(self.owner(each), nation)]
        chief = self.chief(leaders)
        evader = self.spokesman(foes, chief)
        ways = self.open_areas(evader, there, here)
        to = self.ask("evade.to", evader, [*ways, None]) if ways else None
        if to and self.reacts(evader, chief, there, to):
            self.evaded = foes + leaders
            self.slip(evader, self.evaded, there, to)
        else:
            self.evasion_failed = to is not None

    def unevaded(self, area: str, nation: str) -> list[str]:
        """Units that were next to the area when the force entered it (r.10.2)."""
        return [each for each in self.units_of(area, nation) if each not in self.evaded]

    def interceptors(self, area: str, nation: str) -> list[str]:
        if not self.unevaded(area, nation):
            return []
        return [
            each
            for each in self.leader
            if self.at[each] == area and self.owner(each) == nation and each not in [*self.failed, *self.evaded]
        ]

    def interceptor_nations(self, area: str, mover: str, there: str) -> list[str]:
        return [
            each
            for each in self.track
            if self.hostile(each, mover) and self.interceptors(area, each) and self.crosses(area, there, each)
            if not self.bound(each, mover) and not self.kept_out(each, there)
        ]

    def intercept(self, nation: str, area: str, there: str) -> None:
        able, units = self.interceptors(area, nation), self.unevaded(area, nation)
        first = self.chief(able)
        assert first is not None
        chosen: list[str] = []
        while len(chosen) < min(self.command(first) + 1, len(units), len(able)):
            leader = self.ask("intercept.chosen", nation, [*(each for each in able if each not in chosen), None])
            if leader is None:
                break
            chosen.append(leader)
        chief = self.chief(chosen)
        if chief is None:
            return
        army = self.led_by_one(chosen)
        most = min(len(units), self.room(army))
        number = self.ask("gather_army.number", nation, range(len(army), most + 1))
        if self.reacts(nation, chief, area, there):
            self.slip(nation, units[:number] + army, area, there)
        else:
            self.failed |= set(army)
