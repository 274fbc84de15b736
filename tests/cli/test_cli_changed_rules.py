"""Games under changed rules: the overlays in a save, and whether the game can continue."""

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
    """An overlay for the made ruleset under which nobody runs three stages at once."""
    path = made.parent / "overlays" / "tired.yaml"
    path.parent.mkdir()
    path.write_text(TIRED)
    return path


def start(bicorne: Bicorne, made: Path, *more: object, seed: int = 1) -> Path:
    """A save of two turns of the made ruleset."""
    save = made.parent / f"{seed}.save"
    ran = bicorne("play", made, "--seed", seed, "--turns", 2, "--quiet", "--save", save, "--path", made.parent, *more)
    assert ran.code == 0
    return save


def test_save_resumes_without_overlay_file(bicorne: Bicorne, made: Path, tired: Path) -> None:
    """The overlay is in the save: its file may be missing or changed, which is noted by name; the game is the same."""
    save = start(bicorne, made, "--with", tired)
    tired.write_text(TIRED.replace("set: 1", "set: 0"))
    ran = bicorne("resume", save, "--quiet", "--turns", 1, "--path", made.parent)
    assert (ran.code, f"the overlay 'tired' ({tired}) has changed since" in ran.err) == (0, True)
    tired.unlink()
    ran = bicorne("resume", save, "--quiet", "--path", made.parent)
    assert (ran.code, ran.err) == (0, "")
    assert bicorne("replay", save, "--path", made.parent).code == 0


@pytest.mark.parametrize(
    ("old", "new", "change", "there"),
    [
        ("| 0   1    2    3", "| 0   1    1    3", "tables/stages_run/5..6 (recorded: 2, here: 1)", "1    3"),
        ("value: 2", "value: 3", "modifiers/pace has changed", "cite: run.2"),
        ("set player.rested = true ", "set player.rested = false", "actions/rest has changed", "menu: turn_choice"),
    ],
)
def test_resume_refuses_changed_rules(
    bicorne: Bicorne, made: Path, old: str, new: str, change: str, there: str
) -> None:
    """The game does not continue; the change is named with its place, and the file is not changed."""
    save = start(bicorne, made)
    before = save.read_bytes()
    rules = made / "rules.yaml"
    rules.write_text(rules.read_text().replace(old, new))
    ran = bicorne("resume", save, "--path", made.parent)
    assert (ran.code, change in ran.err.replace("\n  ", "\n")) == (1, True), ran.err
    data = bicorne("resume", save, "--path", made.parent, "--json").json
    assert data["differences"][-1] == change
    assert (data["differences"][0].partition(" (")[0], data["places"][0]) == ("ruleset hash", None)
    file, line, column = data["places"][-1].rsplit(":", 2)
    assert Path(file) == rules
    assert rules.read_text().splitlines()[int(line) - 1][int(column) - 1 :].startswith(there)
    assert f"{change}, {data['places'][-1]}" in ran.err
    assert save.read_bytes() == before


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("pieces.yaml", "run: {en: run}", "run: {en: sprint, ja: 走る}"),
        ("clauses.yaml", "takes a turn", "has a turn"),
    ],
)
def test_save_resumes_after_wording_changes(bicorne: Bicorne, made: Path, file: str, old: str, new: str) -> None:
    """A changed translation or wording of a clause does not stop a game, since play is the same."""
    save = start(bicorne, made)
    text = (made / file).read_text()
    assert old in text
    (made / file).write_text(text.replace(old, new))
    ran = bicorne("resume", save, "--quiet", "--turns", 1, "--path", made.parent)
    assert (ran.code, ran.err) == (0, "")
    assert bicorne("replay", save, "--path", made.parent).code == 0


def test_resume_refuses_other_overlays(bicorne: Bicorne, made: Path, tired: Path) -> None:
    """`resume --with` takes the overlays that the game was played under, and no others."""
    save = start(bicorne, made, "--with", tired)
    ran = bicorne("resume", save, "--with", tired, "--quiet", "--turns", 1, "--path", made.parent)
    assert ran.code == 0
    other = made.parent / "other.yaml"
    other.write_text(TIRED.replace("id: tired", "id: other").replace("set: 1", "set: 0"))
    ran = bicorne("resume", save, "--with", other, "--path", made.parent, "--json")
    assert ran.code == 1
    assert ran.json["differences"][1:3] == [
        "the overlay 'tired' is not applied here",
        "the overlay 'other' was not applied in the record",
    ]
    tired.write_text(TIRED.replace("set: 1", "set: 0"))
    ran = bicorne("resume", save, "--with", tired, "--path", made.parent)
    assert "the overlay 'tired' has a different text: tables/stages_run/5..6" in ran.err


def test_resume_refuses_changed_setup(bicorne: Bicorne, made: Path) -> None:
    """A scenario with another set-up is not the scenario that was played."""
    save = start(bicorne, made)
    scenario = made / "scenarios" / "standard.yaml"
    scenario.write_text(scenario.read_text() + "state: {}\nboard: {runner: [{id: north_runner, at: hill}]}\n")
    ran = bicorne("resume", save, "--path", made.parent)
    assert ran.code == 1, ran.err
    assert f"the set-up of the scenario 'made/standard', {scenario}\n" in ran.err


# ---------------------------------------------------------------- other rules
def replayed(bicorne: Bicorne, made: Path, *arguments: object) -> Any:
    """Runs `replay` on files of the made ruleset."""
    return bicorne("replay", *arguments, "--path", made.parent)


def test_replay_reports_divergence_and_cause(bicorne: Bicorne, made: Path, tired: Path) -> None:
    """It shows where a game diverges, what happened then and now, the first cell that differs, and the patch."""
    save = start(bicorne, made, seed=25)
    ran = replayed(bicorne, made, save, "--with", tired)
    assert ran.code == 1
    assert ran.out.splitlines() == [
        f"{save}: 3 steps, 6 rolls and answers as recorded, then",
        "turn 2, step 4 (race/rounds/turn): different state after the step",
        "  then: south runner: at brook",
        "  now:  south runner: at meadow",
        "First difference: tables/stages_run/5..6",
        f"  then: stages run, roll 5–6: 2  ({made}/rules.yaml:10:25)",
        f"  now:  stages run, roll 5–6: 1  ({tired}:3:50)",
        "Cause:",
        f"  tables/stages_run/5..6: set to 1 ({tired}:3:10), overlay tired",
    ]


def test_branch_ends_before_divergence(bicorne: Bicorne, made: Path, tired: Path) -> None:
    """The branch is a game under the new rules; the same answer and the same die then give another result."""
    save, new = start(bicorne, made, seed=25), made.parent / "new.save"
    ran = replayed(bicorne, made, save, "--with", tired, "--branch", new)
    assert (ran.code, f"continue the game from there under the new rules with 'bicorne resume {new}'" in ran.out) == (
        1,
        True,
    )
    tired.unlink()
    ran = bicorne("resume", new, "--turns", 2, "--path", made.parent)
    assert ran.code == 0, ran.err
    assert "after 1 step\n" in ran.out, "nobody had a choice in the two steps before the parting"
    assert "south runner moves from start to meadow" in ran.out
    assert replayed(bicorne, made, new).code == 0
    assert "exists; choose another path" in replayed(bicorne, made, save, "--branch", new).err


def test_branch_carries_unchanged_game_to_new_rules(bicorne: Bicorne, made: Path) -> None:
    """After a change that a game never used, `resume` refuses; a branch carries the whole game to the new rules."""
    save, new = start(bicorne, made), made.parent / "new.save"
    rules = made / "rules.yaml"
    rules.write_text(
        rules.read_text().replace("repeat: 24 if long_race else 12", "repeat: 24 if long_race else 11 + 1")
    )
    assert bicorne("resume", save, "--path", made.parent).code == 1
    ran = replayed(bicorne, made, save, "--branch", new)
    assert (ran.code, "all as recorded under these rules" in ran.out) == (0, True), ran.out
    whole = bicorne("play", made, "--seed", 1, "--json", "--path", made.parent)
    carried = bicorne("resume", new, "--json", "--path", made.parent)
    last = [each.out.splitlines()[-1].partition('"save"')[0] for each in (whole, carried)]
    assert last[0] == last[1]


def test_changed_options_are_no_divergence(bicorne: Bicorne, made: Path) -> None:
    """A replay continues while each answer is still offered; decisions with other options are counted."""
    save = start(bicorne, made)
    free = made.parent / "free.yaml"
    free.write_text("overlay: {id: free, for: made}\npatches: [{at: actions/rest/when/twice, remove: true}]\n")
    ran = replayed(bicorne, made, save, "--with", free, "--json")
    assert (ran.code, ran.json["same"]) == (0, True)
    assert {each["address"] for each in ran.json["other_options"]} <= {"turn.turn_choice"}


def test_replay_leaves_out_an_overlay(bicorne: Bicorne, made: Path, tired: Path) -> None:
    """`--without` replays a game without one of its overlays, and refuses any other name."""
    save = start(bicorne, made, "--with", tired, seed=25)
    ran = replayed(bicorne, made, save, "--without", "tired")
    assert ran.code == 1, ran.out
    assert "set to 1, until the overlay 'tired' was removed" in ran.out
    ran = replayed(bicorne, made, save, "--without", "tried")
    assert (ran.code, "its overlays: tired" in ran.err) == (2, True)


def test_replay_summarizes_many_games(bicorne: Bicorne, made: Path, tired: Path) -> None:
    """It counts unchanged games, diverging games by cause, step and turn, and refused files, which stop no others."""
    games = made.parent / "games"
    games.mkdir()
    for seed in range(3, 9):
        start(bicorne, made, seed=seed).rename(games / f"{seed}.save")
    (games / "letter.txt").write_text("dear reader")
    (games / "cut.save").write_bytes((games / "4.save").read_bytes()[:3000])
    ran = replayed(bicorne, made, games, "--with", tired, "--json")
    data = ran.json
    assert ran.code == 1
    assert (data["games"], data["refused"]) == (8, 2)
    assert data["unchanged"] + data["diverged"] == 6
    assert data["causes"] == {"tables/stages_run/5..6": data["diverged"]}
    assert replayed(bicorne, made, games, "--with", tired, "--workers", 2, "--json").json == data
    out = replayed(bicorne, made, games, "--with", tired).out
    assert out.startswith(f"8 games replayed: {data['unchanged']} unchanged, {data['diverged']} diverge")
    assert "tables/stages_run/5..6" in out
    assert "it is not a Bicorne log" in out
    kept = [str(games / f"{seed}.save") for seed in range(3, 9) if data["files"][str(games / f"{seed}.save")]["same"]]
    ran = replayed(bicorne, made, *kept, "--with", tired)
    assert (ran.code, "0 diverge\n" in ran.out) == (0, True)


def test_corrupt_file_is_wrong_usage(bicorne: Bicorne, made: Path, tired: Path) -> None:
    """A single file that can't be read is wrong usage, and so is a missing overlay."""
    bad = made.parent / "bad.save"
    bad.write_text("nothing")
    assert replayed(bicorne, made, bad, "--with", tired).code == 2
    assert replayed(bicorne, made, start(bicorne, made), "--with", made.parent / "none.yaml").code == 2
    assert replayed(bicorne, made, bad, bad, "--branch", made.parent / "new.save").code == 2


def test_setting_follows_renamed_option(bicorne: Bicorne, made: Path) -> None:
    """A long race stays long under an overlay that renames its option, and without that overlay."""
    calm = "overlay: {id: calm, for: made}\npatches: [{at: tables/stages_run/*, set: [0, 0, 0, 0]}]\n"
    slow = made.parent / "slow.yaml"
    slow.write_text(calm)
    named = made.parent / "named.yaml"
    named.write_text("overlay: {id: named, for: made}\npatches: [{at: options/long_race, rename: endless}]\n")
    save = made.parent / "long.save"
    play = ("play", made, "--seed", 1, "--quiet", "--save", save, "--path", made.parent)
    assert bicorne(*play, "--option", "long_race=true", "--with", slow).code == 0
    ran = replayed(bicorne, made, save, "--with", named, "--json")
    assert (ran.code, ran.json["same"]) == (0, True), ran.out
    save.unlink()
    assert bicorne(*play, "--with", slow, "--with", named, "--option", "endless=true").code == 0
    ran = replayed(bicorne, made, save, "--without", "named", "--json")
    assert (ran.code, ran.json["same"]) == (0, True), ran.out


def test_stepping_under_other_rules_says_what_can_be_done(bicorne: Bicorne, made: Path) -> None:
    """A game is stepped through under its own rules alone; the refusal names the commands that help."""
    save = start(bicorne, made, seed=25)
    rules = made / "rules.yaml"
    rules.write_text(rules.read_text().replace("| 0   1    2    3", "| 0   1    1    3"))
    for arguments in (("--seat", "north"), ("--to", "end")):
        ran = replayed(bicorne, made, save, *arguments)
        assert ran.code == 2
        for part in ("a game of other rules", "Without --to and --seat", "--branch FILE"):
            assert part in ran.err
