"""Reads and writes slots directly, bypassing the properties that record each access."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.world.things import Piece, Record, Thing

Getter = Callable[[Any], Any]


class SlotAccess:
    """The getters and setters of the slots of one class.

    The same slot has one and the same getter, whichever class inherits it: `known` holds the getters made so far.
    """

    __slots__ = ("get", "set")

    def __init__(self, kind: type, slots: tuple[str, ...], known: dict[Any, Getter]) -> None:
        self.get: dict[str, Getter] = {}
        self.set: dict[str, Callable[[Any, Any], None]] = {}
        for slot in slots:
            descriptor = getattr(kind, slot)
            self.get[slot] = known.setdefault(descriptor, descriptor.__get__)
            self.set[slot] = descriptor.__set__


def slot_names(kind: type) -> tuple[str, ...]:
    """The names of all slots of a class of things, records or the state."""
    if issubclass(kind, Thing):
        at = ("at",) if issubclass(kind, Piece) else ()
        return (*kind.slots, *sorted(kind.holds), *at)
    if issubclass(kind, Record):
        return kind.slots
    return tuple(kind.__slots__)  # type: ignore[attr-defined]
