"""The board as text: the ruleset's own map or a grid, what stands where, and every value that a seat may see."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from interpreter.console.label_templates import Portraits
from interpreter.console.map_window import Chart
from interpreter.console.name_lookup import resolve_name
from interpreter.console.option_labels import grouped, traits
from interpreter.language.text_width import width
from interpreter.play.game import Game
from interpreter.play.views.visibility import CONTENTS, COUNT, Visibility, seat_named
from interpreter.play.wording.messages import COMMA, HIDDEN_HERE
from interpreter.play.wording.text_table import padded, wrapped
from interpreter.play.wording.wording import Wording
from interpreter.world.things import Link, Piece, Space, Thing, Word

_FIELD = re.compile(r"\{(\w+)(?::(\d{1,3})\}|\}( *))")
"""`{id}` with the blanks behind it, or `{id:12}` where twelve columns are meant."""
_MORE = "…"
USUAL_COLUMNS = 100
_WIDEST_NAME = 36


def board_text(game: Game, seat: str | None = None, columns: int = USUAL_COLUMNS) -> str:
    """The position as a seat sees it (with no seat: as everybody may), in lines of at most about so many columns.

    Raises:
        UsageError: if there is no such seat.
    """
    picture = _BoardPicture(game, seat)
    drawn = picture.map() or chart_text(game, seat) or picture.grid()
    parts = [drawn, picture.places(columns), picture.values(columns), picture.state()]
    return "\n\n".join(filter(None, parts))


def place_text(game: Game, name: str, seat: str | None = None, columns: int = USUAL_COLUMNS) -> str:
    """One space, thing or piece as a seat sees it: its values, and what stands in it, each on a line.

    Raises:
        UsageError: if nothing is called so, or several things are.
    """
    return _BoardPicture(game, seat).one(name, columns)


def map_text(game: Game, seat: str | None = None, name: str = "") -> str:
    """The ruleset's map: all of it where it is drawn as text, else the part around a place or what is going on.

    Raises:
        UsageError: if nothing on the map is called so, or several things are.
    """
    picture = _BoardPicture(game, seat)
    return picture.map() or chart_text(game, seat, name) or picture.grid()


def chart_text(
    game: Game,
    seat: str | None = None,
    name: str = "",
    room: tuple[int, int] | None = None,
    *,
    legend: bool = True,
) -> str:
    """The part of the map that `presentation.chart` describes: around a place, or what is going on if none is named.

    `room` is the columns and lines that it may take, `legend` whether it says what its signs mean. Empty where the
    ruleset describes none, or nothing that is going on has a place on it.

    Raises:
        UsageError: if nothing on the map is called so, or several things are.
    """
    chart = Chart(game, seat)
    if not chart.exists:
        return ""
    middle = chart.place(name) if name else chart.focus()
    return "" if middle is None else chart.text(middle, room, legend=legend)


class _BoardPicture:
    """One position before one pair of eyes."""

    def __init__(self, game: Game, seat: str | None) -> None:
        self._objects: Sequence[Thing] = game.core.world.objects
        self._state = game.core.world.state
        self._words: Wording = game.setting.wording
        game.core.look()
        self._sight = Visibility(game.core, seat_named(game.core, seat))
        self._presentation: Mapping[str, Any] = getattr(game.setting.ruleset, "presentation", None) or {}
        self._symbols: Mapping[str, Any] = self._presentation.get("symbols", {})
        self._portraits = Portraits(game, self._sight)
        self._without: frozenset[str] = frozenset(self._presentation.get("board", {}).get("without", ()))

    # ------------------------------------------------------------ maps
    def map(self) -> str:
        """The ruleset's map with what stands in each space; empty if it draws none."""
        drawn = self._presentation.get("map")
        if isinstance(drawn, Mapping):
            drawn = drawn.get(self._words.language) or drawn.get("en")
        if not drawn:
            return ""
        spaces = {each.id: each for each in self._objects if isinstance(each, Space)}

        def fill(field: re.Match[str]) -> str:
            space = spaces.get(field[1])
            return field[0] if space is None else _fitted(self._signs(space), int(field[2] or len(field[0])))

        return _FIELD.sub(fill, str(drawn)).rstrip()

    def grid(self) -> str:
        """The board of a game that is played on a regular one; empty for every other."""
        cells = {(each.row, each.column): each for each in self._objects if isinstance(each, Space) and each.row}
        if not cells or "chart" in self._presentation:
            return ""
        rows = range(max(row for row, _ in cells if row), 0, -1)
        columns = range(1, max(column for _, column in cells if column) + 1)
        signs = {at: self._signs(space) or "·" for at, space in cells.items()}
        size = max(map(len, signs.values()))
        lines = [
            f"{row:>3} " + " ".join([signs.get((row, column), "").center(size) for column in columns]) for row in rows
        ]
        letters = [cells[1, column].id.rstrip("0123456789") if (1, column) in cells else "" for column in columns]
        return "\n".join([*lines, "    " + " ".join([each.center(size) for each in letters])])

    def _signs(self, space: Space) -> str:
        """What stands in a space, as short as it goes: a count and a sign for each sort of piece."""
        known, hidden = self._contents(space)
        counts = Counter(self._sign(each) for each in known)
        if hidden:
            counts["?"] += hidden
        return " ".join([sign if count == 1 else f"{count}{sign}" for sign, count in counts.items()])

    def _sign(self, piece: Piece) -> str:
        """A piece's sign: its own, else those of its values, else that of its kind, else its initial."""
        own = self._symbol(piece)
        if own:
            return own
        values = [getattr(piece, slot) for slot in piece.slots]
        signs = [self._symbol(each) for each in values if isinstance(each, Thing | Word)]
        return "".join(signs) or self._kind_sign(piece) or self._words.stem(piece)[:1]

    def _symbol(self, value: Thing | Word) -> str:
        own = self._symbols.get(value.kind)
        if isinstance(own, Mapping):
            return str(own.get(value.id, ""))
        word = self._symbols.get(value.id) if isinstance(value, Word) else None
        return str(word) if isinstance(word, str) else ""

    def _kind_sign(self, piece: Piece) -> str:
        return next(
            (str(self._symbols[each]) for each in piece.lineage if isinstance(self._symbols.get(each), str)), ""
        )

    # ------------------------------------------------------------ tables
    def places(self, columns: int) -> str:
        """What stands in each space, and in each thing that holds pieces; empty ones of a grid are left out."""
        holders = [each for each in self._objects if each.holds and not isinstance(each, Piece)]
        rows = [(self._place_name(each), self._standing(each)) for each in holders if self._worth_a_row(each)]
        return _two_columns(rows, columns)

    def _worth_a_row(self, holder: Thing) -> bool:
        known, hidden = self._contents(holder)
        if self._without.intersection(holder.lineage):
            return False
        if isinstance(holder, Space) and holder.row:
            return (
                bool(known and self._portraits.of(known[0]))
                or len(known) + hidden > 1
                or any(traits(each, self._words) for each in known)
            )
        return bool(known or hidden or isinstance(holder, Space))

    def one(self, name: str, columns: int) -> str:
        """A thing with its values, and everything in it, line by line."""
        thing = self._named(name)
        told = self._portraits.of(thing) or self._place_name(thing)
        lines = [told] if isinstance(thing, Space) else [told, *self._marks(thing)]
        return "\n".join(
            [
                each
                for line in [*lines, *self._within(thing, 1)]
                for each in wrapped(line, columns, " " * (len(line) - len(line.lstrip()) + 4))
            ]
        )

    def _marks(self, thing: Thing) -> list[str]:
        marks = traits(thing, self._words) if self._sight.veil(thing) is None else []
        return [f"  {', '.join(marks)}"] if marks else []

    def _within(self, holder: Thing, depth: int) -> list[str]:
        """What stands in something, each on a line, and under it what stands in that."""
        known, hidden = self._contents(holder)
        lines = []
        for each in known:
            told = self._portraits.of(each) or "".join(grouped([each], self._words))
            lines += [f"{'  ' * depth}{told}", *self._within(each, depth + 1)]
        return lines + ([f"{'  ' * depth}{self._hidden(hidden)}"] if hidden else [])

    def _named(self, name: str) -> Thing:
        """What a name means: a space or a piece where it can, else any other thing."""
        told = [each for each in self._objects if not self._sight.hides(each) and not isinstance(each, Link)]
        places = self._by_name([each for each in told if isinstance(each, Space | Piece)])
        if any(name.casefold() in each for each in places):
            return resolve_name(name, places, self._words)
        return resolve_name(name, self._by_name(told), self._words)

    def _by_name(self, things: Iterable[Thing]) -> dict[str, Thing]:
        found: dict[str, Thing] = {}
        for each in things:
            found.setdefault(each.id.casefold(), each)
            found.setdefault(self._words.of(each).casefold(), each)
        return found

    def _place_name(self, holder: Thing) -> str:
        said = self._portraits.of(holder)
        if said is not None:
            return said
        marks = traits(holder, self._words) if isinstance(holder, Space) and self._sight.veil(holder) is None else []
        return self._words.of(holder) + (f" ({self._words.say(COMMA).join(marks)})" if marks else "")

    def _standing(self, holder: Thing) -> str:
        known, hidden = self._contents(holder)
        told = [said for each in known if (said := self._portraits.of(each)) is not None]
        plain = [each for each in known if self._portraits.of(each) is None]
        told += grouped(plain, self._words)
        told += [f"[{self._words.of(each)}: {self._standing(each)}]" for each in plain if any(self._contents(each))]
        if hidden:
            told.append(self._hidden(hidden))
        comma = self._words.say(COMMA)
        return ("; " if any(comma in each for each in told) else comma).join(told) or "–"

    def _hidden(self, count: int) -> str:
        return self._words.say(HIDDEN_HERE, count=count)

    def _contents(self, holder: Thing) -> tuple[list[Piece], int]:
        """The pieces in it that may be known, and how many more there are as far as that may be known."""
        pieces = [each for slot in sorted(holder.holds) for each in getattr(holder, slot)]
        known = [each for each in pieces if not self._sight.hides(each)]
        veil = self._sight.veil(holder)
        if veil is not None and not veil.seen & {CONTENTS, COUNT}:
            return known, 0
        return known, len(pieces) - len(known)

    def values(self, columns: int) -> str:
        """The values of seats and things, those of one kind under each other."""
        kinds: dict[str, list[Thing]] = {}
        for each in self._objects:
            if isinstance(each, Space | Link | Piece) or self._without.intersection(each.lineage):
                continue
            if each.attributes and self._sight.veil(each) is None:
                kinds.setdefault(each.kind, []).append(each)
        return "\n\n".join(filter(None, [self._of_kind(each, columns) for each in kinds.values()]))

    def _of_kind(self, things: list[Thing], columns: int) -> str:
        rows = [(self._words.of(each), ", ".join(traits(each, self._words))) for each in things]
        title = self._words.word(things[0].kind)
        told = _two_columns([row for row in rows if row[1]], columns)
        return f"{title[:1].upper()}{title[1:]}:\n{told}" if told else ""

    def state(self) -> str:
        """The values of the game as a whole."""
        pairs = zip(self._state.attributes, self._state.slots, strict=True)
        told = [(self._words.attribute(name), self._sight.masked(getattr(self._state, slot))) for name, slot in pairs]
        return "\n".join([f"{name}: {self._words.of(value)}" for name, value in told])


def _fitted(text: str, size: int) -> str:
    return padded(text, size) if width(text) <= size else text[: size - 1] + _MORE


def _two_columns(rows: Iterable[tuple[str, str]], columns: int) -> str:
    listed = list(rows)
    if not listed:
        return ""
    first = min(max(width(name) for name, _ in listed), _WIDEST_NAME)
    space = max(columns - first - 4, 30)
    lines = []
    for name, text in listed:
        parts = wrapped(text, space)
        if width(name) > first:
            lines.append(f"  {name}")
        else:
            lines.append(f"  {padded(name, first)}  {parts.pop(0)}".rstrip())
        lines += [f"  {'':{first}}  {part}" for part in parts]
    return "\n".join(lines)
