"""Paths and names in a record are claims: nothing is opened for them, and nobody learns whether they exist."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fuzzed_records import save_bytes, sound_record
from touched_paths import touched_paths

from interpreter.cli.open import open_recorded
from interpreter.language.diagnostics import UsageError
from interpreter.language.strict_json import canonical_json
from interpreter.play.records.logfile import read_log
from interpreter.play.records.recording import chain_digest
from interpreter.rules.documents.own_folder import MAX_FILE_BYTES

Bicorne = Callable[..., Any]
Change = Callable[[dict[str, Any]], None]
SECRET = "s3cret-of-the-user"
TIRED = """overlay: {id: tired, for: made}
patches:
  - {at: tables/stages_run/5..6, expect: 2, set: 1, cite: run.1}
"""
WRONG = TIRED.replace("expect: 2", "expect: 9")


@pytest.fixture
def log(bicorne: Bicorne, made: Path, tmp_path: Path) -> Path:
    """A log of a game with an overlay."""
    overlay = tmp_path / "tired.yaml"
    overlay.write_text(TIRED)
    path = tmp_path / "game.log"
    assert bicorne("play", made, "--seed", 1, "--quiet", "--with", overlay, "--log", path).code == 0
    overlay.unlink()
    return path


def forge(log: Path, change: Change) -> None:
    """Changes the header of a log, with right digests."""
    lines = [json.loads(each) for each in log.read_text().splitlines()]
    change(lines[0]["header"])
    chain, texts = "", []
    for line in lines:
        del line["chain"]
        chain = chain_digest(chain, canonical_json(line))
        texts.append(canonical_json(line | {"chain": chain}))
    log.write_text("\n".join(texts) + "\n")


def overlay_change(path: object, text: str = TIRED) -> Change:
    """Returns a change of the only overlay of a header."""

    def change(header: dict[str, Any]) -> None:
        header["rules"]["overlays"] = [{"id": "tired", "path": str(path), "text": text}]

    return change


@pytest.fixture
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of the user of many lines, in a folder `private` that no command is given."""
    path = tmp_path_factory.mktemp("private") / "secret.yaml"
    path.write_text(f"{SECRET}\n" * 50)
    return path


def test_recorded_overlay_needs_no_path(bicorne: Bicorne, log: Path, made: Path, secret: Path) -> None:
    """A log is replayed whatever path its overlay claims; that path is neither opened nor asked for."""
    for claim in (secret, "/dev/zero", "x" * 5_000, ""):
        forge(log, overlay_change(claim))
        for command in ("replay", "explain"):
            with touched_paths() as touched:
                ran = bicorne(command, log, "--path", made.parent)
            assert ran.code == 0, ran
            assert touched.names_of("private") + touched.names_of("/dev/zero") == []


def test_excerpts_are_of_the_recorded_text(bicorne: Bicorne, log: Path, made: Path, secret: Path) -> None:
    """A mistake in a recorded overlay is shown with the line of the record, not of the file that it claims to be."""
    forge(log, overlay_change(secret, WRONG))
    with touched_paths() as touched:
        ran = bicorne("replay", log, "--path", made.parent)
    assert ran.code == 1
    assert "expect: 9" in ran.err
    assert "overlay tired, recorded" in ran.err
    assert SECRET not in ran.out + ran.err
    assert touched.names_of("private") == []


@pytest.mark.parametrize("field", ["scenario", "ruleset"])
def test_recorded_names_are_no_paths(
    bicorne: Bicorne, log: Path, made: Path, secret: Path, tmp_path: Path, field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scenario or ruleset that a record names is searched by name alone, also if it is the path of one."""
    private = secret.parent / "game"
    made.rename(private)
    os.mkfifo(private / "pipe")
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    paths = [private, private / "ruleset.yaml", private / "scenarios" / "standard.yaml", private / "pipe"]
    for claim in (*map(str, paths), *map(os.path.relpath, paths), "/dev/zero"):

        def change(header: dict[str, Any], claim: str = claim) -> None:
            header.update({"scenario": "", "ruleset": claim} if field == "ruleset" else {"scenario": claim})

        forge(log, change)
        for command in ("replay", "explain"):
            with touched_paths() as touched:
                ran = bicorne(command, log, "--path", empty)
            assert (ran.code, f"there is no {field}" in ran.err) == (2, True), ran
            assert touched.names_of("private") + touched.names_of("/dev/zero") == []
        with pytest.raises(UsageError, match=f"there is no {field}"):
            open_recorded(read_log(log).header, [str(empty)])


def test_nobody_learns_whether_a_path_exists(bicorne: Bicorne, log: Path, secret: Path) -> None:
    """The messages about a record are the same for a path that exists and for one that does not."""
    absent = secret.with_suffix(".yamk")  # long paths are cut, so the two differ only at their ends
    ran: list[tuple[int, str]] = []
    for claim in (secret, absent):
        for field in ("scenario", "ruleset"):

            def change(header: dict[str, Any], claim: Path = claim, field: str = field) -> None:
                header.update({"scenario": "", field: str(claim)})
                overlay_change(claim)(header)

            forge(log, change)
            found = bicorne("replay", log)
            ran.append((found.code, found.err.replace(".yamk", ".yaml")))
    assert ran[:2] == ran[2:]


def test_recorded_overlay_has_a_limit(bicorne: Bicorne, log: Path, made: Path) -> None:
    """A recorded overlay may be as large as a document, and no larger; it must be text with a name."""
    head = len(TIRED.encode())
    forge(log, overlay_change("x", TIRED + "#" * (MAX_FILE_BYTES - head)))
    assert bicorne("replay", log, "--path", made.parent).code == 0
    forge(log, overlay_change("x", TIRED + "#" * (MAX_FILE_BYTES - head + 1)))
    ran = bicorne("replay", log, "--path", made.parent)
    assert (ran.code, "an overlay in its header is malformed" in ran.err) == (2, True)


def test_record_tells_no_folder_of_its_author(log: Path, tmp_path: Path) -> None:
    """A record holds the name of an overlay's file, not where its author keeps it."""
    assert str(tmp_path) not in log.read_text()
    assert '"path":"tired.yaml"' in log.read_text()


def with_options(contents: dict[str, Any], **options: Any) -> None:
    """Sets the options of a record."""
    contents["header"]["options"] = options


def without_scenario(contents: dict[str, Any]) -> None:
    """Removes the name of the scenario."""
    contents["header"]["scenario"] = ""


def at_other_site(contents: dict[str, Any]) -> None:
    """Makes the first input one of another roll."""
    contents["inputs"][0][1] += 1


@pytest.mark.parametrize(
    "command",
    [("resume", "--quiet", "--turns", "1"), ("replay",), ("replay", "--to", "end"), ("explain",), ("odds",)],
    ids=" ".join,
)
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (partial(with_options, most_rols=3), "there is no option 'most_rols'; did you mean 'most_rolls'?"),
        (
            partial(with_options, most_rolls="many"),
            "'many' is no value of the option 'most_rolls'; expected a whole number from 1 up to 1000",
        ),
        (without_scenario, "it names no scenario, and 'craps' has several: craps/long_odds, craps/standard"),
        (at_other_site, "input 1 was recorded for another roll or decision than 'play_round.stake'"),
    ],
)
def test_every_command_names_the_wrong_record(
    bicorne: Bicorne, tmp_path: Path, command: tuple[str, ...], change: Change, said: str
) -> None:
    """What is wrong in a save is said with its file, and for its header how to find the right rules."""
    contents = sound_record("craps/standard", 6, "ann").contents
    change(contents)
    path = tmp_path / "game.save"
    path.write_bytes(save_bytes(contents))
    before = path.read_bytes()
    ran = bicorne(command[0], path, *command[1:])
    printed = ran.err + ran.out
    if change is at_other_site:
        assert ran.code == 1
        assert printed.startswith((f"{path}: ", f"error: {path}: ", f"{path}：ゲームを再現できません：")), printed
    else:
        assert ran.code == 2
        assert f"{path}: in its header: {said}" in printed
        assert "give that folder with --path" in printed
    assert said in printed
    assert path.read_bytes() == before
