"""Saved games: one SQLite file for each game, consistent at any time; edited files are refused.

Tables: `meta` (the header), `inputs` (each with its step and a digest over it and all earlier ones), `steps` (path,
digest of the state, digest over it and all earlier ones), `snapshots` (whole states), `head` (the counts, so that a
truncation is noticed). The inputs of the unfinished step are saved too.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from interpreter.language.diagnostics import UsageError
from interpreter.play.game import Game
from interpreter.play.inputs.inputs import Record
from interpreter.play.records.recording import (
    FinishedStep,
    Header,
    OtherRulesError,
    RecordedGame,
    Recording,
    as_recorded,
    canonical_json,
    resume,
)
from interpreter.play.records.save_chain import SaveContents
from interpreter.play.records.save_reader import APPLICATION_ID, FORMAT, TABLES, read_save

SNAPSHOT_EVERY = 50


class Save:
    """The save file of a game, from `create` or `open`; a context manager that closes it."""

    def __init__(self, path: Path, contents: SaveContents) -> None:
        self.path = path
        self._contents = contents
        self._connection: sqlite3.Connection | None = None
        self._timeout = 5.0

    # ------------------------------------------------------------ making and opening
    @classmethod
    def create(cls, path: str | Path, header: Header) -> Save:
        """Creates the file of a game, or opens the existing file of the same game.

        Raises:
            UsageError: if another file exists, or no file can be written.
        """
        target = Path(path)
        if target.exists():
            save = cls.open(target)
            save.check(header)
            return save
        contents = SaveContents(header)
        try:
            _write_new(target, contents)
        except (OSError, sqlite3.Error) as error:
            raise UsageError(f"cannot write the save {target}: {getattr(error, 'strerror', None) or error}") from error
        return cls(target, contents)

    @classmethod
    def open(cls, path: str | Path) -> Save:
        """Opens a save and verifies all of it.

        Raises:
            UsageError: if the file is not a complete, unedited save of a known format; it is not changed.
        """
        return cls(Path(path), read_save(Path(path)))

    def __enter__(self) -> Save:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # ------------------------------------------------------------ reading
    @property
    def header(self) -> Header:
        """The header of the saved game."""
        return self._contents.header

    @property
    def recording(self) -> Recording:
        """The whole recording in the file."""
        return self._contents.recording

    def check(self, header: Header) -> None:
        """Checks that the saved game has this header.

        Raises:
            UsageError: with the differences.
        """
        if differences := self.header.differences(header):
            texts = "; ".join(differences)
            raise UsageError(f"{self.path} is the save of another game; it differs in {texts}")

    def resume(self, source: Any, **more: Any) -> RecordedGame:
        """Resumes the saved game; see `recording.resume`.

        Raises:
            OtherRulesError: if it is a game of other rules.
            UsageError: if it does not reach the recorded states.
        """
        try:
            return resume(self.recording, source, snapshot_every=SNAPSHOT_EVERY, **more)
        except OtherRulesError as error:
            raise OtherRulesError(error.differences, f"{self.path}: {error}") from error
        except UsageError as error:
            raise UsageError(f"{self.path}: {error}") from error

    # ------------------------------------------------------------ writing
    def set_timeout(self, seconds: float) -> None:
        """Sets how long to wait for another program that locks the file."""
        self._timeout = seconds
        self.close()

    def update(self, game: Game) -> None:
        """Updates the file to the game in one transaction: adds new inputs and steps, and removes undone ones.

        A `RecordedGame` is saved at once; any other game is first replayed for the digests of its steps.

        Raises:
            UsageError: if it is another game, or the file cannot be written.
        """
        now = as_recorded(game).recording
        self.check(now.header)
        contents = self._contents
        inputs = _common_length(contents.inputs, now.inputs)
        steps = _common_length(contents.steps, now.steps)
        while steps and contents.steps[steps - 1].inputs > inputs:
            steps -= 1
        with self._transaction() as cursor:
            self._truncate(cursor, inputs, steps)
            self._add(cursor, now.inputs[inputs:], now.steps[steps:])
            for number in sorted(now.snapshots.keys() - contents.snapshots.keys()):
                self._add_snapshot(cursor, number, now.snapshots[number])
            contents.drawn, contents.state, contents.result = now.drawn, now.state, now.result
            self._write_head(cursor)

    def append_step(self, path: str, inputs: Sequence[Record], state: str, drawn: int) -> None:
        """Adds one finished step with its inputs in one transaction; they replace those of the unfinished step.

        Raises:
            UsageError: if the file cannot be written.
        """
        contents = self._contents
        before = contents.steps[-1].inputs if contents.steps else 0
        with self._transaction() as cursor:
            self._truncate(cursor, before, len(contents.steps))
            self._add(cursor, inputs, [FinishedStep(path, before + len(inputs), state)])
            contents.drawn, contents.state = drawn, state
            self._write_head(cursor)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Cursor]:
        """A transaction on the file and on the contents in memory."""
        before = self._contents.copy()
        try:
            if self._connection is None:
                self._connection = _connected(self.path, self._timeout)
            with self._connection as connection:
                yield connection.cursor()
        except BaseException as error:
            self._contents.restore(before)
            if isinstance(error, sqlite3.Error):
                raise UsageError(f"cannot write the save {self.path}: {error}") from error
            raise

    def _truncate(self, cursor: sqlite3.Cursor, inputs: int, steps: int) -> None:
        cursor.execute("DELETE FROM inputs WHERE number > ?", (inputs,))
        cursor.execute("DELETE FROM steps WHERE number > ?", (steps,))
        cursor.execute("DELETE FROM snapshots WHERE step > ?", (steps,))
        self._contents.truncate(inputs, steps)

    def _add(self, cursor: sqlite3.Cursor, inputs: Sequence[Record], steps: Sequence[FinishedStep]) -> None:
        contents, first = self._contents, len(self._contents.inputs) + 1
        links = [contents.add_input(record) for record in inputs]
        before = len(contents.steps)
        for number, step in enumerate(steps, before + 1):
            cursor.execute("INSERT INTO steps VALUES (?, ?, ?, ?, ?)", (number, *step, contents.add_step(step)))
        step_number = before
        for number, (text, chain) in enumerate(links, first):
            step_number = contents.step_of(number, step_number)
            cursor.execute("INSERT INTO inputs VALUES (?, ?, ?, ?)", (number, step_number, text, chain))
            step_number -= 1

    def _add_snapshot(self, cursor: sqlite3.Cursor, number: int, data: Any) -> None:
        text = canonical_json(data)
        cursor.execute(
            "INSERT INTO snapshots VALUES (?, ?, ?)", (number, text, self._contents.snapshot_chain(number, text))
        )
        self._contents.snapshots[number] = data

    def _write_head(self, cursor: sqlite3.Cursor) -> None:
        cursor.execute("INSERT OR REPLACE INTO head VALUES (1, ?, ?)", self._contents.head())


def save_game(path: str | Path, game: Game) -> Save:
    """Saves a game to its file, which is created if it does not exist, and returns the open save.

    Raises:
        UsageError: if the file is another game or no save, or cannot be written.
    """
    save = Save.create(path, as_recorded(game).header)
    save.update(game)
    return save


def _common_length(mine: Sequence[Any], others: Sequence[Any]) -> int:
    """Returns the number of equal entries at the start of two sequences."""
    count = 0
    for one, other in zip(mine, others, strict=False):
        if one is not other and one != other:
            break
        count += 1
    return count


def _connected(path: Path, timeout: float) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, timeout=timeout)
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _write_new(path: Path, contents: SaveContents) -> None:
    """Writes the whole file under a temporary name, then renames it."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        with closing(sqlite3.connect(temporary)) as connection:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")
            with connection:
                for table in TABLES.values():
                    connection.execute(table)
                connection.execute("INSERT INTO meta VALUES (1, ?)", (canonical_json(contents.header.data()),))
                connection.execute("INSERT INTO head VALUES (1, ?, ?)", contents.head())
        sync_file(temporary)
        if path.exists():
            raise FileExistsError(f"{path} was created meanwhile")
        temporary.replace(path)
        sync_file(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def sync_file(path: Path) -> None:
    """Flushes a file, or the names in a folder, to the disk."""
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
