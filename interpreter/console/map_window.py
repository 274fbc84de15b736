"""The map of a game on a large grid, drawn around the current location, cell by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from interpreter.console.cell_shapes import CellShape, PagePosition, cell_shape, side_towards
from interpreter.console.label_templates import PIECES, LabelTemplates, symbol_of
from interpreter.console.name_lookup import resolve_name
from interpreter.language.model.emitted_names import LOCAL, SLOT
from interpreter.language.text_width import width
from interpreter.play.game import Game
from interpreter.play.views.visibility import Visibility, seat_by_id
from interpreter.play.wording.messages import AROUND
from interpreter.play.wording.text_table import padded
from interpreter.rules.loading.ruleset import text_in
from interpreter.world.map_graph import Coordinates
from interpreter.world.things import Piece, Space, Thing, Word

_DEFAULT_RADIUS, _DEFAULT_WIDTH = 3, 8
_MAX_OPTIONS = 200
_MORE = "…"


class MapWindow:
    """Draws parts of the map of `presentation.chart` as one seat sees them; without a seat, as everybody may."""

    def __init__(self, game: Game, seat: str | None) -> None:
        self._game = game
        self._words = game.source.wording
        game.core.begin_query()
        self._visibility = Visibility(game.core, seat_by_id(game.core, seat))
        self._labels = LabelTemplates(game, self._visibility)
        presentation: Mapping[str, Any] = getattr(game.source.ruleset, "presentation", None) or {}
        self._symbols: Mapping[str, Any] = presentation.get("symbols", {})
        self._description: Mapping[str, Any] = presentation.get("chart", {})
        self._radius = int(self._description.get("around", _DEFAULT_RADIUS))
        self._lines: Sequence[str] = self._description.get("cell", ("{id}", "{pieces}"))
        kind = self._description.get("of")
        spaces = [each for each in game.core.world.objects if kind in each.lineage and isinstance(each, Space)]
        self._cells: dict[Coordinates, Space] = {
            (each.column, each.row): each for each in spaces if each.column and each.row
        }
        grid = game.core.shared.model.map.grids.get(kind or "")
        layout = None if grid is None else grid.layout
        self._shape: CellShape = cell_shape(
            layout, int(self._description.get("width", _DEFAULT_WIDTH)), len(self._lines)
        )

    @property
    def exists(self) -> bool:
        """Whether the ruleset describes a map."""
        return bool(self._cells)

    # ------------------------------------------------------------ where to look
    def place(self, name: str) -> Space:
        """Returns the space with this id or name, or the space of the thing with this id or name.

        Raises:
            UsageError: if nothing on the map has this name, or several things do.
        """
        known: dict[str, Space] = {}
        for thing in self._game.core.world.objects:
            if not self._visibility.hides(thing) and (space := self._space_on_map(thing)) is not None:
                known.setdefault(thing.id.casefold(), space)
                known.setdefault(self._words.of(thing).casefold(), space)
        return resolve_name(name, known, self._words)

    def focus(self) -> Space | None:
        """Returns the space in the middle of what the decision is about; none if there is no such space.

        That is the first of these with a space on the map: values of the state that `focus` names, the arguments of
        the menu, the subject of the question, the options.
        """
        for things in self._candidates():
            spaces = [space for each in things if (space := self._space_on_map(each)) is not None]
            if spaces:
                return self._middle(spaces)
        return None

    def _candidates(self) -> Iterator[Iterable[Any]]:
        state = self._game.core.world.state
        named = self._description.get("focus", ())
        yield [getattr(state, SLOT(each), None) for each in ([named] if isinstance(named, str) else named)]
        yield _bound_variables(self._game)
        decision = self._game.decision
        if decision is not None:
            yield decision.mentioned_values
            yield [*decision.options[:_MAX_OPTIONS], *(decision.chosen or ())]

    def _space_on_map(self, thing: Any) -> Space | None:
        """Returns the space of a thing on the map: where it is, or a space among its values."""
        if not isinstance(thing, Thing) or self._visibility.hides(thing):
            return None
        holder: Any = thing
        while isinstance(holder, Piece):
            holder = holder.at
        if isinstance(holder, Space) and self._cells.get((holder.column or 0, holder.row or 0)) is holder:
            return holder
        if isinstance(thing, Piece | Space) or self._visibility.mask(thing) is not None:
            return None
        values = [getattr(thing, slot) for slot in thing.slots]
        return next((each for each in values if isinstance(each, Space) and each.column and each.row), None)

    def _middle(self, spaces: Sequence[Space]) -> Space | None:
        """Returns the space nearest to the middle of all; none if they are too far apart for one map."""
        columns, rows = sorted(each.column or 0 for each in spaces), sorted(each.row or 0 for each in spaces)
        if max(columns[-1] - columns[0], rows[-1] - rows[0]) > 2 * self._radius:
            return None
        column, row = (columns[0] + columns[-1]) / 2, (rows[0] + rows[-1]) / 2
        return min(spaces, key=lambda each: abs((each.column or 0) - column) + abs((each.row or 0) - row))

    # ------------------------------------------------------------ drawing
    def text(self, middle: Space, size: PagePosition | None = None, *, legend: bool = True) -> str:
        """Returns the map around a space, with the meaning of its symbols if `legend`.

        With `size` (columns and lines), cells that do not fit are left out, except the neighbours of the middle.
        """
        assert middle.column is not None
        assert middle.row is not None
        columns = range(middle.column - self._radius, middle.column + self._radius + 1)
        rows = range(middle.row - self._radius, middle.row + self._radius + 1)
        shown = {at: each for at, each in self._cells.items() if at[0] in columns and at[1] in rows}
        page, used = _Page(), Counter[str]()
        corners = {space: self._shape.corner(*at) for at, space in shown.items()}
        if size is not None:
            corners = self._cells_that_fit(corners, middle, size)
        for corner in corners.values():
            for signs in self._shape.sides.values():
                page.sign(corner, signs)
        for space, corner in corners.items():
            self._draw_sides(page, space, corner, corners, used)
            self._fill_cell(page, space, corner, used)
        below = [self._legend(used), text_in(self._description.get("legend"), self._words.language)] if legend else []
        return "\n".join(filter(None, [*page.lines(), *below, self._words.say(AROUND, place=self._words.of(middle))]))

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
        self, page: _Page, space: Space, corner: PagePosition, corners: Mapping[Space, PagePosition], used: Counter[str]
    ) -> None:
        """Draws what lies between a cell and its neighbours; of several things the last one described is drawn."""
        drawn: Mapping[str, str] = self._description.get("sides", {})
        for other in space.neighbours if drawn else ():
            link = self._game.core.world.link(space, other) if other in corners else None
            marks = [each for each in drawn if link is not None and getattr(link, SLOT(each), None)]
            if marks:
                used[marks[-1]] += 1
                side = self._shape.sides[side_towards(corner, corners[other])]
                page.sign(corner, [(across, down, drawn[marks[-1]]) for across, down, _ in side])

    def _fill_cell(self, page: _Page, space: Space, corner: PagePosition, used: Counter[str]) -> None:
        def say(value: Any) -> str:
            if isinstance(value, Word) and isinstance(self._symbols.get(value.id), str):
                used[value.id] += 1
            return symbol_of(value, self._symbols, self._words)

        for line, (across, down, size) in zip(self._lines, self._shape.texts, strict=False):
            pieces = self._pieces_text(space) if f"{{{PIECES}}}" in line else ""
            filled = self._labels.fill(line.replace(f"{{{PIECES}}}", pieces), space, say)
            page.text((corner[0] + across, corner[1] + down), _centred(filled, size))

    def _pieces_text(self, space: Space) -> str:
        """Returns the pieces in a space: by their templates, else by initial; hidden ones as a count."""
        templates: Mapping[str, str] = self._description.get("pieces", {})
        signs: Counter[str] = Counter()
        for each in [piece for slot in sorted(space.holds) for piece in getattr(space, slot)]:
            template = next((templates[kind] for kind in each.lineage if kind in templates), None)
            if self._visibility.hides(each):
                signs["?"] += 1
            elif template is not None:
                signs[self._labels.fill(template, each, lambda it: symbol_of(it, self._symbols, self._words))] += 1
            else:
                signs[symbol_of(each, self._symbols, self._words)[:1]] += 1
        return " ".join([sign if count == 1 else f"{count}×{sign}" for sign, count in signs.items()])

    def _legend(self, used: Counter[str]) -> str:
        """Returns the meaning of the symbols of grounds and sides that are drawn."""
        drawn: Mapping[str, str] = self._description.get("sides", {})
        entries = []
        for name in used:
            symbol = drawn.get(name) or self._symbols.get(name)
            meaning = self._words.attribute(name) if name in drawn else self._words.word(name)
            entries.append(f"{symbol} {meaning}")
        return "  ".join(sorted(entries))


class _Page:
    """Characters by their position."""

    def __init__(self) -> None:
        self._signs: dict[PagePosition, str] = {}

    def sign(self, corner: PagePosition, signs: Iterable[tuple[int, int, str]]) -> None:
        for across, down, sign in signs:
            self._signs[corner[0] + across, corner[1] + down] = sign

    def text(self, at: PagePosition, text: str) -> None:
        """Writes a text; a character that is two columns wide takes two positions."""
        across = at[0]
        for sign in text:
            self._signs[across, at[1]] = sign
            for further in range(1, width(sign)):
                self._signs[across + further, at[1]] = ""
            across += width(sign)

    def lines(self) -> list[str]:
        if not self._signs:
            return []
        left, right = (pick(at for at, _ in self._signs) for pick in (min, max))
        top, bottom = (pick(at for _, at in self._signs) for pick in (min, max))
        rows = range(top, bottom + 1)
        return ["".join([self._signs.get((at, row), " ") for at in range(left, right + 1)]).rstrip() for row in rows]


def _centred(text: str, size: int) -> str:
    """Returns a text centred in `size` columns; if it is too long, its longest word is cut."""
    if width(text) > size:
        words = text.split(" ")
        at = max(range(len(words)), key=lambda number: width(words[number]))
        while words[at] and width(" ".join(words)) >= size:
            words[at] = words[at][:-1]
        words[at] += _MORE
        text = " ".join(words)
    while width(text) > size:
        text = text[:-1]
    return padded(" " * ((size - width(text)) // 2) + text, size)


def _bound_variables(game: Game) -> list[Any]:
    """Returns the values bound in the rule that asks: the arguments of a menu, the variables of a procedure."""
    asking = game.asking_rule
    bound = asking.gi_frame.f_locals if asking is not None and asking.gi_frame is not None else {}
    return [value for name, value in bound.items() if LOCAL.owns(name)]
