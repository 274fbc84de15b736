"""The limit on the work of a rule counts for each outcome alone, not for all outcomes of one question together."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from interpreter import load_ruleset, odds
from interpreter.language.diagnostics import RuleFault
from interpreter.play.engine import core
from interpreter.play.engine.budget import Budget

RULES = """\
ruleset: {id: heaps, title: Heaps, version: 1.0.0}
kinds: {side: {is: seat, members: [red, blue]}}
state: {size: "int = 0"}
definitions:
  weight:
    takes: {heap: int}
    gives: int
    do: |
      let sum = 0
      repeat heap times:
        for each side in sides: set sum += 1
      return sum
sequence: {only: {do: win red}}
procedures:
  pile:
    gives: int
    do: return red rolls 1d100 "pile"
    outcomes: {weight: weight(result)}
"""
LIMIT = 320
"""More steps than the heaviest outcome takes, and far fewer than all hundred take."""


def question(folder: Path, monkeypatch: pytest.MonkeyPatch, limit: int) -> int:
    """Asks for the outcomes of a roll under a limit, and returns their number."""
    (folder / "ruleset.yaml").write_text(RULES, encoding="utf-8")
    monkeypatch.setattr(core, "Budget", partial(Budget, limit))
    return len(odds(load_ruleset(str(folder)), "pile").rows)


def test_outcomes_do_not_share_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred outcomes, each within the limit, are evaluated."""
    assert question(tmp_path, monkeypatch, LIMIT) == 100


def test_an_outcome_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One outcome that takes too long is a fault of its rule."""
    with pytest.raises(RuleFault, match="steps of work"):
        question(tmp_path, monkeypatch, LIMIT // 5)
