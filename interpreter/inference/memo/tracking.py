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
from functools import partial
from typing import Any

from interpreter.inference.memo.recorder import (
    UNKNOWN,
    ContainerCell,
    ContentsKey,
    Effects,
    Recorder,
    SlotKey,
    TrackedCell,
    apply_effects,
    bits_of,
    hashable,
    merge_moves,
)
from interpreter.inference.memo.shadow_state import Moves, ShadowState, direct, following, unknown
from interpreter.world.journal import including, inside, refuse, without
from interpreter.world.things import Piece, Record, Thing
from interpreter.world.world import World

Get = Callable[[Any], Any]


Likely = tuple[list[tuple[str, str]], list[tuple[str, str | None]]]
"""Things with slots, and holders with kinds that move in and out of them, by the names of things."""


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


class Tracker:
    """Reads and changes of one world, from when it is made on."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.notes = Recorder()
        self.sheet = ShadowState(self)
        self.grown = 0
        """How many things came under watch after a course of events had begun."""
        self._journal: list[tuple[Callable[..., None], tuple[Any, ...]]] = []
        self._plain: list[tuple[Any, type]] = []
        """What is under watch, with the class that it had before."""
        self._keys: dict[Get, dict[Any, SlotKey]] = {}
        """The keys of all slots that were ever changed."""
        self._marks: dict[tuple[Any, str | None], TrackedCell] = {}
        """A mark for each holder and each kind that ever moved in or out of it, and for each kind that was made."""
        self._contents: dict[tuple[Get, Any], ContentsKey | None] = {}
        """The keys of what stands somewhere; none where nothing ever moved."""
        self._aside = Recorder()
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
        self._at = self._place.get["at"]
        self._seen: dict[Any, dict[Any, Any]] = {}
        """What stands directly in things, as far as it was asked for and nothing has moved since."""

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

    def _slot(self, thing: Any, get: Get) -> SlotKey:
        """The key of a slot that changes."""
        keys = self._keys.setdefault(get, {})
        found = keys.get(thing)
        if found is None:
            self._begin_to_watch(thing)
            found = keys[thing] = self.sheet.slot(partial(get, thing), get(thing), thing if get is self._at else None)
        return found

    def _mark(self, holder: Any, kind: str | None) -> TrackedCell:
        """The mark of what changes of a holder's contents."""
        found = self._marks.get((holder, kind))
        if found is None:
            self._begin_to_watch(holder)
            found = self._marks[holder, kind] = (ContainerCell if kind is None else TrackedCell)(self.sheet.bit())
        return found

    def _begin_to_watch(self, thing: Any) -> None:
        if type(thing) not in self._watched:
            self._plain.append((thing, type(thing)))
            thing.__class__ = self._class(type(thing))
        self._forget_contents()
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

            near = slot.startswith("c_")

            def read(thing: Any) -> Any:
                self._stood(thing, listed, noted, near=near)
                return get(thing)
        else:
            keys = self._keys.setdefault(get, {})

            def read(thing: Any) -> Any:
                value, key, notes = get(thing), keys.get(thing), self.notes
                if key is not None and not key.bit & notes.written:
                    notes.reads[key] = value
                return value

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
                seen = self._seen.get(thing)
                if seen is None:
                    seen = self._seen[thing] = {}
                those = seen.get(key)
                if those is None:
                    all_ = self.slots_of(thing).get[slot](thing)
                    those = seen[key] = tuple([each for each in all_ if isinstance(each, kind)])
                return those

            self._gets[key] = found
        self._stood(holder, kind.kind, found, near=True)
        return found(holder)

    def _stood(self, holder: Any, kind: str, get: Get, *, near: bool) -> None:
        """Notes that somebody looked what of a kind stands somewhere: directly there, or however deep."""
        try:
            key = self._contents[get, holder]
        except KeyError:
            mark, vessels = self._marks.get((holder, kind)), self._marks.get((holder, None))
            moves = direct(holder, kind) if near else following(mark, vessels)
            key = self._contents[get, holder] = self._key(get, holder, (mark, vessels), moves)
        if key is not None:
            self.notes.reads.setdefault(key, UNKNOWN)

    def _key(
        self, get: Get, of: Any, marks: tuple[TrackedCell | None, ...], moves: Callable[..., Moves | None]
    ) -> ContentsKey | None:
        """The key of something that rests on some marks; none if nothing has ever moved there."""
        found = frozenset([each for each in marks if each is not None])
        return self.sheet.contents(partial(get, of), found, moves) if found else None

    def _forget_contents(self) -> None:
        self._contents.clear()
        self.sheet.forget_contents()

    def _deep(self, rule: Get, kind: str) -> Get:
        """What stands in something, however deep, as one thing that is read."""

        def now(thing: Any) -> Any:
            notes, self.notes = self.notes, self._aside
            try:
                return rule(thing)
            finally:
                self.notes = notes

        def read(thing: Any) -> Any:
            self._stood(thing, kind, now, near=False)
            return now(thing)

        return read

    # ------------------------------------------------------------ changing
    def put(self, thing: Any, slot: str, value: Any) -> None:
        """Gives a slot a value."""
        slots = self.slots_of(thing)
        get, set_ = slots.get[slot], slots.set[slot]
        key, notes = self._slot(thing, get), self.notes
        notes.written |= key.bit
        notes.effects[key] = value
        notes.doings.append((self._give, thing, get, set_, value))
        self._give(thing, get, set_, value)

    def _give(self, thing: Any, get: Get, set_: Callable[[Any, Any], None], value: Any) -> None:
        self._journal.append((set_, (thing, get(thing))))
        set_(thing, value)

    def place(self, piece: Any, holder: Any) -> None:
        """Puts a piece somewhere, or takes it off the board."""
        if holder is not None and (piece.content_slot not in holder.holds or (piece.holds and inside(holder, piece))):
            refuse(piece, holder)
        notes, old = self.notes, piece.at
        effects: Effects = {self._slot(piece, self._at): holder}
        if old is not holder:
            self._disturb(effects, piece, old, came=False)
            self._disturb(effects, piece, holder, came=True)
        apply_effects(notes.effects, effects)
        notes.written |= bits_of(effects)
        notes.doings.append((self._move, piece, holder))
        self._move(piece, holder)

    def _move(self, piece: Any, holder: Any) -> None:
        old = self._at(piece)
        if old is holder:
            return
        if old is None or holder is None:
            self._journal.append((self._stand, (piece, old)))
            self._stand(piece, holder)
            return
        slot, mine, other = piece.content_slot, self.slots_of(old), self.slots_of(holder)
        before, after = mine.get[slot](old), other.get[slot](holder)
        self._journal.append((self._set_back, (piece, old, before, holder, after)))
        self._forget(old)
        self._forget(holder)
        mine.set[slot](old, without(before, piece))
        other.set[slot](holder, including(after, piece))
        self._place.set["at"](piece, holder)

    def _set_back(self, piece: Any, old: Any, before: Any, holder: Any, after: Any) -> None:
        slot = piece.content_slot
        self._forget(old)
        self._forget(holder)
        self.slots_of(old).set[slot](old, before)
        self.slots_of(holder).set[slot](holder, after)
        self._place.set["at"](piece, old)

    def _disturb(self, effects: Effects, piece: Any, place: Any, *, came: bool) -> None:
        """Adds that a piece comes somewhere or goes, which changes what stands in all around it too."""
        kinds = (*piece.lineage, None) if piece.holds else piece.lineage
        marks = [] if place is not None else [self._mark(self.world.board, slot) for slot in piece.board_slots]
        came = came != (place is None)
        while place is not None:
            marks += [self._mark(place, kind) for kind in kinds]
            place = place.at if isinstance(place, Piece) else None
        change = frozenset([(piece, came)])
        for mark in marks:
            before = effects.get(mark)
            effects[mark] = merge_moves(before, change) if before else change

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
        at, seen = self._at, self._seen
        while holder is not None:
            holder.inside = holder.nothing
            if holder in seen:
                del seen[holder]
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
        made = self._spare.setdefault((name, number, all_, hashable(tuple(steady))), made)
        effects = self._new_effects(made, fresh)
        apply_effects(self.notes.effects, effects)
        self.notes.written |= bits_of(effects)
        self.notes.doings.append((self._make_again, made, fresh))
        self._make_again(made, fresh)
        if holder is not None:
            self.place(made, holder)
        return made

    def _counted(self, name: str) -> int:
        key = self._contents.get((self._number_of, name))
        if key is None:
            key = self._key(self._number_of, name, (self._made(name),), unknown)
            self._contents[self._number_of, name] = key
        assert key is not None
        self.notes.reads.setdefault(key, UNKNOWN)
        return self._number_of(name)

    def _made(self, name: str) -> TrackedCell:
        """The mark of how many of a kind were made."""
        found = self._marks.get((name, None))
        if found is None:
            found = self._marks[name, None] = ContainerCell(self.sheet.bit())
        return found

    def _number_of(self, name: str) -> int:
        return self._alive.get(name, 0)

    def _new_effects(self, made: Any, values: tuple[tuple[str, Any], ...]) -> Effects:
        """The effects of making something new: on its slots, and on how many of its kind there are."""
        slots = self._slots[type(made)]
        if isinstance(made, Piece):
            values = (*values, ("at", None))
        found: Effects = {self._made(each): None for each in (made.kind, "")}
        for slot, value in values:
            get = slots.get[slot]
            keys = self._keys.setdefault(get, {})
            if made not in keys:
                keys[made] = self.sheet.slot(partial(get, made), None, made if get is self._at else None)
            found[keys[made]] = value
        return found

    def _make_again(self, made: Any, values: tuple[tuple[str, Any], ...]) -> None:
        setters = self._slots[type(made)].set
        for slot, value in values:
            setters[slot](made, value)
        self._alive[made.kind] = self._number_of(made.kind) + 1
        if isinstance(made, Piece):
            self._alive[""] = self._number_of("") + 1
            self.world.counters[made.kind] = self._counters[made][1]
            self.world.register(made)
        self._journal.append((self._unmake, (made,)))

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

    def likely(self) -> Likely:
        """What is under watch, by names: in a situation like this one the same will change."""
        names = {getter: slot for each in self._slots.values() for slot, getter in each.get.items()}
        slots = [(each.ref, names[get]) for get, keys in self._keys.items() for each in keys if isinstance(each, Thing)]
        marks = [(each.ref, kind) for each, kind in self._marks if isinstance(each, Thing)]
        return slots, marks

    def expect(self, slots: list[tuple[str, str]], marks: list[tuple[str, str | None]]) -> None:
        """Puts under watch what is likely to change, as far as it is there: early it costs least."""
        things = {each.ref: each for each in self.world.objects}
        for ref, slot in slots:
            if ref in things:
                self._slot(things[ref], self.slots_of(things[ref]).get[slot])
        for ref, kind in marks:
            if ref in things:
                self._mark(things[ref], kind)

    def begin(self) -> None:
        """Puts all under watch that was ever changed: there is less to be found out anew."""
        self.notes = Recorder()
        for thing, kind in self._plain:
            thing.__class__ = self._class(kind)

    def end(self) -> None:
        """Gives the world back as it was, once all changes are taken back."""
        self.sheet.back(0)
        self.sheet.show()
        for thing, kind in self._plain:
            thing.__class__ = kind

    def suppose(self, _world: Any, change: Callable[[], Any], result: Callable[[], Any]) -> Any:
        """What `result` gives in the state after `change`, which is taken back whatever comes of it."""
        notes, mark = self.notes, self.mark()
        written, effects, number = notes.written, dict(notes.effects), len(notes.doings)
        try:
            change()
            return result()
        finally:
            self.undo(mark)
            notes.written, notes.effects = written, effects
            del notes.doings[number:]


def _quiet(*_arguments: Any) -> None:
    """What nobody sees, and no rule can read."""
