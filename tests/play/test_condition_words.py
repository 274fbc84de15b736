"""What a condition reads and what it needs, in the words of `why not`."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset

PORTS = """
ruleset: {id: ports, title: Ports, version: "1"}
kinds:
  side: {is: seat, members: [red, blue]}
  readiness: {is: enum, members: [ready, refit, sunk]}
  place: {is: space}
  port: {is: place, plural: ports, has: {depth: "int = 3", ice: "bool = false"}}
  dock: {is: place}
  ship:
    is: piece
    plural: ships
    in: port
    has: {owner: side, sails: "int = 2", state: "readiness = ready", cargo: "int = 0"}
individuals: {dock: {dry: {}}, port: {east: {}, west: {depth: 1}, north: {ice: true, depth: 2}, south: {}}}
pieces:
  ship:
    - {id: swift, owner: red, at: east}
    - {id: slow, owner: red, at: east, sails: 1}
    - {id: old, owner: red, at: west, state: refit}
    - {id: rival, owner: blue, at: north, cargo: 4}
    - {id: wreck, owner: red, state: sunk}
clauses:
  - {id: "1", kind: rule, says: Ships do what they can.}
  - {id: "2", kind: rule, says: Ice closes a port.}
  - {id: "3", kind: rule, says: A port needs a fleet.}
definitions:
  port.fleet: {is: port.ships where .owner = red}
  port.closed: {cite: "2", is: port.ice}
  port.sum_of_depths: {is: sum(ports.depth)}
  port.held: {cite: "3", is: count(port.fleet) >= 2}
sequence:
  game:
    cite: "1"
    do: |
      QUESTION
"""
HIDDEN = "views: {depths: {of: port, when: port.ice, seen_by: blue, others_see: [ice, contents]}}\n"


def asked(folder: Path, source: str, more: str = "") -> Game:
    """A game in which red chooses among `source`."""
    text = PORTS.replace("QUESTION", f'let chosen = red chooses up to 1 of {source} "Which?"') + more
    (folder / "ruleset.yaml").write_text(text, "utf-8")
    return Game(load_ruleset(folder, cache=False), seed=1)


@pytest.mark.parametrize(
    ("source", "name", "reason"),
    [
        ("ships where .owner = red", "rival", "owner: blue, not red [1]"),
        ("ships where red = .owner", "rival", "owner: blue, not red [1]"),
        ("ships where .owner != blue", "rival", "owner: blue [1]"),
        ("ships where .sails > 1", "slow", "sails: 1, more than 1 needed [1]"),
        ("ships where .sails >= 2", "slow", "sails: 1, at least 2 needed [1]"),
        ("ships where 2 <= .sails", "slow", "sails: 1, at least 2 needed [1]"),
        ("ships where .sails < 2", "swift", "sails: 2, less than 2 needed [1]"),
        ("ships where not .sails > 1", "swift", "sails: 2, at most 1 needed [1]"),
        ("ships where .state in {ready, sunk}", "old", "state: refit, not ready, sunk [1]"),
        ("ports where not .ice", "north", "ice: yes [1]"),
        ("ports where not .closed", "north", "Ice closes a port. (ice: yes) [2]"),
        ("ports where any(.ships)", "south", "ships: none [1]"),
        ("ports where not any(.ships)", "east", "ships: swift, slow [1]"),
        ("ports where any(.fleet where .sails > 1)", "south", "fleet: none [1]"),
        ("ports where .held", "west", "A port needs a fleet. (fleet: 1, at least 2 needed) [3]"),
        ("ports where not (.ice and any(.ships))", "north", "ice: yes and ships: rival [1]"),
        ("{east, west}", "south", "it is not among east, west [1]"),
        ("east.ships", "old", "it is in west, not in east [1]"),
        ("ports where .depth > 1", "dry", "it is no port [1]"),
        ("ships", "wreck", "it is not in play [1]"),
        ("ports.ships where .state = ready", "wreck", "it is not in play [1]"),
        ("distinct((ships where .state = ready).port)", "south", "there is no ship [1]"),
        ("distinct((ships where .state = ready).port)", "west", "old: state: refit, not ready [1]"),
    ],
)
def test_reason_says_what_is_read_and_what_is_needed(tmp_path: Path, source: str, name: str, reason: str) -> None:
    """Each sort of condition has its words; the clause of a definition comes with the value that it reads."""
    game = asked(tmp_path, source)
    assert [str(each) for each in game.why_not_option("red", name)] == [f"{name} is not offered: {reason}"]


def test_value_that_a_seat_may_not_see_is_no_reason(tmp_path: Path) -> None:
    """The clause is the reason for the depth of a covered port, and for whatever rules compute while one is covered."""
    covered = asked(tmp_path, "ports where .depth > 2", HIDDEN)
    assert [str(each) for each in covered.why_not_option("red", "north")] == [
        "north is not offered: Ships do what they can. [1]"
    ]
    assert [each.text for each in covered.why_not_option("red", "west")] == [
        "west is not offered: depth: 1, more than 2 needed"
    ]
    computed = asked(tmp_path, "ports where .sum_of_depths > 99 or .depth > 2", HIDDEN)
    assert [str(each) for each in computed.why_not_option("red", "north")] == [
        "north is not offered: Ships do what they can. [1]"
    ]


def test_reading_without_a_name_in_the_language_is_left_to_the_clause(tmp_path: Path) -> None:
    """In Japanese a computed value is named if the ruleset names it, and else its clause is given."""
    asked(tmp_path, "ports where any(.fleet)", "presentation: {attributes: {depth: {ja: 水深}}}\n")
    ruleset = load_ruleset(tmp_path, cache=False)
    game = Game(ruleset, seed=1, language="ja")
    assert [each.text for each in game.why_not_option("red", "south")] == ["southは選べません：Ships do what they can."]


def test_what_none_of_some_things_fulfils_is_said_of_them(tmp_path: Path) -> None:
    """Of `any(things where …)` the reason is what keeps the things out, through nested conditions and definitions."""
    source = "ports where any(.ships where .sails > 1 and any(.port.fleet where .state = ready))"
    game = asked(tmp_path, source)
    assert [str(each) for each in game.why_not_option("red", "west")] == [
        "west is not offered (old: old: state: refit, not ready) [1]"
    ]
    (north,) = game.why_not_option("red", "north")
    assert str(north) == "north is not offered (rival: fleet: none) [1]"
