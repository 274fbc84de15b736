"""The world of one reckoning under watch: every value that is read or changed is noted, and some are in doubt.

While a watch is on, the slots of the world's classes that can change are properties: what reads one tells the watch. What a
slot holds while its value is in doubt means nothing; reading it parts the present course into one for each value it
may have. Where a piece stands is one of its values; what stands somewhere follows from that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from operator import attrgetter
from typing import Any

from interpreter.reckoning.doubts import AT, UNSET, Doubt, Key, Settled
from interpreter.world.journal import PLACE, UNDO, including, inside, refuse, without
from interpreter.world.things import Piece
from interpreter.world.world import World

Read = tuple[Any, ...]
"""What was read: a value's key; or a holder, the slot of its contents and the kind that was looked for there (none: all)."""
Standing = tuple[tuple[Any, ...], frozenset[tuple[Any, Doubt]]]
"""What stands somewhere for certain, and what may, with the doubt in which that is."""

_INDEX = attrgetter("index")


class Notes:
    """What the courses from one state have read that was there before they began, and what the present one has changed."""

    def __init__(self, doubts: tuple[Doubt, ...] = ()) -> None:
        self.reads: dict[Read, Any] = {}
        """In the order in which it was first read."""
        self.doubts = doubts
        """Those that there were when the courses began."""
        self.begin_course()

    def begin_course(self) -> None:
        """Forgets what was changed; what was read holds for all courses together."""
        self.was: dict[Key, Any] = {}
        """What was changed, with what it was."""
        self.stood: dict[Key, tuple[Any, ...]] = {}
        """Contents that were changed, with what stood there."""
        self.made: dict[Any, None] = {}
        """What is new."""

    def add(self, reads: dict[Read, Any]) -> None:
        """Adds what was read by something that was called."""
        mine, was, stood = self.reads, self.was, self.stood
        for read, value in reads.items():
            if read in mine or read in was or read[0] in self.made:
                continue
            if len(read) > 2:
                holder, slot, kind = read
                pieces = stood.get((holder, slot), value[0])
                mine[read] = standing(holder, slot, kind, pieces, self.doubts)
            else:
                mine[read] = value


class Watch:
    """Reads, changes and doubts of one world. `part` chooses among weighted courses, as `Branches.pick` does."""

    def __init__(self, world: World, part: Callable[[list[int], int], int]) -> None:
        self._world, self._board, self._journal = world, world.board, world.journal
        self._part = part
        self.notes = Notes()
        self.doubts: dict[Key, Doubt] = {}
        self.active: dict[Doubt, None] = {}
        """The doubts that there are now."""
        self.dirty: set[Key] = set()
        """Every value that was ever changed: nothing else can differ between two states."""
        self._slots: dict[type, dict[str, Any]] = {}

    # ------------------------------------------------------------ on and off
    @contextmanager
    def on(self) -> Iterator[None]:
        """The classes of the world report to this watch."""
        replaced: list[tuple[type, str, Any]] = []
        try:
            for owner, slot in self._watched():
                descriptor = owner.__dict__.get(slot)
                replaced.append((owner, slot, descriptor))
                setattr(owner, slot, self._property(descriptor or getattr(owner, slot), slot))
            yield
        finally:
            for owner, slot, descriptor in replaced:
                if descriptor is None:
                    delattr(owner, slot)
                else:
                    setattr(owner, slot, descriptor)

    def _watched(self) -> list[tuple[type, str]]:
        """The slots that can change, each with the class that has it."""
        found: list[tuple[type, str]] = []
        for kind in self._world.model.classes.values():
            holds: frozenset[str] = getattr(kind, "holds", frozenset())
            found += [(kind, slot) for slot in (*kind.changing, *holds) if slot in kind.__dict__]
            if kind.__bases__[0] is Piece:
                found.append((kind, AT))
            named = (*kind.slots, *holds, *([AT] if issubclass(kind, Piece) else []))
            self._slots[kind] = {slot: getattr(kind, slot) for slot in named}
        for values in (self._world.state, self._board):
            owner = type(values)
            names = [each for each in owner.__slots__ if each in owner.__dict__]
            self._slots[owner] = {each: owner.__dict__[each] for each in names}
            found += [(owner, each) for each in names]
        return found

    def _property(self, descriptor: Any, slot: str) -> property:
        get = descriptor.__get__
        if slot.startswith("c_"):
            return property(lambda thing: self.held(thing, slot, None), descriptor.__set__, descriptor.__delete__)
        noted = f"all_{slot[3:].partition('__')[0]}" if slot.startswith("by_") else slot
        """An index is noted as what it lists."""

        def read(thing: Any) -> Any:
            key = (thing, noted)
            if key in self.doubts:
                return self.look(key)
            value = get(thing)
            notes = self.notes
            if key not in notes.was:
                notes.reads[key] = value if noted is slot else self._get(thing, noted)
            return value

        return property(read, descriptor.__set__, descriptor.__delete__)

    # ------------------------------------------------------------ reading
    def now(self, read: Read) -> Any:
        """What would be read now, without a note."""
        if len(read) == 2:
            return self.doubts.get(read) or self._get(*read)
        holder, slot, kind = read
        return standing(holder, slot, kind, self._get(holder, slot), self.active)

    def _get(self, thing: Any, slot: str) -> Any:
        slots = self._slots.get(type(thing))
        return slots[slot].__get__(thing) if slots and slot in slots else getattr(thing, slot)

    def read(self, thing: Any, slot: str) -> Any:
        """A value of something that is no part of the world, noted like all others."""
        key = (thing, slot)
        if key in self.doubts:
            return self.look(key)
        value = self._get(thing, slot)
        if key not in self.notes.was:
            self.notes.reads[key] = value
        return value

    def look(self, key: Key) -> Any:
        """The value of something in doubt: parts the present course."""
        while (doubt := self.doubts.get(key)) is not None:
            if key not in self.notes.was:
                self.notes.reads[key] = doubt
            seen = doubt.seen(key)
            weights = [weight for weight, _ in seen]
            self._narrow(doubt, seen[self._part(weights, sum(weights))][1])
        return self._get(*key)

    def held(self, holder: Any, slot: str, kind: Any) -> Any:
        """What of a kind stands directly in something; parts the course where that is in doubt."""
        descriptor = self._slots[type(holder)].get(slot)
        if descriptor is None:
            return ()
        notes, read = self.notes, (holder, slot, kind)
        pieces = descriptor.__get__(holder)
        if read not in notes.reads and holder not in notes.made:
            stood = notes.stood.get((holder, slot), pieces)
            notes.reads[read] = standing(holder, slot, kind, stood, notes.doubts)
        if self.active:
            while doubtful := self._doubtful(holder, slot, kind):
                self.look((min(doubtful, key=_INDEX), AT))
            pieces = certain(descriptor.__get__(holder), self.active)
        return pieces if kind is None else [each for each in pieces if isinstance(each, kind)]

    def _doubtful(self, holder: Any, slot: str, kind: Any) -> list[Any]:
        key = (holder, slot)
        return [
            each
            for doubt in self.active
            if key in doubt.standing
            for each in doubt.standing[key]
            if kind is None or isinstance(each, kind)
        ]

    # ------------------------------------------------------------ changing
    def put(self, thing: Any, slot: str, value: Any) -> None:
        """Gives a thing or record a value."""
        key = (thing, slot)
        if key in self.doubts:
            self._overwrite(key)
        self._set(key, value)

    def place(self, piece: Any, holder: Any) -> None:
        """Puts a piece somewhere, or takes it off the board."""
        key = (piece, AT)
        if key in self.doubts:
            self._overwrite(key)
        elif self._get(piece, AT) is holder:
            return
        if holder is not None and (piece.content_slot not in holder.holds or (piece.holds and inside(holder, piece))):
            refuse(piece, holder)
        self._set(key, holder)

    def take(self, settled: Settled) -> None:
        """Makes true what has been settled, and takes up the doubts that are left."""
        for key, value in settled.values.items():
            self._set(key, value)
        for doubt in settled.open:
            self._raise(doubt)

    def _set(self, key: Key, value: Any) -> None:
        old = self._put(key, value)
        if key not in self.notes.was:
            self.notes.was[key] = old
            self.dirty.add(key)
        self._journal.append((UNDO, self._back, (key, old)))

    def _put(self, key: Key, value: Any) -> Any:
        """Stores a value, and gives what was there."""
        thing, slot = key
        slots = self._slots.get(type(thing))
        if slots is None or slot not in slots:
            old = getattr(thing, slot)
            setattr(thing, slot, value)
            return old
        descriptor = slots[slot]
        old = descriptor.__get__(thing)
        if old is not value:
            if slot == AT:
                self._stand(thing, old, value)
            descriptor.__set__(thing, value)
        return old

    def _stand(self, piece: Any, old: Any, holder: Any) -> None:
        """Keeps the lists of what stands where."""
        if old is not None:
            self._list(old, piece.content_slot, without, piece)
        if holder is not None:
            self._list(holder, piece.content_slot, including, piece)
        if old is not None and holder is not None:
            return
        change = including if old is None else without
        for name in piece.board_slots:
            self._list(self._board, name, change, piece)
            self.notes.was.setdefault((self._board, name), UNSET)
        slots = self._slots[type(self._board)]
        for name, own in piece.indexed:
            index, key = slots[name].__get__(self._board), self._get(piece, own)
            index[key] = change(index.get(key, ()), piece)

    def _list(self, holder: Any, slot: str, change: Callable[[Any, Any], Any], piece: Any) -> None:
        descriptor, key = self._slots[type(holder)][slot], (holder, slot)
        pieces = descriptor.__get__(holder)
        if key not in self.notes.stood:
            self.notes.stood[key] = pieces
            self.dirty.add(key)
        descriptor.__set__(holder, change(pieces, piece))

    # ------------------------------------------------------------ doubts
    def drop(self, doubt: Doubt) -> None:
        """Gives a doubt up; whatever it spoke of must then be given a value, or another doubt."""
        self._forget(doubt)
        self._journal.append((UNDO, self._remember, doubt))

    def _forget(self, doubt: Doubt) -> None:
        for key in doubt.keys:
            del self.doubts[key]
        del self.active[doubt]
        self.notes.was = {**doubt.unset, **self.notes.was}

    def _remember(self, doubt: Doubt) -> None:
        self.doubts.update(doubt.table)
        self.active[doubt] = None

    def _raise(self, doubt: Doubt) -> None:
        """Takes up a doubt: what it speaks of is no longer certain."""
        self.notes.was = {**doubt.unset, **self.notes.was}
        self.dirty.update(doubt.keys, doubt.standing)
        self._remember(doubt)
        self._journal.append((UNDO, self._unraise, doubt))

    def _unraise(self, doubt: Doubt) -> None:
        for key in doubt.keys:
            del self.doubts[key]
        del self.active[doubt]

    def _narrow(self, doubt: Doubt, settled: Settled) -> None:
        """Some of the fates of a doubt are left: what all of them say is certain."""
        self._forget(doubt)
        olds = [(key, self._put(key, value)) for key, value in settled.values.items()]
        for each in settled.open:
            self._remember(each)
        self._journal.append((UNDO, self._widen, (doubt, settled, olds)))

    def _widen(self, narrowed: tuple[Doubt, Settled, list[tuple[Key, Any]]]) -> None:
        doubt, settled, olds = narrowed
        for each in settled.open:
            del self.active[each]
        for key, old in olds:
            self._put(key, old)
        self._remember(doubt)

    def _overwrite(self, key: Key) -> None:
        doubt = self.doubts[key]
        rest = doubt.without(key)
        if rest is None:
            self.look(key)
            return
        if key not in self.notes.was:
            self.notes.reads[key] = doubt
        self._narrow(doubt, rest)

    # ------------------------------------------------------------ back
    def undo(self, mark: int) -> None:
        """Takes back every change since a mark in the journal, past the notes."""
        journal = self._journal
        for target, slot, old in reversed(journal[mark:]):
            if target is UNDO:
                slot(old)
            else:
                self._put((slot, AT) if target is PLACE else (target, slot), old)
        del journal[mark:]

    def _back(self, change: tuple[Key, Any]) -> None:
        self._put(*change)


def standing(holder: Any, slot: str, kind: Any, pieces: tuple[Any, ...], doubts: Iterable[Doubt]) -> Standing:
    """Those of a kind (none: all) among what stands, and may stand, somewhere."""
    around = [(each, doubt) for doubt in doubts for each in doubt.standing.get((holder, slot), ())]
    pieces = certain(pieces, doubts)
    if kind is None:
        return pieces, frozenset(around)
    return (
        tuple([each for each in pieces if isinstance(each, kind)]),
        frozenset([(each, doubt) for each, doubt in around if isinstance(each, kind)]),
    )


def certain(pieces: tuple[Any, ...], doubts: Iterable[Doubt]) -> tuple[Any, ...]:
    """The pieces of which it is in no doubt where they stand."""
    for doubt in doubts:
        if not doubt.pieces.isdisjoint(pieces):
            pieces = tuple([each for each in pieces if each not in doubt.pieces])
    return pieces
