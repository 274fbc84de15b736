"""Processes that tests start: each ends at a deadline, so that one that waits for ever stops no run of the tests."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import Any

DEADLINE = 300
"""Seconds after which a process counts as stuck."""


@contextmanager
def started(
    command: Sequence[str | Path], deadline: float = DEADLINE, **settings: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """Starts a command in a session of its own, and kills the session after the block, or at the deadline.

    Who reads its output when it is killed gets to the end of the output.

    Raises:
        AssertionError: after the block, if the deadline was reached.
    """
    stuck: list[str] = []
    with subprocess.Popen(command, start_new_session=True, **settings) as process:

        def end() -> None:
            stuck.append(f"killed after {deadline} seconds: {command}")
            kill(process.pid)

        timer = Timer(deadline, end)
        timer.daemon = True
        timer.start()
        try:
            yield process
        finally:
            timer.cancel()
            timer.join()
            kill(process.pid)
    assert not stuck, stuck[0]


def kill(session: int) -> None:
    """Kills the processes of a session, if there are any."""
    with suppress(ProcessLookupError):
        os.killpg(session, signal.SIGKILL)


def on_terminal(command: Sequence[str | Path], typed: str, deadline: float = DEADLINE, **settings: Any) -> str:
    """Runs a command on a pseudo-terminal where this has been typed; returns what the terminal shows.

    Raises:
        AssertionError: with what it shows, if the command does not end before the deadline.
    """
    ours, theirs = pty.openpty()
    os.write(ours, typed.encode())
    shown = b""
    try:
        with started(command, deadline, stdin=theirs, stdout=theirs, stderr=theirs, **settings):
            os.close(theirs)
            with suppress(OSError):  # the last process that had the terminal has ended
                while part := os.read(ours, 65536):
                    shown += part
    except AssertionError as error:
        raise AssertionError(f"{error}; the terminal shows {shown!r}") from None
    finally:
        os.close(ours)
    return shown.decode("utf-8", "surrogateescape")
