"""Loads and plays documents in a process of its own.

`python tests/hostile/runner.py` prints the time and memory of each case, slowest first: these are measured, not tested.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attempt import attempt as attempt_here
from cases import FAULTS, HARMLESS, REFUSED, Files
from forked import forked


def attempt(folder: Path, documents: Files) -> dict[str, Any]:
    """Loads and plays documents in a process under hard limits; returns what `attempt.attempt` finds."""
    ruleset = folder / "hostile"
    ruleset.mkdir()
    for name, content in documents.items():
        (ruleset / name).write_bytes(content)
    environment = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    found: dict[str, Any] = forked(attempt_here, ruleset, folder=folder, environment=environment)
    return found


def main() -> None:
    """Prints the CPU seconds, the memory and the outcome of every case."""
    rows = []
    for name, documents in {**REFUSED, **FAULTS, **HARMLESS}.items():
        with TemporaryDirectory() as folder:
            found = attempt(Path(folder), documents)
        rows.append((found["seconds"], found["megabytes"], name, found["outcome"]))
    for seconds, megabytes, name, outcome in sorted(rows, reverse=True):
        sys.stdout.write(f"{seconds:6.2f} s {megabytes:6.0f} MB  {outcome:8} {name}\n")


if __name__ == "__main__":
    main()
