"""The objects of one game: how they are made, registered and found."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import repeat
from typing import Any, cast

from interpreter.language.diagnostics import Diagnostic, RuleFault, UsageError, unknown
from interpreter.language.model.emitted_names import ALL, SLOT
from interpreter.language.model.image import Stored, index_slot
from interpreter.world.model import Model
from interpreter.world.things import Link, Piece, Record, Space, Thing, Word

Default = Callable[[], Any]


class WorldObjects:
    """Holds the objects of one game with their look-ups; its methods bypass the journal of `World`."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.board: Any = model.board_class()
        self.state: Any = model.state_class()
        self.objects: list[Thing] = []
        """Everything with an identity, by `index`."""
        self.counters: dict[str, int] = {}
        """The number of pieces of each kind made in play."""
        self.constants: dict[str, Record] = {}
        self.constant_names: dict[int, str] = {}
        """The name of each constant record by its `id()`."""
        self._by_id: dict[str, dict[str, Thing]] = {each.name: {} for each in model.image.kinds}
        """Everything with an identity, by kind and id."""
        self._links: dict[tuple[Thing, Thing], Link] = {}
        self._defaults: dict[str, tuple[tuple[str, Default], ...]] = {}
        self._make_objects()
        self._set_values()
        self._list_all()

    # ------------------------------------------------------------ construction
    def _make_objects(self) -> None:
        objects, model = self.objects, self.model
        ordered: list[Any] = [None] * len(model.blueprint.plans)
        for batch in model.blueprint.batches:
            made = batch.make()
            self._by_id[batch.kind].update(zip(batch.names, made, strict=True))
            for index, each in zip(batch.indexes, made, strict=True):
                ordered[index] = each
        objects += ordered
        of = cast(list[Space], objects).__getitem__
        for index, near in model.blueprint.neighbours:
            of(index).neighbours = tuple(map(of, near))
        links = cast(list[Link], objects[len(model.image.individuals) :])
        for link, one, other in zip(links, *model.blueprint.ends, strict=True):
            link.ends = ends = (of(one), of(other))
            self._links[ends] = self._links[ends[::-1]] = link
        for slot, empty in model.state_empties:
            setattr(self.state, slot, empty)

    def _set_values(self) -> None:
        image = self.model.image
        known: dict[Stored, Any] = {}
        for name, stored in image.records:
            record = known.get(stored)
            if record is None:
                record = self.value(stored)
                if not record.changing:  # equal cells of tables are one record, unless a rule could change one of them
                    known[stored] = record
                self.constant_names[id(record)] = name
            self.constants[name] = record
        objects, blueprint = self.objects, self.model.blueprint
        blueprint.set_references(objects)
        for index, slot, stored in blueprint.stored:
            setattr(objects[index], slot, self.value(stored))

    def _list_all(self) -> None:
        for name, words in self.model.words.items():
            setattr(self.board, ALL(name), words)
        for name, indexes in self.model.blueprint.listed.items():
            setattr(self.board, ALL(name), tuple(map(self.objects.__getitem__, indexes)))
        for name, kind in self.model.kinds.items():
            if kind.root == "piece":
                setattr(self.board, ALL(name), ())
        self.reindex()

    def reindex(self) -> None:
        """Rebuilds the board's indexes by attribute value, after values were set without journalling."""
        for each in self.model.image.indexes:
            kind, attribute, holder = each
            index: dict[Any, tuple[Thing, ...]] = {}
            for piece in getattr(self.board, ALL(kind)):
                if not holder or piece.at.kind in self.model.below[holder]:
                    key = getattr(piece, SLOT(attribute))
                    index[key] = (*index.get(key, ()), piece)
            setattr(self.board, index_slot(each), index)

    def value(self, stored: Stored) -> Any:
        """Returns the value of a data form; each call makes new records."""
        if not isinstance(stored, tuple):
            return stored
        match stored:
            case ("word", enum, name):
                return self.model.word(enum, name)
            case ("ref", kind, name):
                return self.find(kind, name)
            case ("fraction", above, below):
                return Fraction(above, below)
            case ("list", items):
                return tuple([self.value(each) for each in items])
            case ("record", kind, fields):
                return self._record(kind, {name: self.value(each) for name, each in fields})
        raise ValueError(f"not a stored value: {stored!r}")

    def fill_defaults(self, namespace: Mapping[str, Any]) -> None:
        """Sets attributes and state values missing from the data to the defaults that emitted functions return."""
        for name, declared in self.model.declared.items():
            self._defaults[name] = tuple(
                (SLOT(each.name), namespace[each.default]) for each in declared if each.default is not None
            )
        for each in self.model.image.state:
            if each.default is not None:
                setattr(self.state, SLOT(each.name), namespace[each.default]())
        objects = self.objects
        for name, slot, indexes in self.model.blueprint.defaults:
            default = namespace[name]
            value = default()
            if not is_shared(value):
                for index in indexes:
                    setattr(objects[index], slot, default())
                continue
            deque(map(setattr, map(objects.__getitem__, indexes), repeat(slot), repeat(value)), maxlen=0)

    def instance(self, kind: str, name: str, index: int) -> Thing:
        """Returns an object without values that is not yet part of the world."""
        made = cast(type[Thing], self.model.classes[kind])(name, index)
        for slot, empty in made.empties:
            setattr(made, slot, empty)
        for slot in made.holds:
            setattr(made, slot, ())
        return made

    def make(self, name: str, values: Mapping[str, Any]) -> Any:
        """Creates a piece without a holder, or a record, without journalling; see `World.create`.

        Raises:
            RuleFault: for a kind that is neither a piece nor a record.
        """
        if self.model.kinds[name].root == "record":
            return self._record(name, values)
        if self.model.kinds[name].root != "piece":
            message = f"only pieces and records can be made in play, and {name} is a {self.model.kinds[name].root}"
            raise RuleFault(Diagnostic("bad-new", message, hint="name it among the ruleset's individuals"))
        number, taken = self.counters.get(name, 0) + 1, self._by_id[name]
        while f"{name}_{number}" in taken:
            number += 1
        piece = self.new_piece(name, f"{name}_{number}", values)
        self.counters[name] = number
        return piece

    def new_piece(self, kind: str, name: str, values: Mapping[str, Any]) -> Piece:
        """Returns a new piece with this id, without a holder and without journalling; defaults fill in for `values`."""
        piece = cast(type[Piece], self.model.classes[kind])(name, len(self.objects))
        for slot in piece.holds:
            setattr(piece, slot, ())
        self._fill(piece, values)
        self.register(piece)
        return piece

    def _record(self, kind: str, values: Mapping[str, Any]) -> Record:
        made = self.model.classes[kind]()  # type: ignore[call-arg]
        self._fill(made, values)
        return cast(Record, made)

    def _fill(self, made: Thing | Record, values: Mapping[str, Any]) -> None:
        slot_of = made.slot_of
        for name, value in values.items():
            setattr(made, slot_of[name], value)
        if len(values) == len(slot_of):
            return
        for slot, empty in made.empties:
            if SLOT.id(slot) not in values:
                setattr(made, slot, empty)
        for slot, default in self._defaults.get(made.kind, ()):
            if SLOT.id(slot) not in values:
                setattr(made, slot, default())

    def unmake(self, made: tuple[Piece, int]) -> None:
        """Removes the last piece made, without journalling; `made` holds it and the previous counter of its kind."""
        piece, previous = made
        self.drop_from(piece.index)
        if previous:
            self.counters[piece.kind] = previous
        else:
            del self.counters[piece.kind]

    def register(self, thing: Thing) -> None:
        """Appends an object to the world, without journalling."""
        self.objects.append(thing)
        self._by_id[thing.kind][thing.id] = thing

    def drop_from(self, length: int) -> None:
        """Removes all objects from this index on, without journalling."""
        for each in self.objects[length:]:
            del self._by_id[each.kind][each.id]
        del self.objects[length:]

    # ------------------------------------------------------------ look-ups
    def by_kind(self) -> Iterator[list[Thing]]:
        """Yields everything with an identity, grouped by kind."""
        return (list(each.values()) for each in self._by_id.values())

    def find(self, kind: str, name: str) -> Thing:
        """Returns the thing with this id of a kind or of its sub-kinds.

        Raises:
            UsageError: if there is none, or if several sub-kinds have one.
        """
        below = self.model.below.get(kind)
        if below is None:
            raise unknown("kind", kind, self.model.kinds)
        found = [self._by_id[each][name] for each in below if name in self._by_id[each]]
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"'{name}' is ambiguous: " + ", ".join(each.ref for each in found))
        raise unknown(kind, name, [known for each in below for known in self._by_id[each]])

    def all_of(self, kind: str) -> list[Thing]:
        """Returns everything of a kind and of its sub-kinds by index, with or without a holder."""
        found = [each for name in self.model.below.get(kind, ()) for each in self._by_id[name].values()]
        return sorted(found, key=lambda each: each.index)

    def all_pieces(self) -> list[Piece]:
        """Returns every piece by index, with or without a holder."""
        found = [each for named in self._pieces_by_name for each in named.values()]
        return sorted(found, key=lambda each: each.index)

    def pieces_named(self, name: str) -> list[Piece]:
        """Returns the pieces of any kind with this id."""
        return [named[name] for named in self._pieces_by_name if name in named]

    def names_pieces(self, words: frozenset[str]) -> bool:
        """Whether any of these words is the id of a piece."""
        return not all(named.keys().isdisjoint(words) for named in self._pieces_by_name)

    @cached_property
    def _pieces_by_name(self) -> list[dict[str, Piece]]:
        kinds = self.model.kinds
        return [cast(dict[str, Piece], each) for kind, each in self._by_id.items() if kinds[kind].root == "piece"]

    def link(self, a: Space, b: Space) -> Link:
        """Returns the link between two adjacent spaces.

        Raises:
            RuleFault: if they are not adjacent, or no kind of link joins them.
        """
        found = self._links.get((a, b))
        if found is None:
            why = "no kind of link joins them" if b in a.neighbours else "they are not adjacent"
            hint = "test adjacent(a, b) first" if b not in a.neighbours else "declare a link kind between their kinds"
            raise RuleFault(Diagnostic("no-link", f"there is no link between {a.ref} and {b.ref}: {why}", hint=hint))
        return found

    def adjacent(self, a: Space, b: Space) -> bool:
        """Whether two spaces are adjacent; no space is adjacent to itself."""
        return b in a.neighbours

    def distance(self, a: Space, b: Space) -> int:
        """Returns the number of steps between two spaces; the number of individuals if no path exists."""
        return self.model.map.distance(a.index, b.index)

    def between(self, a: Space, b: Space) -> tuple[tuple[Space, ...], ...]:
        """Returns the spaces on the straight line between two, in order; pairs if the line runs along a common side."""
        objects = cast(list[Space], self.objects)
        return tuple([tuple([objects[each] for each in step]) for step in self.model.map.between(a.index, b.index)])

    def at_grid(self, kind: str, column: int, row: int) -> Space | None:
        """Returns the space in a column and row (from 1) of a kind's grid, or None."""
        index = self.model.map.space_at(kind, column, row)
        return None if index is None else cast(Space, self.objects[index])


def is_shared(value: Any) -> bool:
    """Whether a value is immutable, so that several things may hold the same one."""
    if isinstance(value, tuple):
        return all(map(is_shared, value))
    return value is None or isinstance(value, int | str | Fraction | Thing | Word)
