"""Opens files that strangers may have made: only plain files, and never more bytes than a limit. Replaces files.

What is opened is checked on its descriptor, so that nothing can be put in its place in between. A named pipe or a
device is refused before anything waits for it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from interpreter.language.diagnostics import UsageError

_FLAGS: Final = os.O_RDONLY | sum(getattr(os, each, 0) for each in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"))
_INHERITED: Final = re.compile(r"/dev/stdin|(/dev|/proc/self)/fd/[0-9]+", re.ASCII)
"""The paths of what the shell has opened for this process: its standard input, and `<(…)`."""
_KINDS: Final = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


_CREATE_FLAGS: Final = (
    os.O_WRONLY | os.O_CREAT | os.O_EXCL | sum(getattr(os, each, 0) for each in ("O_CLOEXEC", "O_BINARY"))
)
_MAX_PREFIX: Final = 40
"""How many characters of the name of a file are in the name of its replacement."""


class TooLargeError(UsageError):
    """A file has more bytes than are read."""


def open_plain(path: str | Path) -> BinaryIO:
    """Opens a plain file for reading.

    Raises:
        UsageError: if there is no such file, it is not a plain file, or it can't be read.
    """
    try:
        _require_plain(path, Path(path).stat())
        handle = os.open(path, _FLAGS)
        try:
            _require_plain(path, os.fstat(handle))
            return os.fdopen(handle, "rb")
        except BaseException:
            os.close(handle)
            raise
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError(f"there is no file {path}") from error
    except (OSError, ValueError) as error:  # `ValueError` for a path that holds a NUL or can't be encoded
        raise UsageError(f"{path} can't be read: {getattr(error, 'strerror', None) or error}") from error


def read_plain(path: str | Path, limit: int) -> bytes:
    """Returns the bytes of a plain file.

    Raises:
        UsageError: as `open_plain`.
        TooLargeError: if it has more than `limit` bytes.
    """
    with open_plain(path) as file:
        return _read(file, path, limit)


def read_start(path: str | Path, count: int) -> bytes:
    """Returns the first bytes of a plain file, however large it is.

    Raises:
        UsageError: as `open_plain`.
    """
    with open_plain(path) as file:
        return _bytes(file, path, count)


def read_named(path: str | Path, limit: int) -> bytes:
    """Returns the bytes of a file that the user has named, which may also be what a shell has opened for it: `<(…)`.

    Raises:
        UsageError: as `open_plain`.
        TooLargeError: if it has more than `limit` bytes.
    """
    if _INHERITED.fullmatch(str(path)) is None:
        return read_plain(path, limit)
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as `open_plain`, whatever type the path has
            return _read(file, path, limit)
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror or error}") from error


def create_beside(path: Path, mode: int = 0o600) -> tuple[Path, int]:
    """Creates a file beside `path` that is to take its name; returns its path, and a descriptor to write to it.

    Its name, which `is_beside` recognizes, is one that nobody can have taken before, not even for a link.
    """
    new = path.with_name(f"{_prefix(path)}{os.urandom(8).hex()}.new")
    return new, os.open(new, _CREATE_FLAGS, mode)


def is_beside(path: Path, name: str) -> bool:
    """Whether a file of this name beside `path` may be one of `create_beside`."""
    return re.fullmatch(rf"{re.escape(_prefix(path))}[a-z0-9_]+\.new", name) is not None


def _prefix(path: Path) -> str:
    return f".{path.name[:_MAX_PREFIX]}."


def check_writable(path: Path) -> None:
    """Checks that a file can be written: that it is new or a plain file, and that its folder takes files.

    Raises:
        UsageError: if it can't be written.
    """
    folder = path.absolute().parent
    try:
        if not folder.is_dir():
            raise UsageError(f"{path} can't be written: there is no folder {folder}")
        if path.exists():
            _require_plain(path, path.stat())
        new, handle = create_beside(path)
        os.close(handle)
        new.unlink()
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror or error}") from error


def check_new(path: Path) -> None:
    """Checks that a file is new and can be written.

    Raises:
        UsageError: if it exists, or can't be written.
    """
    check_writable(path)
    if os.path.lexists(path):
        raise UsageError(f"{path} exists; choose another path")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yields a new file beside `path` that takes its name at the end of the block; after an error nothing is changed.

    The new file is one of `create_beside`.
    """
    new, handle = create_beside(path, 0o666)
    os.close(handle)
    try:
        yield new
        if path.is_file():
            new.chmod(stat.S_IMODE(path.stat().st_mode))
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def _read(file: BinaryIO, path: str | Path, limit: int) -> bytes:
    content = _bytes(file, path, limit + 1)
    if len(content) > limit:
        raise TooLargeError(f"{path} is larger than {limit:,} bytes")
    return content


def _bytes(file: BinaryIO, path: str | Path, count: int) -> bytes:
    try:
        return file.read(count) or b""  # `None` for a file that would have to be waited for
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror or error}") from error


def _require_plain(path: str | Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        what = _KINDS.get(stat.S_IFMT(status.st_mode), "something else")
        raise UsageError(f"{path} is {what}, not a file")
