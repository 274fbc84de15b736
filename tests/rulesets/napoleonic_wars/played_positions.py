"""Positions of The Napoleonic Wars from random games, set up again in another game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from scattered_positions import kinds_of, slots

from interpreter import Game, load_scenario

SCENARIOS = ("campaign_2", "campaign_3", "campaign_4", "campaign_5", "duel_1805")
COPIED = ("nation", "area", "leader", "unit", "squadron", "card")
LATEST = 1500
"""The most decisions after which a position is taken, at the start of the next impulse."""


@cache
def scenario(name: str) -> Any:
    return load_scenario(f"napoleonic_wars/{name}")


def play_on(random: Random) -> Any:
    """A random game somewhere in it, at the start of an impulse."""
    game = Game(scenario(random.choice(SCENARIOS)), seed=random.randrange(10**6))
    left = random.randrange(LATEST)
    while game.decision is not None and (left > 0 or game.decision.address != "impulse.opening"):
        game.choose_index(random.randrange(len(game.decision.options)))
        left -= 1
    return game


def values(thing: Any) -> Iterator[tuple[str, Any]]:
    return ((each, getattr(thing, each)) for each in slots(type(thing)))


class PlayedPosition:
    """The position of a random game, in a fresh core."""

    def __init__(self, core: Any, random: Random) -> None:
        self.core, self.random, self.things = core, random, kinds_of(core)
        self.nation, self.area = self.things["nation"], self.things["area"]
        self.twins = {each.ref: each for each in core.world.objects}
        game = play_on(random)
        other = game.core
        for each in other.world.objects:
            if each.kind in COPIED:
                self.copy(each, self.twins[each.ref])
        self.copy(other.world.state, core.world.state)
        core.forget()
        side = core.rule("definitions/nation.side")
        self.side = {name: str(side(each).id) for name, each in self.nation.items()}

    def copy(self, one: Any, other: Any) -> None:
        for attribute, value in values(one):
            if not isinstance(value, (tuple, set, frozenset)):
                setattr(other, attribute, self.twin(value))
        if getattr(one, "kind", "") in ("leader", "unit", "squadron", "card"):
            self.core.world.place(other, self.twins[one.at.ref])

    def twin(self, value: Any) -> Any:
        if hasattr(value, "enum"):
            return self.core.find(value.enum.id if hasattr(value.enum, "id") else value.enum, value.id)
        return self.twins[value.ref] if hasattr(value, "kind") else value

    def acting(self) -> list[Any]:
        return [each for each in self.nation.values() if each.a_major or each.a_attitude.id == "alliance"]
