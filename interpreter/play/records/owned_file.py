"""Files that one session owns: locked against other sessions, and only ever replaced as a whole.

Whoever reads such a file, at any moment or after a kill, finds one whole content. The lock is the operating system's
and ends with the process. It is on the file itself: a replacement is locked before it gets the name. Where the file
system has no locks, a session still notices a file that is not as it left it.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from io import FileIO
from pathlib import Path
from typing import Final

from interpreter.language.diagnostics import UsageError
from interpreter.language.plain_files import create_beside, is_beside

if sys.platform != "win32":
    import fcntl

_FLAGS: Final = os.O_RDWR | sum(getattr(os, each, 0) for each in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"))
_NOT_LINKS: Final = getattr(os, "O_NOFOLLOW", 0)
_COMPARED_BYTES = 16
_TRIES = 10


class OwnedFile:
    """A file of this session, from `create` or `take`. `what` names it in messages: `save`, `log`."""

    def __init__(self, what: str, path: Path, file: FileIO, content: bytes) -> None:
        self.path = path
        self.content = content
        """What was written last."""
        self._what = what
        self._file = file
        self._status = os.fstat(file.fileno())

    @classmethod
    def create(cls, what: str, path: Path, content: bytes) -> OwnedFile:
        """Creates a file with its first content; left-overs of killed sessions beside it are removed.

        Raises:
            UsageError: if the file exists, or can't be written.
        """
        target = path.absolute()
        with _reported(what, path):
            _remove_leftovers(target, content)
            temporary, file = _write_beside(target, content)
            try:
                _name_new(temporary, target)
            except BaseException:
                file.close()
                raise
            finally:
                temporary.unlink(missing_ok=True)
            _sync_folder(target.parent)
        return cls(what, target, file, content)

    @classmethod
    def take(cls, what: str, path: Path, content: bytes) -> OwnedFile:
        """Takes over a file with this content; left-overs of killed sessions beside it are removed.

        Raises:
            UsageError: if another session has it, which is named; if it has another content; if it can't be written.
        """
        target = path.resolve()
        with _reported(what, path):
            file = _locked(target, path)
            _remove_leftovers(target, content, os.fstat(file.fileno()))
            found = file.read(len(content) + 1)
        if found != content:
            file.close()
            raise UsageError(f"{path} has changed since it was read; try again")
        return cls(what, target, file, content)

    def replace(self, content: bytes) -> None:
        """Replaces the content; after an error the file has the old one. A file that is gone is written anew.

        Raises:
            UsageError: if something else has changed the file, which is then left alone, or it can't be written.
        """
        with _reported(self._what, self.path):
            self._check_unchanged()
            temporary, file = _write_beside(self.path, content, like=os.fstat(self._file.fileno()))
            try:
                temporary.replace(self.path)
            except BaseException:
                file.close()
                temporary.unlink(missing_ok=True)
                raise
            self._file.close()
            self._file, self.content, self._status = file, content, os.fstat(file.fileno())
            _sync_folder(self.path.parent)

    def close(self) -> None:
        """Gives the file up."""
        self._file.close()

    def _check_unchanged(self) -> None:
        try:
            now = self.path.stat(follow_symlinks=False)
        except FileNotFoundError:
            return
        if _stamp(now) != _stamp(self._status) and not (
            stat.S_ISREG(now.st_mode) and now.st_size == len(self.content) and self.path.read_bytes() == self.content
        ):
            raise UsageError(f"{self.path} was changed by something else during this game, and is not overwritten")


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


@contextmanager
def _reported(what: str, path: Path) -> Iterator[None]:
    """Reports what the system refuses."""
    try:
        yield
    except FileExistsError as error:
        raise UsageError(f"{path} exists; choose another path") from error
    except (OSError, ValueError) as error:  # `ValueError` for a path that holds a NUL or can't be encoded
        raise UsageError(f"cannot write the {what} {path}: {getattr(error, 'strerror', None) or error}") from error


# ---------------------------------------------------------------- writing
def _write_beside(target: Path, content: bytes, like: os.stat_result | None = None) -> tuple[Path, FileIO]:
    """Writes a content to a new locked file beside `target`, with owner and mode of `like`; returns its name too."""
    temporary, handle = create_beside(target)
    file = FileIO(handle, "w")
    try:
        _lock(file)
        remaining = memoryview(content)
        while remaining:
            remaining = remaining[file.write(remaining) :]
        if like is not None:
            _copy_owner(like, temporary, file)
        os.fsync(handle)
    except BaseException:
        file.close()
        temporary.unlink(missing_ok=True)
        raise
    return temporary, file


def _copy_owner(like: os.stat_result, temporary: Path, file: FileIO) -> None:
    if sys.platform != "win32":
        if _owner(like) != _owner(os.fstat(file.fileno())):
            with suppress(OSError):  # only an administrator may give a file away
                os.fchown(file.fileno(), *_owner(like))
        temporary.chmod(stat.S_IMODE(like.st_mode))


def _owner(status: os.stat_result) -> tuple[int, int]:
    return status.st_uid, status.st_gid


def _name_new(temporary: Path, target: Path) -> None:
    """Gives a file its name, which must be new."""
    try:
        target.hardlink_to(temporary)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(target):
            raise FileExistsError(f"{target} exists") from None
        temporary.replace(target)


def _sync_folder(folder: Path) -> None:
    """Flushes the names in a folder to the disk."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove_leftovers(target: Path, content: bytes, own: os.stat_result | None = None) -> None:
    """Removes what a killed session left beside a file: replacements that begin like `content` and have no owner."""
    for each in target.parent.iterdir():
        if is_beside(target, each.name):
            with suppress(OSError), FileIO(os.open(each, _FLAGS | _NOT_LINKS), "r+") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode) or not content.startswith(file.read(_COMPARED_BYTES)):
                    continue
                if own is None or not os.path.samestat(status, own):
                    _lock(file)
                each.unlink()


# ---------------------------------------------------------------- locks
def _lock(file: FileIO) -> None:
    """Locks a file.

    Raises:
        BlockingIOError: if another session has the lock.
    """
    if sys.platform != "win32":
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:  # a file system without locks
            return


def _locked(target: Path, path: Path) -> FileIO:
    """Opens and locks the plain file that has this name."""
    for _ in range(_TRIES):
        with ExitStack() as opened:
            file = opened.enter_context(FileIO(os.open(target, _FLAGS), "r+"))
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise UsageError(f"{path} is not a plain file")
            try:
                _lock(file)
            except BlockingIOError as error:
                raise UsageError(
                    f"{path} is in use by another session{_holder(status)}; end that session, or play on a copy"
                ) from error
            if os.path.samestat(status, target.stat()):  # else it was replaced between opening and locking
                opened.pop_all()
                return file
    raise UsageError(f"{path} is in use by another program")


def _holder(status: os.stat_result) -> str:
    """Returns in words which process has locked a file and since when it runs, where the system says so."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            _, sort, _, _, process, inode, *_ = line.split()
            if sort == "FLOCK" and inode.rpartition(":")[2] == str(status.st_ino) and int(process) > 0:
                return f" (process {process}{_start(int(process))})"
    return ""


def _start(process: int) -> str:
    """Returns in words since when a process runs."""
    with suppress(OSError, ValueError, IndexError):
        ticks = int(Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19])
        lines = Path("/proc/stat").read_text(encoding="ascii").splitlines()
        [boot] = [int(each.split()[1]) for each in lines if each.startswith("btime ")]
        start = datetime.fromtimestamp(boot + ticks // os.sysconf("SC_CLK_TCK"))
        return f", since {start:%Y-%m-%d %H:%M:%S}"
    return ""
