"""Progress of long work, on standard error and only where it is a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from interpreter.cli.output import Output

T = TypeVar("T")


def tracked(items: Iterable[T], total: int, what: str, output: Output) -> Iterator[T]:
    """The items, with a bar that says how many of them are done."""
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
def working(what: str, output: Output) -> Iterator[None]:
    """Says what is being done while it lasts, where nobody can tell how long that is."""
    if not output.progress_shown:
        yield
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it

    with Console(stderr=True).status(what):
        yield
