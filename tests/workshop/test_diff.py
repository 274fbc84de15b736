"""Tests of the differences that overlays make, in the terms of the ruleset."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rules"))

from overlay_house import BASE, SAME, changed, laid, overlay, together

from interpreter.rules.documents.document_set import read_ruleset, read_scenario
from interpreter.rules.loading.scenario_patches import patch_scenario
from interpreter.workshop.diff.compare import differences, scenario_differences
from interpreter.workshop.diff.diff import ExampleChange, changed_examples, diff, example_results
from interpreter.workshop.diff.render import difference_lines


def rendered(patches: str, columns: int = 120) -> list[str]:
    """Returns the rendered differences of patches, without the headings of entries."""
    found = diff(laid(BASE), laid(BASE, overlay(patches))).differences
    return [each.text for each in difference_lines(found, columns) if each.style != "bold" and each.text]


def found_by_hand(tmp_path: Path, *lines: str) -> list[tuple[str, str]]:
    """Returns the path and kind of every difference that an edit of the files makes."""
    folder = changed(tmp_path / "guide", *lines)
    return [(each.path, each.what) for each in differences(read_ruleset(BASE), read_ruleset(folder))]


@pytest.mark.parametrize("name", SAME)
def test_diff_finds_exactly_the_changes(name: str, tmp_path: Path) -> None:
    """A patch and the same edit by hand make the same differences, at least one."""
    patches, case = SAME[name]
    case.write_mistake(tmp_path / "by_hand")
    sides = [
        {(each.path, each.what) for each in diff(laid(BASE), ruleset).differences}
        for ruleset in (laid(BASE, overlay(patches)), laid(tmp_path / "by_hand"))
    ]
    assert sides[0] == sides[1] != set()


def test_comments_and_layout_are_no_differences(tmp_path: Path) -> None:
    """Only the content of grids and documents counts, not comments and layout."""
    assert found_by_hand(tmp_path, "@ things.yaml", "- die    | 1 2 3 4 5 6", "+ die | 1  2 3 4 5 6  # a comment") != []
    assert found_by_hand(tmp_path / "1", "@ things.yaml", "- die    | 1 2 3 4 5 6", "+ die | 1  2 3 4 5 6") == []
    assert found_by_hand(tmp_path / "2", "@ things.yaml", "-   losses:", "+   # a comment", "+   losses:") == []


def test_grids_are_shown_side_by_side() -> None:
    """Changed cells are in brackets on both sides; rows and columns of one side have no counterpart."""
    assert rendered("- {at: tables/losses/6, set: 3}") == [
        "  die    |  1   2   3   4   5   6      die    |  1   2   3   4   5   6",
        "  losses |  0   0   1   1   1  [2]     losses |  0   0   1   1   1  [3]",
    ]
    assert rendered("- {at: tables/losses, add: {'7': 3}}") == [
        "  die    |  1   2   3   4   5   6     die    |  1   2   3   4   5   6  [7]",
        "  losses |  0   0   1   1   1   2     losses |  0   0   1   1   1   2  [3]",
    ]
    row = rendered("- {at: tables/combat, add: {'..1': [0, 0, 0, 0]}, before: 2..5}")
    assert row[1].split() == ["..1", "|", "[0]", "[0]", "[0]", "[0]"]


def test_wide_grids_are_shown_one_below_the_other() -> None:
    """On a narrow terminal the grids follow each other, and each line is marked as old or new."""
    narrow = rendered("- {at: tables/losses/6, set: 3}", columns=40)
    assert [each.lstrip()[0] for each in narrow] == ["-", "-", "+", "+"]
    assert narrow[1].endswith("[2]")
    assert narrow[3].endswith("[3]")


def test_rule_text_is_compared_line_by_line() -> None:
    """Unchanged lines have no sign."""
    lines = rendered("- at: actions/advance/do\n  set: |\n    move unit to there\n    set unit.tired = false")
    assert lines == [
        "  do:",
        "      move unit to there",
        "    - set unit.tired = true",
        "    + set unit.tired = false",
    ]


def test_modifiers_are_compared_by_id() -> None:
    """A changed value and a new item are shown with the ids of their items."""
    assert rendered(
        "- {at: modifiers/attack/each/uphill/value, set: -2}\n- {at: modifiers/attack/each, add: {id: dusk, value: 1}}"
    ) == ["  each/uphill/value: -1  ->  -2", "  + each/dusk: {id: dusk, value: 1}"]


def test_rename_is_one_difference() -> None:
    """A renamed entry is neither gone nor new; the texts that use its name are changed."""
    found = diff(laid(BASE), laid(BASE, overlay("- {at: constants/quota, rename: ration}"))).differences
    assert ("constants/ration", "renamed") in [(each.path, each.what) for each in found]
    assert {each.what for each in found} == {"renamed", "changed"}


def test_order_is_a_difference(tmp_path: Path) -> None:
    """Items in another order are a difference, because order can be significant."""
    one, other = (
        '  - {id: "2.2", kind: rule, says: A chief helps.}',
        '  - {id: "3", kind: rule, says: Roads cost points.}',
    )
    assert found_by_hand(tmp_path, "@ ruleset.yaml", f"- {one}", f"- {other}", f"+ {other}", f"+ {one}") == [
        ("clauses", "order")
    ]


def test_diff_lists_the_affected_clauses() -> None:
    """The clauses are those that the changed thing or the nearest thing around it cites, and changed clauses."""
    after = laid(BASE, overlay("- {at: constants/quota/value, set: 2}\n- {at: clauses/2.2/says, set: Anew.}"))
    assert diff(laid(BASE), after).clauses == ("2.2", "1")


def test_scenarios_are_compared() -> None:
    """A difference in a scenario has the path that patches use."""
    path = next((BASE / "scenarios").glob("*.yaml"))
    before, after = read_scenario(path), read_scenario(path)
    patch_scenario(after, [overlay(f"- {{at: scenarios/{path.stem}/scenario/title, set: Another}}")], dict)
    found = scenario_differences(path.stem, before, after)
    assert [each.path for each in found] == [f"scenarios/{path.stem}/scenario/title"]


def test_pieces_placed_together_are_compared_one_by_one(tmp_path: Path) -> None:
    """Pieces that share a line are compared one by one, and a scenario follows renames."""
    folder = together(tmp_path / "guide")
    patches = "- {at: scenarios/standard/board/unit/red_3/at, set: camp}\n- {at: pieces/unit/blue, rename: azure}"
    found = diff(laid(folder), laid(folder, overlay(patches)), [folder / "scenarios" / "standard.yaml"]).differences
    rendered = [(each.path, each.before, each.after) for each in found if each.path.startswith("scenarios")]
    assert rendered == [
        ("scenarios/standard/board/unit/blue_1", "{id: blue_1, at: fen}", None),
        ("scenarios/standard/board/unit/blue_2", "{id: blue_2, at: fen}", None),
        ("scenarios/standard/board/unit/red_3/at", "fen", "camp"),
        ("scenarios/standard/board/unit/azure_1", None, "{id: azure_1, at: fen}"),
        ("scenarios/standard/board/unit/azure_2", None, "{id: azure_2, at: fen}"),
    ]


def test_long_grids_show_only_changed_rows(tmp_path: Path) -> None:
    """Changed rows are shown with their neighbours; a grid of counters in a list has the path of its kind."""
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


def test_changed_examples_are_listed() -> None:
    """Only examples whose results differ are listed; new and removed ones are named as such."""
    before, after = (
        dict(example_results(laid(BASE))),
        dict(
            example_results(
                laid(BASE, overlay("- {at: tables/losses/6, set: 4}\n- {at: examples/a_turn, remove: true}"))
            )
        ),
    )
    found = {each.name: each.summary for each in changed_examples(before, after)}
    assert found.pop("a_turn") == "gone"
    assert set(found.values()) <= {"no longer holds"}
    assert ExampleChange("new", None, ()).summary == "new, and holds"
    assert ExampleChange("mended", ("no",), ()).summary == "holds now"


def test_diff_as_json() -> None:
    """Grids and texts are JSON data."""
    found = diff(laid(BASE), laid(BASE, overlay("- {at: tables/losses/6, set: 3}"))).as_json()
    (each,) = found["differences"]
    assert (each["path"], each["what"]) == ("tables/losses", "changed")
    assert each["before"][1] == {"keys": ["losses"], "cells": ["0", "0", "1", "1", "1", "2"]}
    assert found["examples"] is None
