"""Reads and verifies saved games, without writing."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from interpreter.language.diagnostics import UsageError
from interpreter.language.plain_files import read_plain
from interpreter.language.strict_json import Json, JsonError, canonical_json, read_json
from interpreter.play.inputs.inputs import Input
from interpreter.play.records.recording import FinishedStep, Header, Recording, decode_end, decode_input
from interpreter.play.records.save_chain import SaveContents
from interpreter.play.records.save_database import (
    APPLICATION_ID,
    FORMAT,
    FORMAT_WITHOUT_RULES,
    MAX_SAVE_BYTES,
    TABLES,
    open_database,
)
from interpreter.play.records.save_journal import roll_back

_MAGIC = b"SQLite format 3\0"
_LOG = b'{"bicorne_log":'
_HEADER_BYTES = 100
_MIN_PAGE_BYTES = 4096
_LEAF_OF_TABLE = 13
_SCHEMA: Final = [("table", name, name, sql) for name, sql in TABLES.items()]

_MAX_SHOWN = 100


def _printable(text: str) -> str:
    """Returns the printable start of a text of a file, for messages."""
    shown = "".join([each if each.isprintable() else "�" for each in text[:_MAX_SHOWN]])
    return shown if len(text) <= _MAX_SHOWN else f"{shown} …"


@dataclass(frozen=True, slots=True)
class SavedGame:
    """The recording in a save and the bytes of the file, which are not intact by themselves if `is_rolled_back`."""

    recording: Recording
    content: bytes
    is_rolled_back: bool = False


def read_save(path: Path) -> SavedGame:
    """Returns the verified contents of a save. Nothing in or beside the file is changed.

    Raises:
        UsageError: if it is not a complete, unedited save of a known format; with the problem and its position.
    """
    content = read_plain(path, MAX_SAVE_BYTES)
    _check_first_bytes(path, content)
    try:
        return SavedGame(_verified(path, content), content)
    except UsageError:
        rolled_back = roll_back(path, content)
        if rolled_back is None:
            raise
        return SavedGame(_verified(path, rolled_back), content, is_rolled_back=True)


def _verified(path: Path, content: bytes) -> Recording:
    """Returns the recording in the bytes of a save after verifying all of it."""
    size = int.from_bytes(content[28:32], "big") * _page_bytes(content)
    if len(content) < size:
        raise UsageError(f"{path} is a truncated save: it has {len(content):,} of {size:,} bytes")
    try:
        _check_layout(content)
        with closing(open_database(content)) as connection:
            _check_tables(connection)
            return _SaveReader(connection).read().recording
    except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite quotes the file in its messages
        raise UsageError(f"{path} is a damaged save: {_printable(str(error))}. {_ADVICE}") from error
    except (WrongContentError, UsageError) as error:
        raise UsageError(f"{path} is not an intact save: {error}. {_ADVICE}") from error


_ADVICE = "It was not changed; use a copy of it, or the log of the game"


class WrongContentError(Exception):
    """Raised for a problem inside a save."""


def _check_first_bytes(path: Path, content: bytes) -> None:
    """Checks that the file is a save, before anything else in it is believed."""
    first = content[:_HEADER_BYTES]
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
    if found not in (FORMAT_WITHOUT_RULES, FORMAT):
        age = "newer" if found > FORMAT else "older"
        raise UsageError(
            f"{path} is a save of the {age} format {found}; "
            f"this engine reads formats {FORMAT_WITHOUT_RULES} to {FORMAT}"
        )


def _page_bytes(content: bytes) -> int:
    size = int.from_bytes(content[16:18], "big")
    return 65536 if size == 1 else size


def _check_layout(content: bytes) -> None:
    """Checks, before SQLite reads the schema, that all of it is on the first page, as in every save."""
    if content[18:20] != b"\1\1" or _page_bytes(content) < _MIN_PAGE_BYTES or content[_HEADER_BYTES] != _LEAF_OF_TABLE:
        raise WrongContentError("the layout of the database is not that of a save")


def _check_tables(connection: sqlite3.Connection) -> None:
    found = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    if Counter(found) != Counter(_SCHEMA):
        names = sorted({str(name) for _, name, *_ in set(found) ^ set(_SCHEMA)} or {"one of them is there twice"})
        raise WrongContentError(f"its tables are not those of a save ({_printable(', '.join(names))})")
    state = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if state != "ok":
        raise WrongContentError(f"the database is damaged ({_printable(str(state))})")


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
            record = self._input(number, text)
            if self._contents.add_input(record) != (text, chain):
                first = " (or the header before it)" if number == 1 else ""
                raise WrongContentError(f"it was edited at input {number}{first}")
            self._steps_of.append(step)

    @staticmethod
    def _input(number: int, text: str) -> Input:
        try:
            return decode_input(_json(text, f"input {number}"))
        except UsageError as error:
            raise WrongContentError(f"it was edited at input {number}: {error}") from error

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
            if (expected := head.get(name)).__class__ is int and expected != count:
                raise WrongContentError(f"it should have {expected} {name}, but has {count}")
        ended = decode_end(head.get("drawn", 0), head.get("state", ""), head.get("result"))
        contents.drawn, contents.state, contents.result = ended
        return text, chain


def _json(text: str, what: str) -> Json:
    try:
        data = read_json(text)
    except JsonError as error:
        raise WrongContentError(f"{what} cannot be read ({error})") from error
    if canonical_json(data) != text:
        raise WrongContentError(f"{what} is not in canonical form")
    return data
