"""Measures the CPU time of rules, relative to the speed of the machine."""

from __future__ import annotations

import gc
from time import perf_counter, process_time
from typing import Final

_LOOP: Final = range(50_000)
_LOOP_SECONDS: Final = 0.0035
"""The time of the loop on the reference machine, for which the limits were set."""
_MAX_SLOWDOWN: Final = 5.0
_SPEED_SAMPLES: Final = 3


class CpuTimer:
    """The CPU time of the process since the timer was started.

    A full garbage collection is no work of the rules: it grows with everything that the process holds, and can take
    seconds. Its time can't be measured afterwards, and a callback during a collection would swallow an interrupt. So
    half the limit is granted again, once: the next full collection comes only after many new objects.
    """

    __slots__ = ("_collections", "_since", "_slowdown", "_wall")

    def __init__(self, before: float = 0.0) -> None:
        """Starts the timer at `before` seconds."""
        self._set(before)
        self._collections: int | None = _full_collections()
        self._slowdown = 0.0

    def _set(self, seconds: float) -> None:
        self._since = process_time() - seconds
        self._wall = perf_counter() - seconds

    def has_exceeded(self, seconds: float) -> bool:
        """Whether more CPU time has passed than `seconds` times the slowdown of this machine."""
        # the wall clock is cheap to read and never behind the CPU clock
        if perf_counter() - self._wall <= seconds or process_time() - self._since <= seconds:
            return False
        self._slowdown = self._slowdown or slowdown()
        allowed = seconds * self._slowdown
        if process_time() - self._since <= allowed:
            return False
        if self._collections in (None, _full_collections()):
            return True
        self._collections = None
        self._set(allowed / 2)
        return False


def _full_collections() -> int:
    """Returns the number of full garbage collections of this process."""
    found: int = gc.get_stats()[-1]["collections"]
    return found


def slowdown() -> float:
    """Returns how many times slower this machine is than the reference machine, from 1 to 5."""
    return min(max(min(_loop_seconds() for _ in range(_SPEED_SAMPLES)) / _LOOP_SECONDS, 1.0), _MAX_SLOWDOWN)


def _loop_seconds() -> float:
    since, total = process_time(), 0
    for n in _LOOP:
        total += n & 7
    return process_time() - since
