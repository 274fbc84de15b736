"""Attribute values of earlier times: a thing is named by the title that it had then."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, Protocol

from interpreter.world.things import Record, Thing

AT: Final = "at"
"""The place of a piece, which titles may show like an attribute."""


class EarlierValues(Protocol):
    """The values of an earlier time."""

    def value(self, bundle: Any, attribute: str, now: Any) -> Any:
        """Returns the value of an attribute then; `now` is its present value."""


class PositionValues:
    """The values in an earlier position of a game, whose objects `objects` returns; things made since have new ones."""

    def __init__(self, objects: Callable[[], Sequence[Thing]]) -> None:
        self._objects = objects

    def value(self, bundle: Any, attribute: str, now: Any) -> Any:
        """Returns the value of an attribute in that position; `now` of a record, or of a thing that is newer."""
        before = thing_in(self._objects(), bundle)
        if before is None:
            return now
        return getattr(before, AT if attribute == AT else before.slots[before.attributes.index(attribute)])


def thing_in(objects: Sequence[Thing], value: Any) -> Thing | None:
    """Returns the same thing among the objects of another position; none of a newer one, or of another value."""
    if not isinstance(value, Thing) or value.index >= len(objects) or objects[value.index].ref != value.ref:
        return None
    return objects[value.index]


class PastValues:
    """The values before later changes, by the events of a traced game; `at` is the number of the event."""

    def __init__(self, events: Sequence[tuple[str, int, Any]], attributes: Collection[str]) -> None:
        self.at = 0
        self._set: dict[tuple[str, int, str], tuple[list[int], list[Any]]] = {}
        for index, (kind, _, data) in enumerate(events) if attributes else ():
            if kind == "set" and data[1] in attributes and isinstance(data[0], Thing | Record):
                self._note(index, data[0], data[1], data[2])
            elif kind == "move" and AT in attributes:
                self._note(index, data[0], AT, data[1])

    def _note(self, index: int, bundle: Thing | Record, attribute: str, before: Any) -> None:
        found = self._set.setdefault((*_key(bundle), attribute), ([], []))
        found[0].append(index)
        found[1].append(before)

    def value(self, bundle: Thing | Record, attribute: str, now: Any) -> Any:
        """Returns the value of an attribute at that event, which is `now` if it was not set afterwards."""
        found = self._set.get((*_key(bundle), attribute))
        if found is None:
            return now
        next_set = bisect_left(found[0], self.at)
        return found[1][next_set] if next_set < len(found[0]) else now


def _key(bundle: Thing | Record) -> tuple[str, int]:
    """Returns the key of a thing, by index, or of a record, by object identity."""
    return ("", bundle.index) if isinstance(bundle, Thing) else (bundle.kind, id(bundle))
