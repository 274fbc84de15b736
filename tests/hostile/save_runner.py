"""Runs commands on a stranger's save in a process of their own, and compares its folder before and after.

`python tests/hostile/save_runner.py` prints the exit codes, time and memory of each case.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from attempt import DEADLINE, MAX_CPU_SECONDS, MAX_MEMORY_BYTES, peak_megabytes
from hostile_saves import READ, REFUSED, VICTIM, Case

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NAME = "file:game.save?mode=memory&cache=shared"
"""The name of each save; SQLite would read it as the address of a database in memory."""
MAX_FILE_BYTES = 200_000_000
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "BICORNE_PATH": str(ROOT / "tests")}
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
    done = subprocess.run(
        [sys.executable, str(HERE / "save_runner.py"), "commands"],
        capture_output=True, text=True, env=ENVIRONMENT, cwd=folder, check=False, stdin=subprocess.DEVNULL,
        timeout=DEADLINE,
    )  # fmt: skip
    assert done.returncode == 0, f"ended with {done.returncode}: {done.stderr[-3_000:]}"
    after = _listed(folder)
    changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    return Outcome(**json.loads(done.stdout), changed=changed)


@lru_cache
def _sound_save() -> bytes:
    """Returns the save of a game in progress."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.save"
        command = [
            sys.executable,
            "-m",
            "interpreter",
            "play",
            "craps/standard",
            "--seed",
            "1",
            "--quiet",
            "--turns",
            "1",
        ]
        subprocess.run(
            [*command, "--save", str(path)], env=ENVIRONMENT, check=True, capture_output=True, timeout=DEADLINE
        )
        return path.read_bytes()


def _listed(folder: Path) -> dict[str, object]:
    """Returns what each name in a folder is: its type, size and content."""
    found: dict[str, object] = {}
    for each in folder.iterdir():
        status = each.lstat()
        plain = each.is_file() and not each.is_symlink() and status.st_size < MAX_FILE_BYTES
        found[each.name] = (status.st_mode, status.st_size, each.read_bytes() if plain else b"")
    return found


def _run_commands() -> None:
    """Runs the commands in this process under hard limits, and prints the outcome."""
    from interpreter.cli.main import main

    began = time.process_time()
    codes, messages = [], []
    for each in COMMANDS:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            codes.append(main(each))
        messages.append(err.getvalue())
    used = {"seconds": time.process_time() - began, "megabytes": peak_megabytes()}
    sys.stdout.write(json.dumps({"codes": codes, "messages": messages, **used}) + "\n")


def main() -> None:
    """Prints the outcome of every case."""
    for name, case in {**REFUSED, **READ}.items():
        with TemporaryDirectory() as folder:
            found = attempt(Path(folder), case)
        print(f"{found.seconds:6.2f} s {found.megabytes:6.0f} MB  {found.codes} {found.changed} {name}")
        print(f"    {found.messages[0].strip()}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["commands"]:
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, MAX_FILE_BYTES))
        _run_commands()
    else:
        main()
