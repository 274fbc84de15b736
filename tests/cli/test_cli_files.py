"""Files and outputs that the machine refuses, or that are cut short, are told in words with exit code 2."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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
def test_a_name_that_no_file_can_have(bicorne: Bicorne, arguments: str) -> None:
    """A name that the machine can't look for is told like one that isn't there."""
    told = bicorne(*arguments.split())
    assert told.code == 2
    assert told.err.startswith("error: ")


@pytest.mark.skipif(os.name != "posix" or not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_an_output_that_takes_nothing_more(form: list[str]) -> None:
    """Standard output on a full disk ends the command with a word about it."""
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "interpreter", "list", *form], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert ended.returncode == 2
    assert ended.stderr.decode().strip() == "error: the output can't be written: No space left on device"


def test_a_folder_that_cannot_be_read(bicorne: Bicorne, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the machine refuses while a command looks around is told with the file."""

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path / "locked"))

    monkeypatch.setattr(Path, "is_dir", refused)
    told = bicorne("check", tmp_path)
    assert told.code == 2
    assert f"error: {tmp_path / 'locked'} can't be read or written: Permission denied" in told.err


@pytest.mark.parametrize("command", ["play", "simulate"])
def test_a_seed_of_bytes_that_are_no_text(bicorne: Bicorne, command: str) -> None:
    """A seed that can't be written down is refused."""
    told = bicorne(command, "craps/standard", "--seed", "a\udcff")
    assert (told.code, "--seed: a number or a text is needed" in told.err) == (2, True)


def test_a_count_that_is_too_large(bicorne: Bicorne) -> None:
    """How far counts go is told where one is beyond it, however long it is written."""
    for count in ("9" * 20, "9" * 20_000):
        told = bicorne("play", "craps/standard", "--turns", count)
        assert (told.code, "from 1 on, up to 1,000,000,000, is needed" in told.err) == (2, True)


def test_wrong_arguments_are_json_too(bicorne: Bicorne) -> None:
    """What the parser refuses is one JSON document as well, with its usage on standard error."""
    told = bicorne("play", "craps/standard", "--turns", "many", "--json")
    assert (told.code, told.json["ok"]) == (2, False)
    assert "'many'" in told.json["error"]
    assert "usage: bicorne play" in told.err


@pytest.mark.parametrize(
    ("content", "log", "save"),
    [
        (b"", "is empty, not a Bicorne log", "is empty, not a Bicorne save"),
        (b'{"bicorne_log":2,"chain":"d1', "is a truncated log", "is a log, not a save: 'bicorne replay"),
        (b"SQLite for", "is not a Bicorne log", "is a truncated save"),
    ],
)
def test_the_beginning_of_a_file(bicorne: Bicorne, tmp_path: Path, content: bytes, log: str, save: str) -> None:
    """A file that ends within its beginning is told from one of another sort."""
    file = tmp_path / "game"
    file.write_bytes(content)
    for command, said in (("replay", log), ("resume", save)):
        told = bicorne(command, file)
        assert (told.code, said in told.err) == (2, True)


def test_a_reason_without_its_file(bicorne: Bicorne, tmp_path: Path) -> None:
    """The report of many games names the line of a log that is cut short, in words."""
    whole = tmp_path / "a.log"
    assert bicorne("play", "craps/standard", "--seed", "1", "--quiet", "--log", whole).code == 0
    lines = whole.read_text().splitlines(keepends=True)
    (tmp_path / "b.log").write_text("".join(lines[:3]))
    told = bicorne("replay", tmp_path)
    assert (told.code, "\nline 4 should follow, but the log is truncated there" in told.out) == (1, True)


def test_control_characters_of_a_file_are_not_printed(bicorne: Bicorne, tmp_path: Path) -> None:
    """A finding in a binary file shows its line without what would command a terminal."""
    file = tmp_path / "given.yaml"
    file.write_bytes(b"a: \x1b[31m\x07 \xc2\x9b \xe3\x80\x80\xff\n")
    told = bicorne("odds", "craps", "settle", "--given", file)
    assert told.code == 1
    assert not set("\x1b\x07\x9b") & set(told.err)
    assert "\N{IDEOGRAPHIC SPACE}" in told.err
