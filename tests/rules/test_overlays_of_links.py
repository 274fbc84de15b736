"""Overlays can change links in text grids: a row is named by both of its ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.language.diagnostics import RulesetError
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset

RULES = """\
ruleset: {id: isles, title: Isles, version: "1"}
kinds:
  isle: {is: space, has: {depth: "int = 1", windy: "bool = false"}}
  lane: {is: link, between: isle, has: {narrow: "bool = false", days: "int = 1"}}
individuals:
  isle:
    grid: |
      id    | depth windy
      north | 1     true
      south | 2     -
      west  | 3     -
links:
  lanes:
    kind: lane
    grid: |
      from  to    | narrow days
      north south | true   2
      south west  | -      -
sequence: {game: {do: tie "the end"}}
"""
LAST = "      south west  | -      -\n"
FIRST = "      north south | true   2\n"
SAME = {
    "a cell": (
        "{at: links/lanes/north-south/days, expect: 2, set: 3}",
        FIRST,
        "      north south | true   3\n",
    ),
    "a cell from the other end": (
        "{at: links/lanes/south-north/narrow, set: false}",
        FIRST,
        "      north south | false  2\n",
    ),
    "a row by headings": (
        "{at: links/lanes, add: {north-west: {days: 4}}}",
        LAST,
        LAST + "      north west  | -      4\n",
    ),
    "a row by cells": (
        "{at: links/lanes, add: {north-west: [true, 4]}, before: south-west}",
        LAST,
        "      north west  | true   4\n" + LAST,
    ),
    "a pair": ("{at: links/lanes, add: [north, west]}", LAST, LAST + "      north west  | -      -\n"),
    "a row removed": ("{at: links/lanes/west-south, remove: true}", LAST, ""),
    "an individual by some headings": (
        "{at: individuals/isle, add: {east: {windy: true}}}",
        "      west  | 3     -\n",
        "      west  | 3     -\n      east  | -     true\n",
    ),
}
WRONG = {
    "no row": ("{at: links/lanes/north-wset/days, set: 1}", "there is no 'north-wset'", None),
    "the other end": ("{at: links/lanes, add: [south, north]}", "already a 'north-south'", "links/lanes/north-south"),
    "no pair": (
        "{at: links/lanes, add: {from: north, to: west}}",
        "'from' can't be the heading of a row here",
        "named by from-to",
    ),
}


def under(folder: Path, text: str, patch: str = "") -> Ruleset:
    """Loads a ruleset under an overlay with one patch."""
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.yaml").write_text(text, encoding="utf-8")
    overlays = [OverlayFile(Path("o.yaml"), f"overlay: {{id: o, for: isles}}\npatches:\n  - {patch}\n".encode())]
    return load_ruleset(folder, overlays if patch else (), {}, cache=False)


@pytest.mark.parametrize("name", SAME)
def test_patch_of_links_equals_change_by_hand(name: str, tmp_path: Path) -> None:
    """The ruleset under the overlay has the hash of the one whose grid was changed by hand."""
    patch, old, new = SAME[name]
    assert old in RULES
    by_hand = under(tmp_path / "hand", RULES.replace(old, new))
    assert under(tmp_path / "bare", RULES, patch).hash == by_hand.hash != under(tmp_path / "bare", RULES).hash


@pytest.mark.parametrize("name", WRONG)
def test_errors_about_links_suggest_the_row(name: str, tmp_path: Path) -> None:
    """An error about links is at its patch and says how a row is named."""
    patch, message, hint = WRONG[name]
    with pytest.raises(RulesetError) as caught:
        under(tmp_path / "bare", RULES, patch)
    (found,) = caught.value.diagnostics
    assert message in found.message
    assert hint is None or hint in (found.hint or "")
    assert found.place.line == 3


def test_standing_of_a_link_is_kept(tmp_path: Path) -> None:
    """The standing of a patch becomes that of the figures it changed."""
    changed = under(tmp_path / "bare", RULES, "{at: links/lanes/north-south/days, set: 3, standing: reconstructed}")
    figures = "    figures: {north-south/days: {standing: reconstructed}}\n"
    text = RULES.replace("    kind: lane\n", f"    kind: lane\n{figures}").replace("true   2", "true   3")
    assert changed.hash == under(tmp_path / "hand", text).hash
