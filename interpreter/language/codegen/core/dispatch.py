"""Dispatch from a node to the function that writes it, so that writers of expressions can call one another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.language.codegen.core.context import CodeContext
from interpreter.language.tree.statements import Expr

Handler = Callable[[Any, CodeContext], str]
VALUES: dict[type[Expr], Handler] = {}
CONDITIONS: dict[type[Expr], Handler] = {}


def value(node: Expr, cx: CodeContext) -> str:
    """The Python text of an expression with exactly its value."""
    return VALUES[type(node)](node, cx)


def condition(node: Expr, cx: CodeContext) -> str:
    """The Python text of an expression as a condition; it can be shorter than the text of its value."""
    return CONDITIONS.get(type(node), value)(node, cx)
