"""The hand-written Fin-Napoleon, held against facts of the rulebook on both sides of each boundary."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from plain_board import Country, Unit, put
from plain_fin_napoleon import Game, play_random
from plain_movement import Paths
from plain_result import FrenchSurrender, GameOver, Options, allied_scores


class Table:
    """A game on an empty map whose answers and dice are laid out beforehand; every one of them must be used."""

    def __init__(self, options: Options | None = None) -> None:
        self.answers: deque[tuple[str, Any]] = deque()
        self.dice: deque[int] = deque()
        self.game = Game(self._choose, self._roll, options)
        for country in self.game.countries:
            for unit in country.units:
                put(unit, None)

    def _choose(self, _seat: str, address: str, options: Sequence[Any]) -> Any:
        expected, answer = self.answers.popleft()
        assert address == expected
        found = [each for each in options if each is answer or str(each) == str(answer)]
        assert found, f"{answer} is not among {options}"
        return found[0]

    def _roll(self) -> int:
        return self.dice.popleft()

    def country(self, name: str) -> Country:
        return self.game.country[name]

    def stand(self, name: str, area: str, fronts: int = 0, backs: int = 0) -> list[Unit]:
        """Places fresh units of a country."""
        free = [unit for unit in self.country(name).units if unit.area is None][: fronts + backs]
        for number, unit in enumerate(free):
            unit.front = number < fronts
            put(unit, self.game.area[area])
        return free

    def ends(self, name: str, area: str, allowance: int, *, at_sea: bool = True) -> set[str]:
        paths = Paths(self.country(name), self.game.countries, self.game.areas, at_sea=at_sea)
        return {each.name for each in paths.ends(self.game.area[area], allowance)[0]}

    def count(self, name: str, area: str) -> int:
        return self.game.area[area].counts[self.country(name).number]

    def check_over(self) -> None:
        assert not self.answers
        assert not self.dice


def at_war(table: Table, names: Iterable[str]) -> None:
    for name in names:
        table.country(name).state = "war"


@pytest.mark.parametrize(("die", "place"), [(1, 0), (2, 1), (6, 5)])
def test_the_die_is_the_place_of_france(die: int, place: int) -> None:
    """5.0.p6: France takes the place of the number rolled, the Allies keep their order."""
    table = Table()
    order = [each.name for each in table.game.order(die)]
    assert order.index("France") == place
    assert [each for each in order if each != "France"] == ["Prussia", "Austria", "Russia", "Spain", "Britain"]


@pytest.mark.parametrize(
    ("target", "die", "state"),
    [("Austria", 3, "armistice"), ("Austria", 4, "peace"), ("Spain", 2, "armistice"), ("Spain", 3, "peace")],
)
def test_declaration_succeeds_by_the_targets_figures(target: str, die: int, state: str) -> None:
    """7.0.p5-6: 1-3 against Austria, 1-2 against any other; success is one step nearer to war."""
    table = Table()
    for name in ("Austria", "Spain", "Prussia"):
        table.country(name).state = "peace"
    table.answers.append(("target", target))
    table.dice.append(die)
    table.game.declare(table.country("France"))
    assert table.country(target).state == state
    table.check_over()


@pytest.mark.parametrize(("morale", "value"), [(20, 3), (11, 3), (10, 2), (0, 2)])
def test_french_reinforcement_by_morale(morale: int, value: int) -> None:
    """12.0.p3: 20 to 11 gives 3, 10 to 0 gives 2; on the Road to Paris 0 gives nothing."""
    table, road = Table(), Table(Options(road_to_paris=True))
    table.game.morale = road.game.morale = morale
    assert table.game.reinforcement_value(table.country("France")) == value
    assert road.game.reinforcement_value(road.country("France")) == (0 if morale == 0 else value)


@pytest.mark.parametrize(("french", "bonus"), [(1, 0), (2, 1)])
def test_a_bonus_area_needs_a_strict_lead_over_each_army(french: int, bonus: int) -> None:
    """8.0.p4: a tie does not count, and the other armies are compared singly."""
    table = Table()
    table.stand("France", "Italy", french)
    table.stand("Austria", "Italy", 1)
    table.stand("Russia", "Italy", 0, 1)
    assert table.game.reinforcement_value(table.country("France")) == 3 + bonus


@pytest.mark.parametrize(("enemies", "passes"), [(4, True), (5, False)])
def test_five_enemies_stop_the_french(enemies: int, passes: bool) -> None:
    """10.12.p2: 4 enemy units can be passed, 5 stop; units of countries at peace do not count."""
    table = Table()
    table.stand("Austria", "Austria", enemies)
    table.stand("Prussia", "Austria", 4)
    assert ("Western Russia" in table.ends("France", "Italy", 2)) is passes


def test_an_allied_unit_stops_at_one_french_unit_and_never_goes_from_enemy_to_enemy() -> None:
    """10.11.p2-3: with a forced march it may go round, through an area without enemies."""
    table = Table()
    table.stand("France", "Prussia", 0, 1)
    assert "Warsaw" in table.ends("Austria", "Austria", 2)
    table.stand("France", "Warsaw", 1)
    assert "Russia" not in table.ends("Austria", "Warsaw", 1)
    assert "Prussia" not in table.ends("Austria", "Warsaw", 1)
    assert "Prussia" in table.ends("Austria", "Warsaw", 2)
    table.stand("France", "Austria", 1)
    assert "Prussia" not in table.ends("Austria", "Warsaw", 2)


def test_the_sea_is_crossed_by_all_and_held_by_the_british() -> None:
    """10.14, 1.1.p7: others may not end at sea; under Nelson's offensive the French do not cross at all."""
    table = Table()
    assert table.ends("Britain", "Atlantic", 1) >= {"Mediterranean", "Baltic", "Atlantic", "Britain"}
    assert "Russia" not in table.ends("France", "France", 2)
    assert "Russia" in table.ends("France", "France", 3)
    assert "Atlantic" not in table.ends("France", "France", 3)
    assert "Britain" not in table.ends("France", "France", 3, at_sea=False)


@pytest.mark.parametrize(("dice", "left"), [([1, 4], 1), ([3, 3], 1), ([2, 3], 0)])
def test_a_forced_march_over_sea_takes_both_rolls(dice: list[int], left: int) -> None:
    """10.13.p4, 10.14.p3-4: one forced-march die and one sea die, however many seas were crossed."""
    table = Table()
    (unit,) = table.stand("France", "France", 1)
    table.answers += [("forced_march", unit), ("destination", "Russia")]
    table.dice += dice
    table.game.move_all(table.country("France"))
    assert table.count("France", "Russia") == left
    assert table.game.morale == 20 - (1 - left)
    table.check_over()


@pytest.mark.parametrize(("area", "hits"), [("Spain", 1), ("Austria", 2)])
def test_a_two_misses_in_spain(area: str, hits: int) -> None:
    """10.21.special: elsewhere 1 and 2 hit, in Spain only 1."""
    table = Table()
    table.dice += [1, 2, 3]
    assert table.game.hits(3, table.game.area[area]) == hits


@pytest.mark.parametrize(("active", "dice"), [("France", 6), ("Austria", 4), ("Russia", 4)])
def test_allied_dice_go_by_the_activity(active: str, dice: int) -> None:
    """10.23.p4-6: all roll fully in a French activity; else other allies roll 1 for a front and none for a back."""
    table = Table()
    table.stand("France", "Austria", 3)
    table.stand("Austria", "Austria", 1, 1)
    table.stand("Russia", "Austria", 1, 1)
    table.dice += [6] * dice
    table.game.allied_attack(table.game.area["Austria"], table.country(active))
    table.check_over()


@pytest.mark.parametrize(("fronts", "area"), [(1, "Italy"), (0, "South France")])
def test_an_army_on_its_backs_facing_a_front_is_routed(fronts: int, area: str) -> None:
    """10.22.p2, 10.25: half of it regroups, and it moves nearer to home by land; with a front it stays."""
    table = Table()
    table.stand("Austria", "Italy", 1)
    backs = table.stand("France", "Italy", fronts, 2)[fronts:]
    if not fronts:
        table.answers += [("regroup", backs[0]), ("refuge", area), ("refuge", area)]
    table.game.check_routs(table.game.area["Italy"])
    assert table.count("France", area) == 2 + fronts
    assert [unit.front for unit in backs] == [not fronts, False]
    table.check_over()


def test_both_on_their_backs_nobody_is_routed() -> None:
    """10.22.p2: if both sides have only back-side units nobody is routed."""
    table = Table()
    table.stand("Austria", "Italy", 0, 2)
    table.stand("France", "Italy", 0, 2)
    table.game.check_routs(table.game.area["Italy"])
    assert table.game.routed == []


def test_routs_from_home_from_britain_and_of_prussians() -> None:
    """10.25: at home only the markers, from Britain no regrouping, Prussians regroup all."""
    table = Table()
    at_war(table, ["Prussia"])
    home = table.stand("Austria", "Austria", 0, 2)
    table.game.rout(table.country("Austria"), home, table.game.area["Austria"])
    assert [(unit.front, unit.area and unit.area.name, unit.routed) for unit in home] == [(False, "Austria", True)] * 2
    (castaway,) = table.stand("France", "Britain", 0, 1)
    table.answers.append(("refuge", "Spain"))
    table.game.rout(table.country("France"), [castaway], table.game.area["Britain"])
    assert (castaway.front, castaway.area and castaway.area.name) == (False, "Spain")
    prussians = table.stand("Prussia", "Warsaw", 0, 3)
    table.game.rout(table.country("Prussia"), list(prussians), table.game.area["Warsaw"])
    assert [(unit.front, unit.area and unit.area.name) for unit in prussians] == [(True, "Prussia")] * 3
    table.check_over()


@pytest.mark.parametrize(("french", "defenders", "state"), [(3, 0, "war"), (4, 0, "peace"), (4, 1, "war")])
def test_surrender_needs_more_than_the_garrison_and_an_empty_home(french: int, defenders: int, state: str) -> None:
    """10.31: Austria's garrison is 3; its units elsewhere come home on the side they had."""
    table = Table()
    table.stand("France", "Austria", french)
    table.stand("Austria", "Austria", 0, defenders)
    (away,) = table.stand("Austria", "Warsaw", 0, 1)
    table.game.check_surrender()
    assert table.country("Austria").state == state
    assert (away.area is table.game.area["Austria"]) is (state == "peace")
    assert not away.front


@pytest.mark.parametrize(("morale", "after"), [(20, 15), (3, 0)])
def test_a_french_surrender_costs_five_and_ends_the_phase(morale: int, after: int) -> None:
    """10.33: morale falls by 5, never below 0; on the Road to Paris a surrender at morale 0 ends the game."""
    table = Table()
    table.game.morale = morale
    table.stand("Austria", "France", 3)
    table.stand("Russia", "France", 1)
    table.game.check_surrender()
    table.stand("Russia", "France", 0, 1)
    with pytest.raises(FrenchSurrender):
        table.game.check_surrender()
    assert table.game.morale == after
    road = Table(Options(road_to_paris=True))
    road.game.morale = 0
    road.stand("Austria", "France", 5)
    with pytest.raises(GameOver, match="allied"):
        road.game.check_surrender()


@pytest.mark.parametrize(("place", "morale"), [("South France", 19), ("Italy", 20)])
def test_staying_at_home_costs_morale(place: str, morale: int) -> None:
    """11.1: no French unit outside France and South France costs 1."""
    table = Table()
    table.stand("France", place, 1)
    table.game.french_adjustment()
    assert table.game.morale == morale


@pytest.mark.parametrize(("die", "front"), [(3, False), (4, True)])
def test_russia_wears_down_foreigners(die: int, front: bool) -> None:
    """11.2: 1-3 is a loss for every unit but Russians in Russia and Western Russia."""
    table = Table()
    (french,) = table.stand("France", "Western Russia", 1)
    (russian,) = table.stand("Russia", "Western Russia", 1)
    table.dice.append(die)
    table.game.attrition([table.game.area["Western Russia"], table.game.area["Russia"]], table.country("Russia"), 3)
    assert (french.front, russian.front) == (front, True)
    table.check_over()


@pytest.mark.parametrize(
    ("at_peace", "morale", "declares", "winner"),
    [
        (("Prussia", "Spain", "Austria"), 20, None, None),
        (("Prussia", "Spain", "Austria"), 0, None, "allied"),
        (("Austria", "Britain"), 20, True, "french"),
        (("Austria", "Britain"), 20, False, None),
        (("Austria", "Britain"), 0, True, "draw"),
        (("Austria", "Britain"), 0, False, "allied"),
    ],
)
def test_victory(at_peace: tuple[str, ...], morale: int, declares: bool | None, winner: str | None) -> None:
    """13.1-13.2: 9 points allow no declaration, 10 do; morale 0 is an allied victory, both at once a draw."""
    table = Table()
    at_war(table, ["Prussia", "Spain"])
    for name in at_peace:
        table.country(name).state = "peace"
    table.game.morale = morale
    if declares is not None:
        table.answers.append(("declare_victory", declares))
    try:
        table.game.declare_victory()
        ended = None
    except GameOver as over:
        ended = over.winner
    assert ended == winner
    table.check_over()


def test_options_of_mobilisation() -> None:
    """14.0: the French roll 1-4 by option; an ally at war is barred by option; the right-most level is the last."""
    table = Table(Options(french_reform=True, allied_reform=True))
    france, austria, spain = (table.country(each) for each in ("France", "Austria", "Spain"))
    table.dice += [5, 4]
    table.game.mobilise(france)
    assert france.level == 0
    table.game.mobilise(france)
    assert france.level == 1
    assert not table.game.may_mobilise(austria)
    assert table.game.may_mobilise(spain)
    spain.level = 1
    assert not table.game.may_mobilise(spain)
    table.check_over()


def test_allied_players_score_for_units_near_france() -> None:
    """14.0.multiplayer: shortfall of right-most maxima, 2 in France, 1 in and around South France."""
    table = Table(Options(multiplayer=(("Prussia", "Austria"), ("Russia", "Spain", "Britain"))))
    table.stand("Prussia", "France", 1, 1)
    table.stand("Austria", "Warsaw", 2)
    table.stand("Britain", "Mediterranean", 1)
    table.stand("Spain", "Spain", 1)
    assert allied_scores(table.game.country, table.game.area, table.game.options.multiplayer) == (2 + 4, 0 + 2)


def test_random_games_agree_with_the_published_tuning() -> None:
    """figures.yaml, tuning: random against random takes 34.4 turns on average and the Allies nearly always win."""
    results = [play_random(seed) for seed in range(300)]
    turns = sum(each.turns for each in results) / len(results)
    allied = sum(each.winner == "allied" for each in results) / len(results)
    assert 31.5 <= turns <= 37.5
    assert allied >= 0.97


def test_a_seed_is_a_game() -> None:
    """The same seed gives the same game, with every option too."""
    options = Options((("Prussia", "Austria"), ("Russia", "Spain", "Britain")), True, True, True, True)
    assert play_random(7) == play_random(7)
    assert play_random(7, options) == play_random(7, options)
    assert play_random(7, options).scores
