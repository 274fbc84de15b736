"""Areas, seas and forces of The Napoleonic Wars in plain Python, from the clauses (r.2, r.9.9, r.13.3, r.14.9).

Figures of areas, nations and leaders are those of the game; terms and procedures are written here from the aid.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

OTHER_SIDE = {"imperial": "coalition", "coalition": "imperial", "neutral": "neutral"}
TERRAIN_DICE = {"clear": 0, "rough": 1, "marsh": 1, "mountain": 2}
SEA_LANES = (
    ("atlantic", "channel"),
    ("channel", "north_sea"),
    ("atlantic", "north_sea"),
    ("baltic", "north_sea"),
    ("atlantic", "west_med"),
    ("east_med", "west_med"),
    ("black_sea", "east_med"),
)
GATES = {
    frozenset(("north_sea", "baltic")): "copenhagen",
    frozenset(("atlantic", "west_med")): "gibraltar",
    frozenset(("east_med", "black_sea")): "constantinople",
}


def half(number: int) -> int:
    return (number + 1) // 2


class Ground:
    """A position, read from the things of a game but not by its rules, and what the dice and players say of it."""

    def __init__(self, things: dict[str, dict[str, Any]], active: str, points: int) -> None:
        self.active, self.points = active, points
        self.nation, self.area, self.leader = things["nation"], things["area"], things["leader"]
        self.track = sorted(self.nation, key=lambda name: int(self.nation[name].a_track))
        self.seas = list(things["sea"])
        self.way: dict[tuple[str, str], str] = {}
        for name, road in things["road"].items():
            one, other = name.split("-")
            self.way[one, other] = self.way[other, one] = str(road.a_way.id)
        self.next_to = {each: [there for here, there in self.way if here == each] for each in self.area}
        self.ports = {name: [str(sea.id) for sea in each.a_ports] for name, each in self.area.items()}
        self.fortress = {name: int(each.a_fortress) for name, each in self.area.items()}
        self.home = {name: str(each.a_home.id) for name, each in self.area.items()}
        self.control = {name: str((each.a_marker or each.a_home).id) for name, each in self.area.items()}
        self.units = {name: str(each.a_nation.id) for name, each in things["unit"].items()}
        self.ships = {name: str(each.a_nation.id) for name, each in things["squadron"].items()}
        self.ready = {name: each.a_state.id == "ready" for name, each in things["squadron"].items()}
        kinds = ("unit", "leader", "squadron")
        self.at = {name: str(each.at.id) for kind in kinds for name, each in things[kind].items()}
        self.used = {name for kind in ("unit", "leader") for name, each in things[kind].items() if each.a_used}
        self.failed = {name for name, each in self.leader.items() if each.a_failed}
        self.resources = {name: int(each.a_resources) for name, each in self.nation.items()}
        self.power = {name: self.power_of(name) for name in self.nation}
        self.side = {name: self.side_of(name) for name in self.nation}
        self.disrupted: set[str] = set()
        self.bridged = False
        self.pact: set[str] = set()
        self.passed: set[str] = set()

    def ask(self, address: str, nation: str, options: Iterable[Any]) -> Any:
        """The answer of a nation's player."""
        raise NotImplementedError

    def die(self) -> int:
        """The next die."""
        raise NotImplementedError

    def dice(self, number: int) -> list[int]:
        return [self.die() for _ in range(number)]

    # ---------------------------------------------------------------- sides and control
    def power_of(self, nation: str) -> str:
        figures = self.nation[nation]
        return nation if figures.a_major or figures.a_patron is None else str(figures.a_patron.id)

    def side_of(self, nation: str) -> str:
        figures = self.nation[nation]
        if figures.a_major:
            return str(figures.a_stance.id)
        allied = figures.a_patron is not None and figures.a_attitude.id == "alliance"
        return str(figures.a_patron.a_stance.id) if allied else "neutral"

    def friends(self, one: str, other: str) -> bool:
        return one == other or (self.side[one] == self.side[other] != "neutral")

    def hostile(self, one: str, other: str) -> bool:
        return self.side[one] != "neutral" and OTHER_SIDE[self.side[one]] == self.side[other]

    def own(self, area: str, nation: str) -> bool:
        return self.friends(self.control[area], nation)

    def enemy(self, area: str, nation: str) -> bool:
        return self.hostile(self.control[area], nation)

    def bound(self, one: str, other: str) -> bool:
        """Whether the two have an armistice (c.3)."""
        return one != other and {one, other} <= self.pact

    def kept_out(self, nation: str, area: str) -> bool:
        """Whether an armistice keeps a nation out of the areas of the other, and from where its units stand (c.3)."""
        there = [owner for each, owner in self.units.items() if self.at[each] == area]
        return any(self.bound(nation, each) for each in [self.control[area], *there])

    def truce(self, side: str, here: str, there: str) -> bool:
        """Whether an armistice binds squadrons of a side in one place and of its enemy in another (c.3, r.13.2)."""
        foes = [self.ships[each] for each in self.fleet(there, OTHER_SIDE[side])]
        return any(self.bound(self.ships[each], foe) for each in self.fleet(here, side) for foe in foes)

    # ---------------------------------------------------------------- forces
    def units_at(self, area: str, nation: str) -> list[str]:
        """Units of a nation's side."""
        return [each for each, owner in self.units.items() if self.at[each] == area and self.friends(owner, nation)]

    def units_of(self, area: str, nation: str) -> list[str]:
        return [each for each, owner in self.units.items() if self.at[each] == area and owner == nation]

    def foes_at(self, area: str, nation: str) -> list[str]:
        return [each for each, owner in self.units.items() if self.at[each] == area and self.hostile(owner, nation)]

    def owner(self, leader: str) -> str:
        return str(self.leader[leader].a_nation.id)

    def command(self, leader: str) -> int:
        return int(self.leader[leader].a_command)

    def rating(self, leader: str | None) -> int:
        return int(self.leader[leader].a_battle) if leader else 0

    def leaders_at(self, area: str, nation: str) -> list[str]:
        """Leaders of a nation's side."""
        return [each for each in self.leader if self.at[each] == area and self.friends(self.owner(each), nation)]

    def chief(self, group: Iterable[str]) -> str | None:
        """The commander-in-chief; of equals one of the nation whose impulse it is, else the first listed (r.2.2)."""
        listed = list(self.leader)

        def rank(each: str) -> tuple[int, int, bool, int]:
            return self.command(each), self.rating(each), self.owner(each) == self.active, -listed.index(each)

        return max(group, key=rank, default=None)

    def spokesman(self, units: Iterable[str], chief: str | None) -> str:
        """The commander's nation, without leader the nation with most units."""
        if chief:
            return self.owner(chief)
        owners = [self.units[each] for each in units]
        return max(self.track, key=lambda nation: (owners.count(nation), -self.track.index(nation)))

    def weakest(self, units: Iterable[str]) -> list[str]:
        return sorted(units, key=lambda each: each not in self.disrupted)

    def share(self, address: str, nation: str, units: Sequence[str], number: int) -> list[str]:
        """As many of the units; of several nations the player of one divides them."""
        left, taken = list(units), []
        for remaining in range(min(number, len(left)), 0, -1):
            owners = [each for each in self.track if any(self.units[unit] == each for unit in left)]
            whose = self.ask(address, nation, owners) if len(left) > remaining else owners[0]
            unit = self.weakest(each for each in left if self.units[each] == whose)[0]
            left.remove(unit)
            taken.append(unit)
        return taken

    # ---------------------------------------------------------------- losses
    def eliminate(self, unit: str) -> None:
        self.at[unit] = str(self.nation[self.units[unit]].a_pool.id)
        self.disrupted.discard(unit)

    def scatter(self, piece: str) -> None:
        owner = self.units[piece] if piece in self.units else self.owner(piece)
        self.at[piece] = str(self.nation[owner].a_regroup.id)
        self.disrupted.discard(piece)

    def orphan(self, area: str, nation: str) -> None:
        """Sends leaders that are left without a unit of their side to the regroup box (r.2.5)."""
        if not self.units_at(area, nation):
            for each in self.leaders_at(area, nation):
                self.scatter(each)

    def surprise(self, area: str, nation: str) -> None:
        """Scatters enemy leaders who stand alone where units of the nation's side come (r.11.1)."""
        if self.units_at(area, nation) and not self.foes_at(area, nation):
            for each in self.leader:
                if self.at[each] == area and self.hostile(self.owner(each), nation):
                    self.scatter(each)

    def attrition(self, group: Iterable[str], area: str) -> None:
        """Rolls nation by nation; the French lose half outside Russia, Spain and Turkey (r.14.9)."""
        force = [each for each in group if self.at[each] == area]
        for nation in self.track:
            units = [each for each in force if self.units[each] == nation]
            losses = self.dice(len(units)).count(6)
            if nation == "france" and self.home[area] not in ("russia", "spain", "turkey"):
                losses = half(losses)
            for each in self.weakest(units)[:losses]:
                self.eliminate(each)

    # ---------------------------------------------------------------- seas and ways
    def passage(self, here: str, there: str, nation: str) -> str:
        """The way between two areas; pontoons open all ways for the army that marches (c.32)."""
        return "open" if self.bridged and nation == self.active else self.way[here, there]

    def sea_neighbours(self, sea: str) -> list[str]:
        return [other for lane in SEA_LANES for other in lane if sea in lane and other != sea]

    def fleet(self, place: str, side: str) -> list[str]:
        """Ready squadrons of a side."""
        return [
            q for q, owner in self.ships.items() if self.at[q] == place and self.ready[q] and self.side[owner] == side
        ]

    def controls(self, side: str, sea: str) -> bool:
        return bool(self.fleet(sea, side)) and not self.fleet(sea, OTHER_SIDE[side])

    def crosses(self, here: str, there: str, nation: str) -> bool:
        """Whether a strait, if it is one, is open (r.9.9)."""
        if self.passage(here, there, nation) != "strait" or self.side[nation] == "neutral":
            return True
        shared = set(self.ports[here]) & set(self.ports[there]) or set(self.ports[here]) | set(self.ports[there])
        return not any(self.controls(OTHER_SIDE[self.side[nation]], sea) for sea in shared)

    def open_areas(self, nation: str, area: str, enemy_from: str) -> list[str]:
        """Where a force may evade or retreat to: own areas, else enemy ones (r.10.5, r.11.5)."""
        force = {self.units[each] for each in self.units_at(area, nation)} | {nation}
        force |= {self.owner(each) for each in self.leaders_at(area, nation)}
        near = [
            each
            for each in self.next_to[area]
            if each != enemy_from and self.crosses(area, each, nation) and not self.foes_at(each, nation)
            if not any(self.kept_out(friend, each) for friend in force)
        ]
        return [each for each in near if self.own(each, nation)] or [each for each in near if self.enemy(each, nation)]

    def slip_causes(self, nation: str, here: str, there: str) -> int:
        """Attrition rolls of an evasion, an interception or a retreat (attrition.5, attrition.6)."""
        return int(self.enemy(there, nation)) + (self.passage(here, there, nation) == "strait")

    def slip(self, nation: str, group: Iterable[str], here: str, there: str, causes: int | None = None) -> None:
        """Moves pieces by evasion, interception or retreat."""
        pieces = list(group)
        due = self.slip_causes(nation, here, there) if causes is None else causes
        for each in pieces:
            self.at[each] = there
        self.surprise(there, nation)
        for _ in range(due):
            self.attrition([each for each in pieces if each in self.units], there)
        self.orphan(there, nation)

    # ---------------------------------------------------------------- control
    def occupy(self, area: str, nation: str) -> None:
        """Takes an enemy area without a fortress (r.9.7)."""
        if self.enemy(area, nation) and not self.fortress[area] and not self.foes_at(area, nation):
            self.take(area, nation)

    def take(self, area: str, nation: str) -> None:
        home = self.home[area]
        self.passed.discard(area)
        freed = (
            home != nation and self.friends(home, nation) and self.ask("take_control.liberate", nation, (True, False))
        )
        self.control[area] = home if freed else nation
        self.leave_port(area, nation)

    def leave_port(self, area: str, nation: str) -> None:
        """Sends the ships of those who lost the port to sea."""
        raise NotImplementedError
