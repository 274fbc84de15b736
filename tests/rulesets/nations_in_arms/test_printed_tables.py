"""The owner of the printed game lays the printed combat results over ours: one small file, no code."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.language.diagnostics import RulesetError
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.loading.load import load_ruleset
from interpreter.workshop.coverage.provenance import provenance
from interpreter.workshop.diff.diff import diff
from interpreter.workshop.diff.render import difference_lines

RULESET = Path(__file__).resolve().parents[3] / "rulesets" / "nations_in_arms"
PRINTED = """\
overlay: {id: printed_crt, for: nations_in_arms, title: The CRT of my copy}
patches:
  - at: tables/crt/*/skirmish
    set: 0L 0L 0 0 0 0 0+ 0+ 1 1 1 1+ 1+ 2 2L 2L 3CL 3CL
  - at: tables/crt/*/engagement
    set: 0L 0 0 0+ 0+ 1 1 1 1+ 1+ 2 2 2+L 3L 3CL 3+CL 4CL 5CL
  - {at: tables/crt/*/decisive_battle, set: 0L 0+ 1 1 1+ 2 2 2+ 3 3 3+ 4 4L 4+L 5CL 5+CL 6CL 7CL}
  - {at: tables/crt/standing, set: stated}
"""


def test_overlay_states_a_printed_table() -> None:
    """The overlay gives the printed table, its figures count as stated, and the difference is shown as two grids."""
    assert len(PRINTED.splitlines()) <= 10
    bare = load_ruleset(RULESET)
    laid = load_ruleset(RULESET, [OverlayFile(Path("printed.yaml"), PRINTED.encode())])
    figures = {each.path: each for each in provenance(laid).figures if each.path.startswith("tables/crt/")}
    assert {each.standing for each in figures.values()} == {"stated"}
    assert [figures[f"tables/crt/{roll}/skirmish"].value for roll in (0, 13, 15, 17)] == ["0L", "2", "2L", "3CL"]
    found = diff(bare, laid)
    assert {each.entry for each in found.differences} == {"tables/crt"}
    lines = [each.text for each in difference_lines(found.differences, 160)]
    assert any(each.split() == ["13", "|", "[1+]", "3L", "4+L", "13", "|", "[2]", "3L", "4+L"] for each in lines)


def test_added_row_is_named_by_its_heading() -> None:
    """A row under the name of the heading column is refused with the right form, and the right form is accepted."""
    head = "overlay: {id: longer, for: nations_in_arms}\npatches:\n"
    wrong = f"{head}  - {{at: tables/crt, add: {{roll: 18, skirmish: 4CL, engagement: 6CL, decisive_battle: 8CL}}}}\n"
    with pytest.raises(RulesetError, match=r"'add: \{NAME: \[skirmish, engagement, decisive_battle\]\}'"):
        load_ruleset(RULESET, [OverlayFile(Path("longer.yaml"), wrong.encode())])
    right = f"{head}  - {{at: tables/crt, add: {{18: [4CL, 6CL, 8CL]}}}}\n"
    load_ruleset(RULESET, [OverlayFile(Path("longer.yaml"), right.encode())])
