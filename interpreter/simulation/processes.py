"""Worker processes on this machine that end with their parent process, even if it is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any

from interpreter.language.diagnostics import BicorneError


@contextmanager
def worker_processes(workers: int, begin: Callable[..., object] | None = None, *given: Any) -> Iterator[Any]:
    """Yields an executor with this number of processes, each of which first calls `begin(*given)`.

    Tasks that have not started when the block ends are cancelled.

    Raises:
        BicorneError: if a worker is killed.
    """
    pool = _WorkerPool(workers, get_context("spawn"), _begin, (begin, given))
    try:
        yield pool
    except BrokenProcessPool as error:
        raise BicorneError("a worker process died; it may have been killed, or memory may have run out") from error
    finally:
        pool.shutdown(cancel_futures=True)


class _WorkerPool(ProcessPoolExecutor):
    """An executor whose processes are started while interrupts are held back, so that they begin without them.

    Otherwise an interrupt could hit a process that is still importing, which would end it with a traceback.
    """

    def submit(self, *positional: Any, **named: Any) -> Future[Any]:
        """Submits a task; starts a process for it if there is none idle."""
        with interrupts_held_back():
            return super().submit(*positional, **named)


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Holds interrupts back within the block, where the system can; a process that it starts begins so, too."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_worker() -> None:
    """Prepares a worker: it ignores interrupts, because the parent process handles them and stops its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _begin(begin: Callable[..., object] | None, given: tuple[Any, ...]) -> None:
    begin_worker()
    if begin is not None:
        begin(*given)


def _end_with_parent() -> None:
    """Ends the worker when its parent process ends: a killed parent cannot stop its workers."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def default_workers() -> int:
    """Returns the number of cores that this process may use."""
    affinity: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
