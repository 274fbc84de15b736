"""Fin-Napoleon 2.1 written by hand in plain Python: the yardstick for speed and an independent oracle for the rules.

It was written from the rulebook's clauses and figures alone. Decisions go out through `choose(seat, address, options)`,
dice through `roll()`; a decision with one option is not asked. Clause numbers are given where a rule is not plain.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from plain_board import (
    BONUS_AREAS,
    COMBAT_HITS,
    COMBAT_HITS_IN_SPAIN,
    FORCED_MARCH_HITS,
    SEA_HITS,
    START_MORALE,
    TURN_CAP,
    VICTORY_POINTS_NEEDED,
    Area,
    Country,
    Unit,
    new_board,
    put,
)
from plain_movement import Paths
from plain_result import FrenchSurrender, GameOver, Options, Result, allied_scores, canonical_state

Choose = Callable[[str, str, Sequence[Any]], Any]
Roll = Callable[[], int]


class Game:
    """One game; `play` plays it out, every other method is one rule or term of the rulebook."""

    def __init__(self, choose: Choose, roll: Roll, options: Options | None = None) -> None:
        self.options = options or Options()
        self.roll = roll
        self._choose = choose
        self.decisions = 0
        self.turn = 0
        self.morale = START_MORALE
        self.order_die = 0
        self.winner: str | None = None
        self.routed: list[Unit] = []
        board = new_board()
        self.areas, self.countries = board.areas, board.countries
        self.area, self.country = board.area, board.country
        self.france, self.britain, self.spain = (
            board.country["France"],
            board.country["Britain"],
            board.country["Spain"],
        )
        self.prussia, self.russia = board.country["Prussia"], board.country["Russia"]
        self.allies = board.countries[1:]
        self.abroad = [each for each in board.areas if each.name not in ("France", "South France")]
        self.bonus_areas = [board.area[name] for name in BONUS_AREAS]
        self.lands = [each for each in board.areas if not each.sea]
        for number, names in enumerate(self.options.multiplayer, 1):
            for name in names:
                self.country[name].seat = f"allied_{number}"
        for country in self.countries:
            for unit in country.units[: country.setup.strength]:
                put(unit, country.home)

    # ------------------------------------------------------------ pieces and decisions
    def ask(self, seat: str, address: str, options: Sequence[Any]) -> Any:
        """The answer of a seat; a single option answers itself."""
        if len(options) == 1:
            return options[0]
        self.decisions += 1
        return self._choose(seat, address, options)

    def on_map(self, country: Country) -> list[Unit]:
        """The country's units on the map."""
        return [unit for unit in country.units if unit.area is not None]

    def army(self, country: Country, area: Area) -> list[Unit]:
        """The country's units in the area that are not routed."""
        return [unit for unit in area.units if unit.country is country and not unit.routed]

    def enemies(self, area: Area) -> list[Unit]:
        """Units of allied countries at war in the area that are not routed."""
        france = self.france
        return [u for u in area.units if u.country is not france and u.country.state == "war" and not u.routed]

    def lose(self, unit: Unit) -> None:
        """One loss (3.1); a French unit removed costs morale (12.0.a)."""
        if unit.front:
            unit.front = False
            return
        unit.front = True
        unit.routed = False
        put(unit, None)
        if unit.country is self.france:
            self.lower_morale(1)

    def lower_morale(self, by: int) -> None:
        """Morale never falls below 0."""
        self.morale = max(0, self.morale - by)

    # ------------------------------------------------------------ the turn
    def play(self) -> Result:
        """Plays until somebody wins or the turn cap is reached."""
        try:
            while self.turn < TURN_CAP:
                self.play_turn()
        except GameOver as over:
            self.winner = over.winner
        scores = allied_scores(self.country, self.area, self.options.multiplayer)
        return Result(self.winner, self.turn, self.decisions, self.canonical_state(), scores)

    def play_turn(self) -> None:
        """The three phases; a French surrender leads straight to the victory declaration (10.33)."""
        self.turn += 1
        self.order_die = self.roll()
        try:
            for country in self.order(self.order_die):
                self.activate(country)
        except FrenchSurrender:
            self.declare_victory()
            self.after_surrender()
            return
        self.french_adjustment()
        self.attrition((self.area["Russia"], self.area["Western Russia"]), self.russia, 3)
        self.attrition((self.area["Spain"],), self.spain, 2)
        self.declare_victory()

    def order(self, die: int) -> list[Country]:
        """The order of activity: France takes the place of the number rolled."""
        return [*self.allies[: die - 1], self.france, *self.allies[die - 1 :]]

    def activate(self, country: Country) -> None:
        """One activity or none (6.0.p3)."""
        activity = self.ask(country.seat, "activity", self.activities(country))
        if activity == "declare":
            self.declare(country)
        elif activity == "reinforce":
            self.reinforce(country, self.reinforcement_value(country))
        elif activity == "mobilise":
            self.mobilise(country)
        elif activity == "march":
            self.march(country)

    def activities(self, country: Country) -> list[str]:
        """The activities offered to a country, `none` first."""
        offered = ["none"]
        if self.targets(country):
            offered.append("declare")
        if self.reinforcement_value(country) > 0 and (self.room(country) or self.backs(country)):
            offered.append("reinforce")
        if self.may_mobilise(country):
            offered.append("mobilise")
        if country is self.france or country.state == "war":
            offered.append("march")
        return offered

    # ------------------------------------------------------------ declaration, mobilisation, reinforcement
    def targets(self, country: Country) -> list[Country]:
        """Whom a country may declare war for or against: its own state, or anybody's for France and Britain."""
        if country is self.france or country is self.britain:
            return [each for each in self.allies if each.state != "war"]
        return [country] if country.state != "war" else []

    def declare(self, country: Country) -> None:
        """One die by the target's figures brings it a step nearer to war."""
        target: Country = self.ask(country.seat, "target", self.targets(country))
        if self.roll() <= target.setup.declare_up_to:
            target.state = "armistice" if target.state == "peace" else "war"

    def may_mobilise(self, country: Country) -> bool:
        """Below the right-most level, and by option not for an ally at war."""
        if country.level + 1 >= len(country.setup.levels):
            return False
        return not (self.options.allied_reform and country is not self.france and country.state == "war")

    def mobilise(self, country: Country) -> None:
        """Moves the level one column to the right."""
        automatic = country is self.france and not self.options.french_reform
        if automatic or self.roll() <= (4 if country is self.france else 2):
            country.level += 1

    def reinforcement_value(self, country: Country) -> int:
        """By level, the French one by morale; and one for each bonus area strictly led."""
        value = self.french_value() if country is self.france else country.setup.levels[country.level][0]
        for area in self.bonus_areas:
            own = area.counts[country.number]
            if own and own == max(area.counts) and area.counts.count(own) == 1:
                value += 1
        return value

    def french_value(self) -> int:
        """12.0.p3, and 0 at morale 0 on the Road to Paris."""
        if self.morale > 10:
            return 3
        return 0 if self.options.road_to_paris and self.morale == 0 else 2

    def room(self, country: Country) -> bool:
        """Whether the maximum strength allows one more unit on the map."""
        return country.strength < country.setup.levels[country.level][1]

    def backs(self, country: Country) -> list[Unit]:
        """The country's back-side units on the map."""
        return [unit for unit in country.units if unit.area is not None and not unit.front]

    def reinforce(self, country: Country, points: int) -> None:
        """Spends points one by one: a unit placed at home, or two units turned face up."""
        for _ in range(points):
            ways = ["stop"]
            if self.room(country):
                ways.append("place")
            if self.backs(country):
                ways.append("turn")
            way = self.ask(country.seat, "reinforcement", ways)
            if way == "stop":
                return
            if way == "place":
                unit = next(each for each in country.units if each.area is None)
                unit.front = True
                put(unit, country.home)
            else:
                self.turn_up(country)

    def turn_up(self, country: Country) -> None:
        """One point turns two back-side units, or the only one."""
        for _ in range(2):
            if backs := self.backs(country):
                self.ask(country.seat, "turn_up", backs).front = True

    # ------------------------------------------------------------ movement
    def march(self, country: Country) -> None:
        """The movement/combat activity: movement, combat, surrender."""
        self.move_all(country)
        self.fight_all(country)
        self.check_surrender()

    def move_all(self, country: Country) -> None:
        """Forced marches are declared, units move, then each takes its rolls (10.1)."""
        if country.setup.march == 0:
            return
        units = self.on_map(country)
        forced = self.forced_marches(country, units)
        at_sea = not (country is self.france and self.options.nelson and self.order_die % 2 == 0)
        paths = Paths(country, self.countries, self.areas, at_sea=at_sea)
        rolls: list[tuple[Unit, bool, bool]] = []
        for unit in units:
            longer = unit in forced
            origin = unit.area
            assert origin is not None
            places, by_land = paths.ends(origin, country.setup.march + longer)
            goal = self.ask(country.seat, "destination", places)
            crossed = goal not in by_land and country is not self.britain
            if goal is not origin:
                put(unit, goal)
            if longer or crossed:
                rolls.append((unit, longer, crossed))
        for unit, longer, crossed in rolls:
            if longer and self.roll() in FORCED_MARCH_HITS:
                self.lose(unit)
            if crossed and unit.area is not None and self.roll() in SEA_HITS:
                self.lose(unit)

    def forced_marches(self, country: Country, units: list[Unit]) -> set[Unit]:
        """The units declared to force march, picked one by one until done (`None`)."""
        left: list[Unit | None] = [None, *units]
        while len(left) > 1 and (unit := self.ask(country.seat, "forced_march", left)) is not None:
            left.remove(unit)
        return set(units).difference(left)

    # ------------------------------------------------------------ combat
    def fight_all(self, active: Country) -> None:
        """Combat in every area contested by the active country, in the order its player picks."""
        fights = [area for area in self.lands if area.counts[active.number] and self.contested(area, active)]
        while fights:
            area: Area = self.ask(active.seat, "combat", fights)
            fights.remove(area)
            self.combat(area, active)

    def contested(self, area: Area, active: Country) -> bool:
        """Whether the other side at war stands where the active country's units do (10.2); nobody is routed yet."""
        if active is not self.france:
            return area.counts[0] > 0
        return any(area.counts[each.number] for each in self.allies if each.state == "war")

    def combat(self, area: Area, active: Country) -> None:
        """French attack, rout check, allied attack, rout check."""
        self.french_attack(area)
        self.check_routs(area)
        if not self.army(self.france, area) or not self.enemies(area):
            return
        self.allied_attack(area, active)
        self.check_routs(area)

    def hits(self, dice: int, area: Area) -> int:
        """Rolls attack dice; in Spain a 2 misses."""
        hitting = COMBAT_HITS_IN_SPAIN if area is self.spain.home else COMBAT_HITS
        roll = self.roll
        return sum([roll() in hitting for _ in range(dice)])

    def french_attack(self, area: Area) -> None:
        """Units are allotted whole to armies before any die is rolled; then all dice, then all losses."""
        present = {unit.country for unit in self.enemies(area)}
        targets = [country for country in self.allies if country in present]
        dice = dict.fromkeys(targets, 0)
        for unit in self.army(self.france, area):
            dice[self.ask("french", "allotment", targets)] += 2 if unit.front else 1
        losses = [(target, self.hits(dice[target], area)) for target in targets]
        for target, count in losses:
            self.suffer(target, area, count)

    def allied_attack(self, area: Area, active: Country) -> None:
        """Full dice for all in a French activity, else only for the active country (10.23)."""
        dice = 0
        for unit in self.enemies(area):
            full = active is self.france or unit.country is active
            dice += (2 if unit.front else 1) if full else unit.front
        self.suffer(self.france, area, self.hits(dice, area))

    def suffer(self, country: Country, area: Area, losses: int) -> None:
        """Losses one by one, the owner choosing; what cannot be applied is void."""
        for _ in range(losses):
            army = self.army(country, area)
            if not army:
                return
            self.lose(self.ask(country.seat, "loss", army))

    def check_routs(self, area: Area) -> None:
        """All armies are judged at once, then the routed ones are handled (10.22)."""
        armies = {
            country: self.army(country, area)
            for country in self.countries
            if area.counts[country.number] and self.takes_part(country)
        }
        fronts = {country for country, army in armies.items() if any(unit.front for unit in army)}
        french_front, allied_front = self.france in fronts, bool(fronts - {self.france})
        for country, army in armies.items():
            if army and country not in fronts and (allied_front if country is self.france else french_front):
                self.rout(country, army, area)

    def takes_part(self, country: Country) -> bool:
        """Whether the country is in hostilities."""
        return country is self.france or country.state == "war"

    def rout(self, country: Country, army: list[Unit], area: Area) -> None:
        """Rout markers, regrouping, rout movement (10.25)."""
        for unit in army:
            unit.routed = True
        self.routed += army
        if area is country.home:
            return
        if area is not self.britain.home:
            self.regroup(country, list(army))
        refuges = country.refuges[area.number]
        for unit in army:
            put(unit, self.ask(country.seat, "refuge", refuges))

    def regroup(self, country: Country, army: list[Unit]) -> None:
        """Half of the army turns face up, the whole of a Prussian one."""
        if country is self.prussia:
            for unit in army:
                unit.front = True
            return
        for _ in range(len(army) // 2):
            unit = self.ask(country.seat, "regroup", army)
            unit.front = True
            army.remove(unit)

    # ------------------------------------------------------------ surrender
    def check_surrender(self) -> None:
        """Every country at war is judged before any is handled, the French one last (10.3).

        Raises:
            FrenchSurrender: when France has surrendered.
            GameOver: when that surrender ends the game on the Road to Paris.
        """
        fallen = [country for country in self.countries if self.surrenders(country)]
        for country in fallen:
            if country is not self.france:
                country.state = "peace"
                self.go_home(country)
        for unit in self.routed:
            unit.routed = False
        self.routed.clear()
        if self.france in fallen:
            if self.options.road_to_paris and self.morale == 0:
                raise GameOver("allied")
            self.lower_morale(5)
            raise FrenchSurrender

    def surrenders(self, country: Country) -> bool:
        """More enemies than the garrison at home, and nobody of its own (10.31)."""
        home = country.home
        if not self.takes_part(country) or len(home.units) <= country.setup.garrison or self.army(country, home):
            return False
        there = self.enemies(home) if country is self.france else self.army(self.france, home)
        return len(there) > country.setup.garrison

    def go_home(self, country: Country) -> None:
        """Its units on the map return home and keep their sides."""
        for unit in self.on_map(country):
            if unit.area is not country.home:
                put(unit, country.home)

    def after_surrender(self) -> None:
        """All units go home, and France makes one reinforcement without a bonus (10.33.p4)."""
        for country in self.countries:
            self.go_home(country)
        self.reinforce(self.france, self.french_value())

    def canonical_state(self) -> tuple[Any, ...]:
        """What counts of the position, to compare with another implementation."""
        return canonical_state(self.morale, self.countries)

    # ------------------------------------------------------------ adjustment and victory
    def french_adjustment(self) -> None:
        """No French unit outside French territory costs 1 morale."""
        if not any(area.counts[0] for area in self.abroad):
            self.lower_morale(1)

    def attrition(self, areas: Sequence[Area], exempt: Country, up_to: int) -> None:
        """One die for every foreign unit as it stands when the item begins."""
        for unit in [unit for area in areas for unit in area.units if unit.country is not exempt]:
            if self.roll() <= up_to:
                self.lose(unit)

    def declare_victory(self) -> None:
        """France may declare with enough points; morale 0 is an allied victory; both together a draw.

        Raises:
            GameOver: when anybody has won, or both.
        """
        points = sum([each.setup.victory_points for each in self.allies if each.state != "war"])
        declared = points >= VICTORY_POINTS_NEEDED and self.ask("french", "declare_victory", (False, True))
        broken = self.morale == 0 and not self.options.road_to_paris
        if declared or broken:
            raise GameOver("draw" if declared and broken else "french" if declared else "allied")


def play_random(seed: int, options: Options | None = None) -> Result:
    """A whole game in which every decision is taken evenly at random."""
    source = random.Random(seed).random

    def choose(seat: str, address: str, options: Sequence[Any]) -> Any:
        return options[int(source() * len(options))]

    def roll() -> int:
        return int(source() * 6) + 1

    return Game(choose, roll, options).play()
