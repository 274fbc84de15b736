"""Reads and verifies saved games, without writing."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from interpreter.language.diagnostics import UsageError
from interpreter.play.inputs.dice import MAX_DRAWN_WORDS
from interpreter.play.records.recording import FinishedStep, Header, canonical_json, decode_record
from interpreter.play.records.save_chain import SaveContents

APPLICATION_ID = 0x4269636F
"""'Bico', in the header of every save."""
FORMAT = 2
"""The format of new files; a save of format 1, whose header has no rules, can be read and continued."""
READABLE_FORMATS = (1, 2)

TABLES = {
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

_MAGIC = b"SQLite format 3\0"
_LOG = b'{"bicorne_log":'
_HEADER_BYTES = 100


_MAX_SHOWN = 100


def _printable(text: str) -> str:
    """Returns the printable start of a text of a file, for messages."""
    shown = "".join([each if each.isprintable() else "�" for each in text[:_MAX_SHOWN]])
    return shown if len(text) <= _MAX_SHOWN else f"{shown} …"


def read_save(path: Path) -> SaveContents:
    """Returns the verified contents of a save.

    Raises:
        UsageError: if it is not a complete, unedited save of a known format; with the problem and its position.
    """
    _check_first_bytes(path)
    try:
        with closing(_connected(path)) as connection:
            _check_tables(connection)
            return _SaveReader(connection).read()
    except sqlite3.Error as error:
        raise UsageError(f"{path} is a damaged save: {_printable(str(error))}. {_ADVICE}") from error
    except (WrongContentError, UsageError) as error:
        raise UsageError(f"{path} is not an intact save: {error}. {_ADVICE}") from error


_ADVICE = "It was not changed; use a copy of it, or the log of the game"


class WrongContentError(Exception):
    """Raised for a problem inside a save."""


def _check_first_bytes(path: Path) -> None:
    """Checks that the file is a save, before it is opened as a database."""
    try:
        with path.open("rb") as file:
            first = file.read(_HEADER_BYTES)
        size = path.stat().st_size
    except OSError as error:
        raise UsageError(f"the save {path} can't be read: {error.strerror or error}") from error
    if not first:
        raise UsageError(f"{path} is empty, not a Bicorne save")
    if first.startswith(_LOG):
        raise UsageError(
            f"{path} is a log, not a save: 'bicorne replay {path}' reads it, and with --branch NEW makes a save of it"
        )
    if len(first) < len(_MAGIC) and _MAGIC.startswith(first):
        raise UsageError(f"{path} is a truncated save: it ends within its first {_HEADER_BYTES} bytes")
    if not first.startswith(_MAGIC):
        raise UsageError(f"{path} is not a Bicorne save: it does not begin like one")
    if len(first) < _HEADER_BYTES:
        raise UsageError(f"{path} is a truncated save: it ends within its first {_HEADER_BYTES} bytes")
    if int.from_bytes(first[68:72], "big") != APPLICATION_ID:
        raise UsageError(f"{path} is a database of another program, not a Bicorne save")
    found = int.from_bytes(first[60:64], "big")
    if found not in READABLE_FORMATS:
        age = "newer" if found > FORMAT else "older"
        raise UsageError(
            f"{path} is a save of the {age} format {found}; this engine reads formats {READABLE_FORMATS[0]} to {FORMAT}"
        )
    page = int.from_bytes(first[16:18], "big")
    whole = int.from_bytes(first[28:32], "big") * (65536 if page == 1 else page)
    if size < whole and not path.with_name(path.name + "-journal").exists():
        raise UsageError(f"{path} is a truncated save: it has {size:,} of {whole:,} bytes")


def _connected(path: Path) -> sqlite3.Connection:
    """Returns a read-only connection, unless an interrupted write must first be rolled back."""
    hot = path.with_name(path.name + "-journal").exists()
    uri = f"{path.resolve().as_uri()}?mode={'rw' if hot else 'ro'}"
    return sqlite3.connect(uri, uri=True, timeout=5)


def _check_tables(connection: sqlite3.Connection) -> None:
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise WrongContentError(f"the database is damaged ({found})")
    found_tables = dict(connection.execute("SELECT name, sql FROM sqlite_master"))
    if found_tables != TABLES:
        differing = sorted(name for name in {*found_tables, *TABLES} if found_tables.get(name) != TABLES.get(name))
        raise WrongContentError(f"its tables are not those of a save ({', '.join(differing)})")


class _SaveReader:
    """Reads the tables in an order in which each table verifies the next."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._contents = SaveContents(self._header())

    def read(self) -> SaveContents:
        """Returns all contents, or raises a `WrongContentError`."""
        self._read_inputs()
        self._read_steps()
        text, chain = self._read_head()
        self._read_snapshots()
        if self._contents.head() != (text, chain):
            raise WrongContentError("it was edited at its last entry, its header or its snapshots")
        return self._contents

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(query).fetchall()

    def _header(self) -> Header:
        rows = self._rows("SELECT header FROM meta")
        if not rows:
            raise WrongContentError("its header is missing")
        return Header.from_data(_json(rows[0][0], "its header"))

    def _read_inputs(self) -> None:
        self._steps_of = []
        for expected, (number, step, text, chain) in enumerate(
            self._rows("SELECT number, step, record, chain FROM inputs ORDER BY number"), 1
        ):
            if number != expected:
                raise WrongContentError(f"input {expected} is missing")
            record = decode_record(_json(text, f"input {number}"))
            if self._contents.add_input(record) != (text, chain):
                first = " (or the header before it)" if number == 1 else ""
                raise WrongContentError(f"it was edited at input {number}{first}")
            self._steps_of.append(step)

    def _read_steps(self) -> None:
        contents = self._contents
        for expected, (number, path, inputs, state, chain) in enumerate(
            self._rows("SELECT number, path, inputs, state, chain FROM steps ORDER BY number"), 1
        ):
            if number != expected:
                raise WrongContentError(f"step {expected} is missing")
            if not 0 <= inputs <= len(contents.inputs):
                raise WrongContentError(f"input {len(contents.inputs) + 1} of step {number} is missing")
            if contents.add_step(FinishedStep(path, inputs, state)) != chain:
                raise WrongContentError(f"it was edited at step {number} ('{_printable(path)}')")
        step = 0
        for number, written_step in enumerate(self._steps_of, 1):
            step = contents.step_of(number, max(step - 1, 0))
            if written_step != step:
                raise WrongContentError(
                    f"it was edited at input {number}: it belongs to step {step}, not {written_step}"
                )

    def _read_snapshots(self) -> None:
        contents = self._contents
        for step, text, chain in self._rows("SELECT step, data, chain FROM snapshots ORDER BY step"):
            if not 0 < step <= len(contents.steps) or contents.snapshot_chain(step, text) != chain:
                raise WrongContentError(f"it was edited at the snapshot after step {step}")
            contents.snapshots[step] = _json(text, f"the snapshot after step {step}")

    def _read_head(self) -> tuple[str, str]:
        """Returns the recorded counts as text, with their digest."""
        contents, rows = self._contents, self._rows("SELECT data, chain FROM head")
        if not rows:
            raise WrongContentError("its last entry, with the counts and the state, is missing")
        text, chain = rows[0]
        head = _json(text, "its last entry")
        if not isinstance(head, dict):
            raise WrongContentError("it was edited at its last entry")
        for name, count in (("inputs", len(contents.inputs)), ("steps", len(contents.steps))):
            if isinstance(head.get(name), int) and head[name] != count:
                raise WrongContentError(f"it should have {head[name]} {name}, but has {count}")
        contents.drawn, contents.state, contents.result = (
            head.get("drawn", 0),
            head.get("state", ""),
            head.get("result"),
        )
        if (
            not isinstance(contents.drawn, int)
            or not 0 <= contents.drawn <= MAX_DRAWN_WORDS
            or not isinstance(contents.state, str)
        ):
            raise WrongContentError("it was edited at its last entry")
        return text, chain


def _json(text: str, what: str) -> Any:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrongContentError(f"{what} cannot be read ({error})") from error
    if canonical_json(data) != text:
        raise WrongContentError(f"{what} is not in canonical form")
    return data
