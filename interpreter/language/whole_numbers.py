"""Reads whole numbers that strangers may have written."""

from __future__ import annotations

from typing import Final

MAX_DIGITS: Final = 18
"""The most digits of a number in documents and rule text; Python refuses to read more than 4,300."""


def whole_number(text: str, most: int = MAX_DIGITS) -> int | None:
    """Returns the number that a text is: up to `most` digits of ASCII, with a minus sign or none; else none."""
    digits = text.removeprefix("-")
    return int(text) if 0 < len(digits) <= most and digits.isascii() and digits.isdigit() else None


def signed_number(text: str) -> int | None:
    """Returns the number that a text is, as `whole_number` does, also with a plus sign."""
    return whole_number(text[1:] if text.startswith("+") and not text.startswith("+-") else text)
