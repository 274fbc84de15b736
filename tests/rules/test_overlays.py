"""Overlays: what each verb does at each sort of place, and that it comes to the same as changing the file by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from overlay_house import BASE, SAME, changed, laid, overlay

from interpreter.language.diagnostics import RulesetError
from interpreter.rules.documents.nodes import Mapping, Scalar
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.loading.check_overlay import check_overlay
from interpreter.rules.loading.load import load_ruleset, load_scenario
from interpreter.rules.loading.ruleset import Ruleset


def said(*overlays: OverlayFile) -> list[str]:
    """The code and place of everything that is wrong with the ruleset under overlays."""
    with pytest.raises(RulesetError) as caught:
        laid(BASE, *overlays)
    return [f"{each.code} {Path(each.place.file).name}:{each.place.line}" for each in caught.value.diagnostics]


# ---------------------------------------------------------------- the same as by hand
@pytest.mark.parametrize("name", SAME)
def test_a_patch_is_a_change_by_hand(name: str, tmp_path: Path) -> None:
    """The ruleset under the overlay has the hash of the one whose file was changed, and not that of the bare one."""
    patches, case = SAME[name]
    case.spoil(tmp_path / "by_hand")
    under, by_hand = laid(BASE, overlay(patches)), laid(tmp_path / "by_hand")
    names = {*under.entries, *by_hand.entries}
    assert {each for each in names if under.entries.get(each) != by_hand.entries.get(each)} == set()
    assert under.hash == by_hand.hash != laid(BASE).hash


def test_the_hash_is_of_what_is_said(tmp_path: Path) -> None:
    """Comments, layout and the division into files don't count."""
    bare = laid(BASE).hash
    quota = '  quota: {cite: "1", standing: reconstructed, value: 3}'
    for number, lines in enumerate(
        (
            ("@ things.yaml", "-   losses:", "+   # a comment", "+   losses:"),
            ("@ things.yaml", "- die    | 1 2 3 4 5 6", "+ die | 1  2 3 4 5 6"),
            ("@ things.yaml", "- constants:", f"- {quota}", "@ rules.yaml", "+ constants:", f"+ {quota}"),
            (
                "@ things.yaml",
                '- cite: "3"',
                "-     keys: {ground: ground}",
                "+ keys: {ground: ground}",
                '+     cite: ["3"]',
            ),
        )
    ):
        assert laid(changed(tmp_path / str(number), *lines)).hash == bare


def test_the_order_of_entries_counts(tmp_path: Path) -> None:
    """Entries in another order are another ruleset, for saved games count them."""
    one, other = (
        '  - {id: "2.2", kind: rule, says: A chief helps.}',
        '  - {id: "3", kind: rule, says: Roads cost points.}',
    )
    swapped = changed(tmp_path / "guide", "@ ruleset.yaml", f"- {one}", f"- {other}", f"+ {other}", f"+ {one}")
    assert laid(swapped).hash != laid(BASE).hash


def test_applied_and_taken_back_is_the_same() -> None:
    """An overlay that undoes another gives the hash of the bare ruleset."""
    first = "- {at: tables/losses/6, set: 3}\n- {at: modifiers/attack/limits, add: {id: cap, most: 5}}"
    second = "- {at: tables/losses/6, expect: 3, set: 2}\n- {at: modifiers/attack/limits/cap, remove: true}"
    assert laid(BASE, overlay(first, "first"), overlay(second, "second", after="first")).hash == laid(BASE).hash


# ---------------------------------------------------------------- options
MUD = "options: {mud: {default: false}}\npatches: [{at: tables/entry/marsh, set: 4, when: mud}]"


def marsh(ruleset: Ruleset) -> str:
    """What a marsh costs."""
    (node,) = [each.node for each in ruleset.documents.entries("tables") if each.name == "entry"]
    assert isinstance(node, Mapping)
    grid = node.get("grid")
    assert isinstance(grid, Scalar)
    return grid.text.split()[-1]


def test_a_toggled_patch_holds_under_its_option() -> None:
    """What an option switches is chosen when the ruleset is loaded, whoever sets the option."""
    assert marsh(laid(BASE, overlay(MUD))) == "3"
    assert marsh(laid(BASE, overlay(MUD), options={"mud": True})) == "4"
    wet = overlay("- {at: options/mud/default, set: true}", "wet", requires="trial")
    assert marsh(laid(BASE, overlay(MUD), wet)) == "4"


def test_conditions_are_over_options() -> None:
    """Numbers, words and truth values of options are compared; anything else is refused."""
    for when, holds in (
        ("rounds = 4", True),
        ("not fog and rounds > 3", True),
        ("weather = wet", False),
        ("weather in {dry, wet} or fog", True),
        ("rounds + 1 > 3", None),
        ("fogg", None),
        ("turn = 1", None),
        ("rounds = weather", None),
        ("rounds", None),
    ):
        patch = overlay(f"- {{at: tables/entry/marsh, set: 4, when: '{when}'}}")
        if holds is None:
            assert len(said(patch)) == 1
        else:
            assert marsh(laid(BASE, patch)) == ("4" if holds else "3")


# ---------------------------------------------------------------- where mistakes are told
def test_mistakes_point_into_the_overlay() -> None:
    """What goes wrong with patched text when it is linked is told in the overlay's file."""
    assert said(overlay("\n- {at: definitions/unit.weak/is, set: .tierd}")) == ["unknown-attribute trial.yaml:4"]
    assert said(overlay("\n\n- {at: tables/combat/6..9/4.., set: RR}")) == ["wrong-value trial.yaml:5"]
    assert said(overlay('- {at: procedures/lose/cite, add: "9"}')) == ["unknown-clause trial.yaml:3"]


def test_what_is_set_too_high_up_is_told_how_the_path_goes_on() -> None:
    """A constant is set by its value; who sets the constant itself is told the whole path."""
    with pytest.raises(RulesetError) as caught:
        laid(BASE, overlay('- {at: constants/quota, set: 4, cite: "1"}'))
    assert [each.hint for each in caught.value.diagnostics] == ["did you mean 'constants/quota/value'?"]


def test_a_mistake_elsewhere_names_the_patch() -> None:
    """What a patch breaks in the ruleset's own files is told there, with the patch that broke it."""
    with pytest.raises(RulesetError) as caught:
        laid(BASE, overlay("- {at: procedures/lose, remove: true}"))
    (found,) = caught.value.diagnostics
    assert found.place.file.endswith("rules.yaml")
    assert "'lose' is taken out by the overlay 'trial' (trial.yaml:3:10)" in (found.hint or "")


# ---------------------------------------------------------------- stacks
SIX, FIVE = "- {at: tables/losses/6, set: 3}", "- {at: tables/losses/5, set: 2}"


def test_overlays_that_touch_one_place_need_an_order() -> None:
    """Two overlays may change one place, or one inside the other, only if the upper one says that it comes after."""
    row = '- {at: tables/losses/*, replace_cells: {"3": "4"}}'
    assert said(overlay(SIX, "a"), overlay(SIX, "b")) == ["overlay-conflict b.yaml:3"]
    assert said(overlay(SIX, "a"), overlay(row, "b")) == ["overlay-conflict b.yaml:3"]
    assert said(overlay(SIX, "a"), overlay("- {at: tables/losses, remove: true}", "b")) == ["overlay-conflict b.yaml:3"]
    assert laid(BASE, overlay(SIX, "a"), overlay(FIVE, "b")).layers[1].id == "b"
    for head in ({"after": "a"}, {"requires": "[a]"}):
        assert laid(BASE, overlay(SIX, "a"), overlay(SIX, "b", **head))
    through = [overlay(SIX, "a"), overlay(FIVE, "b", after="a"), overlay(SIX, "c", requires="b")]
    assert laid(BASE, *through)


def test_a_stack_must_fit_together() -> None:
    """What an overlay requires lies under it, what it excludes is not there, nothing goes round in a circle."""
    a = overlay(SIX, "a")
    assert said(overlay(FIVE, "b", requires="a")) == ["overlay-missing b.yaml:1"]
    assert said(overlay(FIVE, "b", requires="a"), a) == ["overlay-order b.yaml:1"]
    assert said(overlay(FIVE, "b", after="a"), a) == ["overlay-order b.yaml:1"]
    assert said(a, overlay(FIVE, "b", excludes="a")) == ["overlay-excluded b.yaml:1"]
    assert said(a, a) == ["overlay-twice a.yaml:1"]
    circle = overlay(SIX, "a", after="b"), overlay(FIVE, "b", requires="a")
    assert said(*circle) == ["overlay-cycle a.yaml:1"]
    assert said(overlay(SIX, versions='">=2"')) == ["ruleset-version trial.yaml:1"]
    assert laid(BASE, overlay(FIVE, "b", after="elsewhere"))


# ---------------------------------------------------------------- scenarios, files, cache
def test_scenarios_are_patched(tmp_path: Path) -> None:
    """A set-up is changed by paths that begin with the scenario."""
    file = changed(tmp_path / "guide") / "scenarios" / "standard.yaml"
    patches = "- {at: scenarios/standard/options/fog, expect: true, set: false}\n- {at: scenarios/standard/%s, %s}"
    scenario = load_scenario(file, overlays=[overlay(patches % ("state/turn", "set: 3"))], cache=False)
    assert scenario.setup.state == (("turn", 3),)
    assert dict(scenario.ruleset.image.options)["fog"] is False
    with pytest.raises(RulesetError, match="did you mean 'scenarios/standard/state'"):
        load_scenario(file, overlays=[overlay(patches % ("stat", "set: {}"))], cache=False)


def test_overlays_are_found_by_name(tmp_path: Path) -> None:
    """In `overlays` inside the ruleset's folder, beside it, or under a path for rulesets."""
    for number, folder in enumerate(("rulesets/guide/overlays", "rulesets/overlays", "overlays/guide")):
        root = tmp_path / str(number)
        changed(root / "rulesets" / "guide")
        (root / folder).mkdir(parents=True)
        (root / folder / "a_file.yaml").write_bytes(overlay(SIX).content)
        found = load_ruleset("guide", ["trial"], paths=[root], cache=False)
        assert [each.id for each in found.layers] == ["trial"]
        assert check_overlay(root / folder / "a_file.yaml").found == []


def test_the_cache_knows_overlays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cached ruleset is that of its overlays as they are now."""
    monkeypatch.setenv("BICORNE_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "trial.yaml"
    hashes = []
    for value in (3, 4, 3):
        file.write_bytes(overlay(f"- {{at: tables/losses/6, set: {value}}}").content)
        hashes.append(load_ruleset(BASE, [file]).hash)
    assert hashes[0] == hashes[2] != hashes[1]
    assert load_ruleset(BASE).hash not in hashes
