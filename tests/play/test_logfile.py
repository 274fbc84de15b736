"""Log files: written as a whole, read only if complete and unedited."""

from __future__ import annotations

import json
import os
import re

import pytest
from saved_games import other_course, played
from tiny_game import TINY

from interpreter.language.diagnostics import UsageError
from interpreter.language.strict_json import canonical_json
from interpreter.play.records.logfile import LogFile, log_text, parse_log, read_log
from interpreter.play.records.recording import RecordedGame, chain_digest, first_difference, resume


def write_log(path, game):
    with LogFile.open(path, game) as log:
        log.write(game)


@pytest.fixture
def logged(tmp_path):
    """A game and its log."""
    game = played()
    path = tmp_path / "game.log"
    write_log(path, game)
    return game, path


def test_log_round_trips(logged):
    """A written log is read, and replays to the same states."""
    game, path = logged
    recording = read_log(path)
    assert recording == game.recording
    assert resume(recording, TINY).hash() == game.hash()


def test_log_lines_are_objects_in_order(logged):
    """Each line is one JSON object: the header, inputs and steps in order, the end."""
    game, path = logged
    lines = [json.loads(each) for each in path.read_text().splitlines()]
    assert lines[0]["header"]["seed"] == 5
    assert [line["path"] for line in lines if "step" in line] == [each.path for each in game.finished]
    assert sum("input" in line for line in lines) == len(game.history)
    assert "end" in lines[-1]


def test_log_is_replaced(logged):
    """A later log replaces the earlier one, and no other file is left."""
    game, path = logged
    game.choose_index(0)
    write_log(path, game)
    assert read_log(path).inputs == game.history
    assert list(path.parent.iterdir()) == [path]


def test_foreign_file_is_not_overwritten(tmp_path):
    """A file that is not a log is not overwritten, nor is a damaged log."""
    other = tmp_path / "letter.txt"
    for text in ("dear reader\n", "", log_text(played().recording)[:-1]):
        other.write_text(text)
        with pytest.raises(UsageError, match="exists and is not overwritten; choose another path"):
            write_log(other, RecordedGame(TINY, 1))
        assert other.read_text() == text


def test_log_of_another_game_is_not_overwritten(logged):
    """The log of a game with another seed, of another course or of a later state is not overwritten."""
    _, path = logged
    before = path.read_bytes()
    others = (played(20), "another course"), (other_course(), "another course"), (played(seed=6), "differs in seed")
    for other, problem in others:
        with pytest.raises(UsageError, match=problem):
            write_log(path, other)
    assert path.read_bytes() == before


def test_log_in_use_by_another_session_is_not_overwritten(logged):
    """While a session has a log, no other can write it; afterwards it can."""
    game, path = logged
    with LogFile.open(path, game), pytest.raises(UsageError, match=f"another session .process {os.getpid()}"):
        write_log(path, game)
    write_log(path, game)


@pytest.mark.parametrize("number", [1, 2, 5, -1])
def test_edited_line_is_refused(logged, number):
    """A changed character is reported with its line."""
    _, path = logged
    lines = path.read_text().splitlines(keepends=True)
    index = number - 1 if number > 0 else len(lines) - 1
    lines[index] = lines[index].replace('"chain":"', '"chain":"0', 1)
    path.write_text("".join(lines))
    with pytest.raises(UsageError, match=rf"game.log:{index + 1}: line {index + 1} was edited"):
        read_log(path)


def forged(text, number, change):
    """A log with one line changed, and right digests."""
    chain, lines = "", []
    for at, each in enumerate(text.splitlines()):
        line = json.loads(each)
        del line["chain"]
        if at == number % len(text.splitlines()):
            line = change(line)
        chain = chain_digest(chain, canonical_json(line))
        lines.append(canonical_json(line | {"chain": chain}))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("number", "change", "message"),
    [
        (-1, lambda line: {"end": {**line["end"], "drawn": True}}, "number of words drawn"),
        (-1, lambda line: {"end": {**line["end"], "drawn": -1}}, "number of words drawn"),
        (-1, lambda line: {"end": {**line["end"], "drawn": 10**30}}, "number of words drawn"),
        (-1, lambda line: {"end": {**line["end"], "state": 7}}, "the digest of its last state is not text"),
        (-1, lambda line: {"end": {**line["end"], "result": []}}, "its result must have winners and reason"),
        (-1, lambda line: {"end": {**line["end"], "result": {"winners": []}}}, "must have winners and reason"),
        (
            -1,
            lambda line: {"end": {**line["end"], "result": {"winners": ["a"], "reason": None}}},
            "its result has a value of the wrong type: reason",
        ),
        (
            -1,
            lambda line: {"end": {**line["end"], "result": {"winners": "ann", "reason": "", "lines": [True]}}},
            "its result has a value of the wrong type: winners, lines",
        ),
        (-1, lambda line: {"end": 7}, "is neither an input, the next step nor the end"),
        (-1, lambda line: {**line, "more": 1}, "is neither an input, the next step nor the end"),
        (2, lambda line: {"step": True, "path": "game", "state": ""}, "is neither an input, the next step nor the end"),
        (2, lambda line: {"step": 1, "path": "game", "state": "", "x": 1}, "is neither an input, the next step nor"),
        (2, lambda line: {"step": 1, "path": None, "state": ""}, "is neither an input, the next step nor the end"),
        (0, lambda line: {**line, "header": {**line["header"], "seed": True}}, "a value of the wrong type"),
        (0, lambda line: {**line, "header": {**line["header"], "options": []}}, "a value of the wrong type"),
        (0, lambda line: {**line, "header": None}, "its header must have exactly"),
    ],
)
def test_line_of_another_shape_is_refused(logged, number, change, message):
    """A line with a value of another type, or with another key, is refused with its number, whatever its digest."""
    _, path = logged
    path.write_text(forged(path.read_text(), number, change))
    with pytest.raises(UsageError, match=message) as caught:
        read_log(path)
    at = number % len(path.read_text().splitlines()) + 1
    assert str(caught.value).startswith(f"{path}:{at}: line {at} ")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"input":["d",1,2],"input":["d",1,3]}', "the name 'input' twice"),
        ('{"input":["d",1,NaN]}', "'NaN' is not a whole number"),
        ('{"input":["d",1,2.0]}', "'2.0' is not a whole number"),
        ('{"input":["a",1,"\\udc80","ann"]}', "half a character"),
        (f'{{"input":["a",1,{"9" * 9_999}]}}', "too many digits"),
        (f'{{"input":{"[" * 99_999}', "nested too deep"),
        (f'{{"input":{"[" * 64}{"]" * 64}}}', "nested more than 64 deep"),
        ('{"input":["d",1,2}', r"column 18: expecting ',' delimiter"),
    ],
)
def test_line_that_is_no_strict_json_is_refused(logged, line, message):
    """A line with a name twice, another number than a whole one, half a character or too deep a nesting is refused."""
    _, path = logged
    lines = path.read_text().splitlines()
    lines[2] = line
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(UsageError, match=message) as caught:
        read_log(path)
    assert str(caught.value).startswith(f"{path}:3: line 3 was edited: it cannot be read (")


def test_flipped_bits_are_refused(logged):
    """With any bit flipped, a log is refused with a message that names it."""
    _, path = logged
    sound = path.read_bytes()
    for at in range(0, len(sound), 97):
        for bit in range(8):
            damaged = sound[:at] + bytes([sound[at] ^ 1 << bit]) + sound[at + 1 :]
            with pytest.raises(UsageError, match=re.escape(str(path))):
                parse_log(path, damaged)


def test_removed_line_is_refused(logged):
    """A removed line is reported at the line after it."""
    _, path = logged
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:3] + lines[4:]))
    with pytest.raises(UsageError, match="line 4 was edited, or a line before it was removed"):
        read_log(path)


def test_truncated_log_is_refused(logged):
    """A log without its last lines or characters is refused with the line."""
    _, path = logged
    text = path.read_text()
    count = text.count("\n")
    for cut in (1, 30, len(text) // 2):
        path.write_text(text[:-cut])
        with pytest.raises(UsageError, match="truncated"):
            read_log(path)
    path.write_text("".join(text.splitlines(keepends=True)[:-1]))
    with pytest.raises(UsageError, match=f"game.log:{count}: line {count} is missing: the log is truncated"):
        read_log(path)


def test_line_after_end_is_refused(logged):
    """Lines after the end are refused."""
    _, path = logged
    path.write_text(path.read_text() + "{}\n")
    with pytest.raises(UsageError, match="follows the end of the log"):
        read_log(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty, not a Bicorne log"),
        (b"hello\n", "is not a Bicorne log: its first line"),
        (b"[1]\n", "is not a Bicorne log: its first line"),
        (b"\xff\xfe\x00", r"it is not text \(line 1, byte 0\)"),
        (b'{"bicorne_log":1}\n\xe9', r"it is not text \(line 2, byte 18\)"),
        (b'{"bicorne_log":9}\n', "a log of format 9; this engine reads formats 1 to 2"),
        (b'{"bicorne_log":1}\n', "line 1 was edited"),
        (b"[" * 100_000, "is not a Bicorne log: its first line"),
    ],
)
def test_foreign_file_is_refused(tmp_path, content, message):
    """The error for a file that is no log says what it is."""
    path = tmp_path / "x"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=message):
        read_log(path)


def test_missing_log_is_reported(tmp_path):
    """A missing file is a clear error for reading and writing."""
    with pytest.raises(UsageError, match="there is no file"):
        read_log(tmp_path / "nothing")
    with pytest.raises(UsageError, match="cannot write the log"):
        write_log(tmp_path / "missing" / "x", RecordedGame(TINY, 1))


def test_first_difference_names_step(logged):
    """The first step that differs from the record is reported."""
    game, _ = logged
    recording = game.recording
    steps = list(game.finished)
    steps[2] = steps[2]._replace(state="0")
    changed = type(recording)(recording.header, recording.inputs, tuple(steps), recording.drawn, recording.state)
    again = resume(recording, TINY)
    assert first_difference(recording, again) is None
    assert "differs after step 3" in first_difference(changed, again)
    with pytest.raises(UsageError, match="differs after step 3"):
        resume(changed, TINY)


def test_log_text_is_deterministic(logged):
    """The same game gives the same text."""
    game, path = logged
    assert log_text(played().recording) == path.read_text() == log_text(game.recording)
