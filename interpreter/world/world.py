"""The state of one game: its objects with an undo journal, memo tables, a hash and snapshots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from interpreter.language.diagnostics import UsageError
from interpreter.language.model.emitted_names import KIND, SLOT, WORD
from interpreter.world.journal import UNDO, Entry, clear_inside, make_move, make_place, on_board, revert
from interpreter.world.memo_tables import MemoTables
from interpreter.world.model import Model
from interpreter.world.objects import WorldObjects
from interpreter.world.snapshot import Start, dump, load
from interpreter.world.state_hash import Hasher, canonical
from interpreter.world.things import ROOTS, Piece, Record, Thing

Data = dict[str, Any]


class World(WorldObjects):
    """The state of one game of a ruleset.

    It is built in stages: the constructor gives every object its data values, `fill_defaults` adds the values that
    emitted functions return, and `seal` places the pieces and records the start, to which `reset` returns.
    Emitted code appends to `journal`; only the methods here shorten it. Its length is the mark that `rollback` takes.
    """

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.journal: list[Entry] = []
        self._memoized_slots: set[str] = set()
        """The slots read by results that are memoized in `Thing.inside`."""
        self.memo_tables = MemoTables(self.journal)
        self.move = make_move(self.board, model.nested)
        self.place = make_place(self.board, self.journal.append, self.move, model.nested)
        self.hasher = Hasher(self)
        self._start: Start | None = None
        self._all_journalled = False
        """Whether the journal holds every change since the start."""

    # ------------------------------------------------------------ construction
    def namespace(self) -> dict[str, Any]:
        """Returns every name of the world that emitted code uses."""
        names: dict[str, Any] = {KIND(root): each for root, each in ROOTS.items()}
        names |= {KIND(name): each for name, each in self.model.classes.items()}
        names |= {WORD(enum, word.id): word for enum, words in self.model.words.items() for word in words}
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
            "on_board": on_board,
            "answers": self.memo_tables.table,
            "SEEN": self.memo_tables.seen,
            "catch_up": self.memo_tables.invalidate,
            "keep_inside": self.reserve_memos,
            "forget": clear_inside,
        }

    def assign(self, thing: Thing, attribute: str, value: Any) -> None:
        """Sets an attribute without journalling; scenarios use it before the start of the game is recorded."""
        at = thing.at if isinstance(thing, Piece) else None
        if isinstance(thing, Piece) and at is not None:
            self.move(thing, None)
            setattr(thing, SLOT(attribute), value)
            self.move(thing, at)
        else:
            setattr(thing, SLOT(attribute), value)
        self.hasher.touch(thing.index)
        self.memo_tables.clear()
        clear_inside(thing)
        self._all_journalled = False

    def drop_from(self, length: int) -> None:
        """Removes all objects from this index on, without journalling."""
        super().drop_from(length)
        self.hasher.truncate(length)

    def reserve_memos(self, size: int, slots: str) -> None:
        """Reserves `size` entries in `Thing.inside` for results about a thing and its contents.

        `slots`, separated by blanks, are the slots of the thing and of its contents that these results depend on.
        """
        nothing = self.model.nothing
        nothing.extend([None] * (size - len(nothing)))
        self._memoized_slots.update(slots.split())

    def clear_memos(self) -> None:
        """Clears all memoized results, after a change that was not journalled."""
        self.memo_tables.clear()
        for each in self.objects if self._memoized_slots else ():
            each.inside = each.nothing

    def seal(self, set_up: Callable[[], None] | None = None) -> None:
        """Places the pieces at their start positions, calls `set_up`, and records the result as the start of the game.

        Raises:
            RuleFault: if a holder cannot hold a piece that starts in it.
        """
        for index, each in enumerate(self.model.image.individuals):
            if each.at is not None:
                self.place(cast(Piece, self.objects[index]), self.find(*each.at))
        if set_up is not None:
            self.reindex()
            set_up()
        self.restart()

    def restart(self) -> None:
        """Records the current state as the start of the game."""
        self.reindex()
        self.commit()
        self.clear_memos()
        self.hasher.set_start()
        self._start = Start(self)
        self._all_journalled = True

    # ------------------------------------------------------------ change and undo
    def put(self, thing: Thing | Record, slot: str, value: Any) -> None:
        """Sets a slot and journals the change, as emitted code does."""
        self.journal.append((thing, slot, getattr(thing, slot)))
        setattr(thing, slot, value)
        if slot in self._memoized_slots and isinstance(thing, Thing):
            clear_inside(thing)

    def create(self, kind: str | type, values: Mapping[str, Any], holder: Thing | None = None) -> Any:
        """Creates a piece in `holder`, or a record; attributes missing from `values` get their defaults.

        Raises:
            RuleFault: if the holder cannot hold the piece.
        """
        name = kind if isinstance(kind, str) else cast(type[Thing], kind).kind
        old = self.counters.get(name, 0)
        made = self.make(name, values)
        if isinstance(made, Piece):
            self.journal.append((UNDO, self.unmake, (made, old)))
            if holder is not None:
                self.place(made, holder)
        return made

    def add(self, kind: str, name: str) -> Piece:
        """Adds a piece with this id, without a holder and with the defaults of its attributes.

        Raises:
            UsageError: if its kind has a piece with this id.
        """
        if name in self._by_id[kind]:
            raise UsageError(f"there already is a {kind} '{name}'")
        made = self.new_piece(kind, name, {})
        self.journal.append((UNDO, self.drop_from, made.index))
        return made

    def mark(self) -> int:
        """Returns the present length of the journal, for `rollback`."""
        return len(self.journal)

    def rollback(self, mark: int) -> None:
        """Undoes every change made since `mark`, including the creation of pieces."""
        self.hasher.before_rollback(mark)
        self.memo_tables.before_rollback(mark)
        revert(self.journal, mark, self.move, self._memoized_slots)

    def commit(self) -> None:
        """Makes all changes so far permanent: the journal is emptied."""
        if self.journal:
            self._all_journalled = False
        self.hasher.before_commit()
        self.memo_tables.before_commit()
        self.journal.clear()

    def reset(self) -> None:
        """Returns to the start of the game.

        Raises:
            RuntimeError: if the world was never sealed.
        """
        start = self.start
        if self._all_journalled and len(self.journal) < start.size:
            self.rollback(0)
            return
        self.commit()
        start.restore()
        self.clear_memos()
        self._all_journalled = True

    # ------------------------------------------------------------ the state as data
    def canonical(self) -> tuple[Any, ...]:
        """Returns the state as nested tuples of int, str, bool and None, equal for equal states on every machine."""
        return canonical(self)

    def state_hash(self, extra: object = ()) -> str:
        """Returns BLAKE2b (128 bits, hex) over `ascii((canonical(), extra))`; `extra` must be plain nested data too."""
        return self.hasher.digest(extra)

    def dump(self) -> Data:
        """Returns the changes since the start as JSON data.

        Raises:
            RuntimeError: if the world was never sealed.
        """
        return dump(self, self.start)

    def load(self, data: object) -> None:
        """Restores a state that `dump` returned, whatever the current state is; the journal is emptied.

        Raises:
            UsageError: if the data does not fit this ruleset; the world is then unchanged.
        """
        load(self, self.start, data)
        self._all_journalled = False
        self.reindex()
        self.clear_memos()

    @property
    def start(self) -> Start:
        """The start of the game, as `seal` or `restart` recorded it.

        Raises:
            RuntimeError: if the world was never sealed.
        """
        if self._start is None:
            raise RuntimeError("the world has no start yet: call seal() first")
        return self._start
