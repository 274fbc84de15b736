"""What is known of stretches of play, found by the state that they began in."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from interpreter.reckoning.notes import Key, Reads, plain

Known = TypeVar("Known")


class Shelf(Generic[Known]):
    """What is known of one stretch of play, found by the state it began in.

    A stretch is determined by what it reads: as long as it reads what another read, it reads the same next. So what is
    known stands in a tree: each fork tells apart the values of one key, and each leaf tests what is left to test.
    """

    __slots__ = ("_root",)

    def __init__(self) -> None:
        self._root: _Fork[Known] | _Leaf[Known] | None = None

    def find(self) -> Known | None:
        """What holds in the present state, if anything does."""
        place = self._root
        while isinstance(place, _Fork):
            value, following = place.now(), place.following
            try:
                place = following.get(value)
            except TypeError:
                place = following.get(plain(value))
        return place.known if place is not None and place.holds() else None

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
        leaf.first = number
        self._set(fork, label, leaf)

    def _set(self, fork: _Fork[Known] | None, label: Any, place: _Fork[Known] | _Leaf[Known]) -> None:
        if fork is None:
            self._root = place
        else:
            fork.following[label] = place


class _Leaf(Generic[Known]):
    """Something known, with the values of the keys that it hangs on; those before `first` forks have tested."""

    __slots__ = ("first", "keys", "known", "tests", "values")

    def __init__(self, reads: Reads, known: Known) -> None:
        self.keys, self.values, self.known = list(reads), list(reads.values()), known
        self.tests = [(key.now, value) for key, value in reads.items()]
        self.first = 0

    def holds(self) -> bool:
        """Whether the values are those of the present state."""
        for get, value in self.tests[self.first :]:
            now = get()
            if now is not value and (plain(now) if type(now) is dict else now) != value:
                return False
        return True

    def parted(self, keys: list[Key], number: int) -> _Fork[Known] | None:
        """A fork that tells this leaf from what reads these keys next; none if the next key is another."""
        if number >= len(self.keys) or number >= len(keys) or self.keys[number] is not keys[number]:
            return None
        fork: _Fork[Known] = _Fork(self.keys[number])
        fork.following[self.values[number]] = self
        self.first = number + 1
        return fork


class _Fork(Generic[Known]):
    __slots__ = ("following", "key", "now")

    def __init__(self, key: Key) -> None:
        self.key, self.now = key, key.now
        self.following: dict[Any, _Fork[Known] | _Leaf[Known]] = {}
