"""Dice are counted by what the rules read of them, also where a definition reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from interpreter import load_ruleset, odds

RULES = """
ruleset: {id: shots, title: Shots, version: "1.0"}
kinds:
  side: {is: seat, members: [red], has: {aim: "symbol = hit", score: "int = 0", lucky: "bool = false"}}
  symbol: {is: enum, members: [hit, graze, flag, blank]}
dice:
  battle: {of: symbol, faces: [hit, hit, graze, flag, blank, blank]}
definitions:
  hits_of:
    takes: {shots: list of symbol, side: side, grazes: bool}
    is: count(shots where it = side.aim or it = graze and grazes)
  flags_of: {takes: {shots: list of symbol}, is: count(shots where it = flag)}
  both: {takes: {shots: list of symbol}, is: flags_of(shots) + count(shots where it = hit)}
  as_thrown: {takes: {shots: list of symbol}, gives: int, do: "return count(shots where it = hit)"}
procedures:
  score:
    takes: {side: side, number: int, spoilt: bool}
    gives: int
    do: |
      if not spoilt: set side.score += number
      return side.score
  whole:
    gives: int
    do: |
TEXT
    outcomes: {result: result}
sequence: {turn: {do: whole()}}
"""
FACES = ("hit", "hit", "graze", "flag", "blank", "blank")
Thrown = Sequence[str]
TEXTS: dict[str, tuple[str, int, Callable[[Thrown], int]]] = {
    "one definition": ('return flags_of(red rolls 5 dice of battle "fire")', 6, lambda it: it.count("flag")),
    "two definitions": (
        (
            'let shots = red rolls 5 dice of battle "fire"\nlet grazes = red.lucky\n'
            "return score(red, 10 * hits_of(shots, red, true) + flags_of(shots), grazes)"
        ),
        21,
        lambda it: 10 * (it.count("hit") + it.count("graze")) + it.count("flag"),
    ),
    "a definition in another": (
        'return both(red rolls 5 dice of battle "fire")',
        21,
        lambda it: it.count("flag") + it.count("hit"),
    ),
    "a value that is not known yet": (
        'let shots = red rolls 5 dice of battle "fire"\nlet grazes = red.lucky\nreturn hits_of(shots, red, grazes)',
        56,
        lambda it: it.count("hit"),
    ),
    "equal faces": (
        'let shots = red rolls 5 dice of battle "fire"\nreturn as_thrown(shots)',
        56,
        lambda it: it.count("hit"),
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_dice_have_a_branch_for_each_count(tmp_path: Path, name: str) -> None:
    """The odds are those of all faces, with no more branches than ways to share the dice among what is read."""
    text, most, value = TEXTS[name]
    lines = "\n".join(["      " + each for each in text.splitlines()])
    (tmp_path / "ruleset.yaml").write_text(RULES.replace("TEXT", lines), encoding="utf-8")
    found = odds(load_ruleset(tmp_path), "whole", {})
    assert found.branches_followed <= most
    thrown = Counter(str(value(each)) for each in product(FACES, repeat=5))
    assert {result: share for (result,), share in found.rows} == {
        result: Fraction(number, len(FACES) ** 5) for result, number in thrown.items()
    }
