"""How many things of each kind were created on the present branch: read by what creates the next one."""

from __future__ import annotations

from collections import Counter
from functools import partial

from interpreter.inference.memo.recorder import UNKNOWN, ContentsKey, Recorder, TrackedContainer, TrackedVariable
from interpreter.inference.memo.shadow_state import ShadowState, unknown_moves


class CreationCounts:
    """Counts the things created, by kind; the empty name stands for all pieces."""

    def __init__(self, shadow: ShadowState) -> None:
        self._shadow = shadow
        self._counts: Counter[str] = Counter()
        self._variables: dict[str, TrackedVariable] = {}
        self._keys: dict[str, ContentsKey] = {}

    def read(self, kind: str, recorder: Recorder) -> int:
        """How many of a kind were created, recorded as a read."""
        key = self._keys.get(kind)
        if key is None:
            now = partial(self._counts.__getitem__, kind)
            key = self._keys[kind] = self._shadow.contents(now, frozenset([self.variable(kind)]), unknown_moves)
        recorder.reads.setdefault(key, UNKNOWN)
        return self._counts[kind]

    def variable(self, kind: str) -> TrackedVariable:
        """The variable that changes when one of a kind is created."""
        found = self._variables.get(kind)
        if found is None:
            found = self._variables[kind] = TrackedContainer(self._shadow.new_bit())
        return found

    def add(self, kind: str, number: int) -> None:
        """Counts more of a kind, or fewer if the number is negative."""
        self._counts[kind] += number

    def drop(self) -> None:
        """Forgets the keys, which belong to an earlier epoch."""
        self._keys.clear()
