"""The interface through which the hash and the snapshots use a world."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from interpreter.world.journal import Entry
from interpreter.world.model import Model
from interpreter.world.things import Piece, Record, Thing


class Store(Protocol):
    """Describes the objects of one game, as `World` holds them."""

    model: Model
    journal: list[Entry]
    board: Any
    state: Any
    objects: list[Thing]
    counters: dict[str, int]
    constants: dict[str, Record]
    constant_names: dict[int, str]
    move: Callable[[Piece, Thing | None], None]

    def instance(self, kind: str, name: str, index: int) -> Thing:
        """Returns an object without values, not yet part of the world."""

    def register(self, thing: Thing) -> None:
        """Appends an object to the world."""

    def drop_from(self, length: int) -> None:
        """Removes all objects from this index on."""

    def by_kind(self) -> Iterator[list[Thing]]:
        """Yields everything with an identity, grouped by kind."""

    def reset(self) -> None:
        """Brings the world back to the start of the game."""
