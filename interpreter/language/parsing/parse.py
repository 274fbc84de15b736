"""From rule text to syntax tree; whatever is wrong with a text is said at its place, for its author."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from interpreter.language.diagnostics import Diagnostic, RulesetError
from interpreter.language.parsing.build_expressions import FIXED_WORDS
from interpreter.language.parsing.build_statements import Builder
from interpreter.language.parsing.lalr_tables import END, RuleTable, load_tables
from interpreter.language.parsing.lexer import UNKNOWN, Token, Tokens, check_text
from interpreter.language.parsing.source_map import SourceText
from interpreter.language.parsing.syntax_errors import ParseFailure, syntax_error
from interpreter.language.tree.statements import AttrDecl, Binding, Body, Expr, TypeExpr
from interpreter.language.tree.traversal import children, nodes_in

MAX_TREE_DEPTH = 100
"""A tree that is deeper is refused, for whatever visits it later may recurse."""

MAX_UNCHECKED_TOKENS = 80
"""Statements of so few tokens, and texts in them, cannot make a tree that is too deep."""


def parse_block(source: SourceText) -> Body:
    """The statements of a `do:` text; raises `RulesetError` with one diagnostic that says what is wrong and where."""
    return cast(Body, _parse(source, "block"))


def parse_expr(source: SourceText) -> Expr:
    """An expression, on one line or many; raises `RulesetError` with one diagnostic."""
    return cast(Expr, _parse(source, "expr"))


def parse_type(source: SourceText) -> TypeExpr:
    """A type as `takes:` and `gives:` name it; raises `RulesetError` with one diagnostic."""
    return cast(TypeExpr, _parse(source, "type"))


def parse_attr(source: SourceText) -> AttrDecl:
    """The type, and perhaps the default, of an attribute; raises `RulesetError` with one diagnostic."""
    return cast(AttrDecl, _parse(source, "attr"))


def parse_binding(source: SourceText) -> Binding:
    """`name in collection`, the `each:` of a step; raises `RulesetError` with one diagnostic."""
    return cast(Binding, _parse(source, "binding"))


def _parse(source: SourceText, start: str) -> Any:
    check_text(source)
    builder = Builder(source)
    tree, longest = _parse_part(source, start, 0, len(source.text), builder)
    longest_inside = 0
    for literal, spans in builder.braces:
        parts: list[str | Expr] = []
        for span in spans:
            if isinstance(span, str):
                parts.append(span)
                continue
            part, length = _parse_part(source, "expr", *span, builder)
            parts.append(part)
            longest_inside = max(longest_inside, length)
        literal.parts = tuple(parts)
    if longest + longest_inside > MAX_UNCHECKED_TOKENS:
        check_depth(tree)
    return tree


def _parse_part(source: SourceText, start: str, begin: int, end: int, builder: Builder) -> tuple[Any, int]:
    """The tree of a part of the text, and the number of tokens in its longest statement."""
    machine = _parser()
    tokens = Tokens(source, begin, end, machine.pattern, lines=start == "block")
    seen: list[Token] = []
    try:
        tree = machine.run(start, tokens, builder, seen)
    except _Unexpected:
        raise syntax_error(ParseFailure(source, start, seen, machine.expected(start, seen))) from None
    return tree, tokens.longest


def token_pattern() -> re.Pattern[str]:
    """What a rule text is cut into tokens by."""
    return _parser().pattern


class _Unexpected(Exception):  # noqa: N818 - never leaves this module
    """The last token seen fits nowhere."""


# ---------------------------------------------------------------- the machine
@dataclass(slots=True)
class _Production:
    """A production with what makes its value: none for a list, which the rule around it takes in."""

    origin: str
    size: int
    keep: tuple[tuple[int, bool], ...] | None
    passes: bool
    make: Callable[..., Any] | None

    @classmethod
    def of(cls, table: RuleTable) -> _Production:
        """The production of a table."""
        make = getattr(Builder, table.make) if table.make else None
        return cls(table.origin, table.size, table.keep, table.passes, make)


class _ShiftReduceParser:
    """The shift-reduce machine of the grammar's tables; one for the process, it remembers nothing of a text."""

    def __init__(self) -> None:
        tables = load_tables()
        self.pattern = re.compile(f"{tables.pattern}|(?P<{UNKNOWN}>.)", re.DOTALL)
        self._words = tables.words
        self._starts = tables.starts
        self._states = tables.states
        self._rules = [_Production.of(each) for each in tables.rules]
        self._short: dict[tuple[int, str, str], int] = {}

    def run(self, start: str, tokens: Tokens, builder: Builder, seen: list[Token]) -> Any:
        """The tree of a text; `seen` receives its tokens. Raises `_Unexpected` at the first that does not fit."""
        first, last = self._starts[start]
        states, values, places = [first], list[Any](), list[int]()
        rows, words, rules, short = self._states, self._words, self._rules, self._short
        for token in tokens:
            row = rows[states[-1]]
            if token.kind == "NAME" and (word := words.get(token.text)) is not None:
                self._classify_word(token, word, row, seen)
            seen.append(token)
            kind = token.kind
            while (action := row.get(kind)) is not None and action < 0:
                rule = rules[-1 - action]
                size, make = rule.size, rule.make
                children: list[Any] = []
                at = token.at
                if size:
                    children, at = values[-size:], places[-size]
                    del states[-size:], values[-size:], places[-size:]
                if rule.keep is not None:
                    children = _kept(rule.keep, children, grows=make is None)
                if make is not None:
                    values.append(make(builder, at, *children))
                else:
                    values.append(children[0] if rule.passes else children)
                places.append(at)
                way = (states[-1], rule.origin, kind)
                target = short.get(way)
                states.append(self._goto(*way) if target is None else target)
                if kind == END and states[-1] == last:
                    return values[-1]
                row = rows[states[-1]]
            if action is None:
                raise _Unexpected
            states.append(action)
            values.append(token)
            places.append(token.at)
        raise AssertionError("a text without an end")

    def _classify_word(self, token: Token, word: str, row: dict[str, int], seen: list[Token]) -> None:
        """A word of the language stands where the grammar expects it; some can never be names, but after a dot."""
        after_dot = bool(seen) and seen[-1].kind == "DOT"
        if word in row or (token.text in FIXED_WORDS and not after_dot):
            token.kind = word

    def _goto(self, state: int, origin: str, kind: str) -> int:
        """The state after a value, with the rules passed over that only hand it on."""
        target = self._states[state][origin]
        while (action := self._states[target].get(kind, 0)) < 0:
            rule = self._rules[-1 - action]
            if not rule.passes:
                break
            target = self._states[state][rule.origin]
        self._short[state, origin, kind] = target
        return target

    def expected(self, start: str, seen: list[Token]) -> list[frozenset[str]]:
        """For the last two tokens seen, what could have stood in their places."""
        states = [self._starts[start][0]]
        found: list[frozenset[str]] = []
        for index, token in enumerate(seen):
            if index >= len(seen) - 2:
                row = self._states[states[-1]]
                found.append(frozenset(kind for kind in row if self._fits(start, list(states), kind)))
            self._fits(start, states, token.kind)
        return found

    def _fits(self, start: str, states: list[int], kind: str) -> bool:
        """Whether a token fits; changes `states` to those after it."""
        if kind != END and not kind.strip("_").isupper():
            return False
        while (action := self._states[states[-1]].get(kind)) is not None and action < 0:
            rule = self._rules[-1 - action]
            if rule.size:
                del states[-rule.size :]
            states.append(self._states[states[-1]][rule.origin])
            if kind == END and states[-1] == self._starts[start][1]:
                return True
        if action is None:
            return False
        states.append(action)
        return True


def _kept(keep: tuple[tuple[int, bool], ...], values: list[Any], *, grows: bool) -> list[Any]:
    """Those of the values of a rule's symbols that become children, lists spliced in where that is asked for."""
    children: list[Any] = []
    if grows and keep[0] == (0, True):
        children, keep = values[0], keep[1:]  # a list that grows keeps its elements where they are
    for index, spliced in keep:
        if spliced:
            children += values[index]
        else:
            children.append(values[index] if index >= 0 else None)
    return children


@cache
def _parser() -> _ShiftReduceParser:
    return _ShiftReduceParser()


def check_depth(tree: object) -> None:
    """Raises `RulesetError` at the first node that lies too deep."""
    level = list(nodes_in(tree))
    for _ in range(MAX_TREE_DEPTH):
        level = [child for node in level for child in children(node)]
        if not level:
            return
    message = f"this rule text is nested more than {MAX_TREE_DEPTH} deep here"
    raise RulesetError([Diagnostic("too-deep", message, level[0].place, "give inner parts a name with let")])


def rule_tokens(source: SourceText) -> list[Token]:
    """Every token of a text, line ends included.

    Raises:
        RulesetError: for brackets or indentation that fit nothing.
    """
    return list(Tokens(source, 0, len(source.text), token_pattern(), lines=True))
