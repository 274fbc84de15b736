"""Contents divided by what never changes: the units of one side in an area are read apart from those of the other.

Rules often read of a holder only the pieces for which an attribute has some value. Where the attribute is the same on
every branch, such a read depends on these pieces alone, and what happens to the others makes no difference to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Protocol

from interpreter.inference.memo.recorder import UNKNOWN, ContentsKey, Effects, Recorder, TrackedVariable, Values
from interpreter.inference.memo.shadow_state import PlacedMoves, ShadowState
from interpreter.inference.memo.slot_access import SlotAccess
from interpreter.language.model.emitted_names import ids_of

Attribute = Callable[[Any], Any]


class ContentsReader(Protocol):
    """The tracker whose world the contents belong to."""

    recorder: Recorder
    shadow: ShadowState

    def access(self, thing: Any) -> SlotAccess:
        """The access to the slots of a thing's class."""

    def held(self, holder: Any, slot: str, kind: Any) -> Any:
        """The direct contents of a holder that are of a kind (none: all), recorded as a read."""

    def contents_key(
        self,
        holder: Any,
        kind: str,
        now: Callable[[], Any],
        moves: Callable[..., PlacedMoves | None],
        whole: ContentsKey | None = None,
        part: TrackedVariable | None = None,
    ) -> ContentsKey | None:
        """A new key for some of the direct contents of a holder; none if nothing of the kind has ever moved there."""

    def has_moved(self, holder: Any, kind: str) -> bool:
        """Whether anything of a kind has ever moved in or out of a holder."""

    def start_epoch(self) -> None:
        """Drops what was memoized."""


class _ChangingError(Exception):
    """An attribute is not the same on every branch."""


class DividedContents:
    """Reads of contents by an attribute, in one world."""

    def __init__(self, tracker: ContentsReader) -> None:
        self._tracker = tracker
        self._keys: dict[Any, ContentsKey | None] = {}
        """The key of each read; none where nothing ever moved."""
        self._any_keys: dict[ContentsKey, ContentsKey] = {}
        """For contents the key that tells whether there are any."""
        self._parts: dict[Any, dict[Any, TrackedVariable]] = {}
        """For each holder the variables of its parts, by the rest of the read."""
        self._values: dict[Attribute, dict[Any, Any]] = {}
        """The values of attributes, by piece."""
        self._changing: set[Attribute] = set()
        """Attributes that nothing is divided by, because they change."""

    def any_among(self, holder: Any, slot: str, kind: Any, attribute: Attribute, value: Any) -> bool:
        """Whether `among` would give anything: how many there are makes no difference."""
        recorder = self._tracker.recorder
        before = len(recorder.reads)
        found = self.among(holder, slot, kind, attribute, value)
        key = self._keys.get((holder, slot, kind, attribute, value)) if len(recorder.reads) > before else None
        if key is not None and next(reversed(recorder.reads)) is key and not key.depends_on & recorder.written:
            del recorder.reads[key]
            recorder.reads.setdefault(self._any_key(holder, slot, kind, (attribute, value), key), UNKNOWN)
        return bool(found)

    def _any_key(self, holder: Any, slot: str, kind: Any, rest: Any, key: ContentsKey) -> ContentsKey:
        found = self._any_keys.get(key)
        if found is None:
            part = self._part(holder, (slot, kind, *rest), kind)

            def moves(effects: Effects, placed: list[tuple[Any, Any]]) -> PlacedMoves | None:
                return None if key.moves(effects, placed) != [] else ()

            made = self._tracker.contents_key(
                holder, _name(slot, kind), lambda: bool(key.now()), moves, whole=key, part=part
            )
            assert made is not None
            found = self._any_keys[key] = made
        return found

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
        return self._filtered(holder, slot, kind, attribute, value)

    def _filtered(self, holder: Any, slot: str, kind: Any, attribute: Attribute, value: Any) -> list[Any]:
        return [each for each in self._tracker.held(holder, slot, kind) if attribute(each) == value]

    def _now(self, holder: Any, slot: str, kind: Any, attribute: Attribute, value: Any) -> list[Any]:
        contents = self._tracker.access(holder).get[slot](holder)
        return [
            each
            for each in contents
            if (kind is None or isinstance(each, kind)) and self._value(attribute, each) == value
        ]

    def _value(self, attribute: Attribute, piece: Any) -> Any:
        """The value of an attribute that never changes.

        Raises:
            _ChangingError: if something changes on which it depends.
        """
        known = self._values.setdefault(attribute, {})
        if piece not in known:
            value, reads = self._unrecorded(partial(attribute, piece))
            if reads:
                raise _ChangingError
            known[piece] = value
        return known[piece]

    def _unrecorded(self, compute: Callable[[], Any]) -> tuple[Any, Values]:
        """What is computed, and what it reads, which is not part of what is recorded now."""
        tracker = self._tracker
        recorder, tracker.recorder = tracker.recorder, Recorder()
        try:
            return compute(), tracker.recorder.reads
        finally:
            tracker.recorder = recorder

    def _key(self, holder: Any, slot: str, kind: Any, attribute: Attribute, value: Any) -> ContentsKey | None:
        read, tracker = (holder, slot, kind, attribute, value), self._tracker
        if read in self._keys:
            return self._keys[read]

        def now() -> Any:
            return self._unrecorded(lambda: self._filtered(holder, slot, kind, attribute, value))[0]

        def moves(_effects: Effects, placed: list[tuple[Any, Any]]) -> PlacedMoves | None:
            found = []
            for piece, target in placed:
                if piece.content_slot == slot and (kind is None or isinstance(piece, kind)):
                    try:
                        if self._value(attribute, piece) == value:
                            found.append((piece, target is holder))
                    except _ChangingError:
                        return None
            return found

        part = self._part(holder, (slot, kind, attribute, value), kind)
        made = self._keys[read] = tracker.contents_key(holder, _name(slot, kind), now, moves, part=part)
        return made

    def _part(self, holder: Any, rest: Any, kind: Any) -> TrackedVariable | None:
        """The variable of a part of what a holder contains; none if nothing of the kind has ever moved there."""
        parts = self._parts.get(holder, {})
        found = parts.get(rest)
        if found is None and self._tracker.has_moved(holder, _name(rest[0], kind)):
            found = self._parts.setdefault(holder, {})[rest] = TrackedVariable(self._tracker.shadow.new_bit())
            self._tracker.start_epoch()
        return found

    def changed_parts(self, holder: Any, piece: Any) -> Iterator[TrackedVariable]:
        """The variables of the parts of a holder that a piece may belong to."""
        for (slot, kind, attribute, value), variable in self._parts.get(holder, {}).items():
            if piece.content_slot == slot and (kind is None or isinstance(piece, kind)):
                try:
                    belongs = attribute in self._changing or self._value(attribute, piece) == value
                except _ChangingError:
                    belongs = True
                if belongs:
                    yield variable

    def drop(self) -> None:
        """Drops all keys and values: something began to change."""
        self._keys.clear()
        self._any_keys.clear()
        self._values.clear()


def _name(slot: str, kind: Any) -> str:
    """The name of the kind of some contents."""
    name: str = ids_of(slot)[0] if kind is None else kind.kind
    return name
