"""The `--budget` of commands that run many examples or games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.language.diagnostics import UsageError
from interpreter.play.engine.quota import Quota, QuotaSpentError

DEFAULT_BUDGET = 600.0
"""The CPU seconds of a command that needs all of its work done."""


@contextmanager
def limited(seconds: float | None) -> Iterator[None]:
    """Limits the work within the block to this CPU time, by default to `DEFAULT_BUDGET`.

    Raises:
        UsageError: if it takes longer.
    """
    try:
        with Quota(seconds or DEFAULT_BUDGET).applied():
            yield
    except QuotaSpentError as error:
        raise UsageError(f"{error}; give more time with --budget SECONDS") from error
