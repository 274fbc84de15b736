"""Attrition abroad, reinforcements, the draw of cards and what ends with the turn (steps 2, 3, 7, 8 and 10)."""

from __future__ import annotations

from plain_conquests import Conquests
from plain_court import OTHER_SIDE
from plain_ground import SEA_LANES

EXTRA_DEPLOYMENT = 3


class Interphase(Conquests):
    """The steps after the impulses, but for conquest, peace and excess cards."""

    def stand_abroad(self) -> None:
        """Attrition where one's side has no control; who is left may take an open area (step 2, r.5.6)."""
        for area in self.area:
            strangers = [each for each in self.track if self.units(area, each) and not self.own(area, each)]
            if not strangers:
                continue
            self.attrition(area, strangers)
            if self.area[area].a_fortress:
                continue
            for each in [it for it in strangers if self.units(area, it)]:
                if self.enemy_area(area, each) and not self.threatened(area, each) and self.ask(each, (True, False)):
                    self.take(area, each)

    def finish_squadrons(self) -> None:
        """Squadrons under construction are turned to refit (step 3)."""
        for each in self.ship.values():
            if each.a_state.id == "under_construction":
                each.a_state = self.words["refit"]

    def end_turn(self) -> None:
        """Reserves, the off-map fleet, ships at sea (step 10, r.13.9, r.13.10); what cards did for a turn ends."""
        for each in self.nation.values():
            each.a_reserve_used = each.a_routed = False
        for each in self.area.values():
            each.a_burnt = False
        self.state.a_winter = False
        self.scatter(each for each in self.ship.values() if each.at is self.box_named["fleet_box"])
        for nation in self.track:
            for sea in [each for each in self.sea if self.ships(each, nation)]:
                ports = [it for it in self.area if self.area[it].a_ports and self.own(it, nation)]
                if port := self.ask(nation, [*ports, None]):
                    for each in self.ships(sea, nation):
                        self.put(each, port)

    # ---------------------------------------------------------------- the draw of cards
    def draw_cards(self) -> None:
        """In the order of the next turn all draw; the whole draw may be exchanged once (step 8, r.14.4, r.14.5)."""
        if self.state.a_duel:
            for each in self.track:
                for card in self.hand(each):
                    self.discard(card)
        for card in self.card.values():
            if card.at is self.pile["discards"]:
                card.at = self.pile["deck"]
        acting = [each for each in self.track if self.acts(each)]
        last = self.track.index(self.state.a_active.id)
        for nation in sorted(acting, key=lambda each: (self.track.index(each) <= last, self.track.index(each))):
            due = self.cards_due(nation)
            if due and self.ask(nation, (True, False)):
                self.throw_away(due)
            for _ in range(due):
                self.draw(nation)
        for each in self.nation.values():
            each.a_gave_up, each.a_fewer_cards = False, 0

    def throw_away(self, number: int) -> None:
        """New cards that were exchanged; the game ends with them on the discards."""
        gone = [card for each, card in self.card.items() if self.end["card", each, "at"] == "discards"]
        for each in [card for card in gone if card.at is self.pile["deck"]][:number]:
            each.at = self.pile["discards"]

    # ---------------------------------------------------------------- reinforcements
    def reinforce(self, nation: str) -> None:
        """Fallen leaders come back, a foreign war takes its share, CP are spent (step 7, r.11.10, r.14.1, r.14.3)."""
        self.scatter(each for each in self.in_box("leader", nation, "fallen") if each.a_fallen_in < self.state.a_turn)
        if self.acts(nation):
            self.fight_overseas(nation)
        if not self.acts(nation):
            return
        left, deployed = self.reinforcement(nation), False
        while left or not deployed:
            able = self.purchases(nation, left, deployed)
            bought = self.ask(nation, [*able, None])
            if bought is None:
                return
            if bought in ("deploy", "deploy_by_sea"):
                left -= EXTRA_DEPLOYMENT * deployed
                deployed = True
            left -= getattr(self, bought)(nation, left)

    def purchases(self, nation: str, left: int, deployed: bool) -> list[str]:
        back = self.regroup_areas(nation)
        deploys = not deployed or left >= EXTRA_DEPLOYMENT
        offers = {
            "build_unit": left >= 2 and self.in_box("unit", nation, "pool") and self.build_areas(nation, limit=False),
            "build_leader": self.payable(nation, left) and self.leader_areas(nation),
            "build_squadron": left >= 4 and self.in_box("squadron", nation, "pool") and self.dockyards(nation),
            "regroup_unit": left and self.in_box("unit", nation, "regroup") and back,
            "regroup_leader": left and self.in_box("leader", nation, "regroup") and back,
            "regroup_squadron": left and self.in_box("squadron", nation, "regroup") and self.home_ports(nation),
            "make_ready": left and self.refits(nation),
            "deploy": deploys and self.movers(nation),
            "deploy_by_sea": deploys and [each for each in self.movers(nation) if self.havens(each)],
        }
        return [each for each in offers if offers[each]]

    def payable(self, nation: str, left: int) -> list[str]:
        return [each for each in self.new_leaders(nation) if self.leader[each].a_command <= left]

    def build_unit(self, nation: str, _: int) -> int:
        self.raise_unit(nation, self.ask(nation, self.build_areas(nation, limit=False)))
        return 2

    def build_leader(self, nation: str, left: int) -> int:
        leader = self.leader[self.ask(nation, self.payable(nation, left))]
        self.put(leader, self.ask(nation, self.leader_areas(nation)))
        return int(leader.a_command)

    def build_squadron(self, nation: str, _: int) -> int:
        self.lay_down(nation, self.ask(nation, self.dockyards(nation)), "under_construction")
        return 4

    def regroup_unit(self, nation: str, left: int) -> int:
        area = self.ask(nation, self.regroup_areas(nation))
        units = self.in_box("unit", nation, "regroup")
        number = self.ask(nation, range(1, min(left, len(units)) + 1))
        for each in units[:number]:
            self.put(each, area)
        return int(number)

    def regroup_leader(self, nation: str, _: int) -> int:
        leader = self.ask(nation, [each.id for each in self.in_box("leader", nation, "regroup")])
        self.put(self.leader[leader], self.ask(nation, self.regroup_areas(nation)))
        return 1

    def regroup_squadron(self, nation: str, _: int) -> int:
        port = self.ask(nation, self.home_ports(nation))
        ship = self.in_box("squadron", nation, "regroup")[0]
        ship.a_state = self.words["refit"]
        self.put(ship, port)
        return 1

    def make_ready(self, nation: str, _: int) -> int:
        self.ship[self.ask(nation, [each.id for each in self.refits(nation)])].a_state = self.words["ready"]
        return 1

    # ---------------------------------------------------------------- deployment
    def movers(self, nation: str) -> list[str]:
        mine = [each for each in self.on_map("leader", nation) if self.own(each.at.id, nation)]
        return [each.id for each in mine]

    def deploy(self, nation: str, _: int) -> int:
        """One leader goes any way over areas of his side and picks up units and leaders (7.deploy.1)."""
        leader = self.leader[self.ask(nation, self.movers(nation))]
        near = [each for each in self.hanging_together(leader.at.id, nation) if not self.threatened(each, nation)]
        there, room = self.ask(nation, near), int(leader.a_command)
        while room:
            posts = [each for each in near if each != there and self.units(each, nation)]
            post = self.ask(nation, [*posts, None])
            if post is None:
                break
            units = self.units(post, nation)
            number = self.ask(nation, range(1, min(room, len(units)) + 1))
            for each in units[:number]:
                self.put(each, there)
            room -= number
        others = [
            each.id for area in near if area != there for each in self.leaders(area, nation) if each is not leader
        ]
        for each in self.choose(nation, others, room):
            self.put(self.leader[each], there)
        self.put(leader, there)
        return 0

    def hanging_together(self, area: str, nation: str) -> set[str]:
        """What can be reached over areas of the own side, and open straits (r.9.9)."""
        reached, fresh = {area}, [area]
        while fresh:
            here = fresh.pop()
            for there in self.next_to[here] - reached:
                if self.own(there, nation) and self.passable(here, there, nation):
                    reached.add(there)
                    fresh.append(there)
        return reached

    def passable(self, here: str, there: str, nation: str) -> bool:
        foe = OTHER_SIDE.get(self.side(nation))
        if self.way[here, there] != "strait" or foe is None:
            return True
        ports = [self.area[each].a_ports for each in (here, there)]
        return not any(self.controls_sea(foe, each) for each in ports[0] & ports[1] or ports[0] | ports[1])

    def havens(self, leader: str) -> list[str]:
        """Ports of the own side that a leader can reach over zones free of the enemy (7.deploy.2, r.13.6)."""
        nation, here = self.leader[leader].a_nation.id, self.leader[leader].at.id
        found = set().union(*(self.voyage(each, nation) for each in self.zones(here, nation)))
        ports = [each for each, area in self.area.items() if area.a_ports & found and each != here]
        return [each for each in ports if self.own(each, nation) and not self.threatened(each, nation)]

    def voyage(self, zone: str, nation: str) -> set[str]:
        """The zones that can be reached from one of the own side."""
        foe, reached, fresh = OTHER_SIDE[self.side(nation)], {zone}, [zone]
        while fresh:
            here = fresh.pop()
            for there in {each for lane in SEA_LANES for each in lane if here in lane} - reached:
                if not self.controls_sea(foe, there):
                    reached.add(there)
                    fresh.append(there)
        return reached

    def deploy_by_sea(self, nation: str, _: int) -> int:
        """Three units, two more for each squadron in the first zone beyond one (r.13.6)."""
        leader = self.leader[self.ask(nation, [each for each in self.movers(nation) if self.havens(each)])]
        there = self.ask(nation, self.havens(leader.id))
        ways = [
            each for each in self.zones(leader.at.id, nation) if self.voyage(each, nation) & self.area[there].a_ports
        ]
        lift = max(3 + 2 * (len(self.fleet(each, self.side(nation))) - 1) for each in ways)
        units = self.units(leader.at.id, nation)
        number = self.ask(nation, range(min(lift, len(units), leader.a_command) + 1))
        others = [each.id for each in self.leaders(leader.at.id, nation) if each is not leader]
        along = self.choose(nation, others, leader.a_command - number)
        for each in [*units[:number], *(self.leader[name] for name in along), leader]:
            self.put(each, there)
        return 0
