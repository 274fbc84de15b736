"""Values in texts: fractions as decimal numbers, and the values at the placeholders of a line."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any


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


def decimal(value: Fraction) -> str:
    """Returns a fraction as a decimal number if it has at most three decimal places, else as a fraction."""
    for places in range(1, 4) if value.denominator > 1 else ():
        scaled = value * 10**places
        if scaled.denominator == 1:
            whole, rest = divmod(abs(scaled.numerator), 10**places)
            return f"{'-' if value < 0 else ''}{whole}.{rest:0{places}d}"
    return str(value)
