"""Files and outputs that the system refuses, or that are truncated, are reported in words with exit code 2."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from processes import DEADLINE

Bicorne = Callable[..., Any]
LONG = "x" * 5_000


@pytest.mark.parametrize(
    "arguments",
    [
        f"check {LONG}",
        f"play {LONG}",
        f"replay {LONG}",
        f"explain {LONG}",
        f"odds craps settle --given {LONG}",
        f"diff craps --with {LONG}",
        f"new ruleset made --into {LONG}",
        f"play craps/standard --quiet --save {LONG}",
        f"simulate craps/standard --games 1 --workers 1 --out {LONG}.csv",
        f"list --path {LONG}",
    ],
)
def test_overlong_name_is_wrong_usage(bicorne: Bicorne, arguments: str) -> None:
    """A name that is too long for a file is reported like a missing file."""
    ran = bicorne(*arguments.split())
    assert ran.code == 2
    assert ran.err.startswith("error: ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("simulate craps/standard --games 2 --chart {folder}", "is a folder, not a file"),
        ("simulate craps/standard --games 2 --chart {file}/x.svg", "there is no folder"),
        ("simulate craps/standard --games 2 --chart {locked}/x.svg", "can't be written: "),
        ("simulate craps/standard --games 2 --out {locked}/x.jsonl", "can't be written: "),
        ("simulate craps/standard --games 2 --compare --with {overlay} --out {games}", "games.with.csv exists"),
        ("play craps/standard --log {locked}/x.log", "can't be written: "),
        ("replay {game} --with {overlay} --branch {folder}/none/x.save", "there is no folder"),
        ("replay {game} --to end --branch {folder}/none/x.save", "there is no folder"),
        ("diff craps --with {overlay} --write {file}/x", "is not a folder"),
        ("odds {game} --chart x.svg", "concern the odds of a procedure"),
        ("odds {game} --compare", "concern the odds of a procedure"),
    ],
)
def test_unwritable_output_is_refused_at_the_start(
    bicorne: Bicorne, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, said: str
) -> None:
    """A file that can't be written is refused before anything is played, compared or printed."""
    pytest.importorskip("matplotlib")
    pytest.importorskip("pyarrow")
    names = {"folder": "folder.svg", "locked": "locked", "file": "file", "games": "games.csv"}
    paths = {name: tmp_path / each for name, each in names.items()} | {"game": tmp_path / "game.save"}
    paths["overlay"] = tmp_path / "mended.yaml"
    paths["overlay"].write_text("overlay: {id: mended, for: craps}\npatches: [{at: ruleset/title, set: Mended}]\n")
    for each in ("folder", "locked"):
        paths[each].mkdir()
    paths["file"].write_text("")
    (tmp_path / "games.with.csv").write_text("")
    assert bicorne("play", "craps/standard", "--quiet", "--turns", "1", "--save", paths["game"]).code == 0
    create = os.open

    def refused(path: Any, flags: int, *rest: Any, **more: Any) -> int:
        if Path(path).parent == paths["locked"]:
            raise PermissionError(13, "Permission denied", str(path))
        return create(path, flags, *rest, **more)

    monkeypatch.setattr(os, "open", refused)
    before = sorted(tmp_path.rglob("*"))
    ran = bicorne(*arguments.format_map(paths).split())
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(os.name != "posix" or not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_full_disk_is_reported(form: list[str]) -> None:
    """Standard output on a full disk exits with 2 and a message."""
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "interpreter", "list", *form],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=DEADLINE,
        )
    assert ended.returncode == 2
    assert ended.stderr.decode().strip() == "error: the output can't be written: No space left on device"


def test_unreadable_folder_is_reported(bicorne: Bicorne, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that the system refuses during a search is named in the error."""

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path / "locked"))

    monkeypatch.setattr(Path, "is_dir", refused)
    ran = bicorne("check", tmp_path)
    assert ran.code == 2
    assert f"error: {tmp_path / 'locked'} can't be read or written: Permission denied" in ran.err


@pytest.mark.parametrize("command", ["play", "simulate"])
def test_seed_of_invalid_bytes_is_refused(bicorne: Bicorne, command: str) -> None:
    """A seed that is not valid text is wrong usage."""
    ran = bicorne(command, "craps/standard", "--seed", "a\udcff")
    assert (ran.code, "--seed: expected a number or a text" in ran.err) == (2, True)


def test_too_large_count_is_refused(bicorne: Bicorne) -> None:
    """The error gives the limit, for a number of any length."""
    for count in ("9" * 20, "9" * 20_000):
        ran = bicorne("play", "craps/standard", "--turns", count)
        assert (ran.code, "from 1 on up to 1,000,000,000, not" in ran.err) == (2, True)


def test_wrong_arguments_are_printed_as_json(bicorne: Bicorne) -> None:
    """Arguments that the parser refuses give one JSON document, and the usage on standard error."""
    ran = bicorne("play", "craps/standard", "--turns", "many", "--json")
    assert (ran.code, ran.json["ok"]) == (2, False)
    assert "'many'" in ran.json["error"]
    assert "usage: bicorne play" in ran.err


@pytest.mark.parametrize(
    ("content", "log", "save"),
    [
        (b"", "is empty, not a Bicorne log", "is empty, not a Bicorne save"),
        (b'{"bicorne_log":2,"chain":"d1', "is a truncated log", "is a log, not a save: 'bicorne replay"),
        (b"SQLite for", "is not a Bicorne log", "is a truncated save"),
    ],
)
def test_truncated_file_names_its_type(bicorne: Bicorne, tmp_path: Path, content: bytes, log: str, save: str) -> None:
    """A file that ends within its first bytes is distinguished from a file of another type."""
    file = tmp_path / "game"
    file.write_bytes(content)
    for command, said in (("replay", log), ("resume", save)):
        ran = bicorne(command, file)
        assert (ran.code, said in ran.err) == (2, True)


def test_summary_names_the_truncated_line(bicorne: Bicorne, tmp_path: Path) -> None:
    """The summary of many games names the line at which a log is truncated."""
    whole = tmp_path / "a.log"
    assert bicorne("play", "craps/standard", "--seed", "1", "--quiet", "--log", whole).code == 0
    lines = whole.read_text().splitlines(keepends=True)
    (tmp_path / "b.log").write_text("".join(lines[:3]))
    ran = bicorne("replay", tmp_path)
    assert (ran.code, "\nline 4 is missing: the log is truncated" in ran.out) == (1, True)


def test_excerpt_has_no_control_characters(bicorne: Bicorne, tmp_path: Path) -> None:
    """A finding in a binary file shows its line without terminal control characters."""
    file = tmp_path / "given.yaml"
    file.write_bytes(b"a: \x1b[31m\x07 \xc2\x9b \xe3\x80\x80\xff\n")
    ran = bicorne("odds", "craps", "settle", "--given", file)
    assert ran.code == 1
    assert not set("\x1b\x07\x9b") & set(ran.err)
    assert "\N{IDEOGRAPHIC SPACE}" in ran.err
