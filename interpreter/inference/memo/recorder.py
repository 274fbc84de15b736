"""What a stretch of play reads and changes.

A *key* is a question about the state: the value of a slot, or what stands somewhere. What its answer rests on are
*marks*: one for each thing that changes by itself. A slot is its own mark.

What stands somewhere follows from where pieces stand: a stretch that has moved a piece and then looks at what stands
somewhere sees what stood there when it began, and what it has moved itself; so it is enough to note what stood there
when it began.

Keys and marks are numbered, so that sets of them are numbers: one *bit* for each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_HOLDING = (list, tuple, dict)


class TrackedCell:
    """Something that changes: pieces that stand somewhere, or a slot."""

    __slots__ = ("bit",)

    def __init__(self, bit: int) -> None:
        self.bit = bit


class ContainerCell(TrackedCell):
    """What moves in and out somewhere together with all that stands in it; also how much was made."""

    __slots__ = ()


class SlotKey(TrackedCell):
    """The value of a slot of one thing; `now` gives that of the world, and `index` is its place on the sheet.

    `piece` is the piece that stands where a slot says, if it is one that says so.
    """

    __slots__ = ("index", "now", "piece", "rests")

    def __init__(self, now: Callable[[], Any], index: int, piece: Any) -> None:
        super().__init__(1 << index)
        self.now, self.index, self.piece, self.rests = now, index, piece, self.bit


class ContentsKey:
    """What stands somewhere, or how much of something there is: it follows from what was there and what was done.

    `rests` are the bits of the marks that it rests on. `moves` gives, for effects and for pieces with where they were
    put, who stands there then and who does not; none where that can't be told.
    """

    __slots__ = ("bit", "index", "moves", "now", "rests")

    def __init__(self, now: Callable[[], Any], index: int, rests: int, moves: Callable[..., Any]) -> None:
        self.now, self.index, self.bit, self.rests, self.moves = now, index, 1 << index, rests, moves


Key = SlotKey | ContentsKey
Values = dict[Key, Any]
"""What was read, in that order, with what was there; `UNKNOWN` where that has still to be asked."""

Effects = dict[TrackedCell, Any]
"""What changes come to: for a slot its last value; for a place the pieces that have come, each with true, or gone."""

UNKNOWN = object()
Moved = frozenset[tuple[Any, bool]]
NOBODY: Moved = frozenset()


class SettledReads:
    """What was read, with what was there, and the bits of that and of all that it rests on."""

    __slots__ = ("bits", "values")

    def __init__(self, values: Values, bits: int) -> None:
        self.values, self.bits = values, bits


def reads_of(values: Values) -> SettledReads:
    """What was read, by its values."""
    bits = 0
    for key in values:
        bits |= key.bit | key.rests
    return SettledReads(values, bits)


def bits_of(effects: Effects) -> int:
    """All that is changed by effects."""
    bits = 0
    for mark in effects:
        bits |= mark.bit
    return bits


class Recorder:
    """What a stretch has read that was there before it began, in that order, and what it has changed."""

    __slots__ = ("doings", "effects", "reads", "written")

    def __init__(self) -> None:
        self.reads: Values = {}
        self.written = 0
        """What the stretch has changed: slots that it reads then do not come from outside."""
        self.doings: list[tuple[Any, ...]] = []
        """Its changes, in order: each a function of the watch with its arguments."""
        self.effects: Effects = {}

    def begin_anew(self) -> None:
        """The stretch is taken back and begins again, as another course: what was read holds for all of them."""
        self.written = 0
        self.doings = []
        self.effects = {}

    def settled(self, value_of: Callable[[Any], Any]) -> SettledReads:
        """What was read; what is still unknown is asked, where the stretch began."""
        reads = self.reads
        for key, value in reads.items():
            reads[key] = value_of(key) if value is UNKNOWN else hashable(value)
        return reads_of(reads)


class ReadSet:
    """What a course of several stretches has read that was there before it began, and changed."""

    __slots__ = ("_bits", "_unknown", "_values", "written")

    def __init__(self) -> None:
        self._values: Values = {}
        self._bits = 0
        self._unknown: list[ContentsKey] = []
        self.written = 0

    def add(self, reads: SettledReads, between: int = 0) -> None:
        """Adds what a further stretch has read, but for what this one, or what came in between, had written."""
        known = self._bits
        more = known | reads.bits
        if more == known:
            return
        values, own = reads.values, (self.written | between) & reads.bits
        if own:
            values, own = self._without(values, own)
        self._values.update(values)  # what both have read has not changed since
        self._bits = more & ~own | known

    def _without(self, values: Values, own: int) -> tuple[Values, int]:
        """What was read as far as it was there before this course had written it; and the bits that are not."""
        kept: Values = {}
        gone = 0
        for key, value in values.items():
            if not key.rests & own:
                kept[key] = value
            elif type(key) is SlotKey:
                gone |= key.bit
            elif key not in self._values:
                kept[key] = UNKNOWN
                self._unknown.append(key)  # type: ignore[arg-type]
        return kept, gone

    def settled(self, value_of: Callable[[Any], Any]) -> SettledReads:
        """What was read; what is still unknown is asked, where the course began."""
        values = self._values
        for key in self._unknown:
            if values[key] is UNKNOWN:
                values[key] = value_of(key)
        return SettledReads(values, self._bits)


def apply_effects(effects: Effects, more: Effects) -> None:
    """Adds the effects of what was done after."""
    for mark, value in more.items():
        if type(mark) is SlotKey:
            effects[mark] = value
        elif type(mark) is TrackedCell:
            before = effects.get(mark)
            effects[mark] = merge_moves(before, value) if before else value
        else:
            effects[mark] = object()


def merge_moves(before: Moved, after: Moved) -> Moved:
    """Who has come or gone altogether: one who has come and gone has done neither."""
    return frozenset([each for each in before if (each[0], not each[1]) not in after]) | frozenset(
        [each for each in after if (each[0], not each[1]) not in before]
    )


def differing_cells(one: Effects, other: Effects) -> int:
    """All on which two effects differ in the same state."""
    bits = 0
    for mark in one.keys() | other.keys():
        if one.get(mark, NOBODY) != other.get(mark, NOBODY):
            bits |= mark.bit
    return bits


def hashable(value: Any) -> Any:
    """A value as something that can be looked up; things and records stand for themselves."""
    if not isinstance(value, _HOLDING) or (isinstance(value, tuple) and _is_hashable(value)):
        return value
    if isinstance(value, dict):
        return ("map", tuple([(hashable(key), hashable(each)) for key, each in value.items()]))
    return tuple([hashable(each) for each in value])


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
