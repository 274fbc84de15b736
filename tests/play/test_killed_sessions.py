"""A session may be killed at any moment: no save is refused afterwards, no decision is lost, and nothing is left over.

`python tests/support/killed_sessions.py 1000` kills many more sessions by hand.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from killed_sessions import SORTS, TESTS, kill_sessions, killed_at, moment_of
from killed_sessions import main as kill_by_hand

from interpreter.play.records import owned_file
from interpreter.play.records.recording import RecordedGame
from interpreter.play.records.save import Save
from interpreter.rules.loading.load import load_scenario

KILLS = 8
Games = tuple[RecordedGame, RecordedGame]


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> Games:
    """A game at its first decision, and the same game two decisions later."""
    monkeypatch.setenv("BICORNE_PATH", str(TESTS))
    scenario = load_scenario("craps/standard")
    first, later = RecordedGame(scenario, 1), RecordedGame(scenario, 1)
    for _ in range(2):
        later.choose_index(0)
    return first, later


def kill_at_every_line(path: Path, write: Callable[[], object], begin: bytes | None, other: RecordedGame) -> list[int]:
    """Kills a process at each line of what it writes in turn; returns the inputs of the saves that are left.

    `begin` is the save before, if there is one; `other` is saved where none is left.
    """
    moments, lengths = Counter[str](), []
    while True:
        path.unlink(missing_ok=True)
        if begin is not None:
            path.write_bytes(begin)
        if not killed_at(len(lengths), write):
            assert len(moments) == (2 if begin is not None else 4), "not all moments were met"
            return lengths
        moments[moment_of(path)] += 1
        with Save.open(path) if path.exists() else Save.create(path, other) as save:
            save.lock()
            assert list(path.parent.iterdir()) == [path]
            lengths.append(len(save.recording.inputs))


def test_kill_at_any_line_of_creation(games: Games, tmp_path: Path) -> None:
    """Killed at any line while it creates a save, a session leaves a whole save or none, and the next one can go on."""
    path, (first, later) = tmp_path / "game.save", games
    left = kill_at_every_line(path, lambda: Save.create(path, later), None, first)
    assert left == sorted(left)
    assert set(left) == {len(first.history), len(later.history)}


def test_kill_at_any_line_of_an_update(games: Games, tmp_path: Path) -> None:
    """Killed at any line while it continues a save, a session leaves the old save or the new one."""
    path, (first, later) = tmp_path / "game.save", games
    Save.create(path, first).close()

    def write() -> None:
        with Save.open(path) as save:
            save.update(later)

    left = kill_at_every_line(path, write, path.read_bytes(), first)
    assert left == sorted(left)
    assert set(left) == {len(first.history), len(later.history)}


def test_kills_are_where_something_can_be_lost(games: Games, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the code that removes left-overs, the kills leave some: the harness notices what it is to notice."""
    monkeypatch.setattr(owned_file, "_remove_leftovers", lambda *_: None)
    path, (first, later) = tmp_path / "game.save", games
    with pytest.raises(AssertionError):
        kill_at_every_line(path, lambda: Save.create(path, later), None, first)


@pytest.mark.parametrize("sort", SORTS)
def test_killed_sessions_lose_nothing(sort: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """New sessions, resumed ones and pairs on one save are killed: every save opens and has all that was committed."""
    monkeypatch.setenv("BICORNE_PATH", str(TESTS))
    tally = kill_sessions(KILLS, sort, seed=3)
    assert tally.kills >= KILLS
    assert tally.problems == []


def test_kills_by_hand_print_what_they_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The program that kills sessions prints a line for each sort, with what the kills left."""
    monkeypatch.setenv("BICORNE_PATH", str(TESTS))
    kill_by_hand(1, "new", "resumed")
    found = [json.loads(each) for each in capsys.readouterr().out.splitlines()]
    assert [(each["sort"], each["kills"], sum(each["moments"].values()), each["problems"]) for each in found] == [
        ("new", 1, 1, []),
        ("resumed", 1, 1, []),
    ]
