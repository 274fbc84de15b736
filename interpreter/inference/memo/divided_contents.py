"""Contents divided by what never changes: the units of one side in an area are read apart from those of the other.

Rules often read of a holder only the pieces for which an attribute has some value. Where the attribute is the same on
every branch, such a read depends on these pieces alone, and what happens to the others makes no difference to it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from interpreter.inference.memo.recorder import UNKNOWN, ContentsKey, Effects, Recorder
from interpreter.inference.memo.shadow_state import PlacedMoves
from interpreter.language.model.emitted_names import ids_of

if TYPE_CHECKING:
    from interpreter.inference.memo.tracking import Tracker

Attribute = Callable[[Any], Any]


class _ChangingError(Exception):
    """An attribute is not the same on every branch."""


class DividedContents:
    """Reads of contents by an attribute, in one world."""

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker
        self._keys: dict[Any, ContentsKey | None] = {}
        """The key of each read; none where nothing ever moved."""
        self._values: dict[Attribute, dict[Any, Any]] = {}
        """The values of attributes, by piece."""
        self._changing: set[Attribute] = set()
        """Attributes that nothing is divided by, because they change."""

    def among(self, holder: Any, slot: str, kind: Any, attribute: Attribute, value: Any) -> list[Any]:
        """The direct contents of a holder that are of a kind (none: all) and for which an attribute has a value."""
        tracker = self._tracker
        if attribute not in self._changing and slot in tracker.access(holder).get:
            try:
                found = self._now(holder, slot, kind, attribute, value)
                key = self._key(holder, slot, kind, attribute, value)
            except (_ChangingError, TypeError):
                self._changing.add(attribute)
                tracker.start_epoch()
            else:
                if key is not None:
                    tracker.recorder.reads.setdefault(key, UNKNOWN)
                return found
        return [each for each in tracker.held(holder, slot, kind) if attribute(each) == value]

    def _now(self, holder: Any, slot: str, kind: Any, attribute: Attribute, value: Any) -> list[Any]:
        known = self._values.setdefault(attribute, {})
        found = []
        for each in self._tracker.access(holder).get[slot](holder):
            if kind is None or isinstance(each, kind):
                own = known[each] if each in known else self._value(attribute, each)
                if own == value:
                    found.append(each)
        return found

    def _value(self, attribute: Attribute, piece: Any) -> Any:
        """The value of an attribute that never changes.

        Raises:
            _ChangingError: if something changes on which it depends.
        """
        tracker = self._tracker
        recorder, tracker.recorder = tracker.recorder, Recorder()
        try:
            value, reads = attribute(piece), tracker.recorder.reads
        finally:
            tracker.recorder = recorder
        if reads:
            raise _ChangingError
        self._values[attribute][piece] = value
        return value

    def _key(self, holder: Any, slot: str, kind: Any, attribute: Attribute, value: Any) -> ContentsKey | None:
        read = (holder, slot, kind, attribute, value)
        try:
            return self._keys[read]
        except KeyError:
            pass

        def moves(_effects: Effects, placed: list[tuple[Any, Any]]) -> PlacedMoves | None:
            found = []
            for piece, target in placed:
                if piece.content_slot == slot and (kind is None or isinstance(piece, kind)):
                    known = self._values[attribute]
                    if piece not in known:
                        return None
                    if known[piece] == value:
                        found.append((piece, target is holder))
            return found

        name = ids_of(slot)[0] if kind is None else kind.kind
        made = self._keys[read] = self._tracker.contents_key(holder, name, partial(self._now, *read), moves)
        return made

    def drop(self) -> None:
        """Drops all keys and values: something began to change."""
        self._keys.clear()
        self._values.clear()
