"""A limit on the work between two decisions, so that no rule can hang the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, repeat
from time import process_time

TICKS = 1_000_000
SECONDS = 0.7
"""Of processor time, so that a busy machine stops no game."""
SECONDS_A_THING = 0.0003
"""More for every object there is, since a rule may look at each: a map of a continent has thousands."""
MOST_MORE = 3.5
TRACED = 3
"""So many times as long may rules take that keep a trace of all they do."""
CHUNK = 1_024


class BudgetExceeded(Exception):  # noqa: N818 - named for what happened; play makes a positioned fault of it
    """Rules ran on without a decision for longer than they may."""


class Budget:
    """Counts ticks in chunks of a C iterator; a decision (`decisions` changes) starts the count afresh.

    Emitted code calls what `renew` gives once in each pass of a loop that can multiply work. The clock is read between
    chunks only: it is the backstop for rules whose single passes are slow.
    """

    __slots__ = ("decisions", "limit", "seconds")

    def __init__(self, limit: int = TICKS, seconds: float = SECONDS) -> None:
        self.limit = limit
        self.seconds = seconds
        self.decisions = 0

    def allow_for(self, things: int, *, traced: bool) -> None:
        """Lengthen the time for so many objects, and for rules that keep a trace."""
        self.seconds = (self.seconds + min(things * SECONDS_A_THING, MOST_MORE)) * (TRACED if traced else 1)

    def renew(self) -> Callable[[], None]:
        """A fresh `tick`; raises `BudgetExceeded` when it is called too often between two decisions."""
        return chain.from_iterable(self._chunks()).__next__

    def _chunks(self) -> Iterator[Iterator[None]]:
        size = min(CHUNK, self.limit)
        seen, spent, since = self.decisions, 0, process_time()
        while True:
            if self.decisions != seen:
                seen, spent, since = self.decisions, 0, process_time()
            if spent >= self.limit:
                raise BudgetExceeded(f"more than {self.limit:,} steps of work without a decision")
            if process_time() - since > self.seconds:
                raise BudgetExceeded(f"more than {self.seconds:g} seconds of work without a decision")
            spent += size
            yield repeat(None, size)
