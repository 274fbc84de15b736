"""A position of Age of Napoleon in plain Python, with the terms and charts of its clauses.

Figures of areas, countries, corps and cards are those of the game; tables and charts are written here from the aid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

SIDES = ("french", "coalition")
ENEMY = {"french": "coalition", "coalition": "french"}
SIDE_OF = {
    "french_ally": "french",
    "french_dominion": "french",
    "neutral": None,
    "coalition_member": "coalition",
    "insurgent": "coalition",
}
PRISON = {side: f"{side}_prison" for side in SIDES}
COURTED = ("Austria", "Prussia", "Russia", "Spain")
"""The major countries that can change sides."""
DRAWS = {"Austria": (2, 3), "Russia": (2, 3), "Prussia": (1, 2), "Spain": (2, 2)}
LIMITS = {"France": (10, 5), "Britain": (2, 1), "Austria": (6, 3), "Russia": (8, 4), "Prussia": (4, 2), "Spain": (4, 2)}
"""Corps on the map, and corps placed in a phase."""


class Position:
    """Who is where, and what holds."""

    def __init__(self, core: Any, options: Collection[str] = ()) -> None:
        self.options = set(options)
        """The optional rules that are on."""
        everything: dict[str, dict[str, Any]] = {}
        for each in core.world.objects:
            everything.setdefault(each.kind, {})[each.id] = each
        state = core.world.state
        self.area, self.country = everything["area"], everything["country"]
        self.corps, self.card = everything["corps"], everything["card"]
        self.next_to = {name: [each.id for each in area.neighbours] for name, area in self.area.items()}
        self.event = {name: card.a_event for name, card in self.card.items()}

        self.year: int = 1805 + state.a_years_played
        self.round: int = state.a_round
        self.start: int = state.a_starting_round
        self.first_turn, self.invaded, self.major_fell = state.a_first_turn, state.a_russia_invaded, False
        self.alignment: dict[str, str] = {name: each.a_alignment.id for name, each in self.country.items()}
        self.detached = {name for name, each in self.country.items() if each.a_detached}
        self.risen = {name for name, each in self.country.items() if each.a_once_insurgent}
        self.surrendered = {name for name, each in self.country.items() if each.a_surrendered_once}
        self.place = {name: each.at.id for name, each in self.corps.items()}
        self.reduced = {name for name, each in self.corps.items() if each.a_reduced}
        self.pile = {name: each.at.id for name, each in self.card.items()}
        self.order = list(SIDES)
        self.barred: set[str] = set()
        self.talks: set[str] = set()
        self.levies: Counter[str] = Counter()
        self.entered: Counter[str] = Counter()

    # ---------------------------------------------------------------- sides and areas (r.0)
    def exists(self, country: str) -> bool:
        return self.country[country].a_ruler is None or country in self.detached

    def stance(self, country: str) -> str:
        ruler = country if self.exists(country) else str(self.country[country].a_ruler.id)
        return self.alignment[ruler]

    def side(self, country: str) -> str | None:
        return SIDE_OF[self.stance(country)]

    def major(self, country: str) -> bool:
        return bool(self.country[country].a_major)

    def minors(self, side: str | None = None) -> list[str]:
        """The minor countries, detached areas among them; of a side, if one is named."""
        found = [each for each in self.country if not self.major(each) and self.exists(each)]
        return [each for each in found if side is None or self.side(each) == side]

    def owner(self, area: str) -> str:
        province = self.area[area].a_province
        return str(province.id if province and province.id in self.detached else self.area[area].a_land.id)

    def areas(self, country: str) -> list[str]:
        return [each for each in self.area if self.owner(each) == country]

    def capital(self, country: str) -> str:
        """The capital area; of a minor country its only one."""
        areas = self.areas(country)
        return next((each for each in areas if self.area[each].a_capital), areas[0])

    def rough(self, area: str) -> bool:
        return bool(self.area[area].a_terrain.id != "open")

    def coastal(self, area: str) -> bool:
        return bool(self.area[area].a_coastal)

    def area_side(self, area: str) -> str | None:
        return self.side(self.owner(area))

    def serves(self, corps: str) -> str | None:
        return self.side(self.corps[corps].a_country.id)

    def army(self, side: str, area: str) -> list[str]:
        return [each for each, place in self.place.items() if place == area and self.serves(each) == side]

    def on_map(self, corps: str) -> bool:
        return self.place[corps] in self.area

    def of(self, country: str) -> list[str]:
        """All corps of a nation."""
        return [each for each, corps in self.corps.items() if corps.a_country.id == country]

    def occupies(self, side: str, area: str) -> bool:
        return self.area_side(area) != side and bool(self.army(side, area))

    def holds(self, side: str, country: str) -> bool:
        """Whether a side occupies any area of a country."""
        return any(self.occupies(side, each) for each in self.areas(country))

    def own_area(self, side: str, area: str) -> bool:
        return self.area_side(area) == side and not self.army(ENEMY[side], area)

    def closed(self, side: str, area: str) -> bool:
        """Whether the area is that of a neutral country that the side does not occupy (r.5.5.4)."""
        return self.area_side(area) is None and not self.holds(side, self.owner(area))

    def command(self, corps: str) -> int:
        return int(self.corps[corps].a_command)

    def movement(self, corps: str) -> int:
        return int(self.corps[corps].a_movement)

    def chiefs(self, group: Iterable[str]) -> list[str]:
        """The corps that may lead a group (r.0.4)."""
        group = list(group)
        return [each for each in group if self.command(each) == max(map(self.command, group))]

    def distance(self, start: str, end: str) -> int:
        reached, steps = {start}, 0
        while end not in reached:
            wider = reached.union(*[self.next_to[each] for each in reached])
            if wider == reached:
                return len(self.area)
            reached, steps = wider, steps + 1
        return steps

    # ---------------------------------------------------------------- cards and places
    def hand(self, side: str) -> set[str]:
        return self.cards_in(f"{side}_hand")

    def cards_in(self, pile: str) -> set[str]:
        return {each for each, place in self.pile.items() if place == pile}

    def held(self, side: str, *events: str) -> set[str]:
        return {each for each in self.hand(side) if self.event[each].id in events}

    def in_effect(self, event: str) -> bool:
        return any(self.event[each].id == event for each in self.cards_in("in_effect"))

    def to_reserve(self, group: Iterable[str]) -> None:
        for each in group:
            self.place[each] = "reserve"
            self.reduced.discard(each)

    def advance(self, group: Iterable[str], area: str) -> None:
        """Moves corps into an area; a French-side corps in Russia is the invasion (r.5.9)."""
        for each in group:
            self.place[each] = area
            self.invaded |= self.owner(area) == "Russia" and self.serves(each) == "french"

    # ---------------------------------------------------------------- charts (r.3, r.4)
    def cards_due(self, side: str) -> int:
        column = SIDES.index(side)
        due = 5 if side == "french" else 4
        for country, row in DRAWS.items():
            if self.side(country) == side:
                risen = self.stance(country) == "insurgent"
                due += row[column] + (country == "Prussia" and self.in_effect("stein")) - risen
        return due + sum(self.stance(each) != "insurgent" for each in self.minors(side)) // 3

    def limits(self, country: str) -> tuple[int, int]:
        """The mobilisation and entry limits of a major country."""
        most, entry = LIMITS[country]
        if country in COURTED and self.side(country) == "french":
            return (most if country == "Spain" else 1), 1
        reform = {"Austria": "radetzky", "Prussia": "stein"}.get(country)
        return (most + 2, entry + 1) if reform and self.in_effect(reform) else (most, entry)

    def minor_limits(self, side: str) -> tuple[int, int]:
        number = len(self.minors("french"))
        return (number // 2, number // 3) if side == "french" else (2, 1)

    def entry_limit(self, country: str) -> int:
        if country in self.barred:
            return 0
        return self.limits(country)[1] + self.levies[country] if self.major(country) else 1

    def available(self, corps: str) -> bool:
        figures, country = self.corps[corps], self.corps[corps].a_country.id
        if self.place[corps] != "reserve" or figures.a_since > self.year or not self.exists(country):
            return False
        if figures.a_after_invasion and not self.invaded:
            return False
        if figures.a_needs and not self.in_effect(figures.a_needs.id):
            return False
        only = figures.a_auxiliary_of
        return self.side(country) is not None and (only is None or only.id == self.side(country))

    def has_room(self, corps: str, beyond: bool = False) -> bool:
        """Whether a limit allows one more of its country or pool on the map; `beyond` that of the pool (r.2.4)."""
        country = self.corps[corps].a_country.id
        of_country = sum(map(self.on_map, self.of(country)))
        if self.major(country):
            return of_country < self.limits(country)[0]
        side = self.corps[corps].a_auxiliary_of
        pool = [each for each, figures in self.corps.items() if figures.a_auxiliary_of is side]
        return not of_country and (beyond or sum(map(self.on_map, pool)) < self.minor_limits(side.id)[0])

    def home_areas(self, country: str) -> set[str]:
        return {each for each in self.areas(country) if not self.army(ENEMY[str(self.side(country))], each)}

    def entry_areas(self, corps: str) -> set[str]:
        """Where a corps may be placed in the reinforcement phase (r.4.3, r.4.5)."""
        figures, country = self.corps[corps], self.corps[corps].a_country.id
        found = self.home_areas(country)
        sails = country == "Britain" or (figures.a_auxiliary_of and any(map(self.coastal, self.areas(country))))
        if self.side(country) == "coalition" and self.in_effect("britannia") and sails:
            found |= {each for each in self.area if self.coastal(each) and self.own_area("coalition", each)}
        return found

    def may_enter(self, corps: str) -> bool:
        """Whether a corps can be placed in this reinforcement phase."""
        if not self.available(corps) or not self.has_room(corps) or not self.entry_areas(corps):
            return False
        country = self.corps[corps].a_country.id
        if self.major(country):
            return self.entered[country] < self.entry_limit(country)
        side = str(self.side(country))
        return self.entered[side] < self.minor_limits(side)[1]
