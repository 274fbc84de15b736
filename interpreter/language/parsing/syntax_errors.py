"""Messages for rule text that does not parse: the place, what was expected and found, and the likely mistake."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.language.diagnostics import RulesetError
from interpreter.language.parsing.lalr_tables import END, load_tables
from interpreter.language.parsing.lexer import CLOSING, DEDENT, INDENT, LINE_END, OPENING, Token, fault
from interpreter.language.parsing.source_map import SourceText
from interpreter.language.parsing.syntax_hints import likely_mistake, misspelt_word_before

_VALUES = frozenset({
    "NAME", "INT", "DECIMAL", "STRING", "TRUE", "FALSE", "NONE", "IT", "DOT", "LPAR", "LBRACE", "LSQB", "MINUS",
    "NOT", "NEW", "PROCEED", "REACH", "RANDOM", "DRAW",
})  # fmt: skip
_OPERATORS = frozenset({
    "PLUS", "MINUS", "STAR", "SLASH", "MOD", "EQUAL", "COMPARE", "RANGE", "DOT", "LPAR", "LSQB", "AND", "OR", "NOT",
    "IN", "IS", "IF", "AS", "WHERE", "EACH", "BY", "AFTER", "OTHERWISE", "ROUNDED", "AGREES", "CHOOSES",
    "RANKS", "ASSIGNS", "SPREADS", "MAY", "MUST", "ROLLS",
})  # fmt: skip
_POSTFIX = frozenset({"DOT", "LSQB"})
_SEATS = frozenset({"CHOOSES", "MAY", "MUST"})
_TYPES = frozenset({"NAME", "SET", "LIST", "MAP"})
_SIGNS = {
    "COLON": "':'", "COMMA": "','", "EQUAL": "'='", "LPAR": "'('", "LSQB": "'['", "LBRACE": "'{'", "RPAR": "')'",
    "RSQB": "']'", "RBRACE": "'}'", "DOT": "'.'", "RANGE": "'..'", "QMARK": "'?'", "ASSIGN": "'+='",
    "MAY": "'may take'", "MUST": "'must take'",
    "STRING": "a text in double quotes", "INT": "a whole number", "NAME": "a name", "DICE": "dice such as 2d6",
}  # fmt: skip
CLOSED_BY = {"(": ")", "[": "]", "{": "}"}
_QUOTES = {"'": "a single quote", '"': "a double quote"}
_PAIRS = frozenset({"==", "=<", "=>", "<>", "&&", "||", "++", "--", "**", "::", "!!"})


@dataclass(frozen=True, slots=True)
class ParseFailure:
    """The state of the parser at an error: the tokens up to the one that does not fit.

    `expected` holds the symbols that were possible in place of each of the last two tokens.
    """

    source: SourceText
    start: str
    seen: list[Token]
    expected: list[frozenset[str]]


def syntax_error(failure: ParseFailure) -> RulesetError:
    """Returns the error for a text that does not parse."""
    at, found = _found(failure)
    wanted, token = failure.expected[-1], failure.seen[-1]
    if INDENT in wanted:
        message = "expected an indented block below this header"
    elif token.kind == INDENT:
        message = "this line is indented, but the line above it opens no block"
    else:
        message = f"expected {_expected_text(wanted)}, found {found}"
    hint = likely_mistake(failure.seen, failure.expected, _open_bracket(failure), failure.source.text)
    if hint is None:
        hint = _open_bracket_above(failure)
    if hint is not None and hint == _open_bracket(failure) and (opened := _never_closed(failure)) is not None:
        stop, close = failure.source.place(at), CLOSED_BY[opened.text]
        at, message = opened.at, f"this '{opened.text}' is never closed"
        hint = f"close it with '{close}'; parsing stops at line {stop.line}, column {stop.column}"
    elif hint is not None and hint == misspelt_word_before(failure.seen, failure.expected):
        before = failure.seen[-2]
        at, message = before.at, f"expected a word of the rule language, found '{before.text}'"
    return fault("syntax", message, failure.source, at, hint)


def _found(failure: ParseFailure) -> tuple[int, str]:
    """Returns the offset of the error and what was found there; two signs meant as one operator count as one."""
    token, before = failure.seen[-1], failure.seen[-2] if len(failure.seen) > 1 else None
    if before is None and token.kind == END:
        return token.at, "an empty text"
    if token.kind in (LINE_END, END, DEDENT):
        return token.at, f"the end of the {'line' if failure.start == 'block' else 'text'}"
    if before is not None and before.at + len(before.text) == token.at and before.text + token.text in _PAIRS:
        return before.at, f"'{before.text}{token.text}'"
    text = token.text
    if text * 2 in _PAIRS and failure.source.text.startswith(text * 2, token.at):
        text *= 2
    if token.kind in CLOSING and not _brackets(failure.seen[:-1]):
        return token.at, f"'{text}', which closes no bracket"
    if token.kind == "STRING" or text in _QUOTES:
        return token.at, _QUOTES.get(text, "a text")
    return token.at, f"'{text}'"


def _brackets(tokens: list[Token]) -> list[Token]:
    """Returns the brackets that are open after these tokens."""
    inside: list[Token] = []
    for token in tokens:
        if token.kind in OPENING:
            inside.append(token)
        elif token.kind in CLOSING:
            inside.pop()
    return inside


def _never_closed(failure: ParseFailure) -> Token | None:
    """Returns the innermost bracket open before the error, if nothing in the whole text closes it."""
    inside = _brackets(failure.seen[:-1])
    depth, quoted = 0, False
    for sign in failure.source.text[inside[-1].at :] if inside else "":
        quoted = quoted != (sign == '"')
        depth += 0 if quoted else (sign in "([{") - (sign in ")]}")
        if depth == 0:
            return None
    return inside[-1] if inside else None


def _open_bracket(failure: ParseFailure) -> str | None:
    """Returns a phrase for the innermost bracket open before the error, with its position."""
    inside = _brackets(failure.seen[:-1])
    if not inside:
        return None
    place = failure.source.place(inside[-1].at)
    return f"the '{inside[-1].text}' of line {place.line}, column {place.column} is still open"


def _open_bracket_above(failure: ParseFailure) -> str | None:
    """Returns a phrase for the innermost open bracket, if it is in an earlier line than the error."""
    inside = _brackets(failure.seen[:-1])
    if inside and "\n" in failure.source.text[inside[-1].at : failure.seen[-1].at]:
        return _open_bracket(failure)
    return None


def _expected_text(expected: frozenset[str]) -> str:
    """Returns the expected symbols in an author's words, the most helpful ones first."""
    left, found = set(expected) - {"CITE", "SECRETLY"}, list[str]()
    if {"LET", "MOVE", "SHUFFLE"} <= left:
        return "a statement" if "IF" in left else "a statement of one line"
    if left == _TYPES:
        return "a type"
    if {"INT", "LPAR", "LBRACE"} <= left:
        found.append("a value")
        left -= _VALUES
    operators = {"AND", "OR"} <= left or {"PLUS", "STAR"} <= left
    if operators:
        left -= _OPERATORS | {"STRING"}
    elif left > _POSTFIX:
        left -= _POSTFIX
        if LINE_END in left:
            left -= _SEATS
    if "RPAR" in left:
        left.discard("COLON")
    ends = left & {LINE_END, END}
    words = {kind: f"'{word}'" for word, kind in load_tables().words.items()} | _SIGNS
    found += sorted((words[kind] for kind in left - ends if kind in words), key=_sort_key)
    if operators:
        found.append("an operator")
    if ends:
        found.append("the end of the line" if LINE_END in ends else "the end of the text")
    return " or ".join([", ".join(found[:-1]), found[-1]]) if len(found) > 1 else "".join(found)


def _sort_key(name: str) -> tuple[bool, str]:
    return name[:1] != "'" or name[1:2].isalpha(), name
