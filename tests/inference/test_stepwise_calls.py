"""A call that was not worth a summary in one situation is followed step by step from the start in the next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter import load_ruleset, odds
from interpreter.inference import odds as module
from interpreter.inference.solver.call_summaries import CallSummaries

RULES = """
ruleset: {id: dice, title: Dice, version: "1.0"}
kinds: {side: {is: seat, members: [red]}}
state: {bonus: "int = 0"}
procedures:
  three:
    gives: int
    do: |
      let one = red rolls 1d6 "one"
      let two = red rolls 1d6 "two"
      let three = red rolls 1d6 "three"
      return 36 * one + 6 * two + three + bonus
  whole: {gives: int, do: "let sum = three()\\nreturn sum + bonus", outcomes: {sum: result}}
sequence: {game: {do: set bonus += 0}}
"""


def test_what_was_too_large_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second situation begins no summary of the call, and its odds are those without any memory."""
    (tmp_path / "ruleset.yaml").write_text(RULES, encoding="utf-8")
    rules, tried = load_ruleset(tmp_path), list[str]()
    enumerate_call = CallSummaries._enumerate

    def noted(self: CallSummaries, name: str, *rest: Any) -> Any:
        tried.append(name)
        return enumerate_call(self, name, *rest)

    monkeypatch.setattr(CallSummaries, "_enumerate", noted)
    module.clear_situations()
    odds(rules, "whole", {})
    assert tried == ["three"]
    found = odds(rules, "whole", {"state": {"bonus": 1}})
    assert tried == ["three"]
    module.clear_situations()
    assert odds(rules, "whole", {"state": {"bonus": 1}}) == found
    assert len(found.rows) == 216
