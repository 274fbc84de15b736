"""Parses rule text into syntax trees; errors carry the place in the source and a hint for the author."""

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
"""The greatest depth of a tree; later passes may recurse."""

MAX_UNCHECKED_TOKENS = 80
"""Statements with at most this number of tokens, and texts in them, cannot exceed the depth."""


def parse_block(source: SourceText) -> Body:
    """Parses the statements of a `do:` text; raises `RulesetError` with one diagnostic."""
    return cast(Body, _parse(source, "block"))


def parse_expr(source: SourceText) -> Expr:
    """Parses an expression of one or more lines; raises `RulesetError` with one diagnostic."""
    return cast(Expr, _parse(source, "expr"))


def parse_type(source: SourceText) -> TypeExpr:
    """Parses a type of `takes:` or `gives:`; raises `RulesetError` with one diagnostic."""
    return cast(TypeExpr, _parse(source, "type"))


def parse_attr(source: SourceText) -> AttrDecl:
    """Parses the type and optional default of an attribute; raises `RulesetError` with one diagnostic."""
    return cast(AttrDecl, _parse(source, "attr"))


def parse_binding(source: SourceText) -> Binding:
    """Parses `name in collection`, the `each:` of a step; raises `RulesetError` with one diagnostic."""
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
    """Returns the tree of a part of the text, and the number of tokens in its longest statement."""
    machine = _parser()
    tokens = Tokens(source, begin, end, machine.pattern, lines=start == "block")
    seen: list[Token] = []
    try:
        tree = machine.run(start, tokens, builder, seen)
    except _Unexpected:
        raise syntax_error(ParseFailure(source, start, seen, machine.expected(start, seen))) from None
    return tree, tokens.longest


def token_pattern() -> re.Pattern[str]:
    """Returns the pattern that matches one token."""
    return _parser().pattern


class _Unexpected(Exception):  # noqa: N818 - never leaves this module
    """The last token seen does not fit the grammar."""


# ---------------------------------------------------------------- the shift-reduce parser
@dataclass(slots=True)
class _Production:
    """A production with the function that builds its value; none for a list, which the enclosing rule splices in."""

    origin: str
    size: int
    keep: tuple[tuple[int, bool], ...] | None
    passes: bool
    make: Callable[..., Any] | None

    @classmethod
    def of(cls, table: RuleTable) -> _Production:
        """Returns the production for a row of the tables."""
        make = getattr(Builder, table.make) if table.make else None
        return cls(table.origin, table.size, table.keep, table.passes, make)


class _ShiftReduceParser:
    """Runs the LALR tables of the grammar; one stateless instance serves the process."""

    def __init__(self) -> None:
        tables = load_tables()
        self.pattern = re.compile(f"{tables.pattern}|(?P<{UNKNOWN}>.)", re.DOTALL)
        self._words = tables.words
        self._starts = tables.starts
        self._states = tables.states
        self._rules = [_Production.of(each) for each in tables.rules]
        self._short: dict[tuple[int, str, str], int] = {}

    def run(self, start: str, tokens: Tokens, builder: Builder, seen: list[Token]) -> Any:
        """Returns the tree of a text; `seen` receives its tokens. Raises `_Unexpected` if the last does not fit."""
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
        """Turns a name into a keyword where the grammar expects it; some keywords are names only after a dot."""
        after_dot = bool(seen) and seen[-1].kind == "DOT"
        if word in row or (token.text in FIXED_WORDS and not after_dot):
            token.kind = word

    def _goto(self, state: int, origin: str, kind: str) -> int:
        """Returns the state after a value, without visiting rules that only pass it through."""
        target = self._states[state][origin]
        while (action := self._states[target].get(kind, 0)) < 0:
            rule = self._rules[-1 - action]
            if not rule.passes:
                break
            target = self._states[state][rule.origin]
        self._short[state, origin, kind] = target
        return target

    def expected(self, start: str, seen: list[Token]) -> list[frozenset[str]]:
        """Returns the symbols that were possible in place of each of the last two tokens seen."""
        states = [self._starts[start][0]]
        found: list[frozenset[str]] = []
        for index, token in enumerate(seen):
            if index >= len(seen) - 2:
                row = self._states[states[-1]]
                found.append(frozenset(kind for kind in row if self._fits(start, list(states), kind)))
            self._fits(start, states, token.kind)
        return found

    def _fits(self, start: str, states: list[int], kind: str) -> bool:
        """Whether a token fits; advances `states` past it."""
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
    """Returns the values of a rule's symbols that become children, with lists spliced in as `keep` demands."""
    children: list[Any] = []
    if grows and keep[0] == (0, True):
        children, keep = values[0], keep[1:]  # a left-recursive list is extended in place
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
    """Raises `RulesetError` at the first node that is too deep."""
    level = list(nodes_in(tree))
    for _ in range(MAX_TREE_DEPTH):
        level = [child for node in level for child in children(node)]
        if not level:
            return
    message = f"this rule text is nested more than {MAX_TREE_DEPTH} deep here"
    raise RulesetError([Diagnostic("too-deep", message, level[0].place, "give inner parts a name with let")])


def rule_tokens(source: SourceText) -> list[Token]:
    """Returns every token of a text, line ends included.

    Raises:
        RulesetError: for wrong brackets or indentation.
    """
    return list(Tokens(source, 0, len(source.text), token_pattern(), lines=True))
