"""Log files of games for replay: one JSON object a line, each with a digest of all lines before it."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from interpreter.language.diagnostics import UsageError
from interpreter.language.plain_files import read_plain
from interpreter.language.strict_json import JsonError, canonical_json, read_json
from interpreter.play.game import Game
from interpreter.play.records.owned_file import OwnedFile
from interpreter.play.records.recording import (
    Data,
    FinishedStep,
    Header,
    Recording,
    as_recorded,
    chain_digest,
    check_continued,
    decode_end,
    decode_input,
    is_count,
)

FORMAT = 2
"""The format of new files; a log of format 1, whose header has no fingerprint of the rules, is read too."""
READABLE_FORMATS = (1, 2)
MAX_LOG_BYTES: Final = 64_000_000
_WHAT: Final = "log"

Line = dict[str, Any]


class LogFile:
    """The log file of a game in progress, from `open`; a context manager that gives it up."""

    def __init__(self, file: OwnedFile) -> None:
        self._file = file

    @classmethod
    def open(cls, path: str | Path, game: Game) -> LogFile:
        """Creates the log of a game, or takes over an existing log of an earlier state of it.

        Raises:
            UsageError: if another file exists, or no file can be written.
        """
        target, now = Path(path), as_recorded(game).recording
        if not os.path.lexists(target):
            return cls(OwnedFile.create(_WHAT, target, log_text(now).encode()))
        content = read_plain(target, MAX_LOG_BYTES)
        try:
            check_continued(target, parse_log(target, content), now)
        except UsageError as error:
            raise UsageError(f"{error}\n{target} exists and is not overwritten; choose another path") from error
        return cls(OwnedFile.take(_WHAT, target, content))

    def __enter__(self) -> LogFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    def write(self, game: Game) -> None:
        """Writes the whole log of the game.

        Raises:
            UsageError: if something else has changed the file, or it can't be written.
        """
        self._file.replace(log_text(as_recorded(game).recording).encode())


def log_text(recording: Recording) -> str:
    """Returns a recording as the text of a log."""
    lines: list[Line] = [{"bicorne_log": FORMAT, "header": recording.header.data()}]
    done = 0
    for number, step in enumerate(recording.steps, 1):
        lines += [{"input": list(each)} for each in recording.inputs[done : step.inputs]]
        lines.append({"step": number, "path": step.path, "state": step.state})
        done = step.inputs
    lines += [{"input": list(each)} for each in recording.inputs[done:]]
    lines.append({"end": {"drawn": recording.drawn, "state": recording.state, "result": recording.result}})
    chain, texts = "", []
    for line in lines:
        chain = chain_digest(chain, canonical_json(line))
        texts.append(canonical_json(line | {"chain": chain}))
    return "\n".join(texts) + "\n"


def read_log(path: str | Path) -> Recording:
    """Returns the recording in a log, with every line verified.

    Raises:
        UsageError: if it is not a complete, unedited log; with the line.
    """
    target = Path(path)
    return parse_log(target, read_plain(target, MAX_LOG_BYTES))


def parse_log(path: Path, content: bytes) -> Recording:
    """Returns the recording in the bytes of a log, with every line verified.

    Raises:
        UsageError: if it is not a complete, unedited log; with the line.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{path} is not a Bicorne log: it is not text (line {number}, byte {error.start})") from error
    return _LogReader(path, text).read()


class _LogReader:
    """Reads a log line by line."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._lines = text.split("\n")
        self._chain = ""
        self._inputs: list[Any] = []
        self._steps: list[FinishedStep] = []

    def read(self) -> Recording:
        """Returns the recording."""
        header = self._header()
        for number in range(2, len(self._lines) + 1):
            line = self._line(number)
            match line:
                case {"input": list(record)} if len(line) == 1:
                    self._inputs.append(self._record(record, number))
                case {"step": count, "path": str(path), "state": str(state)} if len(line) == 3 and self._is_next(count):
                    self._steps.append(FinishedStep(path, len(self._inputs), state))
                case {"end": {"drawn": drawn, "state": state, "result": result}} if len(line) == 1:
                    ended = self._end(number, drawn, state, result)
                    return Recording(header, tuple(self._inputs), tuple(self._steps), *ended)
                case _:
                    raise self._error(number, "is neither an input, the next step nor the end")
        raise self._truncated()

    def _header(self) -> Header:
        try:
            first = read_json(self._lines[0])
        except JsonError:
            first = None
        found = first.get("bicorne_log") if isinstance(first, dict) else None
        if not self._lines[0].strip() and len(self._lines) == 1:
            raise UsageError(f"{self._path} is empty, not a Bicorne log")
        if first is None and len(self._lines) == 1 and self._lines[0].startswith('{"bicorne_log":'):
            raise UsageError(f"{self._path} is a truncated log: it ends within its first line")
        if not isinstance(found, int):
            raise UsageError(f"{self._path} is not a Bicorne log: its first line is not a log header")
        if found not in READABLE_FORMATS:
            raise UsageError(
                f"{self._path} is a log of format {found}; this engine reads formats {READABLE_FORMATS[0]} to {FORMAT}"
            )
        line = self._line(1)
        try:
            return Header.from_data(line.get("header"))
        except UsageError as error:
            raise self._error(1, f"was edited: {error}") from error

    def _line(self, number: int) -> Line:
        """Returns the data of a line without its digest, which is verified."""
        text = self._lines[number - 1]
        is_last = number == len(self._lines)
        if is_last:
            raise self._truncated()
        try:
            data: Any = read_json(text)
        except JsonError as error:
            where = f"column {error.column}: " if error.column else ""
            raise self._error(number, f"was edited: it cannot be read ({where}{error.reason})") from error
        if not isinstance(data, dict) or canonical_json(data) != text:
            raise self._error(number, "was edited: it is not in canonical form")
        chain = data.pop("chain", None)
        self._chain = chain_digest(self._chain, canonical_json(data))
        if chain != self._chain:
            raise self._error(number, "was edited, or a line before it was removed")
        return data

    def _record(self, record: list[Any], number: int) -> Any:
        try:
            return decode_input(record)
        except UsageError as error:
            raise self._error(number, f"was edited: {error}") from error

    def _is_next(self, count: object) -> bool:
        return is_count(count) and count == len(self._steps) + 1

    def _end(self, number: int, *parts: object) -> tuple[int, str, Data | None]:
        if self._lines[number:] != [""]:
            raise self._error(number + 1, "follows the end of the log")
        try:
            return decode_end(*parts)
        except UsageError as error:
            raise self._error(number, f"was edited: {error}") from error

    def _truncated(self) -> UsageError:
        return self._error(len(self._lines), "is missing: the log is truncated")

    def _error(self, number: int, what: str) -> UsageError:
        return UsageError(f"{self._path}:{number}: line {number} {what}")
