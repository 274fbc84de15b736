"""The contents of the cells of a map, as one seat sees them: texts by templates, pieces, colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from interpreter.console.label_templates import PIECES, LabelTemplates, symbol_of
from interpreter.console.map_colours import MapColours
from interpreter.console.map_page import Span, centred
from interpreter.language.model.image import GridLayout
from interpreter.play.game import Game
from interpreter.play.views.visibility import Visibility, seat_by_id
from interpreter.rules.loading.ruleset import text_in
from interpreter.world.map_graph import Coordinates
from interpreter.world.things import Piece, Space, Thing, Word

Sign = tuple[str, str | None]
"""The sign of a piece, or of several alike, and its colour."""
_PIECES_FIELD = f"{{{PIECES}}}"


class MapCells:
    """The cells of the grid that `presentation.chart` describes, and what a seat sees in them."""

    def __init__(self, game: Game, seat: str | None) -> None:
        self.words = game.source.wording
        game.core.begin_query()
        self.labels = LabelTemplates(game, Visibility(game.core, seat_by_id(game.core, seat)))
        self.visibility = self.labels.visibility
        self.used: Counter[str] = Counter()
        """The names of the symbols and sides that were drawn."""
        self._signed: dict[str, str] = {}
        """What the signs of pieces that were drawn mean: the value in words."""
        presentation: Mapping[str, Any] = getattr(game.source.ruleset, "presentation", None) or {}
        self.description: Mapping[str, Any] = presentation.get("chart", {})
        self._symbols: Mapping[str, Any] = presentation.get("symbols", {})
        self._colours = MapColours(presentation, self.labels, self.visibility)
        kind = self.description.get("of")
        spaces = [each for each in game.core.world.objects if kind in each.lineage and isinstance(each, Space)]
        self.spaces: dict[Coordinates, Space] = {
            (each.column, each.row): each for each in spaces if each.column and each.row
        }
        self._pieces = {
            space: [piece for slot in sorted(space.holds) for piece in getattr(space, slot)]
            for space in self.spaces.values()
        }
        grid = game.core.shared.model.map.grids.get(kind or "")
        self.layout: GridLayout | None = None if grid is None else grid.layout

    def line(self, template: str, space: Space, size: int, signs: Sequence[Sign]) -> tuple[str, list[Span]]:
        """Returns a template filled with the values of a space, centred in `size` columns, and its coloured parts."""
        shows_pieces = _PIECES_FIELD in template
        text = " ".join([sign for sign, _ in signs])
        filled = self.labels.fill(template.replace(_PIECES_FIELD, text) if shows_pieces else template, space, self._say)
        shown = centred(filled, size)
        if not shows_pieces:
            colour = self._colours.of(space)
            return shown, [(0, len(shown), colour)] if colour and shown.strip() else []
        spans, at = [], 0
        for sign, colour in signs:
            found = shown.find(sign, at)
            if colour is not None and found >= 0:
                spans.append((found, found + len(sign), colour))
            at = max(at, found + len(sign))
        return shown, spans

    def signs(self, space: Space) -> list[Sign]:
        """Returns the signs of the pieces in a space: by their templates, else by initial; hidden ones are counted."""
        signs: Counter[Sign] = Counter()
        for each in self.pieces(space):
            signs[self.sign(each)] += 1
        return [(sign if count == 1 else f"{count}×{sign}", colour) for (sign, colour), count in signs.items()]

    def sign(self, piece: Piece) -> Sign:
        """Returns the sign of a piece and its colour."""
        if self.visibility.hides(piece):
            seen = [each for each in self.visibility.seen_values(piece).values() if isinstance(each, Thing | Word)]
            return "".join([self._sign_of(each) for each in seen]) + "?", self._colours.of(piece)
        templates: Mapping[str, str] = self.description.get("pieces", {})
        template = next((templates[kind] for kind in piece.lineage if kind in templates), None)
        colour = self._colours.of(piece)
        if template is None:
            return symbol_of(piece, self._symbols, self.words)[:1], colour
        return self.labels.fill(template, piece, self._sign_of), colour

    def pieces(self, space: Space) -> list[Piece]:
        """Returns the pieces in a space, in order, hidden ones among them."""
        return self._pieces[space]

    def legend(self) -> str:
        """Returns the meaning of the symbols that are drawn, of grounds, sides and pieces, and the ruleset's legend."""
        sides: Mapping[str, str] = self.description.get("sides", {})
        entries = []
        for name in self.used:
            meaning = self.words.attribute(name) if name in sides else self.words.word(name)
            entries.append(f"{sides.get(name) or self._symbols.get(name)} {meaning}")
        own = text_in(self.description.get("legend"), self.words.language)
        pieces = "  ".join([f"{sign} {meaning}" for sign, meaning in sorted(self._signed.items())])
        return "\n".join(filter(None, ["  ".join(sorted(entries)), pieces, own]))

    def begin(self) -> None:
        """Forgets what was drawn, before another map."""
        self.used.clear()
        self._signed.clear()

    def _sign_of(self, value: Any) -> str:
        sign = symbol_of(value, self._symbols, self.words)
        if isinstance(value, Word | Thing) and value.id in _by_id(self._symbols.get(value.kind)):
            self._signed[sign] = self.words.of(value)
        return sign

    def _say(self, value: Any) -> str:
        if isinstance(value, Word) and isinstance(self._symbols.get(value.id), str):
            self.used[value.id] += 1
        return symbol_of(value, self._symbols, self.words)


def _by_id(signs: Any) -> Mapping[str, Any]:
    """Returns the signs of single things or words of a kind."""
    return signs if isinstance(signs, Mapping) else {}
