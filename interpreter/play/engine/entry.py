"""Entry points other than the start of the sequence, for worked examples: one step or one call."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any

from interpreter.play.engine.core import Core
from interpreter.play.engine.sequencer import Frame


class ReturnValue:
    """Holds the return value of a call once it has run."""

    __slots__ = ("done", "value")

    def __init__(self) -> None:
        self.done = False
        self.value: Any = None

    def store(self, value: Any) -> None:
        """Stores the value."""
        self.value = value
        self.done = True


def start_at_step(name: str, bound: Callable[[Core], Mapping[str, Any]]) -> Callable[[Core], Frame | None]:
    """Returns a start that runs one step of the sequence; `bound` gives the bindings of the steps around it."""
    return lambda core: core.sequencer.start_at(name, bound(core))


def start_at_call(
    rule: Callable[[Core], Callable[[], Any]], asks: bool, returned: ReturnValue
) -> Callable[[Core], Frame]:
    """Returns a start that runs one call; `rule` gives the function (a generator function if it asks)."""

    def start(core: Core) -> Frame:
        run = rule(core)

        def asking() -> Generator[Any, Any, None]:
            returned.store((yield from run()))

        def plain() -> None:
            returned.store(run())

        return core.sequencer.start_call(asking if asks else plain, asks)

    return start
