"""Games read again under other rules: what must always hold, and files that were made up."""

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
from interpreter.play.records.rules_fingerprint import KeptOverlay
from interpreter.play.records.save import Save
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.loading.ruleset import Scenario
from interpreter.workshop.impact.replay_under import ImpactReplayer, branch

ROWS = ["0 1 2 3", "0 1 1 3", "0 2 2 3", "1 1 2 3", "0 1 2 4"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the starter ruleset."""
    made = tmp_path_factory.mktemp("rules")
    assert main(["new", "ruleset", "made", "--into", str(made)]) == 0
    return made


def overlay(row: str, **head: object) -> OverlayFile:
    """An overlay that gives the table of the starter ruleset these cells."""
    patches = [
        f"  - {{at: tables/stages_run/{heading}, set: {cell}}}"
        for heading, cell in zip(("..1", "2..4", "5..6", "7.."), row.split(), strict=True)
    ]
    more = "".join([f", {key}: {value}" for key, value in head.items()])
    text = "\n".join([f"overlay: {{id: cells, for: made{more}}}", "patches:", *patches, ""])
    return OverlayFile(Path("cells.yaml"), text.encode())


def rereader(folder: Path, *laid: OverlayFile) -> ImpactReplayer:
    """What reads games of the starter ruleset again."""

    def opener(header: Header, overlays: Sequence[OverlayFile], loose: bool) -> Scenario:
        return open_recorded(header, [str(folder)], overlays, loose=loose)

    return ImpactReplayer(opener, laid)


def played(folder: Path, seed: int, *laid: OverlayFile) -> Recording:
    """A random game of the starter ruleset."""
    header = Header("made", "0.1.0", "", "made/standard", {}, seed)
    game = RecordedGame(source_of(open_recorded(header, [str(folder)], laid)), seed)
    choices = random.Random(seed)
    while game.decision is not None:
        game.choose_index(choices.randrange(len(game.decision.options)))
    return game.recording


# ---------------------------------------------------------------- what must hold
@pytest.mark.parametrize("seed", range(6))
def test_a_game_never_parts_from_itself(folder: Path, seed: int) -> None:
    """Under its own rules, and under other rules that say the same, a game stays the same to its end."""
    recording = played(folder, seed)
    for laid in ([], [overlay(ROWS[0])], [overlay(ROWS[0], title="Nothing new")]):
        found = rereader(folder, *laid).reread(recording)
        assert (found.parting, found.offers, found.compared) == (None, (), True)
        assert (found.steps, found.inputs) == (len(recording.steps), len(recording.inputs))
        assert found.game is not None
        assert found.game.result == resume(recording, open_recorded(recording.header, [str(folder)])).result


@pytest.mark.parametrize("row", ROWS[1:])
def test_a_parting_is_the_first_difference(folder: Path, row: str) -> None:
    """A game parts in the step in which the other rules, fed the same inputs, first come to another state."""
    reader = rereader(folder, overlay(row))
    for seed in range(8):
        recording = played(folder, seed)
        found = reader.reread(recording)
        other = source_of(open_recorded(recording.header, [str(folder)], [overlay(row)]))
        again = RecordedGame(other, recording.header.seed, inputs=recording.inputs)
        pairs = enumerate(zip(recording.steps, again.finished, strict=False), 1)
        step = next((number for number, (then, now) in pairs if then != now), None)
        assert step == (None if found.parting is None else found.parting.step)
        if found.parting is None:
            continue
        cell = found.cause.label if found.cause is not None else ""
        index = ["..1", "2..4", "5..6", "7.."].index(cell.rpartition("/")[2])
        assert row.split()[index] != ROWS[0].split()[index], "the cell that is blamed is one that has changed"


@pytest.mark.parametrize("row", ROWS[1:])
def test_both_ways_part_at_the_same_point(folder: Path, row: str) -> None:
    """A game of the changed rules, read again under the first ones, parts by the same cell."""
    there, back = rereader(folder, overlay(row)), rereader(folder, overlay(ROWS[0]))
    for seed in range(6):
        one = there.reread(played(folder, seed))
        two = back.reread(played(folder, seed, overlay(row)))
        assert (one.parting is None) == (two.parting is None)
        if one.parting is not None and two.parting is not None and one.cause is not None and two.cause is not None:
            assert (one.steps, one.inputs) == (two.steps, two.inputs)
            assert one.cause.label == two.cause.label


@pytest.mark.parametrize("seed", range(4))
def test_a_branch_has_the_dice_that_were_to_come(folder: Path, tmp_path: Path, seed: int) -> None:
    """A branch under the same rules, given the same answers, is the whole game again."""
    recording = played(folder, seed)
    found = rereader(folder, overlay(ROWS[3])).reread(recording)
    assert found.game is not None
    with branch(found.game, recording, tmp_path / "new.save") as save:
        kept = save.recording
    assert Save.open(tmp_path / "new.save").header.overlays == (overlay(ROWS[3]),)
    assert kept.inputs == recording.inputs[: len(kept.inputs)]
    assert [each.path for each in kept.steps] == [each.path for each in recording.steps[: len(kept.steps)]]
    if found.parting is not None:
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
    """A copy of the starter ruleset, changed by hand."""
    copy = to / "made"
    for each in sorted((folder / "made").rglob("*.yaml")):
        target = copy / each.relative_to(folder / "made")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(each.read_text("utf-8").replace(old, new), "utf-8")
    return to


def test_rules_that_have_gone_are_done_without(folder: Path, tmp_path: Path) -> None:
    """Where the ruleset itself has changed, what the record keeps is enough to say where it parts and by which cell."""
    reader = rereader(changed(folder, tmp_path, "| 0   1    2    3", "| 0   1    1    3"))
    partings = [found for seed in range(8) if (found := reader.reread(played(folder, seed))).parting is not None]
    assert partings
    for found in partings:
        assert not found.compared
        assert found.cause is not None
        assert [str(change).partition(" (")[0] for change in found.cause.changes] == [
            "tables/stages_run/5..6: 2 became 1"
        ]


def test_present_rules_stand_for_those_that_have_gone(folder: Path, tmp_path: Path) -> None:
    """Where the ruleset has changed in nothing that a game met, an overlay is told as on the rules of the record."""
    mended = changed(folder, tmp_path, "else 12", "else 11 + 1")
    one, two = rereader(folder, overlay(ROWS[3])), rereader(mended, overlay(ROWS[3]))
    for seed in range(4):
        was, now = (each.reread(played(folder, seed)) for each in (one, two))
        assert (now.compared, now.plain) == (True, None)
        assert (was.steps, was.inputs, was.parting is None) == (now.steps, now.inputs, now.parting is None)
        assert (was.cause and was.cause.label) == (now.cause and now.cause.label)


def test_what_parts_without_the_overlay_is_said(folder: Path, tmp_path: Path) -> None:
    """Where the ruleset has changed so that a game parts by itself, an overlay is not blamed for it."""
    mended = changed(folder, tmp_path, "| 0   1    2    3", "| 0   1    1    3")
    reader = rereader(mended, overlay("0 1 1 4"))
    found = [reader.reread(played(folder, seed)) for seed in range(8)]
    own = [each for each in found if each.plain is not None and not each.compared]
    assert own
    for each in own:
        assert each.cause is not None
        assert each.cause.changes


def test_a_log_of_the_first_format_is_read_again_by_its_own_rules(folder: Path) -> None:
    """What keeps no addresses takes them from its own rules; where these have changed it is refused."""
    recording = played(folder, 1)
    old = replace(recording, header=replace(recording.header, rules=None))
    assert rereader(folder, overlay(ROWS[0])).reread(old).parting is None
    lost = replace(old, header=replace(old.header, ruleset_hash="0"))
    with pytest.raises(UsageError, match="kept by an older version"):
        rereader(folder).reread(lost)


# ---------------------------------------------------------------- files that were made up
WHATEVER: list[Any] = [
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


def forged(recording: Recording, choices: random.Random) -> Recording:
    """A recording that was changed somewhere, in a form that can still be written."""
    inputs: list[Any] = list(recording.inputs)
    steps = list(recording.steps)
    at, step = choices.randrange(len(inputs)), choices.randrange(len(steps))
    header, rules = recording.header, recording.header.rules
    assert rules is not None
    match choices.randrange(12):
        case 0:
            inputs[at] = (inputs[at][0], *choices.choices(WHATEVER, k=choices.randrange(4)))
        case 1:
            inputs[at] = (*inputs[at][:2], choices.choice(WHATEVER), *inputs[at][3:])
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
            header = replace(header, options={choices.choice(["long_race", "other"]): choices.choice(WHATEVER)})
        case 8:
            text = choices.choice(
                ["", "overlay: {id: x, for: made}\npatches: [{at: tables/none, remove: true}]\n", "{"]
            )
            header = replace(header, rules=replace(rules, overlays=(KeptOverlay("x", "x.yaml", text),)))
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
    if choices.randrange(2):  # its own rules are not here
        rules = header.rules or rules
        header = replace(header, ruleset_hash="", engine="0", rules=replace(rules, entries={"tables/none": "1"}))
    result: Any = recording.result
    if not choices.randrange(10):
        result = choices.choice([{"winners": [1], "reason": None}, [], "won"])
    return replace(recording, header=header, inputs=tuple(inputs), steps=tuple(steps), result=result)


@pytest.mark.parametrize("seed", range(6))
def test_what_was_made_up_is_refused_or_parts(folder: Path, tmp_path: Path, seed: int) -> None:
    """Whatever a log with right digests says, it is read again as far as it goes, or refused with a reason."""
    choices, recording, path = random.Random(seed), played(folder, seed), tmp_path / "forged.log"
    readers = [rereader(folder), rereader(folder, overlay(ROWS[1]))]
    refused = 0
    for number in range(25):
        made = forged(recording, choices)
        text = log_text(made)
        path.write_text(text, "utf-8")
        try:
            found = readers[number % 2].reread(read_log(path))
        except BicorneError:
            refused += 1
        else:
            assert json.loads(json.dumps(found.as_json()))["steps"] <= len(made.steps) + 1
    assert 2 < refused < 25
