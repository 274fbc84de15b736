"""The log as a text file: written whole, read back only whole and unedited."""

from __future__ import annotations

import json

import pytest
from test_saves import played
from tiny_game import TINY

from interpreter.language.diagnostics import UsageError
from interpreter.play.records.logfile import log_text, read_log, write_log
from interpreter.play.records.recording import RecordedGame, first_difference, resume


@pytest.fixture
def logged(tmp_path):
    """A game and its log."""
    game = played()
    path = tmp_path / "game.log"
    write_log(path, game)
    return game, path


def test_a_log_reads_back(logged):
    """What was written is read, and plays to the same states."""
    game, path = logged
    recording = read_log(path)
    assert recording == game.recording
    assert resume(recording, TINY).hash() == game.hash()


def test_lines_are_objects_in_order(logged):
    """Each line is one JSON object: the header, inputs and steps as they came, the end."""
    game, path = logged
    lines = [json.loads(each) for each in path.read_text().splitlines()]
    assert lines[0]["header"]["seed"] == 5
    assert [line["path"] for line in lines if "step" in line] == [each.path for each in game.finished]
    assert sum("input" in line for line in lines) == len(game.history)
    assert "end" in lines[-1]


def test_a_log_may_be_written_again(logged):
    """A later log takes the place of the earlier one, and no other file is left."""
    game, path = logged
    game.choose_index(0)
    write_log(path, game)
    assert read_log(path).inputs == game.history
    assert list(path.parent.iterdir()) == [path]


def test_other_files_are_left_alone(tmp_path):
    """A file that is not a log is not written over."""
    other = tmp_path / "letter.txt"
    other.write_text("dear reader\n")
    with pytest.raises(UsageError, match="is not a log and is left alone"):
        write_log(other, RecordedGame(TINY, 1))
    assert other.read_text() == "dear reader\n"


@pytest.mark.parametrize("number", [1, 2, 5, -1])
def test_edited_lines_are_refused(logged, number):
    """A changed character is found in the line where it stands."""
    _, path = logged
    lines = path.read_text().splitlines(keepends=True)
    index = number - 1 if number > 0 else len(lines) - 1
    lines[index] = lines[index].replace('"chain":"', '"chain":"0', 1)
    path.write_text("".join(lines))
    with pytest.raises(UsageError, match=rf"game.log:{index + 1}: line {index + 1} was edited"):
        read_log(path)


def test_removed_lines_are_refused(logged):
    """A line that is missing shows at the line that follows it."""
    _, path = logged
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:3] + lines[4:]))
    with pytest.raises(UsageError, match="line 4 was edited, or a line before it was taken out"):
        read_log(path)


def test_truncated_logs_are_refused(logged):
    """However many lines or characters are cut off the end, the log is refused with the line."""
    _, path = logged
    text = path.read_text()
    count = text.count("\n")
    for cut in (1, 30, len(text) // 2):
        path.write_text(text[:-cut])
        with pytest.raises(UsageError, match="truncated"):
            read_log(path)
    path.write_text("".join(text.splitlines(keepends=True)[:-1]))
    with pytest.raises(
        UsageError, match=f"game.log:{count}: line {count} should follow, but the log is truncated there"
    ):
        read_log(path)


def test_nothing_may_follow_the_end(logged):
    """Lines after the end are refused."""
    _, path = logged
    path.write_text(path.read_text() + "{}\n")
    with pytest.raises(UsageError, match="follows the end of the log"):
        read_log(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty, not a Bicorne log"),
        (b"hello\n", "is not a Bicorne log: its first line"),
        (b"[1]\n", "is not a Bicorne log: its first line"),
        (b"\xff\xfe\x00", r"it is no text \(line 1, byte 0\)"),
        (b'{"bicorne_log":1}\n\xe9', r"it is no text \(line 2, byte 18\)"),
        (b'{"bicorne_log":9}\n', "a log of format 9; this engine reads formats 1 to 2"),
        (b'{"bicorne_log":1}\n', "line 1 was edited"),
        (b"[" * 100_000, "is not a Bicorne log: its first line"),
    ],
)
def test_foreign_files_are_refused(tmp_path, content, said):
    """What is not a log of this format is refused as what it is."""
    path = tmp_path / "x"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=said):
        read_log(path)


def test_missing_logs_are_said(tmp_path):
    """A log that is not there is a clear error, to read or to write."""
    with pytest.raises(UsageError, match="cannot read the log"):
        read_log(tmp_path / "nothing")
    with pytest.raises(UsageError, match="cannot write the log"):
        write_log(tmp_path / "missing" / "x", RecordedGame(TINY, 1))


def test_replays_that_differ_are_told(logged):
    """A game that comes to other states than recorded is told with the step where it first does."""
    game, _ = logged
    recording = game.recording
    steps = list(game.finished)
    steps[2] = steps[2]._replace(state="0")
    changed = type(recording)(recording.header, recording.inputs, tuple(steps), recording.drawn, recording.state)
    again = resume(recording, TINY)
    assert first_difference(recording, again) is None
    assert "differently after step 3" in first_difference(changed, again)
    with pytest.raises(UsageError, match="differently after step 3"):
        resume(changed, TINY)


def test_the_text_is_the_same_everywhere(logged):
    """The same game gives the same text."""
    game, path = logged
    assert log_text(played().recording) == path.read_text() == log_text(game.recording)
