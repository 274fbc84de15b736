"""Where units may march to in the hand-written game: allowances, stops, the crossing of seas."""

from __future__ import annotations

from plain_board import BY_NUMBER, FRENCH_STOP, Area, Country


class Paths:
    """The ways open to one country in one activity; enemies do not change while it moves."""

    def __init__(self, mover: Country, countries: list[Country], areas: list[Area], *, at_sea: bool) -> None:
        self.french = mover.number == 0
        self.british = mover.name == "Britain"
        self.at_sea = at_sea
        self.stops = [self._stops(area, countries) for area in areas]
        self._known: dict[tuple[Area, int], tuple[list[Area], set[Area]]] = {}

    def _stops(self, area: Area, countries: list[Country]) -> bool:
        """Whether enough enemies stand in the area to end a move there; nothing at sea does (10.11, 10.12)."""
        if area.sea or not area.units:
            return False
        if not self.french:
            return area.counts[0] > 0
        return sum([area.counts[each.number] for each in countries[1:] if each.state == "war"]) >= FRENCH_STOP

    def ends(self, origin: Area, allowance: int) -> tuple[list[Area], set[Area]]:
        """The areas a unit may end in, its own included, and the areas it can reach without the sea."""
        key = (origin, allowance)
        found = self._known.get(key)
        if found is None:
            by_land = self._flood(origin, allowance, by_sea=False)
            ends = self._flood(origin, allowance, by_sea=True) if self.at_sea else by_land
            if not self.british:
                ends = {area for area in ends if not area.sea}
            found = self._known[key] = (sorted(ends, key=BY_NUMBER), by_land)
        return found

    def _flood(self, origin: Area, allowance: int, *, by_sea: bool) -> set[Area]:
        """The areas entered within the allowance; an allied unit never steps from French units to French units."""
        stops = self.stops
        seen = {origin}
        edge = [origin]
        held = not self.french and stops[origin.number]
        for _ in range(allowance):
            further = [
                there
                for here in edge
                for there in (here.neighbours if by_sea else here.land_neighbours)
                if there not in seen and not (held and stops[there.number])
            ]
            seen.update(further)
            edge = [there for there in further if not stops[there.number]]
            held = False
        return seen
