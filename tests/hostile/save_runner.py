"""Runs commands on a stranger's save in a process of their own, and compares its folder before and after.

`python tests/hostile/save_runner.py` prints the exit codes, time and memory of each case.
"""

from __future__ import annotations

import contextlib
import io
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attempt import peak_megabytes
from forked import LIMITS, ROOT, forked
from hostile_saves import READ, REFUSED, VICTIM, Case

from interpreter.cli.main import main as main_of_commands

NAME = "file:game.save?mode=memory&cache=shared"
"""The name of each save; SQLite would read it as the address of a database in memory."""
ENVIRONMENT = {"BICORNE_PATH": str(ROOT / "tests")}
SAVING = ["play", "craps/standard", "--seed", "1", "--quiet", "--turns", "1", "--save", "game.save"]
COMMANDS = (["replay", NAME], ["explain", NAME], ["resume", NAME, "--quiet", "--turns", "1"])


@dataclass(frozen=True)
class Outcome:
    """The exit codes of the commands, their messages, what they used, and which files changed."""

    codes: list[int]
    messages: list[str]
    seconds: float
    megabytes: float
    changed: list[str]


def attempt(folder: Path, case: Case) -> Outcome:
    """Runs every command on a save that a case has changed; they are stopped after 20 CPU seconds or at 1.5 GB."""
    path = folder / NAME
    path.write_bytes(_sound_save())
    case(path)
    (folder / VICTIM).write_text("precious\n")
    before = _listed(folder)
    found = forked(run_commands, folder=folder, environment=ENVIRONMENT)
    after = _listed(folder)
    changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    return Outcome(**found, changed=changed)


@lru_cache
def _sound_save() -> bytes:
    """Returns the save of a game in progress."""
    with TemporaryDirectory() as folder:
        forked(run_command, SAVING, folder=Path(folder), environment=ENVIRONMENT)
        return (Path(folder) / "game.save").read_bytes()


def _listed(folder: Path) -> dict[str, object]:
    """Returns what each name in a folder is: its type, size and content."""
    found: dict[str, object] = {}
    for each in folder.iterdir():
        status = each.lstat()
        plain = each.is_file() and not each.is_symlink() and status.st_size < LIMITS[resource.RLIMIT_FSIZE]
        found[each.name] = (status.st_mode, status.st_size, each.read_bytes() if plain else b"")
    return found


def run_commands() -> dict[str, Any]:
    """Runs the commands in this process; returns the fields of `Outcome` that it knows."""
    began = time.process_time()
    codes, messages = zip(*map(run_command, COMMANDS), strict=True)
    seconds = time.process_time() - began
    return {"codes": [*codes], "messages": [*messages], "seconds": seconds, "megabytes": peak_megabytes()}


def run_command(command: Sequence[str]) -> tuple[int, str]:
    """Runs a command in this process; returns its exit code and its messages."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        return main_of_commands(command), err.getvalue()


def main() -> None:
    """Prints the outcome of every case."""
    for name, case in {**REFUSED, **READ}.items():
        with TemporaryDirectory() as folder:
            found = attempt(Path(folder), case)
        print(f"{found.seconds:6.2f} s {found.megabytes:6.0f} MB  {found.codes} {found.changed} {name}")
        print(f"    {found.messages[0].strip()}", flush=True)


if __name__ == "__main__":
    main()
