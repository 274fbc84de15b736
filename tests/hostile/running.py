"""Runs `attempt.py` on documents.

`python tests/hostile/running.py` prints what each case took, the longest first: how well rules that run away are held
is measured, not tested.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cases import FAULTS, HARMLESS, REFUSED, Files

HERE = Path(__file__).resolve().parent


def attempt(folder: Path, documents: Files) -> dict[str, Any]:
    """What came of loading and playing the documents, in a process of its own under hard limits."""
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
    )
    assert "Traceback" not in done.stderr, done.stderr[-3_000:]
    assert done.returncode == 0, f"ended with {done.returncode}: {done.stderr[-2_000:]}"
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> None:
    """Every case with its seconds of the processor after start-up, its memory and what came of it."""
    rows = []
    for name, documents in {**REFUSED, **FAULTS, **HARMLESS}.items():
        with TemporaryDirectory() as folder:
            found = attempt(Path(folder), documents)
        rows.append((found["seconds"], found["megabytes"], name, found["outcome"]))
    for seconds, megabytes, name, outcome in sorted(rows, reverse=True):
        sys.stdout.write(f"{seconds:6.2f} s {megabytes:6.0f} MB  {outcome:8} {name}\n")


if __name__ == "__main__":
    main()
