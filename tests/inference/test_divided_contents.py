"""Contents divided by an attribute are read apart from the others, while nothing changes it."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from plain_odds import plain_odds

from interpreter import load_ruleset, odds
from interpreter.inference.odds import clear_situations

RULES = """
ruleset: {id: lines, title: Lines, version: "1.0"}
kinds:
  side: {is: seat, members: [red, blue]}
  corps: {is: thing, has: {side: side}}
  unit: {is: piece, in: place, has: {corps: corps}}
  place: {is: space}
individuals:
  place: [field, grave]
  corps: {guards: {side: red}, hussars: {side: blue}, pandours: {side: blue}}
pieces:
  unit:
    - {id: g, count: 4, corps: guards, at: field}
    - {id: h, count: 2, corps: hussars, at: field}
    - {id: p, count: 2, corps: pandours, at: field}
definitions:
  of: {takes: {side: side}, gives: set of unit, is: field.units where .corps.side = side}
procedures:
  shot:
    takes: {side: side}
    do: |
      if any(of(side)) and (side rolls 1d6 "shot") >= 5: move of(side) where it = first(of(side)) to grave
  turncoat: {do: 'if (blue rolls 1d6 "oath") = 1: set pandours.side = red'}
  fight:
    takes: {shots: int, oath: bool}
    do: |
      repeat shots times:
        shot(red)
        if oath: turncoat()
        shot(blue)
    outcomes: {red: count(of(red)), blue: count(of(blue)), others: "count(field.units where .corps.side != red)"}
  duel:
    takes: {shots: int}
    gives: side
    do: |
      repeat shots times:
        if any(of(red)) and any(of(blue)):
          shot(red)
          shot(blue)
      return red if any(of(red)) else blue
    outcomes: {stands: result, red: count(of(red)), blue: count(of(blue))}
sequence: {turn: {do: "fight(1, false)"}}
"""


@pytest.mark.parametrize(("shots", "oath"), [(3, "false"), (2, "true"), (3, "true")])
def test_divided_contents_merge_to_what_is_enumerated(shots: int, oath: str, tmp_path: Path) -> None:
    """Also where the attribute begins to change on one branch, after it has been read on others."""
    (tmp_path / "ruleset.yaml").write_text(RULES, encoding="utf-8")
    ruleset = load_ruleset(str(tmp_path))
    given = {"with": {"shots": str(shots), "oath": oath}}
    clear_situations()
    first = odds(ruleset, "fight", given)
    assert dict(first.rows) == plain_odds(ruleset, "fight", given)
    assert odds(ruleset, "fight", given).rows == first.rows


def test_losses_of_one_side_make_no_difference_to_the_other(tmp_path: Path) -> None:
    """The losses are two independent sums of shots."""
    (tmp_path / "ruleset.yaml").write_text(RULES, encoding="utf-8")
    found = odds(load_ruleset(str(tmp_path)), "fight", {"with": {"shots": "4", "oath": "false"}})
    hits = [Fraction(comb(4, each) * 2 ** (4 - each), 81) for each in range(5)]
    assert dict(found.rows) == {
        (str(4 - red), str(4 - blue), str(4 - blue)): hits[red] * hits[blue] for red in range(5) for blue in range(5)
    }


def test_whether_there_are_any_is_read_apart_from_how_many(tmp_path: Path) -> None:
    """Also in a block that first moves the last one away; outcomes are evaluated late without another result."""
    (tmp_path / "ruleset.yaml").write_text(RULES, encoding="utf-8")
    ruleset, given = load_ruleset(str(tmp_path)), {"with": {"shots": "5"}}
    clear_situations()
    first = odds(ruleset, "duel", given)
    assert dict(first.rows) == plain_odds(ruleset, "duel", given)
    assert odds(ruleset, "duel", given).rows == first.rows
