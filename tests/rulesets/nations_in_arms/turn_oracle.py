"""Compares the turns of a game and its end with chapter 4 and the scenarios."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import plain_sieges as plain
from oracle import RuleOracle
from plain_force import commander, inside, leads_itself

from interpreter.play.engine.decision import Decision
from interpreter.play.engine.outcome import Result

Watch = Generator[None, Any, None]

SIDES = ("empire", "coalition")
ALWAYS = {f"{side}_land_{number}" for side in SIDES for number in range(1, 5)}
ALWAYS |= {"empire_naval_1", "coalition_naval_1", "neutral_land", "neutral_naval"}
QUARTERS = "winter_quarters_marker"
ENDING_DRAW = {"winter": 1, "autumn": 2, "spring": 3}
"""The draw of Winter Quarters that ends the activation phase (4.3)."""
SEASONS = ("spring", "summer", "autumn", "winter")
VERDICTS = {"marengo_1800": (8, 5, 2, -1), "ulm_austerlitz_1805": (9, 6, 3, 0)}
"""The least points of the Empire for its decisive and marginal victory, a draw, and a marginal one of the Coalition."""
POINTS: dict[str, tuple[dict[str, int], dict[str, int]]] = {
    "marengo_1800": (
        {"milan": 2, "turin": 2, "genoa_city": 2, "alessandria": 1, "mantua": 3, "munich": 2}
        | {"augsburg": 1, "ulm": 1, "innsbruck": 1},
        {"genoa_city": 2, "nice_city": 1, "zurich": 1, "basel": 1, "geneva_city": 1, "strasbourg": 2, "lyon": 3},
    ),
    "ulm_austerlitz_1805": (
        {"vienna": 4, "munich": 2, "ulm": 1, "innsbruck": 1, "venice": 2, "prague": 2, "brunn": 1, "trieste": 1},
        {"ulm": 1, "munich": 1, "stuttgart": 1, "milan": 3, "mantua": 3, "mainz": 2, "strasbourg": 4},
    ),
}
"""What the cities count for the Empire and for the Coalition."""


def side_of(bloc: Any) -> str:
    """The side of a bloc, as the markers name it."""
    return str(bloc.a_side.id).removesuffix("_side")


def marked(marker: Any) -> tuple[str, str]:
    """The side and the sort of an initiative marker."""
    side, _, rest = marker.id.partition("_")
    return side, rest.partition("_")[0]


class TurnOracle(RuleOracle):
    """Keeps an initiative pool and a score of its own, and compares those of a traced game with them."""

    def __init__(self, scenario: str) -> None:
        super().__init__()
        self.scenario = scenario
        self.pool: set[str] = set()
        self.aside: set[str] = set()
        self.made = self.quarters = self.turn = 0
        self.last_land = ""
        self.over = False
        self.conquered = False
        self.left_to_owner: set[Any] = set()
        """Cities under control of a foreign power that the other side has occupied."""
        self.season = ""
        self.paid: tuple[Any, int] = (None, 0)
        for rule, watcher in (
            ("fill_pool", self.filling),
            ("draw_marker", self.drawing),
            ("close_impulse", self.closing),
            ("spend", self.spending),
            ("recovery_check", self.recovery),
            ("check_conquest", self.conquest),
            ("arrivals", self.arrivals),
        ):
            self.watch(f"procedures/{rule}", watcher)

    def expect(self, what: str, found: Any, wanted: Any) -> None:
        """Notes a comparison, and a difference."""
        self.seen[what.partition(":")[0]] += 1
        if found != wanted:
            self.mismatches.append(f"turn {self.state.a_turn}: {what}: found {found}, wanted {wanted}")

    def things(self, kind: str) -> list[Any]:
        """All things of a kind."""
        return [each for each in self.world.objects if each.kind == kind]

    # ---------------------------------------------------------------- the pool
    def in_pool(self) -> set[str]:
        """What lies in the pool of the game."""
        return {each.id for each in self.things("marker") if each.at is not None and each.at.id == "initiative_pool"}

    def filling(self) -> Watch:
        """4.1.1, and what must be over by then: 5.3.2.3, 8.8.3.1, turn-sequence.9."""
        before, self.season = self.season, self.state.a_season.id
        self.turn += 1
        self.expect("turn", self.state.a_turn, self.turn)
        if before:
            self.expect("season", self.season, SEASONS[(SEASONS.index(before) + 1) % 4])
        afoot = [each for each in self.things("force") if each.at is not None]
        self.expect("levels", [each.id for each in afoot if each.a_level], [])
        if before == "winter":
            self.expect("demoralized after winter", [each.id for each in afoot if each.a_demoralized], [])
        yield
        self.pool = ALWAYS | (set() if self.season == "summer" else {QUARTERS})
        self.aside, self.made, self.quarters, self.over = set(), 0, 0, False
        self.expect("pool", self.in_pool(), self.pool)

    def drawing(self) -> Watch:
        """4.2: void markers and Winter Quarters are set aside, until a marker gives an impulse or the phase ends."""
        drawn, answered = len(self.drawn), len(self.answered)
        yield
        first = [each for name, each in self.answered[answered:] if name == "choose_first_marker.first_marker"]
        self.expect(
            "free choice", len(first), int(self.turn == 1 and self.made == 0 and self.quarters == 0 and drawn == 0)
        )
        draws = [each for each in (*first, *self.drawn[drawn:]) if each is not None]
        impulse = None
        for number, marker in enumerate(draws):
            self.expect("drawn out of the pool", marker.id in self.pool, True)
            self.pool.discard(marker.id)
            impulse = self.effect_of_draw(marker)
            if impulse or self.over:
                self.expect("no draw after that", number, len(draws) - 1)
                break
        if impulse is None and not self.over:
            self.expect("the pool is empty", self.pool, set())
            self.over = True
        self.expect("impulse", self.state.a_impulse_marker, impulse)
        self.expect("phase over", bool(self.state.a_phase_over), self.over)
        self.expect("pool while drawing", self.in_pool(), self.pool)

    def effect_of_draw(self, marker: Any) -> Any:
        """What one marker does; gives it back if it begins an impulse."""
        if marker.id == QUARTERS:
            self.seen["quarters"] += 1
            self.quarters += self.made > 0
            if self.quarters == ENDING_DRAW[self.season]:
                self.over = True
                self.seen["ended by quarters"] += 1
                if self.season == "spring":
                    found = {each.id.removesuffix("_side") for each in self.state.a_naval_impulses}
                    self.expect("both have had a naval impulse", found, set(SIDES))
            else:
                self.aside.add(marker.id)
            return None
        side, sort = marked(marker)
        if sort == "land" and side == self.last_land:
            self.seen["void"] += 1
            self.aside.add(marker.id)
            return None
        self.made += 1
        if sort == "land" and side in SIDES:
            self.last_land = side
            back = {each for each in self.aside if each != QUARTERS}
            self.pool |= back
            self.aside -= back
        return marker

    def closing(self) -> Watch:
        """4.2.3.2: Winter Quarters goes back; and who has occupied what is seen."""
        yield
        if not self.over and QUARTERS in self.aside:
            self.aside.discard(QUARTERS)
            self.pool.add(QUARTERS)
        if not self.over:
            self.expect("pool after an impulse", self.in_pool(), self.pool)
        for city in self.things("city"):
            hex_ = city.a_hex
            if hex_ is not None and plain.level(hex_) == 0 and (holder := self.occupant(hex_)):
                lord = plain.power_of(hex_)
                if lord is not None and holder != side_of(lord.a_bloc):
                    self.left_to_owner.add(hex_)

    def on_decision(self, decision: Decision) -> None:
        """4.2.3, 4.4.6: only the side whose land marker was drawn activates."""
        if decision.address != "one_activation.impulse":
            return
        marker = self.state.a_impulse_marker
        blocs = {
            side_of(each.a_bloc) for each in self.things("power") if each.a_player.id == decision.seat and each.a_major
        }
        self.expect("who acts", (marker is not None and marked(marker)[1], marked(marker)[0] in blocs), ("land", True))

    # ---------------------------------------------------------------- recovery, arrivals
    def recovery(self, force: Any) -> Watch:
        """8.8.4: 3 MP, in supply, the roll less the commander's modifier against the lowered morale."""
        rolled = len(self.rolled)
        head = commander(force)
        led = head is not None or leads_itself(force)
        self.expect("may recover", (force.a_demoralized, force.a_out_of_supply, led), (True, False, True))
        groups = plain.morale_groups([force])
        most = {value - 1 for value, count in groups.items() if count == max(groups.values())}
        yield
        if self.paid[0] is not None:  # it may have been made up
            self.expect("price of a recovery", self.paid, (force, 3))
        die = self.rolled[rolled][1]
        found = not force.a_demoralized
        rolled_at_last = die - (head.a_combat if head is not None else 0)
        self.expect("recovered", found in {rolled_at_last <= each for each in most}, True)
        self.seen["led by itself"] += head is None
        self.seen["recovered" if found else "not recovered"] += 1

    def spending(self, force: Any, points: int) -> Watch:
        """What was paid last."""
        self.paid = (force, points)
        yield

    def arrivals(self) -> Watch:
        """What is due comes to its place, or where the enemy holds it to the other (figures of the scenarios)."""
        due = [each for each in self.things("arrival") if self.due(each) and each.a_force is not None]
        wanted = [(each.a_force, self.landing(each)) for each in due]
        counters = {each: inside(each, "combat_unit") for each, _ in wanted}
        yield
        for force, place in wanted:
            found = {self.place(each) for each in counters[force]}
            found.discard(None)  # where it joins others one unit may absorb another
            self.expect(f"arrival: {force.id}", found, {place} - {None})

    def due(self, arrival: Any) -> bool:
        """Whether it is now."""
        return bool(arrival.a_year == self.state.a_year and arrival.a_season is self.state.a_season)

    def landing(self, arrival: Any) -> Any:
        """Where it comes to."""
        side = side_of(arrival.a_force.a_flag.a_bloc)
        places = [each for each in (arrival.a_place, arrival.a_fallback) if each is not None]
        return next((each for each in places if self.holds(each) in {side, "neutral"}), None)

    def place(self, counter: Any) -> Any:
        """Where on the map it is."""
        while counter is not None and counter.kind not in {"hex", "box", "pool"}:
            counter = counter.at
        return counter if counter is not None and counter.kind == "hex" else None

    # ---------------------------------------------------------------- victory
    def occupant(self, hex_: Any) -> str:
        """The side whose combat units alone stand there; in ruins one of them must be in supply (glossary, Occupy)."""
        there = [each for each in hex_.c_force if inside(each, "combat_unit") and not each.a_inside]
        sides = {side_of(plain.bloc_of(each)) for each in there}
        if len(sides) != 1 or (hex_.a_fortress_down and all(each.a_out_of_supply for each in there)):
            return ""
        return sides.pop()

    def holds(self, hex_: Any) -> str:
        """The side that holds a place; an open city that was occupied and left is its owner's (our reading)."""
        owner = hex_.a_province.a_owner
        if plain.level(hex_):
            return side_of(plain.power_of(hex_).a_bloc)
        if found := self.occupant(hex_):
            return found
        if hex_.a_fortress or hex_ in self.left_to_owner:
            return side_of(owner.a_bloc)
        return side_of((hex_.a_holder or owner).a_bloc)

    def score(self) -> int:
        """The points of the Empire less those of the Coalition."""
        hexes = {each.id: each.a_hex for each in self.things("city")}
        totals = []
        for side, cities in zip(SIDES, POINTS[self.scenario], strict=True):
            totals.append(sum(worth for name, worth in cities.items() if self.holds(hexes[name]) == side))
        return totals[0] - totals[1]

    def is_conquered(self) -> bool:
        """14.3.1, 14.3.2.1: Vienna, and Budapest or Prague, or no Austrian army that could still fight at home."""
        hexes = {each.id: each.a_hex for each in self.things("city")}
        austria = next(each for each in self.things("power") if each.id == "austria")
        taken = {each for each in ("vienna", "budapest", "prague") if self.holds(hexes[each]) == "empire"}
        fit = [
            each
            for each in self.things("army")
            if each.a_power is austria and (place := self.place(each)) is not None
            if not each.at.a_demoralized and place.a_province is not None and place.a_province.a_owner is austria
        ]
        return "vienna" in taken and (len(taken) > 1 or not fit)

    def conquest(self) -> Watch:
        """Looked at once a turn."""
        self.conquered = self.is_conquered()
        yield
        self.expect("not conquered", self.conquered, False)

    def on_result(self, result: Result) -> None:
        """16.3: who has won."""
        if not self.turn:
            return  # one rule has run, and no turn
        found = (result.winners, result.reason)
        seats = {"marengo_1800": ("austrian",), "ulm_austerlitz_1805": ("russian", "austrian")}[self.scenario]
        if self.conquered:
            wanted: tuple[Any, str] = (("french",), "decisive victory by conquest")
        else:
            points, (decisive, marginal, even, theirs) = self.score(), VERDICTS[self.scenario]
            if even <= points < marginal:
                wanted = ((), "drawn_game")
            else:
                winners = ("french",) if points >= marginal else seats
                great = points >= decisive or points < theirs
                wanted = (winners, "decisive_victory" if great else "marginal_victory")
        self.expect("result", (sorted(found[0]), found[1]), (sorted(wanted[0]), wanted[1]))
        self.seen[f"{wanted[0]} {wanted[1]}"] += 1
