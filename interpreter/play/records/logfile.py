"""Log files of games for replay: one JSON object a line, each with a digest of all lines before it."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from interpreter.language.diagnostics import UsageError
from interpreter.play.game import Game
from interpreter.play.inputs.dice import MAX_DRAWN_WORDS
from interpreter.play.records.recording import (
    FinishedStep,
    Header,
    Recording,
    as_recorded,
    canonical_json,
    chain_digest,
    decode_record,
)

FORMAT = 2
"""The format of new files; a log of format 1, whose header has no fingerprint of the rules, is read too."""
READABLE_FORMATS = (1, 2)

Line = dict[str, Any]


def write_log(path: str | Path, game: Game) -> None:
    """Writes the whole log of a game, and replaces an existing log.

    Raises:
        UsageError: if the existing file is not a log, or no file can be written.
    """
    target = Path(path)
    if target.exists() and target.stat().st_size and not _is_log(target):
        raise UsageError(f"{target} exists and is not a log; choose another path")
    text = log_text(as_recorded(game).recording)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".new", dir=target.parent)
        temporary = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write the log {target}: {error.strerror or error}") from error


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
    try:
        content = target.read_bytes()
        text = content.decode("utf-8")
    except OSError as error:
        raise UsageError(f"cannot read the log {target}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{target} is not a Bicorne log: it is not text (line {number}, byte {error.start})"
        ) from error
    return _LogReader(target, text).read()


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
                case {"step": int(count), "path": str(path), "state": str(state)} if count == len(self._steps) + 1:
                    self._steps.append(FinishedStep(path, len(self._inputs), state))
                case {"end": {"drawn": int(drawn), "state": str(state), "result": result}} if (
                    0 <= drawn <= MAX_DRAWN_WORDS
                ):
                    self._check_end(number)
                    return Recording(header, tuple(self._inputs), tuple(self._steps), drawn, state, result)
                case _:
                    raise self._error(number, "is neither an input, the next step nor the end")
        raise self._truncated()

    def _header(self) -> Header:
        try:
            first = json.loads(self._lines[0])
        except (ValueError, RecursionError):
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
            raise self._error(1, str(error)) from error

    def _line(self, number: int) -> Line:
        """Returns the data of a line without its digest, which is verified."""
        text = self._lines[number - 1]
        is_last = number == len(self._lines)
        if is_last:
            raise self._truncated()
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self._error(number, "was edited: it cannot be read") from error
        if not isinstance(data, dict) or canonical_json(data) != text:
            raise self._error(number, "was edited: it is not in canonical form")
        chain = data.pop("chain", None)
        self._chain = chain_digest(self._chain, canonical_json(data))
        if chain != self._chain:
            raise self._error(number, "was edited, or a line before it was removed")
        return data

    def _record(self, record: list[Any], number: int) -> Any:
        try:
            return decode_record(record)
        except UsageError as error:
            raise self._error(number, str(error)) from error

    def _check_end(self, number: int) -> None:
        if self._lines[number:] != [""]:
            raise self._error(number + 1, "follows the end of the log")

    def _truncated(self) -> UsageError:
        return self._error(len(self._lines), "is missing: the log is truncated")

    def _error(self, number: int, what: str) -> UsageError:
        return UsageError(f"{self._path}:{number}: line {number} {what}")


def _is_log(path: Path) -> bool:
    with path.open("rb") as file:
        return b'"bicorne_log"' in file.readline(1_000_000)
