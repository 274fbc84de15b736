"""The three standard streams; every text of `bicorne` passes through this module and leaves it with visible controls.

No other module writes to a stream, prompts or makes a console of Rich (`tests/test_rooms.py` checks that), so that no
text of a file, argument or folder can control the terminal (see `language/visible_text.py`).
"""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from shutil import get_terminal_size
from threading import Timer
from types import ModuleType
from typing import IO, TYPE_CHECKING, Any, BinaryIO, TypeVar

from interpreter.language.visible_text import visible, visible_json

if TYPE_CHECKING:
    from rich.console import Console as RichConsole

    from interpreter.console.coloured_text import ColouredText

Item = TypeVar("Item")
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"
_ERASE_LINE = "\x1b[1A\x1b[2K"
_BLANK_SCREEN = "\n" * 60


class _ClosedOutput(io.TextIOBase):
    """Standard output that was closed before the program began; each text for it is an error, none is lost quietly."""

    def write(self, _text: str) -> int:
        """Raises the error of a closed file."""
        raise OSError(errno.EBADF, "standard output is closed")


def open_streams() -> None:
    """Prepares the streams: closed ones are replaced, and text that they can't encode or decode is no error."""
    for number in range(3):
        with suppress(OSError):
            _open_descriptor(number)
    if sys.stdin is None:
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    if sys.stdout is None:
        sys.stdout = _ClosedOutput()
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "backslashreplace")):
        _set_errors(stream, errors)
    _set_errors(sys.stderr, "backslashreplace")


def _open_descriptor(number: int) -> None:
    """Opens the null device under a closed descriptor, so that no file of the program gets its number."""
    try:
        os.fstat(number)
    except OSError:
        opened = os.open(os.devnull, os.O_RDWR)
        if opened != number:
            os.dup2(opened, number)
            os.close(opened)
        os.set_inheritable(number, True)


def _set_errors(stream: object, errors: str) -> None:
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors=errors)


# ---------------------------------------------------------------- text out
def write(text: str, style: str | None = None, *, error: bool = False, end: str = "\n") -> None:
    """Writes a text to standard output, or to standard error, with a style of Rich if the stream is a terminal.

    Raises:
        OSError: if the stream is closed or full.
    """
    shown = visible(text)
    if style is not None and is_terminal(error=error):
        rich_console(error=error).print(
            shown, style=style, markup=False, emoji=False, highlight=False, soft_wrap=True, end=end
        )
    else:
        print(shown, file=_stream(error=error), end=end)


def write_coloured(text: ColouredText) -> None:
    """Writes a text to standard output, with its colours if that is a terminal.

    Raises:
        OSError: if the stream is closed or full.
    """
    if not is_terminal():
        write(str(text))
        return
    from rich.text import Text  # noqa: PLC0415 - only a terminal needs it

    shown = Text.assemble(*[(visible(part), colour or "") for part, colour in text.parts])
    rich_console(error=False).print(shown, soft_wrap=True)


def write_json(data: Any, indent: int | None = None) -> None:
    """Writes a JSON document to standard output, in ASCII if the stream lacks characters of Unicode.

    Raises:
        OSError: if the stream is closed or full.
    """
    encoding = str(getattr(sys.stdout, "encoding", None) or "utf-8")
    text = json.dumps(data, ensure_ascii=not encoding.lower().startswith("utf"), indent=indent)
    print(visible_json(text), flush=indent is None)


def is_terminal(*, error: bool = False) -> bool:
    """Whether standard output, or standard error, is a terminal."""
    return _stream(error=error).isatty()


def terminal_size(*, error: bool = False) -> tuple[int, int] | None:
    """Returns the columns and lines of the terminal; none if standard output, or standard error, is not one."""
    if not is_terminal(error=error):
        return None
    columns, lines = get_terminal_size()
    return columns, lines


def clear_screen() -> None:
    """Removes everything from the screen of a terminal, or pushes it out of sight."""
    print(_CLEAR if is_terminal() else _BLANK_SCREEN, end="")


def erase_line() -> None:
    """Removes the line above the cursor from the screen of a terminal."""
    if is_terminal():
        print(_ERASE_LINE, end="", flush=True)


def flush_output() -> None:
    """Flushes standard output.

    Raises:
        OSError: if it is full, or nobody reads it.
    """
    sys.stdout.flush()


def discard_broken_output() -> None:
    """Redirects broken streams to the null device, so that Python does not fail when it flushes them at exit."""
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                devnull = os.open(os.devnull, os.O_WRONLY)
                os.dup2(devnull, stream.fileno() if stream.fileno() > 2 else number)


def _stream(*, error: bool) -> IO[str]:
    return sys.stderr if error else sys.stdout


# ---------------------------------------------------------------- text in
def input_is_terminal() -> bool:
    """Whether standard input is a terminal."""
    return sys.stdin.isatty()


def read_line(prompt: str) -> str | None:
    """Returns a typed line, or none at the end of the input; a byte that is not UTF-8 becomes a lone surrogate."""
    try:
        return input(visible(prompt))
    except EOFError:
        return None


def readline_module() -> ModuleType | None:
    """Returns the `readline` module, if there is a terminal and the platform has it."""
    if not (input_is_terminal() and is_terminal()):
        return None
    try:
        import readline  # noqa: PLC0415 - not on every platform
    except ImportError:
        return None
    return readline


# ---------------------------------------------------------------- progress
def rich_console(*, error: bool) -> RichConsole:
    """Returns the Rich console of standard output or standard error."""
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it

    return Console(stderr=error, soft_wrap=True)


def with_progress(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Yields the items and shows a progress bar on standard error."""
    from rich.markup import escape  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import Progress  # noqa: PLC0415 - as above

    with Progress(console=rich_console(error=True), transient=True) as bar:
        task = bar.add_task(escape(visible(what)), total=total)
        for item in items:
            yield item
            bar.advance(task)


@contextmanager
def with_status(what: str) -> Iterator[None]:
    """Shows what is being done, on standard error."""
    from rich.text import Text  # noqa: PLC0415 - only a terminal needs it

    with rich_console(error=True).status(Text(visible(what))):
        yield


@contextmanager
def with_late_status(what: str, after: float) -> Iterator[None]:
    """Shows what is being done, on standard error, if it takes longer than `after` seconds."""
    shown = ExitStack()
    timer = Timer(after, lambda: shown.enter_context(with_status(what)))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        shown.close()


def raw_input() -> BinaryIO:
    """Returns standard input for the bytes of a protocol."""
    return sys.stdin.buffer


def raw_output() -> BinaryIO:
    """Returns standard output for the bytes of a protocol.

    Raises:
        OSError: if it is closed.
    """
    return os.fdopen(os.dup(sys.stdout.fileno()), "wb")
