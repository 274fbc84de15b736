"""Changes left out by turns: what is said of them is true of the game, whatever it parts by."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.language.diagnostics import Place
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.overlays.patch.overlay import read_overlay
from interpreter.workshop.impact.changes import RuleChange
from interpreter.workshop.impact.leave_one_out import MOST, attribute
from interpreter.workshop.impact.root_cause import ALONE, NEEDED, Cause

NAMES = "abcdefgh"
SETS = st.sets(st.sampled_from(NAMES), min_size=1, max_size=3).map(frozenset)


def change(name: str, overlay: str | None = "o", **more: bool) -> RuleChange:
    """A change by a patch of its own."""
    return RuleChange(("constants", name, "value"), overlay, "set", Place("o.yaml", ord(name), 1), **more)


class Trials:
    """A game that parts where all of any of these sets of changes are there; some can't be left out."""

    def __init__(self, enough: set[frozenset[str]], unsound: frozenset[str] = frozenset()) -> None:
        self.enough, self.unsound, self.made = enough, unsound, list[frozenset[str]]()

    def __call__(self, left_out: tuple[RuleChange, ...]) -> bool | None:
        names = frozenset(each.parts[1] for each in left_out)
        self.made.append(names)
        return None if names & self.unsound else any(not names & each for each in self.enough)


def named(cause: Cause) -> set[str]:
    """The names of the changes of a cause."""
    return {each.parts[1] for each in cause.changes}


@given(st.sets(SETS, min_size=1, max_size=3), SETS, st.booleans())
def test_what_is_shown_is_true(enough: set[frozenset[str]], listed: frozenset[str], exact: bool) -> None:
    """Without any needed change the game does not part there; of those that do it alone each does."""
    trials, every = Trials(enough), [change(each) for each in NAMES]
    before = Cause("rule", "", "", changes=tuple(each for each in every if each.parts[1] in listed), exact=exact)
    found = attribute(before, every, trials)
    assert len(trials.made) <= 2 * MOST + 2
    if found.shown == NEEDED:
        both = frozenset.intersection(*enough)
        assert named(found) == (both & listed or both - listed)
    elif found.shown == ALONE:
        tested = listed if named(found) <= listed else frozenset(NAMES) - listed
        assert all(trials([each for each in every if each.parts[1] in tested - {name}]) for name in named(found))  # type: ignore[arg-type]
    else:
        assert found == before


@pytest.mark.parametrize(
    ("enough", "listed", "shown", "names"),
    [
        ({"a"}, "abc", NEEDED, "a"),
        ({"ab"}, "abc", NEEDED, "ab"),
        ({"a", "b"}, "abc", ALONE, "ab"),
        ({"d"}, "abc", NEEDED, "d"),
        ({"ab", "cd"}, "abcd", "", "abcd"),
    ],
)
def test_what_is_shown(enough: set[str], listed: str, shown: str, names: str) -> None:
    """One among several, two together, either of two, one that was not named at all; what can't be shown stays."""
    cause = Cause("rule", "", "", changes=tuple(change(each) for each in listed))
    found = attribute(cause, [change(each) for each in "abcdef"], Trials({frozenset(each) for each in enough}))
    assert (found.shown, named(found)) == (shown, set(names))
    assert found.label == {NEEDED: " + ", ALONE: " or "}.get(shown, "rule").join(
        [f"constants/{each}/value" for each in names] if shown else ["", ""]
    )


def test_what_cannot_be_left_out_is_left_alone() -> None:
    """Changes of the ruleset itself and of overlays taken off are no candidates; unsound rules show nothing."""
    own, off = change("a", overlay=None), change("b", taken_off=True)
    cause = Cause("rule", "", "", changes=(own, off, change("c")))
    assert attribute(cause, [own, off, change("c"), change("d")], Trials({frozenset("a")})) is cause
    sure = attribute(cause, [own, off, change("c"), change("d")], Trials({frozenset("ac")}))
    assert (sure.shown, named(sure)) == (NEEDED, {"c"})
    two = change("a"), change("b")
    unsound = Trials({frozenset("a")}, frozenset("ab"))
    assert attribute(Cause("rule", "", "", changes=two), two, unsound).shown == ""


def test_nothing_is_tried_where_nothing_is_open() -> None:
    """A single change of the very reading is the cause, and so is the only change there is."""
    trials = Trials({frozenset("a")})
    sure = Cause("rule", "", "", changes=(change("a"),), exact=True)
    assert attribute(sure, [change("a"), change("b")], trials) is sure
    only = Cause("rule", "", "", changes=(change("a"),))
    assert attribute(only, [change("a")], trials) is only
    assert trials.made == []


def test_an_overlay_is_read_without_what_is_left_out() -> None:
    """A patch, or an entry of a section, by the place where it begins; the rest stands where it stood."""
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
