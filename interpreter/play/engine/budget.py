"""A limit on the work between two decisions, so that no rule can hang the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, repeat
from time import perf_counter
from typing import Any, Final

from interpreter.play.engine.stopwatch import Stopwatch

TICKS: Final = 1_000_000
SECONDS: Final = 0.6
"""Of processor time, so that a busy machine stops no game; a slow one has more (see `Stopwatch`)."""
SECONDS_A_THING: Final = 0.0001
"""More for every object there is, since a rule may look at each: a map of a continent has thousands."""
MOST_MORE: Final = 0.4
AT_LEISURE: Final = 60.0
"""Where rules are looked at while they work, which takes time of its own."""
CHUNK: Final = 32
"""So seldom is the time looked at: what lies between two ticks may be a run over the largest collection allowed."""
SLOW: Final = 0.05
"""Seconds after which it is looked at more often."""
SLOW_CHUNK: Final = 4
MOST_KEPT: Final = 5_000_000
"""So many elements of collections can be put into the state: the way back keeps all that was there."""
_FEW: Final = 100
"""Collections that are smaller are not counted."""


class BudgetExceeded(Exception):  # noqa: N818 - named for what happened; play makes a positioned fault of it
    """Rules ran on without a decision for longer than they may."""


class Budget:
    """Counts ticks in chunks of a C iterator; a decision (`decisions` changes) starts the count afresh.

    Emitted code calls what `renew` gives once in each pass of a loop that can multiply work. The clock is looked at
    between chunks only: it is the backstop for rules whose single passes are slow.
    """

    __slots__ = ("_kept", "_since", "decisions", "limit", "seconds")

    def __init__(self, limit: int = TICKS, seconds: float = SECONDS) -> None:
        self.limit = limit
        self.seconds = seconds
        self.decisions = 0
        self._kept = self._since = 0

    def allow_for(self, things: int) -> None:
        """Lengthen the time for so many objects."""
        self.seconds += min(things * SECONDS_A_THING, MOST_MORE)

    def renew(self) -> Callable[[], None]:
        """A fresh `tick`; raises `BudgetExceeded` when it is called too often between two decisions."""
        return chain.from_iterable(self._chunks()).__next__

    def keep(self, items: Iterable[Any] | None) -> tuple[Any, ...] | None:
        """A collection that may be missing, as the state holds it; counted where it is large."""
        if items is None:
            return None
        made = tuple(items)
        if len(made) > _FEW:
            if self._since != self.decisions:
                self._kept, self._since = 0, self.decisions
            self._kept += len(made)
            if self._kept > MOST_KEPT:
                raise BudgetExceeded(f"more than {MOST_KEPT:,} elements kept without a decision")
        return made

    def _chunks(self) -> Iterator[Iterator[None]]:
        size = few = min(CHUNK, self.limit)
        seen, spent, watch, begun = self.decisions, 0, None, perf_counter()
        while True:
            if self.decisions != seen:
                size, seen, spent, watch, begun = few, self.decisions, 0, None, perf_counter()
            elif watch is None:
                lasted = perf_counter() - begun
                if lasted > min(SLOW, self.seconds):  # most decisions come sooner
                    size, watch = min(SLOW_CHUNK, few), Stopwatch(min(lasted, self.seconds / 2))
            elif watch.shows(self.seconds):
                raise BudgetExceeded(f"more than {self.seconds:.1f} seconds of work without a decision")
            if spent >= self.limit:
                raise BudgetExceeded(f"more than {self.limit:,} steps of work without a decision")
            spent += size
            yield repeat(None, size)
