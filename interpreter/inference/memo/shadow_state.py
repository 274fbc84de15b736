"""Where the present course of events stands, as values.

Most of the time it is known what comes of the next stretch: only what has changed is written down then, value by value,
and the world stays behind. It is brought to where the course stands when something is to be run or looked at in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from interpreter.inference.memo.recorder import ContentsKey, Effects, Key, SlotKey, TrackedCell, bits_of, hashable
from interpreter.world.journal import including, without

Moves = Sequence[tuple[Any, bool]]
"""Pieces, each with whether it stands there afterwards."""


class Stale:
    """Stands for a value that nobody has asked for since it may have changed."""

    __slots__ = ()


PENDING = Stale()


class StateChange:
    """What a stretch changes: what was done, as it is done again to the world, and what that comes to."""

    __slots__ = ("_known", "_touched", "bits", "doings", "effects", "moves", "placed", "slots")

    def __init__(self, doings: list[tuple[Any, ...]], effects: Effects) -> None:
        self.doings, self.effects, self.bits = doings, effects, bits_of(effects)
        self.slots: list[tuple[int, Any]] = []
        """The places of slots on the sheet, with their new values."""
        self.placed: list[tuple[Any, Any]] = []
        """Pieces that were put somewhere, with the holder of each."""
        for mark, value in effects.items():
            if type(mark) is SlotKey:
                self.slots.append((mark.index, hashable(value)))
                if mark.piece is not None:
                    self.placed.append((mark.piece, value))
        self.moves = len(self.slots) < len(effects)
        self._known, self._touched = -1, list[tuple[int, Moves | None]]()

    def touched(self, resting: dict[TrackedCell, list[ContentsKey]], known: int) -> list[tuple[int, Moves | None]]:
        """The places of the contents that change, each with who has come or gone, or none where that is not known."""
        if self._known != known:
            keys = dict.fromkeys([key for mark in self.effects for key in resting.get(mark, ())])
            found = [(key.index, key.moves(self.effects, self.placed)) for key in keys]
            self._known, self._touched = known, [each for each in found if each[1] is None or each[1]]
        return self._touched


class TrackedWorld(Protocol):
    """What the sheet is a copy of."""

    def mark(self) -> int:
        """Where its changes stand."""

    def undo(self, mark: int) -> None:
        """Takes back every change since."""


_Step = tuple[StateChange, list[tuple[int, Any]], int]
"""A change on the way, what was there before it, and how many contents were known then."""


class ShadowState:
    """The values of all keys where the present course stands, and the way to there."""

    def __init__(self, world: TrackedWorld) -> None:
        self.values: list[Any] = []
        self._world = world
        self._path: list[_Step] = []
        self._shown: list[tuple[_Step, int]] = []
        """The steps that the world has made, each with where its changes stood before."""
        self._shared = 0
        """So many of them, from the first on, are on the path."""
        self._resting: dict[TrackedCell, list[ContentsKey]] = {}
        self._contents: list[ContentsKey] = []

    # ------------------------------------------------------------ keys
    def slot(self, now: Callable[[], Any], value: Any, piece: Any = None) -> SlotKey:
        """A new key for a slot, with its value wherever it was not changed; `piece` is what stands where it says."""
        self.values.append(hashable(value))
        return SlotKey(now, len(self.values) - 1, piece)

    def bit(self) -> int:
        """A bit that no key has: that of a further mark."""
        self.values.append(None)
        return 1 << len(self.values) - 1

    def contents(
        self, now: Callable[[], Any], marks: frozenset[TrackedCell], moves: Callable[..., Moves | None]
    ) -> ContentsKey:
        """A new key for what stands somewhere."""
        self.values.append(PENDING)
        rests = 0
        for mark in marks:
            rests |= mark.bit
        key = ContentsKey(now, len(self.values) - 1, rests, moves)
        for mark in marks:
            self._resting.setdefault(mark, []).append(key)
        self._contents.append(key)
        return key

    def forget_contents(self) -> None:
        """Nobody asks for any of the contents again: there are to be other keys."""
        self._resting.clear()

    def value(self, key: Key) -> Any:
        """The value of a key where the course stands."""
        found = self.values[key.index]
        if found is PENDING:
            self.show()
            found = self.values[key.index] = hashable(key.now())
        return found

    # ------------------------------------------------------------ on, and back
    def mark(self) -> int:
        """Where the course stands, for `back`."""
        return len(self._path)

    def go(self, change: StateChange) -> None:
        """Goes on, past something that is changed."""
        values, known = self.values, len(self._contents)
        before = []
        for index, value in change.slots:
            before.append((index, values[index]))
            values[index] = value
        if change.moves:
            for index, moves in change.touched(self._resting, known):
                old = values[index]
                before.append((index, old))
                values[index] = PENDING if moves is None or old is PENDING else _moved(old, moves)
        self._path.append((change, before, known))

    def back(self, mark: int) -> None:
        """Goes back to where the course stood."""
        values, path = self.values, self._path
        self._shared = min(self._shared, mark)
        while len(path) > mark:
            change, before, known = path.pop()
            for index, value in before:
                values[index] = value
            if known < len(self._contents):
                for key in self._contents[known:]:
                    if key.rests & change.bits:
                        values[key.index] = PENDING

    def show(self) -> None:
        """Brings the world to where the course stands."""
        shown, path = self._shown, self._path
        if len(shown) > self._shared:
            self._world.undo(shown[self._shared][1])
            del shown[self._shared :]
        for step in path[self._shared :]:
            shown.append((step, self._world.mark()))
            do_again(step[0].doings)
        self._shared = len(path)


def do_again(doings: list[tuple[Any, ...]]) -> None:
    """Makes changes that were noted and taken back."""
    for function, *arguments in doings:
        function(*arguments)


def _moved(those: tuple[Any, ...], moves: Moves) -> tuple[Any, ...]:
    """What stands somewhere when some have come or gone."""
    for piece, here in moves:
        if here != (piece in those):
            those = including(those, piece) if here else without(those, piece)
    return those


def direct(holder: Any, kind: str) -> Callable[..., Moves | None]:
    """How what of a kind stands directly in a holder follows from what was done."""

    def moves(_effects: Effects, placed: list[tuple[Any, Any]]) -> Moves | None:
        return [(piece, there is holder) for piece, there in placed if kind in piece.lineage]

    return moves


def following(mark: TrackedCell | None, vessels: TrackedCell | None) -> Callable[..., Moves | None]:
    """How what stands somewhere, however deep, follows from who has come and gone, if nothing that holds others did."""

    def moves(effects: Effects, _placed: list[tuple[Any, Any]]) -> Moves | None:
        if vessels in effects:
            return None
        return tuple(effects.get(mark, ()))  # type: ignore[arg-type]

    return moves


def unknown(_effects: Effects, _placed: list[tuple[Any, Any]]) -> Moves | None:
    """Nothing is known of what has changed."""
    return None
