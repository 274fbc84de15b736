"""The entries that may be written as a text grid, and their keys that are not headings of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from interpreter.rules.documents.nodes import Mapping, Node, Scalar
from interpreter.rules.overlays.path.grid_edits import GridText
from interpreter.rules.overlays.path.targets import ANY, GridTarget, Path, inner_path

_OF_TABLES: Final = ("cite", "standing", "source", "figures", "keys", "gives", "cell", "clamp", "grid")
_OF_LAYERS: Final = ("cite", "standing", "source", "figures", "of", "sets", "key", "grid")
_OF_LINKS: Final = ("cite", "standing", "source", "figures", "kind", "of", "cuts", "has", "grid")
OF_GRIDS: Final = ("cite", "standing", "source", "figures", "grid")
"""The keys beside the grid of a counter-mix, a board or individuals."""
GRIDDED: Final = frozenset({"individuals", "pieces", "board", "things"})
"""The sections whose entries may be grids of things."""


def fixed_keys(path: Path, node: Node) -> tuple[str, ...] | None:
    """Returns the keys of an entry with a grid, or of any table or layer, that are not rows of it.

    For anything else it returns `None`.
    """
    place = inner_path(path)
    if len(place) != 2:
        return None
    if place[0] == "tables":
        return _OF_TABLES
    if place[0] == "layers":
        return _OF_LAYERS
    if not isinstance(node, Mapping) or "grid" not in node:
        return None
    return _OF_LINKS if place[0] == "links" else OF_GRIDS if place[0] in GRIDDED else None


def grids_among(path: Path, items: Iterable[Node]) -> list[Mapping]:
    """Returns the items that have text grids."""
    return [each for each in items if isinstance(each, Mapping) and "grid" in each and fixed_keys(path, each)]


def whole_grid(path: Path, around: tuple[Mapping, ...], fields: Mapping) -> GridTarget | None:
    """Returns the target for all cells of the grid of an entry; `None` if the grid can't be read."""
    grid = read_grid(path, fields)
    headings = (ANY,) if grid is not None and grid.single_row else (ANY, ANY)
    return GridTarget((*path, "grid", *headings), (*around, fields), grid, ANY, ANY) if grid is not None else None


def read_grid(path: Path, fields: Mapping) -> GridText | None:
    """Returns the grid of an entry; `None` if it can't be read."""
    text, keys = fields.get("grid"), fields.get("keys")
    single_row = inner_path(path)[0] == "tables" and (not isinstance(keys, Mapping) or len(keys) == 1)
    pairs = inner_path(path)[0] == "links"
    return GridText.read(text.source, single_row=single_row, pairs=pairs) if isinstance(text, Scalar) else None


def row_names(path: Path, fields: Mapping) -> list[str]:
    """Returns the names of the rows of a grid."""
    grid = read_grid(path, fields)
    return [each.name for each in grid.rows] if grid is not None else []
