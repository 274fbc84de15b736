"""The world of one reckoning under watch: what is read of all that has ever changed is noted, and so is every change.

A thing is watched from its first change on: it is then given a class whose slots are properties that note what they
give. What was never changed is the same in all courses of events and costs nothing. Whenever something is changed for
the first time, `grown` counts it: what was noted before does not mention it, so that nothing may be kept of that.

Things made in play are always watched. They are made anew for each course of events, but one that is the n-th of its
kind, with the same values in all slots that no rule changes, is the same object each time: so that courses can be told
to be alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.reckoning.notes import Notes, plain
from interpreter.world.journal import including, inside, refuse, without
from interpreter.world.things import Piece, Record, Thing
from interpreter.world.world import World

Get = Callable[[Any], Any]


class Slots:
    """How the slots of one class are reached past the watch."""

    __slots__ = ("get", "set")

    def __init__(self, kind: type, slots: tuple[str, ...], known: dict[Any, Get]) -> None:
        self.get: dict[str, Get] = {}
        """One and the same function for the same slot, whatever class has it: `known` holds them."""
        self.set: dict[str, Callable[[Any, Any], None]] = {}
        for slot in slots:
            descriptor = getattr(kind, slot)
            self.get[slot] = known.setdefault(descriptor, descriptor.__get__)
            self.set[slot] = descriptor.__set__


class Watch:
    """Reads and changes of one world, from when it is made on."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.notes = Notes()
        self.grown = 0
        """How many things came under watch after a course of events had begun."""
        self._journal: list[tuple[Callable[..., None], tuple[Any, ...]]] = []
        self._plain: list[tuple[Any, type]] = []
        """What is under watch, with the class that it had before."""
        self._changing: set[Any] = set()
        """All that was ever changed: keys of slots, and holders with the kinds that moved in or out of them."""
        self._aside = Notes()
        self._gets: dict[Any, Get] = {}
        self._slots: dict[type, Slots] = {}
        self._classes: dict[type, type] = {}
        self._watched: set[type] = set()
        self._alive: dict[str, int] = {}
        """How many of each kind there are that were made since the reckoning began, and of pieces altogether."""
        self._spare: dict[Any, Any] = {}
        self._counters: dict[Any, tuple[int, int]] = {}
        """For each piece that was ever made, the number of its kind before it and its own."""
        self._place = Slots(Piece, ("at",), self._gets)

    def names(self, namespace: dict[str, Any]) -> dict[str, Any]:
        """What emitted code calls instead of the world's own functions."""
        found: dict[str, Any] = {
            "put": self.put,
            "place": self.place,
            "held": self.held,
            "create": self.create,
            "suppose": self.suppose,
            "reveal": _quiet,
        }
        for name, rule in namespace.items():
            if name.startswith("in_") and "__" in name:
                found[name] = self._deep(rule, name[3:].partition("__")[0])
        return found

    # ------------------------------------------------------------ classes under watch
    def _all_slots(self, kind: type) -> tuple[str, ...]:
        if issubclass(kind, Thing):
            at = ("at",) if issubclass(kind, Piece) else ()
            return (*kind.slots, *sorted(kind.holds), *at)
        if issubclass(kind, Record):
            return kind.slots
        return tuple(kind.__slots__)  # type: ignore[attr-defined]

    def slots_of(self, thing: Any) -> Slots:
        """The slots of a thing's class."""
        kind = type(thing)
        found = self._slots.get(kind)
        if found is None:
            found = self._slots[kind] = Slots(kind, self._all_slots(kind), self._gets)
        return found

    def _watch(self, thing: Any, change: Any) -> None:
        """Puts what changes of a thing under watch from now on, if it is not yet."""
        if change not in self._changing:
            if type(thing) not in self._watched:
                self._plain.append((thing, type(thing)))
                thing.__class__ = self._class(type(thing))
            self._changing.add(change)
            self.grown += 1

    def _class(self, kind: type) -> type:
        """The class of things of a kind that are watched: each slot that can change is a property."""
        found = self._classes.get(kind)
        if found is None:
            slots = Slots(kind, self._all_slots(kind), self._gets)
            steady = set(kind.slots) - set(kind.changing) if issubclass(kind, Thing | Record) else ()
            noted = {slot: self._property(slot, slots) for slot in slots.get if slot not in steady}
            found = type(kind.__name__, (kind,), {"__slots__": (), **noted})
            self._classes[kind] = found
            self._watched.add(found)
            self._slots[found] = slots
        return found

    def _property(self, slot: str, slots: Slots) -> property:
        get = slots.get[slot]
        if slot.startswith(("c_", "all_", "by_")):
            noted, listed = get, slot[2:] if slot.startswith("c_") else slot
            if slot.startswith("by_"):
                listed = f"all_{slot[3:].partition('__')[0]}"
                noted = slots.get[listed]

            def read(thing: Any) -> Any:
                self._stood(thing, listed, noted)
                return get(thing)
        else:

            def read(thing: Any) -> Any:
                key, notes = (get, thing), self.notes
                if key in self._changing and key not in notes.written:
                    notes.reads[key] = None
                return get(thing)

        return property(read, slots.set[slot])

    # ------------------------------------------------------------ reading
    def held(self, holder: Any, slot: str, kind: Any) -> Any:
        """What of a kind (none: all) stands directly in something."""
        get = self.slots_of(holder).get.get(slot)
        if get is None:
            return ()
        if kind is None:
            return getattr(holder, slot)
        key = (slot, kind)
        found = self._gets.get(key)
        if found is None:

            def found(thing: Any) -> Any:
                return tuple([each for each in self.slots_of(thing).get[slot](thing) if isinstance(each, kind)])

            self._gets[key] = found
        self._stood(holder, kind.kind, found)
        return found(holder)

    def _stood(self, holder: Any, kind: str, get: Get) -> None:
        """Notes that somebody looked what of a kind stands somewhere."""
        if (holder, kind) in self._changing or (holder, None) in self._changing:
            self.notes.reads[get, holder] = None

    def _deep(self, rule: Get, kind: str) -> Get:
        """What stands in something, however deep, as one thing that is read."""

        def now(thing: Any) -> Any:
            notes, self.notes = self.notes, self._aside
            try:
                return rule(thing)
            finally:
                self.notes = notes

        def read(thing: Any) -> Any:
            self._stood(thing, kind, now)
            return now(thing)

        return read

    # ------------------------------------------------------------ changing
    def put(self, thing: Any, slot: str, value: Any) -> None:
        """Gives a slot a value."""
        slots = self.slots_of(thing)
        get, set_ = slots.get[slot], slots.set[slot]
        key = (get, thing)
        self._watch(thing, key)
        self._journal.append((set_, (thing, get(thing))))
        set_(thing, value)
        self.notes.written.add(key)
        self.notes.doings.append((self.put, thing, slot, value))

    def place(self, piece: Any, holder: Any) -> None:
        """Puts a piece somewhere, or takes it off the board."""
        if holder is not None and (piece.content_slot not in holder.holds or (piece.holds and inside(holder, piece))):
            refuse(piece, holder)
        self._stand_again(piece, holder)

    def _stand_again(self, piece: Any, holder: Any) -> None:
        at = self._place.get["at"]
        old, key = at(piece), (at, piece)
        self._watch(piece, key)
        self.notes.written.add(key)
        self.notes.doings.append((self._stand_again, piece, holder))
        if old is holder:
            return
        kinds = (*piece.lineage, None) if piece.holds else piece.lineage
        for end in (old, holder):
            place = end
            while place is not None:
                for kind in kinds:
                    self._watch(place, (place, kind))
                place = at(place) if isinstance(place, Piece) else None
        if (old is None) != (holder is None):
            for slot in piece.board_slots:
                self._watch(self.world.board, (self.world.board, slot))
        self._journal.append((self._stand, (piece, old)))
        self._stand(piece, holder)

    def _stand(self, piece: Any, holder: Any) -> None:
        """Keeps the lists of what stands where."""
        at = self._place
        old = at.get["at"](piece)
        self._forget(old)
        self._forget(holder)
        if old is not None:
            self._list(old, piece.content_slot, without, piece)
        if holder is not None:
            self._list(holder, piece.content_slot, including, piece)
        if (old is None) != (holder is None):
            change = including if old is None else without
            board = self.world.board
            for name in piece.board_slots:
                self._list(board, name, change, piece)
            for name, own in piece.indexed:
                index = self.slots_of(board).get[name](board)
                key = self.slots_of(piece).get[own](piece)
                index[key] = change(index.get(key, ()), piece)
        at.set["at"](piece, holder)

    def _list(self, holder: Any, slot: str, change: Callable[[Any, Any], Any], piece: Any) -> None:
        slots = self.slots_of(holder)
        slots.set[slot](holder, change(slots.get[slot](holder), piece))

    def _forget(self, holder: Any) -> None:
        at = self._place.get["at"]
        while holder is not None:
            holder.inside = holder.nothing
            holder = at(holder) if isinstance(holder, Piece) else None

    # ------------------------------------------------------------ making
    def create(self, kind: Any, values: Any, holder: Any = None) -> Any:
        """A new piece, standing in a holder, or a new record; see `World.create`."""
        name = kind if isinstance(kind, str) else kind.kind
        world, old = self.world, self.world.counters.get(name, 0)
        made = world.make(name, values)
        owner, number, all_ = type(made), self._counted(name), 0
        if isinstance(made, Piece):
            self._counters[made] = (old, world.counters[name])
            all_ = self._counted("")
            world.unmake((made, old))
        steady = [getattr(made, slot) for slot in owner.slots if slot not in owner.changing]
        fresh = tuple([(slot, getattr(made, slot)) for slot in owner.changing])
        made.__class__ = self._class(owner)
        made = self._spare.setdefault((name, number, all_, plain(tuple(steady))), made)
        self._make_again(made, fresh)
        if holder is not None:
            self.place(made, holder)
        return made

    def _counted(self, name: str) -> int:
        self.notes.reads[self._number_of, name] = None
        return self._number_of(name)

    def _number_of(self, name: str) -> int:
        return self._alive.get(name, 0)

    def _make_again(self, made: Any, values: tuple[tuple[str, Any], ...]) -> None:
        slots, written = self._slots[type(made)], self.notes.written
        for slot, value in values:
            slots.set[slot](made, value)
            key = (slots.get[slot], made)
            written.add(key)
            self._changing.add(key)
        self._alive[made.kind] = self._number_of(made.kind) + 1
        if isinstance(made, Piece):
            self._alive[""] = self._number_of("") + 1
            key = (slots.get["at"], made)
            written.add(key)
            self._changing.add(key)
            self.world.counters[made.kind] = self._counters[made][1]
            self.world.register(made)
        self._journal.append((self._unmake, (made,)))
        self.notes.doings.append((self._make_again, made, values))

    def _unmake(self, made: Any) -> None:
        self._alive[made.kind] -= 1
        if isinstance(made, Piece):
            self._alive[""] -= 1
            self.world.unmake((made, self._counters[made][0]))

    # ------------------------------------------------------------ back, and again
    def mark(self) -> int:
        """Where the changes stand, for `undo`."""
        return len(self._journal)

    def undo(self, mark: int) -> None:
        """Takes back every change since a mark, past the notes."""
        journal = self._journal
        while len(journal) > mark:
            function, arguments = journal.pop()
            function(*arguments)

    def end(self) -> None:
        """Gives the world back as it was, once all changes are taken back."""
        for thing, kind in self._plain:
            thing.__class__ = kind

    def suppose(self, _world: Any, change: Callable[[], Any], result: Callable[[], Any]) -> Any:
        """What `result` gives in the state after `change`, which is taken back whatever comes of it."""
        notes, mark = self.notes, self.mark()
        written, number = set(notes.written), len(notes.doings)
        try:
            change()
            return result()
        finally:
            self.undo(mark)
            notes.written = written
            del notes.doings[number:]


def do_again(doings: list[tuple[Any, ...]]) -> None:
    """Makes changes that were noted and taken back."""
    for function, *arguments in doings:
        function(*arguments)


def _quiet(*_arguments: Any) -> None:
    """What nobody sees, and no rule can read."""
