"""Chooses for players who seek fortresses or sieges, and at random else."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from interpreter import Game


def choose_fortresses(game: Game, random: Random) -> int:
    """At random, but mostly to where fortresses and enemies are, and to whatever can be done against them."""
    return _picked(game, random, _fortresses)


def choose_besieged(game: Game, random: Random) -> int:
    """At random, but mostly into fortresses, out of them, and against those who besiege one."""
    return _picked(game, random, _sieges)


def _picked(game: Game, random: Random, places: Callable[[Game, Any], bool]) -> int:
    decision = game.decision
    assert decision is not None
    options = decision.options
    names = [getattr(each, "name", each) for each in options]
    wanted: list[int] = []
    if random.random() < 0.9:
        if decision.address == "one_activation.impulse":
            wanted = [number for number, name in enumerate(names) if name != "finish_impulse"]
        elif decision.address == "move_stack.orders":
            doing = {"sally", "recover"} if places is _sieges else {"besiege", "sally", "recover"}
            wanted = [number for number, name in enumerate(names) if name in doing] or _all(names, "go")
        elif decision.address == "avoid_combat.stance" and places is _sieges:
            wanted = _all(names, "hold") or _all(names, "stand")
        elif decision.address == "go.there":
            held = {id(each.at) for each in game.core.world.board.all_force}
            wanted = [number for number, each in enumerate(options) if places(game, each)]
            wanted = wanted or [number for number, each in enumerate(options) if id(each) in held]
    return random.choice(wanted or range(len(options)))


def _all(names: list[Any], wanted: str) -> list[int]:
    return [number for number, name in enumerate(names) if name == wanted]


def _fortresses(_game: Game, place: Any) -> bool:
    return place.kind == "hex" and bool(place.a_fortress) and not place.a_fortress_down


def _sieges(game: Game, place: Any) -> bool:
    active = game.core.world.state.a_active
    enemies = active.a_flag.a_bloc.a_enemies if active is not None else ()
    if place.kind != "hex" or place.a_siege is None:
        return False
    return any(each.a_flag.a_bloc in enemies and not each.a_inside for each in place.c_force)
