"""Nations, keys, prices, hands and victory of The Napoleonic Wars in plain Python (r.1 to r.8, r.14 to r.17).

Figures of areas, nations and cards are those of the game; terms and procedures are written here from the aid.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

BOXES = ("undecided", "leaning", "friendly", "alliance")
PRICE = {"undecided": 2, "leaning": 2, "friendly": 3, "alliance": 6}
PRICE_OF_PROXY = {"undecided": 2, "leaning": 3, "friendly": 4, "alliance": 8}
OTHER_SIDE = {"imperial": "coalition", "coalition": "imperial"}


class Court:
    """A position, read from the things of a game but not by its rules."""

    def __init__(self, core: Any) -> None:
        self.state: Any = core.world.state
        self.things: dict[str, dict[str, Any]] = {}
        for each in core.world.objects:
            self.things.setdefault(each.kind, {})[each.id] = each
        self.nation = self.things["nation"]
        self.area = self.things["area"]
        self.track = sorted(self.nation, key=lambda name: int(self.nation[name].a_track))
        self.next_to: dict[str, set[str]] = {each: set() for each in self.area}
        for each in self.things["road"]:
            one, other = each.split("-")
            self.next_to[one].add(other)
            self.next_to[other].add(one)

    # ---------------------------------------------------------------- sides and control
    def major(self, nation: str) -> bool:
        return bool(self.nation[nation].a_major)

    def majors(self) -> list[str]:
        return [each for each in self.track if self.major(each)]

    def minors(self) -> list[str]:
        return [each for each in self.track if not self.major(each)]

    def box(self, nation: str) -> str:
        return str(self.nation[nation].a_attitude.id)

    def row(self, nation: str) -> str | None:
        patron = self.nation[nation].a_patron
        return None if patron is None else str(patron.id)

    def allied(self, nation: str) -> bool:
        return not self.major(nation) and self.box(nation) == "alliance"

    def power(self, nation: str) -> str:
        return str(self.row(nation)) if self.allied(nation) else nation

    def side(self, nation: str) -> str:
        power = self.power(nation)
        return str(self.nation[power].a_stance.id) if self.major(power) else "neutral"

    def seat(self, nation: str) -> str:
        """Who decides for a nation: for one that is not allied the player of the row on which its diplomat stands."""
        row = self.row(nation)
        return str(self.nation[nation if self.major(nation) or row is None else row].a_seat.id)

    def acts(self, nation: str) -> bool:
        return self.major(nation) or self.allied(nation)

    def hostile(self, one: str, other: str) -> bool:
        return OTHER_SIDE.get(self.side(one)) == self.side(other)

    def friends(self, one: str, other: str) -> bool:
        return one == other or (self.side(one) == self.side(other) != "neutral")

    def bound(self, nation: str, other: str) -> bool:
        """Whether an armistice or a marriage forbids them to attack each other (c.3, c.46)."""
        state = self.state
        armistice = {state.a_pact_maker.id, state.a_pact_partner.id} if state.a_pact_impulses > 0 else set()
        marriage = {state.a_match_maker.id, state.a_match_partner.id} if state.a_match_turn >= state.a_turn else set()
        return nation != other and {nation, other} in (armistice, marriage)

    def controller(self, area: str) -> str:
        marker = self.area[area].a_marker
        return str((marker or self.area[area].a_home).id)

    def own(self, area: str, nation: str) -> bool:
        return self.friends(self.controller(area), nation)

    def enemy_area(self, area: str, nation: str) -> bool:
        return self.hostile(self.controller(area), nation)

    def home(self, nation: str) -> list[str]:
        return [name for name, each in self.area.items() if each.a_home.id == nation]

    def home_keys(self, nation: str) -> set[str]:
        return {each for each in self.home(nation) if self.area[each].a_key}

    def keys(self, nation: str) -> int:
        return sum(bool(each.a_key) and self.controller(name) == nation for name, each in self.area.items())

    def capitals(self, nation: str) -> list[str]:
        return ["petersburg", "moscow"] if nation == "russia" else [str(self.nation[nation].a_capital.id)]

    def captor(self, nation: str) -> str | None:
        """The enemy that controls the capital; of two the one in St Petersburg (r.15.2)."""
        held = [each for each in self.capitals(nation) if self.enemy_area(each, nation)]
        return self.controller(held[0]) if held else None

    def conquered(self, nation: str) -> bool:
        keys = self.home_keys(nation)
        lost = sum(self.enemy_area(each, nation) for each in keys)
        return self.captor(nation) is not None and 2 * lost >= len(keys)

    def at_war(self) -> bool:
        return any(self.hostile(one, other) for one in self.majors() for other in self.majors())

    # ---------------------------------------------------------------- hands and money
    def cards_due(self, nation: str) -> int:
        figures = self.nation[nation]
        due = max(self.keys(nation) // 2, int(figures.a_least_hand))
        return max(0, due - bool(figures.a_gave_up) - int(figures.a_fewer_cards))

    def reinforcement(self, nation: str) -> int:
        cp = int(self.nation[nation].a_reinforcement)
        return (cp + 1) // 2 if self.captor(nation) else cp

    # ---------------------------------------------------------------- victory
    def realm(self, power: str) -> set[str]:
        return {power} | {each for each in self.minors() if self.allied(each) and self.row(each) == power}

    def gained(self, nations: Iterable[str]) -> int:
        return sum(self.keys(each) - int(self.nation[each].a_start_keys) for each in nations)

    def points(self, power: str) -> int:
        realm = self.realm(power)
        return self.gained(realm) + len(realm) - 1 + int(self.nation[power].a_resources)

    def imperial_points(self) -> int:
        pair = {"france"} | ({"spain"} if self.allied("spain") and self.row("spain") == "france" else set())
        return self.gained(pair) + sum(int(self.nation[each].a_resources) for each in pair)

    def winner(self) -> str:
        """The player who wins at the end of a campaign (r.17.3 to r.17.5)."""
        if self.state.a_one_victor_a_side:
            scores = {}
            for seat in {self.seat(each) for each in self.majors()}:
                powers = [each for each in self.majors() if self.seat(each) == seat]
                scores[seat] = (
                    sum(map(self.points, powers)),
                    sum(self.gained(self.realm(each)) for each in powers),
                    sum(int(self.nation[each].a_resources) for each in powers),
                    max(map(self.track.index, powers)),
                )
            return max(scores, key=lambda each: scores[each])
        return self.seat(max(self.majors(), key=self.standing))

    def standing(self, power: str) -> tuple[int, int, int, int]:
        gained, resources = self.gained(self.realm(power)), int(self.nation[power].a_resources)
        return self.points(power), gained, resources, self.track.index(power)

    # ---------------------------------------------------------------- diplomacy
    def price(self, minor: str, step: int) -> int:
        """What it costs to move a diplomat to the right (step 1) or to the left (step -1)."""
        prices = PRICE if minor != "prussia" else PRICE_OF_PROXY
        box = BOXES[BOXES.index(self.box(minor)) + step]
        return prices[box] - step * bool(self.nation[minor].a_plus_side)

    # ---------------------------------------------------------------- builds
    def troops(self, area: str) -> list[Any]:
        return [each for each in self.things["unit"].values() if each.at.id == area]

    def cut_off(self, area: str, nation: str) -> bool:
        """Whether no other own home key can be reached by own areas, though there is one (r.7.5)."""
        if self.captor(nation) is None:
            return False
        sound = {each for each in self.home_keys(nation) if self.controller(each) == nation} - {area}
        reached, fresh = {area}, [area]
        while fresh:
            for there in self.next_to[fresh.pop()] - reached:
                if self.own(there, nation):
                    reached.add(there)
                    fresh.append(there)
        return bool(sound) and not sound & reached

    def threatened(self, area: str, nation: str) -> bool:
        return any(self.hostile(each.a_nation.id, nation) for each in self.troops(area))

    def build_areas(self, nation: str, limit: bool) -> set[str]:
        return {
            each
            for each in self.home_keys(nation)
            if self.controller(each) == nation
            and not self.threatened(each, nation)
            and not self.cut_off(each, nation)
            and not (limit and self.area[each].a_built >= 2)
        }
