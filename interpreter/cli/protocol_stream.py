"""The input and the messages of the language server: bounded input, and one line for each problem."""

from __future__ import annotations

import logging
from typing import BinaryIO, Final

from interpreter.cli.streams import write

MAX_MESSAGE_BYTES: Final = 64_000_000
MAX_HEADER_BYTES: Final = 1_000


class BoundedInput:
    """Binary input of messages; a message of more bytes than the limit ends it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.problem: str | None = None
        """Why the input was ended; none if it ended by itself."""

    def readline(self) -> bytes:
        """Returns a header, or a part of one that is too long to be of use."""
        return self._stream.readline(MAX_HEADER_BYTES)

    def read(self, size: int) -> bytes:
        """Returns the bytes of a message; nothing, as at the end of the input, if it is too large."""
        if size > MAX_MESSAGE_BYTES:
            self.problem = f"a message of the editor has {size:,} bytes; at most {MAX_MESSAGE_BYTES:,} are read"
            return b""
        return self._stream.read(size)


class ProblemLog(logging.Handler):
    """Writes the problems that the library of the protocol logs, each as one line on standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        """Writes the first line of a record and its exception."""
        text = record.getMessage().partition("\n")[0]
        error = record.exc_info[1] if record.exc_info else None
        write(f"language server: {text[:_MAX_TEXT]}{f' ({type(error).__name__})' if error else ''}", error=True)


_MAX_TEXT: Final = 200


def log_problems() -> None:
    """Sends what the library of the protocol logs to `ProblemLog`."""
    log = logging.getLogger("pygls")
    log.handlers, log.propagate = [ProblemLog(logging.WARNING)], False
    log.setLevel(logging.WARNING)
