"""A limit on the work between two decisions, so that no rule can hang the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, repeat
from time import perf_counter
from typing import Any, Final

from interpreter.play.engine.cpu_timer import CpuTimer
from interpreter.play.engine.quota import current_quota

MAX_TICKS: Final = 1_000_000
MAX_SECONDS: Final = 0.6
"""In CPU time, so that a busy machine stops no game; a slow machine gets more (see `CpuTimer`)."""
SECONDS_PER_OBJECT: Final = 0.0001
"""Extra time for every object, because a rule may read each one: the map of a continent has thousands."""
MAX_EXTRA_SECONDS: Final = 0.4
TRACED_FACTOR: Final = 5.0
"""How many times more time a traced game has: traced rules run several times slower."""
OBSERVED_SECONDS: Final = 60.0
"""The limit for games whose rules are observed, because observers take time too."""
TICKS_PER_CHECK: Final = 32
"""The number of ticks between two readings of the clock; between two ticks a rule may visit the largest collection."""
SLOW_AFTER_SECONDS: Final = 0.05
"""The time after which the clock is read more often."""
SLOW_TICKS_PER_CHECK: Final = 4
MAX_STORED_ELEMENTS: Final = 5_000_000
"""The largest number of collection elements stored without a decision: the journal keeps all old values."""
_MIN_COUNTED: Final = 100
"""Smaller collections are not counted."""


class BudgetExceeded(Exception):  # noqa: N818 - named for what happened; play makes a positioned fault of it
    """Raised when rules exceed the limit of work between two decisions."""


class Budget:
    """Counts ticks in chunks of a C iterator; a decision (a change of `decisions`) resets the count.

    Emitted code calls the function of `renew` once in each pass of a loop that can multiply work. The clock is read
    only between chunks: it stops rules whose single passes are slow. A decision also checks the quota of the run
    in which the budget was made.
    """

    __slots__ = ("_quota", "_since", "_stored", "decisions", "limit", "seconds")

    def __init__(self, limit: int = MAX_TICKS, seconds: float = MAX_SECONDS) -> None:
        self.limit = limit
        self.seconds = seconds
        self.decisions = 0
        self._stored = self._since = 0
        self._quota = current_quota()

    def extend_for(self, objects: int, *, traced: bool) -> None:
        """Adds time for this number of objects, and for a trace of what the rules do."""
        self.seconds += min(objects * SECONDS_PER_OBJECT, MAX_EXTRA_SECONDS)
        if traced:
            self.seconds *= TRACED_FACTOR

    def renew(self) -> Callable[[], None]:
        """Returns a new `tick`, which raises `BudgetExceeded` if it is called too often between two decisions."""
        return chain.from_iterable(self._chunks()).__next__

    def keep(self, items: Iterable[Any] | None) -> tuple[Any, ...] | None:
        """Returns a collection as the tuple that the state stores, or none; counts the elements of large ones."""
        if items is None:
            return None
        stored = tuple(items)
        if len(stored) > _MIN_COUNTED:
            if self._since != self.decisions:
                self._stored, self._since = 0, self.decisions
            self._stored += len(stored)
            if self._stored > MAX_STORED_ELEMENTS:
                raise BudgetExceeded(f"more than {MAX_STORED_ELEMENTS:,} elements stored without a decision")
        return stored

    def _chunks(self) -> Iterator[Iterator[None]]:
        size = normal = min(TICKS_PER_CHECK, self.limit)
        seen, spent, timer, begun = self.decisions, 0, None, perf_counter()
        while True:
            if self.decisions != seen:
                size, seen, spent, timer, begun = normal, self.decisions, 0, None, perf_counter()
                if self._quota is not None:
                    self._quota.check()
            elif timer is None:
                elapsed = perf_counter() - begun
                if elapsed > min(SLOW_AFTER_SECONDS, self.seconds):  # most decisions come sooner
                    size, timer = min(SLOW_TICKS_PER_CHECK, normal), CpuTimer(min(elapsed, self.seconds / 2))
            elif timer.has_exceeded(self.seconds):
                raise BudgetExceeded(f"more than {self.seconds:.1f} seconds of work without a decision")
            if spent >= self.limit:
                raise BudgetExceeded(f"more than {self.limit:,} steps of work without a decision")
            spent += size
            yield repeat(None, size)
