"""Runs a function in a process of its own, forked from one that has imported the interpreter.

A process costs what the function does, and not the start of Python and the reading of the grammar each time.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import sys
import tempfile
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from unittest.mock import patch

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DEADLINE = 300
"""Seconds after which a process counts as stuck."""
LIMITS = {
    resource.RLIMIT_AS: 1_500_000_000,
    resource.RLIMIT_CPU: 20,
    resource.RLIMIT_FSIZE: 200_000_000,
}
"""Bytes of memory, CPU seconds, and bytes of a file of each process."""

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["warmed"])


def forked(function: Callable[..., Any], *arguments: Any, folder: Path, environment: dict[str, str]) -> Any:
    """Returns what a function of a module returns in a process of its own, under `LIMITS`, in a working folder.

    Raises:
        AssertionError: if it raises an error, writes a traceback, is killed, or does not end before the deadline.
    """
    ours, theirs = _FORKS.Pipe(duplex=False)
    path = os.pathsep.join([str(ROOT), str(HERE)])
    with patch.dict(os.environ, {"PYTHONPATH": path}), tempfile.NamedTemporaryFile() as errors:
        process = _FORKS.Process(target=_run, args=(theirs, errors.name, folder, environment, function, arguments))
        process.start()
        theirs.close()
        result = None
        try:
            if ours.poll(DEADLINE):
                result = ours.recv()
        except EOFError:
            process.join(DEADLINE)
        finally:
            process.kill()
            process.join()
            ours.close()
        written = errors.read().decode(errors="replace")
    assert "Traceback" not in written, written[-3_000:]
    assert result is not None, f"ended with {process.exitcode}: {written[-2_000:]}"
    return result


def _run(
    results: Connection, errors: str, folder: Path, environment: dict[str, str],
    function: Callable[..., Any], arguments: tuple[Any, ...],
) -> None:  # fmt: skip
    os.dup2(os.open(errors, os.O_WRONLY), 2)
    os.chdir(folder)
    os.environ.update(environment)
    for limit, most in LIMITS.items():
        resource.setrlimit(limit, (most, most))
    try:
        results.send(function(*arguments))
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        raise
