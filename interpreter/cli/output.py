"""The output of commands: text or tables for people, JSON for programs, errors with their exit code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from interpreter.cli.streams import is_terminal, terminal_size, write, write_coloured, write_json
from interpreter.language.diagnostics import BicorneError, Diagnostic, RuleFault, RulesetError
from interpreter.language.visible_text import visible_line
from interpreter.play.wording.text_table import fitted, table_lines
from interpreter.rules.documents.source_excerpts import with_excerpts

if TYPE_CHECKING:
    from interpreter.console.coloured_text import ColouredText

OK: Final = 0
FINDINGS: Final = 1
USAGE: Final = 2

_SEVERITIES: Final = {"error": "red", "warning": "yellow"}


class Output:
    """Writes results to standard output, and messages for people to standard error.

    With `json` the result is JSON without the lines for people. Colour is used only on a terminal, and never if
    `NO_COLOR` is set.
    """

    def __init__(self, json: bool = False) -> None:
        self.json = json

    @property
    def progress_shown(self) -> bool:
        """Whether standard error is a terminal, which shows progress."""
        return is_terminal(error=True)

    # ------------------------------------------------------------ for people
    def line(self, text: str = "", style: str | None = None) -> None:
        """Prints one line of the result, unless the output is JSON; a line break in the text is shown as an escape."""
        self.lines(visible_line(text), style)

    def lines(self, text: str, style: str | None = None) -> None:
        """Prints a text of several lines, wrapped to the width of a terminal, unless the output is JSON."""
        if not self.json:
            size = terminal_size()
            write(text if size is None else fitted(text, size[0]), style)

    def verbatim(self, text: str) -> None:
        """Prints one line that people copy, such as a command: it is not wrapped."""
        if not self.json:
            write(visible_line(text))

    def coloured(self, text: ColouredText) -> None:
        """Prints a text with colours, unless the output is JSON."""
        if not self.json:
            write_coloured(text)

    def message(self, text: str, style: str | None = None) -> None:
        """Prints a message for people on standard error, wrapped to the width of a terminal."""
        size = terminal_size(error=True)
        write(text if size is None else fitted(text, size[0]), style, error=True)

    def note(self, text: str) -> None:
        """Prints a remark for people on standard error."""
        self.message(f"note: {text}", "yellow")

    def table(self, header: Sequence[str], rows: Sequence[Sequence[object]], right: Sequence[int] = ()) -> None:
        """Prints a table; the columns in `right` are aligned to the right."""
        cells = [[visible_line(str(cell)) for cell in row] for row in rows]
        for number, text in enumerate(table_lines(header, cells, right)):
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
            write_json(data, indent=2)

    def json_line(self, data: Any) -> None:
        """Prints one line of a result in JSON Lines, if the output is JSON."""
        if self.json:
            write_json(data)


def report_error(error: BicorneError, output: Output) -> int:
    """Prints an error and returns its exit code."""
    diagnostics = with_excerpts(diagnostics_of(error))
    if not diagnostics:
        output.message(f"error: {error}", "red")
        return report_misuse(str(error), output)
    for each in diagnostics:
        write(str(each), _SEVERITIES.get(each.severity), error=True)  # the caret stands below the source line
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
