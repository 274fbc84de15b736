"""Switches Python's search for reference cycles (the `gc` module) off and on."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final, TypeVar

T = TypeVar("T")

_ITEMS_PER_COLLECTION: Final = 8
"""The number of items, each with reference cycles of its own, between two collections."""
_ITEMS_PER_FULL_COLLECTION: Final = 64
"""The same for collections that also look at what survived an earlier one."""


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pauses the search for reference cycles while many objects are created that all stay alive."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def gc_paused_then_frozen() -> Iterator[None]:
    """Acts as `gc_paused`, then moves the created objects to the oldest generation; the latter once in a process."""
    with gc_paused():
        try:
            yield
        finally:
            _freeze_once()


@cache
def _freeze_once() -> None:
    """Moves all objects to the oldest generation; repeated at every load, it would retain cycles of earlier loads."""
    if not gc.get_freeze_count():  # else another caller has frozen objects, and `unfreeze` would release them too
        gc.freeze()
        gc.unfreeze()


def gc_between(items: Iterable[T]) -> Iterator[T]:
    """Yields the items, each of which leaves many reference cycles behind, such as whole games.

    Cycles are collected only between items, and not among the objects that existed before the first.
    """
    alone = not gc.get_freeze_count()
    with gc_paused():
        if alone:
            gc.freeze()
        try:
            for number, item in enumerate(items, 1):
                yield item
                if number % _ITEMS_PER_FULL_COLLECTION == 0:
                    gc.collect()
                elif number % _ITEMS_PER_COLLECTION == 0:
                    gc.collect(0)
        finally:
            if alone:
                gc.unfreeze()
