"""The output of commands: text or tables for people, JSON for programs, errors with their exit code."""

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

    With `json` the result is JSON without the lines for people. Colour is used only on a terminal, and never if
    `NO_COLOR` is set.
    """

    def __init__(self, json: bool = False) -> None:
        self.json = json

    @property
    def on_terminal(self) -> bool:
        """Whether standard output is a terminal."""
        return sys.stdout.isatty()

    @property
    def progress_shown(self) -> bool:
        """Whether standard error is a terminal, which shows progress."""
        return sys.stderr.isatty()

    # ------------------------------------------------------------ for people
    def line(self, text: str = "", style: str | None = None) -> None:
        """Prints a line of the result, unless the output is JSON."""
        if not self.json:
            self._write(text, style, error=False)

    def message(self, text: str, style: str | None = None) -> None:
        """Prints a message for people on standard error."""
        self._write(text, style, error=True)

    def table(self, header: Sequence[str], rows: Sequence[Sequence[object]], right: Sequence[int] = ()) -> None:
        """Prints a table; the columns in `right` are aligned to the right."""
        lines = table_lines(header, rows, right)
        for number, text in enumerate(lines):
            self.line(text, "bold" if number == 0 and header else None)

    def diagnostic(self, each: Diagnostic) -> None:
        """Prints a finding with its source line and hint."""
        head, *rest = str(each).split("\n")
        self.line(head, _SEVERITIES.get(each.severity))
        for text in rest:
            self.line(text, "dim" if text.lstrip().startswith("hint:") else None)

    # ------------------------------------------------------------ for programs
    def document(self, data: Any) -> None:
        """Prints the result as a JSON document, if the output is JSON."""
        if self.json:
            print(json.dumps(data, ensure_ascii=False, indent=2))

    def json_line(self, data: Any) -> None:
        """Prints one line of a result in JSON Lines, if the output is JSON."""
        if self.json:
            print(json.dumps(data, ensure_ascii=False), flush=True)

    # ------------------------------------------------------------ streams
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
    """Prints an error and returns its exit code."""
    diagnostics = with_excerpts(diagnostics_of(error))
    if not diagnostics:
        output.message(f"error: {error}", "red")
        return report_misuse(str(error), output)
    for each in diagnostics:
        output.message(str(each), _SEVERITIES.get(each.severity))
    output.document({"ok": False, "error": diagnostics[0].message, "diagnostics": [*map(diagnostic_data, diagnostics)]})
    return FINDINGS


def report_misuse(message: str, output: Output) -> int:
    """Prints wrong usage as JSON, if the output is JSON, and returns its exit code."""
    output.document({"ok": False, "error": message, "diagnostics": []})
    return USAGE


def diagnostics_of(error: BicorneError) -> tuple[Diagnostic, ...]:
    """Returns the findings of an error in documents or rules; empty for wrong usage."""
    if isinstance(error, RulesetError):
        return error.diagnostics
    return (error.diagnostic,) if isinstance(error, RuleFault) else ()


def diagnostic_data(each: Diagnostic) -> dict[str, Any]:
    """Returns a finding as JSON data."""
    data = asdict(each)
    del data["place"], data["excerpt_start"]
    return each.place._asdict() | data
