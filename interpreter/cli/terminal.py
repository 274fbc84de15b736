"""The terminal of a person: typed lines with completion, and text wrapped to the width of the screen."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from types import ModuleType

from interpreter.cli.output import Output
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
from interpreter.console.prompt_commands import COMMANDS
from interpreter.language.text_width import width
from interpreter.language.visible_text import visible, visible_line
from interpreter.play.wording.messages import HAND_OVER, PRESS_ENTER
from interpreter.play.wording.text_table import fitted
from interpreter.play.wording.wording import Wording


class Console:
    """Standard input and output as one terminal; it prompts also if the input is a file or pipe."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._words: Sequence[str] = ()
        self._typed_early: str | None = None
        """A line that was typed before its question was shown."""
        self._readline = readline_module()
        if self._readline is not None:
            self._readline.set_completer_delims("")
            self._readline.set_completer(self._complete)
            self._readline.parse_and_bind(_complete_on_tab(self._readline))

    def ask(self, prompt: str, words: Sequence[str] = COMMANDS) -> str | None:
        """Returns a typed line; none at the end of input."""
        self._words = [*map(visible_line, words)]
        typed_early, self._typed_early = self._typed_early, None
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
            self._output.coloured(with_breaks(lines))
            return
        shown = visible(text)
        self._output.lines(shown if size is None else fitted(shown, size[0]), style)

    def size(self) -> tuple[int, int] | None:
        """Returns the columns and lines of the terminal; none if the output is not one."""
        return terminal_size()

    def waiting(self, what: str) -> AbstractContextManager[None]:
        """Shows what the program does within the block, as soon as it takes long."""
        return wait_shown(what, self._output)

    def clear(self) -> None:
        """Clears the screen, if the output is one."""
        if is_terminal():
            clear_screen()

    def hand_over(self, to: str, words: Wording, *, is_first: bool) -> None:
        """Clears the screen and waits for the next player; what all may read before the first stays there meanwhile.

        A line that is typed instead of Enter alone answers the next question.
        """
        if not is_first:
            clear_screen()
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
