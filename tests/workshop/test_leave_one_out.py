"""Tests of leave-one-out attribution: what it says about changes is true of the game."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.language.diagnostics import Place
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.overlays.patch.overlay import read_overlay
from interpreter.workshop.impact.changes import RuleChange
from interpreter.workshop.impact.leave_one_out import MAX_TRIED_CHANGES, attribute
from interpreter.workshop.impact.root_cause import ALONE, NEEDED, Cause

NAMES = "abcdefgh"
SETS = st.sets(st.sampled_from(NAMES), min_size=1, max_size=3).map(frozenset)


def change(name: str, overlay: str | None = "o", **more: bool) -> RuleChange:
    """Returns a change that a separate patch makes."""
    return RuleChange(("constants", name, "value"), overlay, "set", Place("o.yaml", ord(name), 1), **more)


class Trials:
    """A game that diverges if any of these sets of changes is complete; some changes can't be left out."""

    def __init__(self, sufficient: set[frozenset[str]], unsound: frozenset[str] = frozenset()) -> None:
        self.sufficient, self.unsound, self.tried = sufficient, unsound, list[frozenset[str]]()

    def __call__(self, left_out: tuple[RuleChange, ...]) -> bool | None:
        names = frozenset(each.parts[1] for each in left_out)
        self.tried.append(names)
        return None if names & self.unsound else any(not names & each for each in self.sufficient)


def named(cause: Cause) -> set[str]:
    """Returns the names of the changes of a cause."""
    return {each.parts[1] for each in cause.changes}


@given(st.sets(SETS, min_size=1, max_size=3), SETS, st.booleans())
def test_attribution_is_true(sufficient: set[frozenset[str]], listed: frozenset[str], exact: bool) -> None:
    """Without any needed change the game does not diverge; each change that suffices alone makes it diverge."""
    trials, every = Trials(sufficient), [change(each) for each in NAMES]
    before = Cause("rule", "", "", changes=tuple(each for each in every if each.parts[1] in listed), exact=exact)
    found = attribute(before, every, trials)
    assert len(trials.tried) <= 2 * MAX_TRIED_CHANGES + 2
    if found.attribution == NEEDED:
        both = frozenset.intersection(*sufficient)
        assert named(found) == (both & listed or both - listed)
    elif found.attribution == ALONE:
        tested = listed if named(found) <= listed else frozenset(NAMES) - listed
        assert all(trials([each for each in every if each.parts[1] in tested - {name}]) for name in named(found))  # type: ignore[arg-type]
    else:
        assert found == before


@pytest.mark.parametrize(
    ("sufficient", "listed", "attribution", "names"),
    [
        ({"a"}, "abc", NEEDED, "a"),
        ({"ab"}, "abc", NEEDED, "ab"),
        ({"a", "b"}, "abc", ALONE, "ab"),
        ({"d"}, "abc", NEEDED, "d"),
        ({"ab", "cd"}, "abcd", "", "abcd"),
    ],
)
def test_attribution_of_known_causes(sufficient: set[str], listed: str, attribution: str, names: str) -> None:
    """One of several, two together, either of two, one that was not named; without proof the cause is unchanged."""
    cause = Cause("rule", "", "", changes=tuple(change(each) for each in listed))
    found = attribute(cause, [change(each) for each in "abcdef"], Trials({frozenset(each) for each in sufficient}))
    assert (found.attribution, named(found)) == (attribution, set(names))
    assert found.label == {NEEDED: " + ", ALONE: " or "}.get(attribution, "rule").join(
        [f"constants/{each}/value" for each in names] if attribution else ["", ""]
    )


def test_fixed_changes_are_not_tried() -> None:
    """Changes of the ruleset itself and of removed overlays are no candidates; rules with mistakes prove nothing."""
    own, off = change("a", overlay=None), change("b", overlay_removed=True)
    cause = Cause("rule", "", "", changes=(own, off, change("c")))
    assert attribute(cause, [own, off, change("c"), change("d")], Trials({frozenset("a")})) is cause
    sure = attribute(cause, [own, off, change("c"), change("d")], Trials({frozenset("ac")}))
    assert (sure.attribution, named(sure)) == (NEEDED, {"c"})
    two = change("a"), change("b")
    unsound = Trials({frozenset("a")}, frozenset("ab"))
    assert attribute(Cause("rule", "", "", changes=two), two, unsound).attribution == ""


def test_certain_cause_needs_no_trial() -> None:
    """A single change of the very reading is the cause, and so is the only change."""
    trials = Trials({frozenset("a")})
    sure = Cause("rule", "", "", changes=(change("a"),), exact=True)
    assert attribute(sure, [change("a"), change("b")], trials) is sure
    only = Cause("rule", "", "", changes=(change("a"),))
    assert attribute(only, [change("a")], trials) is only
    assert trials.tried == []


def test_overlay_leaves_out_patches_and_entries() -> None:
    """A patch or an entry of a section is left out by its place; the other places stay the same."""
    text = """overlay: {id: o, for: made}
constants:
  one: {value: 1}
  two: {value: 2}
patches:
  - {at: tables/hits/3, set: 1}
  - {at: tables/hits/4, set: 2}
"""
    file = OverlayFile(Path("o.yaml"), text.encode())
    left = file.without([Place("o.yaml", 3, 3), Place("o.yaml", 6, 10), Place("other.yaml", 7, 10)])
    overlay = read_overlay(left)
    constants = overlay.sections.items["constants"]
    assert list(constants) == ["two"]  # type: ignore[call-overload]
    assert [(each.at.text, each.at.place.line) for each in overlay.patches] == [("tables/hits/4", 7)]
    assert left.digest != file.digest == file.without([Place("other.yaml", 6, 10)]).digest
    assert left.without([Place("o.yaml", 7, 10)]).digest not in (left.digest, file.digest)
