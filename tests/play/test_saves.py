"""Saved games: consistent at any time, refused if edited."""

from __future__ import annotations

import errno
import hashlib
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from card_game import CARDS
from tiny_game import CODE, TINY, image

from interpreter.language.diagnostics import UsageError
from interpreter.play.game import Game
from interpreter.play.records.recording import RecordedGame, Recording
from interpreter.play.records.save import Save, save_game
from interpreter.play.records.save_database import SaveDatabase


def played(moves=25, seed=5, **more):
    """Returns a recorded game after some moves, or at its end."""
    game = RecordedGame(TINY, seed, **more)
    for _ in range(moves):
        if game.decision is None:
            break
        game.choose_index(random.Random(len(game.history)).randrange(len(game.decision.options)))
    return game


def other_course():
    """Returns the same game as `played` returns, but with other decisions."""
    game = RecordedGame(TINY, 5)
    for _ in range(25):
        game.choose_index(0)
    return game


@pytest.fixture
def saved(tmp_path):
    """A game in progress and its save file."""
    game = played(snapshot_every=2)
    path = tmp_path / "game.bicorne"
    save_game(path, game).close()
    assert game.decision is not None
    return game, path


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def change(path, statement, *values):
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(statement, values).rowcount > 0


# ---------------------------------------------------------------- saving and resuming
def test_saved_game_continues(saved):
    """A resumed game has the state, the history and the next dice of the saved game."""
    game, path = saved
    other = Save.open(path).resume(TINY)
    assert (other.hash(), other.history, other.finished) == (game.hash(), game.history, game.finished)
    for each in (game, other):
        for _ in range(8):
            if each.decision is not None:
                each.choose_index(0)
    assert replace(other.recording, snapshots={}) == replace(game.recording, snapshots={})


def test_quick_resume_equals_full_resume(saved):
    """A game resumed at the last snapshot is the same, and can be saved to the same file."""
    game, path = saved
    with Save.open(path) as save:
        quick = save.resume(TINY, quick=True)
        assert len(quick.steps) < len(game.steps)
        assert (quick.hash(), quick.history, quick.finished) == (game.hash(), game.history, game.finished)
        quick.choose_index(0)
        save.update(quick)
    game.choose_index(0)
    assert Save.open(path).recording.inputs == game.history
    assert Save.open(path).resume(TINY).hash() == quick.hash()


def test_snapshot_has_reveals_and_references():
    """A snapshot has the revealed things and the references of state values."""
    game = RecordedGame(CARDS, 2, snapshot_every=1)
    for choice in (0, 0, 1, 0):
        game.choose_index(choice)
    recording = game.recording
    quick = RecordedGame(CARDS, 2, after=(recording, max(recording.snapshots)))
    assert quick.hash() == game.hash()
    shown = {(thing.id, seat.id) for thing, seat in quick.core.shown()}
    assert shown == {("blue_guard_2", "red"), ("red_guard_2", "blue")}


def test_unfinished_step_is_saved(tmp_path):
    """The inputs of the unfinished step are in the file, with its number."""
    game = RecordedGame(TINY, 1)
    game.choose_index(0)
    save_game(tmp_path / "a", game).close()
    with closing(sqlite3.connect(tmp_path / "a")) as connection:
        steps = connection.execute("SELECT count(*) FROM steps").fetchone()[0]
        pending = connection.execute("SELECT count(*) FROM inputs WHERE step = ?", (steps + 1,)).fetchone()[0]
    assert pending == len(game.history) - (game.finished[-1].inputs if game.finished else 0) > 0


def test_frequent_saves_equal_one_save(tmp_path):
    """A file updated at each move equals a file written once."""
    game = RecordedGame(TINY, 9)
    with save_game(tmp_path / "often", game) as save:
        for _ in range(15):
            if game.decision is not None:
                game.choose_index(0)
                save.update(game)
    save_game(tmp_path / "once", game).close()
    assert Save.open(tmp_path / "often").recording == Save.open(tmp_path / "once").recording


def test_undone_moves_are_removed_from_file(saved):
    """After an undo the file follows the game back, and then along the other branch."""
    game, path = saved
    with Save.open(path) as save:
        while len(game.history) > 6:
            game.undo(agreed=("red", "blue"))
        save.update(game)
        assert Save.open(path).recording == game.recording
        game.choose_index(len(game.decision.options) - 1)
        save.update(game)
    assert Save.open(path).recording == game.recording


def test_finished_game_has_result(tmp_path):
    """A finished game is saved with its result."""
    game = played(500)
    assert game.result is not None
    save_game(tmp_path / "a", game).close()
    recording = Save.open(tmp_path / "a").recording
    assert recording.result["winners"] == list(game.result.winners)
    assert Save.open(tmp_path / "a").resume(TINY).result == game.result


def test_plain_game_is_saved_as_recorded_game(tmp_path):
    """A game from the start of its sequence is saved as if it had been recorded."""
    game, same = Game(TINY, 5), RecordedGame(TINY, 5)
    for each in (game, same):
        each.choose_index(1)
    save_game(tmp_path / "a", game).close()
    assert Save.open(tmp_path / "a").recording == same.recording


def test_new_file_has_the_first_state(tmp_path):
    """A file is complete when it is created: it opens and is resumed without an update."""
    game = RecordedGame(CARDS, 2)
    Save.create(tmp_path / "a", game).close()
    save = Save.open(tmp_path / "a")
    assert save.recording == game.recording
    assert save.resume(CARDS).hash() == game.hash()


def test_file_that_an_earlier_engine_created_is_resumed(tmp_path):
    """A file without any state, as a killed earlier engine left it, is a game at its beginning."""
    game = RecordedGame(CARDS, 2)
    nothing = Recording(game.header, (), (), 0, "")
    (tmp_path / "a").write_bytes(SaveDatabase(nothing).image)
    with Save.open(tmp_path / "a") as save:
        again = save.resume(CARDS)
        assert (again.hash(), again.history) == (game.hash(), game.history)
        save.update(again)
    assert Save.open(tmp_path / "a").recording == game.recording


# ---------------------------------------------------------------- refusals
def test_foreign_file_is_not_overwritten(saved, tmp_path):
    """The file of another game, or any other file, is not changed; the same game's file is continued."""
    game, path = saved
    before = digest(path)
    with pytest.raises(UsageError, match=r"is the save of another game; .* seed \(recorded: 5, here: 6\)"):
        save_game(path, RecordedGame(TINY, 6))
    other = tmp_path / "letter.txt"
    other.write_text("dear reader")
    with pytest.raises(UsageError, match="is not a Bicorne save"):
        save_game(other, game)
    for each in (other, path):
        with pytest.raises(UsageError, match="exists; choose another path"):
            Save.create(each, game)
    assert other.read_text() == "dear reader"
    assert digest(path) == before
    game.choose_index(0)
    save_game(path, game).close()
    assert Save.open(path).recording.inputs == game.history


def test_other_course_is_not_overwritten(saved):
    """A save is not overwritten by an earlier state of its game, nor by another course of it."""
    _, path = saved
    before = digest(path)
    for other in (played(20, snapshot_every=2), other_course()):
        with pytest.raises(UsageError, match="another course of this game, which would be lost"):
            save_game(path, other)
    assert digest(path) == before


def test_link_to_nothing_is_not_followed(tmp_path):
    """A new save is not created where a link of its name points to."""
    (tmp_path / "a").symlink_to(tmp_path / "b")
    with pytest.raises(UsageError, match="exists; choose another path"):
        Save.create(tmp_path / "a", RecordedGame(TINY, 1))
    assert not (tmp_path / "b").exists()


def test_other_rules_are_refused_with_differences(saved):
    """A save of other rules is not resumed; the differences are named."""
    _, path = saved
    changed = replace(image(CODE.replace("return 4", "return 5")), version="2")
    with pytest.raises(UsageError, match=r"version \(recorded: 1, here: 2\); ruleset hash"):
        Save.open(path).resume(changed)


def test_missing_folder_is_reported(tmp_path):
    """A path that cannot be written is a clear error."""
    with pytest.raises(UsageError, match="cannot write the save"):
        Save.create(tmp_path / "missing" / "a", RecordedGame(TINY, 1))


def test_missing_file_is_reported(tmp_path):
    """Opening a missing file is a clear error."""
    with pytest.raises(UsageError, match="there is no file"):
        Save.open(tmp_path / "nothing")


TAMPERING = [
    ("UPDATE inputs SET record = replace(record, '\"a\"', '\"s\"') WHERE number = 3", "edited at input 3|input 3"),
    ("UPDATE inputs SET record = '[1]' WHERE number = 4", "not an input"),
    ("UPDATE inputs SET record = '{' WHERE number = 4", "input 4 cannot be read"),
    ("UPDATE inputs SET record = record || ' ' WHERE number = 4", "input 4 is not in canonical form"),
    ("UPDATE inputs SET step = step + 1 WHERE number = 4", "edited at input 4: it belongs to step"),
    ("DELETE FROM inputs WHERE number = 2", "input 2 is missing"),
    ("DELETE FROM inputs WHERE number = (SELECT max(number) FROM inputs)", "should have [0-9]+ inputs|is missing"),
    ("UPDATE steps SET state = 'x' WHERE number = 2", "edited at step 2"),
    ("UPDATE steps SET path = 'game/other' WHERE number = 2", r"edited at step 2 \('game/other'\)"),
    ("UPDATE steps SET path = 'a' || char(27) || '[2J' WHERE number = 2", r"edited at step 2 \('a�\[2J'\)"),
    ("UPDATE meta SET header = CAST(x'7bff' AS TEXT)", "damaged save: Could not decode"),
    ("UPDATE steps SET inputs = 999 WHERE number = 2", "of step 2 is missing"),
    ("DELETE FROM steps WHERE number = 1", "step 1 is missing"),
    ("DELETE FROM steps WHERE number = (SELECT max(number) FROM steps)", "belongs to step|should have [0-9]+ steps"),
    ("UPDATE snapshots SET data = replace(data, '1', '2') WHERE step = 2", "edited at the snapshot after step 2"),
    ("DELETE FROM snapshots WHERE step = 2", "edited at its last entry"),
    ("UPDATE meta SET header = replace(header, '\"seed\":5', '\"seed\":6')", r"edited at input 1 \(or the header"),
    ("UPDATE meta SET header = '{}'", "its header must have exactly"),
    ("DELETE FROM meta", "its header is missing"),
    ("DELETE FROM head", "its last entry, with the counts and the state, is missing"),
    ("UPDATE head SET data = replace(data, '\"drawn\":', '\"drawn\":1')", "edited at its last entry"),
    ("UPDATE head SET data = '[]'", "edited at its last entry"),
    (
        "UPDATE head SET data = replace(data, '\"result\":null', '\"result\":7')",
        "its result must have winners and reason",
    ),
    (
        'UPDATE head SET data = replace(data, \'"result":null\', \'"result":{"reason":"","winners":[7]}\')',
        "its result has a value of the wrong type: winners",
    ),
    ("UPDATE head SET data = '{\"drawn\":true}'", "the number of words drawn from its dice is not one"),
    ("UPDATE head SET data = '{\"drawn\":-1}'", "the number of words drawn from its dice is not one"),
    ("UPDATE head SET data = '{\"state\":7}'", "the digest of its last state is not text"),
    ('UPDATE inputs SET record = \'{"a":1,"a":2}\' WHERE number = 4', "input 4 cannot be read .*the name 'a' twice"),
    ("UPDATE inputs SET record = '[1.5]' WHERE number = 4", "input 4 cannot be read .*not a whole number"),
    ("UPDATE inputs SET record = '[NaN]' WHERE number = 4", "input 4 cannot be read .*not a whole number"),
    ("UPDATE inputs SET record = '[\"\\ud800\"]' WHERE number = 4", "input 4 cannot be read .*half a character"),
    (
        f"UPDATE inputs SET record = '{'[' * 65}{']' * 65}' WHERE number = 4",
        "input 4 cannot be read .*nested more than 64",
    ),
    (f"UPDATE inputs SET record = '{'[' * 99_999}' WHERE number = 4", "input 4 cannot be read .*nested too deep"),
    (f"UPDATE inputs SET record = '[{'9' * 9_999}]' WHERE number = 4", "input 4 cannot be read .*too many digits"),
]


@pytest.mark.parametrize(("statement", "message"), TAMPERING)
def test_edit_is_refused(saved, statement, message):
    """Any change in the file is refused with its position, and the file is not written."""
    _, path = saved
    change(path, statement)
    before = digest(path)
    with pytest.raises(UsageError, match=message) as caught:
        Save.open(path)
    assert str(path) in str(caught.value)
    assert digest(path) == before


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("CREATE TABLE notes (text TEXT)", r"tables are not those of a save \(notes\)"),
        ("DROP TABLE snapshots", r"not those of a save \(snapshots\)"),
        ("PRAGMA user_version = 3", "save of the newer format 3; this engine reads formats 1 to 2"),
        ("PRAGMA application_id = 7", "a database of another program"),
    ],
)
def test_foreign_database_is_refused(saved, statement, message):
    """A database with other tables, of another program or of another format is refused."""
    _, path = saved
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)
    before = digest(path)
    with pytest.raises(UsageError, match=message):
        Save.open(path)
    assert digest(path) == before


@pytest.mark.parametrize("kept", [0, 10, 50, 99, 100, 4096, 5000, -1])
def test_truncated_file_is_refused(saved, kept):
    """A file truncated at any byte is refused as such."""
    _, path = saved
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(UsageError, match=r"truncated|does not begin"):
        Save.open(path)


def test_flipped_bit_never_changes_game(saved):
    """A file with a flipped bit is refused, or has the same game."""
    game, path = saved
    data = path.read_bytes()
    draws = random.Random(4)
    for _ in range(60):
        position = draws.randrange(len(data))
        path.write_bytes(data[:position] + bytes([data[position] ^ (1 << draws.randrange(8))]) + data[position + 1 :])
        try:
            recording = Save.open(path).recording
        except UsageError:
            continue
        assert (recording.inputs, recording.steps) == (game.history, tuple(game.finished))


# ---------------------------------------------------------------- kills
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
        process = subprocess.Popen([sys.executable, str(program), str(path)], stdout=subprocess.PIPE)
        assert process.stdout.readline() == b"ready\n"
        for _ in range(counts.randrange(1, 40)):
            process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
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


def test_oversized_save_is_refused(saved, monkeypatch):
    """A save that would be too large to be opened again is not written."""
    game, path = saved
    before = digest(path)
    monkeypatch.setattr("interpreter.play.records.save.MAX_SAVE_BYTES", path.stat().st_size - 1)
    game.choose_index(0)
    with pytest.raises(UsageError, match="it would be larger than"):
        save_game(path, game)
    assert digest(path) == before
    Save.open(path).lock()


# ---------------------------------------------------------------- two sessions
def test_second_session_is_refused_and_the_first_goes_on(saved):
    """While one session has a save, another is refused with the first one's process; nothing of the first is lost."""
    game, path = saved
    with Save.open(path) as first, Save.open(path) as second:
        first.lock()
        other = second.resume(TINY)
        other.choose_index(len(other.decision.options) - 1)
        for _ in range(2):
            game.choose_index(0)
            first.update(game)
            with pytest.raises(UsageError, match=rf"in use by another session \(process {os.getpid()}, since 20"):
                second.update(other)
    assert Save.open(path).recording == game.recording


def test_session_that_opened_an_earlier_state_is_refused(saved):
    """A save that changed since it was opened is not written, even if nobody has it now."""
    game, path = saved
    second = Save.open(path)
    other = second.resume(TINY)
    game.choose_index(0)
    save_game(path, game).close()
    for write in (second.lock, lambda: second.update(other)):
        with pytest.raises(UsageError, match="has changed since it was read"):
            write()
    assert Save.open(path).recording == game.recording


def test_save_is_read_while_a_session_has_it(saved):
    """A save can be read at any time, and has what its session wrote last."""
    game, path = saved
    with Save.open(path) as save:
        for _ in range(3):
            game.choose_index(0)
            save.update(game)
            assert Save.open(path).recording == game.recording
