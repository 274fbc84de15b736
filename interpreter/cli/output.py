"""What a command says: text or tables for people, one JSON document for programs, errors with their exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from interpreter.language.diagnostics import BicorneError, Diagnostic, RuleFault, RulesetError
from interpreter.play.wording.text_table import table_lines
from interpreter.rules.documents.source_excerpts import with_excerpts

if TYPE_CHECKING:
    from rich.console import Console

OK: Final = 0
FINDINGS: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130

_SEVERITIES: Final = {"error": "red", "warning": "yellow"}


class Output:
    """Writes results to standard output, and messages for people to standard error.

    With `json` the result is JSON, and what is meant for people alone is left out of it. Colour is used on a terminal
    only, and never where `NO_COLOR` is set.
    """

    def __init__(self, json: bool = False) -> None:
        self.json = json

    @property
    def on_terminal(self) -> bool:
        """Whether results go to a terminal."""
        return sys.stdout.isatty()

    @property
    def progress_shown(self) -> bool:
        """Whether somebody sees progress on standard error."""
        return sys.stderr.isatty()

    # ------------------------------------------------------------ for people
    def line(self, text: str = "", style: str | None = None) -> None:
        """A line of the result; nothing where JSON is asked for."""
        if not self.json:
            self._write(text, style, error=False)

    def person(self, text: str, style: str | None = None) -> None:
        """A message for the person who runs the command, beside the result."""
        self._write(text, style, error=True)

    def table(self, header: Sequence[str], rows: Sequence[Sequence[object]], right: Sequence[int] = ()) -> None:
        """A table in columns; those numbered in `right` are flush right."""
        lines = table_lines(header, rows, right)
        for number, text in enumerate(lines):
            self.line(text, "bold" if number == 0 and header else None)

    def diagnostic(self, each: Diagnostic) -> None:
        """A finding with its source line and hint."""
        head, *rest = str(each).split("\n")
        self.line(head, _SEVERITIES.get(each.severity))
        for text in rest:
            self.line(text, "dim" if text.lstrip().startswith("hint:") else None)

    # ------------------------------------------------------------ for programs
    def document(self, data: Any) -> None:
        """The JSON document of the result; nothing where it isn't asked for."""
        if self.json:
            print(json.dumps(data, ensure_ascii=False, indent=2))

    def json_line(self, data: Any) -> None:
        """One line of a result that comes in JSON lines."""
        if self.json:
            print(json.dumps(data, ensure_ascii=False), flush=True)

    # ------------------------------------------------------------ below
    def _write(self, text: str, style: str | None, *, error: bool) -> None:
        stream = sys.stderr if error else sys.stdout
        if style is not None and stream.isatty():
            console = self._error_console if error else self._console
            console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)
        else:
            print(text, file=stream)

    @cached_property
    def _console(self) -> Console:
        from rich.console import Console  # noqa: PLC0415 - only a terminal needs it

        return Console(soft_wrap=True)

    @cached_property
    def _error_console(self) -> Console:
        from rich.console import Console  # noqa: PLC0415 - as above

        return Console(stderr=True, soft_wrap=True)


def report_error(error: BicorneError, output: Output) -> int:
    """Says what was wrong with the input, and gives the exit code that it means."""
    diagnostics = with_excerpts(diagnostics_of(error))
    if not diagnostics:
        output.person(f"error: {error}", "red")
        return misused(str(error), output)
    for each in diagnostics:
        output.person(str(each), _SEVERITIES.get(each.severity))
    output.document({"ok": False, "error": diagnostics[0].message, "diagnostics": [*map(diagnostic_data, diagnostics)]})
    return FINDINGS


def misused(message: str, output: Output) -> int:
    """Tells programs that the usage was wrong, which people have been told, and gives the exit code for it."""
    output.document({"ok": False, "error": message, "diagnostics": []})
    return USAGE


def diagnostics_of(error: BicorneError) -> tuple[Diagnostic, ...]:
    """What an error found in documents or rules; nothing if the usage was wrong."""
    if isinstance(error, RulesetError):
        return error.diagnostics
    return (error.diagnostic,) if isinstance(error, RuleFault) else ()


def diagnostic_data(each: Diagnostic) -> dict[str, Any]:
    """A finding as JSON data."""
    data = asdict(each)
    del data["place"], data["excerpt_start"]
    return each.place._asdict() | data
