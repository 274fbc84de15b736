"""Movement, line of sight, dice, morale and retreat of chapters 5 to 7, written without the ruleset."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache

from field_kinds import FOOT, HORSE, Kind

Hex = tuple[int, int]
"""Along the row, with a slant, and the row: the neighbours of a hex differ from it by one of `DIRECTIONS`."""
DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
ROWS = "ABCDEFGHI"
LAST_ROW = len(ROWS) - 1
HOMEWARDS = {"british": -1, "french": 1}
"""The step to the next row towards each side's edge."""
BUILT_OR_WOODED = ("forest", "town")
STOPS = ("forest", "town", "ford", "quarry")
CLOSED = ("river", "rugged_hill")
HIDES = ("forest", "town", "rugged_hill")


def name_of(place: Hex) -> str:
    slanted, row = place
    return f"{ROWS[row]}{slanted + (row - row % 2) // 2 + 1}"


BOARD = {name_of(each): each for each in ((c - r // 2, r) for r in range(9) for c in range(13 - r % 2))}
HEXES = frozenset(BOARD.values())


def neighbours(place: Hex) -> list[Hex]:
    return [(place[0] + q, place[1] + r) for q, r in DIRECTIONS]


def distance(one: Hex, other: Hex) -> int:
    q, r = other[0] - one[0], other[1] - one[1]
    return max(abs(q), abs(r), abs(q + r))


def cube(place: Hex) -> tuple[int, int, int]:
    return place[0], place[1], -place[0] - place[1]


def crossed(start: Hex, end: Hex) -> list[list[Hex]]:
    """The hexes that the line between two centres enters, and those along whose sides it runs, left and right."""
    q, r = start
    return [[(q + a, r + b) for a, b in each] for each in _crossed((end[0] - q, end[1] - r))]


@cache
def _crossed(end: Hex) -> tuple[list[Hex], list[Hex], list[Hex]]:
    inside: list[Hex] = []
    left: list[Hex] = []
    right: list[Hex] = []
    far = distance((0, 0), end)
    for place in ((q, r) for q in range(-far, far + 1) for r in range(-far, far + 1)):
        edge = place not in ((0, 0), end) and _touch((0, 0), end, place)
        if edge is None:
            inside.append(place)
        elif edge:
            (left if edge < 0 else right).append(place)
    return inside, left, right


def _touch(start: Hex, end: Hex, place: Hex) -> int | None:
    """None if the line enters a hex; -1 or 1 if it runs along a side of it; else 0."""
    a, b, c = cube(start), cube(end), cube(place)
    first, last, along = Fraction(0), Fraction(1), False
    for i, j in ((0, 1), (1, 2), (2, 0)):
        offset = a[i] - c[i] - a[j] + c[j]
        slope = b[i] - a[i] - b[j] + a[j]
        if slope == 0:
            if abs(offset) > 1:
                return 0
            along |= abs(offset) == 1
        else:
            ends = sorted((Fraction(-1 - offset, slope), Fraction(1 - offset, slope)))
            first, last = max(first, ends[0]), min(last, ends[1])
    if first >= last:
        return 0
    if not along:
        return None
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return 1 if turn > 0 else -1


@dataclass(frozen=True)
class Unit:
    name: str
    kind: Kind
    blocks: int
    at: Hex
    chief: str | None = None
    square: bool = False
    moved: int = 0
    fought: bool = False
    """Whether its dice have joined a combined arms attack."""
    card: str | None = None
    """By which it is ordered, if that changes its dice."""

    @property
    def side(self) -> str:
        return self.kind.side

    @property
    def arm(self) -> str:
        return self.kind.arm


@dataclass(frozen=True)
class Leader:
    """A leader who is alone in a hex."""

    name: str
    side: str
    at: Hex


@dataclass(frozen=True)
class Field:
    """The battlefield at one moment. It is never changed: `but` gives another one."""

    terrain: dict[Hex, str]
    works: frozenset[tuple[Hex, int]]
    """Hexes with the directions that their field works face."""
    units: dict[Hex, Unit] = field(default_factory=dict)
    leaders: dict[Hex, Leader] = field(default_factory=dict)
    hands: dict[str, int] = field(default_factory=dict)
    """Cards in hand."""
    tracks: dict[str, int] = field(default_factory=dict)
    """Cards on the square track."""
    strikes: dict[str, int] = field(default_factory=dict)
    """First Strikes in hand."""

    # ---------------------------------------------------------------- changes
    def but(self, *units: Unit, gone: Iterable[str] = ()) -> Field:
        """The same field with some units changed, and some units or leaders gone."""
        lost = {*gone, *(each.name for each in units)}
        kept = {each.at: each for each in (*(u for u in self.units.values() if u.name not in lost), *units)}
        return replace(self, units=kept, leaders={k: v for k, v in self.leaders.items() if v.name not in lost})

    def moving(self, unit: Unit, place: Hex) -> Field:
        """A leader who is alone there joins the unit."""
        host = self.leaders.get(place)
        if host is None:
            return self.but(replace(unit, at=place))
        return self.but(replace(unit, at=place, chief=host.name), gone=[host.name])

    def with_leader(self, leader: Leader) -> Field:
        """With the unit in his hex, or alone."""
        host = self.units.get(leader.at)
        if host is not None:
            return self.but(replace(host, chief=leader.name))
        return replace(self, leaders={**self.leaders, leader.at: leader})

    def counted(self, side: str, cards: int) -> Field:
        """Cards that go from the hand to the track."""
        hands, tracks = dict(self.hands), dict(self.tracks)
        hands[side] -= cards
        tracks[side] += cards
        return replace(self, hands=hands, tracks=tracks)

    def unit(self, name: str) -> Unit:
        return next(each for each in self.units.values() if each.name == name)

    def has(self, name: str) -> bool:
        return any(each.name == name for each in self.units.values())

    # ---------------------------------------------------------------- movement
    def ground(self, place: Hex) -> str:
        return self.terrain.get(place, "clear")

    def passable(self, place: Hex, arm: str = "leader") -> bool:
        ground = self.ground(place)
        return place in HEXES and ground not in CLOSED and not (ground == "quarry" and arm == "artillery")

    def stops(self, here: Hex, there: Hex) -> bool:
        way = DIRECTIONS.index((there[0] - here[0], there[1] - here[1]))
        works = (here, way) in self.works or (there, (way + 3) % 6) in self.works
        return works or self.ground(there) in STOPS

    def barred(self, place: Hex, unit: Unit) -> bool:
        """A second leader bars a hex to a unit with a leader."""
        leader = self.leaders.get(place)
        taken = leader is not None and (leader.side != unit.side or unit.chief is not None)
        return taken or place in self.units or not self.passable(place, unit.arm)

    def _spread(
        self, start: Hex, hexes: int, bars: Callable[[Hex], bool], ends: Callable[[Hex], bool]
    ) -> dict[Hex, int]:
        found = {start: 0}
        edge = {start}
        for step in range(1, hexes + 1):
            onwards: set[Hex] = set()
            for here in edge:
                for there in neighbours(here):
                    if bars(there):
                        continue
                    found.setdefault(there, step)
                    if not self.stops(here, there) and not ends(there):
                        onwards.add(there)
            edge = onwards
        return found

    def marches(self, unit: Unit, hexes: int) -> dict[Hex, int]:
        """The hexes to which a unit may march, with the way there; its own among them."""
        return self._spread(
            unit.at, hexes, lambda it: it != unit.at and self.barred(it, unit), lambda it: it in self.leaders
        )

    def rides(self, start: Hex, side: str, hexes: int) -> set[Hex]:
        """The hexes where a leader may end his move, other than his own."""

        def bars(place: Hex) -> bool:
            there = (self.units.get(place), self.leaders.get(place))
            return not self.passable(place) or any(each is not None and each.side != side for each in there)

        def taken(place: Hex) -> bool:
            host = self.units.get(place)
            return place in self.leaders or (host is not None and host.chief is not None)

        return {it for it in self._spread(start, hexes, bars, lambda _: False) if it != start and not taken(it)}

    # ---------------------------------------------------------------- targets
    def unfit_on_entry(self, place: Hex, unit: Unit) -> bool:
        ground = self.ground(place)
        return ground == "town" or (ground == "forest" and not unit.kind.light)

    def may_battle(self, unit: Unit) -> bool:
        if unit.moved == 0:
            return True
        if unit.moved > unit.kind.walk or (unit.arm == "artillery" and unit.blocks == 1):
            return False
        return not self.unfit_on_entry(unit.at, unit)

    def foes_beside(self, place: Hex, side: str) -> list[Hex]:
        return [it for it in neighbours(place) if it in self.units and self.units[it].side != side]

    def melee_targets(self, place: Hex, side: str) -> set[Hex]:
        lone = [it for it in neighbours(place) if it in self.leaders and self.leaders[it].side != side]
        return {*self.foes_beside(place, side), *lone}

    def reach(self, unit: Unit) -> int:
        return unit.kind.reach - (1 if unit.kind.horse and unit.moved else 0)

    def may_fire(self, unit: Unit) -> bool:
        return unit.arm != "cavalry" and self.may_battle(unit) and not self.foes_beside(unit.at, unit.side)

    def fire_targets(self, unit: Unit) -> set[Hex]:
        foes = (each.at for each in self.units.values() if each.side != unit.side)
        return {it for it in foes if 2 <= distance(unit.at, it) <= self.reach(unit) and self.sees(unit, it)}

    def supports(self, unit: Unit, target: Hex) -> list[Unit]:
        """The guns that may add their dice to a melee of the unit."""
        if unit.arm == "artillery":
            return []
        guns = [each for each in self.units.values() if each.side == unit.side and each.arm == "artillery"]
        return [each for each in guns if not each.fought and self._may_support(each, target)]

    def _may_support(self, gun: Unit, target: Hex) -> bool:
        if distance(gun.at, target) == 1:
            return self.may_battle(gun)
        if gun.card == "cold_steel":
            return False
        return self.may_fire(gun) and distance(gun.at, target) <= self.reach(gun) and self.sees(gun, target, over=False)

    # ---------------------------------------------------------------- line of sight
    def sees(self, unit: Unit, target: Hex, *, over: bool = True) -> bool:
        """Over: whether guns on a hill may fire over friends below."""
        ways = [any(self._hides(it, unit, target, over) for it in hexes) for hexes in crossed(unit.at, target)]
        return not ways[0] and not (ways[1] and ways[2])

    def _hides(self, place: Hex, unit: Unit, target: Hex, over: bool) -> bool:
        ground, ends = self.ground(place), (self.ground(unit.at), self.ground(target))
        if place not in HEXES or ground in HIDES or (ground == "hill" and ends != ("hill", "hill")):
            return True
        there = self.units.get(place) or self.leaders.get(place)
        below = ends[0] == "hill" and ground != "hill" and distance(unit.at, place) == 1
        fired_over = over and unit.arm == "artillery" and below
        return there is not None and not (fired_over and there.side == unit.side)

    # ---------------------------------------------------------------- dice
    def shielded(self, place: Hex, other: Hex) -> bool:
        """Whether the line from another hex comes in through works; through a corner, through those of both sides."""
        line = cube((other[0] - place[0], other[1] - place[1]))
        along = [sum(a * b for a, b in zip(line, cube(each), strict=True)) for each in DIRECTIONS]
        ways = [way for way in range(6) if along[way] == max(along)]
        on_board = [way for way in ways if neighbours(place)[way] in HEXES]
        return all((place, way) in self.works for way in on_board)

    def lost_dice(self, arm: str, here: Hex, there: Hex) -> int:
        """The dice that the ground costs an attack."""
        melee = distance(here, there) == 1
        column = ("infantry", "cavalry", "artillery").index(arm)
        into = {
            "forest": (1, 2, 1),
            "town": (2, 3, 1),
            "ford": (1, 1, 1) if melee else (0, 0, 0),
            "quarry": (1, 2, 0) if melee else (0, 2, 1),
        }
        out_of = {"forest": (0, 2, 1), "town": (0, 3, 1), "ford": (1, 1, 1), "quarry": (1, 2, 0)}
        none = (0, 0, 0)
        costs = [out_of.get(self.ground(here), none)]
        if self.shielded(here, there):
            costs.append((0, 2, 0))
        hills = (self.ground(here) == "hill", self.ground(there) == "hill")
        if self.shielded(there, here):
            costs.append((1, 2, 0))
        else:
            slope = {(False, True): (1, 1, 0), (True, False): (0, 1, 0), (True, True): none if melee else (1, 0, 0)}
            costs += [into.get(self.ground(there), none), slope.get(hills, none)]
        return sum(each[column] for each in costs)

    def dice(self, unit: Unit, target: Hex) -> int:
        return max(0, self.plain_dice(unit, target) - self.lost_dice(unit.arm, unit.at, target))

    def plain_dice(self, unit: Unit, target: Hex | None) -> int:
        """The dice without the ground; without a target those of a melee."""
        foe = self.units.get(target) if target is not None else None
        steps = distance(unit.at, target) if target is not None else 1
        if unit.square or (unit.arm == "cavalry" and foe is not None and foe.square):
            return 1
        if unit.arm == "artillery":
            row = (HORSE if unit.kind.horse else FOOT)[unit.blocks]
            return row[steps - 1] + (1 if unit.kind.guard and steps == 1 else 0) + self.card_dice(unit, target)
        if steps > 1:
            return (unit.kind.moving if unit.moved else unit.kind.still)[unit.blocks - 1] + self.card_dice(unit, target)
        against = unit.kind.against_infantry if foe is not None and foe.arm == "infantry" else 0
        return unit.kind.melee[unit.blocks - 1] + against + self.card_dice(unit, target)

    def card_dice(self, unit: Unit, target: Hex | None) -> int:
        """Élan is for all, Give Them the Cold Steel for one melee. A charge is not for buildings, but within one is."""
        if unit.card == "cavalry_charge" and unit.arm == "cavalry":
            built = target is not None and "town" in (self.ground(unit.at), self.ground(target))
            return 0 if built else 1 + unit.kind.guard
        return int(unit.card in ("elan", "cold_steel"))

    # ---------------------------------------------------------------- morale and retreat
    def ignorable(self, unit: Unit, attacker: Unit) -> int:
        """The flags that a unit may ignore."""
        if unit.arm == "cavalry" and attacker.square:
            return 0
        friends = [self.units.get(it) or self.leaders.get(it) for it in neighbours(unit.at)]
        supported = not unit.square and sum(each is not None and each.side == unit.side for each in friends) >= 2
        works = unit.arm != "cavalry" and self.shielded(unit.at, attacker.at)
        return unit.kind.ignores + (unit.chief is not None) + supported + works

    def back(self, place: Hex, side: str) -> list[Hex]:
        return [it for it in neighbours(place) if it[1] - place[1] == HOMEWARDS[side] and it in HEXES]

    def open_behind(self, place: Hex, unit: Unit) -> list[Hex]:
        return [it for it in self.back(place, unit.side) if not self.barred(it, unit)]

    def retires_through(self, unit: Unit) -> list[Hex]:
        """The first hexes of cavalry that retires two: a leader would stop it there."""
        first = [it for it in self.open_behind(unit.at, unit) if it not in self.leaders]
        return [it for it in first if self.open_behind(it, unit)] if unit.arm == "cavalry" else []

    def may_form_square(self, unit: Unit) -> bool:
        works = any(it == unit.at for it, _ in self.works)
        cards = self.hands[unit.side] >= 3 and self.tracks[unit.side] < 4
        return unit.arm == "infantry" and not unit.square and cards and self.ground(unit.at) != "town" and not works
