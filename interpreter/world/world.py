"""One game's objects: what there is, where it stands, and how it is changed and brought back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import repeat
from typing import Any, cast

from interpreter.language.diagnostics import Diagnostic, RuleFault, UsageError, unknown
from interpreter.language.model.image import Stored, index_slot
from interpreter.world.journal import UNDO, Entry, forget_inside, make_move, make_place, revert
from interpreter.world.memo_tables import MemoTables
from interpreter.world.model import Model
from interpreter.world.snapshot import Start, dump, load
from interpreter.world.state_hash import Hasher, canonical
from interpreter.world.things import ROOTS, Link, Piece, Record, Space, Thing, Word

Data = dict[str, Any]
Default = Callable[[], Any]


class World:
    """The objects of one game of a ruleset.

    Made in stages: the constructor gives every object its data values; `fill_defaults` adds what emitted functions
    give; `seal` puts the pieces in place and remembers the start, to which `reset` returns.
    `journal` is changed by appending and by the methods here only; its length is the mark that `rollback` takes.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.journal: list[Entry] = []
        self._inner: set[str] = set()
        """The slots that answers rest on which things keep about themselves."""
        self.board: Any = model.board_class()
        self.state: Any = model.state_class()
        self.objects: list[Thing] = []
        """Everything with an identity, by `index`."""
        self.answers = MemoTables(self.journal)
        self.counters: dict[str, int] = {}
        """How many pieces of each kind were made in play."""
        self.constants: dict[str, Record] = {}
        self.constant_names: dict[int, str] = {}
        self.move = make_move(self.board, model.nested)
        self.place = make_place(self.board, self.journal.append, self.move, model.nested)
        self._named: dict[str, dict[str, Thing]] = {each.name: {} for each in model.image.kinds}
        self._links: dict[tuple[Thing, Thing], Link] = {}
        self._defaults: dict[str, tuple[tuple[str, Default], ...]] = {}
        self._make_objects()
        self._set_values()
        self._list_all()
        self.hasher = Hasher(self)
        self._start: Start | None = None
        self._all_journalled = False
        """Whether the journal holds every change since the start."""

    # ------------------------------------------------------------ construction
    def _make_objects(self) -> None:
        objects, model = self.objects, self.model
        ordered: list[Any] = [None] * len(model.blueprint.plans)
        for batch in model.blueprint.batches:
            made = batch.make()
            self._named[batch.kind] = dict(zip(batch.names, made, strict=True))
            for index, each in zip(batch.indexes, made, strict=True):
                ordered[index] = each
        objects += ordered
        of = cast(list[Space], objects).__getitem__
        for index, near in model.blueprint.adjoining:
            of(index).neighbours = tuple(map(of, near))
        ones, others = [list(map(of, each)) for each in model.blueprint.ends]
        links = cast(list[Link], objects[len(model.image.individuals) :])
        for link, ends in zip(links, zip(ones, others, strict=True), strict=True):
            link.ends = ends
        self._links.update(zip(zip(ones, others, strict=True), links, strict=True))
        self._links.update(zip(zip(others, ones, strict=True), links, strict=True))
        for slot, empty in model.state_empties:
            setattr(self.state, slot, empty)

    def instance(self, kind: str, name: str, index: int) -> Thing:
        """An object without values, not yet part of the world."""
        made = cast(type[Thing], self.model.classes[kind])(name, index)
        for slot, empty in made.empties:
            setattr(made, slot, empty)
        for slot in made.holds:
            setattr(made, slot, ())
        return made

    def register(self, thing: Thing) -> None:
        """Make an object the last one of the world, past the journal."""
        self.objects.append(thing)
        self._named[thing.kind][thing.id] = thing

    def drop_from(self, length: int) -> None:
        """Forget all objects from this index on, past the journal."""
        for each in self.objects[length:]:
            del self._named[each.kind][each.id]
        del self.objects[length:]
        self.hasher.shorten(length)

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
        blueprint.refer(objects)
        for index, slot, stored in blueprint.stored:
            setattr(objects[index], slot, self.value(stored))

    def _list_all(self) -> None:
        for name, words in self.model.words.items():
            setattr(self.board, f"all_{name}", words)
        for name, indexes in self.model.blueprint.listed.items():
            setattr(self.board, f"all_{name}", tuple(map(self.objects.__getitem__, indexes)))
        for name, kind in self.model.kinds.items():
            if kind.root == "piece":
                setattr(self.board, f"all_{name}", ())
        self.reindex()

    def reindex(self) -> None:
        """List anew by its attributes all that stands somewhere, after values were set past the rules."""
        for each in self.model.image.indexes:
            kind, attribute, holder = each
            index: dict[Any, tuple[Thing, ...]] = {}
            for piece in getattr(self.board, f"all_{kind}"):
                if not holder or piece.at.kind in self.model.below[holder]:
                    key = getattr(piece, f"a_{attribute}")
                    index[key] = (*index.get(key, ()), piece)
            setattr(self.board, index_slot(each), index)

    def value(self, stored: Stored) -> Any:
        """A value of the game out of its data form; records are made anew."""
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

    def namespace(self) -> dict[str, Any]:
        """Every name of the world's side that emitted code uses."""
        names: dict[str, Any] = {f"k_{root}": each for root, each in ROOTS.items()}
        names |= {f"k_{name}": each for name, each in self.model.classes.items()}
        names |= {f"e_{enum}__{word.id}": word for enum, words in self.model.words.items() for word in words}
        names |= {name: self.objects[index] for name, index in self.model.blueprint.named}
        names |= self.constants
        return names | {
            "G": self.state,
            "A": self.board,
            "W": self,
            "JA": self.journal.append,
            "J": self.journal,
            "NOTHING": self.model.nothing,
            "LINKS": self._links,
            "put": self.put,
            "place": self.place,
            "create": self.create,
            "answers": self.answers.table,
            "SEEN": self.answers.seen,
            "catch_up": self.answers.catch_up,
            "keep_inside": self.keep_inside,
            "forget": forget_inside,
        }

    def fill_defaults(self, namespace: Mapping[str, Any]) -> None:
        """Set what no data gave: emitted functions give attributes and state values their defaults."""
        for name, declared in self.model.declared.items():
            self._defaults[name] = tuple(
                (f"a_{each.name}", namespace[each.default]) for each in declared if each.default is not None
            )
        for each in self.model.image.state:
            if each.default is not None:
                setattr(self.state, f"a_{each.name}", namespace[each.default]())
        objects = self.objects
        for name, slot, indexes in self.model.blueprint.defaults:
            default = namespace[name]
            value = default()
            if not is_shared(value):
                for index in indexes:
                    setattr(objects[index], slot, default())
                continue
            deque(map(setattr, map(objects.__getitem__, indexes), repeat(slot), repeat(value)), maxlen=0)

    def assign(self, thing: Thing, attribute: str, value: Any) -> None:
        """Set an attribute past the journal, before the start of the game is remembered: what scenarios do."""
        at = thing.at if isinstance(thing, Piece) else None
        if isinstance(thing, Piece) and at is not None:
            self.move(thing, None)
            setattr(thing, f"a_{attribute}", value)
            self.move(thing, at)
        else:
            setattr(thing, f"a_{attribute}", value)
        self.hasher.touch(thing.index)
        self.answers.forget()
        forget_inside(thing)
        self._all_journalled = False

    def keep_inside(self, size: int, slots: str) -> None:
        """Let things keep so many answers about themselves and what stands in them.

        They rest on these slots, with blanks between them, of the thing and of what stands in it.
        """
        nothing = self.model.nothing
        nothing.extend([None] * (size - len(nothing)))
        self._inner.update(slots.split())

    def forget(self) -> None:
        """Something was changed past the journal."""
        self.answers.forget()
        for each in self.objects if self._inner else ():
            each.inside = each.nothing

    def seal(self, set_up: Callable[[], None] | None = None) -> None:
        """Put the pieces where they begin, let `set_up` change that, and remember it as the start of the game.

        Raises:
            RuleFault: if a piece is to begin where it cannot stand.
        """
        for index, each in enumerate(self.model.image.individuals):
            if each.at is not None:
                self.place(cast(Piece, self.objects[index]), self.find(*each.at))
        if set_up is not None:
            self.reindex()
            set_up()
        self.restart()

    def restart(self) -> None:
        """Remember the game as it is now as its start: what a scenario set up."""
        self.reindex()
        self.settle()
        self.forget()
        self.hasher.begin()
        self._start = Start(self)
        self._all_journalled = True

    # ------------------------------------------------------------ change and undo
    def put(self, thing: Thing | Record, slot: str, value: Any) -> None:
        """Give a slot a value, as emitted code does."""
        self.journal.append((thing, slot, getattr(thing, slot)))
        setattr(thing, slot, value)
        if slot in self._inner and isinstance(thing, Thing):
            forget_inside(thing)

    def create(self, kind: str | type, values: Mapping[str, Any], holder: Thing | None = None) -> Any:
        """A new piece, standing in `holder`, or a new record; what `values` leaves out gets its default.

        Raises:
            RuleFault: if the piece cannot stand there.
        """
        name = kind if isinstance(kind, str) else cast(type[Thing], kind).kind
        old = self.counters.get(name, 0)
        made = self.make(name, values)
        if isinstance(made, Piece):
            self.journal.append((UNDO, self.unmake, (made, old)))
            if holder is not None:
                self.place(made, holder)
        return made

    def make(self, name: str, values: Mapping[str, Any]) -> Any:
        """A new piece that stands nowhere, past the journal, or a new record; see `create`.

        Raises:
            RuleFault: for a kind of which nothing can be made in play.
        """
        if self.model.kinds[name].root == "record":
            return self._record(name, values)
        if self.model.kinds[name].root != "piece":
            message = f"only pieces and records can be made in play, and {name} is a {self.model.kinds[name].root}"
            raise RuleFault(Diagnostic("bad-new", message, hint="name it among the ruleset's individuals"))
        number, taken = self.counters.get(name, 0) + 1, self._named[name]
        while f"{name}_{number}" in taken:
            number += 1
        piece = cast(type[Piece], self.model.classes[name])(f"{name}_{number}", len(self.objects))
        for slot in piece.holds:
            setattr(piece, slot, ())
        self._fill(piece, values)
        self.counters[name] = number
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
            if slot[2:] not in values:
                setattr(made, slot, empty)
        for slot, default in self._defaults.get(made.kind, ()):
            if slot[2:] not in values:
                setattr(made, slot, default())

    def unmake(self, made: tuple[Piece, int]) -> None:
        """Take back the making of the last piece, past the journal; it comes with how many of its kind there were."""
        piece, old = made
        self.drop_from(piece.index)
        if old:
            self.counters[piece.kind] = old
        else:
            del self.counters[piece.kind]

    def mark(self) -> int:
        """Where the journal stands, for `rollback`."""
        return len(self.journal)

    def rollback(self, mark: int) -> None:
        """Take back every change made since `mark`, pieces made in play included."""
        self.hasher.before_rollback(mark)
        self.answers.before_rollback(mark)
        revert(self.journal, mark, self.move, self._inner)

    def settle(self) -> None:
        """Give up undoing what was done so far: the journal is emptied."""
        if self.journal:
            self._all_journalled = False
        self.hasher.before_settling()
        self.answers.before_settling()
        self.journal.clear()

    def reset(self) -> None:
        """Back to the start of the game.

        Raises:
            RuntimeError: if the world was never sealed.
        """
        start = self.start
        if self._all_journalled and len(self.journal) < start.size:
            self.rollback(0)
            return
        self.settle()
        start.restore()
        self.forget()
        self._all_journalled = True

    # ------------------------------------------------------------ look-ups
    def by_kind(self) -> Iterator[list[Thing]]:
        """Everything with an identity, the things of each kind together."""
        return (list(each.values()) for each in self._named.values())

    def find(self, kind: str, name: str) -> Thing:
        """The thing of a kind, or of a kind below it, by its id.

        Raises:
            UsageError: if there is none, or several of kinds below.
        """
        below = self.model.below.get(kind)
        if below is None:
            raise unknown("kind", kind, self.model.kinds)
        found = [self._named[each][name] for each in below if name in self._named[each]]
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"'{name}' is ambiguous: " + ", ".join(each.ref for each in found))
        raise unknown(kind, name, [known for each in below for known in self._named[each]])

    def all_of(self, kind: str) -> list[Thing]:
        """Everything of a kind and of those below it, by index, wherever it is."""
        found = [each for name in self.model.below.get(kind, ()) for each in self._named[name].values()]
        return sorted(found, key=lambda each: each.index)

    def all_pieces(self) -> list[Piece]:
        """Every piece by index, wherever it is."""
        found = [each for named in self._pieces_by_name for each in named.values()]
        return sorted(found, key=lambda each: each.index)

    def pieces_named(self, name: str) -> list[Piece]:
        """The pieces of this id, of whatever kind."""
        return [named[name] for named in self._pieces_by_name if name in named]

    @cached_property
    def _pieces_by_name(self) -> list[dict[str, Piece]]:
        kinds = self.model.kinds
        return [cast(dict[str, Piece], each) for kind, each in self._named.items() if kinds[kind].root == "piece"]

    def link(self, a: Space, b: Space) -> Link:
        """What lies between two adjoining spaces.

        Raises:
            RuleFault: if they do not adjoin, or no kind of link joins them.
        """
        found = self._links.get((a, b))
        if found is None:
            why = "no kind of link joins them" if b in a.neighbours else "they do not adjoin"
            hint = "test adjacent(a, b) first" if b not in a.neighbours else "declare a link kind between their kinds"
            raise RuleFault(Diagnostic("no-link", f"there is no link of {a.ref} and {b.ref}: {why}", hint=hint))
        return found

    def adjacent(self, a: Space, b: Space) -> bool:
        """Whether two spaces adjoin; none adjoins itself."""
        return b in a.neighbours

    def distance(self, a: Space, b: Space) -> int:
        """Steps from space to space; more than any way takes if there is no way."""
        return self.model.map.distance(a.index, b.index)

    def between(self, a: Space, b: Space) -> tuple[tuple[Space, ...], ...]:
        """The spaces on the straight line between two, in order; two together where it runs along their side."""
        objects = cast(list[Space], self.objects)
        return tuple([tuple([objects[each] for each in step]) for step in self.model.map.between(a.index, b.index)])

    def at_grid(self, kind: str, column: int, row: int) -> Space | None:
        """The space in a column and row (from 1) of a kind's grid, or none."""
        index = self.model.map.cell(kind, column, row)
        return None if index is None else cast(Space, self.objects[index])

    # ------------------------------------------------------------ the state as data
    def canonical(self) -> tuple[Any, ...]:
        """The state as nested tuples of int, str, bool and None; equal for equal states on every machine."""
        return canonical(self)

    def state_hash(self, extra: object = ()) -> str:
        """BLAKE2b (128 bits, hex) over `ascii((canonical(), extra))`; `extra` must be plain nested data too."""
        return self.hasher.digest(extra)

    def dump(self) -> Data:
        """What changed since the start, as JSON data.

        Raises:
            RuntimeError: if the world was never sealed.
        """
        return dump(self, self.start)

    def load(self, data: object) -> None:
        """Bring back what `dump` wrote, whatever the state now; the journal is emptied.

        Raises:
            UsageError: if the data does not fit this ruleset; the world is then unchanged.
        """
        load(self, self.start, data)
        self._all_journalled = False
        self.reindex()
        self.forget()

    @property
    def start(self) -> Start:
        """The start of the game, as `seal` or `restart` remembered it.

        Raises:
            RuntimeError: if the world was never sealed.
        """
        if self._start is None:
            raise RuntimeError("the world has no start yet: call seal() first")
        return self._start


def is_shared(value: Any) -> bool:
    """Whether things may hold the same value, for nothing can change it."""
    if isinstance(value, tuple):
        return all(map(is_shared, value))
    return value is None or isinstance(value, int | str | Fraction | Thing | Word)
