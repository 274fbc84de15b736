"""Stops where the screen is full, until the person wants more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from interpreter.cli.streams import erase_line, input_is_terminal, read_line, terminal_size

Line = TypeVar("Line")
_STOP: Final = "q"


class Pager:
    """Counts the lines on a screen since the last question, and asks `prompt` before one would be pushed off it.

    It asks nothing unless input and output are a terminal.
    """

    def __init__(self, prompt: Callable[[], str]) -> None:
        self._prompt = prompt
        self.rows = 0
        """The lines shown since the last question."""
        self._answer: str | None = None
        """What the person typed instead of asking for more: it answers the next question."""

    def begin(self) -> None:
        """Begins an empty screen."""
        self.rows = 0

    def take_answer(self) -> str | None:
        """Begins a new screen at a question; returns what has been typed for it already."""
        self.begin()
        answer, self._answer = self._answer, None
        return answer

    def parts(self, lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
        """Yields the lines that are to be shown, as many at a time as there is room for."""
        rest = lines
        while rest:
            room = self._room()
            shown, rest = (rest, ()) if room is None else (rest[:room], rest[room:])
            self.rows += len(shown)
            if shown:
                yield shown
            if rest and not self._wants_more():
                return

    def _room(self) -> int | None:
        size = terminal_size() if self._answer is None and input_is_terminal() else None
        return None if size is None else max(size[1] - 1 - self.rows, 0)

    def _wants_more(self) -> bool:
        typed = (read_line(self._prompt()) or "").strip()
        erase_line()
        self.begin()
        if typed.casefold() == _STOP:
            return False
        self._answer = typed or None
        return True
