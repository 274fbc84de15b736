"""Runs `attempt.py` on documents in a separate process.

`python tests/hostile/runner.py` prints the time and memory of each case, slowest first: these are measured, not tested.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attempt import DEADLINE
from cases import FAULTS, HARMLESS, REFUSED, Files

HERE = Path(__file__).resolve().parent


def attempt(folder: Path, documents: Files) -> dict[str, Any]:
    """Loads and plays documents in a separate process under hard limits, and returns what `attempt.py` printed."""
    ruleset = folder / "hostile"
    ruleset.mkdir()
    for name, content in documents.items():
        (ruleset / name).write_bytes(content)
    places = {"PYTHONPATH": str(HERE.parents[1]), "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, str(HERE / "attempt.py"), str(ruleset)],
        capture_output=True,
        text=True,
        env={**os.environ, **places},
        check=False,
        timeout=DEADLINE,
    )
    assert "Traceback" not in done.stderr, done.stderr[-3_000:]
    assert done.returncode == 0, f"ended with {done.returncode}: {done.stderr[-2_000:]}"
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> None:
    """Prints the CPU seconds after start-up, the memory and the outcome of every case."""
    rows = []
    for name, documents in {**REFUSED, **FAULTS, **HARMLESS}.items():
        with TemporaryDirectory() as folder:
            found = attempt(Path(folder), documents)
        rows.append((found["seconds"], found["megabytes"], name, found["outcome"]))
    for seconds, megabytes, name, outcome in sorted(rows, reverse=True):
        sys.stdout.write(f"{seconds:6.2f} s {megabytes:6.0f} MB  {outcome:8} {name}\n")


if __name__ == "__main__":
    main()
