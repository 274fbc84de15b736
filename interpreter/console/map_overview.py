"""The whole theatre of a large map on one page: a few characters for each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.console.coloured_text import NOTHING, ColouredText, lines_of, plain
from interpreter.console.label_templates import PIECES
from interpreter.console.map_cells import MapCells, Sign
from interpreter.console.map_page import MapPage
from interpreter.language.text_width import width
from interpreter.play.game import Game
from interpreter.play.wording.messages import STACK_AT
from interpreter.play.wording.text_table import wrapped
from interpreter.world.map_graph import is_shifted
from interpreter.world.things import Piece, Space

_DEFAULT_LINES = ("{id}", "{pieces}")
_MARGIN = 1
"""The cells shown around the outermost place of interest."""
_MIN_WIDTH, _MAX_WIDTH = 5, 12
_MORE = "+"


class MapOverview:
    """Draws all cells between the places of interest: where pieces are, and what `chart.interest` names.

    The cells are as wide as the page allows. If even narrow ones do not fit, only the pieces count, and the middle of
    their theatre is shown.
    """

    def __init__(self, game: Game, seat: str | None) -> None:
        game = game.before_simultaneous() or game
        self._words = game.source.wording
        self._cells = MapCells(game, seat)
        self._lines: Sequence[str] = self._cells.description.get("overview", _DEFAULT_LINES)

    def whole(self, columns: int) -> ColouredText:
        """Returns the overview without its list of stacks; empty if not all of the theatre fits into these columns."""
        theatre = self._around([each for each in self._cells.spaces.values() if self._counts(each)])
        is_whole = _count(theatre) * _MIN_WIDTH <= columns + 1
        return self.drawn(columns, stacks=False) if is_whole else NOTHING

    def drawn(self, columns: int, *, stacks: bool = True) -> ColouredText:
        """Returns the overview in at most this number of columns; with `stacks`, below it all stacks with their places.

        The text is empty if nothing on the map is of interest.
        """
        pieces = [each for each in self._cells.spaces.values() if self._has_pieces(each)]
        prizes = [each for each in self._cells.spaces.values() if self._is_of_interest(each)]
        theatre = self._around([*pieces, *prizes])
        if _count(theatre) * _MIN_WIDTH > columns + 1 and pieces:
            theatre = self._around(pieces)
        if not theatre:
            return NOTHING
        count, left = _count(theatre), min(each.column or 0 for each in theatre)
        wide = max(min((columns + 1) // count, _MAX_WIDTH), _MIN_WIDTH)
        if count * wide > columns + 1:
            kept = max((columns + 1) // wide, 1)
            left += (count - kept) // 2
            theatre = [each for each in theatre if left <= (each.column or 0) < left + kept]
        page = MapPage()
        with self._cells.labels.together():
            for space in theatre:
                self._draw(page, space, wide)
        legend = [plain(part) for line in self._cells.legend().split("\n") for part in wrapped(line, columns)]
        return lines_of([page.drawn(), *legend, *(self._stacks(theatre) if stacks else ())])

    def _around(self, places: Sequence[Space]) -> list[Space]:
        """Returns the cells of the smallest rectangle with all places, and one cell more on each side."""
        if not places:
            return []
        columns, rows = (
            range(min(values) - _MARGIN, max(values) + _MARGIN + 1)
            for values in ([each.column or 0 for each in places], [each.row or 0 for each in places])
        )
        return [each for at, each in self._cells.spaces.items() if at[0] in columns and at[1] in rows]

    def _counts(self, space: Space) -> bool:
        return self._has_pieces(space) or self._is_of_interest(space)

    def _has_pieces(self, space: Space) -> bool:
        return any(self._is_shown(each) for each in self._cells.pieces(space))

    def _is_of_interest(self, space: Space) -> bool:
        attribute = self._cells.description.get("interest")
        return attribute is not None and bool(self._cells.labels.seen_value(space, attribute))

    def _is_shown(self, piece: Piece) -> bool:
        """Whether a piece is of a kind that the chart draws by a template, or may be one for all the seat knows."""
        templates: Mapping[str, str] = self._cells.description.get("pieces", {})
        return not templates or any(each in templates for each in piece.lineage)

    # ------------------------------------------------------------ drawing
    def _draw(self, page: MapPage, space: Space, wide: int) -> None:
        across, down = self._corner(space, wide)
        for number, line in enumerate(self._lines):
            signs = _signs_that_fit(self._cells.signs(space), wide - 1) if f"{{{PIECES}}}" in line else []
            page.text((across, down + number), *self._cells.line(line, space, wide - 1, signs))

    def _corner(self, space: Space, wide: int) -> tuple[int, int]:
        at, layout = (space.column or 0, space.row or 0), self._cells.layout
        shift = layout is not None and is_shifted(at, layout)
        by_columns = layout is not None and layout.shape == "hexes_in_columns"
        high = len(self._lines)
        across = at[0] * wide + (wide // 2 if shift and not by_columns else 0)
        down = at[1] * high + ((high + 1) // 2 if shift and by_columns else 0)
        return across, down if layout is None or layout.first_row == "top" else -down - high

    def _stacks(self, theatre: Sequence[Space]) -> list[ColouredText]:
        """Returns a line for each stack with a label: its sign, its place and its label."""
        found = []
        for space in theatre:
            for each in self._cells.pieces(space):
                if (label := self._cells.labels.of(each)) is not None and self._is_shown(each):
                    sign, colour = self._cells.sign(each)
                    text = self._words.say(STACK_AT, place=self._words.of(space), label=label)
                    found.append(ColouredText(((sign, colour), (text, None))))
        return found


def _count(theatre: Sequence[Space]) -> int:
    """Returns the number of columns from the first to the last cell."""
    columns = [each.column or 0 for each in theatre]
    return max(columns) - min(columns) + 1 if columns else 0


def _signs_that_fit(signs: list[Sign], size: int) -> list[Sign]:
    """Returns the first signs that fit into `size` columns, at least one, with a plus if others do not."""
    for count in range(len(signs), 1, -1):
        kept = signs[:count] if count == len(signs) else [*signs[:count], (_MORE, None)]
        if width(" ".join([sign for sign, _ in kept])) <= size:
            return kept
    return [*signs[:1], (_MORE, None)] if len(signs) > 1 else signs
