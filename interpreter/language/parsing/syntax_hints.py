"""Hints for common mistakes: each check examines the tokens at an error and returns what to write instead, or none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from interpreter.language.parsing.build_expressions import FIXED_WORDS, STATEMENT_WORDS
from interpreter.language.parsing.lalr_tables import END, load_tables
from interpreter.language.parsing.lexer import CLOSING, DEDENT, INDENT, LINE_END, UNKNOWN, Token

_CHARACTER_HINTS = {
    "&": "write 'and'", "|": "write 'or'", "!": "write 'not', or '!=' for 'is not equal'",
    "'": 'put text in double quotes: "…"', "`": 'put text in double quotes: "…"',
    '"': "close the text with a second \" in the same line", ";": "give each statement a line of its own",
    "%": "write 'mod' for a remainder", "^": "multiply with '*'",
    "≤": "write '<='", "≥": "write '>='", "≠": "write '!='", "−": "write '-'", "–": "write '-'", "×": "write '*'",
    "÷": "write '/'", "…": "write '..'", "“": 'use straight double quotes: "…"', "”": 'use straight double quotes: "…"',
    "@": "a clause id follows '@' at once, as in @8.3.1",
}  # fmt: skip
_FOREIGN_WORDS = {
    "then": "write ':' in place of 'then'", "elseif": "write 'elif'", "elsif": "write 'elif'",
    "unless": "write 'if not'", "foreach": "write 'for each x in …:'", "break": "write 'stop'",
    "print": 'write log "…"', "var": "write 'let'", "const": "write 'let'", "equals": "write '='",
    "continue": "there is no 'continue'; put what follows into an if", "pass": "leave the line out",
    "do": "begin the block with ':' at the end of the header",
}  # fmt: skip
_RESULT_WORDS = frozenset({"ROLLS", "RANKS", "ASSIGNS", "SPREADS", "RANDOM", "DRAW", "REACH"})
_ASKING_WORDS = frozenset({"MAY", "MUST"})
_HEADERS = frozenset({"IF", "ELIF", "ELSE", "FOR", "WHILE", "REPEAT", "TOGETHER"})
_BLOCK_WORDS = frozenset({"if", "for", "while", "repeat", "together"})
_ENDS = frozenset({LINE_END, END, DEDENT})
_COMPARISONS = frozenset({"EQUAL", "COMPARE"})
_MIN_SIMILARITY = 0.75
_FORMS = {
    "MOVE": "'move … to …'", "REACH": "'reach search(…) from start'", "AS": "'S as name where …'",
    "CHOOSES": "'seat chooses one of S', 'one or none of S', 'n of S', 'up to n of S', 'any of S' or 'from a to b'",
    "RANKS": "'seat ranks all of S' or 'seat ranks any of S'", "ASSIGNS": "'seat assigns each of S to one of T'",
    "SPREADS": "'seat spreads n over S at most n each'", "AGREES": "'seat agrees to name \"prompt\"'",
    "SECRETLY": "'seat secretly chooses …'",
    "MAY": "'seat may take menu(…)'", "MUST": "'seat must take menu(…)'", "ROUNDED": "'rounded up', 'down' or 'at 0.5'",
    "ROLLS": "'seat rolls 2d6 \"label\"' or 'seat rolls n dice of d6 \"label\"'",
    "RANDOM": "'random one of S' or 'random n of S'", "DRAW": "'draw one from pile' or 'draw n from pile'",
    "NEW": "'new kind(attribute: value)'", "MAP": "'map of … to …'", "LIST": "'list of …'", "SET": "'set … = …'",
    "FOR": "'for each x in S:'", "WIN": "'win seat \"reason\"', or 'win (seats where …)'", "END": "'end step'",
}  # fmt: skip
"""The forms of constructs with more than one word."""


@dataclass(frozen=True, slots=True)
class _ErrorContext:
    """The `token` that does not fit, the tokens of its line before it, and the symbols expected at and before it."""

    token: Token
    line: list[Token]
    wanted: frozenset[str]
    wanted_before: frozenset[str]
    opener: str | None
    text: str

    @property
    def before(self) -> Token:
        return self.line[-1] if self.line else Token("", "", 0)

    @property
    def head(self) -> str:
        return self.line[0].kind if self.line else ""

    def has(self, kinds: frozenset[str]) -> bool:
        return any(each.kind in kinds for each in self.line)


def likely_mistake(seen: list[Token], expected: list[frozenset[str]], opener: str | None, text: str) -> str | None:
    """Returns a hint what the author probably meant, or none."""
    context = _error_context(seen, expected, opener, text)
    return next((hint for check in _CHECKS if (hint := check(context))), None)


def misspelt_word_before(seen: list[Token], expected: list[frozenset[str]]) -> str | None:
    """Returns the hint that the word before the error is a misspelt word of the language, or none."""
    context = _error_context(seen, expected, None, "")
    return _meant_word(context, context.before) if _meant_word(context, context.token) is None else None


def _error_context(seen: list[Token], expected: list[frozenset[str]], opener: str | None, text: str) -> _ErrorContext:
    line: list[Token] = []
    for token in seen[:-1]:
        line = [] if token.kind in (LINE_END, INDENT, DEDENT) else [*line, token]
    return _ErrorContext(seen[-1], line, expected[-1], expected[-2] if len(expected) > 1 else frozenset(), opener, text)


# ---------------------------------------------------------------- signs
def _unknown_character(context: _ErrorContext) -> str | None:
    return _CHARACTER_HINTS.get(context.token.text) if context.token.kind == UNKNOWN else None


def _doubled_sign(context: _ErrorContext) -> str | None:
    token, before = context.token, context.before
    if before.at + len(before.text) != token.at:
        return None
    pair = before.text + token.text
    if pair == "**":
        return "there are no powers; multiply with '*'"
    if before.kind not in _COMPARISONS:
        return None
    return {"==": "write a single '=' to compare", "=<": "write '<='", "=>": "write '>='", "<>": "write '!='"}.get(pair)


def _assignment(context: _ErrorContext) -> str | None:
    if context.head in ("NAME", "IT", "DOT") and "MAY" in context.wanted:
        if context.token.kind in ("ASSIGN", "EQUAL"):
            return f"write 'set … {context.token.text} …' to change a value, 'let … = …' to give one a name"
        if context.token.kind in ("PLUS", "MINUS"):
            return "write 'set … += …' or 'set … -= …'"
    if context.head == "LET" and context.token.kind == "ASSIGN":
        return "'let' gives a new name to a value; write 'set … += …' to change one"
    return None


def _comparison_chain(context: _ErrorContext) -> str | None:
    if context.token.kind in _COMPARISONS and context.has(_COMPARISONS) and context.before.kind not in _COMPARISONS:
        return "comparisons do not chain; write 'a < b and b < c'"
    return None


def _number(context: _ErrorContext) -> str | None:
    token, before = context.token, context.before
    last = context.line[-2].kind if len(context.line) > 1 else ""
    if before.kind == "DOT" and last == "RANGE":
        return "a range is written 'low..high', with two dots"
    if token.kind == "INT" and before.kind == "DOT" and last not in ("NAME", "RPAR", "RSQB", "IT"):
        return f"write 0.{token.text}"
    if token.kind in ("NAME", "DICE") and before.kind == "INT" and before.at + len(before.text) == token.at:
        return "a name cannot begin with a digit"
    return "write 'b if a else c'" if token.kind == "QMARK" else None


def _joined_text(context: _ErrorContext) -> str | None:
    if context.token.kind == "PLUS" and context.before.kind == "STRING":
        return 'put values into the text, in braces: "… {value} …"'
    return None


# ---------------------------------------------------------------- shape of lines and blocks
def _one_line_block(context: _ErrorContext) -> str | None:
    if context.before.kind == "COLON" and context.token.text in _BLOCK_WORDS:
        return f"put '{context.token.text}' on a line of its own below, indented"
    return None


def _else_if(context: _ErrorContext) -> str | None:
    if context.before.text == "else" and context.token.text == "if":
        return "write 'elif'"
    first = context.line[0] if context.line else context.token
    if first.text in ("else", "elif") and (first is context.token or first.kind == "NAME"):
        return f"'{first.text}' belongs right after the lines of an 'if', with the same indentation as the 'if'"
    return None


def _missing_else(context: _ErrorContext) -> str | None:
    if "ELSE" in context.wanted and context.token.kind in _ENDS | CLOSING and "IF" not in context.wanted:
        return "a value with 'if' needs its 'else': 'a if condition else b'"
    return None


def _let(context: _ErrorContext) -> str | None:
    if context.head == "LET" and (context.wanted == {"EQUAL"} or context.before.kind in ("LET", "EQUAL")):
        return "write 'let name = value'"
    return None


def _loop(context: _ErrorContext) -> str | None:
    if context.head == "FOR" and context.before.kind == "FOR":
        return "write 'for each x in S:'"
    if context.head == "FOR" and context.line[1].kind == "ANY" and {"COMMA", "PLUS"} <= context.wanted:
        return "'for any' asks which comes next: 'for any x in S, next chosen by seat:'"
    if context.head == "REPEAT" and "TIMES" in context.wanted:
        return "write 'repeat n times:'"
    if context.head == "WHILE" and "COMMA" in context.wanted and context.token.kind in {"COLON", *_ENDS}:
        return "every loop has a bound: 'while …, up to n times:'"
    return None


def _colon(context: _ErrorContext) -> str | None:
    if "COLON" not in context.wanted or context.opener is not None:
        return None
    if context.token.kind in {"CITE", *_ENDS}:
        return "end the header with ':'"
    if context.token.kind == "LBRACE":
        return "a block begins with ':' and is indented; there are no braces"
    if context.head in _HEADERS and context.token.text in STATEMENT_WORDS:
        return f"write ':' before '{context.token.text}'"
    return None


def _indentation(context: _ErrorContext) -> str | None:
    if INDENT in context.wanted:
        return "indent the lines that belong to the header, or write one statement after its ':'"
    if context.token.kind == INDENT:
        return "give it the indentation of the line above, or end that line with ':'"
    return None


def _value_alone(context: _ErrorContext) -> str | None:
    if context.token.kind in _ENDS and "MAY" in context.wanted and "PLUS" not in context.wanted:
        return "a value alone does nothing; call a procedure with 'name(…)', or begin with 'let', 'set', 'return' …"
    return None


def _unused_result(context: _ErrorContext) -> str | None:
    if (
        "LPAR" in context.wanted
        and "MAY" in context.wanted
        and "PLUS" not in context.wanted
        and context.token.kind in _RESULT_WORDS
    ):
        return "keep the result: 'let name = …'"
    if context.head == "NAME" and context.before.text in ("one", "up", "any", "from") and "COLON" in context.wanted:
        return "keep the answer: 'let name = seat chooses …'"
    if context.token.kind in _ASKING_WORDS and "COLON" in context.wanted and "MAY" not in context.wanted:
        return "ask in a line before, and test the answer: 'let acted = seat may take menu(…)'"
    if context.token.kind == "DRAW" and "TIE" in context.wanted:
        return "keep what is drawn: 'let name = draw …'; a game that nobody wins ends with 'tie'"
    if not context.line and context.token.kind in _RESULT_WORDS and "LET" in context.wanted:
        return "keep the result: 'let name = …'"
    return None


# ---------------------------------------------------------------- words
def _foreign_word(context: _ErrorContext) -> str | None:
    for each in (context.token, context.before):
        if each.kind == "NAME" and each.text in _FOREIGN_WORDS:
            return _FOREIGN_WORDS[each.text]
    return None


def _missing_seat(context: _ErrorContext) -> str | None:
    for each in (context.token, context.before):
        if each.text in ("choose", "chooses") and context.wanted_before and "INT" in _expected_at(context, each):
            return "say who decides: 'seat chooses …'"
        if each.text in ("roll", "rolls") and "INT" in _expected_at(context, each):
            return "say who rolls: 'seat rolls …'"
    if context.token.kind == "DICE" and "INT" in context.wanted:
        return f"say who rolls: 'seat rolls {context.token.text} \"label\"'"
    return None


def _expected_at(context: _ErrorContext, token: Token) -> frozenset[str]:
    return context.wanted if token is context.token else context.wanted_before


def _kind_test(context: _ErrorContext) -> str | None:
    if context.before.kind in ("IS", "NOT") and context.token.kind == "NONE" and context.has(frozenset({"IS"})):
        return "'is' tests for a kind; compare with '= none' or '!= none'"
    if context.before.text in ("a", "an") and len(context.line) > 1 and context.line[-2].kind in ("IS", "NOT"):
        return f"write 'is {context.token.text}', without '{context.before.text}'"
    return None


def _misspelt(context: _ErrorContext) -> str | None:
    return _meant_word(context, context.token) or _meant_word(context, context.before)


def _meant_word(context: _ErrorContext, token: Token) -> str | None:
    if token.kind != "NAME":
        return None
    words = [word for word, kind in load_tables().words.items() if kind in _expected_at(context, token)]
    close = get_close_matches(token.text.lower(), words, 1, _MIN_SIMILARITY) if token.text not in words else []
    return f"did you mean '{close[0]}'?" if close else None


def _word_as_name(context: _ErrorContext) -> str | None:
    if context.head == "END" and context.token.text in _BLOCK_WORDS:
        return "a block ends with its indentation; leave this line out"
    if context.token.text in FIXED_WORDS and "NAME" in context.wanted and context.token.kind != "NAME":
        return f"'{context.token.text}' is a word of the rule language and cannot be a name"
    return None


# ---------------------------------------------------------------- brackets and other forms
def _bracket(context: _ErrorContext) -> str | None:
    before, token = context.before, context.token
    if context.opener is None:
        return "remove it, or open the bracket further left" if token.kind in CLOSING else None
    new_line = "\n" in context.text[before.at + len(before.text) : token.at]
    return context.opener if new_line or (token.kind in CLOSING | _ENDS and token.kind not in context.wanted) else None


def _form(context: _ErrorContext) -> str | None:
    """Returns the form of the last construct of the line, if one of its words is missing."""
    if context.wanted == {"IN"}:
        return "write 'for each x in S:'" if context.head == "FOR" else "write 'name in collection'"
    if {"EQUAL", "QMARK"} <= context.wanted and "PLUS" not in context.wanted and context.token.kind not in _ENDS:
        return f"write '=' before a default: '= {context.token.text}'"
    if context.wanted == {"STRING"}:
        return 'put the text in double quotes: "…"'
    if {"PLUS", END} <= context.wanted or {"PLUS", LINE_END} <= context.wanted:
        return None
    if context.before.kind == "SET" and "OF" in context.wanted:
        return "write 'set of …'"
    kind = next((each.kind for each in reversed(context.line) if each.kind in _FORMS), None)
    return f"write {_FORMS[kind]}" if kind else None


def _unfinished(context: _ErrorContext) -> str | None:
    if context.opener is None and context.token.kind in _ENDS and context.before.text and "INT" in context.wanted:
        return f"write what follows '{context.before.text}', or leave it out"
    return None


_CHECKS: tuple[Callable[[_ErrorContext], str | None], ...] = (
    _unknown_character, _doubled_sign, _assignment, _number, _joined_text, _one_line_block, _else_if, _kind_test,
    _foreign_word, _missing_seat, _unused_result, _word_as_name, _loop, _let, _comparison_chain, _misspelt,
    _indentation, _colon, _value_alone, _bracket, _missing_else, _form, _unfinished,
)  # fmt: skip
