"""The terminal of a person: typed lines with completion, and text wrapped to the width of the screen."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from shutil import get_terminal_size
from types import ModuleType

from interpreter.cli.output import Output
from interpreter.console.prompt_commands import COMMANDS
from interpreter.language.text_width import width
from interpreter.play.wording.messages import HAND_OVER, PRESS_ENTER
from interpreter.play.wording.text_table import wrapped
from interpreter.play.wording.wording import Wording

_CLEAR = "\x1b[2J\x1b[3J\x1b[H"
_BLANK_SCREEN = "\n" * 60
_ROW_HEAD = re.compile(r"\s*\d+  |\s*\S+(?: \S+)*?   +")
_MAX_INDENT = 30


class Console:
    """Standard input and output as one terminal; it prompts also if the input is a file or pipe."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._words: Sequence[str] = ()
        self._typed_early: str | None = None
        """A line that was typed before its question was shown."""
        self._readline = _readline()
        if self._readline is not None:
            self._readline.set_completer_delims("")
            self._readline.set_completer(self._complete)
            self._readline.parse_and_bind(_complete_on_tab(self._readline))

    def ask(self, prompt: str, words: Sequence[str] = COMMANDS) -> str | None:
        """Returns a typed line; none at the end of input."""
        self._words = words
        typed_early, self._typed_early = self._typed_early, None
        if typed_early and typed_early.strip():
            self.say(f"{prompt}{typed_early}")
            return typed_early
        try:
            typed = input(prompt)
        except EOFError:
            self.say("")
            return None
        if not sys.stdin.isatty():
            self.say(typed)
        return typed

    def say(self, text: str, style: str | None = None) -> None:
        """Shows a text, wrapped to the width of a terminal."""
        size = self.size()
        self._output.line(text if size is None else fitted(text, size[0]), style)

    def size(self) -> tuple[int, int] | None:
        """Returns the columns and lines of the terminal; none if the output is not one."""
        if not self._output.on_terminal:
            return None
        columns, lines = get_terminal_size()
        return columns, lines

    def hand_over(self, to: str, words: Wording) -> None:
        """Clears the screen and waits for the next player.

        A line that is typed instead of Enter alone answers the next question.
        """
        print(_CLEAR if self._output.on_terminal else _BLANK_SCREEN, end="")
        self.say(words.say(HAND_OVER, who=to), "bold")
        self._typed_early = self.ask(words.say(PRESS_ENTER), ())
        print(_CLEAR if self._output.on_terminal else "", end="")

    def _complete(self, text: str, state: int) -> str | None:
        folded = text.casefold()
        found = [each for each in self._words if each.casefold().startswith(folded)]
        return found[state] if state < len(found) else None


def fitted(text: str, columns: int) -> str:
    """Returns a text wrapped to `columns`; continuation lines are indented."""
    return "\n".join([part for line in text.split("\n") for part in wrapped(line, columns, _indent(line))])


def _indent(line: str) -> str:
    """Returns the indent of continuation lines: after an option number or a row name, else two blanks more."""
    found = _ROW_HEAD.match(line)
    return " " * (min(width(found[0]), _MAX_INDENT) if found is not None else len(line) - len(line.lstrip()) + 2)


def _complete_on_tab(readline: ModuleType) -> str:
    """Returns the binding of the tab key for the library behind `readline`."""
    return "bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete"


def _readline() -> ModuleType | None:
    """Returns the `readline` module, if there is a terminal and the platform has it."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    try:
        import readline  # noqa: PLC0415 - not on every platform
    except ImportError:
        return None
    return readline
