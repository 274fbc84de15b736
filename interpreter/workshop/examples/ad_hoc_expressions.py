"""Expressions outside the ruleset, as in examples: parsed, linked and checked against a ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.language.checking.check import check_expression
from interpreter.language.diagnostics import Diagnostic, RulesetError
from interpreter.language.model.program import Parameter, Program
from interpreter.language.parsing.parse import parse_expr
from interpreter.language.parsing.source_map import SourceText
from interpreter.language.tree.statements import DecisionExpr, Draw, Expr, Random, RollApart, RollSum, SyntaxNode
from interpreter.language.tree.traversal import walk_tree
from interpreter.language.tree.types import Type
from interpreter.rules.documents.nodes import Scalar

Scope = tuple[Parameter, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CheckedExpression:
    """A checked expression with its source text."""

    node: Scalar
    expr: Expr
    scope: Scope


def read_expression(program: Program, node: Scalar, scope: Scope, expected: Type | None) -> CheckedExpression:
    """Parses and checks an expression in a document.

    Raises:
        RulesetError: with all mistakes in it.
    """
    return CheckedExpression(node, checked_expression(program, node.source, scope, expected), scope)


def checked_expression(program: Program, text: SourceText, scope: Scope, expected: Type | None) -> Expr:
    """Parses and checks an expression.

    Raises:
        RulesetError: with all mistakes in it.
    """
    expr = parse_expr(text)
    found = [*check_expression(program, expr, scope, expected), *_inline_decisions(expr)]
    if any(each.severity == "error" for each in found):
        raise RulesetError(found)
    return expr


def _inline_decisions(expr: Expr) -> Iterator[Diagnostic]:
    """Yields the decisions and rolls in the expression itself; only rules of the ruleset can ask and roll."""
    for each in walk_tree(expr):
        if isinstance(each, DecisionExpr | RollSum | RollApart | Random | Draw):
            yield Diagnostic(
                "asks-outside",
                "only the rules of the ruleset may ask or roll, not an example or a question",
                each.place,
                "call the procedure that asks or rolls, or run the step that contains it",
            )


def offset_of(node: Scalar, part: SyntaxNode) -> int:
    """Returns the offset in an expression's text at which a part of it begins."""
    line, column = part.place.line, part.place.column
    for offset, at_line, at_column in reversed(node.source.spans):
        if at_line == line and at_column <= column:
            return offset + column - at_column
    return 0
