"""Pieces that a rule takes off the board: what is in them goes too, and the checker asks for a test afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.language.diagnostics import RulesetError
from interpreter.rules.loading.load import load_ruleset
from interpreter.workshop.examples.run_examples import run_examples

RULESET = """\
ruleset: {id: off, title: Off the board, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  place: {is: space}
  unit: {is: piece, in: [place, convoy], has: {weak: "bool = false"}}
  leader: {is: piece, in: [place, unit]}
  convoy: {is: piece, in: place}
individuals: {place: [a, b]}
pieces:
  convoy: [{id: c, at: a}]
  unit: [{id: u, at: c}, {id: v, at: a}]
  leader: [{id: l, at: u}]
procedures:
  kill: {takes: {unit: unit}, do: remove unit}
  fight: {takes: {unit: unit, other: unit}, do: "if other.weak: kill(unit)"}
  sink: {takes: {convoy: convoy}, do: remove convoy}
  enter: {takes: {leader: leader, unit: unit}, do: move leader to unit}
  sink_all: {do: remove convoys}
  asked: {takes: {unit: unit, other: unit}, gives: place, do: "BODY"}
sequence: {game: {do: tie "over"}}
examples:
  all_of_it: {run: sink(c), then: [c.at = none, u.at = none, l.at = none, "units = {v}", not any(leaders)]}
  each_of_several: {run: sink_all(), then: [c.at = none, u.at = none, l.at = none]}
  only_what_is_in_it: {run: kill(u), then: [u.at = none, l.at = none, c.at = a, v.at = a]}
  not_into_one_that_is_gone:
    board: {unit: [{id: v, at: none}]}
    run: enter(l, v)
"""


def written(folder: Path, *lines: str) -> Path:
    """Writes the ruleset with these lines as the text of the procedure `asked`."""
    body = "|\n" + "".join(f"      {line}\n" for line in lines)
    (folder / "ruleset.yaml").write_text(
        RULESET.replace('"BODY"}', "BODY}").replace(
            "{takes: {unit: unit, other: unit}, gives: place, do: BODY}",
            f"\n    takes: {{unit: unit, other: unit}}\n    gives: place\n    do: {body}",
        ),
        "utf-8",
    )
    return folder


def test_removal_takes_what_is_inside(tmp_path):
    """All pieces in a removed piece, at any depth, are off the board, and nothing can be moved into such a piece."""
    reports = run_examples(str(written(tmp_path, "return a")))
    assert [each.passed for each in reports] == [True, True, True, False]
    assert "nothing can be moved into unit 'v', which is off the board" in str(reports[3])


FLAGGED = {
    "removed here": ["remove unit", "return unit.place"],
    "removed in a branch": ["if other.weak: remove unit", "return unit.place"],
    "removed in a loop": ["for each place in places:", "  if any(place.units): remove unit", "return unit.place"],
    "removed in an earlier iteration": [
        "for each place in places:",
        "  if any(place.units): return unit.place",
        "  kill(unit)",
        "return a",
    ],
    "removed by a procedure": ["kill(unit)", "return unit.place"],
    "removed by a procedure of a procedure": ["fight(unit, other)", "return unit.place"],
    "an earlier test of its holder": [
        "if unit.at = none: return a",
        "kill(unit)",
        "if unit.at is place: return unit.at",
        "return unit.place",
    ],
}
SOUND = {
    "not removed": ["return unit.place"],
    "another removed": ["fight(other, unit)", "return unit.place"],
    "removed where the rule ends": ["if other.weak:", "  remove unit", "  return a", "return unit.place"],
    "removed before the loop is left": [
        "for each place in places:",
        "  if unit.place = place:",
        "    kill(unit)",
        "    return place",
        "return unit.place",
    ],
    "moved afterwards": ["remove unit", "move unit to b", "return unit.place"],
    "tested by its holder": ["kill(unit)", "if unit.at = none: return a", "return unit.place"],
    "tested itself": ["kill(unit)", "return unit.place otherwise b"],
    "tested in a condition": ["kill(unit)", "return unit.place if unit.at != none else b"],
}


def errors_of(ruleset):
    """Returns the messages of all errors of a ruleset."""
    try:
        load_ruleset(ruleset, cache=False)
    except RulesetError as error:
        return [each.message for each in error.diagnostics]
    return []


@pytest.mark.parametrize("name", FLAGGED)
def test_place_of_a_removed_piece_needs_a_test(tmp_path, name):
    """After a removal the place of a piece is optional, whichever way it may have been removed."""
    assert errors_of(written(tmp_path, *FLAGGED[name])) == ["returned: expected place, found place?"]


@pytest.mark.parametrize("name", SOUND)
def test_place_of_other_pieces_needs_none(tmp_path, name):
    """Where a piece is on the board, or was tested, its place is not optional."""
    assert errors_of(written(tmp_path, *SOUND[name])) == []
