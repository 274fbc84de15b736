"""Evaluates rules between two decisions, as a seat sees the position: no events, and hidden pieces off the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from interpreter.play.engine.budget import Budget
from interpreter.play.engine.core import UNTRACED, Core
from interpreter.world.things import Piece


@contextmanager
def without_events(core: Core) -> Iterator[None]:
    """Suspends events while rules are evaluated: what a look at the game reads is no part of the game.

    Raises:
        RuleFault: if a rule fails.
    """
    kept = {name: core.names[name] for name in UNTRACED}
    core.names.update(UNTRACED)
    try:
        with core.faults():
            yield
    finally:
        core.names.update(kept)


@contextmanager
def quiet_query(core: Core) -> Iterator[None]:
    """Suspends events and the game's budget while rules are evaluated between decisions.

    Raises:
        RuleFault: if a rule fails.
    """
    kept = core.names["tick"]
    core.names["tick"] = Budget().renew()
    try:
        with without_events(core):
            yield
    finally:
        core.names["tick"] = kept


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
