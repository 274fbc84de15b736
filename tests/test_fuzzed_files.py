"""Files that are damaged at random cause no defect, and nothing outside of their folder is touched.

`python tests/support/fuzzed_records.py 100000` and `fuzzed_rulesets.py 100000` try that many by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fuzzed_records import Fuzzer, damaged, log_bytes, save_bytes, sound_records
from fuzzed_records import main as fuzz_records
from fuzzed_rulesets import RulesetFuzzer, as_tree, as_yaml, guide_game, large_game, misplaced, skirmish_game
from fuzzed_rulesets import main as fuzz_rulesets
from fuzzing import RULESETS_PATH, Ran, run, watch_for
from swapped_records import SwapFuzzer, swapped

from interpreter.play.records.logfile import parse_log
from interpreter.play.records.save_reader import read_save

RECORDS = 100
SWAPPED = 70
RULESETS = 45


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rulesets of the tests, and a cache that nobody else has."""
    monkeypatch.setenv("BICORNE_PATH", RULESETS_PATH)
    monkeypatch.setenv("BICORNE_CACHE", str(folder_in(tmp_path, "cache")))


def folder_in(parent: Path, name: str) -> Path:
    """A folder, which is made if it does not exist."""
    found = parent / name
    found.mkdir(exist_ok=True)
    return found


def test_records_are_sound_before_they_are_damaged(tmp_path: Path) -> None:
    """The fuzzer's own writers make files that are read, with the digests of Bicorne's."""
    for number, sound in enumerate(sound_records()):
        path = tmp_path / f"{number}.save"
        path.write_bytes(save_bytes(sound.contents))
        saved = read_save(path).recording
        assert saved.snapshots
        assert saved.inputs == parse_log(path, log_bytes(sound.contents)).inputs


def test_damaged_records_cause_no_defect(tmp_path: Path) -> None:
    """Saves and logs with right digests and odd contents, or with flipped bits, end in a result or a message."""
    fuzzer = Fuzzer(folder_in(tmp_path, "files"), folder_in(tmp_path, "cache"))
    for number in range(RECORDS):
        fuzzer.try_number(number)
    assert fuzzer.findings.lines() == []
    assert {each.split()[1] for each in fuzzer.findings.codes} == {"0", "1", "2"}, "not all endings were met"


def test_messages_name_the_record_that_is_wrong(tmp_path: Path) -> None:
    """Records with parts of other games play, or end in a message that names their file; none is changed or lost."""
    fuzzer = SwapFuzzer(folder_in(tmp_path, "files"), folder_in(tmp_path, "cache"), sound_records())
    for number in range(SWAPPED):
        fuzzer.try_number(number)
    assert fuzzer.findings.lines() == []
    assert {each.split()[1] for each in fuzzer.findings.codes} == {"0", "1", "2"}, "not all endings were met"


def test_a_number_makes_the_same_file_again() -> None:
    """What is found can be repeated from its number."""
    records = sound_records()
    for make in (damaged, swapped):
        assert [make(number, records) for number in range(20)] == [make(number, records) for number in range(20)]


def test_watch_notices_what_is_touched(tmp_path: Path) -> None:
    """Files that a command opens or writes outside of its folders are problems."""
    inside, outside = folder_in(tmp_path, "inside"), folder_in(tmp_path, "outside")
    (outside / "x.log").write_text("{}", encoding="utf-8")
    watch = watch_for(inside, folder_in(tmp_path, "cache"))
    assert run(["replay", str(outside / "x.log")], watch).problems == [f"outside: open {outside / 'x.log'}"]
    written = outside / "new.log"
    found = run(["play", "craps/standard", "--quiet", "--turns", "1", "--log", str(written)], watch).problems
    assert any(each.startswith("outside: os.link ") for each in found), found
    assert (
        run(["play", "craps/standard", "--quiet", "--turns", "1", "--log", str(inside / "new.log")], watch).problems
        == []
    )


def test_damaged_rulesets_cause_no_defect(tmp_path: Path) -> None:
    """Rulesets, scenarios, overlays and situations that are changed at random get findings with places, or play."""
    fuzzer = RulesetFuzzer(folder_in(tmp_path, "files"), folder_in(tmp_path, "cache"))
    for number in range(RULESETS):
        fuzzer.try_number(number)
    assert fuzzer.findings.lines() == []
    assert {"check 0", "check 1", "play 0", "odds 0", "odds 1"} <= set(fuzzer.findings.codes), (
        "not all endings were met"
    )


def test_rulesets_are_sound_before_they_are_damaged(tmp_path: Path) -> None:
    """The fuzzer begins with documents that are sound, also after it has written them as trees."""
    for files, name in ((guide_game(), "ford"), (skirmish_game(), "skirmish"), (large_game(), "fin_napoleon")):
        folder = folder_in(tmp_path, name)
        for path, text in files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(as_yaml(as_tree(text)), encoding="utf-8")
        ran = run(["check", str(folder)], watch_for(folder, folder_in(tmp_path, "cache")))
        assert (ran.code, ran.problems) == (0, []), ran


@pytest.mark.parametrize(
    ("findings", "said"),
    [
        ([{"file": "a.yaml", "line": 2, "column": 3, "code": "x"}], []),
        ([{"file": "a.yaml", "line": 4, "column": 1, "code": "x"}], ["'x' at no place: 4:1 of 2 lines"]),
        ([{"file": "a.yaml", "line": 1, "column": 9, "code": "x"}], ["'x' at no place: 1:9 of 2 lines"]),
        ([{"file": "b.yaml", "line": 1, "column": 1, "code": "x"}], ["'x' in no document: {}/b.yaml"]),
    ],
)
def test_findings_without_a_place_are_noticed(findings: list[Any], said: list[str], tmp_path: Path) -> None:
    """A finding must be at a line and column of a document that exists."""
    (tmp_path / "a.yaml").write_text("first\nno\n", encoding="utf-8")
    diagnostics = [each | {"file": str(tmp_path / each["file"])} for each in findings]
    ran = Ran(1, json.dumps({"diagnostics": diagnostics}), "", [])
    assert misplaced(ran, tmp_path) == [each.format(tmp_path) for each in said]


@pytest.mark.parametrize(("fuzz", "what"), [(fuzz_records, "files"), (fuzz_rulesets, "rulesets")])
def test_fuzzing_by_hand_prints_what_was_found(
    fuzz: Callable[[int, int], None],
    what: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The programs print how many commands ended how; a single number leaves its files, to be looked at."""
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    fuzz(2, 5)
    assert capsys.readouterr().out.startswith(f"2 {what}: {{")
    assert set(tmp_path.iterdir()) == before
    fuzz(1, 5)
    assert capsys.readouterr().out.startswith(f"1 {what}: {{")
    assert set(tmp_path.iterdir()) > before
