"""Saved games: whole at every moment, refused where they are not what was written."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from card_game import CARDS
from tiny_game import CODE, TINY, image

from interpreter.language.diagnostics import UsageError
from interpreter.play.game import Game
from interpreter.play.records.recording import RecordedGame, header_of
from interpreter.play.records.save import Save, save_game


def played(moves=25, seed=5, **more):
    """A game of some moves; ends sooner if it is over."""
    game = RecordedGame(TINY, seed, **more)
    for _ in range(moves):
        if game.decision is None:
            break
        game.choose_index(random.Random(len(game.history)).randrange(len(game.decision.options)))
    return game


@pytest.fixture
def saved(tmp_path):
    """A game under way and the file that holds it."""
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


# ---------------------------------------------------------------- keeping and going on
def test_a_saved_game_goes_on(saved):
    """A resumed game has the state, the history and the coming dice of the game that was saved."""
    game, path = saved
    other = Save.open(path).resume(TINY)
    assert (other.hash(), other.history, other.finished) == (game.hash(), game.history, game.finished)
    for each in (game, other):
        for _ in range(8):
            if each.decision is not None:
                each.choose_index(0)
    assert replace(other.recording, snapshots={}) == replace(game.recording, snapshots={})


def test_quick_resume(saved):
    """From the last snapshot on the game is the same, and it can be saved on in the same file."""
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


def test_quick_resume_with_secrets_and_references():
    """A snapshot holds what was revealed and what state values refer to."""
    game = RecordedGame(CARDS, 2, snapshot_every=1)
    for choice in (0, 0, 1, 0):
        game.choose_index(choice)
    recording = game.recording
    quick = RecordedGame(CARDS, 2, after=(recording, max(recording.snapshots)))
    assert quick.hash() == game.hash()
    shown = {(thing.id, seat.id) for thing, seat in quick.core.shown()}
    assert shown == {("blue_guard_2", "red"), ("red_guard_2", "blue")}


def test_the_step_under_way_is_kept(tmp_path):
    """Inputs of a step that has not ended are in the file, with their step."""
    game = RecordedGame(TINY, 1)
    game.choose_index(0)
    save_game(tmp_path / "a", game).close()
    with closing(sqlite3.connect(tmp_path / "a")) as connection:
        steps = connection.execute("SELECT count(*) FROM steps").fetchone()[0]
        pending = connection.execute("SELECT count(*) FROM inputs WHERE step = ?", (steps + 1,)).fetchone()[0]
    assert pending == len(game.history) - (game.finished[-1].inputs if game.finished else 0) > 0


def test_saving_move_by_move_is_saving_at_the_end(tmp_path):
    """A file that was updated at each move holds what a file written once holds."""
    game = RecordedGame(TINY, 9)
    with save_game(tmp_path / "often", game) as save:
        for _ in range(15):
            if game.decision is not None:
                game.choose_index(0)
                save.update(game)
    save_game(tmp_path / "once", game).close()
    assert Save.open(tmp_path / "often").recording == Save.open(tmp_path / "once").recording


def test_undone_moves_leave_the_file(saved):
    """After an undo the file follows the game back, and on along its other way."""
    game, path = saved
    with Save.open(path) as save:
        while len(game.history) > 6:
            game.undo(agreed=("red", "blue"))
        save.update(game)
        assert Save.open(path).recording == game.recording
        game.choose_index(len(game.decision.options) - 1)
        save.update(game)
    assert Save.open(path).recording == game.recording


def test_finished_games_keep_their_result(tmp_path):
    """A game that is over is saved with its end."""
    game = played(500)
    assert game.result is not None
    save_game(tmp_path / "a", game).close()
    recording = Save.open(tmp_path / "a").recording
    assert recording.result["winners"] == list(game.result.winners)
    assert Save.open(tmp_path / "a").resume(TINY).result == game.result


def test_unrecorded_games_can_be_saved(tmp_path):
    """Any game from the beginning of its sequence is saved as if it had been recorded all along."""
    game, same = Game(TINY, 5), RecordedGame(TINY, 5)
    for each in (game, same):
        each.choose_index(1)
    save_game(tmp_path / "a", game).close()
    assert Save.open(tmp_path / "a").recording == same.recording


def test_steps_one_by_one(tmp_path):
    """`append_step` adds whole steps; the file verifies after each."""
    game = played()
    with Save.create(tmp_path / "a", game.header) as save:
        done = 0
        for step in game.finished:
            save.append_step(step.path, game.history[done : step.inputs], step.state, 0)
            done = step.inputs
            assert Save.open(tmp_path / "a").recording.steps == save.recording.steps
    assert save.recording.steps == tuple(game.finished)


# ---------------------------------------------------------------- refusals
def test_no_file_is_overwritten(saved, tmp_path):
    """Another game's file, or any other file, is left alone; the same game's file is gone on with."""
    game, path = saved
    before = digest(path)
    with pytest.raises(UsageError, match=r"holds another game .* seed \(recorded: 5, here: 6\)"):
        Save.create(path, header_of(TINY, 6))
    other = tmp_path / "letter.txt"
    other.write_text("dear reader")
    with pytest.raises(UsageError, match="is not a Bicorne save"):
        Save.create(other, game.header)
    assert other.read_text() == "dear reader"
    assert Save.create(path, game.header).recording.inputs == game.history
    assert digest(path) == before


def test_other_rules_are_refused_by_name(saved):
    """A save of other rules is not resumed; what differs is named."""
    _, path = saved
    changed = replace(image(CODE.replace("return 4", "return 5")), version="2")
    with pytest.raises(UsageError, match=r"version \(recorded: 1, here: 2\); ruleset hash"):
        Save.open(path).resume(changed)


def test_no_folder(tmp_path):
    """A place that cannot be written to is a clear error."""
    with pytest.raises(UsageError, match="cannot write the save"):
        Save.create(tmp_path / "missing" / "a", header_of(TINY, 1))


def test_a_missing_file_is_said(tmp_path):
    """Opening what is not there says so."""
    with pytest.raises(UsageError, match="can't be read"):
        Save.open(tmp_path / "nothing")


TAMPERING = [
    ("UPDATE inputs SET record = replace(record, '\"a\"', '\"s\"') WHERE number = 3", "edited at input 3|input 3"),
    ("UPDATE inputs SET record = '[1]' WHERE number = 4", "not an input"),
    ("UPDATE inputs SET record = '{' WHERE number = 4", "input 4 cannot be read"),
    ("UPDATE inputs SET record = record || ' ' WHERE number = 4", "input 4 is not in the form"),
    ("UPDATE inputs SET step = step + 1 WHERE number = 4", "edited at input 4: it belongs to step"),
    ("DELETE FROM inputs WHERE number = 2", "input 2 is missing"),
    ("DELETE FROM inputs WHERE number = (SELECT max(number) FROM inputs)", "should hold [0-9]+ inputs|is missing"),
    ("UPDATE steps SET state = 'x' WHERE number = 2", "edited at step 2"),
    ("UPDATE steps SET path = 'game/other' WHERE number = 2", r"edited at step 2 \('game/other'\)"),
    ("UPDATE steps SET path = 'a' || char(27) || '[2J' WHERE number = 2", r"edited at step 2 \('a�\[2J'\)"),
    ("UPDATE meta SET header = CAST(x'7bff' AS TEXT)", "damaged save: Could not decode"),
    ("UPDATE steps SET inputs = 999 WHERE number = 2", "of step 2 is missing"),
    ("DELETE FROM steps WHERE number = 1", "step 1 is missing"),
    ("DELETE FROM steps WHERE number = (SELECT max(number) FROM steps)", "belongs to step|should hold [0-9]+ steps"),
    ("UPDATE snapshots SET data = replace(data, '1', '2') WHERE step = 2", "edited at the snapshot after step 2"),
    ("DELETE FROM snapshots WHERE step = 2", "edited at its last entry"),
    ("UPDATE meta SET header = replace(header, '\"seed\":5', '\"seed\":6')", r"edited at input 1 \(or the header"),
    ("UPDATE meta SET header = '{}'", "its head should hold exactly"),
    ("DELETE FROM meta", "its header is missing"),
    ("DELETE FROM head", "its last entry, which says where the game stands, is missing"),
    ("UPDATE head SET data = replace(data, '\"drawn\":', '\"drawn\":1')", "edited at its last entry"),
    ("UPDATE head SET data = '[]'", "edited at its last entry"),
]


@pytest.mark.parametrize(("statement", "said"), TAMPERING)
def test_edits_are_found(saved, statement, said):
    """Whatever is changed in the file, it is refused, with what and where, and not written to."""
    _, path = saved
    change(path, statement)
    before = digest(path)
    with pytest.raises(UsageError, match=said) as caught:
        Save.open(path)
    assert str(path) in str(caught.value)
    assert digest(path) == before


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("CREATE TABLE notes (text TEXT)", r"tables are not those of a save \(notes\)"),
        ("DROP TABLE snapshots", r"not those of a save \(snapshots\)"),
        ("PRAGMA user_version = 3", "save of the newer format 3; this engine reads formats 1 to 2"),
        ("PRAGMA application_id = 7", "a database of another program"),
    ],
)
def test_foreign_databases_are_refused(saved, statement, said):
    """A database with other tables, of another program or of another format is refused."""
    _, path = saved
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)
    before = digest(path)
    with pytest.raises(UsageError, match=said):
        Save.open(path)
    assert digest(path) == before


@pytest.mark.parametrize("kept", [0, 10, 50, 99, 100, 4096, 5000, -1])
def test_truncated_files_are_refused(saved, kept):
    """A file cut short anywhere is refused as such."""
    _, path = saved
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(UsageError, match=r"truncated|does not begin"):
        Save.open(path)


def test_flipped_bytes_never_pass(saved):
    """No changed byte lets another game out of the file: it is refused, or the game is the same."""
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
"""


def test_a_kill_at_any_moment_leaves_a_save(tmp_path):
    """A process killed while it saves without pause leaves a file that opens and goes on, every time."""
    here = Path(__file__).parent
    program = tmp_path / "loop.py"
    program.write_text(LOOP.format(tests=str(here), root=str(here.parents[1])))
    path = tmp_path / "game.bicorne"
    waits = random.Random(8)
    for _ in range(5):
        process = subprocess.Popen([sys.executable, str(program), str(path)], stdout=subprocess.PIPE)
        assert process.stdout.readline() == b"ready\n"
        time.sleep(waits.uniform(0.01, 0.25))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        with Save.open(path) as save:
            assert save.resume(TINY).hash() == save.recording.state
    assert not [each for each in tmp_path.iterdir() if each.suffix == ".new"]


def test_a_write_cut_short_is_taken_back(saved, tmp_path):
    """A file copied in the middle of a write, with its rollback journal, opens as it was before the write."""
    game, path = saved
    copy = tmp_path / "copy"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 0")
        connection.execute("BEGIN")
        connection.execute("DELETE FROM inputs WHERE number > 2")
        connection.executemany("INSERT INTO inputs VALUES (?, 9, ?, 'x')", [(n, "y" * 3000) for n in range(100, 140)])
        shutil.copy(path, copy)
        shutil.copy(f"{path}-journal", f"{copy}-journal")
        connection.execute("ROLLBACK")
    assert Save.open(copy).recording == game.recording


def test_failed_writes_change_nothing(saved):
    """Where an update fails, neither the file nor what is known of it has changed; the next update works."""
    game, path = saved
    with Save.open(path) as save, closing(sqlite3.connect(path, isolation_level=None)) as other:
        save.update(game)
        before = save.recording
        other.execute("BEGIN EXCLUSIVE")
        save.patience(0)
        game.choose_index(0)
        with pytest.raises(UsageError, match=r"cannot write the save .* locked"):
            save.update(game)
        assert save.recording == before
        other.execute("ROLLBACK")
        save.update(game)
    assert Save.open(path).recording == game.recording
