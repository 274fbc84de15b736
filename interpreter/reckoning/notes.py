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
Values = dict[Key, Any]
"""What was read, in that order, with what was there; `UNKNOWN` where that has still to be asked."""

Effects = dict[Mark, Any]
"""What changes come to: for a slot its last value; for a place the pieces that have come, each with true, or gone."""

UNKNOWN = object()
NOTHING: frozenset[Mark] = frozenset()
Moved = frozenset[tuple[Any, bool]]
NOBODY: Moved = frozenset()


class Reads:
    """What was read, with what was there, and all that this rests on."""

    __slots__ = ("contents", "marks", "values")

    def __init__(self, values: Values, marks: Set[Mark], contents: Set[Contents]) -> None:
        self.values, self.marks, self.contents = values, marks, contents


def reads_of(values: Values) -> Reads:
    """What was read, by its values."""
    marks: set[Mark] = set()
    contents: set[Contents] = set()
    for key in values:
        if type(key) is Slot:
            marks.add(key)
        else:
            contents.add(key)  # type: ignore[arg-type]
            marks |= key.marks  # type: ignore[union-attr]
    return Reads(values, marks, contents)


class Notes:
    """What a stretch has read that was there before it began, in that order, and what it has changed."""

    __slots__ = ("doings", "effects", "reads", "written")

    def __init__(self) -> None:
        self.reads: Values = {}
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

    def settled(self, value_of: Callable[[Any], Any]) -> Reads:
        """What was read; what is still unknown is asked, where the stretch began."""
        reads = self.reads
        for key, value in reads.items():
            reads[key] = value_of(key) if value is UNKNOWN else plain(value)
        return reads_of(reads)


class Trail:
    """What a course of several stretches has read that was there before it began, and changed."""

    __slots__ = ("_contents", "_marks", "_unknown", "_values", "written")

    def __init__(self) -> None:
        self._values: Values = {}
        self._marks: set[Mark] = set()
        self._contents: set[Contents] = set()
        self._unknown: list[Contents] = []
        self.written: set[Mark] = set()

    def add(self, reads: Reads, between: Set[Mark] = NOTHING) -> None:
        """Adds what a further stretch has read, but for what this one, or what came in between, had written."""
        values, written, marks, contents = reads.values, self.written, reads.marks, reads.contents
        if values.keys() <= self._values.keys():
            return
        if not (written.isdisjoint(marks) and between.isdisjoint(marks)):
            own = (written & marks) | (between & marks)
            values, marks, slots = values.copy(), marks - own, [mark for mark in own if type(mark) is Slot]
            for slot in slots:
                del values[slot]
            for key in contents if len(slots) < len(own) else ():
                if not own.isdisjoint(key.marks):
                    self._marks |= key.marks
                    if key in self._values:
                        del values[key]
                    else:
                        values[key] = UNKNOWN
                        self._unknown.append(key)
        self._values.update(values)  # what both have read has not changed since
        self._marks |= marks
        self._contents |= contents

    def settled(self, value_of: Callable[[Any], Any]) -> Reads:
        """What was read; what is still unknown is asked, where the course began."""
        values = self._values
        for key in self._unknown:
            if values[key] is UNKNOWN:
                values[key] = value_of(key)
        return Reads(values, self._marks, self._contents)


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
