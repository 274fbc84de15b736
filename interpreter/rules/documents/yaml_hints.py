"""Recognizes common YAML mistakes in the text, to report them better than the parser does."""

from __future__ import annotations

import re
from typing import Any, Final

from interpreter.language.diagnostics import Diagnostic, Place
from interpreter.rules.documents.nodes import FileText

_FLOW: Final = ("did not find expected ',' or '}'", "did not find expected ',' or ']'")
_QUOTED: Final = "put a text that holds brackets, braces or ', ' in quotes"
_SHAPE: Final = (*_FLOW, "did not find expected key")
_QUOTES: Final = {
    '"': re.compile(r'"(?:[^"\\\\]|\\\\.)*"'),
    "'": re.compile(r"'(?:[^']|'')*'"),
}


def likely_mistake(origin: FileText, problem: str, mark: Any, context: Any) -> Diagnostic | None:
    """Returns a diagnostic of the likely mistake behind the parser's `problem` at `mark`; `None` if unclear."""
    lines = origin.text.split("\n")
    line = lines[mark.line] if mark.line < len(lines) else ""
    here = Place(origin.file, mark.line + 1, mark.column + 1)
    sign, before = line[mark.column : mark.column + 1], line[: mark.column].rstrip()
    if "cannot start any token" in problem:
        return _no_beginning(here, sign)
    if "could not find expected ':'" in problem and context is not None:
        place = Place(origin.file, context.line + 1, context.column + 1)
        return Diagnostic("yaml", "a key without ': ' after it", place, "write 'key: value'")
    if not any(each in problem for each in _SHAPE):
        return None
    if (opened := _open_quote(origin.file, lines, mark.line, line[mark.column - 1 : mark.column])) is not None:
        message = f"a text in quotes isn't closed in its line; it ends in line {mark.line + 1}"
        return Diagnostic("yaml", message, opened, "close the quotes in this line")
    if sign and sign in "[{" and before.strip() == "-" and context is not None and context.line < mark.line:
        return _never_closed(origin.file, lines, context, mark.line)
    if sign and sign in "[{" and any(each in problem for each in _FLOW):
        return Diagnostic("yaml", f"a '{sign}' inside a text without quotes", here, _QUOTED)
    if sign == ":" and any(each in problem for each in _FLOW):
        message = "a ': ' inside a text without quotes, or a ',' is missing before the key"
        hint = "put a text that holds ': ' in quotes; write a ',' before each further key"
        return Diagnostic("yaml", message, here, hint)
    if before.endswith(("]", "}")) and len(before) > len(line) - len(line.lstrip()) and sign not in ("", "#"):
        message = f"text after the '{before[-1]}' that closes a list or mapping"
        return Diagnostic("yaml", message, here, "put a text that begins with a bracket or brace in quotes")
    return None


def _no_beginning(here: Place, sign: str) -> Diagnostic:
    if sign == "\t":
        return Diagnostic("yaml", "a tab in the indentation", here, "indent with blanks")
    hint = "put a text that begins with @, ` or % in quotes"
    return Diagnostic("yaml", f"the character '{sign}' can't begin a value", here, hint)


def _never_closed(file: str, lines: list[str], context: Any, last: int) -> Diagnostic:
    """Returns the diagnostic of a bracket that is still open where the next item of the enclosing list begins."""
    opened = lines[context.line][context.column : context.column + 1]
    place = Place(file, context.line + 1, context.column + 1)
    message = f"this '{opened}' is not closed before line {last + 1}"
    return Diagnostic("yaml", message, place, f"close it with '{']' if opened == '[' else '}'}' in its line")


def _open_quote(file: str, lines: list[str], last: int, quote: str) -> Place | None:
    """Returns the place of quotes that were opened in an earlier line and closed just before the mistake."""
    pattern = _QUOTES.get(quote)
    if pattern is None:
        return None
    for number in range(last - 1, max(last - 40, -1), -1):
        left = pattern.sub(lambda found: " " * len(found[0]), lines[number])
        if quote in left:
            return Place(file, number + 1, left.index(quote) + 1)
    return None
