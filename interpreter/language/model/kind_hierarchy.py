"""Kinds and enums as symbols, and which kinds are above and below which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from interpreter.language.diagnostics import NOWHERE, Place
from interpreter.language.tree.expressions import Target
from interpreter.language.tree.statements import AttrDecl
from interpreter.language.tree.types import UNKNOWN, Type


@dataclass(slots=True, eq=False, kw_only=True)
class Symbol(Target):
    """Anything with a name in a `section` of documents; `layer_of` names the rule that it is an inner part of."""

    name: str
    layer_of: str = ""
    place: Place = NOWHERE
    cites: tuple[str, ...] = ()

    section = ""

    @property
    def path(self) -> str:
        """Its address, for overlays, coverage and messages."""
        return f"{self.section}/{self.name}"

    @property
    def title(self) -> str:
        """The name that it goes by to those who read and play."""
        return self.layer_of or self.name


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
    """A regular grid of spaces; `shape` is one of `world.map_graph.SHAPES`.

    `cells` gives column and row (from 1) of every id; a `sparse` grid has only the spaces that the ruleset lists.
    """

    columns: int
    rows: int
    shape: str
    cells: dict[str, tuple[int, int]] = field(default_factory=dict)
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
    """Kinds that its pieces can stand in (`in:`), inherited if empty."""
    between: str | None = None
    grid: GridDeclaration | None = None
    members: tuple[str, ...] = ()
    """Seats: their names, which are individuals too."""


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


# ---------------------------------------------------------------- kinds above and below kinds
class KindHierarchy:
    """The lines of all kinds of a program; `size` is how many kinds there were when it was made."""

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        self.size = len(kinds)
        self.lineages: dict[str, tuple[Kind, ...]] = {name: tuple(_lineage(kinds, name)) for name in kinds}
        """Each kind and its parents, nearest first."""
        self.ancestors: dict[str, frozenset[str]] = {
            name: frozenset(word for each in line for word in (each.name, each.root))
            for name, line in self.lineages.items()
        }
        """What each kind is: itself, its parents, its root word."""
        self.subkinds: dict[str, tuple[Kind, ...]] = {
            each: tuple([kinds[name] for name, above in self.ancestors.items() if each in above])
            for each in {word for above in self.ancestors.values() for word in above}
        }
        """Each kind (or root word) with every kind under it, in document order."""
        self.grids: dict[str, Kind | None] = {
            name: next((each for each in line if each.grid is not None), None) for name, line in self.lineages.items()
        }
        """The kind with the grid that spaces of each kind lie on."""
        self.attributes: dict[str, dict[str, Attribute]] = {
            name: {key: value for each in reversed(line) for key, value in each.attributes.items()}
            for name, line in self.lineages.items()
        }
        """All attributes of each kind, those of its parents first."""


def _lineage(kinds: Mapping[str, Kind], name: str) -> list[Kind]:
    line: list[Kind] = []
    while name in kinds and kinds[name] not in line:
        line.append(kinds[name])
        name = line[-1].parent or ""
    return line
