"""Files of simulated games, written as games end, so that an interrupted simulation can be continued."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from interpreter.language.diagnostics import UsageError
from interpreter.language.plain_files import read_plain, replacing
from interpreter.language.strict_json import JsonError, read_json
from interpreter.simulation.plan import GameRecord, SimulationPlan, read_record, record_line

RESULTS_SUFFIX = ".jsonl"
TABLE_SUFFIXES = (".csv", ".parquet")
_FORMAT = "bicorne-games-1"
_MAX_BYTES: Final = 1 << 30
"""Some five million games."""


class ResultsFile:
    """A file of JSON lines: the plan, then one game of these seats per line, in the order in which they ended."""

    def __init__(self, path: Path, plan: SimulationPlan, seats: Container[str]) -> None:
        self.path = path
        self._plan, self._seats = plan, seats
        self._file: IO[str] | None = None

    def read(self) -> dict[int, GameRecord]:
        """Returns the games in the file by number; an empty dict if there is no file.

        An incomplete last line, left by a killed process, is removed from the file.

        Raises:
            UsageError: if the file is not a plain file or not a results file, or holds games of another plan.
        """
        if not self.path.exists():
            return {}
        lines = read_plain(self.path, _MAX_BYTES).splitlines(keepends=True)
        whole = [each for each in lines if each.endswith(b"\n")]
        if not whole and self._head().encode().startswith(b"".join(lines)):
            self.path.write_bytes(b"")
            return {}
        self._check_plan(whole[0] if whole else b"")
        found: dict[int, GameRecord] = {}
        for number, line in enumerate(whole[1:], 2):
            try:
                record = read_record(line, self._seats)
            except ValueError as error:
                raise UsageError(f"{self.path}:{number}: this line is not a game: {error}") from error
            found[record.number] = record
        if len(whole) != len(lines):
            with self.path.open("rb+") as file:
                file.truncate(sum(map(len, whole)))
        return found

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Keeps the file open for `add` within the block.

        Raises:
            UsageError: if it cannot be written.
        """
        try:
            new = not self.path.exists() or self.path.stat().st_size == 0
            with self.path.open("a", encoding="utf-8") as self._file:
                if new:
                    self._file.write(self._head() + "\n")
                yield
        except OSError as error:
            raise UsageError(f"{self.path} cannot be written: {error.strerror}") from error
        finally:
            self._file = None

    def add(self, record: GameRecord) -> None:
        """Appends one game and flushes it."""
        assert self._file is not None
        self._file.write(record_line(record) + "\n")
        self._file.flush()

    def _head(self) -> str:
        return json.dumps({"form": _FORMAT, **self._plan.identity()}, ensure_ascii=False)

    def _check_plan(self, line: bytes) -> None:
        try:
            head = read_json(line)
        except JsonError:
            head = None
        if not isinstance(head, dict) or head.get("form") != _FORMAT:
            raise UsageError(f"{self.path} exists and is not a simulation results file; choose another path")
        identity = self._plan.identity()
        changed = [key for key, value in identity.items() if head.get(key) != read_json(json.dumps(value))]
        if changed:
            differences = "; ".join(f"{key}: {head.get(key)} in the file, {identity[key]} now" for key in changed)
            raise UsageError(f"{self.path} holds games of another simulation ({differences}); choose another path")


def write_table(path: Path, records: Iterable[GameRecord]) -> None:
    """Writes the games as a table by number, as CSV or Parquet by the file's suffix; the file is replaced atomically.

    Raises:
        UsageError: if the extra is not installed, or the file cannot be written.
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
    try:
        with replacing(path) as new:
            if path.suffix == ".csv":
                from pyarrow import csv  # noqa: PLC0415 - an extra

                csv.write_csv(table, str(new))
            else:
                from pyarrow import parquet  # noqa: PLC0415 - an extra

                parquet.write_table(table, str(new))
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from error


def table_library() -> Any:
    """Returns the module pyarrow, which writes the tables.

    Raises:
        UsageError: if it is not installed.
    """
    try:
        import pyarrow  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise UsageError("CSV and Parquet need the extra 'data': pip install 'bicorne[data]'") from error
    return pyarrow
