"""Saves that are refused: of other games or rules, and those that were edited, truncated or damaged."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from saved_games import digest, other_course, played
from tiny_game import CODE, TINY, image

from interpreter.language.diagnostics import UsageError
from interpreter.play.records.recording import RecordedGame
from interpreter.play.records.save import Save, save_game


def change(path, statement, *values):
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(statement, values).rowcount > 0


# ---------------------------------------------------------------- other games, rules and files
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


# ---------------------------------------------------------------- damage
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
