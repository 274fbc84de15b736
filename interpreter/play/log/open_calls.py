"""The calls that are running at an event of a traced game: a step of the sequence, its procedures and actions."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.language.model.image import Image
from interpreter.play.log.look_ups import Event

CALLS = frozenset({"procedures", "actions"})
_STEP = "sequence"


def open_calls(events: Sequence[Event], image: Image, at: int) -> list[int]:
    """Returns the events that began the calls that are running at an event, the outermost first.

    The first one begins the step, where it has a rule of its own.
    """
    begun: list[int] = []
    for index in range(step_of(events, at), at + 1):
        kind, site, _ = events[index]
        if kind == "enter" and image.sites[site].kind in {*CALLS, _STEP}:
            begun.append(index)
        elif kind == "leave":
            while begun and events[begun.pop()][1] != site:
                pass
    return begun


def step_of(events: Sequence[Event], at: int) -> int:
    """Returns the event that began the step of an event; the first one if the step began before them all."""
    return next((index for index in range(at, -1, -1) if events[index][0] == "step"), 0)
