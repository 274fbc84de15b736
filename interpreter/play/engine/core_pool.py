"""Worlds of games that no longer exist, for the next games of the same rules and set-up.

To make the objects of a large map costs more than to play a game; to return them to the start costs what was changed.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, Protocol
from weakref import finalize

from interpreter.play.engine.core import Core, SharedCode
from interpreter.world.journal import UNDO

MAX_IDLE: Final = 4
"""The number of worlds that are kept without a game; the oldest are dropped."""

SetUp = Callable[[Core], None] | None


class _IdleCore(NamedTuple):
    core: Core
    shared: SharedCode
    set_up: SetUp
    references: tuple[int, int]
    """How often the core and its world are referred to if nobody outside of them does."""


_IDLE: Final[deque[_IdleCore]] = deque(maxlen=MAX_IDLE)


class _Untraced(Protocol):
    core: Core
    observers: tuple[Any, ...]
    traced: bool


def keep_after(game: _Untraced, shared: SharedCode, set_up: SetUp) -> None:
    """Keeps the core of a game for another game once the game is deleted, unless the game is traced or observed.

    Only the game may refer to the core now, and the core not to the game.
    """
    if not game.traced and not game.observers:
        core = game.core
        of_core, of_world = _references(core)
        entry = _IdleCore(core, shared, set_up, (of_core - 1, of_world))
        finalize(game, _IDLE.append, entry).atexit = False


def taken_core(shared: SharedCode, variant: str, chance: Mapping[str, object], set_up: SetUp) -> Core | None:
    """Returns the core of a deleted game at its start, with other functions of chance; or none.

    A core to which somebody still refers, whose game had failed, or that was altered, is dropped.
    """
    for _ in range(len(_IDLE)):
        try:
            entry = _IDLE.popleft()
        except IndexError:  # another thread has taken it
            return None
        core, references = entry.core, entry.references
        if entry.shared is not shared or entry.set_up is not set_up or core.variant != variant:
            _IDLE.append(entry)
            continue
        del entry
        if core.is_at_rest and not core.is_altered and _references(core) == references:
            core.reset()
            core.serve(chance)
            return core
    return None


def _references(core: Core) -> tuple[int, int]:
    """Returns how often a core and its world are referred to, apart from their journal."""
    world = core.world
    of_core, of_world = sys.getrefcount(core), sys.getrefcount(world)
    for target, function, _ in world.journal:
        of_core -= target is core
        of_world -= target is UNDO and getattr(function, "__self__", None) is world
    return of_core, of_world
