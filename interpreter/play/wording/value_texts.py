"""Values in texts: decimal numbers, values in a row, and the values at the placeholders of a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from interpreter.play.wording.messages import REPEATED
from interpreter.world.things import Word


def placed_values(template: str, parts: Sequence[Any]) -> list[Any] | None:
    """Returns the parts of a line at the `{}` of its template; none if the line does not match the template."""
    found, rest = [], template
    for each in parts:
        if rest.startswith("{}"):
            found.append(each)
            rest = rest[2:]
        elif isinstance(each, str) and rest.startswith(each):
            rest = rest[len(each) :]
        else:
            return None
    return None if rest else found


def texts_in_row(values: Sequence[Any], to_text: Callable[[Any], str], language: str) -> list[str]:
    """Returns the texts of values in their order; hidden things next to each other that look alike are counted."""
    texts: list[str] = []
    for (text, hidden), group in groupby([(to_text(each), _is_hidden(each)) for each in values]):
        count = len(list(group))
        alike = hidden and count > 1
        texts += [REPEATED.format(language, {"name": text, "count": count})] if alike else [text] * count
    return texts


def _is_hidden(value: Any) -> bool:
    return isinstance(value, Word) and value.id == f"hidden_{value.kind}"


def decimal(value: Fraction) -> str:
    """Returns a fraction as a decimal number if it has at most three decimal places, else as a fraction."""
    for places in range(1, 4) if value.denominator > 1 else ():
        scaled = value * 10**places
        if scaled.denominator == 1:
            whole, rest = divmod(abs(scaled.numerator), 10**places)
            return f"{'-' if value < 0 else ''}{whole}.{rest:0{places}d}"
    return str(value)
