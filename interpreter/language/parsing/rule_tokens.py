"""The tokens of a rule text, for tools that look at it without understanding it."""

from __future__ import annotations

from interpreter.language.parsing.lexer import Token, Tokens
from interpreter.language.parsing.parse import token_pattern
from interpreter.language.parsing.source_map import SourceText


def rule_tokens(source: SourceText) -> list[Token]:
    """Every token of a text, line ends included.

    Raises:
        RulesetError: for brackets or indentation that fit nothing.
    """
    return list(Tokens(source, 0, len(source.text), token_pattern(), lines=True))
