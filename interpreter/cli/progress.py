"""Progress of long work, shown on standard error if that is a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

from interpreter.cli.output import Output
from interpreter.cli.streams import with_late_status, with_progress, with_status

T = TypeVar("T")


def tracked(items: Iterable[T], total: int, what: str, output: Output) -> Iterator[T]:
    """Yields the items and shows a progress bar."""
    yield from with_progress(items, total, what) if output.progress_shown else items


SHOWN_AFTER = 0.3
"""The seconds of work after which a player is shown that something is being computed."""


def wait_shown(what: str, output: Output) -> AbstractContextManager[None]:
    """Shows what is being done, in a game, as soon as a player has to wait for it."""
    return with_late_status(what, SHOWN_AFTER) if output.progress_shown else nullcontext()


def status_shown(what: str, output: Output) -> AbstractContextManager[None]:
    """Shows what is being done, for work of unknown length."""
    return with_status(what) if output.progress_shown else nullcontext()
