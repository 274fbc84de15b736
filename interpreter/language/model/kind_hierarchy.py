"""Which kinds stand above and below which; worked out once, for linking and checking ask for it at every value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.language.model.program import Attribute, Kind


class Families:
    """The lines of all kinds of a program; `size` is how many kinds there were when it was made."""

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        self.size = len(kinds)
        self.lines: dict[str, tuple[Kind, ...]] = {name: tuple(_line(kinds, name)) for name in kinds}
        """Each kind and its parents, nearest first."""
        self.ancestors: dict[str, frozenset[str]] = {
            name: frozenset(word for each in line for word in (each.name, each.root))
            for name, line in self.lines.items()
        }
        """What each kind is: itself, its parents, its root word."""
        self.below: dict[str, tuple[Kind, ...]] = {
            each: tuple([kinds[name] for name, above in self.ancestors.items() if each in above])
            for each in {word for above in self.ancestors.values() for word in above}
        }
        """Each kind (or root word) with every kind under it, in document order."""
        self.grids: dict[str, Kind | None] = {
            name: next((each for each in line if each.grid is not None), None) for name, line in self.lines.items()
        }
        """The kind with the grid that spaces of each kind lie on."""
        self.attributes: dict[str, dict[str, Attribute]] = {
            name: {key: value for each in reversed(line) for key, value in each.attributes.items()}
            for name, line in self.lines.items()
        }
        """All attributes of each kind, those of its parents first."""


def _line(kinds: Mapping[str, Kind], name: str) -> list[Kind]:
    line: list[Kind] = []
    while name in kinds and kinds[name] not in line:
        line.append(kinds[name])
        name = line[-1].parent or ""
    return line
