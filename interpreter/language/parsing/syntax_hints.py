"""The mistakes that authors make: each check sees what was read and says what to write instead, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from interpreter.language.parsing.build_expressions import FIXED_WORDS
from interpreter.language.parsing.lalr_tables import END, load_tables
from interpreter.language.parsing.lexer import CLOSING, DEDENT, INDENT, LINE_END, UNKNOWN, Token

_CHARACTER_HINTS = {
    "&": "write 'and'", "|": "write 'or'", "!": "write 'not', or '!=' for 'is not equal'",
    "'": 'put text in double quotes: "…"', "`": 'put text in double quotes: "…"',
    '"': "close the text with a second \" in the same line", ";": "give each statement a line of its own",
    "%": "there is no remainder; 'rounded down' divides in whole numbers", "^": "multiply with '*'",
    "≤": "write '<='", "≥": "write '>='", "≠": "write '!='", "−": "write '-'", "–": "write '-'", "×": "write '*'",
    "÷": "write '/'", "…": "write '..'", "“": 'use straight double quotes: "…"', "”": 'use straight double quotes: "…"',
    "@": "a clause id follows '@' at once, as in @8.3.1",
}  # fmt: skip
_FOREIGN_WORDS = {
    "then": "write ':' in place of 'then'", "elseif": "write 'elif'", "elsif": "write 'elif'",
    "unless": "write 'if not'", "foreach": "write 'for each x in …:'", "break": "write 'stop'",
    "print": 'write log "…"', "var": "write 'let'", "const": "write 'let'", "equals": "write '='",
    "continue": "there is no 'continue'; put what follows into an if", "pass": "leave the line out",
    "do": "begin the block with ':' at the end of the header", "mod": "there is no remainder",
}  # fmt: skip
_RESULT_WORDS = frozenset({"ROLLS", "RANKS", "ASSIGNS", "SPREADS", "RANDOM", "DRAW", "REACH"})
_HEADERS = frozenset({"IF", "ELIF", "ELSE", "FOR", "WHILE", "REPEAT", "TOGETHER"})
_STATEMENT_WORDS = frozenset({"let", "set", "move", "remove", "return", "stop", "win", "log", "shuffle", "reveal"})
_BLOCK_WORDS = frozenset({"if", "for", "while", "repeat", "together"})
_ENDS = frozenset({LINE_END, END, DEDENT})
_COMPARISONS = frozenset({"EQUAL", "COMPARE"})
_MIN_SIMILARITY = 0.75
_FORMS = {
    "MOVE": "'move … to …'", "REACH": "'reach search(…) from start'", "AS": "'S as name where …'",
    "CHOOSES": "'seat chooses one of S', 'one or none of S', 'n of S', 'up to n of S', 'any of S' or 'from a to b'",
    "RANKS": "'seat ranks all of S' or 'seat ranks any of S'", "ASSIGNS": "'seat assigns each of S to one of T'",
    "SPREADS": "'seat spreads n over S at most n each'", "AGREES": "'seat agrees to name \"prompt\"'",
    "MAY": "'seat may take menu(…)'", "MUST": "'seat must take menu(…)'", "ROUNDED": "'rounded up', 'down' or 'at 0.5'",
    "ROLLS": "'seat rolls 2d6 \"label\"' or 'seat rolls n dice of d6 \"label\"'",
    "RANDOM": "'random one of S' or 'random n of S'", "DRAW": "'draw one from pile' or 'draw n from pile'",
    "NEW": "'new kind(attribute: value)'", "MAP": "'map of … to …'", "LIST": "'list of …'", "SET": "'set … = …'",
    "FOR": "'for each x in S:'", "WIN": "'win seat \"reason\"'", "END": "'end step'",
}  # fmt: skip
"""How the constructs are written that have more than one word."""


@dataclass(frozen=True, slots=True)
class _ErrorContext:
    """The `token` that does not fit, the tokens of its line before it, what could have stood there and before it."""

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
    """What the author probably meant to write, where that can be told."""
    scene = _error_context(seen, expected, opener, text)
    return next((hint for check in _CHECKS if (hint := check(scene))), None)


def misspelt_word_before(seen: list[Token], expected: list[frozenset[str]]) -> str | None:
    """The hint that the last word read, rather than what follows it, is a misspelt word of the language."""
    scene = _error_context(seen, expected, None, "")
    return _meant_word(scene, scene.before) if _meant_word(scene, scene.token) is None else None


def _error_context(seen: list[Token], expected: list[frozenset[str]], opener: str | None, text: str) -> _ErrorContext:
    line: list[Token] = []
    for token in seen[:-1]:
        line = [] if token.kind in (LINE_END, INDENT, DEDENT) else [*line, token]
    return _ErrorContext(seen[-1], line, expected[-1], expected[-2] if len(expected) > 1 else frozenset(), opener, text)


# ---------------------------------------------------------------- signs
def _unknown_character(scene: _ErrorContext) -> str | None:
    return _CHARACTER_HINTS.get(scene.token.text) if scene.token.kind == UNKNOWN else None


def _doubled_sign(scene: _ErrorContext) -> str | None:
    token, before = scene.token, scene.before
    if before.at + len(before.text) != token.at:
        return None
    pair = before.text + token.text
    if pair == "**":
        return "there are no powers; multiply with '*'"
    if before.kind not in _COMPARISONS:
        return None
    return {"==": "write a single '=' to compare", "=<": "write '<='", "=>": "write '>='", "<>": "write '!='"}.get(pair)


def _assignment(scene: _ErrorContext) -> str | None:
    if scene.head in ("NAME", "IT", "DOT") and "MAY" in scene.wanted:
        if scene.token.kind in ("ASSIGN", "EQUAL"):
            return f"write 'set … {scene.token.text} …' to change a value, 'let … = …' to give one a name"
        if scene.token.kind in ("PLUS", "MINUS"):
            return "write 'set … += …' or 'set … -= …'"
    if scene.head == "LET" and scene.token.kind == "ASSIGN":
        return "'let' gives a new name to a value; write 'set … += …' to change one"
    return None


def _comparison_chain(scene: _ErrorContext) -> str | None:
    if scene.token.kind in _COMPARISONS and scene.has(_COMPARISONS) and scene.before.kind not in _COMPARISONS:
        return "comparisons do not chain; write 'a < b and b < c'"
    return None


def _number(scene: _ErrorContext) -> str | None:
    token, before = scene.token, scene.before
    last = scene.line[-2].kind if len(scene.line) > 1 else ""
    if before.kind == "DOT" and last == "RANGE":
        return "a range is written 'low..high', with two dots"
    if token.kind == "INT" and before.kind == "DOT" and last not in ("NAME", "RPAR", "RSQB", "IT"):
        return f"write 0.{token.text}"
    if token.kind in ("NAME", "DICE") and before.kind == "INT" and before.at + len(before.text) == token.at:
        return "a name cannot begin with a digit"
    return "write 'b if a else c'" if token.kind == "QMARK" else None


def _joined_text(scene: _ErrorContext) -> str | None:
    if scene.token.kind == "PLUS" and scene.before.kind == "STRING":
        return 'put values into the text, in braces: "… {value} …"'
    return None


# ---------------------------------------------------------------- shape of lines and blocks
def _one_line_block(scene: _ErrorContext) -> str | None:
    if scene.before.kind == "COLON" and scene.token.text in _BLOCK_WORDS:
        return f"put '{scene.token.text}' on a line of its own below, indented"
    return None


def _else_if(scene: _ErrorContext) -> str | None:
    if scene.before.text == "else" and scene.token.text == "if":
        return "write 'elif'"
    first = scene.line[0] if scene.line else scene.token
    if first.text in ("else", "elif") and (first is scene.token or first.kind == "NAME"):
        return f"'{first.text}' belongs right after the lines of an 'if', with the same indentation as the 'if'"
    return None


def _missing_else(scene: _ErrorContext) -> str | None:
    if "ELSE" in scene.wanted and scene.token.kind in _ENDS | CLOSING and "IF" not in scene.wanted:
        return "a value with 'if' needs its 'else': 'a if condition else b'"
    return None


def _let(scene: _ErrorContext) -> str | None:
    if scene.head == "LET" and (scene.wanted == {"EQUAL"} or scene.before.kind in ("LET", "EQUAL")):
        return "write 'let name = value'"
    return None


def _loop(scene: _ErrorContext) -> str | None:
    if scene.head == "FOR" and scene.before.kind == "FOR":
        return "write 'for each x in S:'"
    if scene.head == "FOR" and scene.line[1].kind == "ANY" and {"COMMA", "PLUS"} <= scene.wanted:
        return "'for any' asks which comes next: 'for any x in S, next chosen by seat:'"
    if scene.head == "REPEAT" and "TIMES" in scene.wanted:
        return "write 'repeat n times:'"
    if scene.head == "WHILE" and "COMMA" in scene.wanted and scene.token.kind in {"COLON", *_ENDS}:
        return "every loop has a bound: 'while …, up to n times:'"
    return None


def _colon(scene: _ErrorContext) -> str | None:
    if "COLON" not in scene.wanted or scene.opener is not None:
        return None
    if scene.token.kind in {"CITE", *_ENDS}:
        return "end the header with ':'"
    if scene.token.kind == "LBRACE":
        return "a block begins with ':' and is indented; there are no braces"
    if scene.head in _HEADERS and scene.token.text in _STATEMENT_WORDS:
        return f"write ':' before '{scene.token.text}'"
    return None


def _indentation(scene: _ErrorContext) -> str | None:
    if INDENT in scene.wanted:
        return "indent the lines that belong to the header, or write one statement after its ':'"
    if scene.token.kind == INDENT:
        return "give it the indentation of the line above, or end that line with ':'"
    return None


def _value_alone(scene: _ErrorContext) -> str | None:
    if scene.token.kind in _ENDS and "MAY" in scene.wanted and "PLUS" not in scene.wanted:
        return "a value alone does nothing; call a procedure with 'name(…)', or begin with 'let', 'set', 'return' …"
    return None


def _unused_result(scene: _ErrorContext) -> str | None:
    if (
        "LPAR" in scene.wanted
        and "MAY" in scene.wanted
        and "PLUS" not in scene.wanted
        and scene.token.kind in _RESULT_WORDS
    ):
        return "keep the result: 'let name = …'"
    if scene.head == "NAME" and scene.before.text in ("one", "up", "any", "from") and "COLON" in scene.wanted:
        return "keep the answer: 'let name = seat chooses …'"
    if not scene.line and scene.token.kind in _RESULT_WORDS and "LET" in scene.wanted:
        return "keep the result: 'let name = …'"
    return None


# ---------------------------------------------------------------- words
def _foreign_word(scene: _ErrorContext) -> str | None:
    for each in (scene.token, scene.before):
        if each.kind == "NAME" and each.text in _FOREIGN_WORDS:
            return _FOREIGN_WORDS[each.text]
    return None


def _missing_seat(scene: _ErrorContext) -> str | None:
    for each in (scene.token, scene.before):
        if each.text in ("choose", "chooses") and scene.wanted_before and "INT" in _expected_at(scene, each):
            return "say who decides: 'seat chooses …'"
        if each.text in ("roll", "rolls") and "INT" in _expected_at(scene, each):
            return "say who rolls: 'seat rolls …'"
    return None


def _expected_at(scene: _ErrorContext, token: Token) -> frozenset[str]:
    return scene.wanted if token is scene.token else scene.wanted_before


def _kind_test(scene: _ErrorContext) -> str | None:
    if scene.before.kind in ("IS", "NOT") and scene.token.kind == "NONE" and scene.has(frozenset({"IS"})):
        return "'is' tests for a kind; compare with '= none' or '!= none'"
    if scene.before.text in ("a", "an") and len(scene.line) > 1 and scene.line[-2].kind in ("IS", "NOT"):
        return f"write 'is {scene.token.text}', without '{scene.before.text}'"
    return None


def _misspelt(scene: _ErrorContext) -> str | None:
    return _meant_word(scene, scene.token) or _meant_word(scene, scene.before)


def _meant_word(scene: _ErrorContext, token: Token) -> str | None:
    if token.kind != "NAME":
        return None
    words = [word for word, kind in load_tables().words.items() if kind in _expected_at(scene, token)]
    close = get_close_matches(token.text.lower(), words, 1, _MIN_SIMILARITY) if token.text not in words else []
    return f"did you mean '{close[0]}'?" if close else None


def _word_as_name(scene: _ErrorContext) -> str | None:
    if scene.head == "END" and scene.token.text in _BLOCK_WORDS:
        return "a block ends with its indentation; leave this line out"
    if scene.token.text in FIXED_WORDS and "NAME" in scene.wanted and scene.token.kind != "NAME":
        return f"'{scene.token.text}' is a word of the rule language and cannot be a name"
    return None


# ---------------------------------------------------------------- brackets, and what is left
def _bracket(scene: _ErrorContext) -> str | None:
    before, token = scene.before, scene.token
    if scene.opener is None:
        return "remove it, or open the bracket further left" if token.kind in CLOSING else None
    new_line = "\n" in scene.text[before.at + len(before.text) : token.at]
    return scene.opener if new_line or (token.kind in CLOSING | _ENDS and token.kind not in scene.wanted) else None


def _form(scene: _ErrorContext) -> str | None:
    """How the last construct of the line is written, while one of its words is still to come."""
    if scene.wanted == {"IN"}:
        return "write 'for each x in S:'" if scene.head == "FOR" else "write 'name in collection'"
    if {"EQUAL", "QMARK"} <= scene.wanted and "PLUS" not in scene.wanted and scene.token.kind not in _ENDS:
        return f"write '=' before a default: '= {scene.token.text}'"
    if scene.wanted == {"STRING"}:
        return 'put the text in double quotes: "…"'
    if {"PLUS", END} <= scene.wanted or {"PLUS", LINE_END} <= scene.wanted:
        return None
    if scene.before.kind == "SET" and "OF" in scene.wanted:
        return "write 'set of …'"
    kind = next((each.kind for each in reversed(scene.line) if each.kind in _FORMS), None)
    return f"write {_FORMS[kind]}" if kind else None


def _unfinished(scene: _ErrorContext) -> str | None:
    if scene.opener is None and scene.token.kind in _ENDS and scene.before.text and "INT" in scene.wanted:
        return f"write what follows '{scene.before.text}', or leave it out"
    return None


_CHECKS: tuple[Callable[[_ErrorContext], str | None], ...] = (
    _unknown_character, _doubled_sign, _assignment, _number, _joined_text, _one_line_block, _else_if, _kind_test,
    _foreign_word, _missing_seat, _word_as_name, _unused_result, _loop, _let, _comparison_chain, _misspelt,
    _indentation, _colon, _value_alone, _bracket, _missing_else, _form, _unfinished,
)  # fmt: skip
