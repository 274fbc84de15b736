"""Kinds and enums as symbols, and the hierarchy of kinds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from interpreter.language.diagnostics import NOWHERE, Place
from interpreter.language.model.image import GridLayout
from interpreter.language.tree.expressions import Target
from interpreter.language.tree.statements import AttrDecl
from interpreter.language.tree.types import UNKNOWN, Type


@dataclass(slots=True, eq=False, kw_only=True)
class Symbol(Target):
    """A named thing in a `section` of documents; `layer_of` names the rule that it is an inner layer of.

    `address` and `called` replace the path and the title of a rule that is written at another entry.
    """

    name: str
    layer_of: str = ""
    address: str = ""
    called: str = ""
    place: Place = NOWHERE
    cites: tuple[str, ...] = ()

    section = ""

    @property
    def path(self) -> str:
        """The address of the symbol, for overlays, coverage and messages."""
        return self.address or f"{self.section}/{self.name}"

    @property
    def key(self) -> str:
        """What tells the symbol from all others: texts of a method, and what chooses among them, may share a path."""
        return f"{self.section}/{self.name}"

    @property
    def title(self) -> str:
        """The name that readers and players see."""
        return self.called or self.layer_of or self.name


@dataclass(slots=True, eq=False, kw_only=True)
class Attribute(Target):
    """A declared attribute of a kind; `owner` is the kind that declares it, or none for a state value."""

    name: str
    owner: str | None
    place: Place = NOWHERE
    written: AttrDecl | None = None
    type: Type = UNKNOWN


@dataclass(slots=True, eq=False, kw_only=True)
class GridDeclaration:
    """A regular grid of spaces.

    `coordinates` maps every id to its column and row (from 1), `holes` are the ids without a space; a `sparse` grid has
    only the spaces that the ruleset lists. `row_labels` and `column_labels` name its rows and columns as ids do.
    """

    columns: int
    rows: int
    layout: GridLayout
    coordinates: dict[str, tuple[int, int]] = field(default_factory=dict)
    row_labels: dict[str, int] = field(default_factory=dict)
    column_labels: dict[str, int] = field(default_factory=dict)
    holes: frozenset[str] = frozenset()
    sparse: bool = False


@dataclass(slots=True, eq=False, kw_only=True)
class Kind(Symbol):
    """A kind; `root` is space, link, thing, piece, seat or record, `parent` the kind above it or none."""

    section = "kinds"
    root: str
    parent: str | None = None
    plural: str = ""
    attributes: dict[str, Attribute] = field(default_factory=dict)
    holders: tuple[str, ...] = ()
    """The kinds that can hold its pieces (`in:`), inherited if empty."""
    between: str | None = None
    grid: GridDeclaration | None = None
    members: tuple[str, ...] = ()
    """For seats: their names, which are also individuals."""
    methods: dict[str, Symbol] = field(default_factory=dict)
    """The rules that dispatch a call to the text of a thing, by the name of the method."""


@dataclass(slots=True, eq=False, kw_only=True)
class Enum(Symbol):
    """A closed list of words, in order."""

    section = "kinds"
    words: tuple[str, ...]
    plural: str = ""


@dataclass(slots=True, eq=False, kw_only=True)
class WordDeclaration(Target):
    """One word of an enum."""

    enum: str
    name: str


# ---------------------------------------------------------------- the hierarchy of kinds
class KindHierarchy:
    """The ancestors and sub-kinds of all kinds of a program; `size` is the number of kinds when it was computed."""

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        self.size = len(kinds)
        self.lineages: dict[str, tuple[Kind, ...]] = {name: tuple(_lineage(kinds, name)) for name in kinds}
        """For each kind: the kind and its ancestors, nearest first."""
        self.ancestors: dict[str, frozenset[str]] = {
            name: frozenset(word for each in line for word in (each.name, each.root))
            for name, line in self.lineages.items()
        }
        """For each kind: its own name, the names of its ancestors, and its root word."""
        self.subkinds: dict[str, tuple[Kind, ...]] = {
            each: tuple([kinds[name] for name, above in self.ancestors.items() if each in above])
            for each in {word for above in self.ancestors.values() for word in above}
        }
        """For each kind (or root word): the kind and its sub-kinds of any depth, in document order."""
        self.grids: dict[str, Kind | None] = {
            name: next((each for each in line if each.grid is not None), None) for name, line in self.lineages.items()
        }
        """For each kind: the kind that declares the grid of its spaces, or none."""
        self.attributes: dict[str, dict[str, Attribute]] = {
            name: {key: value for each in reversed(line) for key, value in each.attributes.items()}
            for name, line in self.lineages.items()
        }
        """For each kind: all its attributes, inherited ones first."""


def _lineage(kinds: Mapping[str, Kind], name: str) -> list[Kind]:
    line: list[Kind] = []
    while name in kinds and kinds[name] not in line:
        line.append(kinds[name])
        name = line[-1].parent or ""
    return line
