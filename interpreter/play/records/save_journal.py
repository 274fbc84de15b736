"""The rollback journal that an interrupted write of an earlier engine left beside a save.

Such an engine wrote into its saves in place. Only a save that is not intact by itself is rolled back, and only in a
private copy: a journal may name a further file, which SQLite would delete.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from interpreter.language.diagnostics import UsageError
from interpreter.language.plain_files import read_plain
from interpreter.play.records.save_database import MAX_SAVE_BYTES

_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")
"""The first bytes of a journal; also the last ones, if it ends with the name of a super-journal."""
_NOT_SYNCED: Final = bytes(len(_MAGIC))
"""The first bytes of a journal before it is needed."""


def roll_back(path: Path, image: bytes) -> bytes | None:
    """Returns the bytes of a save as before the interrupted write; none if there was none."""
    journal = _own_journal(path)
    if journal is None:
        return None
    with TemporaryDirectory(prefix="bicorne-") as folder:
        copy = Path(folder) / "save"
        copy.write_bytes(image)
        copy.with_name("save-journal").write_bytes(journal)
        try:
            with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
                connection.execute("BEGIN IMMEDIATE")  # rolls back, and reads nothing of the schema
                connection.execute("ROLLBACK")
            return read_plain(copy, MAX_SAVE_BYTES)
        except (sqlite3.Error, UsageError):
            return None


def remove_journal(path: Path) -> None:
    """Removes the journal beside a save that is intact without it."""
    if _own_journal(path) is not None:
        with suppress(OSError):
            _beside(path).unlink()


def _own_journal(path: Path) -> bytes | None:
    """Returns the journal beside a save if SQLite can have left it for this save alone."""
    if _beside(path).is_symlink():
        return None
    try:
        content = read_plain(_beside(path), MAX_SAVE_BYTES)
    except UsageError:
        return None
    is_journal = content.startswith((_MAGIC, _NOT_SYNCED)) or not content
    return content if is_journal and not content.endswith(_MAGIC) else None


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}-journal")
