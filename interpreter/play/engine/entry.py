"""Beginnings other than that of the sequence: one step of it, or one call; for worked examples."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any

from interpreter.play.engine.core import Core
from interpreter.play.engine.sequencer import Frame


class Returned:
    """Where the value of a call goes once it has run."""

    __slots__ = ("done", "value")

    def __init__(self) -> None:
        self.done = False
        self.value: Any = None

    def put(self, value: Any) -> None:
        """Keeps the value."""
        self.value = value
        self.done = True


def at_step(name: str, bound: Callable[[Core], Mapping[str, Any]]) -> Callable[[Core], Frame | None]:
    """Begins with one step of the sequence, and ends with it; `bound` gives what the steps around it bind."""
    return lambda core: core.sequencer.start_at(name, bound(core))


def at_call(rule: Callable[[Core], Callable[[], Any]], asks: bool, returned: Returned) -> Callable[[Core], Frame]:
    """Begins with one call, and ends with it; `rule` gives the function (a generator function if it asks)."""

    def start(core: Core) -> Frame:
        run = rule(core)

        def asking() -> Generator[Any, Any, None]:
            returned.put((yield from run()))

        def plain() -> None:
            returned.put(run())

        return core.sequencer.start_call(asking if asks else plain, asks)

    return start
