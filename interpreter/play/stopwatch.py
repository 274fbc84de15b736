"""How long rules have been at work."""

from __future__ import annotations

import gc
from time import perf_counter, process_time
from typing import Final

_LOOP: Final = range(50_000)
_LOOP_SECONDS: Final = 0.0035
"""What counting through the loop takes on the machine that the limits were set on."""
_SLOWEST: Final = 2.0
"""A machine that is slower still has no more: what hangs is to be stopped there too."""
_TRIES: Final = 3


class Stopwatch:
    """The processor's time since it was started, without what collecting all garbage took.

    That is no work of the rules: it grows with everything else that the process holds, and can take a second. It is
    reckoned afterwards, for whatever Python runs during a collection would swallow an interrupt.
    """

    __slots__ = ("_collections", "_one", "_since", "_slowness", "_wall")

    def __init__(self, before: float = 0.0) -> None:
        """Starts with so many seconds on it."""
        self._since = process_time() - before
        self._wall = perf_counter() - before
        self._collections = _collections()
        self._one = self._slowness = 0.0

    def shows(self, seconds: float) -> bool:
        """Whether more than so many seconds have passed, of a machine that is not slow."""
        # the clock on the wall is quick to read, and never behind that of the processor
        if perf_counter() - self._wall <= seconds or process_time() - self._since <= seconds:
            return False
        collecting = self._collecting()
        self._slowness = self._slowness or slowness()
        return process_time() - self._since - collecting > seconds * self._slowness

    def _collecting(self) -> float:
        """What collections of all garbage took since: each what one more takes now, which itself does not count."""
        happened = _collections() - self._collections
        if happened and not self._one:
            began = process_time()
            gc.collect()
            self._one = process_time() - began
            self._since += self._one
            self._collections += 1
        return happened * self._one


def _collections() -> int:
    """How often all garbage was collected in this process."""
    found: int = gc.get_stats()[-1]["collections"]
    return found


def slowness() -> float:
    """So many times as long as on the machine that the limits were set on does a little work take here, now: 1 to 2."""
    return min(max(min(_loop() for _ in range(_TRIES)) / _LOOP_SECONDS, 1.0), _SLOWEST)


def _loop() -> float:
    since, total = process_time(), 0
    for n in _LOOP:
        total += n & 7
    return process_time() - since
