"""The map of a game on a large grid, drawn around the current location, cell by cell."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from interpreter.console.cell_shapes import CellShape, PagePosition, cell_shape, side_towards
from interpreter.console.coloured_text import ColouredText, lines_of, plain
from interpreter.console.label_templates import PIECES
from interpreter.console.map_cells import MapCells
from interpreter.console.map_focus import MapFocus
from interpreter.console.map_page import MapPage
from interpreter.language.model.emitted_names import SLOT
from interpreter.play.game import Game
from interpreter.play.wording.messages import AROUND
from interpreter.play.wording.text_table import wrapped
from interpreter.world.things import Piece, Space

_DEFAULT_RADIUS, _DEFAULT_WIDTH = 3, 8
_LEGEND_COLUMNS = 80


class MapWindow:
    """Draws parts of the map of `presentation.chart` as one seat sees them; without a seat, as everybody may."""

    def __init__(self, game: Game, seat: str | None) -> None:
        self._game = game = game.before_simultaneous() or game
        self._words = game.source.wording
        self._cells = MapCells(game, seat)
        self._description: Mapping[str, Any] = self._cells.description
        self._radius = int(self._description.get("around", _DEFAULT_RADIUS))
        self._lines: Sequence[str] = self._description.get("cell", ("{id}", "{pieces}"))
        wide = int(self._description.get("width", _DEFAULT_WIDTH))
        self._shape: CellShape = cell_shape(self._cells.layout, wide, len(self._lines))
        self._focus = MapFocus(game, self._cells.visibility, {each: at for at, each in self._cells.spaces.items()})

    @property
    def _extent(self) -> tuple[int, int]:
        return 2 * self._radius, 2 * self._radius

    @property
    def exists(self) -> bool:
        """Whether the ruleset describes a map."""
        return bool(self._cells.spaces)

    # ------------------------------------------------------------ where to look
    def place(self, name: str) -> Space:
        """Returns the space with this id or name, or the space of the thing with this id or name.

        Raises:
            UsageError: if nothing on the map has this name, or several things do.
        """
        return self._focus.named(name)

    def focus(self) -> Space | None:
        """Returns the space in the middle of what the decision is about; none if there is no such space."""
        return self._focus.current(self._description.get("focus", ()), self._extent)

    def middle(self, spaces: Sequence[Space]) -> Space | None:
        """Returns the space nearest to the middle of all; none if there is none or one map can't show them all."""
        return self._focus.middle(spaces, self._extent)

    def pieces(self) -> list[tuple[Piece, Space]]:
        """Returns the pieces on the map that the seat sees, each with its space."""
        cells = self._cells
        return [
            (piece, space)
            for space in cells.spaces.values()
            for piece in cells.pieces(space)
            if not cells.visibility.hides(piece)
        ]

    # ------------------------------------------------------------ drawing
    def drawn(self, middle: Space, size: PagePosition | None = None, *, legend: bool = True) -> ColouredText:
        """Returns the map around a space, with the meaning of its symbols if `legend`.

        With `size` (columns and lines), cells that do not fit are left out, except the neighbours of the middle.
        """
        self._cells.begin()
        corners = self._corners(middle, size)
        page = MapPage()
        for corner in corners.values():
            for signs in self._shape.sides.values():
                page.sign(corner, signs)
        with self._cells.labels.together():
            for space, corner in corners.items():
                self._draw_sides(page, space, corner, corners)
                self._fill_cell(page, space, corner)
        columns = _LEGEND_COLUMNS if size is None else size[0]
        explained = [part for line in self._cells.legend().split("\n") for part in wrapped(line, columns) if legend]
        around = self._words.say(AROUND, place=self._words.of(middle))
        return lines_of([page.drawn(), *map(plain, explained), plain(around)])

    def shows(self, middle: Space, spaces: Collection[Space], size: PagePosition | None) -> bool:
        """Whether the map around a space shows all of these."""
        return self._corners(middle, size).keys() >= set(spaces)

    def _corners(self, middle: Space, size: PagePosition | None) -> dict[Space, PagePosition]:
        """Returns the cells of the map around a space, each with its upper left corner."""
        assert middle.column is not None
        assert middle.row is not None
        columns = range(middle.column - self._radius, middle.column + self._radius + 1)
        rows = range(middle.row - self._radius, middle.row + self._radius + 1)
        spaces = self._cells.spaces
        corners = {each: self._shape.corner(*at) for at, each in spaces.items() if at[0] in columns and at[1] in rows}
        return corners if size is None else self._cells_that_fit(corners, middle, size)

    def _cells_that_fit(
        self, corners: Mapping[Space, PagePosition], middle: Space, size: PagePosition
    ) -> dict[Space, PagePosition]:
        """Returns the corners of the cells that fit into `size` around the middle one, always with its neighbours."""
        (across, down), (wide, high), kept = corners[middle], self._shape.size(), {middle, *middle.neighbours}
        return {
            space: (left, top)
            for space, (left, top) in corners.items()
            if space in kept or (2 * abs(left - across) + wide <= size[0] and 2 * abs(top - down) + high <= size[1])
        }

    def _draw_sides(
        self, page: MapPage, space: Space, corner: PagePosition, corners: Mapping[Space, PagePosition]
    ) -> None:
        """Draws what lies between a cell and its neighbours; of several things the last one described is drawn."""
        drawn: Mapping[str, str] = self._description.get("sides", {})
        for other in space.neighbours if drawn else ():
            link = self._game.core.world.link(space, other) if other in corners else None
            marks = [each for each in drawn if link is not None and getattr(link, SLOT(each), None)]
            if marks:
                self._cells.used[marks[-1]] += 1
                side = self._shape.sides[side_towards(corner, corners[other])]
                page.sign(corner, [(across, down, drawn[marks[-1]]) for across, down, _ in side])

    def _fill_cell(self, page: MapPage, space: Space, corner: PagePosition) -> None:
        for line, (across, down, size) in zip(self._lines, self._shape.texts, strict=False):
            signs = self._cells.signs(space) if f"{{{PIECES}}}" in line else []
            page.text((corner[0] + across, corner[1] + down), *self._cells.line(line, space, size, signs))
