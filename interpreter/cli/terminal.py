"""The terminal of a person: typed lines with completion, and text wrapped to the width of the screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from types import ModuleType

from interpreter.cli.output import Output
from interpreter.cli.pager import Line, Pager
from interpreter.cli.progress import wait_shown
from interpreter.cli.streams import (
    clear_screen,
    input_is_terminal,
    is_terminal,
    read_line,
    readline_module,
    terminal_size,
)
from interpreter.console.coloured_text import ColouredText, plain, with_breaks
from interpreter.language.text_width import width
from interpreter.language.visible_text import visible, visible_line
from interpreter.play.wording.messages import HAND_OVER, MORE, PRESS_ENTER
from interpreter.play.wording.text_table import fitted
from interpreter.play.wording.wording import Wording


class Console:
    """Standard input and output as one terminal; it prompts also if the input is a file or pipe.

    With `words`, in which it asks whether to go on, it stops where the screen is full since the last question.
    """

    def __init__(self, output: Output, words: Wording | None = None) -> None:
        self._output = output
        self._pager = None if words is None or output.json else Pager(lambda: words.say(MORE))
        self._words: Sequence[str] = ()
        self._typed_early: str | None = None
        """A line that was typed before its question was shown."""
        self._readline = readline_module()
        if self._readline is not None:
            self._readline.set_completer_delims("")
            self._readline.set_completer(self._complete)
            self._readline.parse_and_bind(_complete_on_tab(self._readline))

    def ask(self, prompt: str, words: Sequence[str]) -> str | None:
        """Returns a typed line; none at the end of input."""
        self._words = [*map(visible_line, words)]
        typed_early, self._typed_early = self._typed_early, None
        if self._pager is not None:
            typed_early = self._pager.take_answer() or typed_early
        if typed_early and typed_early.strip():
            self.say(f"{prompt}{typed_early}")
            return typed_early
        typed = read_line(prompt)
        if typed is None or not input_is_terminal():
            self.say(typed or "")
        return typed

    def say(self, text: str | ColouredText, style: str | None = None) -> None:
        """Shows a text, wrapped to the width of a terminal; a line that is too wide loses its own colours."""
        size = self.size()
        if isinstance(text, ColouredText):
            lines = text.lines()
            if size is not None:
                lines = [each if width(str(each)) <= size[0] else plain(fitted(str(each), size[0])) for each in lines]
            for part in self._parts(lines):
                self._output.coloured(with_breaks(part))
            return
        shown = visible(text)
        for texts in self._parts((shown if size is None else fitted(shown, size[0])).split("\n")):
            self._output.lines("\n".join(texts), style)

    def scroll(self) -> None:
        """Shows texts without stopping from now on: nobody sits here who would be asked for more."""
        self._pager = None

    def _parts(self, lines: Sequence[Line]) -> Iterable[Sequence[Line]]:
        return [lines] if self._pager is None else self._pager.parts(lines)

    def size(self) -> tuple[int, int] | None:
        """Returns the columns and lines of the terminal; none if the output is not one."""
        return terminal_size()

    def room(self) -> tuple[int, int] | None:
        """Returns the columns of the terminal, and its lines without those that have been filled since the question.

        Where these take more than half of the screen, the person is going to see the rest on a screen of its own.
        """
        size = self.size()
        rows = 0 if self._pager is None else self._pager.rows
        return size if size is None or rows > size[1] // 2 else (size[0], size[1] - rows)

    def waiting(self, what: str) -> AbstractContextManager[None]:
        """Shows what the program does within the block, as soon as it takes long."""
        return wait_shown(what, self._output)

    def clear(self) -> None:
        """Clears the screen, if the output is one."""
        if is_terminal():
            self._clear()

    def _clear(self) -> None:
        clear_screen()
        if self._pager is not None:
            self._pager.begin()

    def hand_over(self, to: str, words: Wording, *, is_first: bool) -> None:
        """Clears the screen and waits for the next player; what all may read before the first stays there meanwhile.

        A line that is typed instead of Enter alone answers the next question.
        """
        if not is_first:
            self._clear()
        self.say(words.say(HAND_OVER, who=to), "bold")
        self._typed_early = self.ask(words.say(PRESS_ENTER), ())
        self.clear()

    def _complete(self, text: str, state: int) -> str | None:
        folded = text.casefold()
        found = [each for each in self._words if each.casefold().startswith(folded)]
        return found[state] if state < len(found) else None


def _complete_on_tab(readline: ModuleType) -> str:
    """Returns the binding of the tab key for the library behind `readline`."""
    return "bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete"
