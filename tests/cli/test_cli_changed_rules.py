"""Games under changed rules: what a save keeps of its overlays, and whether it goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Bicorne = Callable[..., Any]

TIRED = """overlay: {id: tired, for: made}
patches:
  - {at: tables/stages_run/5..6, expect: 2, set: 1, cite: run.1}
"""


@pytest.fixture
def tired(made: Path) -> Path:
    """An overlay on the made ruleset under which nobody runs three stages at once."""
    path = made.parent / "tired.yaml"
    path.write_text(TIRED)
    return path


def start(bicorne: Bicorne, made: Path, *more: object, seed: int = 1) -> Path:
    """A save of two turns of the made ruleset."""
    save = made.parent / f"{seed}.save"
    told = bicorne("play", made, "--seed", seed, "--turns", 2, "--quiet", "--save", save, "--path", made.parent, *more)
    assert told.code == 0
    return save


def test_a_save_goes_on_without_its_overlay_file(bicorne: Bicorne, made: Path, tired: Path) -> None:
    """The overlay is in the save: its file may be gone or changed, which is said, and the game is the same."""
    save = start(bicorne, made, "--with", tired)
    tired.write_text(TIRED.replace("set: 1", "set: 0"))
    told = bicorne("resume", save, "--quiet", "--turns", 1, "--path", made.parent)
    assert (told.code, f"{tired} has changed since" in told.err) == (0, True)
    tired.unlink()
    told = bicorne("resume", save, "--quiet", "--path", made.parent)
    assert (told.code, told.err) == (0, "")
    assert bicorne("replay", save, "--path", made.parent).code == 0


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("| 0   1    2    3", "| 0   1    1    3", "tables/stages_run/5..6 (recorded: 2, here: 1)"),
        ("value: 2", "value: 3", "modifiers/pace has changed"),
        ("set player.rested = true ", "set player.rested = false", "actions/rest has changed"),
    ],
)
def test_a_save_of_other_rules_is_refused(bicorne: Bicorne, made: Path, old: str, new: str, said: str) -> None:
    """Where a document has changed, the game is not gone on with; what has changed is named, the file left alone."""
    save = start(bicorne, made)
    before = save.read_bytes()
    rules = made / "rules.yaml"
    rules.write_text(rules.read_text().replace(old, new))
    told = bicorne("resume", save, "--path", made.parent)
    assert (told.code, said in told.err.replace("\n  ", "\n")) == (1, True), told.err
    assert bicorne("resume", save, "--path", made.parent, "--json").json["differences"][-1] == said
    assert save.read_bytes() == before


def test_other_overlays_are_refused(bicorne: Bicorne, made: Path, tired: Path) -> None:
    """`resume --with` takes the overlays that the game was played under, and no others."""
    save = start(bicorne, made, "--with", tired)
    told = bicorne("resume", save, "--with", tired, "--quiet", "--turns", 1, "--path", made.parent)
    assert told.code == 0
    other = made.parent / "other.yaml"
    other.write_text(TIRED.replace("id: tired", "id: other").replace("set: 1", "set: 0"))
    told = bicorne("resume", save, "--with", other, "--path", made.parent, "--json")
    assert told.code == 1
    assert told.json["differences"][1:3] == [
        "the overlay 'tired' is not laid on here",
        "the overlay 'other' was not laid on then",
    ]
    tired.write_text(TIRED.replace("set: 1", "set: 0"))
    told = bicorne("resume", save, "--with", tired, "--path", made.parent)
    assert "the overlay 'tired' is another text: tables/stages_run/5..6" in told.err


def test_another_set_up_is_refused(bicorne: Bicorne, made: Path) -> None:
    """A scenario that sets up otherwise is not the one that was played."""
    save = start(bicorne, made)
    scenario = made / "scenarios" / "standard.yaml"
    scenario.write_text(scenario.read_text() + "state: {}\nboard: {runner: [{id: north_runner, at: hill}]}\n")
    told = bicorne("resume", save, "--path", made.parent)
    assert told.code == 1, told.err
    assert "the set-up of the scenario 'made/standard'" in told.err
