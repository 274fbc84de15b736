"""Saved games: they continue as if they had not been stopped, in one session at a time."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from card_game import CARDS
from saved_games import played
from tiny_game import TINY

from interpreter.language.diagnostics import UsageError
from interpreter.play.game import Game
from interpreter.play.records.recording import RecordedGame, Recording
from interpreter.play.records.save import Save, save_game
from interpreter.play.records.save_database import SaveDatabase


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
