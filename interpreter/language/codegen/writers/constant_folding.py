"""Python text of conditions with constant folding: options and named things are constants."""

from __future__ import annotations

import re
from collections.abc import Iterable

TRUE, FALSE = "True", "False"
_LITERAL = re.compile(r"-?\d+|None|True|False")
_NAMED = re.compile(r"[ie]_\w+")


def conjunction(parts: Iterable[str]) -> str:
    """A conjunction; operands known to be true are left out."""
    left: list[str] = []
    for part in parts:
        if part == FALSE:
            return FALSE if not left else _joined([*left, FALSE], "and")
        if part != TRUE:
            left.append(part)
    return _joined(left, "and") if left else TRUE


def disjunction(parts: Iterable[str]) -> str:
    """A disjunction; operands known to be false are left out."""
    left: list[str] = []
    for part in parts:
        if part == TRUE:
            return TRUE if not left else _joined([*left, TRUE], "or")
        if part != FALSE:
            left.append(part)
    return _joined(left, "or") if left else FALSE


def _joined(parts: list[str], word: str) -> str:
    return parts[0] if len(parts) == 1 else "(" + f" {word} ".join(parts) + ")"


def negation(part: str) -> str:
    """A negation."""
    return {TRUE: FALSE, FALSE: TRUE}.get(part) or f"(not {part})"


def choice(test: str, then: str, other: str) -> str:
    """One of two texts, by a condition that may be known."""
    return {TRUE: then, FALSE: other}.get(test) or f"({then} if {test} else {other})"


def identity(left: str, right: str, equal: bool) -> str:
    """An identity test of two things."""
    for one, other in ((left, right), (right, left)):
        if one == "None" and _LITERAL.fullmatch(other):
            return TRUE if (other == "None") is equal else FALSE
    if _NAMED.fullmatch(left) and _NAMED.fullmatch(right):
        return TRUE if (left == right) is equal else FALSE
    return f"({left} {'is' if equal else 'is not'} {right})"


def same_truth(left: str, right: str, equal: bool) -> str:
    """Whether two bools are equal."""
    for known, other in ((left, right), (right, left)):
        if known in (TRUE, FALSE):
            return other if (known == TRUE) is equal else negation(other)
    return f"({left} {'==' if equal else '!='} {right})"
