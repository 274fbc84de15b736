"""A game that is watched while it is played: what its rules roll, and what is so before and after their parts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator
from random import Random
from typing import Any

from interpreter import Game

Watcher = Callable[..., Generator[None, Any, None]]
"""Takes what a procedure takes; yields once, for what it gives back."""


class Onlooker(Game):
    """What was rolled, added up, drawn and answered so far is kept, by the address of the site."""

    def __init__(self, source: Any, seed: int | str, watch: Any, **more: Any) -> None:
        self.rolled: list[tuple[str, int]] = []
        self.modified: list[tuple[str, int]] = []
        self.drawn: list[Any] = []
        self.answered: list[tuple[str, Any]] = []
        self._watchers: dict[str, Watcher] = watch.watchers
        self._wrapped = False
        watch.game = self
        super().__init__(source, seed, trace=True, **more)

    def _run(self, answer: Any, frame: Any = None) -> None:
        if not self._wrapped:
            self._wrapped = True
            names = self.core.names
            for name, watcher in self._watchers.items():
                names[name] = _wrapped(names[name], watcher)
        super()._run(answer, frame)

    def _note(self, kind: str, site: int, data: Any) -> None:
        if kind == "roll":
            self.rolled.append((self.core.image.sites[site].address, data[2]))
        elif kind == "answer":
            self.answered.append((self.core.image.sites[site].address, data[1]))
        elif kind == "random":
            self.drawn.append(data[0])
        elif kind == "modifiers":
            self.modified.append((self.core.image.sites[site].address, data[1]))


def _wrapped(procedure: Any, watcher: Watcher) -> Any:
    """The same procedure, with a watcher beside it from beginning to end."""
    if inspect.isgeneratorfunction(procedure):

        def asking(*given: Any) -> Generator[Any, Any, Any]:
            beside = watcher(*given)
            next(beside)
            found = yield from procedure(*given)
            _end(beside, found)
            return found

        return asking

    def plain(*given: Any) -> Any:
        beside = watcher(*given)
        next(beside)
        found = procedure(*given)
        _end(beside, found)
        return found

    return plain


def _end(beside: Generator[None, Any, None], found: Any) -> None:
    try:
        beside.send(found)
    except StopIteration:
        return
    raise AssertionError("a watcher waits once")


def after_fortresses(game: Game, random: Random) -> int:
    """At random, but mostly to where fortresses and enemies are, and to whatever can be done against them."""
    return _picked(game, random, _fortresses)


def after_sieges(game: Game, random: Random) -> int:
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
