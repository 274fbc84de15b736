"""Reading a saved game: nothing is believed that does not verify, and nothing is written."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from interpreter.language.diagnostics import UsageError
from interpreter.play.inputs.dice import MOST_DRAWN
from interpreter.play.records.recording import Finished, Header, record_of, written
from interpreter.play.records.save_chain import Contents

APPLICATION_ID = 0x4269636F
"""'Bico', in the header of every save."""
FORMAT = 2
"""Of new files; a save of format 1, whose head keeps nothing of its rules, is read and goes on as it is."""
READ = (1, 2)

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


_LONGEST = 100


def _told(text: str) -> str:
    """A text out of a file that may hold anything, as it can be shown at a terminal."""
    shown = "".join([each if each.isprintable() else "�" for each in text[:_LONGEST]])
    return shown if len(text) <= _LONGEST else f"{shown} …"


def read_save(path: Path) -> Contents:
    """The contents of a save, verified from the first byte to the last.

    Raises:
        UsageError: if it is not a whole and unedited save of a known format; says what is wrong and where.
    """
    _check_first_bytes(path)
    try:
        with closing(_connected(path)) as connection:
            _check_tables(connection)
            return _SaveReader(connection).read()
    except sqlite3.Error as error:
        raise UsageError(f"{path} is a damaged save: {_told(str(error))}. {_ADVICE}") from error
    except (WrongContentError, UsageError) as error:
        raise UsageError(f"{path} is not a save as it was written: {error}. {_ADVICE}") from error


_ADVICE = "It was left as it is; use a copy of it, or the log of the game"


class WrongContentError(Exception):
    """What is wrong inside a save, and where."""


def _check_first_bytes(path: Path) -> None:
    """Refuse what is not a save, before anything opens it as a database."""
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
    if found not in READ:
        age = "newer" if found > FORMAT else "older"
        raise UsageError(
            f"{path} is a save of the {age} format {found}; this engine reads formats {READ[0]} to {FORMAT}"
        )
    page = int.from_bytes(first[16:18], "big")
    whole = int.from_bytes(first[28:32], "big") * (65536 if page == 1 else page)
    if size < whole and not path.with_name(path.name + "-journal").exists():
        raise UsageError(f"{path} is a truncated save: it has {size:,} of {whole:,} bytes")


def _connected(path: Path) -> sqlite3.Connection:
    """A connection that can't write, unless a write that was cut short must first be taken back."""
    hot = path.with_name(path.name + "-journal").exists()
    uri = f"{path.resolve().as_uri()}?mode={'rw' if hot else 'ro'}"
    return sqlite3.connect(uri, uri=True, timeout=5)


def _check_tables(connection: sqlite3.Connection) -> None:
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise WrongContentError(f"the database is damaged ({found})")
    there = dict(connection.execute("SELECT name, sql FROM sqlite_master"))
    if there != TABLES:
        differing = sorted(name for name in {*there, *TABLES} if there.get(name) != TABLES.get(name))
        raise WrongContentError(f"its tables are not those of a save ({', '.join(differing)})")


class _SaveReader:
    """Reads the tables in an order in which each verifies the next."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._contents = Contents(self._header())

    def read(self) -> Contents:
        """All of it, or a `WrongContentError`."""
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
        return Header.read(_json(rows[0][0], "its header"))

    def _read_inputs(self) -> None:
        self._steps_of = []
        for expected, (number, step, text, chain) in enumerate(
            self._rows("SELECT number, step, record, chain FROM inputs ORDER BY number"), 1
        ):
            if number != expected:
                raise WrongContentError(f"input {expected} is missing")
            record = record_of(_json(text, f"input {number}"))
            if self._contents.add_input(record) != (text, chain):
                first = " (or the header before it)" if number == 1 else ""
                raise WrongContentError(f"it was edited at input {number}{first}")
            self._steps_of.append(step)

    def _read_steps(self) -> None:
        held = self._contents
        for expected, (number, path, inputs, state, chain) in enumerate(
            self._rows("SELECT number, path, inputs, state, chain FROM steps ORDER BY number"), 1
        ):
            if number != expected:
                raise WrongContentError(f"step {expected} is missing")
            if not 0 <= inputs <= len(held.inputs):
                raise WrongContentError(f"input {len(held.inputs) + 1} of step {number} is missing")
            if held.add_step(Finished(path, inputs, state)) != chain:
                raise WrongContentError(f"it was edited at step {number} ('{_told(path)}')")
        step = 0
        for number, written_step in enumerate(self._steps_of, 1):
            step = held.step_of(number, max(step - 1, 0))
            if written_step != step:
                raise WrongContentError(
                    f"it was edited at input {number}: it belongs to step {step}, not {written_step}"
                )

    def _read_snapshots(self) -> None:
        held = self._contents
        for step, text, chain in self._rows("SELECT step, data, chain FROM snapshots ORDER BY step"):
            if not 0 < step <= len(held.steps) or held.snapshot_chain(step, text) != chain:
                raise WrongContentError(f"it was edited at the snapshot after step {step}")
            held.snapshots[step] = _json(text, f"the snapshot after step {step}")

    def _read_head(self) -> tuple[str, str]:
        """How much there should be, as written, with its digest."""
        held, rows = self._contents, self._rows("SELECT data, chain FROM head")
        if not rows:
            raise WrongContentError("its last entry, which says where the game stands, is missing")
        text, chain = rows[0]
        head = _json(text, "its last entry")
        if not isinstance(head, dict):
            raise WrongContentError("it was edited at its last entry")
        for name, there in (("inputs", len(held.inputs)), ("steps", len(held.steps))):
            if isinstance(head.get(name), int) and head[name] != there:
                raise WrongContentError(f"it should hold {head[name]} {name}, but holds {there}")
        held.drawn, held.state, held.result = head.get("drawn", 0), head.get("state", ""), head.get("result")
        if not isinstance(held.drawn, int) or not 0 <= held.drawn <= MOST_DRAWN or not isinstance(held.state, str):
            raise WrongContentError("it was edited at its last entry")
        return text, chain


def _json(text: str, what: str) -> Any:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrongContentError(f"{what} cannot be read ({error})") from error
    if written(data) != text:
        raise WrongContentError(f"{what} is not in the form in which it was written")
    return data
