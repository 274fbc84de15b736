"""The answers that every game knows: declining, yes and no."""

from __future__ import annotations

from typing import Final

DECLINING: Final = ("none", "pass", "stop", "no more")
"""The answers that choose nothing."""
ANSWER_WORDS: Final = (*DECLINING, "yes", "no")
"""The answers that the interpreter itself words."""
