"""What overlays change, told in the ruleset's own terms."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rules"))

from overlay_house import BASE, SAME, changed, laid, overlay, together

from interpreter.rules.documents.document_set import read_ruleset, read_scenario
from interpreter.rules.loading.scenario_patches import lay_on_scenario
from interpreter.workshop.diff.compare import differences, scenario_differences
from interpreter.workshop.diff.diff import ExampleChange, changed_examples, diff, example_results
from interpreter.workshop.diff.render import difference_lines


def told(patches: str, columns: int = 120) -> list[str]:
    """The lines that people read about patches, without the heads of entries."""
    found = diff(laid(BASE), laid(BASE, overlay(patches))).differences
    return [each.text for each in difference_lines(found, columns) if each.style != "bold" and each.text]


def found_by_hand(tmp_path: Path, *lines: str) -> list[tuple[str, str]]:
    """Path and sort of every difference that a change by hand makes."""
    folder = changed(tmp_path / "guide", *lines)
    return [(each.path, each.what) for each in differences(read_ruleset(BASE), read_ruleset(folder))]


@pytest.mark.parametrize("name", SAME)
def test_every_change_is_seen_and_nothing_else(name: str, tmp_path: Path) -> None:
    """A patch and the same change by hand make the same differences, and there is at least one."""
    patches, case = SAME[name]
    case.spoil(tmp_path / "by_hand")
    sides = [
        {(each.path, each.what) for each in diff(laid(BASE), ruleset).differences}
        for ruleset in (laid(BASE, overlay(patches)), laid(tmp_path / "by_hand"))
    ]
    assert sides[0] == sides[1] != set()


def test_the_same_ruleset_has_no_differences(tmp_path: Path) -> None:
    """Comments and layout are none."""
    assert found_by_hand(tmp_path, "@ things.yaml", "- die    | 1 2 3 4 5 6", "+ die | 1  2 3 4 5 6  # a comment") != []
    assert found_by_hand(tmp_path / "1", "@ things.yaml", "- die    | 1 2 3 4 5 6", "+ die | 1  2 3 4 5 6") == []
    assert found_by_hand(tmp_path / "2", "@ things.yaml", "-   losses:", "+   # a comment", "+   losses:") == []


def test_grids_stand_side_by_side_with_marks() -> None:
    """Changed cells stand in brackets on both sides; what only one side has, alone."""
    assert told("- {at: tables/losses/6, set: 3}") == [
        "  die    |  1   2   3   4   5   6      die    |  1   2   3   4   5   6",
        "  losses |  0   0   1   1   1  [2]     losses |  0   0   1   1   1  [3]",
    ]
    assert told("- {at: tables/losses, add: {'7': 3}}") == [
        "  die    |  1   2   3   4   5   6     die    |  1   2   3   4   5   6  [7]",
        "  losses |  0   0   1   1   1   2     losses |  0   0   1   1   1   2  [3]",
    ]
    row = told("- {at: tables/combat, add: {'..1': [0, 0, 0, 0]}, before: 2..5}")
    assert row[1].split() == ["..1", "|", "[0]", "[0]", "[0]", "[0]"]


def test_grids_without_room_stand_one_under_the_other() -> None:
    """On a narrow terminal each line says whether it is the old or the new one."""
    narrow = told("- {at: tables/losses/6, set: 3}", columns=40)
    assert [each.lstrip()[0] for each in narrow] == ["-", "-", "+", "+"]
    assert narrow[1].endswith("[2]")
    assert narrow[3].endswith("[3]")


def test_rule_text_is_compared_line_by_line() -> None:
    """Lines that stay stand without a sign."""
    lines = told("- at: actions/advance/do\n  set: |\n    move unit to there\n    set unit.tired = false")
    assert lines == [
        "  do:",
        "      move unit to there",
        "    - set unit.tired = true",
        "    + set unit.tired = false",
    ]


def test_modifiers_go_by_their_ids() -> None:
    """A value, a new item, one that is gone, each by its name."""
    assert told(
        "- {at: modifiers/attack/each/uphill/value, set: -2}\n- {at: modifiers/attack/each, add: {id: dusk, value: 1}}"
    ) == ["  each/uphill/value: -1  ->  -2", "  + each/dusk: {id: dusk, value: 1}"]


def test_another_name_is_told_as_one() -> None:
    """A renamed entry is neither gone nor new; the texts that use its name are changed."""
    found = diff(laid(BASE), laid(BASE, overlay("- {at: constants/quota, rename: ration}"))).differences
    assert ("constants/ration", "renamed") in [(each.path, each.what) for each in found]
    assert {each.what for each in found} == {"renamed", "changed"}


def test_order_is_a_difference(tmp_path: Path) -> None:
    """Items in another order are told as such, for order can mean something."""
    one, other = (
        '  - {id: "2.2", kind: rule, says: A chief helps.}',
        '  - {id: "3", kind: rule, says: Roads cost points.}',
    )
    assert found_by_hand(tmp_path, "@ ruleset.yaml", f"- {one}", f"- {other}", f"+ {other}", f"+ {one}") == [
        ("clauses", "order")
    ]


def test_clauses_are_those_that_changes_rest_on() -> None:
    """What the changed thing cites, or the nearest thing around it, and a clause whose text has changed."""
    after = laid(BASE, overlay("- {at: constants/quota/value, set: 2}\n- {at: clauses/2.2/says, set: Anew.}"))
    assert diff(laid(BASE), after).clauses == ("2.2", "1")


def test_scenarios_are_compared_too() -> None:
    """By the id that patches reach them by."""
    path = next((BASE / "scenarios").glob("*.yaml"))
    before, after = read_scenario(path), read_scenario(path)
    lay_on_scenario(after, [overlay(f"- {{at: scenarios/{path.stem}/scenario/title, set: Another}}")], dict)
    found = scenario_differences(path.stem, before, after)
    assert [each.path for each in found] == [f"scenarios/{path.stem}/scenario/title"]


def test_pieces_placed_together_are_compared_one_by_one(tmp_path: Path) -> None:
    """And a scenario follows what is renamed."""
    folder = together(tmp_path / "guide")
    patches = "- {at: scenarios/standard/board/unit/red_3/at, set: camp}\n- {at: pieces/unit/blue, rename: azure}"
    found = diff(laid(folder), laid(folder, overlay(patches)), [folder / "scenarios" / "standard.yaml"]).differences
    told = [(each.path, each.before, each.after) for each in found if each.path.startswith("scenarios")]
    assert told == [
        ("scenarios/standard/board/unit/blue_1", "{id: blue_1, at: fen}", None),
        ("scenarios/standard/board/unit/blue_2", "{id: blue_2, at: fen}", None),
        ("scenarios/standard/board/unit/red_3/at", "fen", "camp"),
        ("scenarios/standard/board/unit/azure_1", None, "{id: azure_1, at: fen}"),
        ("scenarios/standard/board/unit/azure_2", None, "{id: azure_2, at: fen}"),
    ]


def test_of_long_grids_the_changed_rows_are_shown(tmp_path: Path) -> None:
    """With their neighbours; a grid of counters that stands in a list goes by the kind alone."""
    rows = "".join([f"\n+         r_{number} | red {number} ford" for number in range(1, 31)]).split("\n")[1:]
    line = '-     - {id: blue, count: 2, owner: blue, steps: 3, at: camp, cite: "1"}'
    head = [f"+ {line[2:]}", "+     - grid: |", "+         id | owner steps at"]
    folder = changed(tmp_path / "guide", "@ things.yaml", line, *head, *rows)
    patches = "- {at: pieces/unit/r_9/steps, set: 1}\n- {at: pieces/unit/r_30, remove: true}"
    found = diff(laid(folder), laid(folder, overlay(patches))).differences
    assert [(each.path, each.what) for each in found] == [("pieces/unit", "changed")]
    assert [each.text for each in difference_lines(found, 80) if each.style != "bold" and each.text] == [
        "  id   |  owner   steps   at        id   |  owner   steps   at",
        "  …                                 …",
        "  r_8  |  red     8       ford      r_8  |  red     8       ford",
        "  r_9  |  red    [9]      ford      r_9  |  red    [1]      ford",
        "  r_10 |  red     10      ford      r_10 |  red     10      ford",
        "  …                                 …",
        "  r_29 |  red     29      ford      r_29 |  red     29      ford",
        "  r_30 | [red]   [30]    [ford]",
    ]


def test_examples_that_come_out_otherwise() -> None:
    """Only those; a new one and one that is gone are told as such."""
    before, after = (
        dict(example_results(laid(BASE))),
        dict(
            example_results(
                laid(BASE, overlay("- {at: tables/losses/6, set: 4}\n- {at: examples/a_turn, remove: true}"))
            )
        ),
    )
    found = {each.name: each.says for each in changed_examples(before, after)}
    assert found.pop("a_turn") == "gone"
    assert set(found.values()) <= {"does not hold any more"}
    assert ExampleChange("new", None, ()).says == "new, and holds"
    assert ExampleChange("mended", ("no",), ()).says == "holds now"


def test_plain_data() -> None:
    """Grids and texts as JSON has them."""
    found = diff(laid(BASE), laid(BASE, overlay("- {at: tables/losses/6, set: 3}"))).as_json()
    (each,) = found["differences"]
    assert (each["path"], each["what"]) == ("tables/losses", "changed")
    assert each["before"][1] == {"keys": ["losses"], "cells": ["0", "0", "1", "1", "1", "2"]}
    assert found["examples"] is None
