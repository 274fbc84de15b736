"""Compares version numbers with ranges such as `>=0.1 <1`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Final

from interpreter.language.diagnostics import Diagnostic
from interpreter.rules.documents.nodes import Scalar, shortened

_COMPARISONS: Final[dict[str, Callable[[int, int], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
}
_CONDITION: Final = re.compile(r"\s*(<=|>=|==|!=|<|>|=)?\s*([0-9]{1,9}(?:\.[0-9]{1,9})*)(?![0-9])\s*,?")
_NUMBERS: Final = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})*(?!\.?[0-9])")


def is_in_range(version: str, wanted: str) -> bool:
    """Whether a version is in a range: every condition must hold; a bare version means exactly that one.

    Missing numbers count as 0, so `1` is `1.0`. Anything after the numbers of the version (`1.2rc1`) is ignored.

    Raises:
        ValueError: if the range or the version can't be read.
    """
    conditions, at = [], 0
    wanted = wanted.strip()
    while at < len(wanted):
        found = _CONDITION.match(wanted, at)
        if found is None:
            raise ValueError(f"'{wanted[:40]}' is not a range of versions")
        conditions.append((found[1] or "=", found[2]))
        at = found.end()
    if not conditions:
        raise ValueError("the range of versions is empty")
    if (numbers := _NUMBERS.match(version)) is None:
        raise ValueError(f"'{version[:40]}' is not a version")
    return all(_COMPARISONS[sign](_compared(numbers[0], bound), 0) for sign, bound in conditions)


def _compared(left: str, right: str) -> int:
    for one, other in zip_longest(left.split("."), right.split("."), fillvalue="0"):
        if int(one) != int(other):
            return -1 if int(one) < int(other) else 1
    return 0


def range_faults(node: Scalar, version: str, whose: str, code: str) -> Iterator[Diagnostic]:
    """Yields the error if a document requires a range that is malformed, or that excludes the version."""
    try:
        fits = is_in_range(version, node.text)
    except ValueError as error:
        yield Diagnostic("wrong-shape", str(error), node.place, "write it like '>=0.1 <1'")
        return
    if not fits:
        message = f"'{shortened(node.text)}' is required, but {whose} has version {version}"
        yield Diagnostic(
            code, message, node.place, "install a version in the range, or test this one and extend the range"
        )
