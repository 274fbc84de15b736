"""How wide a text is where every sign has one column, and those of East Asian scripts two.

Rich can tell that, too, but help and list start without it.
"""

from __future__ import annotations

from unicodedata import combining, east_asian_width


def width(text: str) -> int:
    """The columns that a text takes on a terminal."""
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)
