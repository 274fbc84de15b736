"""Tests of replay under other rules: its invariants, and its safety with manipulated files."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.main import main
from interpreter.cli.open import open_recorded
from interpreter.language.diagnostics import BicorneError, UsageError
from interpreter.play.engine.source import source_of
from interpreter.play.records.logfile import log_text, read_log
from interpreter.play.records.recording import Header, RecordedGame, Recording, resume
from interpreter.play.records.rules_fingerprint import OverlayCopy
from interpreter.play.records.save import Save
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.loading.ruleset import Scenario
from interpreter.workshop.impact.replay_under import ImpactReplayer, branch

ROWS = ["0 1 2 3", "0 1 1 3", "0 2 2 3", "1 1 2 3", "0 1 2 4"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Writes the starter ruleset into a folder."""
    made = tmp_path_factory.mktemp("rules")
    assert main(["new", "ruleset", "made", "--into", str(made)]) == 0
    return made


def overlay(row: str, **head: object) -> OverlayFile:
    """Returns an overlay that sets the cells of the table of the starter ruleset."""
    patches = [
        f"  - {{at: tables/stages_run/{heading}, set: {cell}}}"
        for heading, cell in zip(("..1", "2..4", "5..6", "7.."), row.split(), strict=True)
    ]
    more = "".join([f", {key}: {value}" for key, value in head.items()])
    text = "\n".join([f"overlay: {{id: cells, for: made{more}}}", "patches:", *patches, ""])
    return OverlayFile(Path("cells.yaml"), text.encode())


def replayer(folder: Path, *overlays: OverlayFile) -> ImpactReplayer:
    """Returns a replayer for games of the starter ruleset."""

    def opener(header: Header, overlays: Sequence[OverlayFile], allow_missing: bool) -> Scenario:
        return open_recorded(header, [str(folder)], overlays, loose=allow_missing)

    return ImpactReplayer(opener, overlays)


def played(folder: Path, seed: int, *overlays: OverlayFile) -> Recording:
    """Plays a random game of the starter ruleset."""
    header = Header("made", "0.1.0", "", "made/standard", {}, seed)
    game = RecordedGame(source_of(open_recorded(header, [str(folder)], overlays)), seed)
    choices = random.Random(seed)
    while game.decision is not None:
        game.choose_index(choices.randrange(len(game.decision.options)))
    return game.recording


# ---------------------------------------------------------------- invariants
@pytest.mark.parametrize("seed", range(6))
def test_game_never_diverges_from_itself(folder: Path, seed: int) -> None:
    """Under its own rules, and under rules with the same content, a game stays the same to its end."""
    recording = played(folder, seed)
    for overlays in ([], [overlay(ROWS[0])], [overlay(ROWS[0], title="Nothing new")]):
        found = replayer(folder, *overlays).replay(recording)
        assert (found.divergence, found.changed_options, found.compared) == (None, (), True)
        assert (found.steps, found.inputs) == (len(recording.steps), len(recording.inputs))
        assert found.game is not None
        assert found.game.result == resume(recording, open_recorded(recording.header, [str(folder)])).result


@pytest.mark.parametrize("row", ROWS[1:])
def test_divergence_is_the_first_different_state(folder: Path, row: str) -> None:
    """A game diverges in the step in which the other rules, given the same inputs, first reach another state."""
    reader = replayer(folder, overlay(row))
    for seed in range(8):
        recording = played(folder, seed)
        found = reader.replay(recording)
        other = source_of(open_recorded(recording.header, [str(folder)], [overlay(row)]))
        again = RecordedGame(other, recording.header.seed, inputs=recording.inputs)
        pairs = enumerate(zip(recording.steps, again.finished, strict=False), 1)
        step = next((number for number, (then, now) in pairs if then != now), None)
        assert step == (None if found.divergence is None else found.divergence.step)
        if found.divergence is None:
            continue
        cell = found.cause.label if found.cause is not None else ""
        index = ["..1", "2..4", "5..6", "7.."].index(cell.rpartition("/")[2])
        assert row.split()[index] != ROWS[0].split()[index], "the cause is a changed cell"


@pytest.mark.parametrize("row", ROWS[1:])
def test_divergence_is_symmetric(folder: Path, row: str) -> None:
    """A game of the changed rules, replayed under the original rules, diverges at the same point by the same cell."""
    forward, backward = replayer(folder, overlay(row)), replayer(folder, overlay(ROWS[0]))
    for seed in range(6):
        one = forward.replay(played(folder, seed))
        two = backward.replay(played(folder, seed, overlay(row)))
        assert (one.divergence is None) == (two.divergence is None)
        if (
            one.divergence is not None
            and two.divergence is not None
            and one.cause is not None
            and two.cause is not None
        ):
            assert (one.steps, one.inputs) == (two.steps, two.inputs)
            assert one.cause.label == two.cause.label


@pytest.mark.parametrize("seed", range(4))
def test_branch_continues_with_the_recorded_dice(folder: Path, tmp_path: Path, seed: int) -> None:
    """A branch under the same rules, given the same answers, repeats the whole game."""
    recording = played(folder, seed)
    found = replayer(folder, overlay(ROWS[3])).replay(recording)
    assert found.game is not None
    branch(found.game, recording, tmp_path / "new.save")
    with Save.open(tmp_path / "new.save") as save:
        kept = save.recording
    assert [each.content for each in kept.header.overlays] == [overlay(ROWS[3]).content]
    assert kept.inputs == recording.inputs[: len(kept.inputs)]
    assert [each.path for each in kept.steps] == [each.path for each in recording.steps[: len(kept.steps)]]
    if found.divergence is not None:
        assert len(kept.steps) <= found.steps
        own = source_of(open_recorded(recording.header, [str(folder)]))
        again = resume(replace(kept, header=recording.header, state="", steps=()), own, force=True)
        choices = random.Random(seed)
        for number, record in enumerate(recording.inputs):
            if record[0] == "a":
                picked = choices.randrange(2)
                if number >= len(kept.inputs):
                    again.choose_index(picked)
        assert again.recording.inputs == recording.inputs


def changed(folder: Path, to: Path, old: str, new: str) -> Path:
    """Copies the starter ruleset with a change by hand."""
    copy = to / "made"
    for each in sorted((folder / "made").rglob("*.yaml")):
        target = copy / each.relative_to(folder / "made")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(each.read_text("utf-8").replace(old, new), "utf-8")
    return to


def test_recorded_tables_replace_missing_rules(folder: Path, tmp_path: Path) -> None:
    """If the ruleset itself has changed, the record still shows where the game diverges, and by which cell."""
    reader = replayer(changed(folder, tmp_path, "| 0   1    2    3", "| 0   1    1    3"))
    diverged = [found for seed in range(4) if (found := reader.replay(played(folder, seed))).divergence is not None]
    assert diverged
    for found in diverged:
        assert not found.compared
        assert found.cause is not None
        assert [str(change).partition(" (")[0] for change in found.cause.changes] == [
            "tables/stages_run/5..6: 2 became 1"
        ]


def test_current_rules_replace_missing_rules(folder: Path, tmp_path: Path) -> None:
    """If the changes of the ruleset do not affect a game, an overlay has the same effect as on the recorded rules."""
    mended = changed(folder, tmp_path, "else 12", "else 11 + 1")
    one, two = replayer(folder, overlay(ROWS[3])), replayer(mended, overlay(ROWS[3]))
    for seed in range(4):
        was, now = (each.replay(played(folder, seed)) for each in (one, two))
        assert (now.compared, now.without_changes) == (True, None)
        assert (was.steps, was.inputs, was.divergence is None) == (now.steps, now.inputs, now.divergence is None)
        assert (was.cause and was.cause.label) == (now.cause and now.cause.label)


def test_divergence_without_the_overlay_is_reported(folder: Path, tmp_path: Path) -> None:
    """If a game diverges because the ruleset itself has changed, an overlay is not the cause."""
    mended = changed(folder, tmp_path, "| 0   1    2    3", "| 0   1    1    3")
    reader = replayer(mended, overlay("0 1 1 4"))
    found = [reader.replay(played(folder, seed)) for seed in range(8)]
    own = [each for each in found if each.without_changes is not None and not each.compared]
    assert own
    for each in own:
        assert each.cause is not None
        assert each.cause.changes


def test_log_of_the_first_format_needs_its_own_rules(folder: Path) -> None:
    """A log without addresses takes them from its own rules; if these have changed it is refused."""
    recording = played(folder, 1)
    old = replace(recording, header=replace(recording.header, rules=None))
    assert replayer(folder, overlay(ROWS[0])).replay(old).divergence is None
    lost = replace(old, header=replace(old.header, ruleset_hash="0"))
    with pytest.raises(UsageError, match="recorded by an older version"):
        replayer(folder).replay(lost)


# ---------------------------------------------------------------- manipulated files
ODD_VALUES: list[Any] = [
    None,
    True,
    -1,
    10**12,
    "",
    "run",
    ["x"],
    [":list", ["stage", "hill"]],
    [":map", 3],
    [":record", "q"],
    {"x": [1]},
]


SEEDS: list[int | str] = [0, "x", True]


def tampered(recording: Recording, choices: random.Random) -> Recording:
    """Returns a recording with a random change, in a form that can still be written."""
    inputs: list[Any] = list(recording.inputs)
    steps = list(recording.steps)
    at, step = choices.randrange(len(inputs)), choices.randrange(len(steps))
    header, rules = recording.header, recording.header.rules
    assert rules is not None
    match choices.randrange(12):
        case 0:
            inputs[at] = (inputs[at][0], *choices.choices(ODD_VALUES, k=choices.randrange(4)))
        case 1:
            inputs[at] = (*inputs[at][:2], choices.choice(ODD_VALUES), *inputs[at][3:])
        case 2:
            inputs[at] = (choices.choice("drvasx"), *inputs[at][1:])
        case 3:
            inputs.insert(at, choices.choice(inputs))
        case 4:
            del inputs[at]
        case 5:
            inputs[at] = (inputs[at][0], choices.randrange(40), *inputs[at][2:])
        case 6:
            steps[step] = steps[step]._replace(path=choices.choice(["", "race", "nowhere"]), state="0")
        case 7:
            header = replace(header, options={choices.choice(["long_race", "other"]): choices.choice(ODD_VALUES)})
        case 8:
            text = choices.choice(
                ["", "overlay: {id: x, for: made}\npatches: [{at: tables/none, remove: true}]\n", "{"]
            )
            header = replace(header, rules=replace(rules, overlays=(OverlayCopy("x", "x.yaml", text),)))
        case 9:
            header = replace(header, ruleset_hash="", rules=replace(rules, sites={1: "", 2: "turn.turn_choice"}))
        case 10:
            tables: dict[str, Any] = {
                "stages_run": {"axes": [["roll", ["a"]]], "cells": {"0": "x", "7": "y"}},
                "none": {"axes": [], "cells": {}},
            }
            header = replace(header, ruleset_hash="1", rules=replace(rules, tables=tables, entries={"tables": "1"}))
        case 11:
            header = replace(header, seed=SEEDS[choices.randrange(3)], algorithm="none", engine="0")
    if choices.randrange(2):  # its own rules are not available
        rules = header.rules or rules
        header = replace(header, ruleset_hash="", engine="0", rules=replace(rules, entries={"tables/none": "1"}))
    result: Any = recording.result
    if not choices.randrange(10):
        result = choices.choice([{"winners": [1], "reason": None}, [], "won"])
    return replace(recording, header=header, inputs=tuple(inputs), steps=tuple(steps), result=result)


@pytest.mark.parametrize("seed", range(6))
def test_manipulated_log_is_replayed_or_refused(folder: Path, tmp_path: Path, seed: int) -> None:
    """Whatever a log with correct digests contains, it is replayed up to its divergence, or refused with a reason."""
    choices, recording, path = random.Random(seed), played(folder, seed), tmp_path / "forged.log"
    readers = [replayer(folder), replayer(folder, overlay(ROWS[1]))]
    refused = 0
    for number in range(25):
        made = tampered(recording, choices)
        text = log_text(made)
        path.write_text(text, "utf-8")
        try:
            found = readers[number % 2].replay(read_log(path))
        except BicorneError:
            refused += 1
        else:
            assert json.loads(json.dumps(found.as_json()))["steps"] <= len(made.steps) + 1
    assert 2 < refused < 25
