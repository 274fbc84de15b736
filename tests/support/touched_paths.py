"""Notes which paths this process opens, lists or asks the system about."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

_OPENING = frozenset({"open", "os.listdir", "os.scandir", "sqlite3.connect"})
_LISTENERS: list[set[str]] = []


def _on_event(event: str, arguments: tuple[Any, ...]) -> None:
    if _LISTENERS and event in _OPENING and isinstance(arguments[0], str | bytes | os.PathLike):
        for each in _LISTENERS:
            each.add(os.fsdecode(arguments[0]))


sys.addaudithook(_on_event)


class TouchedPaths:
    """The paths that were `opened` or listed, and those the system was `asked` about: whether and what they are."""

    def __init__(self) -> None:
        self.opened: set[str] = set()
        self.asked: set[str] = set()

    def opened_in(self, folder: Path) -> list[str]:
        """Returns what was opened or listed in a folder, whatever links led there."""
        return [each for each in self.opened if Path(each).resolve().is_relative_to(folder.resolve())]

    def names_of(self, word: str) -> list[str]:
        """Returns the touched paths that contain a word."""
        return [each for each in self.opened | self.asked if word in each]


@contextmanager
def touched_paths() -> Iterator[TouchedPaths]:
    """Yields what this process touches within the block."""
    found = TouchedPaths()
    stat, lstat = os.stat, os.lstat

    def asked(call: Any) -> Any:
        def noting(path: Any, *arguments: Any, **named: Any) -> Any:
            if isinstance(path, str | bytes | os.PathLike):
                found.asked.add(os.fsdecode(path))
            return call(path, *arguments, **named)

        return noting

    _LISTENERS.append(found.opened)
    try:
        with patch("os.stat", asked(stat)), patch("os.lstat", asked(lstat)):
            yield found
    finally:
        _LISTENERS.remove(found.opened)
