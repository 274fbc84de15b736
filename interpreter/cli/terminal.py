"""The terminal that a person sits at: lines typed with completion, and texts shown."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType

from interpreter.cli.output import Output
from interpreter.players.asking_back import COMMANDS

_CLEAR = "\x1b[2J\x1b[3J\x1b[H"
_FAR = "\n" * 60


class Console:
    """Standard input and output as one terminal; with lines from a file or pipe it prompts all the same."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._words: Sequence[str] = ()
        self._readline = _readline()
        if self._readline is not None:
            self._readline.set_completer_delims("")
            self._readline.set_completer(self._complete)
            self._readline.parse_and_bind(_complete_on_tab(self._readline))

    def ask(self, prompt: str, words: Sequence[str] = COMMANDS) -> str | None:
        """A line that is typed; none at the end of input."""
        self._words = words
        try:
            typed = input(prompt)
        except EOFError:
            self.say("")
            return None
        if not sys.stdin.isatty():
            self.say(typed)
        return typed

    def say(self, text: str, style: str | None = None) -> None:
        """Shows a text."""
        self._output.line(text, style)

    def hand_over(self, to: str) -> None:
        """Takes what one player saw off the screen, and waits until the next one sits at it."""
        print(_CLEAR if self._output.on_terminal else _FAR, end="")
        self.say(f"— {to} decides next, and should be the only one to look —", "bold")
        self.ask("press Enter when you are there ", ())
        print(_CLEAR if self._output.on_terminal else "", end="")

    def _complete(self, text: str, state: int) -> str | None:
        folded = text.casefold()
        found = [each for each in self._words if each.casefold().startswith(folded)]
        return found[state] if state < len(found) else None


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
