"""Saves of strangers, and what lies beside them, run nothing, change nothing else and are refused in bounded time.

`python tests/hostile/save_runner.py` measures each of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "hostile"))

from hostile_saves import READ, REFUSED
from save_runner import NAME, Outcome, attempt

MAX_MEGABYTES = 300
OK, USAGE = 0, 2


def outcome(name: str, folder: Path) -> Outcome:
    """Returns the outcome of a case; the process is killed after 20 CPU seconds or at 1.5 gigabytes."""
    found = attempt(folder, (REFUSED | READ)[name])
    assert found.megabytes < MAX_MEGABYTES, found
    assert all(len(message) < 2_000 and "Traceback" not in message for message in found.messages), found
    return found


@pytest.mark.parametrize("name", REFUSED)
def test_hostile_save_is_refused_and_nothing_changes(name: str, tmp_path: Path) -> None:
    """A save that is not one is refused by every command; it and all files beside it stay as they are."""
    found = outcome(name, tmp_path)
    assert (found.codes, found.changed) == ([USAGE] * 3, []), found


@pytest.mark.parametrize("name", READ)
def test_files_beside_a_save_do_nothing(name: str, tmp_path: Path) -> None:
    """A save that is sound is read and continued whatever lies beside it, and nothing but the save changes."""
    found = outcome(name, tmp_path)
    assert (found.codes, found.changed) == ([OK] * 3, [NAME]), found
