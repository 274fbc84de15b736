"""The map of a game that is played on a large grid: the part of it where something is going on, cell by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from interpreter.console.cell_shapes import Outline, Spot, outline, towards
from interpreter.console.label_templates import PIECES, Portraits, sign_of
from interpreter.console.name_lookup import resolve_name
from interpreter.language.text_width import width
from interpreter.play.game import Game
from interpreter.play.views.visibility import Visibility, seat_named
from interpreter.play.wording.messages import AROUND
from interpreter.play.wording.text_table import padded
from interpreter.rules.loading.ruleset import text_in
from interpreter.world.things import Piece, Space, Thing, Word

_AROUND, _WIDTH = 3, 8
_MOST_OPTIONS = 200
_MORE = "…"
_Cell = tuple[int, int]


class Chart:
    """Draws parts of the map that `presentation.chart` describes, as one seat sees them (none: as everybody may)."""

    def __init__(self, game: Game, seat: str | None) -> None:
        self._game = game
        self._words = game.setting.wording
        game.core.look()
        self._sight = Visibility(game.core, seat_named(game.core, seat))
        self._portraits = Portraits(game, self._sight)
        presentation: Mapping[str, Any] = getattr(game.setting.ruleset, "presentation", None) or {}
        self._symbols: Mapping[str, Any] = presentation.get("symbols", {})
        self._plan: Mapping[str, Any] = presentation.get("chart", {})
        self._around = int(self._plan.get("around", _AROUND))
        self._lines: Sequence[str] = self._plan.get("cell", ("{id}", "{pieces}"))
        kind = self._plan.get("of")
        spaces = [each for each in game.core.world.objects if kind in each.lineage and isinstance(each, Space)]
        self._cells: dict[_Cell, Space] = {(each.column, each.row): each for each in spaces if each.column and each.row}
        grid = game.core.shared.model.map.grids.get(kind or "")
        shape = None if grid is None else grid.shape
        self._outline: Outline = outline(shape, int(self._plan.get("width", _WIDTH)), len(self._lines))

    @property
    def exists(self) -> bool:
        """Whether the ruleset describes such a map."""
        return bool(self._cells)

    # ------------------------------------------------------------ where to look
    def place(self, name: str) -> Space:
        """The space of the map that a name means: its id or name, or that of something that stands on it or says it.

        Raises:
            UsageError: if it means none, or several.
        """
        known: dict[str, Space] = {}
        for thing in self._game.core.world.objects:
            if not self._sight.hides(thing) and (space := self._space_of(thing)) is not None:
                known.setdefault(thing.id.casefold(), space)
                known.setdefault(self._words.of(thing).casefold(), space)
        return resolve_name(name, known, self._words)

    def focus(self) -> Space | None:
        """The middle of what the decision is about: what the state names, else its menu, its question, its options."""
        for things in self._about():
            spaces = [space for each in things if (space := self._space_of(each)) is not None]
            if spaces:
                return self._middle(spaces)
        return None

    def _about(self) -> Iterator[Iterable[Any]]:
        state = self._game.core.world.state
        named = self._plan.get("focus", ())
        yield [getattr(state, f"a_{each}", None) for each in ([named] if isinstance(named, str) else named)]
        yield _bound(self._game)
        decision = self._game.decision
        if decision is not None:
            yield decision.asked_about
            yield [*decision.options[:_MOST_OPTIONS], *(decision.chosen or ())]

    def _space_of(self, thing: Any) -> Space | None:
        """Where on the map something is: it stands there, or one of its values is a space of it."""
        if not isinstance(thing, Thing) or self._sight.hides(thing):
            return None
        holder: Any = thing
        while isinstance(holder, Piece):
            holder = holder.at
        if isinstance(holder, Space) and self._cells.get((holder.column or 0, holder.row or 0)) is holder:
            return holder
        if isinstance(thing, Piece | Space) or self._sight.veil(thing) is not None:
            return None
        said = [getattr(thing, slot) for slot in thing.slots]
        return next((each for each in said if isinstance(each, Space) and each.column and each.row), None)

    def _middle(self, spaces: Sequence[Space]) -> Space | None:
        """The one nearest to the middle of all; none if they are too far apart to be seen together."""
        columns, rows = sorted(each.column or 0 for each in spaces), sorted(each.row or 0 for each in spaces)
        if max(columns[-1] - columns[0], rows[-1] - rows[0]) > 2 * self._around:
            return None
        column, row = (columns[0] + columns[-1]) / 2, (rows[0] + rows[-1]) / 2
        return min(spaces, key=lambda each: abs((each.column or 0) - column) + abs((each.row or 0) - row))

    # ------------------------------------------------------------ drawing
    def text(self, middle: Space, room: Spot | None = None, *, legend: bool = True) -> str:
        """The map around a space, with what its signs mean if `legend`.

        With `room`, so many columns and lines, what does not fit is left out, but for the cells next to the middle.
        """
        assert middle.column is not None
        assert middle.row is not None
        columns = range(middle.column - self._around, middle.column + self._around + 1)
        rows = range(middle.row - self._around, middle.row + self._around + 1)
        shown = {at: each for at, each in self._cells.items() if at[0] in columns and at[1] in rows}
        page, used = _Page(), Counter[str]()
        corners = {space: self._outline.corner(*at) for at, space in shown.items()}
        if room is not None:
            corners = self._fitting(corners, middle, room)
        for corner in corners.values():
            for signs in self._outline.sides.values():
                page.sign(corner, signs)
        for space, corner in corners.items():
            self._sides(page, space, corner, corners, used)
            self._fill(page, space, corner, used)
        told = [self._legend(used), text_in(self._plan.get("legend"), self._words.language)] if legend else []
        return "\n".join(filter(None, [*page.lines(), *told, self._words.say(AROUND, place=self._words.of(middle))]))

    def _fitting(self, corners: Mapping[Space, Spot], middle: Space, room: Spot) -> dict[Space, Spot]:
        """The cells that fit into so many columns and lines around the middle one, and its neighbours in any case."""
        (across, down), (wide, high), kept = corners[middle], self._outline.size(), {middle, *middle.neighbours}
        return {
            space: (left, top)
            for space, (left, top) in corners.items()
            if space in kept or (2 * abs(left - across) + wide <= room[0] and 2 * abs(top - down) + high <= room[1])
        }

    def _sides(
        self, page: _Page, space: Space, corner: Spot, corners: Mapping[Space, Spot], used: Counter[str]
    ) -> None:
        """Draws what lies between a cell and its neighbours; of several things the last of the plan is seen."""
        drawn: Mapping[str, str] = self._plan.get("sides", {})
        for other in space.neighbours if drawn else ():
            link = self._game.core.world.link(space, other) if other in corners else None
            marks = [each for each in drawn if link is not None and getattr(link, f"a_{each}", None)]
            if marks:
                used[marks[-1]] += 1
                side = self._outline.sides[towards(corner, corners[other])]
                page.sign(corner, [(across, down, drawn[marks[-1]]) for across, down, _ in side])

    def _fill(self, page: _Page, space: Space, corner: Spot, used: Counter[str]) -> None:
        def say(value: Any) -> str:
            if isinstance(value, Word) and isinstance(self._symbols.get(value.id), str):
                used[value.id] += 1
            return sign_of(value, self._symbols, self._words)

        for line, (across, down, size) in zip(self._lines, self._outline.texts, strict=False):
            pieces = self._pieces(space) if f"{{{PIECES}}}" in line else ""
            filled = self._portraits.fill(line.replace(f"{{{PIECES}}}", pieces), space, say)
            page.text((corner[0] + across, corner[1] + down), _fitted(filled, size))

    def _pieces(self, space: Space) -> str:
        """The pieces of the kinds that the plan draws, each by its template; others and hidden ones are counted."""
        templates: Mapping[str, str] = self._plan.get("pieces", {})
        signs: Counter[str] = Counter()
        for each in [piece for slot in sorted(space.holds) for piece in getattr(space, slot)]:
            template = next((templates[kind] for kind in each.lineage if kind in templates), None)
            if self._sight.hides(each):
                signs["?"] += 1
            elif template is not None:
                signs[self._portraits.fill(template, each, lambda it: sign_of(it, self._symbols, self._words))] += 1
            else:
                signs[sign_of(each, self._symbols, self._words)[:1]] += 1
        return " ".join([sign if count == 1 else f"{count}×{sign}" for sign, count in signs.items()])

    def _legend(self, used: Counter[str]) -> str:
        """What the signs of grounds and sides mean that are to be seen."""
        drawn: Mapping[str, str] = self._plan.get("sides", {})
        told = []
        for name in used:
            sign = drawn.get(name) or self._symbols.get(name)
            said = self._words.attribute(name) if name in drawn else self._words.word(name)
            told.append(f"{sign} {said}")
        return "  ".join(sorted(told))


class _Page:
    """Signs by their place."""

    def __init__(self) -> None:
        self._signs: dict[Spot, str] = {}

    def sign(self, corner: Spot, signs: Iterable[tuple[int, int, str]]) -> None:
        for across, down, sign in signs:
            self._signs[corner[0] + across, corner[1] + down] = sign

    def text(self, at: Spot, text: str) -> None:
        """A text; a sign that is two columns wide takes two places."""
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


def _fitted(text: str, size: int) -> str:
    """A text in the middle of so many columns; where it is too long its longest word is cut."""
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


def _bound(game: Game) -> list[Any]:
    """What the rule that asks goes by: the arguments of a menu, the names of a procedure."""
    asking = game.asking_rule
    bound = asking.gi_frame.f_locals if asking is not None and asking.gi_frame is not None else {}
    return [value for name, value in bound.items() if name.startswith("v_")]
