"""A limit on the CPU time of many games or examples together, beside the limit between two decisions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from interpreter.language.diagnostics import BicorneError
from interpreter.play.engine.cpu_timer import CpuTimer


class QuotaSpentError(BicorneError):
    """The work of a whole run has exceeded its limit."""


class Quota:
    """CPU time for a whole run, relative to the speed of the machine (see `CpuTimer`)."""

    def __init__(self, seconds: float) -> None:
        """Starts the time."""
        self.seconds = seconds
        self._timer = CpuTimer()

    def check(self) -> None:
        """Checks that there is time left.

        Raises:
            QuotaSpentError: if there is none.
        """
        if self._timer.has_exceeded(self.seconds):
            raise QuotaSpentError(f"the budget of {self.seconds:,g} seconds of CPU time is spent")

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Limits all games that are made and run within the block."""
        token = _CURRENT.set(self)
        try:
            yield
        finally:
            _CURRENT.reset(token)


_CURRENT: ContextVar[Quota | None] = ContextVar("quota", default=None)


def current_quota() -> Quota | None:
    """Returns the quota of the run in which the caller is, or none."""
    return _CURRENT.get()
