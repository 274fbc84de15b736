"""What a stretch of play reads and changes.

A *key* is a question about the state: the value of a slot, or what stands somewhere. What its answer rests on are
*marks*: one for each thing that changes by itself. A slot is its own mark.

What stands somewhere follows from where pieces stand: a stretch that has moved a piece and then looks at what stands
somewhere sees what stood there when it began, and what it has moved itself; so it is enough to note what stood there
when it began.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_HOLDING = (list, tuple, dict)


class Mark:
    """Something that changes: pieces that stand somewhere, or a slot."""

    __slots__ = ()


class Vessels(Mark):
    """What moves in and out somewhere together with all that stands in it; also how much was made."""

    __slots__ = ()


class Slot(Mark):
    """The value of a slot of one thing; `now` gives that of the world, and `index` is its place on the sheet.

    `piece` is the piece that stands where a slot says, if it is one that says so.
    """

    __slots__ = ("index", "now", "piece")

    def __init__(self, now: Callable[[], Any], index: int, piece: Any) -> None:
        self.now, self.index, self.piece = now, index, piece


class Contents:
    """What stands somewhere, or how much of something there is: it follows from what was there and what was done.

    `moves` gives, for effects and for pieces with where they were put, who stands there then and who does not; none
    where that can't be told.
    """

    __slots__ = ("index", "marks", "moves", "now")

    def __init__(self, now: Callable[[], Any], index: int, marks: frozenset[Mark], moves: Callable[..., Any]) -> None:
        self.now, self.index, self.marks, self.moves = now, index, marks, moves


Key = Slot | Contents
Reads = dict[Key, Any]
"""What was read, in that order, with what was there; `UNKNOWN` where that has still to be asked."""

Effects = dict[Mark, Any]
"""What changes come to: for a slot its last value; for a place the pieces that have come, each with true, or gone."""

UNKNOWN = object()
NOTHING: frozenset[Mark] = frozenset()
Moved = frozenset[tuple[Any, bool]]
NOBODY: Moved = frozenset()


class Notes:
    """What a stretch has read that was there before it began, in that order, and what it has changed."""

    __slots__ = ("doings", "effects", "reads", "written")

    def __init__(self) -> None:
        self.reads: Reads = {}
        self.written: set[Mark] = set()
        """What the stretch has changed: slots that it reads then do not come from outside."""
        self.doings: list[tuple[Any, ...]] = []
        """Its changes, in order: each a function of the watch with its arguments."""
        self.effects: Effects = {}

    def begin_anew(self) -> None:
        """The stretch is taken back and begins again, as another course: what was read holds for all of them."""
        self.written = set()
        self.doings = []
        self.effects = {}

    def add(self, reads: Reads, marks: frozenset[Mark], between: frozenset[Mark] = NOTHING) -> None:
        """Adds what a further stretch has read, but for what this one, or what came in between, had written.

        `marks` are those that the reads rest on.
        """
        mine, written = self.reads, self.written
        if written.isdisjoint(marks) and between.isdisjoint(marks):
            mine.update(reads)  # what both have read has not changed since
            return
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

    def settle(self, value_of: Callable[[Any], Any]) -> None:
        """Asks what is still unknown, where the stretch began."""
        reads = self.reads
        for key, value in reads.items():
            if value is UNKNOWN:
                reads[key] = value_of(key)


def marks_of(reads: Reads) -> frozenset[Mark]:
    """All that reads rest on."""
    found: set[Mark] = set()
    for key in reads:
        if type(key) is Slot:
            found.add(key)
        else:
            found |= key.marks  # type: ignore[union-attr]
    return frozenset(found)


def have_effect(effects: Effects, more: Effects) -> None:
    """Adds the effects of what was done after."""
    for mark, value in more.items():
        if type(mark) is Slot:
            effects[mark] = value
        elif type(mark) is Mark:
            before = effects.get(mark)
            effects[mark] = moved(before, value) if before else value
        else:
            effects[mark] = object()


def moved(before: Moved, after: Moved) -> Moved:
    """Who has come or gone altogether: one who has come and gone has done neither."""
    return frozenset([each for each in before if (each[0], not each[1]) not in after]) | frozenset(
        [each for each in after if (each[0], not each[1]) not in before]
    )


def apart(one: Effects, other: Effects) -> frozenset[Mark]:
    """All on which two effects differ in the same state."""
    return frozenset([mark for mark in one.keys() | other.keys() if one.get(mark, NOBODY) != other.get(mark, NOBODY)])


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
