"""The reader of `snapshot.dump` data; it finds every mistake before anything is changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, cast

from interpreter.language.diagnostics import UsageError, did_you_mean
from interpreter.language.model.emitted_names import SLOT
from interpreter.language.model.image import AttributeImage
from interpreter.world.store import Store
from interpreter.world.things import Piece, Record, Thing, Word
from interpreter.world.value_types import has_type

Data = dict[str, Any]
Holders = list[tuple[Thing, Thing | None]]
_SHAPE: dict[str, type] = {"objects": dict, "made": list, "counters": dict, "state": dict, "records": list}


@dataclass(slots=True)
class RestorePlan:
    """The changes to make once all data is checked: new pieces, counters, values and holders."""

    made: list[Piece] = field(default_factory=list)
    counters: dict[str, int] = field(default_factory=dict)
    values: list[tuple[Any, str, Any]] = field(default_factory=list)
    places: list[tuple[Piece, Thing | None]] = field(default_factory=list)


class Decoder:
    """Checks a dump against one world, given its number of objects and its holders at the start.

    Raises:
        UsageError: from `read`, with the location in the data and the expected value.
    """

    def __init__(self, world: Store, count: int, holders: Holders) -> None:
        self._world = world
        self._model = world.model
        self._count = count
        self._holders = holders
        self._things: dict[str, Thing] = {each.ref: each for each in world.objects[:count]}
        self._words: dict[str, Word] = {word.ref: word for words in world.model.words.values() for word in words}
        self._records: list[Record] = []
        self._plan = RestorePlan()

    def read(self, data: object) -> RestorePlan:
        """Returns the changes that the data describes."""
        top = self._top(data)
        self._read_made(top["made"])
        self._read_counters(top["counters"])
        self._make_records(top["records"])
        for number, (record, entry) in enumerate(zip(self._records, top["records"], strict=True)):
            self._bundle(record, self._model.declared[record.kind], entry.get("values"), f"records[{number}].values")
        for ref, entry in top["objects"].items():
            self._read_object(ref, entry)
        self._bundle(self._world.state, self._model.image.state, top["state"], "state")
        self._check_made(top["objects"])
        self._check_places()
        return self._plan

    def _top(self, data: object) -> Data:
        if not isinstance(data, dict):
            raise _mismatch("the state", "an object with " + ", ".join(_SHAPE), data)
        if set(data) != set(_SHAPE):
            raise _mismatch("the state", "exactly " + ", ".join(_SHAPE), ", ".join(map(str, data)))
        for name, kind in _SHAPE.items():
            if not isinstance(data[name], kind):
                raise _mismatch(name, "an object" if kind is dict else "a list", data[name])
        return data

    def _read_made(self, made: list[Any]) -> None:
        for number, each in enumerate(made):
            where = f"made[{number}]"
            if not (isinstance(each, list) and len(each) == 2 and all(isinstance(part, str) for part in each)):
                raise _mismatch(where, "[kind, id]", each)
            kind, name = each
            if kind not in self._model.kinds or self._model.kinds[kind].root != "piece":
                raise _mismatch(where, "a kind of piece", kind)
            piece = cast(Piece, self._world.instance(kind, name, self._count + number))
            if piece.ref in self._things:
                raise _mismatch(where, "an id that is not in use", name)
            self._things[piece.ref] = piece
            self._plan.made.append(piece)

    def _read_counters(self, counters: Data) -> None:
        for kind, count in counters.items():
            if kind not in self._model.kinds or type(count) is not int or count < 1:
                raise _mismatch(f"counters.{kind}", "a kind of piece with a number above 0", count)
            self._plan.counters[kind] = count

    def _make_records(self, entries: list[Any]) -> None:
        for number, entry in enumerate(entries):
            kind = entry.get("kind") if isinstance(entry, dict) else None
            known = self._model.kinds.get(kind) if isinstance(kind, str) else None
            if known is None or known.root != "record":
                raise _mismatch(f"records[{number}].kind", "a kind of record", kind)
            self._records.append(cast(Record, self._model.classes[known.name].__new__(self._model.classes[known.name])))

    def _read_object(self, ref: str, entry: Any) -> None:
        thing = self._thing(ref, f"objects.{ref}")
        expected = {"values", "at"} if isinstance(thing, Piece) else {"values"}
        if not isinstance(entry, dict) or set(entry) != expected:
            raise _mismatch(f"objects.{ref}", "an object with " + " and ".join(sorted(expected)), entry)
        self._bundle(thing, self._model.declared[thing.kind], entry["values"], f"objects.{ref}.values")
        if isinstance(thing, Piece):
            at = entry["at"]
            holder = None if at is None else self._thing(at, f"objects.{ref}.at")
            if holder is not None and thing.content_slot not in holder.holds:
                raise _mismatch(f"objects.{ref}.at", f"something that can hold a {thing.kind}", at)
            self._plan.places.append((thing, holder))

    def _bundle(self, target: Any, declared: tuple[AttributeImage, ...], values: object, where: str) -> None:
        if not isinstance(values, dict) or set(values) != {each.name for each in declared}:
            raise _mismatch(where, "exactly the values " + ", ".join(each.name for each in declared), values)
        for each in declared:
            value = self._value(values[each.name], f"{where}.{each.name}")
            if not has_type(value, each.type, self._model):
                raise _mismatch(f"{where}.{each.name}", each.type, values[each.name])
            self._plan.values.append((target, SLOT(each.name), value))

    def _value(self, data: Any, where: str) -> Any:
        if data is None or isinstance(data, bool | int | str):
            return data
        if isinstance(data, list):
            return tuple([self._value(each, f"{where}[{number}]") for number, each in enumerate(data)])
        if isinstance(data, dict) and len(data) == 1:
            tag, inner = next(iter(data.items()))
            return self._tagged(tag, inner, where)
        raise _mismatch(where, "a value", data)

    def _tagged(self, tag: str, inner: Any, where: str) -> Any:
        match tag, inner:
            case "is", str(ref):
                return self._words[ref] if ref in self._words else self._thing(ref, where)
            case "fraction", [int(above), int(below)] if below > 0:
                return Fraction(above, below)
            case "map", list(pairs):
                return self._map(pairs, where)
            case "record", int(number) if 0 <= number < len(self._records):
                return self._records[number]
            case "constant", str(name) if name in self._world.constants:
                return self._world.constants[name]
        raise _mismatch(where, "is, fraction, map, record or constant with a known content", {tag: inner})

    def _map(self, pairs: list[Any], where: str) -> dict[Any, Any]:
        found = {}
        for number, pair in enumerate(pairs):
            if not (isinstance(pair, list) and len(pair) == 2):
                raise _mismatch(f"{where}.map[{number}]", "[key, value]", pair)
            key = self._value(pair[0], f"{where}.map[{number}][0]")
            found[key] = self._value(pair[1], f"{where}.map[{number}][1]")
        return found

    def _thing(self, ref: object, where: str) -> Thing:
        found = self._things.get(ref) if isinstance(ref, str) else None
        if found is None:
            hint = did_you_mean(ref, self._things) if isinstance(ref, str) else None
            raise _mismatch(where, "a thing of this game" + (f" ({hint})" if hint else ""), ref)
        return found

    def _check_made(self, objects: Data) -> None:
        for piece in self._plan.made:
            if piece.ref not in objects:
                raise _mismatch("objects", f"the values of {piece.ref}, which was made in play", "nothing")

    def _check_places(self) -> None:
        """Refuses pieces that would contain themselves at any depth."""
        holders: dict[Thing, Thing | None] = dict(self._holders)
        holders.update(self._plan.places)
        for piece, _ in self._plan.places:
            up, steps = holders[piece], 0
            while up is not None and steps <= len(holders):
                up, steps = holders.get(up), steps + 1
            if up is not None:
                raise _mismatch(f"objects.{piece.ref}.at", "something outside itself", str(holders[piece]))


def _mismatch(where: str, expected: str, found: object) -> UsageError:
    text = repr(found)
    shown = text if len(text) <= 80 else text[:77] + "..."
    return UsageError(f"this is not a state of this game: {where} should be {expected}, but is {shown}")
