"""Progress of long work, shown on standard error if that is a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from interpreter.cli.output import Output

T = TypeVar("T")


def tracked(items: Iterable[T], total: int, what: str, output: Output) -> Iterator[T]:
    """Yields the items and shows a progress bar."""
    if not output.progress_shown:
        yield from items
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import Progress  # noqa: PLC0415 - as above

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        for item in items:
            yield item
            bar.advance(task)


@contextmanager
def status_shown(what: str, output: Output) -> Iterator[None]:
    """Shows what is being done, for work of unknown length."""
    if not output.progress_shown:
        yield
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it

    with Console(stderr=True).status(what):
        yield
