"""A ruleset stays open between odds as long as its files do not change."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from interpreter import odds
from interpreter.inference import odds as module

HEAD = "ruleset: {id: coin, title: {en: Coin}, version: 1.0.0}\n"
RULE = """
options:
  worn: {says: {en: It falls on its edge too.}, type: bool, default: false}
sequence: {round: {do: toss()}}
procedures:
  toss:
    gives: int
    do: return random one of ([1, 2, 3] if worn else SIDES)
"""


def chance(folder: Path, **options: bool) -> Fraction:
    """The probability of the first result."""
    return {row[0]: share for row, share in odds(str(folder), "toss", options=options).rows}["1"]


def test_changed_files_are_read_again(tmp_path: Path) -> None:
    """Odds of an unchanged ruleset use the open one; a changed file is read again."""
    (tmp_path / "ruleset.yaml").write_text(HEAD + RULE.replace("SIDES", "[1, 2]"), encoding="utf-8")
    assert chance(tmp_path) == Fraction(1, 2)
    first = module._OPENED[0]
    assert chance(tmp_path) == Fraction(1, 2)
    assert module._OPENED[0] is first
    assert chance(tmp_path, worn=True) == Fraction(1, 3)
    assert chance(tmp_path) == Fraction(1, 2)
    assert module._OPENED[0] is first
    (tmp_path / "ruleset.yaml").write_text(HEAD + RULE.replace("SIDES", "[1, 2, 3, 4]"), encoding="utf-8")
    assert chance(tmp_path) == Fraction(1, 4)
