"""Saves whose writing is interrupted: by a kill, a full disk, or an earlier engine that was killed."""

from __future__ import annotations

import errno
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from processes import started
from saved_games import digest
from tiny_game import TINY

from interpreter.language.diagnostics import UsageError
from interpreter.play.records.save import Save

LOOP = """
import sys
sys.path[:0] = [{tests!r}, {root!r}]
from tiny_game import TINY
from interpreter.play.records.recording import RecordedGame
from interpreter.play.records.save import Save, save_game
import os
path = sys.argv[1]
game = Save.open(path).resume(TINY) if os.path.exists(path) else RecordedGame(TINY, 11, snapshot_every=1)
with save_game(path, game) as save:
    print("ready", flush=True)
    turn = 0
    while True:
        turn += 1
        if game.decision is None or turn % 20 == 0:
            game.undo(agreed=("red", "blue"))
        else:
            game.choose_index(turn % len(game.decision.options))
        save.update(game)
        print(turn, flush=True)
"""


def test_killed_process_leaves_valid_save(tmp_path):
    """A process killed during continuous saving leaves a file that opens and continues, every time."""
    here = Path(__file__).parent
    program = tmp_path / "loop.py"
    program.write_text(LOOP.format(tests=str(here), root=str(here.parents[1])))
    path = tmp_path / "game.bicorne"
    counts = random.Random(8)
    for _ in range(5):
        with started([sys.executable, program, path], stdout=subprocess.PIPE) as process:
            assert process.stdout.readline() == b"ready\n"
            for _ in range(counts.randrange(1, 40)):
                process.stdout.readline()
        with Save.open(path) as save:
            assert save.resume(TINY).hash() == save.recording.state
    with Save.open(path) as save:
        save.lock()  # the session after the last kill removes what that one left
    assert not [each for each in tmp_path.iterdir() if each.suffix == ".new"]


@pytest.fixture
def torn(saved, tmp_path):
    """A game, and a save of it as an earlier engine left it when it was killed while it wrote, with its journal."""
    game, path = saved
    copy = tmp_path / "torn"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN")
        connection.execute("UPDATE steps SET state = 'x'")
        connection.executemany("INSERT INTO inputs VALUES (?, 9, ?, 'x')", [(n, "y" * 3000) for n in range(100, 140)])
        shutil.copy(path, copy)
        shutil.copy(f"{path}-journal", f"{copy}-journal")
        connection.execute("ROLLBACK")
    path.unlink()
    return game, copy


def test_interrupted_write_is_rolled_back(torn):
    """A file that is torn opens as before the write, by its journal; reading changes neither."""
    game, path = torn
    journal = path.with_name("torn-journal")
    before = digest(path), digest(journal)
    assert Save.open(path).recording == game.recording
    assert (digest(path), digest(journal)) == before
    journal.unlink()
    with pytest.raises(UsageError, match="is not an intact save"):
        Save.open(path)


def test_continued_save_needs_no_journal(torn):
    """A session that takes a torn file makes it intact and removes the journal, before anything is played."""
    game, path = torn
    with Save.open(path) as save:
        save.lock()
        assert list(path.parent.iterdir()) == [path]
        assert Save.open(path).recording == game.recording
        game.choose_index(0)
        save.update(game)
    assert Save.open(path).recording == game.recording


@pytest.mark.parametrize("synced", [True, False])
def test_journal_of_an_intact_save_is_removed(torn, synced):
    """A journal that was left beside a whole save is not played back, and is removed by the next session."""
    game, path = torn
    with Save.open(path) as save:
        journal, before = path.with_name("torn-journal"), path.read_bytes()
        left = journal.read_bytes() if synced else bytes(512)
        save.lock()
    content = path.read_bytes()
    assert content != before
    journal.write_bytes(left)
    assert Save.open(path).recording == game.recording
    assert journal.read_bytes() == left
    Save.open(path).lock()
    assert list(path.parent.iterdir()) == [path]
    assert path.read_bytes() == content


def test_failed_write_changes_nothing(saved, monkeypatch):
    """A failed update changes neither the file nor the contents in memory; the next update works."""
    game, path = saved
    with Save.open(path) as save:
        save.update(game)
        before, content = save.recording, path.read_bytes()
        game.choose_index(0)
        with monkeypatch.context() as patched:
            patched.setattr("os.fsync", _full)
            with pytest.raises(UsageError, match=r"cannot write the save .*: No space left on device"):
                save.update(game)
        assert save.recording == before
        assert path.read_bytes() == content
        assert list(path.parent.iterdir()) == [path]
        save.update(game)
    assert Save.open(path).recording == game.recording


def _full(_handle):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
