"""What is known of stretches of play, found by the state that they began in."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any, Generic, TypeVar

from interpreter.inference.memo.recorder import Key, SettledReads
from interpreter.inference.memo.shadow_state import PENDING, ShadowState

Known = TypeVar("Known")


class MemoTrie(Generic[Known]):
    """What is known of one stretch of play, found by the state it began in, as the sheet shows it.

    A stretch is determined by what it reads: as long as it reads what another read, it reads the same next. So what is
    known stands in a tree: a fork tests what all that lies behind it has read alike, and then tells apart the values of
    one key; a leaf tests what is left to test.
    """

    __slots__ = ("_root", "_sheet")

    def __init__(self, sheet: ShadowState) -> None:
        self._sheet = sheet
        self._root: _TrieNode[Known] | _Leaf[Known] | None = None

    def find(self) -> Known | None:
        """What holds in the present state, if anything does."""
        place, sheet = self._root, self._sheet
        while place is not None and (place.first == place.end or place.holds(sheet)):
            if type(place) is _Leaf:
                return place.known
            value = sheet.values[place.index]  # type: ignore[union-attr]
            if value is PENDING:
                value = sheet.value(place.key)  # type: ignore[union-attr]
            place = place.following.get(value)  # type: ignore[union-attr]
        return None

    def add(self, reads: SettledReads, known: Known) -> None:
        """Keeps what was found in a state in which this was read."""
        leaf = _Leaf(list(reads.values), list(reads.values.values()), known)
        place, number = self._root, 0
        above: tuple[_TrieNode[Known], Any] | None = None
        while place is not None:
            alike = place.alike(leaf, number)
            number += alike
            if number == len(leaf.keys):
                break
            if alike < place.end - place.first:
                if place.keys[place.first + alike] is leaf.keys[number]:
                    fork: _TrieNode[Known] = _TrieNode(place, alike)
                    self._set(above, fork)
                    above = fork, leaf.values[number]
                    number += 1
                break
            if type(place) is _Leaf or place.key is not leaf.keys[number]:  # type: ignore[union-attr]
                break
            above = place, leaf.values[number]  # type: ignore[assignment]
            place = place.following.get(leaf.values[number])  # type: ignore[union-attr]
            number += 1
        leaf.begin(number)
        self._set(above, leaf)

    def _set(self, above: tuple[_TrieNode[Known], Any] | None, place: _TrieNode[Known] | _Leaf[Known]) -> None:
        if above is None:
            self._root = place
        else:
            fork, value = above
            fork.following[value] = place


class _Segment:
    """Keys in the order in which they were read, with their values; those from `first` to `end` are tested here."""

    __slots__ = ("_get", "_wanted", "end", "first", "keys", "values")

    def __init__(self, keys: list[Key], values: list[Any], first: int, end: int) -> None:
        self.keys, self.values, self.end = keys, values, end
        self.begin(first)

    def begin(self, first: int) -> None:
        """Tests only the keys from one on."""
        self.first = first
        self._get: Callable[[list[Any]], Any] | None = None
        self._wanted: Any = None

    def holds(self, sheet: ShadowState) -> bool:
        """Whether the values, of which there are some, are those of the present state."""
        get = self._get
        if get is None:
            get = self._get = itemgetter(*[key.index for key in self.keys[self.first : self.end]])
            self._wanted = tuple(self.values[self.first : self.end])
            if len(self._wanted) == 1:
                [self._wanted] = self._wanted
        values = sheet.values
        found = get(values)
        if found == self._wanted:
            return True
        if PENDING not in (found if self.end - self.first > 1 else (found,)):
            return False
        for key in self.keys[self.first : self.end]:
            sheet.value(key)
        return bool(get(values) == self._wanted)

    def alike(self, other: _Segment, number: int) -> int:
        """So many of its keys, from the first on, are those of another from a number on, with the same values."""
        first, end = self.first, self.end
        till = number + end - first
        keys, values = other.keys[number:till], other.values[number:till]
        if keys == self.keys[first:end] and values == self.values[first:end]:
            return end - first
        pairs = zip(keys, values, self.keys[first:end], self.values[first:end], strict=False)
        for at, (key, value, mine, own) in enumerate(pairs):
            if key is not mine or value != own:
                return at
        return len(keys)


class _Leaf(_Segment, Generic[Known]):
    """Something known, with all that it hangs on."""

    __slots__ = ("known",)

    def __init__(self, keys: list[Key], values: list[Any], known: Known) -> None:
        super().__init__(keys, values, 0, len(keys))
        self.known = known


class _TrieNode(_Segment, Generic[Known]):
    """Tells apart the values of the key that comes after what it tests."""

    __slots__ = ("following", "index", "key")

    def __init__(self, place: _TrieNode[Known] | _Leaf[Known], alike: int) -> None:
        """Takes over what so many of the keys of a place test; the place tests what comes after the next one."""
        end = place.first + alike
        super().__init__(place.keys, place.values, place.first, end)
        self.key = place.keys[end]
        self.index = self.key.index
        self.following: dict[Any, _TrieNode[Known] | _Leaf[Known]] = {place.values[end]: place}
        place.begin(end + 1)
