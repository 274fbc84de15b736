"""Marches, battles, sieges and naval battles from random positions, followed by plain Python over the same dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from plain_forces import Marches
from plain_ground import OTHER_SIDE

from interpreter import Game, load_ruleset
from interpreter.play.engine.entry import ReturnValue, start_at_call
from interpreter.play.inputs.dice import Dice

ON_THE_MAP = ("march", "sail", "place_marker")
MOST_OPERATIONS = 3
POSITIONS = 100
"""The positions of each group; the oracle was run over some thousands."""


@cache
def rules() -> Any:
    return load_ruleset(Path(__file__).resolve().parents[3] / "rulesets" / "napoleonic_wars")


class RecordedDice(Dice):
    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self.faces: list[int] = []

    def roll(self, site: Any, count: int, faces: Sequence[int]) -> list[int]:
        rolled = super().roll(site, count, faces)
        self.faces += [faces[each] for each in rolled]
        return rolled


class Asked(NamedTuple):
    """A question of the game, with its answer and the number of dice before it."""

    address: str
    seat: str
    options: list[Any]
    answer: Any
    rolled: int


class Follower(Marches):
    """Answers as the game was answered, and checks that it is asked the same."""

    def __init__(self, things: dict[str, dict[str, Any]], active: str, points: int) -> None:
        super().__init__(things, active, points)
        self.seats = {name: str(each.a_seat.id) for name, each in self.nation.items()}
        self.asked: list[Asked] = []
        self.faces: list[int] = []
        self.rolled = 0

    def ask(self, address: str, nation: str, options: Iterable[Any]) -> Any:
        mine = list(options)
        if len(mine) == 1 and address != "operate.operations":
            return mine[0]
        assert self.asked, (address, mine)
        theirs = self.asked.pop(0)
        offered = [
            each for each in theirs.options if each is None or address != "operate.operations" or each in ON_THE_MAP
        ]
        assert (address, set(mine), self.rolled) == (theirs.address, set(offered), theirs.rolled), theirs
        assert self.seats[self.power[nation]] == theirs.seat, theirs
        return theirs.answer

    def die(self) -> int:
        self.rolled += 1
        return self.faces[self.rolled - 1]


def kinds_of(core: Any) -> dict[str, dict[str, Any]]:
    things: dict[str, dict[str, Any]] = {}
    for each in core.world.objects:
        things.setdefault(each.kind, {})[each.id] = each
    return things


class Scattering:
    """A random position: sides, markers, forces and fleets anywhere, but no enemies in one area."""

    def __init__(self, core: Any, random: Random) -> None:
        self.core, self.random, self.things = core, random, kinds_of(core)
        self.nation, self.area = self.things["nation"], self.things["area"]
        self.take_sides()
        self.side = {name: self.side_of(each) for name, each in self.nation.items()}
        self.place_markers()
        self.place_forces()
        self.place_fleets()
        core.forget()

    def take_sides(self) -> None:
        majors = [each for each in self.nation.values() if each.a_major]
        for each in majors:
            side = self.random.choices(("imperial", "coalition", "neutral"), (1, 5, 2))[0]
            each.a_stance = self.core.find("side", "imperial" if each.id == "france" else side)
        self.nation["austria"].a_stance = self.core.find("side", "coalition")
        patrons = [each for each in majors if each.a_stance.id != "neutral"]
        for each in self.nation.values():
            each.a_reserve_used, each.a_resources = True, self.random.randint(0, 4)
            if not each.a_major:
                allied = self.random.random() < 0.6
                each.a_patron = self.random.choice(patrons) if allied else None
                each.a_attitude = self.core.find("attitude", "alliance" if allied else "undecided")

    def side_of(self, nation: Any) -> str:
        power = nation if nation.a_major else nation.a_patron
        return str(power.a_stance.id) if power else "neutral"

    def place_markers(self) -> None:
        share = self.random.choice((0.05, 0.3))
        at_war = [name for name, side in self.side.items() if side != "neutral"]
        self.control = {}
        for name, each in self.area.items():
            holder = self.random.choice(at_war) if self.random.random() < share else each.a_home.id
            if self.side[each.a_home.id] == "neutral":
                holder = each.a_home.id
            each.a_marker = None if holder == each.a_home.id else self.nation[holder]
            self.control[name] = holder

    def place_forces(self) -> None:
        density, front, share = (self.random.choice(each) for each in ((0.15, 0.4, 0.8), (0.1, 0.35), (0.3, 0.6, 0.9)))
        ground = {name: self.side[holder] for name, holder in self.control.items() if self.random.random() < density}
        for name in ground:
            if self.random.random() < front:
                ground[name] = OTHER_SIDE[ground[name]]
        for kind in ("unit", "leader"):
            for each in self.things[kind].values():
                owner = each.a_nation
                spots = [name for name, side in ground.items() if side == self.side[owner.id] != "neutral"]
                crowded = spots[: max(2, len(spots) // 4)] if self.random.random() < 0.7 else spots
                there = self.area[self.random.choice(crowded)] if spots and self.random.random() < share else None
                self.core.world.place(each, there or owner.a_regroup)
                each.a_used, each.a_marching = self.random.random() < 0.1, False
                if kind == "leader":
                    each.a_failed = self.random.random() < 0.1

    def place_fleets(self) -> None:
        for each in self.things["squadron"].values():
            owner = each.a_nation
            each.a_sailing, each.a_state = False, self.core.find("readiness", "ready")
            ports = [each for name, each in self.area.items() if self.may_harbour(name, owner.id)]
            chance = self.random.random()
            if chance < 0.4 and self.side[owner.id] != "neutral":
                self.core.world.place(each, self.random.choice(list(self.things["sea"].values())))
            elif chance < 0.8 and ports:
                there = self.random.choice(ports)
                self.core.world.place(each, there)
                if there.a_home is owner and self.random.random() < 0.3:
                    each.a_state = self.core.find("readiness", "refit")
            else:
                self.core.world.place(each, owner.a_regroup)
                each.a_state = self.core.find("readiness", "refit")

    def may_harbour(self, area: str, nation: str) -> bool:
        holder = self.control[area]
        friendly = holder == nation or self.side[holder] == self.side[nation] != "neutral"
        return bool(self.area[area].a_ports) and friendly


class Operations:
    """A nation's CP, spent at random from a random position and then followed by plain Python."""

    def __init__(self, seed: str, only: tuple[str, ...]) -> None:
        self.random, self.dice, self.only = Random(seed), RecordedDice(seed), only
        self.operations = 0
        self.game = Game(rules(), dice=self.dice, start=start_at_call(self.begin, True, ReturnValue()))
        while self.game.decision is not None:
            self.decide(self.game.decision)

    def begin(self, core: Any) -> Callable[[], Any]:
        scattering = Scattering(core, self.random)
        self.things = scattering.things
        self.acting = self.random.choice([name for name, side in scattering.side.items() if side != "neutral"])
        points = self.random.randint(1, 12)
        core.world.state.a_points, core.world.state.a_active = points, self.things["nation"][self.acting]
        self.follower = Follower(self.things, self.acting, points)
        return partial(core.rule("procedures/operate"), self.things["nation"][self.acting])

    def decide(self, decision: Any) -> None:
        options = [getattr(each, "id", each) for each in decision.options]
        index = self.chosen_index(decision.address, options)
        if len(options) > 1:
            asked = Asked(decision.address, str(decision.seat), options, options[index], len(self.dice.faces))
            self.follower.asked.append(asked)
        self.game.choose_index(index)

    def chosen_index(self, address: str, options: list[Any]) -> int:
        """At random, but forces go on, seek the enemy and are large more often than not."""
        if address == "operate.operations":
            able = [each for each in options if each in self.only]
            self.operations += 1
            return options.index(self.random.choice(able) if able and self.operations <= MOST_OPERATIONS else None)
        eager = self.random.random() < 0.65
        if eager and address == "march_step.march_orders":
            wanted = [each for each in ("embark", "go") if each in options]
            return options.index(self.random.choice(wanted or options))
        if eager and address == "go.there":
            hot = [each for each in options if self.follower.foes_at(each, self.acting)]
            return options.index(self.random.choice(hot or options))
        if eager and address == "form.number":
            return len(options) - 1
        something = [each for each in options if each is not None]
        return options.index(self.random.choice(something)) if eager else self.random.randrange(len(options))

    def follow(self) -> Counter[str]:
        """Follows the game and gives how often each question was compared."""
        compared = Counter(each.address for each in self.follower.asked)
        self.follower.faces = self.dice.faces
        self.follower.operate(self.acting)
        assert not [each for each in self.follower.asked if each.address != "operate.operations"]
        assert self.follower.rolled == len(self.dice.faces)
        self.compare_places()
        return compared

    def compare_places(self) -> None:
        plain, things = self.follower, self.things
        owners = plain.units | plain.ships
        kinds = ("unit", "leader", "squadron")
        real = Counter((owners.get(name, name), each.at.id) for kind in kinds for name, each in things[kind].items())
        assert real == Counter((owners.get(name, name), place) for name, place in plain.at.items())
        assert {name: (each.a_marker or each.a_home).id for name, each in things["area"].items()} == plain.control
        assert {name: each.a_resources for name, each in things["nation"].items()} == plain.resources
        assert {name for name, each in things["leader"].items() if each.a_failed} == plain.failed


@pytest.mark.parametrize(
    ("only", "questions"),
    [
        (("march",), {"go.there", "evade.to", "intercept.chosen", "lose_units.share", "fall_back_from.there"}),
        (("sail",), {"sail_from.there", "arrive.attack_fleet", "arrive.meet_fleet", "run_to_port.there"}),
        (ON_THE_MAP, {"march.area", "sail.place", "embark.there"}),
    ],
)
def test_operations_follow_the_clauses(only: tuple[str, ...], questions: set[str]) -> None:
    """Every question, die, place, control marker and resource agrees."""
    compared: Counter[str] = Counter()
    for seed in range(POSITIONS):
        compared += Operations(f"{only} {seed}", only).follow()
    assert questions <= set(compared)
