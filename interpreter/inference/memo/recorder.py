"""Read sets and write sets: what a piece of execution reads and changes.

A *key* is something to read: the value of a slot, or the contents of a holder. A *variable* is something that is
changed; a change of a variable makes the keys that depend on it stale. A slot is its own variable.

Contents follow from where pieces are. What code sees of contents are those at its start, changed by its own moves; so
only the contents at its start are recorded.

Keys and variables are numbered. A set of them is an integer with one *bit* for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

_COLLECTIONS = (list, tuple, dict)


class TrackedVariable:
    """A unit of invalidation: a slot, or the pieces of one kind in a holder."""

    __slots__ = ("bit",)

    def __init__(self, bit: int) -> None:
        self.bit = bit


class TrackedContainer(TrackedVariable):
    """The holders that move in and out of a holder with all that they hold; or how many of a kind were created."""

    __slots__ = ()


class SlotKey(TrackedVariable):
    """The value of a slot of one thing.

    `now` reads the value in the world, and `index` is its position in the shadow state. `piece` is the piece whose
    location the slot is, if it is a location.
    """

    __slots__ = ("depends_on", "index", "now", "piece")

    def __init__(self, now: Callable[[], Any], index: int, piece: Any) -> None:
        super().__init__(1 << index)
        self.now, self.index, self.piece, self.depends_on = now, index, piece, self.bit


class ContentsKey:
    """The contents of a holder, or how many of something there are: a value that follows from variables.

    `depends_on` are the bits of these variables. `moves` takes effects and the pieces that they place, and returns
    which pieces are in the holder afterwards and which are not; none where the effects do not tell. Where only
    counts whether there is anything at all, `whole` is the key of the contents themselves.
    """

    __slots__ = ("bit", "depends_on", "index", "moves", "now", "whole")

    def __init__(
        self,
        now: Callable[[], Any],
        index: int,
        depends_on: int,
        moves: Callable[..., Any],
        whole: ContentsKey | None = None,
    ) -> None:
        self.now, self.index, self.bit, self.depends_on, self.moves = now, index, 1 << index, depends_on, moves
        self.whole = whole


Key = SlotKey | ContentsKey
Values = dict[Key, Any]
"""The keys that were read, in that order, with their values; `UNKNOWN` where the value is still to be computed."""

Effects = dict[TrackedVariable, Any]
"""The net effect of changes: of a slot its last value; of a holder the pieces that arrived (true) or left (false)."""

UNKNOWN = object()
Moves = frozenset[tuple[Any, bool]]
NO_MOVES: Moves = frozenset()


class SettledReads:
    """A finished read set: the keys with their values, and the bits of the keys and of the variables they depend on.

    `partial` are the bits of the variables of contents of which only counts whether there are any.
    """

    __slots__ = ("bits", "partial", "values")

    def __init__(self, values: Values, bits: int, partial: int) -> None:
        self.values, self.bits, self.partial = values, bits, partial


def settled_reads(values: Values) -> SettledReads:
    """The finished read set of these keys and values."""
    bits = partial = 0
    for key in values:
        bits |= key.bit | key.depends_on
        if type(key) is ContentsKey and key.whole is not None:
            partial |= key.depends_on
    return SettledReads(values, bits, partial)


def merged_values(reads: Iterable[SettledReads]) -> Values:
    """The keys and values of several read sets in the same state."""
    return {key: value for each in reads for key, value in each.values.items()}


def written_bits(effects: Effects) -> int:
    """The bits of all variables that effects change."""
    bits = 0
    for variable in effects:
        bits |= variable.bit
    return bits


class Recorder:
    """Records what one execution reads of the state from before it began, in order, and what it changes."""

    __slots__ = ("actions", "effects", "reads", "written")

    def __init__(self) -> None:
        self.reads: Values = {}
        self.written = 0
        """The bits that the execution has changed: what it reads of these is its own."""
        self.actions: list[tuple[Any, ...]] = []
        """Its changes in order, each a function of the tracker with its arguments."""
        self.effects: Effects = {}

    def restart(self) -> None:
        """Begins another branch of the same execution: the reads so far hold for every branch."""
        self.written = 0
        self.actions = []
        self.effects = {}

    def settled(self, value_of: Callable[[Any], Any]) -> SettledReads:
        """The finished read set; `value_of` gives unknown values in the state where the execution began."""
        reads = self.reads
        for key, value in reads.items():
            reads[key] = value_of(key) if value is UNKNOWN else hashable(value)
        return settled_reads(reads)


class ReadSet:
    """The read set of a sequence of executions, relative to the state from before the first, and its write set."""

    __slots__ = ("_bits", "_partial", "_unknown", "_values", "written")

    def __init__(self) -> None:
        self._values: Values = {}
        self._bits = self._partial = 0
        self._unknown: list[ContentsKey] = []
        self.written = 0

    def add(self, reads: SettledReads, written_between: int = 0) -> None:
        """Adds the reads of the next execution, without what this one wrote, or `written_between`, before it."""
        known, own = self._bits, (self.written | written_between) & reads.bits
        bits = known | reads.bits
        if bits == known and not own & reads.partial:
            return
        values = reads.values
        if own:
            values, own = self._without(values, own)
        self._values.update(values)  # a key that both have read has the same value in both
        self._bits = bits & ~own | known | self._bits
        self._partial |= reads.partial

    def _without(self, values: Values, own: int) -> tuple[Values, int]:
        """The values that do not depend on the variables `own`; and the bits of the keys left out."""
        kept: Values = {}
        dropped = 0
        for key, value in values.items():
            if not key.depends_on & own:
                kept[key] = value
            elif isinstance(key, SlotKey):
                dropped |= key.bit
            else:
                whole = key.whole or key
                if whole not in self._values:
                    kept[whole] = UNKNOWN
                    self._unknown.append(whole)
                    self._bits |= whole.bit
        return kept, dropped

    def settled(self, value_of: Callable[[Any], Any]) -> SettledReads:
        """The finished read set; `value_of` gives unknown values in the state where the sequence began."""
        values = self._values
        for key in self._unknown:
            if values[key] is UNKNOWN:
                values[key] = value_of(key)
        return SettledReads(values, self._bits, self._partial)


def apply_effects(effects: Effects, later: Effects) -> None:
    """Adds later effects to earlier ones."""
    for variable, value in later.items():
        if type(variable) is SlotKey:
            effects[variable] = value
        elif type(variable) is TrackedVariable:
            before = effects.get(variable)
            effects[variable] = merge_moves(before, value) if before else value
        else:
            effects[variable] = object()


def merge_moves(before: Moves, after: Moves) -> Moves:
    """Merges two sets of moves; an arrival and a departure of the same piece cancel."""
    return frozenset([each for each in before if (each[0], not each[1]) not in after]) | frozenset(
        [each for each in after if (each[0], not each[1]) not in before]
    )


def differing_variables(one: Effects, other: Effects) -> int:
    """The bits of the variables in which two effects differ when they are applied to the same state."""
    bits = 0
    for variable in one.keys() | other.keys():
        if one.get(variable, NO_MOVES) != other.get(variable, NO_MOVES):
            bits |= variable.bit
    return bits


def hashable(value: Any) -> Any:
    """A value as a hashable object, equal for equal values; things and records are compared by identity."""
    if not isinstance(value, _COLLECTIONS) or (isinstance(value, tuple) and _is_hashable(value)):
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
