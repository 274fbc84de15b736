"""The width of a text on a terminal: one column for each character, two for East Asian wide characters.

Rich can compute this too, but `help` and `list` start without it.
"""

from __future__ import annotations

from unicodedata import combining, east_asian_width


def width(text: str) -> int:
    """Returns the number of columns of a text on a terminal."""
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)
