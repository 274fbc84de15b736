"""The ruleset's supply trace, held force by force against one in plain Python, on made-up positions and in play."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from plain_force import inside
from plain_supply import in_supply

from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset, load_scenario

POSITIONS = 60
FORMS = ["train", "depot", "engineer", "pontoon"]
"""The forms of support units."""

READINGS = ["capitals_in_ruins_feed", "minor_depots_for_all", "besieged_armies_keep_in", "line_of_commander"]
"""The options that change what is supplied."""


@pytest.fixture(scope="module")
def game() -> Game:
    """A game at its start: the map, and every counter in its pool."""
    return Game(load_ruleset("rulesets/nations_in_arms"))


class Scatter:
    """A position thrown together by a seed, on a part of the map so small that sides get in each other's way."""

    def __init__(self, game: Game, seed: int) -> None:
        self.world, self.random = game.core.world, random.Random(seed)
        self.forms = {each: game.core.find("support_form", each) for each in FORMS}
        self.changed: list[tuple[Any, str, Any]] = []
        everything = self.world.objects
        hexes = [each for each in everything if each.kind == "hex"]
        middle = self.random.choice([each.a_hex for each in everything if each.kind == "city" and each.a_hex])
        width = self.random.choice([5, 8, 12])
        self.ground = [each for each in hexes if self.world.distance(each, middle) <= width]
        self.boxes = [each for each in everything if each.kind == "box"]
        self.of = {kind: [each for each in everything if each.kind == kind] for kind in ("power", "city", "sea_zone")}
        self.blocs = [self.world.find("bloc", each) for each in ("empire", "coalition")]

    def set(self, thing: Any, name: str, value: Any) -> None:
        """Changes an attribute, to be changed back."""
        self.changed.append((thing, name, getattr(thing, f"a_{name}")))
        setattr(thing, f"a_{name}", value)

    def back(self) -> None:
        """Gives every changed attribute its first value again."""
        for thing, name, value in reversed(self.changed):
            setattr(thing, f"a_{name}", value)

    def arrange(self) -> list[Any]:
        """Makes the position and gives its forces."""
        self.set(self.world.state, "year", self.random.choice([1796, 1805]))
        self.alliances()
        self.fortresses()
        self.water()
        return [force for _ in range(self.random.randint(6, 30)) if (force := self.stack()) is not None]

    def alliances(self) -> None:
        """A bloc for every power, a master for most of the minor ones."""
        masters = [each for each in self.of["power"] if each.a_major]
        for each in masters:
            self.set(each, "bloc", self.random.choice(self.blocs))
        for each in self.of["power"]:
            if not each.a_major and self.random.random() < 0.8:
                master = self.random.choice(masters)
                self.set(each, "bloc", master.a_bloc)
                self.set(each, "master", master)

    def fortresses(self) -> None:
        """Some taken, some in ruins."""
        for each in self.ground:
            if each.a_fortress and self.random.random() < 0.2:
                self.set(each, "holder", self.random.choice(self.of["power"]))
            if each.a_fortress and self.random.random() < 0.1:
                self.set(each, "fortress_down", True)

    def water(self) -> None:
        """Ships in some zones and before some ports."""
        for kind, name in (("sea_zone", "fleets"), ("city", "blockaders")):
            for each in self.of[kind]:
                if self.random.random() < 0.15:
                    self.set(each, name, tuple(self.random.sample(self.blocs, self.random.randint(1, 2))))

    def stack(self) -> Any:
        """A force of some units of one power and its allies, an army or not, somewhere on the ground."""
        power = self.random.choice([each for each in self.of["power"] if each.a_bloc in self.blocs])
        place = self.random.choice(self.boxes if self.random.random() < 0.03 else self.ground)
        force = self.world.create("force", {"flag": power}, place)
        allies = (
            [power]
            if self.random.random() < 0.7
            else [each for each in self.of["power"] if each.a_bloc is power.a_bloc]
        )
        holder = force
        if self.random.random() < 0.3 and (army := self.take("army", [power])) is not None:
            self.world.place(army, force)
            holder = army
        for _ in range(self.random.randint(0, 4)):
            if (unit := self.take("combat_unit", allies)) is not None:
                loose = unit.a_type.id == "detachment"
                self.world.place(unit, force if loose else holder)
        if self.random.random() < 0.5 and (leader := self.take("leader", allies)) is not None:
            self.world.place(leader, holder)
        for _ in range(self.random.choice([0, 0, 1, 2])):
            if (unit := self.take("support", allies)) is not None:
                self.world.place(unit, force)
                self.supply(unit, place)
        self.condition(force, place)
        return force if inside(force, "combat_unit") else None

    def supply(self, unit: Any, place: Any) -> None:
        """A train may be set down as a depot, an engineer may lay a bridge over a river beside it."""
        if unit.a_form.id in {"train", "depot"}:
            self.set(unit, "form", self.forms[self.random.choice(["train", "depot", "depot"])])
        else:
            sides = [each for each in place.neighbours if each.kind == "hex" and self.world.link(place, each).a_river]
            if sides:
                self.set(unit, "form", self.forms["pontoon"])
                self.set(unit, "aimed_at", self.random.choice(sides))

    def condition(self, force: Any, place: Any) -> None:
        """Where it came from, and whether a siege goes on where it stands."""
        self.set(force, "demoralized", self.random.random() < 0.2)
        self.set(force, "out_of_supply", self.random.random() < 0.3)
        if self.random.random() < 0.3 and place.neighbours:
            self.set(force, "came_from", self.random.choice(place.neighbours))
        if place.kind == "hex" and place.a_fortress and self.random.random() < 0.5:
            self.set(force, "inside", True)
            self.set(place, "siege", self.random.randint(0, 4))

    def take(self, kind: str, powers: list[Any]) -> Any:
        """A counter that stands in no force yet."""
        free = [
            each
            for each in self.world.objects
            if each.kind == kind and each.a_power in powers and (each.at is None or each.at.kind == "pool")
        ]
        return self.random.choice(free) if free else None


@contextmanager
def position(game: Game, seed: int) -> Iterator[list[Any]]:
    """The forces of a position, which is gone afterwards."""
    world = game.core.world
    mark, scatter = world.mark(), Scatter(game, seed)
    try:
        forces = scatter.arrange()
        game.core.forget()
        yield forces
    finally:
        world.rollback(mark)
        scatter.back()
        game.core.forget()


def test_supply_matches_plain_trace(game: Game) -> None:
    """Both traces find the same forces in supply on random positions, and enough forces of either sort."""
    found = traces(game, range(POSITIONS), [])
    assert min(found[True], found[False]) > 100, found


def test_supply_matches_plain_trace_under_options() -> None:
    """Both traces agree under every option that changes what is supplied."""
    other = Game(load_ruleset("rulesets/nations_in_arms", options=dict.fromkeys(READINGS, True)))
    found = traces(other, range(POSITIONS, 2 * POSITIONS), READINGS)
    assert min(found[True], found[False]) > 100, found


def traces(game: Game, seeds: Collection[int], readings: Collection[str]) -> Counter[bool]:
    """Counts the forces that are in supply, and those that are not, once both traces say the same of each."""
    traced, found = game.core.rule("definitions/in_supply"), Counter[bool]()
    for seed in seeds:
        with position(game, seed) as forces:
            for force in forces:
                game.core.budget.decisions += 1
                plain = in_supply(game.core.world, force, readings)
                assert bool(traced(force)) == plain, f"position {seed}: {force.id} at {force.at.id}"
                found[plain] += 1
    return found


@pytest.mark.parametrize("scenario", ["marengo_1800", "ulm_austerlitz_1805"])
def test_supply_matches_plain_trace_in_play(scenario: str) -> None:
    """Both traces agree on every force after every thirtieth decision of a random game."""
    game, chance = Game(load_scenario(f"nations_in_arms/{scenario}"), seed=scenario), random.Random(scenario)
    looked_at = 0
    for count in range(300):
        if game.decision is None:
            break
        game.choose_index(chance.randrange(len(game.decision.options)))
        if count % 30 == 0:
            looked_at += compare(game)
    assert looked_at > 100


def compare(game: Game, readings: Collection[str] = ()) -> int:
    """Holds the two traces against each other for every force on the map, and counts the forces."""
    world, traced = game.core.world, game.core.rule("definitions/in_supply")
    forces = [each for each in world.objects if each.kind == "force" and each.at is not None]
    for force in forces:
        game.core.budget.decisions += 1
        assert bool(traced(force)) == in_supply(world, force, readings), f"{force.id} at {force.at.id}"
    return len(forces)
