"""Evaluates rules between two decisions, as a seat sees the position: no events, and hidden pieces off the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from interpreter.play.engine.budget import Budget
from interpreter.play.engine.core import Core
from interpreter.world.things import Piece


@contextmanager
def without_events(core: Core) -> Iterator[None]:
    """Suspends events and the game's budget while rules are evaluated between decisions.

    Raises:
        RuleFault: if a rule fails.
    """
    kept = {name: core.names[name] for name in ("T", "log", "tick")}
    core.names.update(T=_ignore_event, log=_ignore_event, tick=Budget().renew())
    try:
        with core.faults():
            yield
    finally:
        core.names.update(kept)


@contextmanager
def removed_from_board(core: Core, pieces: Sequence[Piece]) -> Iterator[None]:
    """Takes these pieces off the board for a while."""
    mark = core.world.mark()
    for each in pieces:
        core.world.place(each, None)
    try:
        yield
    finally:
        if pieces:
            core.world.rollback(mark)


def _ignore_event(*_arguments: Any) -> None:
    """Drops an event."""
