"""How long rules have been at work."""

from __future__ import annotations

import gc
from time import perf_counter, process_time
from typing import Final

_LOOP: Final = range(50_000)
_LOOP_SECONDS: Final = 0.0035
"""What counting through the loop takes on the machine that the limits were set on."""
_SLOWEST: Final = 5.0
_TRIES: Final = 3


class Stopwatch:
    """The processor's time since it was started.

    A collection of all garbage in the meantime is no work of the rules: it grows with everything else that the process
    holds, and can take seconds. How long it took can't be told afterwards, and whatever Python runs during a collection
    would swallow an interrupt; so half the time is given again, once: another one comes only after much has been made.
    """

    __slots__ = ("_collections", "_since", "_slowness", "_wall")

    def __init__(self, before: float = 0.0) -> None:
        """Starts with so many seconds on it."""
        self._set(before)
        self._collections: int | None = _collections()
        self._slowness = 0.0

    def _set(self, seconds: float) -> None:
        self._since = process_time() - seconds
        self._wall = perf_counter() - seconds

    def shows(self, seconds: float) -> bool:
        """Whether more than so many seconds have passed, of a machine that is not slow."""
        # the clock on the wall is quick to read, and never behind that of the processor
        if perf_counter() - self._wall <= seconds or process_time() - self._since <= seconds:
            return False
        self._slowness = self._slowness or slowness()
        allowed = seconds * self._slowness
        if process_time() - self._since <= allowed:
            return False
        if self._collections in (None, _collections()):
            return True
        self._collections = None
        self._set(allowed / 2)
        return False


def _collections() -> int:
    """How often all garbage was collected in this process."""
    found: int = gc.get_stats()[-1]["collections"]
    return found


def slowness() -> float:
    """So many times as long as on the machine that the limits were set on does a little work take here, now: 1 to 5."""
    return min(max(min(_loop() for _ in range(_TRIES)) / _LOOP_SECONDS, 1.0), _SLOWEST)


def _loop() -> float:
    since, total = process_time(), 0
    for n in _LOOP:
        total += n & 7
    return process_time() - since
