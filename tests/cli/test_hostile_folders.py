"""Commands on a stranger's folder: what is no plain file of its own is refused, at once and without being read."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from touched_paths import TouchedPaths, touched_paths

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "hostile"))

from planted_files import OUTSIDE, PLANTED, SECRET, STRANGER, secret_document

from interpreter.rules.documents.own_folder import MAX_ENTRIES

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs links and named pipes")
Bicorne = Callable[..., Any]
SPOTS = (
    "made/ruleset.yaml",
    "made/rules.yaml",
    "made/scenarios/standard.yaml",
    "made/overlays/tired.yaml",
    "scenarios/made/standard.yaml",
    "overlays/tired.yaml",
)
"""The places of a ruleset, an included file, scenarios and overlays in a folder."""


def _hangs(*_: object) -> None:
    raise TimeoutError("this would hang")


@pytest.fixture(autouse=True)
def nothing_hangs() -> Iterator[None]:
    """Makes a failure of what would hang for ever, and puts a text of the user on the standard input."""
    before = signal.signal(signal.SIGALRM, _hangs)
    signal.alarm(120)
    reading, writing = os.pipe()
    os.write(writing, SECRET.encode())
    os.close(writing)
    kept = os.dup(0)
    os.dup2(reading, 0)
    os.close(reading)
    yield
    os.dup2(kept, 0)
    os.close(kept)
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def stranger(bicorne: Bicorne, tmp_path: Path) -> Path:
    """A stranger's folder with a ruleset, beside a folder of the user."""
    folder = tmp_path / STRANGER
    assert bicorne("new", "ruleset", "made", "--into", folder).code == 0
    secret_document(tmp_path)
    return folder


def plant(folder: Path, spot: str, what: str) -> Path:
    """Puts something in the place of a file; returns its path."""
    path = folder / spot
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    PLANTED[what](path)
    return path


def check_untouched(touched: TouchedPaths, ran: Any, folder: Path) -> None:
    """Checks that nothing outside was opened, and that the user's texts are not shown."""
    assert touched.opened_in(folder.parent / OUTSIDE) == []
    assert [
        each for each in touched.opened if Path(each).exists() and not Path(each).is_file() and _is_planted(each)
    ] == []
    assert SECRET not in ran.out + ran.err


def _is_planted(path: str) -> bool:
    return path.endswith(".yaml") and not Path(path).is_dir()


@pytest.mark.parametrize("what", PLANTED)
@pytest.mark.parametrize("spot", SPOTS)
def test_planted_file_is_refused(bicorne: Bicorne, stranger: Path, spot: str, what: str) -> None:
    """Listing shows the other files, checking and naming it report it, and nothing outside is opened."""
    path = plant(stranger, spot, what)
    commands: dict[tuple[object, ...], tuple[int, ...]] = {
        ("list", "--path", stranger): (0,),
        ("check", stranger): (0, 1) if what == "folder" else (1, 2),
        ("check", path): (1, 2),
        ("format", path): (1, 2),
        ("play", path, "--turns", 1): (1, 2),
        ("play", stranger / "made", "--with", path, "--turns", 1): (1, 2),
        ("ask", stranger / "made", "1 + 1", "--given", path): (1, 2),
    }
    for command, codes in commands.items():
        with touched_paths() as touched:
            ran = bicorne(*command)
        check_untouched(touched, ran, stranger)
        assert ran.code in codes, (command, ran)


@pytest.mark.parametrize("what", PLANTED)
def test_planted_game_is_refused(bicorne: Bicorne, stranger: Path, what: str) -> None:
    """Replaying a folder of games replays its files and refuses what is none of its own; nothing outside is opened."""
    games = stranger / "games"
    games.mkdir()
    assert bicorne("play", stranger / "made", "--turns", 1, "--seed", 1, "--log", games / "a.log").code == 0
    plant(stranger, "games/b.yaml", what)
    with touched_paths() as touched:
        ran = bicorne("replay", games, "--path", stranger, "--json")
    check_untouched(touched, ran, stranger)
    refused = {Path(each).name for each in json.loads(ran.out)["errors"]} - {"middle"}  # in a link of links
    assert refused == (set() if what == "folder" else {"b.yaml"})
    assert ran.code == (0 if what == "folder" else 1), ran
    if what.startswith("link"):
        assert bicorne("replay", games / "b.yaml").code == 2


def test_link_within_a_folder_of_games_is_followed(bicorne: Bicorne, stranger: Path, tmp_path: Path) -> None:
    """A link to a file of the same folder is replayed, and so is a folder that the user names by a link."""
    games = stranger / "games"
    games.mkdir()
    assert bicorne("play", stranger / "made", "--turns", 1, "--seed", 1, "--log", games / "a.log").code == 0
    (games / "b.log").symlink_to("a.log")
    (tmp_path / "mine").symlink_to(games)
    ran = bicorne("replay", tmp_path / "mine", "--path", stranger)
    assert ran.code == 0, ran
    assert "2 games replayed" in ran.out


@pytest.mark.parametrize("spot", ["made/scenarios", "made/overlays", "scenarios", "scenarios/made", "overlays"])
def test_linked_folder_is_refused(bicorne: Bicorne, stranger: Path, tmp_path: Path, spot: str) -> None:
    """A folder of scenarios or overlays that is a link to outside is not read."""
    path = stranger / spot
    path.parent.mkdir(exist_ok=True)
    if path.is_dir():
        path.rename(stranger / "away")
    path.symlink_to(tmp_path / OUTSIDE)
    (tmp_path / OUTSIDE / "made").symlink_to(tmp_path / OUTSIDE)
    for command in (("list", "--path", stranger), ("check", stranger), ("check", stranger / "made")):
        with touched_paths() as touched:
            ran = bicorne(*command)
        check_untouched(touched, ran, stranger)


def test_link_within_the_folder_is_followed(bicorne: Bicorne, stranger: Path) -> None:
    """A link to another file of the same folder is a document like any other."""
    (stranger / "made" / "other.yaml").write_bytes((stranger / "made" / "scenarios" / "standard.yaml").read_bytes())
    (stranger / "made" / "scenarios" / "standard.yaml").unlink()
    (stranger / "made" / "scenarios" / "standard.yaml").symlink_to("../other.yaml")
    assert bicorne("check", stranger / "made").code == 0
    assert bicorne("play", stranger / "made", "--turns", 1, "--quiet").code == 0


def test_link_that_the_user_names_is_followed(bicorne: Bicorne, stranger: Path, tmp_path: Path) -> None:
    """The user's own link to a ruleset, or to a situation in no ruleset's folder, is followed."""
    (tmp_path / "mine").symlink_to(stranger / "made")
    (tmp_path / "empty.yaml").write_text("{}\n")
    (tmp_path / "situation.yaml").symlink_to(tmp_path / "empty.yaml")
    assert bicorne("check", tmp_path / "mine").code == 0
    ran = bicorne("ask", tmp_path / "mine", "1 + 1", "--given", tmp_path / "situation.yaml")
    assert (ran.code, ran.out) == (0, "2\n")


def test_circle_of_folders_is_not_followed(bicorne: Bicorne, stranger: Path) -> None:
    """A folder that links to one above it is searched once."""
    (stranger / "made" / "scenarios" / "again").symlink_to(stranger)
    (stranger / "again").symlink_to(stranger)
    ran = bicorne("check", stranger)
    assert (ran.code, ran.out) == (0, "1 ruleset and 1 scenario checked: nothing wrong\n")
    assert bicorne("list", "--path", stranger).code == 0


def test_search_ends_in_a_large_folder(bicorne: Bicorne, stranger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with as many files and folders as the limit is searched, one with more is refused."""
    inside = sum(1 for _ in stranger.rglob("*"))
    monkeypatch.setattr("interpreter.rules.documents.own_folder.MAX_ENTRIES", inside)
    assert bicorne("check", stranger).code == 0
    (stranger / "one_more").touch()
    ran = bicorne("check", stranger)
    assert (ran.code, f"more than {inside} files and folders" in ran.err) == (2, True)
    assert 10 * inside < MAX_ENTRIES


def test_format_writes_through_no_link(bicorne: Bicorne, stranger: Path, tmp_path: Path) -> None:
    """A file that a stranger put where a formatted document is written first is not overwritten."""
    victim = tmp_path / OUTSIDE / "victim"
    victim.write_text("mine")
    rules = stranger / "made" / "rules.yaml"
    rules.write_text(rules.read_text() + "\n\n\n")
    (rules.parent / ".rules.yaml.new").symlink_to(victim)
    assert bicorne("format", rules).code == 0
    assert victim.read_text() == "mine"
    assert not rules.is_symlink()
    assert rules.read_text().endswith("\n")
    assert not rules.read_text().endswith("\n\n")


def test_situation_and_overlay_are_read_from_a_pipe(bicorne: Bicorne, stranger: Path) -> None:
    """What the shell opens for `--given <(…)` and `--with <(…)` is read, and mistakes are shown with their lines."""

    def piped(text: str) -> str:
        reading, writing = os.pipe()
        os.write(writing, text.encode())
        os.close(writing)
        return f"/dev/fd/{reading}"

    asked = ("ask", stranger / "made", "1 + 1", "--given")
    assert bicorne(*asked, piped("{}\n")).out == "2\n"
    wrong = bicorne(*asked, piped("board: {runner: [{id: nobody}]}\n"))
    assert (wrong.code, "board: {runner: [{id: nobody}]}" in wrong.err) == (1, True), wrong
    played = ("play", stranger / "made", "--turns", 1, "--quiet", "--with")
    assert bicorne(*played, piped("overlay: {id: none, for: made}\n")).code == 0
    wrong = bicorne(*played, piped("overlay: {id: none, for: made}\npatches:\n  - {at: nowhere/at/all, set: 1}\n"))
    assert (wrong.code, "- {at: nowhere/at/all, set: 1}" in wrong.err) == (1, True), wrong
