"""What a world is made of: the base classes of spaces, pieces, things, seats, links, records and words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import total_ordering
from typing import Any, ClassVar


class Thing:
    """Anything with an identity.

    `kind` and `id` name it, `ref` is both (`kind/id`), `index` its place in the canonical order of all objects of the
    game. The class attributes say what its kind can do; `model` fills them in for each kind.
    """

    __slots__ = ("id", "index", "inside", "ref")

    kind: ClassVar[str] = ""
    root: ClassVar[str] = "thing"
    lineage: ClassVar[tuple[str, ...]] = ()
    """Its kind and the kinds above it, nearest first."""
    attributes: ClassVar[tuple[str, ...]] = ()
    """All attribute names, those of the topmost kind first."""
    slots: ClassVar[tuple[str, ...]] = ()
    """The slot of each attribute, in the same order."""
    slot_of: ClassVar[Mapping[str, str]] = {}
    """The slot of each attribute by its name."""
    changing: ClassVar[tuple[str, ...]] = ()
    """The slots that some rule changes."""
    empties: ClassVar[tuple[tuple[str, Any], ...]] = ()
    """Each slot with what it holds before anything is said."""
    nothing: ClassVar[list[Any]] = []
    """What is known of contents where nothing is: none for each kind of the game; shared, and never filled."""
    holds: ClassVar[frozenset[str]] = frozenset()
    """The slots of its contents: one for each root kind of piece that can stand in it."""

    at: Any = None
    """What it stands in; only pieces stand in anything."""
    id: str
    index: int
    ref: str
    inside: list[Any]
    """What stands in it, however deep, by the number of its kind: as far as rules asked, and only until something moves
    in or out."""

    def __init__(self, name: str, index: int) -> None:
        self.id = name
        self.index = index
        self.inside = self.nothing
        self.ref = f"{self.kind}/{name}"

    @staticmethod
    def values(_thing: Any) -> tuple[Any, ...]:
        """The values of a thing of this kind, in the order of its slots."""
        return ()

    def __repr__(self) -> str:
        return self.id


class Article(Thing):
    """A thing that is neither space, piece, seat nor link."""

    __slots__ = ()


class Seat(Thing):
    """Someone who plays."""

    __slots__ = ()
    root = "seat"


class Space(Thing):
    """Somewhere pieces stand; `row` and `column` (from 1) are none off a grid."""

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
    """What lies between two adjoining spaces."""

    __slots__ = ("ends",)
    root = "link"

    ends: tuple[Space, Space]


class Piece(Thing):
    """Something that stands in a space, a thing or another piece, or nowhere (`at` none)."""

    __slots__ = ("at",)
    root = "piece"

    content_slot: ClassVar[str] = ""
    """The slot of its holder that lists it."""
    board_slots: ClassVar[tuple[str, ...]] = ()
    """The slots of the board that list it while it stands somewhere."""

    indexed: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Slots of the board that list it by the value of one of its own slots, while it stands somewhere."""
    indexed_in: ClassVar[tuple[tuple[str, str, tuple[str, ...]], ...]] = ()
    """The same, while it stands in something of certain kinds."""

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
        """The values of a record of this kind, in the order of its slots."""
        return ()

    def __repr__(self) -> str:
        return f"<{self.kind}>"


@total_ordering
class Word:
    """A word of an enum; words compare by their order in it."""

    __slots__ = ("enum", "id", "index", "ref")

    def __init__(self, enum: str, name: str, index: int) -> None:
        self.enum = enum
        self.id = name
        self.index = index
        self.ref = f"{enum}/{name}"

    @property
    def kind(self) -> str:
        """The enum, by the name that things use."""
        return self.enum

    def __lt__(self, other: Word) -> bool:
        return self.index < other.index

    def __repr__(self) -> str:
        return self.id


class State:
    """The values of the game as a whole; `model` gives each ruleset its own sub-class."""

    __slots__ = ()

    attributes: ClassVar[tuple[str, ...]] = ()
    slots: ClassVar[tuple[str, ...]] = ()

    def __repr__(self) -> str:
        return "state"


class Board:
    """`all_<kind>` for every kind and enum: its things in canonical order, of pieces those that stand somewhere."""

    __slots__ = ()


ROOTS: dict[str, type[Thing] | type[Record]] = {
    "thing": Article,
    "seat": Seat,
    "space": Space,
    "link": Link,
    "piece": Piece,
    "record": Record,
}
