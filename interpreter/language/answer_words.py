"""The words that every game knows: the answers that decline, yes and no, and what the log calls a roll."""

from __future__ import annotations

from typing import Final

DECLINING: Final = ("none", "pass", "stop", "no more")
"""The answers that choose nothing."""
ANSWER_WORDS: Final = (*DECLINING, "yes", "no")
"""The answers that the interpreter itself words."""
LOG_WORDS: Final = ("rolls",)
"""The words of the log's own messages that a ruleset may replace by those of its rulebook."""
