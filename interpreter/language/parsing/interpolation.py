"""Splits a text literal into plain text and the positions of the expressions in its braces."""

from __future__ import annotations

import re

from interpreter.language.parsing.lexer import Token, fault
from interpreter.language.parsing.source_map import SourceText

Part = str | tuple[int, int]
"""Plain text, or the start and end offsets of an expression."""

_BRACE = re.compile(r"\{\{|\}\}|[{}]")


def split_text(source: SourceText, token: Token) -> tuple[Part, ...]:
    """Returns the parts of a literal, without empty text; raises `RulesetError` for unpaired or empty braces.

    `{{` and `}}` are single braces of the text.
    """
    if "{" not in token.text and "}" not in token.text:
        return (token.text[1:-1],)
    parts: list[Part] = []
    plain, position, end = "", token.at + 1, token.at + len(token.text) - 1
    while (brace := _BRACE.search(source.text, position, end)) is not None:
        plain += source.text[position : brace.start()]
        if len(brace[0]) == 2:
            plain += brace[0][0]
            position = brace.end()
            continue
        close = _closing(source, brace, end)
        if plain:
            parts.append(plain)
        parts.append((brace.end(), close))
        plain, position = "", close + 1
    plain += source.text[position:end]
    return (*parts, plain) if plain or not parts else tuple(parts)


def _closing(source: SourceText, brace: re.Match[str], end: int) -> int:
    """Returns the offset of the brace that closes an opening brace."""
    at = brace.start()
    if brace[0] == "}":
        message = "a '}' in the text closes nothing"
        raise fault("syntax", message, source, at, "write '}}' for a brace that is part of the text")
    depth = 0
    for offset in range(at, end):
        depth += {"{": 1, "}": -1}.get(source.text[offset], 0)
        if depth == 0:
            if not source.text[at + 1 : offset].strip():
                raise fault("syntax", "the braces in the text are empty", source, at, "write {name} or '{{}}'")
            return offset
    message = "the '{' in the text is not closed"
    raise fault("syntax", message, source, at, "close it with '}', or write '{{' for a brace that is part of the text")
