"""The board as text: the ruleset's own map or a grid, the pieces in each place, and every value that a seat may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from interpreter.console.coloured_text import NOTHING, ColouredText, plain
from interpreter.console.drawn_map import DrawnMap, Signs
from interpreter.console.label_templates import LabelTemplates
from interpreter.console.map_colours import MapColours
from interpreter.console.map_overview import MapOverview
from interpreter.console.map_window import MapWindow
from interpreter.console.name_lookup import resolve_names
from interpreter.console.option_labels import group_texts, shown_slots, space_of, trait_text, traits, with_traits
from interpreter.console.rest_values import RestValues
from interpreter.language.model.emitted_names import is_hidden_name
from interpreter.language.text_width import width
from interpreter.play.game import Game
from interpreter.play.views.visibility import CONTENTS, COUNT, Visibility, seat_by_id
from interpreter.play.wording.messages import (
    AND_MORE,
    COMMA,
    HEAD_OF_LIST,
    HIDDEN_HERE,
    IN_PLACE,
    NEXT_TO,
    NOTHING_IN,
    SEMICOLON,
    VALUE_OF,
)
from interpreter.play.wording.text_table import padded, wrapped
from interpreter.play.wording.wording import Wording
from interpreter.world.map_graph import is_shifted
from interpreter.world.things import Link, Piece, Space, Thing, Word

DEFAULT_COLUMNS = 100
_MAX_NAME_COLUMNS = 36
_MAX_NAMESAKES = 4
"""The most things of one name that are shown."""
_MAX_LISTED = 12
"""The most things with one value that are named."""
_ALL = "all"


def board_text(game: Game, seat: str | None = None, columns: int = DEFAULT_COLUMNS) -> str:
    """Returns the position as a seat sees it (without a seat: what everybody may see), in about `columns`.

    Raises:
        UsageError: if there is no such seat.
    """
    position = _PositionText(game, seat)
    around = map_window(game, seat) or MapOverview(game, seat).whole(columns)
    drawn = str(position.map().drawn(columns) or around) or position.grid()
    sections = [drawn, position.places(columns), position.values(columns), position.state()]
    return "\n\n".join(filter(None, sections))


def place_text(game: Game, name: str, seat: str | None = None, columns: int = DEFAULT_COLUMNS) -> str:
    """Returns one space, thing or piece as a seat sees it: its values and its contents, each on a line.

    Raises:
        UsageError: if nothing has this name, or several things do.
    """
    return _PositionText(game, seat).one(name, columns)


def map_text(
    game: Game, seat: str | None = None, name: str = "", columns: int = DEFAULT_COLUMNS, lines: int | None = None
) -> ColouredText:
    """Returns the map as a seat sees it, by default the ruleset's own drawing or the current location.

    `name` is a place or a thing to show the surroundings of; 'all' shows an overview, as does an empty name if the
    decision is about no place. With `lines`, a drawing that is higher than that is cut to the surroundings.

    Raises:
        UsageError: if nothing on the map has this name, or several things do.
    """
    position = _PositionText(game, seat)
    if drawn := position.map():
        return drawn.drawn(columns) if name.casefold() == _ALL else drawn.drawn(columns, name, lines)
    around = NOTHING if name.casefold() == _ALL else map_window(game, seat, name)
    return around or MapOverview(game, seat).drawn(columns) or plain(position.grid())


def drawn_map(game: Game, seat: str | None = None) -> DrawnMap:
    """Returns the map that the ruleset draws, as a seat sees it; it is empty if the ruleset draws none."""
    return _PositionText(game, seat).map()


def map_window(
    game: Game,
    seat: str | None = None,
    name: str = "",
    size: tuple[int, int] | None = None,
    *,
    legend: bool = True,
) -> ColouredText:
    """Returns the part of the map (`presentation.chart`) around a named place or the current location.

    `size` is the number of columns and lines it may take; `legend` adds the meaning of its symbols. The text is empty
    if the ruleset describes no such map, or the current location is not on it.

    Raises:
        UsageError: if nothing on the map has this name, or several things do.
    """
    window = MapWindow(game, seat)
    if not window.exists:
        return NOTHING
    middle = window.place(name) if name else window.focus()
    return NOTHING if middle is None else window.drawn(middle, size, legend=legend)


class _PositionText:
    """Formats one position as one seat sees it."""

    def __init__(self, game: Game, seat: str | None) -> None:
        self._game = game = game.before_simultaneous() or game
        self._objects: Sequence[Thing] = game.core.world.objects
        self._state = game.core.world.state
        self._grids = game.core.shared.model.map.grids
        self._words: Wording = game.source.wording
        game.core.begin_query()
        self._visibility = Visibility(game.core, seat_by_id(game.core, seat))
        self._presentation: Mapping[str, Any] = getattr(game.source.ruleset, "presentation", None) or {}
        self._symbols: Mapping[str, Any] = self._presentation.get("symbols", {})
        self._labels = LabelTemplates(game, self._visibility)
        self._rest = RestValues(game)
        board: Mapping[str, Any] = self._presentation.get("board", {})
        self._left_out: frozenset[str] = frozenset(board.get("without", ()))
        self._without_empty: frozenset[str] = frozenset(board.get("without_empty", ()))

    # ------------------------------------------------------------ maps
    def map(self) -> DrawnMap:
        """Returns the map that the ruleset draws, which may be none."""
        colours = MapColours(self._presentation, self._labels, self._visibility)
        return DrawnMap(self._game, self._visibility, lambda space: self._signs(space, colours), self._explained_signs)

    def _explained_signs(self, space: Space) -> list[str]:
        """Returns the signs that pieces have for themselves alone, each with the name."""
        signed = [(self._symbol(each), each) for each in self._contents(space)[0]]
        return [f"{sign} {self._words.of(each)}" for sign, each in signed if sign and self._is_single(sign, each.kind)]

    def _is_single(self, sign: str, kind: str) -> bool:
        """Whether one thing of a kind alone has this sign."""
        return list(self._symbols[kind].values()).count(sign) == 1

    def grid(self) -> str:
        """Returns the board of a game that is played on a regular grid; empty for any other game."""
        cells = {(each.row, each.column): each for each in self._objects if isinstance(each, Space) and each.row}
        if not cells or "chart" in self._presentation:
            return ""
        grid = self._grids.get(next(iter(cells.values())).kind)
        layout = None if grid is None else grid.layout
        rows = sorted({row for row, _ in cells if row}, reverse=layout is None or layout.first_row == "bottom")
        columns = range(1, max(column for _, column in cells if column) + 1)
        signs = {at: " ".join([sign for sign, _ in self._signs(space)]) or "·" for at, space in cells.items()}
        size = max(map(len, signs.values()))
        shifted = {row for row in rows if layout and layout.shape == "hexes_in_rows" and is_shifted((1, row), layout)}
        lines = [
            f"{row:>3} {' ' * ((size + 1) // 2 if row in shifted else 0)}"
            + " ".join([signs.get((row, column), "").center(size) for column in columns]).rstrip()
            for row in rows
        ]
        letters = [cells[1, column].id.rstrip("0123456789") if (1, column) in cells else "" for column in columns]
        return "\n".join([*lines, "    " + " ".join([each.center(size) for each in letters])])

    def _signs(self, space: Space, colours: MapColours | None = None) -> Signs:
        """Returns the contents of a space in the shortest form: a count and a symbol for each sort of piece."""
        known, hidden = self._contents(space)
        counts = Counter((self._sign(each), colours.of(each) if colours else None) for each in known)
        veiled = Counter((self._hidden_sign(each), colours.of(each) if colours else None) for each in hidden)
        counts.update(dict(sorted(veiled.items(), key=str)))
        return [(sign if count == 1 else f"{count}{sign}", colour) for (sign, colour), count in counts.items()]

    def _sign(self, piece: Piece) -> str:
        """Returns a piece's symbol: its own, else those of its values, else that of its kind, else its initial."""
        own = self._symbol(piece)
        if own:
            return own
        values = [getattr(piece, slot) for slot in piece.slots]
        signs = [self._symbol(each) for each in values if isinstance(each, Thing | Word)]
        return "".join(signs) or self._kind_sign(piece) or self._words.stem(piece)[:1]

    def _hidden_sign(self, piece: Piece) -> str:
        """Returns the symbols of what a seat sees of a hidden piece, and a question mark."""
        values = self._visibility.seen_values(piece).values()
        return "".join([self._symbol(each) for each in values if isinstance(each, Thing | Word)]) + "?"

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
        """Returns the contents of each space and each thing that holds pieces; empty cells of a grid are left out."""
        holders = [each for each in self._objects if each.holds and not isinstance(each, Piece) and self._has_row(each)]
        empty = [each for each in holders if self._is_empty(each) and not self._has_news(each)]
        rows = [
            (self._labels.board_label(each) or self._place_text(each), self._contents_text(each))
            for each in holders
            if each not in empty
        ]
        empty = [each for each in empty if not self._without_empty.intersection(each.lineage)]
        if not empty:
            return _two_columns(rows, columns)
        names = self._words.say(COMMA).join([self._words.of(each) for each in empty])
        line = self._words.say(NOTHING_IN, places=names)
        return "\n".join([*filter(None, [_two_columns(rows, columns)]), *wrapped(f"  {line}", columns, "    ")])

    def _is_empty(self, holder: Thing) -> bool:
        """Whether nothing is in a holder, as far as the seat may know that."""
        return self._counts_are_seen(holder) and not any(self._contents(holder))

    def _counts_are_seen(self, holder: Thing) -> bool:
        mask = self._visibility.mask(holder)
        return mask is None or bool(mask.seen & {CONTENTS, COUNT})

    def _has_news(self, holder: Thing) -> bool:
        """Whether a holder has values that the seat may see and that differ from those of the ruleset."""
        return self._visibility.mask(holder) is None and bool(self._rest.stirred(holder))

    def _has_row(self, holder: Thing) -> bool:
        known, hidden = self._contents(holder)
        if self._left_out.intersection(holder.lineage):
            return False
        if isinstance(holder, Space) and holder.row:
            return (
                bool(known and self._labels.of(known[0]))
                or len(known) + len(hidden) > 1
                or any(traits(each, self._words) for each in known)
            )
        return bool(known or hidden or isinstance(holder, Space))

    def one(self, name: str, columns: int) -> str:
        """Returns the things of a name with their values and everything in them, line by line."""
        found = self._find(name)
        lines = [line for each in found for line in self._lines_of(each, of_several=len(found) > 1)]
        return "\n".join(
            [each for line in lines for each in wrapped(line, columns, " " * (len(line) - len(line.lstrip()) + 4))]
        )

    def _lines_of(self, thing: Thing, *, of_several: bool) -> list[str]:
        """Returns the lines of a thing; its kind comes first if it is one of several of its name."""
        is_on_board = isinstance(thing, Space | Piece)
        title = self._labels.of(thing) or (None if is_on_board else self._labels.board_label(thing))
        title = title or self._place_text(thing)
        is_bare = not isinstance(thing, Space) or self._labels.of(thing) is not None
        own = self._trait_lines(thing, title) if is_bare else []
        own += self._neighbour_lines(thing) if isinstance(thing, Space) else self._place_lines(thing)
        head = self._words.say(VALUE_OF, name=self._words.word(thing.kind), value=title) if of_several else title
        return [head, *own, *self._content_lines(thing, 1), *([] if is_on_board else self._belongings(thing))]

    def _belongings(self, thing: Thing) -> list[str]:
        """Returns a line for each place that is a value of a thing, and for each kind of things that have it as value.

        Of spaces only the values that rules change are considered, and no things that no rule changes. Attributes
        that the list of the position leaves out say nothing here either.
        """
        places = [each for each in self._values(thing) if isinstance(each, Space) and not any(each.neighbours)]
        lines = [(self._words.of(each), self._contents_text(each)) for each in places]
        owners: dict[tuple[str, str], list[Thing]] = {}
        for each in self._objects:
            is_listed = not isinstance(each, Link | Piece) and not self._left_out.intersection(each.lineage)
            if is_listed and each is not thing and self._visibility.mask(each) is None:
                names = dict(zip(each.slots, each.attributes, strict=True))
                for slot in shown_slots(each, self._left_out):
                    is_shown = slot in each.changing or (each.changing and not isinstance(each, Space))
                    if is_shown and getattr(each, slot) is thing:
                        owners.setdefault((each.kind, self._words.attribute(names[slot], each)), []).append(each)
        for (kind, attribute), things in owners.items():
            head = with_traits(
                self._words.word(kind), [self._words.labelled(attribute, self._words.of(thing))], self._words
            )
            listed = self._words.join([self._words.of(each) for each in things[:_MAX_LISTED]])
            rest = len(things) - _MAX_LISTED
            lines.append((head, self._words.say(AND_MORE, names=listed, count=rest) if rest > 0 else listed))
        return [f"  {self._words.say(VALUE_OF, name=name, value=value)}" for name, value in lines]

    def _values(self, thing: Thing) -> list[Any]:
        return [getattr(thing, each) for each in thing.slots] if self._visibility.mask(thing) is None else []

    def _trait_lines(self, thing: Thing, title: str) -> list[str]:
        """Returns a line with the values of a thing, but for words and texts that its title says already."""
        shown = {
            slot
            for slot in thing.slots
            if (isinstance(value := getattr(thing, slot), str | Word) and self._words.of(value) in title)
            or (isinstance(value, Space) and not isinstance(thing, Piece) and not any(value.neighbours))
        }
        unsaid = [each for each in shown_slots(thing, self._left_out) if each not in shown]
        found = traits(thing, self._words, unsaid, named=True) if self._visibility.mask(thing) is None else []
        return [f"  {self._words.say(COMMA).join(found)}"] if found else []

    def _neighbour_lines(self, space: Space) -> list[str]:
        """Returns a line with the neighbours of a space, each with the values of the link to it."""
        names = [
            with_traits(self._words.of(each), self._link_traits(space, each), self._words) for each in space.neighbours
        ]
        return [f"  {self._words.say(NEXT_TO, places=self._words.join(names))}"] if names else []

    def _link_traits(self, here: Space, there: Space) -> list[str]:
        links = [each for each in self._objects if isinstance(each, Link) and set(each.ends) == {here, there}]
        return [text for each in links for text in traits(each, self._words)]

    def _place_lines(self, thing: Thing) -> list[str]:
        """Returns a line with the space of a piece, however deep it is in other pieces."""
        place = space_of(thing) if isinstance(thing, Piece) else None
        if place is None:
            return []
        return [f"  {self._words.say(IN_PLACE, place=self._words.of(place))}"]

    def _content_lines(self, holder: Thing, depth: int) -> list[str]:
        """Returns the contents of a holder, each piece on a line, with its own contents indented below it."""
        known, hidden = self._contents(holder)
        lines = []
        for each in known:
            label = self._labels.of(each) or "".join(group_texts([each], self._words, self._left_out))
            lines += [f"{'  ' * depth}{label}", *self._content_lines(each, depth + 1)]
        return lines + [f"{'  ' * depth}{each}" for each in self._hidden_texts(hidden)]

    def _find(self, name: str) -> list[Thing]:
        """Returns all things with this whole name, else those, if they are few, whose name has this part.

        These are spaces or pieces if there are any, else other things.
        """
        visible = [each for each in self._objects if not self._visibility.hides(each) and not isinstance(each, Link)]
        wanted = name.casefold()
        whole = [each for each in visible if wanted in (each.id.casefold(), self._words.of(each).casefold())]
        if whole:
            return whole[:_MAX_NAMESAKES]
        places = self._by_name([each for each in visible if isinstance(each, Space | Piece)])
        is_place = any(wanted in each for each in places)
        return resolve_names(name, places if is_place else self._by_name(visible), self._words, _MAX_NAMESAKES)

    def _by_name(self, things: Iterable[Thing]) -> dict[str, Thing]:
        found: dict[str, Thing] = {}
        for each in things:
            found.setdefault(each.id.casefold(), each)
            found.setdefault(self._words.of(each).casefold(), each)
        return found

    def _place_text(self, holder: Thing) -> str:
        label = self._labels.of(holder)
        if label is not None:
            return label
        known = isinstance(holder, Space) and self._visibility.mask(holder) is None
        found = traits(holder, self._words) if known else []
        return with_traits(self._words.of(holder), found, self._words)

    def _contents_text(self, holder: Thing) -> str:
        known, hidden = self._contents(holder)
        labels = {each: self._labels.board_label(each) or self._labels.of(each) for each in known}
        texts = [label for label in labels.values() if label is not None]
        plain = [each for each, label in labels.items() if label is None]
        texts += group_texts(plain, self._words, self._left_out)
        texts += [
            f"[{self._words.say(VALUE_OF, name=self._words.of(each), value=self._contents_text(each))}]"
            for each in plain
            if any(self._contents(each))
        ]
        texts += self._hidden_texts(hidden)
        comma = self._words.say(COMMA)
        return (self._words.say(SEMICOLON) if any(comma in each for each in texts) else comma).join(texts) or "–"

    def _hidden_texts(self, pieces: Iterable[Piece]) -> list[str]:
        """Returns the numbers of hidden pieces that look alike, each with what can be seen of them."""
        alike = Counter(self._hidden_traits(each) for each in pieces)
        return [
            with_traits(self._words.say(HIDDEN_HERE, count=count), found, self._words)
            for found, count in sorted(alike.items())
        ]

    def _hidden_traits(self, piece: Piece) -> tuple[str, ...]:
        seen = self._visibility.seen_values(piece).items()
        texts = [trait_text(self._words.attribute(name, piece), value, self._words) for name, value in seen]
        return tuple([each for each in texts if each])

    def _contents(self, holder: Thing) -> tuple[list[Piece], list[Piece]]:
        """Returns the visible pieces in a holder and the hidden ones, of which none if their number is hidden too."""
        pieces = [each for slot in sorted(holder.holds) for each in getattr(holder, slot)]
        known = [each for each in pieces if not self._visibility.hides(each)]
        if not self._counts_are_seen(holder):
            return known, []
        return known, [each for each in pieces if self._visibility.hides(each)]

    def values(self, columns: int) -> str:
        """Returns the values of seats and things that rules change or a scenario sets, one table per kind."""
        kinds: dict[str, list[Thing]] = {}
        for each in self._objects:
            if isinstance(each, Space | Link | Piece) or self._left_out.intersection(each.lineage):
                continue
            if each.attributes and self._visibility.mask(each) is None:
                kinds.setdefault(each.kind, []).append(each)
        return "\n\n".join(filter(None, [self._kind_table(each, columns) for each in kinds.values()]))

    def _kind_table(self, things: list[Thing], columns: int) -> str:
        title = self._words.word(things[0].kind)
        labels = [label for each in things if (label := self._labels.board_label(each)) is not None]
        rows = [(self._words.of(each), self._trait_texts(each)) for each in things]
        table = _listed(labels, columns) if labels else _two_columns([row for row in rows if row[1]], columns)
        head = self._words.say(HEAD_OF_LIST, title=f"{title[:1].upper()}{title[1:]}")
        return f"{head}\n{table}" if table else ""

    def _trait_texts(self, thing: Thing) -> str:
        shown, kept = shown_slots(thing, self._left_out), self._rest.shown(thing)
        return self._words.say(COMMA).join(traits(thing, self._words, [each for each in kept if each in shown]))

    def state(self) -> str:
        """Returns the values of the game as a whole that are set and that the narration shows."""
        hidden = self._left_out.union(self._presentation.get("log_hides", ()))
        pairs = zip(self._state.attributes, self._state.slots, strict=True)
        shown = [
            (self._words.attribute(name), self._visibility.masked(getattr(self._state, slot)))
            for name, slot in pairs
            if not is_hidden_name(name) and name not in hidden and self._rest.is_shown(slot, getattr(self._state, slot))
        ]
        lines = [(name, self._words.of(value)) for name, value in shown if value not in (None, ())]
        return "\n".join([self._words.say(VALUE_OF, name=name, value=value) for name, value in lines])


def _listed(texts: Iterable[str], columns: int) -> str:
    return "\n".join([line for each in texts for line in wrapped(f"  {each}", columns, "    ")])


def _two_columns(rows: Iterable[tuple[str, str]], columns: int) -> str:
    listed = list(rows)
    if not listed:
        return ""
    first = min(max(width(name) for name, _ in listed), _MAX_NAME_COLUMNS)
    space = max(columns - first - 4, 30)
    lines = []
    for name, text in listed:
        pieces = wrapped(text, space)
        if width(name) > first:
            lines += [f"  {part}" for part in wrapped(name, columns - 2, "  ")]
        else:
            lines.append(f"  {padded(name, first)}  {pieces.pop(0)}".rstrip())
        lines += [f"  {'':{first}}  {piece}" for piece in pieces]
    return "\n".join(lines)
