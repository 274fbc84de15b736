"""What a stretch of play reads and changes.

A *key* is a question about the state: the value of a slot, or what stands somewhere. What its answer rests on are
*marks*: one for each thing that changes by itself. A slot is its own mark.

What stands somewhere follows from where pieces stand: a stretch that has moved a piece and then looks at what stands
somewhere sees what stood there when it began, and what it has moved itself; so it is enough to note what stood there
when it began.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

_HOLDING = (list, tuple, dict)


class Mark:
    """Something that changes."""

    __slots__ = ()


class Slot(Mark):
    """The value of a slot of one thing; `now` gives it."""

    __slots__ = ("now",)

    def __init__(self, now: Callable[[], Any]) -> None:
        self.now = now


class Contents:
    """What stands somewhere, or how much of something there is: it follows from what was there and what was done."""

    __slots__ = ("marks", "now")

    def __init__(self, now: Callable[[], Any], marks: frozenset[Mark]) -> None:
        self.now, self.marks = now, marks


Key = Slot | Contents
Reads = dict[Key, Any]
"""What was read, in that order, with what was there; `UNKNOWN` where that has still to be asked."""

UNKNOWN = object()
NOTHING: frozenset[Mark] = frozenset()


class Notes:
    """What a stretch has read that was there before it began, in that order, and what it has changed."""

    __slots__ = ("doings", "reads", "written")

    def __init__(self) -> None:
        self.reads: Reads = {}
        self.written: set[Mark] = set()
        """What the stretch has changed: slots that it reads then do not come from outside."""
        self.doings: list[tuple[Any, ...]] = []
        """Its changes, in order: each a function of the watch with its arguments."""

    def begin_anew(self) -> None:
        """The stretch is taken back and begins again, as another course: what was read holds for all of them."""
        self.written = set()
        self.doings = []

    def add(self, reads: Reads, between: Set[Mark] = NOTHING) -> None:
        """Adds what a further stretch has read, but for what this one, or what came in between, had written."""
        mine, written = self.reads, self.written
        for key, value in reads.items():
            if key in mine:
                continue
            if type(key) is Slot:
                if key not in written and key not in between:
                    mine[key] = value
            elif key.marks.isdisjoint(written) and key.marks.isdisjoint(between):  # type: ignore[union-attr]
                mine[key] = value
            else:
                mine[key] = UNKNOWN

    def settle(self) -> None:
        """Asks what is still unknown, in the state in which the stretch began."""
        reads = self.reads
        for key, value in reads.items():
            if value is UNKNOWN:
                reads[key] = plain(key.now())


def plain(value: Any) -> Any:
    """A value as something that can be looked up; things and records stand for themselves."""
    if not isinstance(value, _HOLDING) or (isinstance(value, tuple) and _is_hashable(value)):
        return value
    if isinstance(value, dict):
        return ("map", tuple([(plain(key), plain(each)) for key, each in value.items()]))
    return tuple([plain(each) for each in value])


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
