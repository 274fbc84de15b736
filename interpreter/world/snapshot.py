"""Snapshots of a game: its start, to which it can return, and the changes since then as JSON data.

The data: `objects` (values and holder of each changed object, by `kind/id`), `made` (kind and id of the pieces made in
play, in order), `counters`, `state`, `records` (kind and values; values refer to them by number). Values are
as in JSON; a thing or word is `{"is": "kind/id"}`, others are `{"fraction": [n, d]}`, `{"map": [[key, value]…]}`,
`{"record": n}`, `{"constant": name}`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import compress, repeat
from operator import attrgetter, is_, not_
from typing import Any, Protocol

from interpreter.world.snapshot_reader import Decoder, Holders
from interpreter.world.state_hash import Hasher
from interpreter.world.store import Store
from interpreter.world.things import Piece, Record, State, Thing, Word

Data = dict[str, Any]

_SEQUENCES = (tuple, list, range)
_SIMPLE = (Thing, Word, int, str, Fraction, type(None))
"""Types of values that contain no record."""


class HashedStore(Store, Protocol):
    """The interface of a store that has a hash."""

    hasher: Hasher


class Start:
    """Keeps the start of a game, to which the world can return as a whole.

    It keeps only values that some rule changes; the others are still the same.
    """

    def __init__(self, world: HashedStore) -> None:
        self._world = world
        self._count = len(world.objects)
        self._counters = dict(world.counters)
        kinds = [each for each in world.by_kind() if each]
        self._values = [_Column(each, slot) for each in kinds for slot in each[0].changing]
        self._steady: list[tuple[Thing, str, Any]] = []
        """Former values of slots that no rule changes, but `load` did."""
        self._holders = [_Column(each, "at") for each in kinds if isinstance(each[0], Piece)]
        self._contents = [_Column(each, slot) for each in kinds for slot in each[0].holds]
        self._holding = [each for each in world.objects if each.holds]
        self._lists = [(slot, _copied(getattr(world.board, slot))) for slot in type(world.board).__slots__]
        self._state = [getattr(world.state, slot) for slot in world.state.slots]
        bundles = [_Column(each, slot).values for each in kinds for slot in world.model.record_slots[each[0].kind]]
        self._records = _records_in([*bundles, self._state])
        self.size = sum([len(each.values) for each in (*self._values, *self._holders, *self._contents)])
        """The number of values to restore; a rollback is faster if fewer changes were journalled."""

    def keep_steady(self, target: Thing, slot: str) -> None:
        """Keeps a value that no rule changes, before `load` sets it."""
        if slot not in target.changing and target.index < self._count:
            self._steady.append((target, slot, getattr(target, slot)))

    @property
    def count(self) -> int:
        """The number of objects at the start."""
        return self._count

    def holders(self) -> Holders:
        """Returns each piece with its holder at the start."""
        return [pair for each in self._holders for pair in zip(each.things, each.values, strict=True)]

    def restore(self) -> None:
        """Restores the world; its journal must be empty."""
        world = self._world
        world.drop_from(self._count)
        world.counters.clear()
        world.counters.update(self._counters)
        for column in (*self._values, *self._holders, *self._contents):
            column.restore()
        for thing, slot, value in reversed(self._steady):
            setattr(thing, slot, value)
            world.hasher.touch(thing.index)
        self._steady.clear()
        deque(map(setattr, self._holding, repeat("inside"), repeat(world.model.nothing)), maxlen=0)
        for slot, listed in self._lists:
            setattr(world.board, slot, _copied(listed))
        for slot, value in zip(world.state.slots, self._state, strict=True):
            setattr(world.state, slot, value)
        for record, values in self._records:
            for slot, value in zip(record.slots, values, strict=True):
                setattr(record, slot, value)
        world.hasher.reset_to_start()

    def changed(self) -> list[Thing]:
        """Returns the objects that differ from the start, and those that hold records, whose own values may differ."""
        world = self._world
        found = {thing for thing, _, _ in self._steady}
        for column in self._values:
            found.update(column.changed(_same))
        for column in self._holders:
            found.update(column.changed(is_))
        holding = {name for name, slots in world.model.record_slots.items() if slots}
        for each in world.objects if holding else ():
            if each.kind in holding and _records_in(
                [[getattr(each, slot) for slot in world.model.record_slots[each.kind]]]
            ):
                found.add(each)
        return [each for each in world.objects if each.index >= self._count or each in found]


class _Column:
    """The values of all things of a kind in one slot, read and set by one call for all."""

    __slots__ = ("slot", "things", "values")

    def __init__(self, things: Sequence[Thing], slot: str) -> None:
        self.things, self.slot = things, slot
        self.values: list[Any] = list(map(attrgetter(slot), things))

    def restore(self) -> None:
        """Restores the values."""
        deque(map(setattr, self.things, repeat(self.slot), self.values), maxlen=0)

    def changed(self, same: Callable[[Any, Any], bool]) -> Iterator[Thing]:
        """Yields the things whose values differ now."""
        now = map(attrgetter(self.slot), self.things)
        return compress(self.things, map(not_, map(same, now, self.values)))


def _same(now: Any, before: Any) -> bool:
    """Whether two values are equal in canonical form; the order of maps counts."""
    if now is before:
        return True
    if isinstance(now, dict) and isinstance(before, dict):
        return (
            len(now) == len(before) and all(map(_same, now, before)) and all(map(_same, now.values(), before.values()))
        )
    if isinstance(now, _SEQUENCES) and isinstance(before, _SEQUENCES):
        return len(now) == len(before) and all(map(_same, now, before))
    return bool(now == before)


def _copied(listed: Any) -> Any:
    """Returns a copy of a list of the board; tuples are immutable and need none."""
    return dict(listed) if isinstance(listed, dict) else listed


def _values_of(bundle: Thing | Record) -> list[Any]:
    return [getattr(bundle, slot) for slot in bundle.slots]


def _records_in(values: Iterable[Iterable[Any]]) -> list[tuple[Record, list[Any]]]:
    """Returns every record reachable from values once, with its own values."""
    found: dict[int, tuple[Record, list[Any]]] = {}
    waiting: list[Any] = [each for bundle in values for each in bundle if not isinstance(each, _SIMPLE)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, _SEQUENCES):
            waiting.extend(value)
        elif isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, Record) and id(value) not in found:
            own = _values_of(value)
            found[id(value)] = (value, own)
            waiting.extend(own)
    return list(found.values())


class _SnapshotWriter:
    """Converts values into JSON data and collects the records in them."""

    def __init__(self, constants: dict[int, str]) -> None:
        self._constants = constants
        self._numbers: dict[int, int] = {}
        self.records: list[Data] = []

    def write(self, value: Any) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            return int(value)
        if isinstance(value, str):
            return str(value)
        if isinstance(value, Thing | Word):
            return {"is": value.ref}
        if isinstance(value, tuple | list | range):
            return [self.write(each) for each in value]
        if isinstance(value, Fraction):
            return {"fraction": [value.numerator, value.denominator]}
        if isinstance(value, dict):
            return {"map": [[self.write(key), self.write(each)] for key, each in value.items()]}
        if isinstance(value, Record):
            return self._record(value)
        raise TypeError(f"a {type(value).__name__} cannot be part of a game's state")

    def _record(self, record: Record) -> Data:
        if (name := self._constants.get(id(record))) is not None:
            return {"constant": name}
        if id(record) not in self._numbers:
            self._numbers[id(record)] = len(self.records)
            entry: Data = {"kind": record.kind, "values": {}}
            self.records.append(entry)
            entry["values"] = self.bundle(record)
        return {"record": self._numbers[id(record)]}

    def bundle(self, bundle: Thing | Record | State) -> Data:
        """Returns the values of a thing, a record or the state by attribute."""
        pairs = zip(bundle.attributes, bundle.slots, strict=True)
        return {name: self.write(getattr(bundle, slot)) for name, slot in pairs}

    def thing(self, thing: Thing) -> Data:
        """Returns the values of a thing, and its holder if it is a piece."""
        entry: Data = {"values": self.bundle(thing)}
        if isinstance(thing, Piece):
            entry["at"] = None if thing.at is None else thing.at.ref
        return entry


def dump(world: HashedStore, start: Start) -> Data:
    """Returns the changes since the start; see `World.dump`."""
    writer = _SnapshotWriter(world.constant_names)
    objects = {each.ref: writer.thing(each) for each in start.changed()}
    state = writer.bundle(world.state)
    return {
        "objects": objects,
        "made": [[each.kind, each.id] for each in world.objects[start.count :]],
        "counters": dict(sorted(world.counters.items())),
        "state": state,
        "records": writer.records,
    }


def load(world: HashedStore, start: Start, data: object) -> None:
    """Restores a state; see `World.load`."""
    plan = Decoder(world, start.count, start.holders()).read(data)
    world.reset()
    for piece in plan.made:
        world.register(piece)
    world.counters.clear()
    world.counters.update(plan.counters)
    for piece, _ in plan.places:
        if piece.at is not None:
            world.move(piece, None)
        world.hasher.touch(piece.index)
    for target, slot, value in plan.values:
        if isinstance(target, Thing):
            start.keep_steady(target, slot)
            world.hasher.touch(target.index)
        setattr(target, slot, value)
    for piece, holder in plan.places:
        if holder is not None:
            world.move(piece, holder)
