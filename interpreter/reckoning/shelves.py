"""What is known of stretches of play, found by the state that they began in."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any, Generic, TypeVar

from interpreter.reckoning.notes import Key, Reads
from interpreter.reckoning.sheet import Pending, Sheet

Known = TypeVar("Known")


class Shelf(Generic[Known]):
    """What is known of one stretch of play, found by the state it began in, as the sheet shows it.

    A stretch is determined by what it reads: as long as it reads what another read, it reads the same next. So what is
    known stands in a tree: each fork tells apart the values of one key, and each leaf tests what is left to test.
    """

    __slots__ = ("_root", "_sheet")

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._root: _Fork[Known] | _Leaf[Known] | None = None

    def find(self) -> Known | None:
        """What holds in the present state, if anything does."""
        place, values = self._root, self._sheet.values
        while type(place) is _Fork:
            value = values[place.index]
            if type(value) is Pending:
                value = self._sheet.value(place.key)
            place = place.following.get(value)
        if place is None or not place.holds(self._sheet):  # type: ignore[union-attr]
            return None
        return place.known  # type: ignore[union-attr]

    def add(self, reads: Reads, known: Known) -> None:
        """Keeps what was found in a state in which this was read."""
        leaf = _Leaf(reads, known)
        fork: _Fork[Known] | None = None
        place, label, number = self._root, None, 0
        while place is not None:
            if isinstance(place, _Leaf):
                parted = place.parted(leaf.keys, number)
                if parted is None:
                    break
                place = parted
                self._set(fork, label, place)
            if number == len(leaf.keys) or place.key is not leaf.keys[number]:
                break
            fork, label = place, leaf.values[number]
            number += 1
            place = fork.following.get(label)
        leaf.begin(number)
        self._set(fork, label, leaf)

    def _set(self, fork: _Fork[Known] | None, label: Any, place: _Fork[Known] | _Leaf[Known]) -> None:
        if fork is None:
            self._root = place
        else:
            fork.following[label] = place


class _Leaf(Generic[Known]):
    """Something known, with the values of the keys that it hangs on; forks have tested the first of them."""

    __slots__ = ("_get", "_wanted", "first", "keys", "known", "values")

    def __init__(self, reads: Reads, known: Known) -> None:
        self.keys, self.values, self.known = list(reads), list(reads.values()), known
        self._get: Callable[[list[Any]], Any] | None = None

    def begin(self, first: int) -> None:
        """Tests only the keys from one on."""
        self.first, self._get = first, None

    def holds(self, sheet: Sheet) -> bool:
        """Whether the values are those of the present state."""
        if self._get is None:
            left = [key.index for key in self.keys[self.first :]]
            if not left:
                return True
            self._get = itemgetter(*left)
            self._wanted = tuple(self.values[self.first :]) if len(left) > 1 else self.values[self.first]
        if self._get(sheet.values) == self._wanted:
            return True
        unknown = [key for key in self.keys[self.first :] if type(sheet.values[key.index]) is Pending]
        for key in unknown:
            sheet.value(key)
        return bool(unknown) and self._get(sheet.values) == self._wanted

    def parted(self, keys: list[Key], number: int) -> _Fork[Known] | None:
        """A fork that tells this leaf from what reads these keys next; none if the next key is another."""
        if number >= len(self.keys) or number >= len(keys) or self.keys[number] is not keys[number]:
            return None
        fork: _Fork[Known] = _Fork(self.keys[number])
        fork.following[self.values[number]] = self
        self.begin(number + 1)
        return fork


class _Fork(Generic[Known]):
    __slots__ = ("following", "index", "key")

    def __init__(self, key: Key) -> None:
        self.key, self.index = key, key.index
        self.following: dict[Any, _Fork[Known] | _Leaf[Known]] = {}
