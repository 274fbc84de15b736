"""The canonical form of a world's state, and its hash.

The form is `(objects, state, counters)`: each object that can change as `(kind, id, [at,] values…)` in index order, the
state values as a tuple, and the number of pieces of each kind made in play. Things and words are `kind/id`; a record is
`("record", number, kind, values…)` at its first occurrence and `("again", number)` after that.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interpreter.world.incremental_hash import IncrementalHash
from interpreter.world.journal import PLACE, UNDO
from interpreter.world.store import Store
from interpreter.world.things import Piece, Record, State, Thing, Word

_PLAIN = frozenset({int, str, bool, type(None)})
_NAMED = (Thing, Word)
_SEQUENCES = (tuple, list, range)


class Encoder:
    """Converts values into canonical form; it numbers the records, so each state needs an encoder of its own."""

    __slots__ = ("constants", "seen")

    def __init__(self, constants: dict[int, str]) -> None:
        self.constants = constants
        self.seen: dict[int, int] = {}

    def encode(self, value: Any) -> Any:
        """Returns a value in canonical form.

        Raises:
            TypeError: if no rule can store such a value.
        """
        if type(value) in _PLAIN:
            return value
        if isinstance(value, _NAMED):
            return value.ref
        if isinstance(value, _SEQUENCES):
            return tuple([self.encode(each) for each in value])
        if isinstance(value, Record):
            return self._record(value)
        if isinstance(value, Fraction):
            return value.numerator if value.denominator == 1 else ("fraction", value.numerator, value.denominator)
        if isinstance(value, dict):
            return ("map", *[(self.encode(key), self.encode(each)) for key, each in value.items()])
        if isinstance(value, int):
            return int(value)
        if isinstance(value, str):
            return str(value)
        raise TypeError(f"a {type(value).__name__} cannot be part of a game's state")

    def _record(self, record: Record) -> tuple[Any, ...]:
        if (name := self.constants.get(id(record))) is not None:
            return ("constant", name)
        if (number := self.seen.get(id(record))) is not None:
            return ("again", number)
        number = self.seen[id(record)] = len(self.seen)
        return ("record", number, record.kind, *[self.encode(each) for each in record.values(record)])

    def thing(self, thing: Thing) -> tuple[Any, ...]:
        """Returns an object in canonical form."""
        values = [each if type(each) in _PLAIN else self.encode(each) for each in thing.values(thing)]
        if isinstance(thing, Piece):
            at = thing.at
            return (thing.kind, thing.id, None if at is None else at.ref, *values)
        return (thing.kind, thing.id, *values)

    def state(self, state: State) -> tuple[Any, ...]:
        """Returns the state values in canonical form."""
        return tuple([self.encode(getattr(state, slot)) for slot in state.slots])


def can_change(thing: Thing) -> bool:
    """Whether an object has a holder or values, which can differ between two states."""
    return isinstance(thing, Piece) or bool(thing.slots)


def canonical(world: Store) -> tuple[Any, ...]:
    """Returns the whole state in canonical form, which defines the hash of `Hasher`."""
    encoder = Encoder(world.constant_names)
    objects = tuple([encoder.thing(each) for each in world.objects if can_change(each)])
    return (objects, encoder.state(world.state), tuple(sorted(world.counters.items())))


class Hasher:
    """Hashes a world's state; it rewrites only the objects changed according to the journal.

    An object whose values contain records is rewritten each time, because journal entries of records do not name the
    objects that hold them.
    """

    def __init__(self, world: Store) -> None:
        self._world = world
        self._texts: list[str] = []
        """Texts by index, as of journal entry `_upto`, except for `_dirty`; empty for objects that cannot change."""
        self._upto = 0
        self._dirty: set[int] = set()
        self._since_start: set[int] = set()
        """The objects rewritten since the start of the game, which a return to the start makes dirty."""
        self._from_start = False
        """Whether the texts were complete at the start, so that `_since_start` holds all changes."""
        self._with_records: set[int] = set()
        self._incremental = IncrementalHash()

    # ------------------------------------------------------------ called on changes
    def touch(self, index: int) -> None:
        """Marks an object that was changed without journalling."""
        self._dirty.add(index)

    def set_start(self) -> None:
        """Makes the present state the start; the journal must be empty."""
        self._from_start = bool(self._texts)
        if self._from_start:
            self.texts()
        self._since_start.clear()

    def reset_to_start(self) -> None:
        """Follows a return to the start without journalling; the journal must be empty."""
        if self._texts and not self._from_start:
            self._texts.clear()
            self._dirty.clear()
            self._with_records.clear()
            self.texts()
            self._from_start = True
            self._since_start.clear()
        self._dirty |= self._since_start

    def truncate(self, length: int) -> None:
        """Removes the objects from this index on."""
        del self._texts[length:]

    def before_commit(self) -> None:
        """Marks changed objects before the journal is emptied."""
        if self._texts:
            self._mark_dirty(self._upto, len(self._world.journal))
        self._upto = 0

    def before_rollback(self, mark: int) -> None:
        """Marks changed objects before the journal is rolled back to `mark`."""
        if mark < self._upto:
            self._mark_dirty(mark, self._upto)
            self._upto = mark

    # ------------------------------------------------------------ results
    @property
    def with_records(self) -> frozenset[int]:
        """The objects with records among their values: their texts may be the same when a record has changed."""
        return frozenset(self._with_records)

    def texts(self) -> list[str]:
        """Returns the `ascii` text of each object's canonical form by index; record numbers span all objects."""
        return self._written(Encoder(self._world.constant_names))

    def digest(self, extra: object) -> str:
        """Returns the hash of the state; see `World.state_hash`."""
        encoder = Encoder(self._world.constant_names)
        texts = self._written(encoder)
        state = ascii(encoder.state(self._world.state))
        counters = ascii(tuple(sorted(self._world.counters.items())))
        return self._incremental.digest(texts, f", {state}, {counters}), {extra!a})")

    def _mark_dirty(self, first: int, last: int) -> None:
        dirty = self._dirty
        for target, slot, _ in self._world.journal[first:last]:
            if target is PLACE:
                dirty.add(slot.index)
            elif target is not UNDO and isinstance(target, Thing):
                dirty.add(target.index)

    def _written(self, encoder: Encoder) -> list[str]:
        journal, objects, texts = self._world.journal, self._world.objects, self._texts
        if texts:
            self._mark_dirty(self._upto, len(journal))
        self._upto = len(journal)
        pending = {each for each in self._dirty if each < len(texts)} | self._with_records
        self._since_start |= pending
        pending.update(range(len(texts), len(objects)))
        self._dirty.clear()
        texts.extend([""] * (len(objects) - len(texts)))
        for index in sorted(pending):
            if index < len(objects) and can_change(objects[index]):
                self._write(index, encoder)
        self._with_records = {each for each in self._with_records if each < len(objects)}
        return texts

    def _write(self, index: int, encoder: Encoder) -> None:
        thing = self._world.objects[index]
        before = len(encoder.seen)
        form = encoder.thing(thing)
        self._texts[index] = ascii(form)
        self._incremental.changed(index)
        if encoder.seen and (len(encoder.seen) > before or _has_again(form)):
            self._with_records.add(index)
        else:
            self._with_records.discard(index)


def _has_again(form: tuple[Any, ...]) -> bool:
    return any(isinstance(each, tuple) and (each[:1] == ("again",) or _has_again(each)) for each in form)
