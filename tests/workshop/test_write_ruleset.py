"""Tests of rulesets that are written with overlays applied."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rules"))

from overlay_house import BASE, SAME, laid, overlay, together

from interpreter.language.diagnostics import UsageError
from interpreter.rules.loading.load import load_scenario
from interpreter.workshop.diff.write_ruleset import write_effective


@pytest.mark.parametrize("name", SAME)
def test_written_ruleset_equals_the_overlaid_one(name: str, tmp_path: Path) -> None:
    """The written ruleset, loaded without overlays, has the hash of the original with them."""
    under = laid(BASE, overlay(SAME[name][0]))
    write_effective(under, (), tmp_path / "written")
    assert laid(tmp_path / "written").hash == under.hash != laid(BASE).hash


def test_untouched_text_is_copied(tmp_path: Path) -> None:
    """Files that no patch touches are copied byte for byte, others differ only in the lines of the patch."""
    written = tmp_path / "written"
    files = write_effective(laid(BASE, overlay("- {at: constants/quota/value, set: 2}")), (), written)
    changed = {each: (BASE / each, written / each) for each in files}
    changed = {name: pair for name, pair in changed.items() if pair[0].read_bytes() != pair[1].read_bytes()}
    assert [each.name for each in changed] == ["things.yaml"]
    before, after = (each.read_text("utf-8").split("\n") for each in changed[Path("things.yaml")])
    assert [(one, other) for one, other in zip(before, after, strict=True) if one != other] == [
        (
            '  quota: {cite: "1", standing: reconstructed, value: 3}',
            '  quota: {cite: "1", standing: reconstructed, value: 2}',
        )
    ]


def test_scenarios_are_written_with_overlays(tmp_path: Path) -> None:
    """A written scenario follows renames of the rules, and moves of a piece that shares its line with others."""
    folder = together(tmp_path / "guide")
    patches = overlay(
        "- {at: scenarios/standard/board/unit/blue_2/at, set: camp}\n- {at: pieces/unit/red, rename: rot}"
    )
    scenario = folder / "scenarios" / "standard.yaml"
    write_effective(laid(folder, patches), [scenario], tmp_path / "written")
    written = load_scenario(tmp_path / "written" / "scenarios" / "standard.yaml", cache=False)
    assert written.setup == load_scenario(scenario, overlays=[patches], cache=False).setup
    assert [(name, place) for _, name, _, place in written.setup.board] == [
        ("blue_1", ("place", "fen")),
        ("blue_2", ("place", "camp")),
        ("rot_3", ("place", "fen")),
        ("marshal", ("unit", "rot_2")),
    ]


def test_nonempty_folder_is_refused(tmp_path: Path) -> None:
    """A folder with files is refused and unchanged."""
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="exists already"):
        write_effective(laid(BASE), (), tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["mine.txt"]
