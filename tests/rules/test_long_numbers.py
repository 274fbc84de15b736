"""A number of a document has at most 18 digits of ASCII: what is longer, or has other digits, is text at its place."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from fuzzing import GAMES

from interpreter import load_ruleset, load_scenario, odds
from interpreter.language.diagnostics import RulesetError, UsageError
from interpreter.language.whole_numbers import whole_number
from interpreter.play.wording.wording import Wording
from interpreter.rules.documents.versions import is_in_range
from interpreter.rules.loading.ruleset import Scenario

LONG = "9" * 5_000
"""More digits than Python reads as a number."""
ODD = (LONG, f"-{LONG}", f"+{LONG}", "²", "١", "9" * 19)


def changed(folder: Path, name: str, old: str, new: str) -> Path:
    """Returns a copy of the skirmish with another text in one document."""
    copy = folder / "skirmish"
    shutil.copytree(GAMES / "rulesets" / "skirmish", copy)
    path = copy / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return copy


def opened(folder: Path, *overlays: Path) -> Scenario:
    """Returns the scenario of a copy."""
    return load_scenario(folder / "scenarios" / "standard.yaml", paths=[folder], overlays=overlays)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("9" * 18, 10**18 - 1), ("-" + "9" * 18, 1 - 10**18), ("9" * 19, None), ("0", 0), ("-0", 0), ("", None),
        ("-", None), ("--1", None), ("+1", None), (" 1", None), ("1\n", None), ("1_0", None), ("1.0", None),
        ("²", None), ("١", None), (LONG, None), ("0" * 19, None),
    ],
)  # fmt: skip
def test_whole_number_has_up_to_18_digits(text: str, number: int | None) -> None:
    """A whole number is one to 18 digits of ASCII, with a minus sign or none."""
    assert whole_number(text) == number


@pytest.mark.parametrize("written", ODD)
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("board.yaml", "2   | 1 0 2", "2   | 1 0 {}"),
        ("board.yaml", "row | 1 2 3\n", "row | 1 2 {}\n"),
        ("rules.yaml", "2..4  | 1     0    1", "2..4  | 1     0    {}"),
        ("rules.yaml", "  5..99 |", "  5..{} |"),
        ("rules.yaml", "      1     | 0 ", "      {}     | 0 "),
        ("board.yaml", "count: 4,", "count: {},"),
        ("board.yaml", "columns: 5", "columns: {}"),
        ("scenarios/standard.yaml", '">=1 <2"', '">={}"'),
        ("overlays/half.yaml", "losses/2..4/plain", "losses/{}/plain"),
        ("overlays/half.yaml", "expect: 1, set: 2", "expect: 1, set: {}"),
        ("overlays/half.yaml", "expect: 1, set: 2", "expect: {}, set: 2"),
    ],
)
def test_long_number_is_reported_at_its_place(name: str, old: str, new: str, written: str, tmp_path: Path) -> None:
    """A number with too many digits, or with other digits, is a finding of its document and no defect."""
    folder = changed(tmp_path, name, old, new.format(written))
    overlays = [folder / name] if name.startswith("overlays") else []
    with pytest.raises(RulesetError) as caught:
        opened(folder, *overlays)
    assert {Path(each.place.file).name for each in caught.value.diagnostics} == {Path(name).name}


@pytest.mark.parametrize("written", [f"1.{LONG}", f"{LONG}.5", f"1/{LONG}", "1/²", "١/2", "1.٢"])
def test_long_fraction_is_reported_at_its_place(written: str, tmp_path: Path) -> None:
    """A fraction of numbers with too many or other digits is a finding; one of numbers with 18 digits is a number."""
    folder = changed(tmp_path, "board.yaml", 'has: {least: "int?"}', 'has: {least: "number?"}')
    board = folder / "board.yaml"
    sound = board.read_text(encoding="utf-8")
    board.write_text(sound.replace("{least: 2}", f"{{least: 1/{'9' * 18}}}"), encoding="utf-8")
    assert opened(folder)
    board.write_text(sound.replace("{least: 2}", f"{{least: {written}}}"), encoding="utf-8")
    with pytest.raises(RulesetError, match=r"board\.yaml"):
        opened(folder)


@pytest.mark.parametrize("written", ODD)
def test_option_with_a_long_number_is_refused(written: str, tmp_path: Path) -> None:
    """A setting that is given as text, as records hold it, is a number or is refused."""
    folder = changed(
        tmp_path, "board.yaml", "  long: {default: false}\n", "  long: {default: false}\n  most: {default: 3}\n"
    )
    assert load_ruleset(folder, options={"most": "12"}).options["most"] == "12"
    with pytest.raises(UsageError, match="most"):
        load_ruleset(folder, options={"most": written})


def test_question_with_a_long_number_is_filled() -> None:
    """A question of a presentation that names a value by too long a number shows that there is none."""
    words = Wording({"prompts": {}}, "en")
    assert words._filled("{1} {2} {" + LONG + "}", ["a", "b"]) == "a b …"


def test_outcomes_with_other_digits_are_texts(tmp_path: Path) -> None:
    """An outcome that is a text with a digit of another script is sorted as a text, and has no mean."""
    folder = changed(
        tmp_path, "rules.yaml", "outcomes: {lost: result}", 'outcomes: {lost: \'"²" if result = 1 else "1"\'}'
    )
    situation = {
        "board": {"unit": [{"id": "red_foot", "at": "f11"}]},
        "with": {"unit": "red_foot", "target": "blue_foot"},
    }
    found = odds(opened(folder), "fight", situation)
    assert [value for value, _ in found.of("lost")] == ["1", "²"]
    assert found.mean("lost") is None


def test_versions_have_short_numbers() -> None:
    """A version or a range with a long number is none, and one with numbers of nine digits is."""
    assert is_in_range("1.999999999", ">=1.2 <2")
    for version, wanted in ((f"1.{LONG}", ">=1"), ("1.2", f">={LONG}"), ("1.2", f">=1.{LONG}")):
        with pytest.raises(ValueError, match="is not a"):
            is_in_range(version, wanted)
