"""Dependency tracking in one world: reads of everything that has ever changed are recorded, and so are all changes.

A thing is tracked from its first change on: it gets a class whose slots are properties that record what they return.
What has never changed is the same on every branch and costs nothing. Each first change increases `epoch`: results that
were memoized before do not mention it, so they are dropped.

Things created in play are always tracked. They are created again on every branch; the n-th of its kind, with the same
values in all slots that no rule changes, is the same object each time, so that states of branches can be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from interpreter.inference.memo.creation_counts import CreationCounts
from interpreter.inference.memo.divided_contents import DividedContents
from interpreter.inference.memo.recorder import (
    UNKNOWN,
    ContentsKey,
    Effects,
    Recorder,
    SlotKey,
    TrackedContainer,
    TrackedVariable,
    apply_effects,
    hashable,
    merge_moves,
    written_bits,
)
from interpreter.inference.memo.shadow_state import (
    PlacedMoves,
    ShadowState,
    deep_contents,
    direct_contents,
)
from interpreter.inference.memo.slot_access import Getter, SlotAccess, slot_names
from interpreter.language.model.emitted_names import ALL, BY, HOLDS, INSIDE, ids_of
from interpreter.world.journal import including, is_inside, raise_bad_move, without
from interpreter.world.things import Piece, Record, Thing
from interpreter.world.world import World

Hints = tuple[list[tuple[str, str]], list[tuple[str, str | None]]]
"""Things with slots, and holders with the kinds that move in and out of them, by the names of the things."""


class Tracker:
    """Records the reads and changes of one world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.recorder = Recorder()
        self.shadow = ShadowState(self)
        self.epoch = 0
        """How often something began to be tracked: memoized results of an earlier epoch are invalid."""
        self._journal: list[tuple[Callable[..., None], tuple[Any, ...]]] = []
        self._tracked: list[tuple[Any, type]] = []
        """The tracked things, each with the class that it had before."""
        self._keys: dict[Getter, dict[Any, SlotKey]] = {}
        """The keys of all slots that were ever changed."""
        self._variables: dict[tuple[Any, str | None], TrackedVariable] = {}
        """One for each holder and each kind that ever moved in or out of it."""
        self._contents: dict[tuple[Getter, Any], ContentsKey | None] = {}
        """The keys of contents; none where nothing ever moved."""
        self._scratch = Recorder()
        self._getters: dict[Any, Getter] = {}
        self._access: dict[type, SlotAccess] = {}
        self._classes: dict[type, type] = {}
        self._tracked_classes: set[type] = set()
        self._created = CreationCounts(self.shadow)
        self._interned: dict[Any, Any] = {}
        """The objects created so far, by kind, number and constant values."""
        self._counters: dict[Any, tuple[int, int]] = {}
        """For each piece that was ever created, the counter of its kind before it, and its own number."""
        self._location = SlotAccess(Piece, ("at",), self._getters)
        self._at = self._location.get["at"]
        self._filtered: dict[Any, dict[Any, Any]] = {}
        """The direct contents of holders by kind, as far as they were read since the last move."""
        self._divided = DividedContents(self)

    def names(self, namespace: dict[str, Any]) -> dict[str, Any]:
        """The functions that emitted code calls in place of those of the world."""
        found: dict[str, Any] = {
            "put": self.put,
            "place": self.place,
            "held": self.held,
            "among": self._divided.among,
            "any_among": self._divided.any_among,
            "create": self.create,
            "suppose": self.suppose,
            "reveal": _no_effect,
        }
        for name, rule in namespace.items():
            if INSIDE.owns(name):
                found[name] = self._deep(rule, ids_of(name)[0])
        return found

    # ------------------------------------------------------------ tracked classes
    def access(self, thing: Any) -> SlotAccess:
        """The access to the slots of a thing's class."""
        kind = type(thing)
        found = self._access.get(kind)
        if found is None:
            found = self._access[kind] = SlotAccess(kind, slot_names(kind), self._getters)
        return found

    def _slot(self, thing: Any, get: Getter) -> SlotKey:
        """The key of a slot that changes."""
        keys = self._keys.setdefault(get, {})
        found = keys.get(thing)
        if found is None:
            self._track(thing)
            found = keys[thing] = self.shadow.slot(partial(get, thing), get(thing), thing if get is self._at else None)
        return found

    def _variable(self, holder: Any, kind: str | None) -> TrackedVariable:
        """The variable of the contents of a holder that are of a kind (none: containers)."""
        found = self._variables.get((holder, kind))
        if found is None:
            self._track(holder)
            found = (TrackedContainer if kind is None else TrackedVariable)(self.shadow.new_bit())
            self._variables[holder, kind] = found
        return found

    def _track(self, thing: Any) -> None:
        if type(thing) not in self._tracked_classes:
            self._tracked.append((thing, type(thing)))
            thing.__class__ = self._class(type(thing))
        self.start_epoch()

    def start_epoch(self) -> None:
        """Drops what was memoized: something that it does not mention makes a difference from now on."""
        self._contents.clear()
        self._created.drop()
        self._divided.drop()
        self.shadow.drop_contents()
        self.epoch += 1

    def _class(self, kind: type) -> type:
        """The class of tracked things of a kind: each slot that can change is a property."""
        found = self._classes.get(kind)
        if found is None:
            access = SlotAccess(kind, slot_names(kind), self._getters)
            constant = set(kind.slots) - set(kind.changing) if issubclass(kind, Thing | Record) else ()
            recorded = {slot: self._property(slot, access) for slot in access.get if slot not in constant}
            found = type(kind.__name__, (kind,), {"__slots__": (), **recorded})
            self._classes[kind] = found
            self._tracked_classes.add(found)
            self._access[found] = access
        return found

    def _property(self, slot: str, access: SlotAccess) -> property:
        get = access.get[slot]
        direct = HOLDS.owns(slot)
        if direct or ALL.owns(slot) or BY.owns(slot):
            recorded, kind = get, ids_of(slot)[0] if direct else slot
            if BY.owns(slot):
                kind = ALL(ids_of(slot)[0])
                recorded = access.get[kind]

            def read(thing: Any) -> Any:
                self._record_contents(thing, kind, recorded, direct=direct)
                return get(thing)
        else:
            keys = self._keys.setdefault(get, {})

            def read(thing: Any) -> Any:
                value, key, recorder = get(thing), keys.get(thing), self.recorder
                if key is not None and not key.bit & recorder.written:
                    recorder.reads[key] = value
                return value

        return property(read, access.set[slot])

    # ------------------------------------------------------------ reading
    def held(self, holder: Any, slot: str, kind: Any) -> Any:
        """The direct contents of a holder that are of a kind (none: all)."""
        get = self.access(holder).get.get(slot)
        if get is None:
            return ()
        if kind is None:
            return getattr(holder, slot)
        key = (slot, kind)
        found = self._getters.get(key)
        if found is None:

            def found(thing: Any) -> Any:
                by_kind = self._filtered.get(thing)
                if by_kind is None:
                    by_kind = self._filtered[thing] = {}
                pieces = by_kind.get(key)
                if pieces is None:
                    contents = self.access(thing).get[slot](thing)
                    pieces = by_kind[key] = tuple([each for each in contents if isinstance(each, kind)])
                return pieces

            self._getters[key] = found
        self._record_contents(holder, kind.kind, found, direct=True)
        return found(holder)

    def _record_contents(self, holder: Any, kind: str, get: Getter, *, direct: bool) -> None:
        """Records a read of the contents of a holder that are of a kind: directly in it, or at any depth."""
        try:
            key = self._contents[get, holder]
        except KeyError:
            variable, containers = self._variables.get((holder, kind)), self._variables.get((holder, None))
            moves = direct_contents(holder, kind) if direct else deep_contents(variable, containers)
            key = self._contents[get, holder] = self._key(partial(get, holder), (variable, containers), moves)
        if key is not None:
            self.recorder.reads.setdefault(key, UNKNOWN)

    def _key(
        self,
        now: Callable[[], Any],
        variables: tuple[TrackedVariable | None, ...],
        moves: Callable[..., PlacedMoves | None],
        whole: ContentsKey | None = None,
        all_moves: TrackedVariable | None = None,
    ) -> ContentsKey | None:
        """The key of a value that depends on variables; none if nothing has ever moved there."""
        found = frozenset([each for each in variables if each is not None])
        return self.shadow.contents(now, found, moves, whole, all_moves) if found else None

    def contents_key(
        self,
        holder: Any,
        kind: str,
        now: Callable[[], Any],
        moves: Callable[..., PlacedMoves | None],
        whole: ContentsKey | None = None,
        part: TrackedVariable | None = None,
    ) -> ContentsKey | None:
        """A new key for some of the direct contents of a holder; none if nothing of the kind has ever moved there."""
        moved, containers = self._variables.get((holder, kind)), self._variables.get((holder, None))
        return self._key(now, (part or moved, containers), moves, whole, moved)

    def has_moved(self, holder: Any, kind: str) -> bool:
        """Whether anything of a kind has ever moved in or out of a holder."""
        return (holder, kind) in self._variables

    def _deep(self, rule: Getter, kind: str) -> Getter:
        """The function that gives contents at any depth, recorded as one read."""

        def now(thing: Any) -> Any:
            recorder, self.recorder = self.recorder, self._scratch
            try:
                return rule(thing)
            finally:
                self.recorder = recorder

        def read(thing: Any) -> Any:
            self._record_contents(thing, kind, now, direct=False)
            return now(thing)

        return read

    # ------------------------------------------------------------ changing
    def put(self, thing: Any, slot: str, value: Any) -> None:
        """Sets a slot."""
        access = self.access(thing)
        get, set_ = access.get[slot], access.set[slot]
        key, recorder = self._slot(thing, get), self.recorder
        recorder.written |= key.bit
        recorder.effects[key] = value
        recorder.actions.append((self._set_slot, thing, get, set_, value))
        self._set_slot(thing, get, set_, value)

    def _set_slot(self, thing: Any, get: Getter, set_: Callable[[Any, Any], None], value: Any) -> None:
        self._journal.append((set_, (thing, get(thing))))
        set_(thing, value)

    def place(self, piece: Any, holder: Any) -> None:
        """Puts a piece into a holder, or takes it off the board."""
        if holder is not None and (
            piece.content_slot not in holder.holds or (piece.holds and is_inside(holder, piece))
        ):
            raise_bad_move(piece, holder)
        recorder, old = self.recorder, piece.at
        effects: Effects = {self._slot(piece, self._at): holder}
        if old is not holder:
            self._add_moves(effects, piece, old, arrives=False)
            self._add_moves(effects, piece, holder, arrives=True)
        apply_effects(recorder.effects, effects)
        recorder.written |= written_bits(effects)
        recorder.actions.append((self._move, piece, holder))
        self._move(piece, holder)

    def _move(self, piece: Any, holder: Any) -> None:
        old = self._at(piece)
        if old is holder:
            return
        if old is None or holder is None:
            self._journal.append((self._relist, (piece, old)))
            self._relist(piece, holder)
            return
        slot, mine, other = piece.content_slot, self.access(old), self.access(holder)
        before, after = mine.get[slot](old), other.get[slot](holder)
        self._journal.append((self._undo_move, (piece, old, before, holder, after)))
        self._invalidate(old)
        self._invalidate(holder)
        mine.set[slot](old, without(before, piece))
        other.set[slot](holder, including(after, piece))
        self._location.set["at"](piece, holder)

    def _undo_move(self, piece: Any, old: Any, before: Any, holder: Any, after: Any) -> None:
        slot = piece.content_slot
        self._invalidate(old)
        self._invalidate(holder)
        self.access(old).set[slot](old, before)
        self.access(holder).set[slot](holder, after)
        self._location.set["at"](piece, old)

    def _add_moves(self, effects: Effects, piece: Any, holder: Any, *, arrives: bool) -> None:
        """Adds to effects that a piece arrives at a holder or leaves it, and so everything that holds the holder."""
        kinds = (*piece.lineage, None) if piece.holds else piece.lineage
        variables = [] if holder is not None else [self._variable(self.world.board, slot) for slot in piece.board_slots]
        arrives = arrives != (holder is None)
        while holder is not None:
            variables += [self._variable(holder, kind) for kind in kinds]
            variables += self._divided.changed_parts(holder, piece)
            holder = holder.at if isinstance(holder, Piece) else None
        change = frozenset([(piece, arrives)])
        for variable in variables:
            before = effects.get(variable)
            effects[variable] = merge_moves(before, change) if before else change

    def _relist(self, piece: Any, holder: Any) -> None:
        """Moves a piece to a holder in every list of contents and index."""
        at = self._location
        old = at.get["at"](piece)
        self._invalidate(old)
        self._invalidate(holder)
        if old is not None:
            self._change_list(old, piece.content_slot, without, piece)
        if holder is not None:
            self._change_list(holder, piece.content_slot, including, piece)
        if (old is None) != (holder is None):
            change = including if old is None else without
            board = self.world.board
            for name in piece.board_slots:
                self._change_list(board, name, change, piece)
            for name, own in piece.indexed:
                index = self.access(board).get[name](board)
                key = self.access(piece).get[own](piece)
                index[key] = change(index.get(key, ()), piece)
        at.set["at"](piece, holder)

    def _change_list(self, holder: Any, slot: str, change: Callable[[Any, Any], Any], piece: Any) -> None:
        access = self.access(holder)
        access.set[slot](holder, change(access.get[slot](holder), piece))

    def _invalidate(self, holder: Any) -> None:
        """Drops what is kept of the contents of a holder and of all that hold it."""
        at, filtered = self._at, self._filtered
        while holder is not None:
            holder.inside = holder.nothing
            if holder in filtered:
                del filtered[holder]
            holder = at(holder) if isinstance(holder, Piece) else None

    # ------------------------------------------------------------ creating
    def create(self, kind: Any, values: Any, holder: Any = None) -> Any:
        """A new piece in a holder, or a new record; see `World.create`."""
        name = kind if isinstance(kind, str) else kind.kind
        world, old = self.world, self.world.counters.get(name, 0)
        made = world.make(name, values)
        owner, number, pieces = type(made), self._created.read(name, self.recorder), 0
        if isinstance(made, Piece):
            self._counters[made] = (old, world.counters[name])
            pieces = self._created.read("", self.recorder)
            world.unmake((made, old))
        constant = [getattr(made, slot) for slot in owner.slots if slot not in owner.changing]
        initial = tuple([(slot, getattr(made, slot)) for slot in owner.changing])
        made.__class__ = self._class(owner)
        made = self._interned.setdefault((name, number, pieces, hashable(tuple(constant))), made)
        effects = self._creation_effects(made, initial)
        apply_effects(self.recorder.effects, effects)
        self.recorder.written |= written_bits(effects)
        self.recorder.actions.append((self._recreate, made, initial))
        self._recreate(made, initial)
        if holder is not None:
            self.place(made, holder)
        return made

    def _creation_effects(self, made: Any, values: tuple[tuple[str, Any], ...]) -> Effects:
        """The effects of creating an object: on its slots, and on how many of its kind there are."""
        access = self._access[type(made)]
        if isinstance(made, Piece):
            values = (*values, ("at", None))
        found: Effects = {self._created.variable(each): None for each in (made.kind, "")}
        for slot, value in values:
            get = access.get[slot]
            keys = self._keys.setdefault(get, {})
            if made not in keys:
                keys[made] = self.shadow.slot(partial(get, made), None, made if get is self._at else None)
            found[keys[made]] = value
        return found

    def _recreate(self, made: Any, values: tuple[tuple[str, Any], ...]) -> None:
        setters = self._access[type(made)].set
        for slot, value in values:
            setters[slot](made, value)
        self._created.add(made.kind, 1)
        if isinstance(made, Piece):
            self._created.add("", 1)
            self.world.counters[made.kind] = self._counters[made][1]
            self.world.register(made)
        self._journal.append((self._undo_create, (made,)))

    def _undo_create(self, made: Any) -> None:
        self._created.add(made.kind, -1)
        if isinstance(made, Piece):
            self._created.add("", -1)
            self.world.unmake((made, self._counters[made][0]))

    # ------------------------------------------------------------ undo and supposition
    def mark(self) -> int:
        """The length of the journal, for `undo`."""
        return len(self._journal)

    def undo(self, mark: int) -> None:
        """Takes back every change after a mark, without recording it."""
        journal = self._journal
        while len(journal) > mark:
            function, arguments = journal.pop()
            function(*arguments)

    def suppose(self, _world: Any, change: Callable[[], Any], result: Callable[[], Any]) -> Any:
        """What `result` returns in the state after `change`, which is taken back in any case."""
        recorder, mark = self.recorder, self.mark()
        written, effects, count = recorder.written, dict(recorder.effects), len(recorder.actions)
        try:
            change()
            return result()
        finally:
            self.undo(mark)
            recorder.written, recorder.effects = written, effects
            del recorder.actions[count:]

    # ------------------------------------------------------------ beginning and end
    def hints(self) -> Hints:
        """The tracked slots and contents by names: in a situation like this one the same will change."""
        names = {getter: slot for each in self._access.values() for slot, getter in each.get.items()}
        slots = [(each.ref, names[get]) for get, keys in self._keys.items() for each in keys if isinstance(each, Thing)]
        variables = [(each.ref, kind) for each, kind in self._variables if isinstance(each, Thing)]
        return slots, variables

    def preload(self, slots: list[tuple[str, str]], variables: list[tuple[str, str | None]]) -> None:
        """Tracks what hints name, as far as it exists: to begin early costs least."""
        things = {each.ref: each for each in self.world.objects}
        for ref, slot in slots:
            if ref in things:
                self._slot(things[ref], self.access(things[ref]).get[slot])
        for ref, kind in variables:
            if ref in things:
                self._variable(things[ref], kind)

    def attach(self) -> None:
        """Tracks again everything that was tracked before `detach`."""
        self.recorder = Recorder()
        for thing, kind in self._tracked:
            thing.__class__ = self._class(kind)

    def detach(self) -> None:
        """Takes back all changes and gives the things of the world their own classes."""
        self.shadow.undo(0)
        self.shadow.sync_world()
        for thing, kind in self._tracked:
            thing.__class__ = kind


def _no_effect(*_arguments: Any) -> None:
    """Replaces a function whose effect no rule can read."""
