"""Saved games: one SQLite file a game, whole at every moment, and refused where it is not what was written.

Tables: `meta` (the header), `inputs` (each with its step and a digest over it and all before it), `steps` (path,
digest of the state, digest of it all), `snapshots` (whole states), `head` (how much there is, so that nothing can be
cut off the end unseen). The inputs of the step under way are there too.
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
    Finished,
    Header,
    OtherRulesError,
    RecordedGame,
    Recording,
    recorded,
    resume,
    written,
)
from interpreter.play.records.save_chain import Contents
from interpreter.play.records.save_reader import APPLICATION_ID, FORMAT, TABLES, read_save

SNAPSHOT_EVERY = 50


class Save:
    """A file that a game is kept in; made by `create` or `open`, and a context manager that closes it."""

    def __init__(self, path: Path, contents: Contents) -> None:
        self.path = path
        self._held = contents
        self._connection: sqlite3.Connection | None = None
        self._patience = 5.0

    # ------------------------------------------------------------ making and opening
    @classmethod
    def create(cls, path: str | Path, header: Header) -> Save:
        """A new file for a game; or the file that is there, if it holds the same game.

        Raises:
            UsageError: if another file stands there, or none can be written.
        """
        target = Path(path)
        if target.exists():
            save = cls.open(target)
            save.check(header)
            return save
        contents = Contents(header)
        try:
            _write_new(target, contents)
        except (OSError, sqlite3.Error) as error:
            raise UsageError(f"cannot write the save {target}: {getattr(error, 'strerror', None) or error}") from error
        return cls(target, contents)

    @classmethod
    def open(cls, path: str | Path) -> Save:
        """The game of a file, after all of it has been verified.

        Raises:
            UsageError: if the file is not a whole, unedited save of a known format; it is left as it is.
        """
        return cls(Path(path), read_save(Path(path)))

    def __enter__(self) -> Save:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # ------------------------------------------------------------ reading
    @property
    def header(self) -> Header:
        """What the file holds a game of."""
        return self._held.header

    @property
    def recording(self) -> Recording:
        """All that the file holds."""
        return self._held.recording

    def check(self, header: Header) -> None:
        """Make sure that this is a game of this header.

        Raises:
            UsageError: with what differs.
        """
        if differences := self.header.differences(header):
            said = "; ".join(differences)
            raise UsageError(f"{self.path} holds another game and is left alone; it differs in {said}")

    def resume(self, source: Any, **more: Any) -> RecordedGame:
        """The saved game ready to go on; see `recording.resume`.

        Raises:
            OtherRulesError: if it is a game of something else.
            UsageError: if it does not come to the recorded states.
        """
        try:
            return resume(self.recording, source, snapshot_every=SNAPSHOT_EVERY, **more)
        except OtherRulesError as error:
            raise OtherRulesError(error.differences, f"{self.path}: {error}") from error
        except UsageError as error:
            raise UsageError(f"{self.path}: {error}") from error

    # ------------------------------------------------------------ writing
    def patience(self, seconds: float) -> None:
        """How long to wait for another program that holds the file."""
        self._patience = seconds
        self.close()

    def update(self, game: Game) -> None:
        """Bring the file up to the game, in one transaction: new inputs and steps are added, undone ones removed.

        A `RecordedGame` is saved at once; any other game is first played again for the digests of its steps.

        Raises:
            UsageError: if it is another game, or the file cannot be written.
        """
        now = recorded(game).recording
        self.check(now.header)
        held = self._held
        inputs = _shared(held.inputs, now.inputs)
        steps = _shared(held.steps, now.steps)
        while steps and held.steps[steps - 1].inputs > inputs:
            steps -= 1
        with self._transaction() as cursor:
            self._cut(cursor, inputs, steps)
            self._add(cursor, now.inputs[inputs:], now.steps[steps:])
            for number in sorted(now.snapshots.keys() - held.snapshots.keys()):
                self._add_snapshot(cursor, number, now.snapshots[number])
            held.drawn, held.state, held.result = now.drawn, now.state, now.result
            self._write_head(cursor)

    def append_step(self, path: str, inputs: Sequence[Record], state: str, drawn: int) -> None:
        """Add one finished step with all its inputs, in one transaction; pending inputs give way to these.

        Raises:
            UsageError: if the file cannot be written.
        """
        held = self._held
        settled = held.steps[-1].inputs if held.steps else 0
        with self._transaction() as cursor:
            self._cut(cursor, settled, len(held.steps))
            self._add(cursor, inputs, [Finished(path, settled + len(inputs), state)])
            held.drawn, held.state = drawn, state
            self._write_head(cursor)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Cursor]:
        """All or nothing, in the file and here."""
        before = self._held.copy()
        try:
            if self._connection is None:
                self._connection = _connected(self.path, self._patience)
            with self._connection as connection:
                yield connection.cursor()
        except BaseException as error:
            self._held.restore(before)
            if isinstance(error, sqlite3.Error):
                raise UsageError(f"cannot write the save {self.path}: {error}") from error
            raise

    def _cut(self, cursor: sqlite3.Cursor, inputs: int, steps: int) -> None:
        cursor.execute("DELETE FROM inputs WHERE number > ?", (inputs,))
        cursor.execute("DELETE FROM steps WHERE number > ?", (steps,))
        cursor.execute("DELETE FROM snapshots WHERE step > ?", (steps,))
        self._held.cut(inputs, steps)

    def _add(self, cursor: sqlite3.Cursor, inputs: Sequence[Record], steps: Sequence[Finished]) -> None:
        held, first = self._held, len(self._held.inputs) + 1
        links = [held.add_input(record) for record in inputs]
        before = len(held.steps)
        for number, step in enumerate(steps, before + 1):
            cursor.execute("INSERT INTO steps VALUES (?, ?, ?, ?, ?)", (number, *step, held.add_step(step)))
        place = before
        for number, (text, chain) in enumerate(links, first):
            place = held.step_of(number, place)
            cursor.execute("INSERT INTO inputs VALUES (?, ?, ?, ?)", (number, place, text, chain))
            place -= 1

    def _add_snapshot(self, cursor: sqlite3.Cursor, number: int, data: Any) -> None:
        text = written(data)
        cursor.execute(
            "INSERT INTO snapshots VALUES (?, ?, ?)", (number, text, self._held.snapshot_chain(number, text))
        )
        self._held.snapshots[number] = data

    def _write_head(self, cursor: sqlite3.Cursor) -> None:
        cursor.execute("INSERT OR REPLACE INTO head VALUES (1, ?, ?)", self._held.head())


def save_game(path: str | Path, game: Game) -> Save:
    """The file that a game is kept in, made if it isn't there, and brought up to the game.

    Raises:
        UsageError: if another game or file stands there, or it cannot be written.
    """
    save = Save.create(path, recorded(game).header)
    save.update(game)
    return save


def _shared(mine: Sequence[Any], others: Sequence[Any]) -> int:
    """How many entries two series begin with in common."""
    count = 0
    for one, other in zip(mine, others, strict=False):
        if one is not other and one != other:
            break
        count += 1
    return count


def _connected(path: Path, patience: float) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, timeout=patience)
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _write_new(path: Path, contents: Contents) -> None:
    """Make the whole file beside its place, then put it there at once."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)
    os.close(handle)
    made = Path(name)
    try:
        with closing(sqlite3.connect(made)) as connection:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")
            with connection:
                for table in TABLES.values():
                    connection.execute(table)
                connection.execute("INSERT INTO meta VALUES (1, ?)", (written(contents.header.data()),))
                connection.execute("INSERT INTO head VALUES (1, ?, ?)", contents.head())
        sync_file(made)
        if path.exists():
            raise FileExistsError(f"{path} has appeared meanwhile")
        made.replace(path)
        sync_file(path.parent)
    finally:
        made.unlink(missing_ok=True)


def sync_file(path: Path) -> None:
    """Make sure that a file, or the names in a folder, are on the disk."""
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
