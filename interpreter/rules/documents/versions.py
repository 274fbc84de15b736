"""Version numbers, and ranges of them such as `>=0.1 <1`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Final

from interpreter.language.diagnostics import Diagnostic
from interpreter.rules.documents.nodes import Scalar, shown

_COMPARISONS: Final[dict[str, Callable[[int, int], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
}
_CONDITION: Final = re.compile(r"\s*(<=|>=|==|!=|<|>|=)?\s*([0-9]+(?:\.[0-9]+)*)\s*,?")
_NUMBERS: Final = re.compile(r"[0-9]+(?:\.[0-9]+)*")


def in_range(version: str, wanted: str) -> bool:
    """Whether a version fits a range: every condition must hold; a bare version means just that one.

    Missing numbers count as 0, so `1` is `1.0`. What follows the numbers of the version (`1.2rc1`) doesn't count.

    Raises:
        ValueError: if the range or the version can't be read.
    """
    conditions, at = [], 0
    wanted = wanted.strip()
    while at < len(wanted):
        found = _CONDITION.match(wanted, at)
        if found is None:
            raise ValueError(f"'{wanted[:40]}' is no range of versions")
        conditions.append((found[1] or "=", found[2]))
        at = found.end()
    if not conditions:
        raise ValueError("a range of versions is empty")
    if (numbers := _NUMBERS.match(version)) is None:
        raise ValueError(f"'{version[:40]}' is no version")
    return all(_COMPARISONS[sign](_compared(numbers[0], bound), 0) for sign, bound in conditions)


def _compared(left: str, right: str) -> int:
    for one, other in zip_longest(left.split("."), right.split("."), fillvalue="0"):
        if int(one) != int(other):
            return -1 if int(one) < int(other) else 1
    return 0


def range_faults(node: Scalar, version: str, whose: str, code: str) -> Iterator[Diagnostic]:
    """What is wrong with a range of versions that a document asks for."""
    try:
        fits = in_range(version, node.text)
    except ValueError as error:
        yield Diagnostic("wrong-shape", str(error), node.place, "write it like '>=0.1 <1'")
        return
    if not fits:
        message = f"'{shown(node.text)}' is needed, and {whose} is version {version}"
        yield Diagnostic(code, message, node.place, "install a version that fits, or change the range once it is tried")
