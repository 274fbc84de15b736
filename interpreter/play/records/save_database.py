"""The SQLite databases of saves, in memory: those that are written, and those of strangers, which may do nothing.

SQLite never opens a save itself, so no journal, log or other database beside a save or named in it is ever looked at.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Final

from interpreter.language.strict_json import canonical_json
from interpreter.play.inputs.inputs import Input
from interpreter.play.records.recording import FinishedStep, Recording
from interpreter.play.records.save_chain import SaveContents

APPLICATION_ID: Final = 0x4269636F
"""'Bico', in the header of every save."""
FORMAT: Final = 2
FORMAT_WITHOUT_RULES: Final = 1
"""The format of saves whose header has no rules; they can be read and continued."""

MAX_SAVE_BYTES: Final = 64_000_000
_MAX_VALUE_BYTES: Final = 16_000_000

TABLES: Final = {
    "meta": "CREATE TABLE meta (id INTEGER PRIMARY KEY CHECK (id = 1), header TEXT NOT NULL) STRICT",
    "inputs": (
        "CREATE TABLE inputs (number INTEGER PRIMARY KEY, step INTEGER NOT NULL, "
        "record TEXT NOT NULL, chain TEXT NOT NULL) STRICT"
    ),
    "steps": (
        "CREATE TABLE steps (number INTEGER PRIMARY KEY, path TEXT NOT NULL, inputs INTEGER NOT NULL, "
        "state TEXT NOT NULL, chain TEXT NOT NULL) STRICT"
    ),
    "snapshots": ("CREATE TABLE snapshots (step INTEGER PRIMARY KEY, data TEXT NOT NULL, chain TEXT NOT NULL) STRICT"),
    "head": "CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), data TEXT NOT NULL, chain TEXT NOT NULL) STRICT",
}

# ---------------------------------------------------------------- reading
_LIMITS: Final = {
    sqlite3.SQLITE_LIMIT_LENGTH: _MAX_VALUE_BYTES,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1_000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 20,
    sqlite3.SQLITE_LIMIT_COLUMN: 20,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_READ: Final = frozenset({*TABLES, "sqlite_master"})
_OPERATIONS_PER_CALL: Final = 1_000
_OPERATIONS_PER_BYTE: Final = 10
_FREE_OPERATIONS: Final = 1_000_000


def open_database(image: bytes) -> sqlite3.Connection:
    """Opens the bytes of a database for reading the tables of a save, and nothing else, within a budget.

    Raises:
        sqlite3.Error: if they are no database.
    """
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(image)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
        for limit, most in _LIMITS.items():
            connection.setlimit(limit, most)
        connection.set_authorizer(_authorize)
        connection.set_progress_handler(_ReadBudget(len(image)), _OPERATIONS_PER_CALL)
    except BaseException:
        connection.close()
        raise
    return connection


def _authorize(action: int, first: str | None, _second: str | None, _database: str | None, _within: str | None) -> int:
    """Allows reading the tables of a save and checking the database."""
    match action:
        case sqlite3.SQLITE_SELECT:
            return sqlite3.SQLITE_OK
        case sqlite3.SQLITE_READ if first in _READ:
            return sqlite3.SQLITE_OK
        case sqlite3.SQLITE_PRAGMA if first == "integrity_check":
            return sqlite3.SQLITE_OK
        case _:
            return sqlite3.SQLITE_DENY


class _ReadBudget:
    """Stops SQLite after more operations than reading a sound database of this size needs."""

    def __init__(self, size: int) -> None:
        self._calls = (_FREE_OPERATIONS + size * _OPERATIONS_PER_BYTE) // _OPERATIONS_PER_CALL

    def __call__(self) -> bool:
        self._calls -= 1
        return self._calls < 0


# ---------------------------------------------------------------- writing
class SaveDatabase:
    """The database of a save that this engine writes, with its contents."""

    def __init__(self, recording: Recording) -> None:
        self.image = b""
        """The bytes of the database."""
        self._contents = SaveContents(recording.header)
        self._connection = sqlite3.connect(":memory:")
        self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        version = FORMAT_WITHOUT_RULES if recording.header.rules is None else FORMAT
        self._connection.execute(f"PRAGMA user_version = {version}")
        for table in TABLES.values():
            self._connection.execute(table)
        self._connection.execute("INSERT INTO meta VALUES (1, ?)", (canonical_json(recording.header.data()),))
        self.follow(recording)

    @property
    def recording(self) -> Recording:
        """The recording in the database."""
        return self._contents.recording

    def follow(self, recording: Recording) -> None:
        """Updates the database to a recording: adds new inputs and steps, and removes undone ones.

        Raises:
            sqlite3.Error: if a value is too large.
        """
        contents, cursor = self._contents, self._connection.cursor()
        inputs = _common_length(contents.inputs, recording.inputs)
        steps = _common_length(contents.steps, recording.steps)
        while steps and contents.steps[steps - 1].inputs > inputs:
            steps -= 1
        self._truncate(cursor, inputs, steps)
        self._add(cursor, recording.inputs[inputs:], recording.steps[steps:])
        for number in sorted(recording.snapshots.keys() - contents.snapshots.keys()):
            self._add_snapshot(cursor, number, recording.snapshots[number])
        contents.drawn, contents.state, contents.result = recording.drawn, recording.state, recording.result
        cursor.execute("INSERT OR REPLACE INTO head VALUES (1, ?, ?)", contents.head())
        self._connection.commit()
        self.image = self._connection.serialize()

    def _truncate(self, cursor: sqlite3.Cursor, inputs: int, steps: int) -> None:
        cursor.execute("DELETE FROM inputs WHERE number > ?", (inputs,))
        cursor.execute("DELETE FROM steps WHERE number > ?", (steps,))
        cursor.execute("DELETE FROM snapshots WHERE step > ?", (steps,))
        self._contents.truncate(inputs, steps)

    def _add(self, cursor: sqlite3.Cursor, inputs: Sequence[Input], steps: Sequence[FinishedStep]) -> None:
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
        chain = self._contents.snapshot_chain(number, text)
        cursor.execute("INSERT INTO snapshots VALUES (?, ?, ?)", (number, text, chain))
        self._contents.snapshots[number] = data


def _common_length(mine: Sequence[Any], others: Sequence[Any]) -> int:
    """Returns the number of equal entries at the start of two sequences."""
    count = 0
    for one, other in zip(mine, others, strict=False):
        if one is not other and one != other:
            break
        count += 1
    return count
