"""The base classes of all objects of a world: spaces, pieces, things, seats, links, records and words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import total_ordering
from typing import Any, ClassVar


class Thing:
    """Anything with an identity.

    `kind` and `id` name it, `ref` is both (`kind/id`), `index` its position in the canonical order of all objects of
    the game. The class attributes describe its kind; `ClassModel` sets them for each kind.
    """

    __slots__ = ("id", "index", "inside", "ref")

    kind: ClassVar[str] = ""
    root: ClassVar[str] = "thing"
    lineage: ClassVar[tuple[str, ...]] = ()
    """Its kind and the ancestors of its kind, nearest first."""
    attributes: ClassVar[tuple[str, ...]] = ()
    """All attribute names, those of the topmost kind first."""
    slots: ClassVar[tuple[str, ...]] = ()
    """The slot of each attribute, in the same order."""
    slot_of: ClassVar[Mapping[str, str]] = {}
    """The slot of each attribute by name."""
    changing: ClassVar[tuple[str, ...]] = ()
    """The slots that some rule changes."""
    empties: ClassVar[tuple[tuple[str, Any], ...]] = ()
    """Each slot with its initial value."""
    nothing: ClassVar[list[Any]] = []
    """The value of `inside` without memoized results: None for each entry; it is shared and never modified."""
    holds: ClassVar[frozenset[str]] = frozenset()
    """The slots of its contents: one for each root kind of piece that it can hold."""

    at: Any = None
    """Its holder; only pieces have one."""
    id: str
    index: int
    ref: str
    inside: list[Any]
    """Memoized results: first its contents at any depth by the number of their kind, then results of rules about it.
    They are discarded when a piece moves in or out."""

    def __init__(self, name: str, index: int) -> None:
        self.id = name
        self.index = index
        self.inside = self.nothing
        self.ref = f"{self.kind}/{name}"

    @staticmethod
    def values(_thing: Any) -> tuple[Any, ...]:
        """Returns the values of a thing of this kind, in the order of its slots."""
        return ()

    def __repr__(self) -> str:
        return self.id


class Article(Thing):
    """A thing that is neither space, piece, seat nor link."""

    __slots__ = ()


class Seat(Thing):
    """A side that makes decisions."""

    __slots__ = ()
    root = "seat"


class Space(Thing):
    """A location of pieces; `row` and `column` (from 1) are None off a grid."""

    __slots__ = ("column", "neighbours", "row")
    root = "space"

    neighbours: tuple[Space, ...]
    row: int | None
    column: int | None

    def __init__(self, name: str, index: int) -> None:
        super().__init__(name, index)
        self.neighbours = ()
        self.row = self.column = None


class Link(Thing):
    """A connection or border between two adjacent spaces."""

    __slots__ = ("ends",)
    root = "link"

    ends: tuple[Space, Space]


class Piece(Thing):
    """An object that a space, a thing or another piece can hold; `at` is its holder or None."""

    __slots__ = ("at",)
    root = "piece"

    content_slot: ClassVar[str] = ""
    """The slot of its holder that lists it."""
    board_slots: ClassVar[tuple[str, ...]] = ()
    """The slots of the board that list it while it has a holder."""

    indexed: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Slots of the board that list it by the value of one of its own slots, while it has a holder."""
    indexed_in: ClassVar[tuple[tuple[str, str, tuple[str, ...]], ...]] = ()
    """The same, while its holder is of certain kinds."""

    at: Any

    def __init__(self, name: str, index: int) -> None:
        super().__init__(name, index)
        self.at = None


class Record:
    """A bundle of attributes without a name."""

    __slots__ = ()

    kind: ClassVar[str] = ""
    root: ClassVar[str] = "record"
    attributes: ClassVar[tuple[str, ...]] = ()
    slots: ClassVar[tuple[str, ...]] = ()
    slot_of: ClassVar[Mapping[str, str]] = {}
    changing: ClassVar[tuple[str, ...]] = ()
    empties: ClassVar[tuple[tuple[str, Any], ...]] = ()

    @staticmethod
    def values(_record: Any) -> tuple[Any, ...]:
        """Returns the values of a record of this kind, in the order of its slots."""
        return ()

    def __repr__(self) -> str:
        return f"<{self.kind}>"


@total_ordering
class Word:
    """A word of an enum; words compare by their order in the enum."""

    __slots__ = ("enum", "id", "index", "ref")

    def __init__(self, enum: str, name: str, index: int) -> None:
        self.enum = enum
        self.id = name
        self.index = index
        self.ref = f"{enum}/{name}"

    @property
    def kind(self) -> str:
        """The enum, under the attribute name that things use."""
        return self.enum

    def __lt__(self, other: Word) -> bool:
        return self.index < other.index

    def __repr__(self) -> str:
        return self.id


class State:
    """The values of the game as a whole; each ruleset has its own sub-class."""

    __slots__ = ()

    attributes: ClassVar[tuple[str, ...]] = ()
    slots: ClassVar[tuple[str, ...]] = ()

    def __repr__(self) -> str:
        return "state"


class Board:
    """Lists in `all_<kind>` the things of every kind and enum in canonical order; of pieces, those with a holder."""

    __slots__ = ()


ROOTS: dict[str, type[Thing] | type[Record]] = {
    "thing": Article,
    "seat": Seat,
    "space": Space,
    "link": Link,
    "piece": Piece,
    "record": Record,
}
