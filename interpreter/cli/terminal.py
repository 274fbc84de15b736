"""The terminal that a person sits at: lines typed with completion, and texts shown."""

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
_FAR = "\n" * 60
_HEAD = re.compile(r"\s*\d+  |\s*\S+(?: \S+)*?   +")
_MOST_HANGING = 30


class Console:
    """Standard input and output as one terminal; with lines from a file or pipe it prompts all the same."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._words: Sequence[str] = ()
        self._early: str | None = None
        """What was typed before its question was asked."""
        self._readline = _readline()
        if self._readline is not None:
            self._readline.set_completer_delims("")
            self._readline.set_completer(self._complete)
            self._readline.parse_and_bind(_complete_on_tab(self._readline))

    def ask(self, prompt: str, words: Sequence[str] = COMMANDS) -> str | None:
        """A line that is typed; none at the end of input."""
        self._words = words
        early, self._early = self._early, None
        if early and early.strip():
            self.say(f"{prompt}{early}")
            return early
        try:
            typed = input(prompt)
        except EOFError:
            self.say("")
            return None
        if not sys.stdin.isatty():
            self.say(typed)
        return typed

    def say(self, text: str, style: str | None = None) -> None:
        """Shows a text, on a terminal in lines that fit it."""
        size = self.size()
        self._output.line(text if size is None else fitted(text, size[0]), style)

    def size(self) -> tuple[int, int] | None:
        """Columns and lines of the terminal; none where it is none."""
        if not self._output.on_terminal:
            return None
        columns, lines = get_terminal_size()
        return columns, lines

    def hand_over(self, to: str, words: Wording) -> None:
        """Takes what one player saw off the screen, and waits until the next one sits at it.

        What is typed there, other than Enter alone, answers the question that follows.
        """
        print(_CLEAR if self._output.on_terminal else _FAR, end="")
        self.say(words.say(HAND_OVER, who=to), "bold")
        self._early = self.ask(words.say(PRESS_ENTER), ())
        print(_CLEAR if self._output.on_terminal else "", end="")

    def _complete(self, text: str, state: int) -> str | None:
        folded = text.casefold()
        found = [each for each in self._words if each.casefold().startswith(folded)]
        return found[state] if state < len(found) else None


def fitted(text: str, columns: int) -> str:
    """A text whose lines fit a terminal; what goes on on further lines stands a little further in."""
    return "\n".join([part for line in text.split("\n") for part in wrapped(line, columns, _hanging(line))])


def _hanging(line: str) -> str:
    """The indent of what does not fit on a line: behind the number of an option or the name of a row, else a little."""
    found = _HEAD.match(line)
    return " " * (min(width(found[0]), _MOST_HANGING) if found is not None else len(line) - len(line.lstrip()) + 2)


def _complete_on_tab(readline: ModuleType) -> str:
    """The binding of the tab key, in the words of the library that stands behind `readline`."""
    return "bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete"


def _readline() -> ModuleType | None:
    """Line editing where there is a terminal and the platform has it."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    try:
        import readline  # noqa: PLC0415 - not on every platform
    except ImportError:
        return None
    return readline
