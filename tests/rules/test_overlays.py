"""Each verb of overlays changes each sort of target exactly as an edit of the file by hand would."""

from __future__ import annotations

from pathlib import Path

import pytest
from overlay_house import BASE, SAME, changed, laid, overlay

from interpreter.language.diagnostics import RulesetError
from interpreter.rules.documents.nodes import Mapping, Scalar
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.loading.check_overlay import check_overlay, check_toggled_patches
from interpreter.rules.loading.load import load_ruleset, load_scenario
from interpreter.rules.loading.ruleset import Ruleset


def errors_of(*overlays: OverlayFile) -> list[str]:
    """Returns the code and place of all errors of the ruleset under overlays."""
    with pytest.raises(RulesetError) as caught:
        laid(BASE, *overlays)
    return [f"{each.code} {Path(each.place.file).name}:{each.place.line}" for each in caught.value.diagnostics]


# ---------------------------------------------------------------- the same as by hand
@pytest.mark.parametrize("name", SAME)
def test_patch_equals_change_by_hand(name: str, tmp_path: Path) -> None:
    """The ruleset under the overlay has the hash of the one whose file was changed, and not that of the bare one."""
    patches, case = SAME[name]
    case.write_mistake(tmp_path / "by_hand")
    under, by_hand = laid(BASE, overlay(patches)), laid(tmp_path / "by_hand")
    names = {*under.entries, *by_hand.entries}
    assert {each for each in names if under.entries.get(each) != by_hand.entries.get(each)} == set()
    assert under.hash == by_hand.hash != laid(BASE).hash


def test_hash_ignores_layout(tmp_path: Path) -> None:
    """Comments, layout and the division into files don't change the hash of a ruleset."""
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


def test_hash_depends_on_the_order_of_entries(tmp_path: Path) -> None:
    """Entries in another order are another ruleset, because saved games refer to entries by number."""
    one, other = (
        '  - {id: "2.2", kind: rule, says: A chief helps.}',
        '  - {id: "3", kind: rule, says: Roads cost points.}',
    )
    swapped = changed(tmp_path / "guide", "@ ruleset.yaml", f"- {one}", f"- {other}", f"+ {other}", f"+ {one}")
    assert laid(swapped).hash != laid(BASE).hash


def test_reverting_overlay_restores_the_hash() -> None:
    """An overlay that undoes another gives the hash of the bare ruleset."""
    first = "- {at: tables/losses/6, set: 3}\n- {at: modifiers/attack/limits, add: {id: cap, most: 5}}"
    second = "- {at: tables/losses/6, expect: 3, set: 2}\n- {at: modifiers/attack/limits/cap, remove: true}"
    assert laid(BASE, overlay(first, "first"), overlay(second, "second", after="first")).hash == laid(BASE).hash


# ---------------------------------------------------------------- options
def test_unknown_option_is_reported_with_all_there_are() -> None:
    """However many options there are, who writes the condition of a patch is shown them."""
    names = [f"{first}{second}_rule" for first in "abc" for second in "abcd"]
    options = ", ".join([f"{each}: {{default: false}}" for each in names])
    text = f"options: {{{options}}}\npatches: [{{at: tables/entry/marsh, set: 4, when: zzz}}]"
    with pytest.raises(RulesetError) as caught:
        laid(BASE, overlay(text))
    found = next(each for each in caught.value.diagnostics if each.code == "unknown-option")
    assert set(names) <= set((found.hint or "").removeprefix("known here: ").split(", "))


MUD = "options: {mud: {default: false}}\npatches: [{at: tables/entry/marsh, set: 4, when: mud}]"


def marsh(ruleset: Ruleset) -> str:
    """Returns the cell with the cost of a marsh."""
    (node,) = [each.node for each in ruleset.documents.entries("tables") if each.name == "entry"]
    assert isinstance(node, Mapping)
    grid = node.get("grid")
    assert isinstance(grid, Scalar)
    return grid.text.split()[-1]


def test_conditional_patch_applies_under_its_option() -> None:
    """A patch with `when` applies if its option is set, whether by the caller or by another overlay."""
    assert marsh(laid(BASE, overlay(MUD))) == "3"
    assert marsh(laid(BASE, overlay(MUD), options={"mud": True})) == "4"
    wet = overlay("- {at: options/mud/default, set: true}", "wet", requires="trial")
    assert marsh(laid(BASE, overlay(MUD), wet)) == "4"


def test_conditions_accept_only_options() -> None:
    """Conditions compare numbers, words and truth values of options; anything else is rejected."""
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
            assert len(errors_of(patch)) == 1
        else:
            assert marsh(laid(BASE, patch)) == ("4" if holds else "3")


# ---------------------------------------------------------------- places of errors
def test_link_errors_of_patched_text_are_in_the_overlay() -> None:
    """An error that linking finds in patched text is reported at its place in the overlay's file."""
    assert errors_of(overlay("\n- {at: definitions/unit.weak/is, set: .tierd}")) == ["unknown-attribute trial.yaml:4"]
    assert errors_of(overlay("\n\n- {at: tables/combat/6..9/4.., set: RR}")) == ["wrong-value trial.yaml:5"]
    assert errors_of(overlay('- {at: procedures/lose/cite, add: "9"}')) == ["unknown-clause trial.yaml:3"]


def test_short_path_suggests_the_full_path() -> None:
    """Setting a constant instead of its value is reported with the full path."""
    with pytest.raises(RulesetError) as caught:
        laid(BASE, overlay('- {at: constants/quota, set: 4, cite: "1"}'))
    assert [each.hint for each in caught.value.diagnostics] == ["did you mean 'constants/quota/value'?"]


def test_errors_in_the_ruleset_name_the_patch() -> None:
    """An error that a patch causes in the ruleset's own files is reported there and names the patch."""
    with pytest.raises(RulesetError) as caught:
        laid(BASE, overlay("- {at: procedures/lose, remove: true}"))
    (found,) = caught.value.diagnostics
    assert found.place.file.endswith("rules.yaml")
    assert "'lose' is removed by the overlay 'trial' (trial.yaml:3:10)" in (found.hint or "")


# ---------------------------------------------------------------- several overlays
SIX, FIVE = "- {at: tables/losses/6, set: 3}", "- {at: tables/losses/5, set: 2}"


def test_overlays_of_one_target_need_an_order() -> None:
    """Two overlays may change one target, or one inside the other, only if the later one declares the order."""
    row = '- {at: tables/losses/*, replace_cells: {"3": "4"}}'
    assert errors_of(overlay(SIX, "a"), overlay(SIX, "b")) == ["overlay-conflict b.yaml:3"]
    assert errors_of(overlay(SIX, "a"), overlay(row, "b")) == ["overlay-conflict b.yaml:3"]
    whole = "- {at: tables/losses, remove: true}"
    assert errors_of(overlay(SIX, "a"), overlay(whole, "b")) == ["overlay-conflict b.yaml:3"]
    assert laid(BASE, overlay(SIX, "a"), overlay(FIVE, "b")).layers[1].id == "b"
    for head in ({"after": "a"}, {"requires": "[a]"}):
        assert laid(BASE, overlay(SIX, "a"), overlay(SIX, "b", **head))
    through = [overlay(SIX, "a"), overlay(FIVE, "b", after="a"), overlay(SIX, "c", requires="b")]
    assert laid(BASE, *through)


def test_overlays_of_one_text_need_an_order(tmp_path: Path) -> None:
    """Two overlays may change parts of one rule text only if the later one declares the order, and finds its part."""
    first = "- {at: procedures/lose, replace_text: {set unit.steps -= 1: set unit.steps -= 2}}"
    second = "- {at: procedures/lose/do, replace_text: {set unit.steps -= 2: set unit.steps -= 3}}"
    assert errors_of(overlay(first, "a"), overlay(second, "b")) == ["overlay-conflict b.yaml:3"]
    assert errors_of(overlay(second, "b", after="a")) == ["nothing-replaced b.yaml:3"]
    by_hand = changed(
        tmp_path / "guide", "@ rules.yaml", "-         set unit.steps -= 1", "+         set unit.steps -= 3"
    )
    assert laid(BASE, overlay(first, "a"), overlay(second, "b", after="a")).hash == laid(by_hand).hash


def test_text_changes_while_an_option_is_on(tmp_path: Path) -> None:
    """A part of a text is replaced only under the option of the patch, and `check --with` tries both."""
    patch = "- {at: definitions/unit.weak, when: fog, replace_text: {quota: %s}}"
    toggled = overlay(patch % "quota + 1")
    by_hand = changed(
        tmp_path / "guide", "@ rules.yaml", "- is: .tired or .steps < quota", "+ is: .tired or .steps < quota + 1"
    )
    for fog, folder in ((True, by_hand), (False, BASE)):
        assert laid(BASE, toggled, options={"fog": fog}).hash == laid(folder, options={"fog": fog}).hash
    assert check_toggled_patches(BASE, [toggled]) == []
    (found,) = check_toggled_patches(
        BASE, [overlay("- {at: definitions/unit.weak, when: fog, replace_text: {quota: few}}")]
    )
    assert (found.code, found.place.line) == ("unknown-name", 3)


def test_text_of_a_scenario_changes_in_part(tmp_path: Path) -> None:
    """Parts of a title of a scenario are replaced as those of a rule text are."""
    file = changed(tmp_path / "guide") / "scenarios" / "standard.yaml"
    longer = overlay("- {at: scenarios/standard/scenario/title/en, replace_text: {The: The long}}")
    assert load_scenario(file, overlays=[longer], cache=False).title == "The long road"


def test_overlays_must_fit_together() -> None:
    """Required overlays come before, excluded ones are absent, requirements have no cycle, versions fit."""
    a = overlay(SIX, "a")
    assert errors_of(overlay(FIVE, "b", requires="a")) == ["overlay-missing b.yaml:1"]
    assert errors_of(overlay(FIVE, "b", requires="a"), a) == ["overlay-order b.yaml:1"]
    assert errors_of(overlay(FIVE, "b", after="a"), a) == ["overlay-order b.yaml:1"]
    assert errors_of(a, overlay(FIVE, "b", excludes="a")) == ["overlay-excluded b.yaml:1"]
    assert errors_of(a, a) == ["overlay-twice a.yaml:1"]
    circle = overlay(SIX, "a", after="b"), overlay(FIVE, "b", requires="a")
    assert errors_of(*circle) == ["overlay-cycle a.yaml:1"]
    assert errors_of(overlay(SIX, versions='">=2"')) == ["ruleset-version trial.yaml:1"]
    assert laid(BASE, overlay(FIVE, "b", after="elsewhere"))


# ---------------------------------------------------------------- scenarios, files, cache
def test_patch_changes_a_scenario(tmp_path: Path) -> None:
    """Paths that begin with `scenarios/` and an id change the set-up of this scenario."""
    file = changed(tmp_path / "guide") / "scenarios" / "standard.yaml"
    patches = "- {at: scenarios/standard/options/fog, expect: true, set: false}\n- {at: scenarios/standard/%s, %s}"
    scenario = load_scenario(file, overlays=[overlay(patches % ("state/turn", "set: 3"))], cache=False)
    assert scenario.setup.state == (("turn", 3),)
    assert dict(scenario.ruleset.image.options)["fog"] is False
    with pytest.raises(RulesetError, match="did you mean 'scenarios/standard/state'"):
        load_scenario(file, overlays=[overlay(patches % ("stat", "set: {}"))], cache=False)


def test_patch_adds_a_section_to_a_scenario(tmp_path: Path) -> None:
    """A section that a scenario lacks is added at the scenario itself; one that it has, or a misspelt one, is not."""
    lines = ("@ scenarios/standard.yaml", "- options: {fog: true}")
    file = changed(tmp_path / "guide", *lines) / "scenarios" / "standard.yaml"
    patch = "- {at: scenarios/standard, add: {%s}}"
    scenario = load_scenario(file, overlays=[overlay(patch % "options: {fog: true}")], cache=False)
    assert dict(scenario.ruleset.image.options)["fog"] is True
    with pytest.raises(RulesetError, match="at 'scenarios/standard/state', with 'set'"):
        load_scenario(file, overlays=[overlay(patch % "state: {turn: 3}")], cache=False)
    with pytest.raises(RulesetError, match="did you mean 'options'"):
        load_scenario(file, overlays=[overlay(patch % "option: {fog: true}")], cache=False)
    with pytest.raises(RulesetError, match="names a whole scenario"):
        load_scenario(file, overlays=[overlay("- {at: scenarios/standard, set: {}}")], cache=False)


def test_overlays_are_found_by_name(tmp_path: Path) -> None:
    """Overlays are found in `overlays` inside the ruleset's folder, beside it, or under a path for rulesets."""
    for number, folder in enumerate(("rulesets/guide/overlays", "rulesets/overlays", "overlays/guide")):
        root = tmp_path / str(number)
        changed(root / "rulesets" / "guide")
        (root / folder).mkdir(parents=True)
        (root / folder / "a_file.yaml").write_bytes(overlay(SIX).content)
        found = load_ruleset("guide", ["trial"], paths=[root], cache=False)
        assert [each.id for each in found.layers] == ["trial"]
        assert check_overlay(root / folder / "a_file.yaml").found == []


def test_cache_depends_on_overlays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed overlay invalidates the cached ruleset, and the old contents restore it."""
    monkeypatch.setenv("BICORNE_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "trial.yaml"
    hashes = []
    for value in (3, 4, 3):
        file.write_bytes(overlay(f"- {{at: tables/losses/6, set: {value}}}").content)
        hashes.append(load_ruleset(BASE, [file]).hash)
    assert hashes[0] == hashes[2] != hashes[1]
    assert load_ruleset(BASE).hash not in hashes
