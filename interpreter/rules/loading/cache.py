"""Caches compiled rulesets in a folder that only its user can write to.

An entry is a digest and a payload; an entry with a wrong digest is ignored and rewritten. So is one that is too large,
or that others own, could write to or have linked here, whatever the folder allows today. The entries that were used
least recently are removed when there are too many. `BICORNE_CACHE` names another folder, from the root, or is `off`.
"""

from __future__ import annotations

import os
import stat
import sys
import warnings
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Final

from interpreter.rules.documents.package_data import engine_version

CACHE_VARIABLE: Final = "BICORNE_CACHE"
MAX_ENTRY_BYTES: Final = 64_000_000
"""Larger entries are neither written nor read; those of the largest ruleset of this project have 4 million bytes."""
MAX_FOLDER_BYTES: Final = 1_000_000_000
"""Above this, the entries that were used least recently are removed."""
_DIGEST_BYTES: Final = 32
_KEY_DIGITS: Final = 64
_ENTRY_FLAGS: Final = os.O_RDONLY | sum(
    getattr(os, each, 0) for each in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
)
_PACKAGE: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder with one file per entry, named by its key."""

    folder: Path

    def read(self, key: str) -> bytes | None:
        """Returns the payload of an entry; `None` if it is missing, damaged, too large or others may have made it."""
        path = self.folder / key
        try:
            with os.fdopen(os.open(path, _ENTRY_FLAGS), "rb") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1 or not _is_own(status):
                    _warn(f"{path} is not used: others own it or can write to it; delete the folder {self.folder}")
                    return None
                content = file.read(MAX_ENTRY_BYTES + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            _warn(f"{path} can't be read ({error.strerror}); it is compiled again")
            return None
        if len(content) > MAX_ENTRY_BYTES:
            return None
        payload = content[_DIGEST_BYTES:]
        return payload if content[:_DIGEST_BYTES] == _digest(key, payload) else None

    def write(self, key: str, payload: bytes) -> None:
        """Writes an entry atomically, readable by its user only; one that is too large is not written."""
        import tempfile  # noqa: PLC0415 - imports a lot, and most starts only read

        if _DIGEST_BYTES + len(payload) > MAX_ENTRY_BYTES:
            return
        try:
            handle, name = tempfile.mkstemp(dir=self.folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_digest(key, payload) + payload)
                Path(name).replace(self.folder / key)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError as error:
            _warn(f"nothing can be written to {self.folder} ({error.strerror})")
        _trim_once(self.folder)


def open_cache() -> Cache | None:
    """Returns the cache, and creates its folder if needed; `None` if it is off, or others can reach into the folder."""
    setting = os.environ.get(CACHE_VARIABLE, "")
    if setting == "off":
        return None
    folder = Path(setting) if setting else _usual_folder()
    if not folder.is_absolute():
        _warn(f"{folder} is not used: give the whole path of the folder, so that no folder you work in takes its place")
        return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
    except OSError as error:
        _warn(f"{folder} can't be used ({error.strerror})")
        return None
    if not stat.S_ISDIR(status.st_mode) or not _is_own(status):
        _warn(
            f"{folder} is not used: others own it or can write to it, and may have put code there; delete it, or set"
            f" {CACHE_VARIABLE} to a folder of your own"
        )
        return None
    if (link := _link_of_others(folder)) is not None:
        _warn(f"{folder} is not used: {link} is a link that others own; set {CACHE_VARIABLE} to a folder of your own")
        return None
    return Cache(folder)


@lru_cache
def _trim_once(folder: Path) -> None:
    """Trims a folder, once in a process; another one may do so at the same time."""
    with suppress(OSError):
        trim(folder, MAX_FOLDER_BYTES)


def trim(folder: Path, limit: int) -> None:
    """Removes entries until a folder has at most this number of bytes, the least recently used first.

    Other files in the folder stay.
    """
    entries = [
        (max(status.st_atime, status.st_mtime), status.st_size, each.path)
        for each in os.scandir(folder)
        if _is_key(each.name) and stat.S_ISREG((status := each.stat(follow_symlinks=False)).st_mode)
    ]
    excess = sum(size for _, size, _ in entries) - limit
    for _, size, path in sorted(entries):
        if excess <= 0:
            break
        Path(path).unlink(missing_ok=True)
        excess -= size


def _is_key(name: str) -> bool:
    return len(name) == _KEY_DIGITS and all(each in "0123456789abcdef" for each in name)


def _usual_folder() -> Path:
    from platformdirs import user_cache_path  # noqa: PLC0415 - not needed if the folder is set

    return user_cache_path("bicorne", appauthor=False)


def _is_own(status: os.stat_result) -> bool:
    """Whether only the user can write; assumed on systems without these permissions."""
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _link_of_others(folder: Path) -> Path | None:
    """Returns a link on the way to a folder that neither the user nor the system owns; it could lead anywhere."""
    waiting = [folder]
    while hasattr(os, "getuid") and waiting:
        path = waiting.pop()
        for each in (path, *path.parents):
            if each.is_symlink():
                if each.lstat().st_uid not in (0, os.getuid()):
                    return each
                waiting.append(each.parent / each.readlink())
    return None


def _warn(message: str) -> None:
    warnings.warn(f"the cache: {message}", stacklevel=3)


def _digest(key: str, payload: bytes) -> bytes:
    """Returns a digest over an entry and its key, so that no entry is taken for another."""
    return blake2b(key.encode() + b"\0" + payload, digest_size=_DIGEST_BYTES).digest()


def cache_key(*parts: str) -> str:
    """Returns the key of an entry: a digest over the parts, this engine and this Python."""
    total = sha256("\0".join((*parts, engine_stamp())).encode("utf-8", "surrogatepass"))
    return total.hexdigest()


@lru_cache
def engine_stamp() -> str:
    """Returns a digest over the engine: its version, its sources (by size and time), and the Python that runs it."""
    total = sha256(f"{engine_version()}\0{sys.version}\0{sys.implementation.cache_tag}".encode())
    for path in sorted(_sources((_PACKAGE / "language", _PACKAGE / "rules"))):
        status = path.stat()
        total.update(f"{path.relative_to(_PACKAGE)}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return total.hexdigest()


def _sources(folders: Iterable[Path]) -> Iterable[Path]:
    return (each for folder in folders for each in folder.rglob("*") if each.suffix in (".py", ".lark", ".json"))
