"""Strategic reserves used in an impulse, for CP or for the event of the power card, from the clauses (r.6.4, r.13)."""

from __future__ import annotations

from typing import Any

from plain_ground import GATES, OTHER_SIDE, SEA_LANES, half
from plain_turns import Turns

RESERVE_CP = {
    "france": 3,
    "britain": 2,
    "austria": 2,
    "russia": 2,
    "prussia": 2,
    "spain": 1,
    "turkey": 1,
    "sweden": 1,
    "denmark": 1,
}


class Reserves(Turns):
    """The impulse of a nation that uses its reserve, and the five events with the window impulse."""

    def open_impulse(self, nation: str) -> None:
        """A nation with cards must do something (r.5.1.1, r.5.1.2)."""
        due, hand = not self.nation[nation].a_reserve_used, self.hand(nation)
        able = getattr(self, f"can_reserve_of_{nation}", None)
        offers = {
            "play_event": any("impulse" in self.windows_of(each) and self.lawful(each, nation) for each in hand),
            "play_points": bool(hand),
            "use_reserve_points": due,
            "use_reserve_event": due and able is not None and bool(able()),
            "spend_resource": self.nation[nation].a_resources > 0,
        }
        chosen = self.ask(nation, [*(each for each in offers if offers[each]), *([] if hand else [None])])
        self.nation[nation].a_reserve_used = True
        if chosen == "use_reserve_points":
            self.state.a_points = RESERVE_CP[nation]
        else:
            assert chosen == "use_reserve_event", chosen
            getattr(self, f"reserve_of_{nation}")()

    def close_impulse(self, nation: str) -> None:
        """The cards played are discarded; an armistice counts the impulses of its maker (c.3)."""
        for each, card in self.card.items():
            if card.at is self.pile["played"]:
                self.discard(each)
        if self.state.a_pact_impulses > 0 and self.state.a_pact_maker is self.nation[nation]:
            self.state.a_pact_impulses -= 1

    def windows_of(self, card: str) -> set[str]:
        return {getattr(each, "id", each) for each in self.card[card].a_windows}

    # ---------------------------------------------------------------- cards that activate forces
    def spare(self, area: str, nation: str) -> int:
        """How many units may leave, since some must watch an enemy fortress (r.9.6)."""
        idle = sum(not each.a_used for each in self.units(area, nation))
        watch = half(int(self.area[area].a_fortress)) if self.enemy_area(area, nation) else 0
        there = sum(self.friends(each.a_nation.id, nation) for each in self.units(area))
        return max(0, min(idle, there - watch)) if watch else idle

    def led(self, area: str, nation: str) -> bool:
        return any(not each.a_used for each in self.leaders(area, nation))

    def can_forced_march(self, nation: str) -> bool:
        return any(self.led(each, nation) and self.spare(each, nation) for each in self.area)

    can_la_grande_armee = can_corps_system = can_pontoon_train = can_forced_march

    def can_a_convoy(self, nation: str) -> bool:
        """Whether a force can sail from an own port to another port (c.90, r.13.6)."""
        ports = [each for each in self.area if self.area[each].a_ports and self.own(each, nation)]
        manned = [each for each in ports if self.led(each, nation) or self.spare(each, nation)]
        return any(self.shores(each, nation) for each in manned)

    def shores(self, port: str, nation: str) -> list[str]:
        foe = OTHER_SIDE[self.side(nation)]
        row = self.zones(port, nation)
        for sea in row:
            beside = [other for lane in SEA_LANES for other in lane if sea in lane]
            row += [each for each in beside if each not in row and not self.controls_sea(foe, each)]
        reached = [each for each, area in self.area.items() if area.a_ports & set(row) and each != port]
        return [each for each in reached if not self.closed(each, nation)]

    # ---------------------------------------------------------------- the events
    def can_reserve_of_austria(self) -> bool:
        return bool(self.in_box("unit", "austria", "regroup") and self.regroup_areas("austria"))

    def reserve_of_austria(self) -> None:
        self.bring_back("austria", 3, with_leaders=False)

    def can_reserve_of_prussia(self) -> bool:
        return self.able_to_levy("prussia")

    def reserve_of_prussia(self) -> None:
        self.levy("prussia", 1)

    def can_reserve_of_spain(self) -> bool:
        return bool(self.in_box("unit", "spain", "pool") and self.free_spain())

    def reserve_of_spain(self) -> None:
        self.build("spain", 1, self.free_spain)

    def can_reserve_of_denmark(self) -> bool:
        return self.controller("copenhagen") == "denmark" and bool(self.refits("denmark"))

    def reserve_of_denmark(self) -> None:
        self.man("denmark", 1)

    def can_reserve_of_britain(self) -> bool:
        ships = self.on_map("squadron", "britain")
        return bool(self.refits("britain")) or any(each.a_state.id == "ready" for each in ships)

    def reserve_of_britain(self) -> None:
        """Two are made ready, and two move, each once."""
        self.man("britain", 2)
        moved: set[str] = set()
        left = 2
        while left:
            idle = {each: self.idle(each, "britain", moved) for each in [*self.area, *self.sea]}
            ports = [each for each in idle if idle[each]]
            place = self.ask("britain", [*ports, None]) if ports else None
            if place is None:
                return
            number = self.ask("britain", range(1, min(left, len(idle[place])) + 1))
            group = idle[place][:number]
            left -= number
            moved |= {each.id for each in group}
            self.sail("britain", place, group)

    def man(self, nation: str, most: int) -> None:
        for each in self.choose(nation, [ship.id for ship in self.refits(nation)], most):
            self.ship[each].a_state = self.words["ready"]

    def idle(self, place: str, nation: str, moved: set[str]) -> list[Any]:
        return [each for each in self.ready_ships(place, nation) if each.id not in moved]

    # ---------------------------------------------------------------- sailing
    def sail(self, nation: str, place: str, group: list[Any]) -> None:
        """Up to three steps; a port or a battle ends them (r.13.1, r.13.2)."""
        side = self.side(nation)
        for _ in range(3):
            there = self.ask(nation, [*self.sail_ways(nation, place, len(group)), None])
            if there is None:
                return
            foes = [] if side == "neutral" else self.fleet(there, OTHER_SIDE[side])
            if there in self.area and self.enemy_area(there, nation):
                self.naval_battle(side, place, there)
                return
            for each in group:
                self.put(each, there)
            place = there
            if there in self.area:
                return
            if foes and not self.truce(side, there, there) and self.meets(nation, foes[0].a_nation.id, there):
                return

    def sail_ways(self, nation: str, place: str, number: int) -> list[str]:
        if place in self.area:
            return sorted(self.area[place].a_ports)
        ports = [each for each, area in self.area.items() if place in area.a_ports]
        guarded = [each for each in ports if self.enemy_area(each, nation)]
        attacked = [each for each in guarded if self.attackable(each, nation, place)]
        seas = [other for lane in SEA_LANES for other in lane if place in lane and other != place]
        open_seas = [each for each in seas if self.gate_open(nation, place, each, number)]
        return open_seas + [each for each in ports if self.own(each, nation)] + attacked

    def attackable(self, port: str, nation: str, sea: str) -> bool:
        """Whether enemy squadrons lie in a port, and no armistice protects it or one of them (r.13.2, c.3, c.46)."""
        side = self.side(nation)
        if self.bound(nation, self.controller(port)) or self.truce(side, sea, port):
            return False
        return bool(self.fleet(port, OTHER_SIDE[side]))

    def truce(self, side: str, here: str, there: str) -> bool:
        """Whether an armistice binds squadrons of a side in one place and of its enemy in another (c.3, c.46)."""
        mine = {each.a_nation.id for each in self.fleet(here, side)}
        theirs = {each.a_nation.id for each in self.fleet(there, OTHER_SIDE.get(side, side))}
        return any(self.bound(one, other) for one in mine for other in theirs)

    def gate_open(self, nation: str, here: str, there: str, number: int) -> bool:
        """Whether the passage is open to this number of squadrons (r.13.4)."""
        gate = GATES.get(frozenset((here, there)))
        if gate is None or not self.enemy_area(gate, nation):
            return True
        guard = self.side(self.controller(gate))
        return number >= 2 + sum(len(self.fleet(each, guard)) for each in (here, there, gate))

    def meets(self, nation: str, foe: str, sea: str) -> bool:
        """Whether who enters or who is there attacks the other."""
        for attacker in (nation, foe):
            if self.ask(attacker, (True, False)):
                self.naval_battle(self.side(attacker), sea, sea)
                return True
        return False
