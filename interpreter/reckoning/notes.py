"""What a stretch of play reads and changes, and what is known of stretches that read the same before.

A *key* is a function and what it is asked of; its value is what the function gives. It stands for a value of the state
(a slot, and the thing that has it), or for what stands somewhere or is on the board. That follows from where pieces
stand: a stretch that has moved a piece and then looks at what stands somewhere sees what stood there when it began, and
what it has moved itself; so it is enough to note what stood there when it began.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any, Generic, TypeVar

Key = tuple[Callable[[Any], Any], Any]

NOTHING: frozenset[Key] = frozenset()

_HOLDING = (list, tuple, dict)

Known = TypeVar("Known")


class Notes:
    """What a stretch has read that was there before it began, in that order, and what it has changed."""

    __slots__ = ("doings", "reads", "written")

    def __init__(self) -> None:
        self.reads: dict[Key, None] = {}
        self.written: set[Key] = set()
        """Slots with a value of the stretch's own: what it reads of them does not come from outside."""
        self.doings: list[tuple[Any, ...]] = []
        """Its changes, in order: each a function of the watch with its arguments."""

    def begin_anew(self) -> None:
        """The stretch is taken back and begins again, as another course: what was read holds for all of them."""
        self.written = set()
        self.doings = []

    def add(self, reads: dict[Key, None], between: Set[Key] = NOTHING) -> None:
        """Adds what a further stretch has read, but for what this one, or what came in between, had written."""
        mine, written = self.reads, self.written
        for key in reads:
            if key not in mine and key not in written and key not in between:
                mine[key] = None


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
            get, of = place.key
            following = place.following
            try:
                place = following.get(get(of))
            except TypeError:
                place = following.get(plain(get(of)))
        return place.known if place is not None and place.holds() else None

    def add(self, reads: dict[Key, None], known: Known) -> None:
        """Keeps what was found in the present state, in which this was read."""
        leaf = _Leaf(list(reads), known)
        fork: _Fork[Known] | None = None
        place, label, number = self._root, None, 0
        while place is not None:
            if isinstance(place, _Leaf):
                parted = place.parted(leaf.keys, number)
                if parted is None:
                    break
                place = parted
                self._set(fork, label, place)
            if number == len(leaf.keys) or place.key != leaf.keys[number]:
                break
            get, of = place.key
            fork, label = place, plain(get(of))
            number += 1
            place = fork.following.get(label)
        leaf.first = number
        leaf.values = [plain(get(of)) for get, of in leaf.keys[number:]]
        self._set(fork, label, leaf)

    def _set(self, fork: _Fork[Known] | None, label: Any, place: _Fork[Known] | _Leaf[Known]) -> None:
        if fork is None:
            self._root = place
        else:
            fork.following[label] = place


class _Leaf(Generic[Known]):
    """Something known, and the values of the keys that no fork before it has tested."""

    __slots__ = ("first", "keys", "known", "values")

    def __init__(self, keys: list[Key], known: Known) -> None:
        self.keys, self.known = keys, known
        self.first = 0
        self.values: list[Any] = []

    def holds(self) -> bool:
        """Whether the values are those of the present state."""
        keys, first = self.keys, self.first
        for number, value in enumerate(self.values):
            get, of = keys[first + number]
            now = get(of)
            if now is not value and (plain(now) if type(now) is dict else now) != value:
                return False
        return True

    def parted(self, keys: list[Key], number: int) -> _Fork[Known] | None:
        """A fork that tells this leaf from what reads these keys in the present state; none if nothing does."""
        if number != self.first or number >= len(self.keys) or number >= len(keys) or self.keys[number] != keys[number]:
            return None
        fork: _Fork[Known] = _Fork(self.keys[number])
        fork.following[self.values.pop(0)] = self
        self.first += 1
        return fork


class _Fork(Generic[Known]):
    __slots__ = ("following", "key")

    def __init__(self, key: Key) -> None:
        self.key = key
        self.following: dict[Any, _Fork[Known] | _Leaf[Known]] = {}


def plain(value: Any) -> Any:
    """A value as something that can be looked up; things and records stand for themselves."""
    if not isinstance(value, _HOLDING) or (isinstance(value, tuple) and _is_hashable(value)):
        return value
    if isinstance(value, dict):
        return ("map", tuple([(plain(key), plain(each)) for key, each in value.items()]))
    return tuple([plain(each) for each in value])


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
