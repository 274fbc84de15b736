"""A copy of a position that plain Python changes by hand, with the answers and dice of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, NamedTuple

from plain_court import BOXES, OTHER_SIDE, Court
from plain_ground import SEA_LANES
from scattered_positions import slots

CHANGING = {
    "nation": (
        *("stance", "patron", "attitude", "plus_side", "resources", "reserve_used", "foreign_war"),
        *("conqueror", "neutral_since", "routed", "gave_up", "fewer_cards", "preempted"),
    ),
    "area": ("marker", "burnt", "raised"),
    "leader": ("at", "failed", "fallen_in"),
    "card": ("at",),
}
STATE = (
    "peace_modifier",
    "winter",
    "mud",
    "pact_impulses",
    "pact_maker",
    "pact_partner",
    "match_maker",
    "match_partner",
    "match_turn",
    "turn",
    "active",
    "over",
)
GROUPED = {"unit": ("nation", "at", "disrupted"), "squadron": ("nation", "at", "state")}


class Question(NamedTuple):
    """A question of the game with its answer, and the number of dice before it."""

    address: str
    seat: str
    options: list[Any]
    answer: Any
    rolled: int


def name(value: Any) -> Any:
    if isinstance(value, (set, frozenset)):
        return frozenset(map(name, value))
    return getattr(value, "id", value)


def slot(thing: Any, attribute: str) -> Any:
    return name(getattr(thing, "at" if attribute == "at" else f"a_{attribute}"))


def snapshot(core: Any) -> dict[Any, Any]:
    """All that a card may change; pieces that do not differ are counted."""
    seen: dict[Any, Any] = {}
    counts: Counter[Any] = Counter()
    for each in core.world.objects:
        if each.kind in GROUPED:
            counts[each.kind, *(slot(each, attribute) for attribute in GROUPED[each.kind])] += 1
        for attribute in CHANGING.get(each.kind, ()):
            seen[each.kind, each.id, attribute] = slot(each, attribute)
    return seen | counts | {("state", each): slot(core.world.state, each) for each in STATE}


def differences(one: dict[Any, Any], other: dict[Any, Any]) -> dict[Any, tuple[Any, Any]]:
    return {each: (one.get(each), other.get(each)) for each in {*one, *other} if one.get(each) != other.get(each)}


def replica(core: Any) -> SimpleNamespace:
    """The things of a game with their attributes, free to be changed."""
    twins = {each: SimpleNamespace(id=each.id, kind=each.kind) for each in core.world.objects}

    def twin(value: Any) -> Any:
        if isinstance(value, (set, frozenset, tuple)):
            return {each.id for each in value}
        return twins.get(value, value) if hasattr(value, "kind") else value

    for real, copied in twins.items():
        copied.at = twin(getattr(real, "at", None))
        for each in slots(type(real)):
            setattr(copied, each, twin(getattr(real, each)))
    state = SimpleNamespace(id="state")
    for each in slots(type(core.world.state)):
        setattr(state, each, twin(getattr(core.world.state, each)))
    return SimpleNamespace(world=SimpleNamespace(objects=list(twins.values()), state=state))


class Table(Court):
    """What a card finds and changes. Answers, dice and hidden cards are those of the game; all else is worked out."""

    def __init__(self, core: Any) -> None:
        self.core = replica(core)
        super().__init__(self.core)
        self.words = {each: core.find("attitude", each) for each in BOXES} | {
            each: core.find("side", each) for each in ("imperial", "coalition", "neutral")
        }
        self.words |= {each: core.find("readiness", each) for each in ("under_construction", "refit", "ready")}
        self.unit, self.leader, self.ship, self.card, self.pile, self.box_named, self.sea = (
            self.things[each] for each in ("unit", "leader", "squadron", "card", "pile", "box", "sea")
        )
        self.places = self.area | self.sea
        self.questions: list[Question] = []
        self.faces: list[int] = []
        self.rolled = 0
        self.end: dict[Any, Any] = {}

    # ---------------------------------------------------------------- answers, dice, hidden cards
    def ask(self, nation: str, options: Iterable[Any]) -> Any:
        """What the player of a nation answered; a single option is not asked for."""
        mine = list(options)
        if len(mine) == 1:
            return mine[0]
        assert self.questions, ("the game asks no more", mine)
        asked = self.questions.pop(0)
        assert (set(mine), self.rolled) == (set(asked.options), asked.rolled), (asked, mine)
        assert asked.seat == self.seat(nation), (asked, nation)
        return asked.answer

    def choose(self, nation: str, options: Iterable[str], most: int) -> list[str]:
        """At most this number of the options, one after another."""
        left = list(options)
        chosen: list[str] = []
        while left and len(chosen) < most:
            answer = self.ask(nation, [*left, None])
            if answer is None:
                break
            left.remove(answer)
            chosen.append(answer)
        return chosen

    def die(self) -> int:
        self.rolled += 1
        return self.faces[self.rolled - 1]

    def dice(self, number: int) -> list[int]:
        return [self.die() for _ in range(number)]

    def hand(self, nation: str) -> list[str]:
        return [each for each, card in self.card.items() if card.at is self.nation[nation].a_hand]

    def discard(self, card: str) -> None:
        self.card[card].at = self.pile["discards"]

    def discard_at_random(self, nation: str) -> None:
        """Drops a card of the hand that the game dropped, too."""
        later = {each.answer for each in self.questions}
        gone = [each for each in self.hand(nation) if self.end["card", each, "at"] == "discards"]
        if gone:
            self.discard(min(gone, key=lambda each: each in later))

    def draw(self, nation: str) -> None:
        """Draws a card that the game drew, too."""
        hand = self.nation[nation].a_hand
        drawn = (
            each for each, card in self.card.items() if card.at.id == "deck" and self.end["card", each, "at"] == hand.id
        )
        self.card[next(drawn)].at = hand

    # ---------------------------------------------------------------- pieces
    def units(self, area: str, nation: str | None = None) -> list[Any]:
        return [each for each in self.troops(area) if nation in (None, each.a_nation.id)]

    def foes(self, area: str, nation: str) -> list[Any]:
        return [each for each in self.troops(area) if self.hostile(each.a_nation.id, nation)]

    def leaders(self, area: str, nation: str | None = None) -> list[Any]:
        return [each for each in self.leader.values() if each.at.id == area and nation in (None, each.a_nation.id)]

    def in_box(self, kind: str, nation: str, box: str) -> list[Any]:
        where = getattr(self.nation[nation], f"a_{box}")
        return [each for each in self.things[kind].values() if each.at is where]

    def on_map(self, kind: str, nation: str) -> list[Any]:
        return [each for each in self.things[kind].values() if each.a_nation.id == nation and each.at.id in self.places]

    def put(self, piece: Any, place: str) -> None:
        piece.at = self.places[place]

    def eliminate(self, units: Iterable[Any]) -> None:
        for each in list(units):
            each.at = each.a_nation.a_pool

    def scatter(self, pieces: Iterable[Any]) -> None:
        for each in list(pieces):
            each.at = each.a_nation.a_regroup

    def raise_unit(self, nation: str, area: str) -> None:
        if pool := self.in_box("unit", nation, "pool"):
            self.put(pool[0], area)
            self.area[area].a_built += 1

    def attrition(self, area: str, nations: Iterable[str]) -> None:
        """Forces of these nations roll, nation by nation; leaders left alone are regrouped (r.14.9)."""
        rolling = [each for each in self.track if each in set(nations) and self.units(area, each)]
        for nation in rolling:
            force = self.units(area, nation)
            losses = self.dice(len(force)).count(6)
            if nation == "france" and self.area[area].a_home.id not in ("russia", "spain", "turkey"):
                losses = (losses + 1) // 2
            self.eliminate(force[:losses])
        for side in {self.side(each) for each in rolling} - {"neutral"}:
            if not any(self.side(each.a_nation.id) == side for each in self.troops(area)):
                self.scatter(each for each in self.leaders(area) if self.side(each.a_nation.id) == side)

    def gain(self, nation: str) -> None:
        self.nation[nation].a_resources = min(4, self.nation[nation].a_resources + 1)

    # ---------------------------------------------------------------- control and ports
    def take(self, area: str, nation: str) -> None:
        """Takes control; a friend's home area may be given back (r.2.4)."""
        home = self.area[area].a_home.id
        freed = home == nation or (self.friends(home, nation) and self.ask(nation, (True, False)))
        self.area[area].a_marker = None if freed else self.nation[nation]
        self.area[area].a_raised = False
        self.leave_port(area, nation)

    def lift_marker(self, area: str) -> None:
        """Gives an area back to its home nation; others leave its port (r.2.3, r.13.8)."""
        self.area[area].a_marker, self.area[area].a_raised = None, False
        self.leave_port(area, self.area[area].a_home.id)

    def leave_port(self, area: str, nation: str) -> None:
        """Sends those who lost the port to sea (r.13.8); a fleet may have to fight there."""
        lost = [each for each in self.ships(area) if not self.friends(each.a_nation.id, nation)]
        out = [each for each in lost if each.a_state.id == "ready"]
        self.sink(each for each in lost if each not in out)
        if out:
            zone = self.ask(out[0].a_nation.id, self.area[area].a_ports)
            for each in out:
                self.put(each, zone)
            side = self.side(out[0].a_nation.id)
            if side != "neutral" and self.fleet(zone, OTHER_SIDE[side]):
                self.naval_battle(side, zone, zone)

    def naval_battle(self, side: str, here: str, there: str) -> None:
        """A fleet that enters a zone or sails to a port attacks what is there (r.13.2, r.13.5)."""
        raise NotImplementedError

    def ships(self, place: str, nation: str | None = None) -> list[Any]:
        return [each for each in self.ship.values() if each.at.id == place and nation in (None, each.a_nation.id)]

    def ready_ships(self, place: str, nation: str) -> list[Any]:
        return [each for each in self.ships(place, nation) if each.a_state.id == "ready"]

    def refits(self, nation: str) -> list[Any]:
        return [
            each for each in self.on_map("squadron", nation) if each.a_state.id == "refit" and each.at.id in self.area
        ]

    def fleet(self, place: str, side: str) -> list[Any]:
        ready = [each for each in self.ships(place) if each.a_state.id == "ready"]
        return [each for each in ready if self.side(each.a_nation.id) == side]

    def controls_sea(self, side: str, sea: str) -> bool:
        other = {"imperial": "coalition", "coalition": "imperial"}.get(side)
        return other is not None and bool(self.fleet(sea, side)) and not self.fleet(sea, other)

    def sink(self, ships: Iterable[Any]) -> None:
        for each in list(ships):
            each.a_state = self.words["ready"]
            each.at = each.a_nation.a_pool

    def sea_way(self, place: str, port: str) -> int:
        """Sea zones from a place to a port, by the shortest way."""
        reached = {place} if place in self.sea else set(self.area[place].a_ports)
        steps = 0
        while not reached & self.area[port].a_ports:
            reached |= {other for lane in SEA_LANES for other in lane if reached & set(lane)}
            steps += 1
        return steps

    def nearest_ports(self, nation: str, place: str) -> list[str]:
        """The nearest ports of a nation's side, also those before which an enemy stands (r.13.5)."""
        ports = [each for each, area in self.area.items() if area.a_ports and self.own(each, nation)]
        return self.nearest(place, [each for each in ports if each != place])

    def nearest(self, place: str, ports: list[str]) -> list[str]:
        least = min((self.sea_way(place, each) for each in ports), default=0)
        return [each for each in ports if self.sea_way(place, each) == least]

    def run_to_port(self, ship: Any) -> None:
        nation = ship.a_nation.id
        if ports := self.nearest_ports(nation, ship.at.id):
            self.put(ship, self.ask(nation, ports))
        else:
            self.sink([ship])

    def dockyards(self, nation: str) -> list[str]:
        """Home ports where squadrons are built (r.7.3, r.7.5)."""
        return [
            each
            for each in self.home(nation)
            if self.area[each].a_ports
            and self.controller(each) == nation
            and not self.threatened(each, nation)
            and not self.cut_off(each, nation)
        ]

    def lay_down(self, nation: str, port: str, state: str) -> None:
        if pool := self.in_box("squadron", nation, "pool"):
            pool[0].a_state = self.words[state]
            self.put(pool[0], port)

    # ---------------------------------------------------------------- who goes home
    def distances(self, area: str) -> dict[str, int]:
        steps, row = {area: 0}, [area]
        for here in row:
            for there in self.next_to[here] - set(steps):
                steps[there] = steps[here] + 1
                row.append(there)
        return steps

    def withdraw(self, nation: str, area: str) -> None:
        """Moves forces to the nearest area of their side, losing nothing (r.8.8)."""
        steps = self.distances(area)
        safe = [each for each in self.area if self.own(each, nation) and not self.threatened(each, nation)]
        least = min((steps[each] for each in safe if each in steps), default=None)
        ways = [each for each in safe if steps.get(each) == least and each != area]
        group = self.units(area, nation) + self.leaders(area, nation)
        if ways:
            there = self.ask(nation, ways)
            for each in group:
                self.put(each, there)
        else:
            self.scatter(group)

    def sail_home(self, ship: Any) -> None:
        nation, here = ship.a_nation.id, ship.at.id
        if here not in self.area or self.own(here, nation):
            return
        ports = [each for each, area in self.area.items() if area.a_ports and self.own(each, nation)]
        if ports := self.nearest(here, [each for each in ports if not self.threatened(each, nation)]):
            self.put(ship, self.ask(nation, ports))
        else:
            ship.at = ship.a_nation.a_regroup

    def forces_of(self, nation: str) -> list[str]:
        return [each for each in self.area if self.units(each, nation) or self.leaders(each, nation)]

    def strangers(self, area: str) -> list[str]:
        return [each for each in self.track if self.units(area, each) or self.leaders(area, each)]

    def go_neutral(self, nation: str) -> None:
        """Forces go home, others leave, cards are discarded (r.8.8)."""
        for area in self.forces_of(nation):
            if self.controller(area) != nation:
                self.withdraw(nation, area)
        for each in self.on_map("squadron", nation):
            self.sail_home(each)
        for area in [each for each in self.area if self.controller(each) == nation]:
            for stranger in [each for each in self.strangers(area) if each != nation]:
                self.withdraw(stranger, area)
            for each in [it for it in self.ships(area) if it.a_nation.id != nation]:
                self.sail_home(each)
        if not self.acts(nation):
            for each in self.hand(nation):
                self.discard(each)

    def clear_enemies(self, nation: str) -> None:
        """Who would stand among new enemies goes home first (r.8.11)."""
        for area in [each for each in self.area if self.controller(each) == nation]:
            for stranger in [each for each in self.strangers(area) if self.hostile(each, nation)]:
                self.withdraw(stranger, area)
            for each in [it for it in self.ships(area) if self.hostile(it.a_nation.id, nation)]:
                self.sail_home(each)
        for area in [each for each in self.forces_of(nation) if self.enemy_area(each, nation)]:
            self.withdraw(nation, area)
        for each in self.on_map("squadron", nation):
            self.sail_home(each)

    # ---------------------------------------------------------------- diplomats
    def set_box(self, minor: str, row: str | None, box: str) -> None:
        self.nation[minor].a_attitude = self.words[box]
        self.nation[minor].a_patron = self.nation[row] if row else None

    def leave_alliance(self, minor: str) -> None:
        if self.allied(minor):
            self.set_box(minor, self.row(minor), "friendly")
            self.go_neutral(minor)

    def step_right(self, minor: str, row: str) -> None:
        box = BOXES[BOXES.index(self.box(minor)) + 1]
        self.set_box(minor, row, box)
        if box == "alliance":
            self.clear_enemies(minor)
            for _ in range(self.nation[minor].a_least_hand):
                self.draw(minor)

    def step_left(self, minor: str) -> None:
        if self.allied(minor):
            self.leave_alliance(minor)
        else:
            box = BOXES[BOXES.index(self.box(minor)) - 1]
            self.set_box(minor, None if box == "undecided" else self.row(minor), box)
