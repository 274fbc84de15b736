"""The games of a simulation in a file: written as they end, so that an interrupted simulation goes on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from interpreter.language.diagnostics import UsageError
from interpreter.simulation.plan import GameRecord, SimulationPlan, read_record, record_line

LEDGER = ".jsonl"
TABLES = (".csv", ".parquet")
_FORM = "bicorne-games-1"


class Ledger:
    """A file of JSON lines: the plan, then a game a line, in the order in which they ended."""

    def __init__(self, path: Path, plan: SimulationPlan) -> None:
        self.path = path
        self._plan = plan
        self._file: IO[str] | None = None

    def read(self) -> dict[int, GameRecord]:
        """The games that are there already, by number; none if there is no file.

        A last line that a kill cut short is left out, and written over by what follows.

        Raises:
            UsageError: if the file is something else, or holds games of another plan.
        """
        if not self.path.exists():
            return {}
        lines = self.path.read_bytes().splitlines(keepends=True)
        whole = [each for each in lines if each.endswith(b"\n")]
        if not whole and self._head().encode().startswith(b"".join(lines)):
            self.path.write_bytes(b"")
            return {}
        self._check_plan(whole[0] if whole else b"")
        found: dict[int, GameRecord] = {}
        for number, line in enumerate(whole[1:], 2):
            try:
                record = read_record(line.decode())
            except (ValueError, UnicodeDecodeError) as error:
                raise UsageError(f"{self.path}:{number}: this line is no game: {error}") from error
            found[record.number] = record
        if len(whole) != len(lines):
            with self.path.open("rb+") as file:
                file.truncate(sum(map(len, whole)))
        return found

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Opens the file to add games.

        Raises:
            UsageError: if it can't be written.
        """
        try:
            new = not self.path.exists() or self.path.stat().st_size == 0
            with self.path.open("a", encoding="utf-8") as self._file:
                if new:
                    self._file.write(self._head() + "\n")
                yield
        except OSError as error:
            raise UsageError(f"{self.path} can't be written: {error.strerror}") from error
        finally:
            self._file = None

    def add(self, record: GameRecord) -> None:
        """Writes one game, for good."""
        assert self._file is not None
        self._file.write(record_line(record) + "\n")
        self._file.flush()

    def _head(self) -> str:
        return json.dumps({"form": _FORM, **self._plan.identity()}, ensure_ascii=False)

    def _check_plan(self, line: bytes) -> None:
        try:
            head = json.loads(line)
            form = head.pop("form")
        except (ValueError, KeyError, AttributeError, TypeError):
            form = None
        if form != _FORM:
            raise UsageError(f"{self.path} is there already, and is no file of simulated games; name another file")
        other = [key for key, value in self._plan.identity().items() if head.get(key) != json.loads(json.dumps(value))]
        if other:
            told = "; ".join(f"{key}: {head.get(key)} there, {self._plan.identity()[key]} now" for key in other)
            raise UsageError(f"{self.path} holds the games of another simulation ({told}); name another file")


def write_table(path: Path, records: Iterable[GameRecord]) -> None:
    """The games as a table, by number, in CSV or Parquet as the file's ending says; written whole or not at all.

    Raises:
        UsageError: if the extra is not installed, or the file can't be written.
    """
    arrow = table_library()
    rows = sorted(records)
    table = arrow.table(
        {
            "game": [each.number for each in rows],
            "finished": [each.winners is not None for each in rows],
            "winners": ["+".join(each.winners or ()) for each in rows],
            "reason": [each.reason for each in rows],
            "decisions": [each.decisions for each in rows],
            "state": [each.state for each in rows],
        }
    )
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.suffix == ".csv":
            from pyarrow import csv  # noqa: PLC0415 - an extra

            csv.write_csv(table, str(aside))
        else:
            from pyarrow import parquet  # noqa: PLC0415 - an extra

            parquet.write_table(table, str(aside))
        aside.replace(path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise UsageError(f"{path} can't be written: {error.strerror or error}") from error


def table_library() -> Any:
    """pyarrow, which writes the tables.

    Raises:
        UsageError: if it is not installed.
    """
    try:
        import pyarrow  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise UsageError("CSV and Parquet need the extra 'data': pip install 'bicorne[data]'") from error
    return pyarrow
