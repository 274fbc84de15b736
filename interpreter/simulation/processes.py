"""Processes of this machine that work for this one and end with it, however it ends."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any

from interpreter.language.diagnostics import BicorneError


@contextmanager
def worker_processes(workers: int, begin: Callable[..., object] | None = None, *given: Any) -> Iterator[Any]:
    """An executor over so many processes, each of which begins by `begin(*given)`.

    What no worker has begun when the block ends is not done any more.

    Raises:
        BicorneError: if a worker is killed.
    """
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _begin, (begin, given))
    try:
        yield pool
    except BrokenProcessPool as error:
        raise BicorneError("a worker process died; was it killed, or memory short?") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(begin: Callable[..., object] | None, given: tuple[Any, ...]) -> None:
    """An interrupt is for the process that hands out the work; it stops the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    if begin is not None:
        begin(*given)


def _end_with_parent() -> None:
    """Wait for the end of the process that hands out the work: one that is killed can't tell its workers to stop."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def usual_workers() -> int:
    """As many workers as this process may use cores."""
    affinity: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
