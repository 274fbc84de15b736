"""The board and the figures of Fin-Napoleon 2.1 for the hand-written game: areas, countries, units, tables.

Written straight from the figures (figures.yaml), by hand and apart from the ruleset, so that the two can be compared.
Numbers of areas and countries are the canonical order of both.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from dataclasses import dataclass, field
from operator import attrgetter

AREAS = (
    ("France", False),
    ("South France", False),
    ("Confederation of the Rhine", False),
    ("Italy", False),
    ("Prussia", False),
    ("Austria", False),
    ("Warsaw", False),
    ("Western Russia", False),
    ("Russia", False),
    ("Spain", False),
    ("Britain", False),
    ("Atlantic", True),
    ("Baltic", True),
    ("Mediterranean", True),
)
"""Every area and whether it is sea."""

BORDERS = {
    "France": ("South France", "Confederation of the Rhine"),
    "South France": ("Spain", "Italy"),
    "Confederation of the Rhine": ("Prussia", "Austria", "Italy"),
    "Italy": ("Austria",),
    "Prussia": ("Austria", "Warsaw"),
    "Austria": ("Warsaw", "Western Russia"),
    "Warsaw": ("Western Russia",),
    "Western Russia": ("Russia",),
    "Atlantic": (
        "Baltic",
        "Mediterranean",
        "Britain",
        "Spain",
        "France",
        "South France",
        "Confederation of the Rhine",
    ),
    "Baltic": ("Confederation of the Rhine", "Prussia", "Western Russia", "Russia"),
    "Mediterranean": ("Spain", "France", "South France", "Italy", "Austria"),
}

BONUS_AREAS = ("Confederation of the Rhine", "Italy", "Warsaw")
COMBAT_HITS = frozenset({1, 2})
COMBAT_HITS_IN_SPAIN = frozenset({1})
FORCED_MARCH_HITS = frozenset({1, 2})
SEA_HITS = frozenset({1, 2, 3})
FRENCH_STOP = 5
TURN_CAP = 200
BY_NUMBER = attrgetter("number")
START_MORALE = 20
VICTORY_POINTS_NEEDED = 10


@dataclass(frozen=True, slots=True)
class Setup:
    """What the charts and the map print of one country; `levels` are (reinforcement value, maximum strength)."""

    name: str
    garrison: int
    victory_points: int
    state: str
    strength: int
    counters: int
    march: int
    forced_march: int
    declare_up_to: int
    levels: tuple[tuple[int, int], ...]


COUNTRIES = (
    Setup("France", 4, 0, "war", 8, 13, 2, 3, 0, ((0, 8), (0, 10), (0, 12))),
    Setup("Prussia", 2, 3, "peace", 3, 9, 1, 2, 2, ((1, 4), (2, 6), (3, 8))),
    Setup("Austria", 3, 4, "war", 3, 9, 1, 2, 3, ((1, 4), (2, 6), (3, 8))),
    Setup("Russia", 3, 4, "war", 4, 10, 1, 2, 2, ((1, 4), (2, 6), (3, 9))),
    Setup("Spain", 2, 2, "peace", 2, 6, 0, 0, 2, ((1, 3), (2, 5))),
    Setup("Britain", 3, 6, "war", 2, 5, 1, 2, 2, ((1, 2), (2, 4))),
)


class Area:
    """A land or sea area; `units` stay in canonical order, `counts` are their numbers by country."""

    __slots__ = ("counts", "land_neighbours", "name", "neighbours", "number", "sea", "units")

    def __init__(self, number: int, name: str, sea: bool) -> None:
        self.number = number
        self.name = name
        self.sea = sea
        self.units: list[Unit] = []
        self.counts = [0] * len(COUNTRIES)
        self.neighbours: tuple[Area, ...] = ()
        self.land_neighbours: tuple[Area, ...] = ()

    def __repr__(self) -> str:
        return self.name


class Country:
    """One of the six armies with its place on the war-system chart; `strength` counts its units on the map."""

    __slots__ = ("home", "level", "name", "number", "refuges", "seat", "setup", "state", "strength", "units")

    def __init__(self, number: int, setup: Setup, home: Area) -> None:
        self.number = number
        self.name = setup.name
        self.setup = setup
        self.home = home
        self.seat = "french" if number == 0 else "allied"
        self.state = setup.state
        self.level = 0
        self.strength = 0
        self.units = [Unit(self, each) for each in range(1, setup.counters + 1)]
        self.refuges: tuple[tuple[Area, ...], ...] = ()

    def __repr__(self) -> str:
        return self.name


class Unit:
    """A counter; `area` is none while it waits in its country's box or apart."""

    __slots__ = ("area", "country", "front", "name", "number", "routed")

    def __init__(self, country: Country, number: int) -> None:
        self.country = country
        self.number = country.number * 100 + number
        self.name = f"{country.name}_{number}"
        self.area: Area | None = None
        self.front = True
        self.routed = False

    def __repr__(self) -> str:
        return self.name


@dataclass(slots=True)
class Board:
    """The areas, the countries in order, and both by name."""

    areas: list[Area] = field(default_factory=list)
    countries: list[Country] = field(default_factory=list)
    area: dict[str, Area] = field(default_factory=dict)
    country: dict[str, Country] = field(default_factory=dict)


def put(unit: Unit, area: Area | None) -> None:
    """Moves a unit to an area, or off the map."""
    country = unit.country
    if unit.area is not None:
        unit.area.units.remove(unit)
        unit.area.counts[country.number] -= 1
        country.strength -= 1
    unit.area = area
    if area is not None:
        insort(area.units, unit, key=BY_NUMBER)
        area.counts[country.number] += 1
        country.strength += 1


def _distances(start: Area, by_sea: bool) -> dict[Area, int]:
    """How many areas away each area is from `start`, along land only or by sea too."""
    found = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there in here.neighbours if by_sea else here.land_neighbours:
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def _refuges(country: Country, areas: list[Area]) -> tuple[tuple[Area, ...], ...]:
    """By number of the area of a rout: the areas next to it that are nearer to the country's home."""
    british = country.name == "Britain"
    far = _distances(country.home, british)
    table: list[tuple[Area, ...]] = []
    for area in areas:
        if area.name == "Britain" and not british:
            sea = next(each for each in area.neighbours)
            table.append(tuple([each for each in sea.land_neighbours if each is not area]))
        else:
            ways = area.neighbours if british else area.land_neighbours
            table.append(tuple([each for each in ways if area in far and far[each] < far[area]]))
    return tuple(table)


def new_board() -> Board:
    """The board before any unit is placed."""
    board = Board([Area(number, name, sea) for number, (name, sea) in enumerate(AREAS)])
    board.area = {each.name: each for each in board.areas}
    adjoining: dict[str, set[str]] = {each.name: set() for each in board.areas}
    for name, others in BORDERS.items():
        for other in others:
            adjoining[name].add(other)
            adjoining[other].add(name)
    for area in board.areas:
        area.neighbours = tuple([each for each in board.areas if each.name in adjoining[area.name]])
        area.land_neighbours = tuple([each for each in area.neighbours if not each.sea])
    board.countries = [Country(number, setup, board.area[setup.name]) for number, setup in enumerate(COUNTRIES)]
    board.country = {each.name: each for each in board.countries}
    for country in board.countries:
        country.refuges = _refuges(country, board.areas)
    return board
