"""When Python is not to look for lost rings of objects."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final, TypeVar

T = TypeVar("T")

_ITEMS_PER_COLLECTION: Final = 8
"""So many things, each with rings of its own, may lie about at a time."""


@contextmanager
def gc_paused() -> Iterator[None]:
    """No search for lost rings of objects while many are made that all stay: it would find none, again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def gc_paused_then_frozen() -> Iterator[None]:
    """As `gc_paused`, and the next search does not run through what was made; but so only once in a process."""
    with gc_paused():
        try:
            yield
        finally:
            _freeze_once()


@cache
def _freeze_once() -> None:
    """Put everything there is among what has lasted. Done at every load, it would keep the rings of earlier loads."""
    if not gc.get_freeze_count():  # else somebody has set objects aside, who would get them back too
        gc.freeze()
        gc.unfreeze()


def gc_between(items: Iterable[T]) -> Iterator[T]:
    """The items, each of which leaves many rings behind, such as whole games.

    Rings are searched for only between some of them, and not among what there was before the first.
    """
    alone = not gc.get_freeze_count()
    with gc_paused():
        if alone:
            gc.freeze()
        try:
            for number, item in enumerate(items, 1):
                yield item
                if number % _ITEMS_PER_COLLECTION == 0:
                    gc.collect()
        finally:
            if alone:
                gc.unfreeze()
