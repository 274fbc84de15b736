"""Splits rule text into tokens: words, signs, line ends and indentation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.language.diagnostics import Diagnostic, RulesetError
from interpreter.language.parsing.source_map import SourceText

MAX_TEXT_LENGTH = 40_000
MAX_BRACKET_DEPTH = 40
MAX_BLOCK_DEPTH = 12

LINE_END, INDENT, DEDENT = "_NL", "_INDENT", "_DEDENT"
UNKNOWN = "UNKNOWN"
OPENING = {"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE"}
CLOSING = frozenset(OPENING.values())
BRACKETS = CLOSING | OPENING.keys()

_MARGIN = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*([ \t]*)")
"""Blank lines and comments, and the indentation of the first other line."""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)")


@dataclass(slots=True)
class Token:
    """A word or sign: its symbol in the grammar, its text, and its offset."""

    kind: str
    text: str
    at: int


def fault(code: str, message: str, source: SourceText, at: int, hint: str | None = None) -> RulesetError:
    """Returns an error with one diagnostic at the offset `at`."""
    return RulesetError([Diagnostic(code, message, source.place(at), hint)])


def check_text(source: SourceText) -> None:
    """Raises `RulesetError` for text that is too long and for control characters."""
    if len(source.text) > MAX_TEXT_LENGTH:
        message = f"this rule text has {len(source.text)} characters; at most {MAX_TEXT_LENGTH} are allowed"
        raise fault("too-long", message, source, 0, "divide it into several rules")
    if (control := _CONTROL.search(source.text)) is not None:
        message = f"the rule text contains a control character (code {ord(control[0])})"
        raise fault("syntax", message, source, control.start(), "remove it")


class Tokens:
    """Iterates once over the tokens of one text.

    With `lines`, line ends and indentation are tokens, except inside brackets; otherwise they are blanks. `longest`
    is the greatest number of tokens in one statement so far.
    """

    def __init__(self, source: SourceText, begin: int, end: int, pattern: re.Pattern[str], *, lines: bool) -> None:
        self._source = source
        self._begin, self._end = begin, end
        self._pattern = pattern
        self._lines = lines
        self._indents: list[int] = []
        self._open: list[Token] = []
        self.longest = 0

    def __iter__(self) -> Iterator[Token]:
        """Raises `RulesetError` for brackets or blocks nested too deep and for wrong indentation."""
        text, count, after = self._source.text, 0, self._begin
        if self._lines:
            self._start_indentation()
        for match in self._pattern.finditer(text, self._begin, self._end):
            kind = match.lastgroup or UNKNOWN
            if kind == "BLANK":
                continue
            if kind == LINE_END:
                if count and self._lines and not self._open:
                    self.longest = max(self.longest, count)
                    count = 0
                    yield from self._line_end(match, after)
                continue
            token = Token(kind, match[0], match.start())
            if kind in BRACKETS:
                self._bracket(token)
            count += 1
            after = match.end()
            yield token
        self.longest = max(self.longest, count)
        if count and self._lines and not self._open:
            yield Token(LINE_END, "", after)
        while len(self._indents) > 1:
            self._indents.pop()
            yield Token(DEDENT, "", after)
        yield Token("$END", "", after)

    def _start_indentation(self) -> None:
        """Takes the margin of the block from the first line that is not blank."""
        first = _MARGIN.match(self._source.text)
        self._indents = [self._width(first[1], first.start(1)) if first else 0]

    def _line_end(self, match: re.Match[str], after: int) -> Iterator[Token]:
        yield Token(LINE_END, match[0], after)
        if match.end() == self._end:
            return
        start = match[0].rfind("\n") + 1
        at = match.end()
        width = self._width(match[0][start:], match.start() + start)
        if width > self._indents[-1]:
            self._indents.append(width)
            if len(self._indents) - 1 > MAX_BLOCK_DEPTH:
                message = f"blocks are nested deeper than {MAX_BLOCK_DEPTH} here"
                raise fault("too-deep", message, self._source, at, "move the inner part to a procedure of its own")
            yield Token(INDENT, "", at)
            return
        margins = list(self._indents)
        while width < self._indents[-1] and len(self._indents) > 1:
            self._indents.pop()
            yield Token(DEDENT, "", at)
        if width != self._indents[-1]:
            raise self._bad_indentation(width, margins, at)

    def _width(self, blanks: str, at: int) -> int:
        if "\t" in blanks:
            message = "the indentation contains a tab"
            raise fault("syntax", message, self._source, at + blanks.index("\t"), "indent with spaces")
        return len(blanks)

    def _bad_indentation(self, width: int, margins: list[int], at: int) -> RulesetError:
        known = " or ".join(str(margin - margins[0]) for margin in reversed(margins))
        message = f"this line is indented by {width - margins[0]}; expected {known}"
        if width < margins[0]:
            message = "this line begins further left than the first line of the block"
        return fault("syntax", message, self._source, at, "give all lines of one block the same indentation")

    def _bracket(self, token: Token) -> None:
        if token.kind in CLOSING:
            if self._open and OPENING[self._open[-1].kind] == token.kind:
                self._open.pop()
            return
        self._open.append(token)
        if len(self._open) > MAX_BRACKET_DEPTH:
            message = f"brackets are nested deeper than {MAX_BRACKET_DEPTH} here"
            raise fault("too-deep", message, self._source, token.at, "give inner parts a name with let")
