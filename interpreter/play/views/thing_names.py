"""The names of the things that a seat can see, and what a text among them means."""

from __future__ import annotations

import re
from collections.abc import Callable

from interpreter.play.engine.engine import GameEngine
from interpreter.play.engine.simultaneous import wording_of
from interpreter.play.views.visibility import Visibility
from interpreter.world.things import Link, Piece, Space, Thing

FITS = (str.__eq__, str.startswith, str.__contains__)
"""How a text may fit a name in a short list, the closest first: the whole name, its beginning, any part of it."""


class ThingNames:
    """The visible things of one position, by id and by name."""

    def __init__(self, game: GameEngine, visibility: Visibility) -> None:
        self._words = wording_of(game)
        self._visible = [
            each for each in game.core.world.objects if not isinstance(each, Link) and not visibility.hides(each)
        ]

    def named(self, text: str) -> list[Thing]:
        """Returns the things that a text names: the spaces and pieces that it fits best, and so of all other things.

        Those that it fits better come first.
        """
        wanted = text.casefold()
        both = [self._fitting(wanted, on_board=each) for each in (True, False)]
        return [thing for _, found in sorted(both, key=lambda each: each[0]) for thing in found]

    def whole(self, text: str) -> list[Thing]:
        """Returns the things whose whole name a text is."""
        return [each for each in self._visible if text.casefold() in self._names(each)]

    def has_whole(self, text: str) -> bool:
        """Whether a text is the whole name of a thing."""
        return bool(self.whole(text))

    def longest_in(self, text: str) -> tuple[list[Thing], str]:
        """Returns the things with the longest whole name in a text, and this name; none if the text has no name."""
        known = {name for each in self._visible for name in self._names(each) if name in text}
        inside = [name for name in known if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) or not name.isascii()]
        longest = max(sorted(inside), key=len, default="")
        return ([each for each in self._visible if longest in self._names(each)] if longest else []), longest

    def _fitting(self, wanted: str, *, on_board: bool) -> tuple[int, list[Thing]]:
        """Returns how well a text fits, 0 the best, and the things that it fits so."""
        names = [(each, self._names(each)) for each in self._visible if isinstance(each, Space | Piece) is on_board]
        # any part of a name would make sense of almost every text
        begins_word = re.compile(rf"\b{re.escape(wanted)}").search
        tests: tuple[Callable[[str], object], ...] = (wanted.__eq__, lambda name: name.startswith(wanted), begins_word)
        for level, fits in enumerate(tests):
            found = [each for each, known in names if any(map(fits, known))]
            if found:
                return level, found
        return len(tests), []

    def _names(self, thing: Thing) -> tuple[str, str]:
        return thing.id.casefold(), self._words.of(thing).casefold()
