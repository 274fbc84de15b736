"""The state of the branch that is being followed, as a list of values.

Most of the time the result of the next block is known: its changes are written to this list only, and the world stays
behind. The world is synchronized when code is to run in it, or when a value can only be read from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from interpreter.inference.memo.recorder import (
    ContentsKey,
    Effects,
    Key,
    SlotKey,
    TrackedVariable,
    hashable,
    written_bits,
)
from interpreter.world.journal import including, without

PlacedMoves = Sequence[tuple[Any, bool]]
"""Pieces, each with whether it is in the holder afterwards."""


class Stale:
    """Replaces a value that may have changed since it was last read."""

    __slots__ = ()


STALE = Stale()


class StateChange:
    """The changes of one branch of a block: the actions that make them again in the world, and their net effects."""

    __slots__ = ("_contents_count", "_touched", "actions", "bits", "effects", "has_moves", "placed", "slots")

    def __init__(self, actions: list[tuple[Any, ...]], effects: Effects) -> None:
        self.actions, self.effects, self.bits = actions, effects, written_bits(effects)
        self.slots: list[tuple[int, Any]] = []
        """The indexes of slots in the shadow state, with their new values."""
        self.placed: list[tuple[Any, Any]] = []
        """The pieces that were put somewhere, with the holder of each."""
        for variable, value in effects.items():
            if type(variable) is SlotKey:
                self.slots.append((variable.index, hashable(value)))
                if variable.piece is not None:
                    self.placed.append((variable.piece, value))
        self.has_moves = len(self.slots) < len(effects)
        self._contents_count, self._touched = -1, list[tuple[int, PlacedMoves | None]]()

    def touched(
        self, dependents: dict[TrackedVariable, list[ContentsKey]], contents_count: int
    ) -> list[tuple[int, PlacedMoves | None]]:
        """The indexes of the contents that change, each with its moves, or none where these are not known.

        `contents_count` is the number of contents keys that exist: the answer is kept while it stays the same.
        """
        if self._contents_count != contents_count:
            keys = dict.fromkeys([key for variable in self.effects for key in dependents.get(variable, ())])
            found = [(key.index, key.moves(self.effects, self.placed)) for key in keys]
            self._contents_count = contents_count
            self._touched = [each for each in found if each[1] is None or each[1]]
        return self._touched


class TrackedWorld(Protocol):
    """The world that the shadow state is a copy of."""

    def mark(self) -> int:
        """The length of its journal."""

    def undo(self, mark: int) -> None:
        """Takes back every change after a mark."""


_Step = tuple[StateChange, list[tuple[int, Any]], int]
"""An applied change, the values that it replaced, and the number of contents keys at that time."""


class ShadowState:
    """The values of all keys on the branch that is being followed, and the changes that led there."""

    def __init__(self, world: TrackedWorld) -> None:
        self.values: list[Any] = []
        self._world = world
        self._path: list[_Step] = []
        self._in_world: list[tuple[_Step, int]] = []
        """The steps that were made in the world, each with the mark of the world before it."""
        self._shared_length = 0
        """How many of these, from the first on, are also the beginning of the path."""
        self._dependents: dict[TrackedVariable, list[ContentsKey]] = {}
        self._contents: list[tuple[ContentsKey, int]] = []
        """Each with the bits of the variables that make it stale when a change before the key was made is undone."""

    # ------------------------------------------------------------ keys
    def slot(self, now: Callable[[], Any], value: Any, piece: Any = None) -> SlotKey:
        """A new key for a slot, with its initial value; `piece` is the piece whose location the slot is."""
        self.values.append(hashable(value))
        return SlotKey(now, len(self.values) - 1, piece)

    def new_bit(self) -> int:
        """A bit that no key has, for a further variable."""
        self.values.append(None)
        return 1 << len(self.values) - 1

    def contents(
        self,
        now: Callable[[], Any],
        variables: frozenset[TrackedVariable],
        moves: Callable[..., PlacedMoves | None],
        whole: ContentsKey | None = None,
        all_moves: TrackedVariable | None = None,
    ) -> ContentsKey:
        """A new key for contents that depend on these variables, or for whether there are any of the `whole`.

        `all_moves` is the variable of earlier changes, which do not mention that of a part of the contents.
        """
        self.values.append(STALE)
        depends_on = 0
        for variable in variables:
            depends_on |= variable.bit
        key = ContentsKey(now, len(self.values) - 1, depends_on, moves, whole)
        for variable in (*variables, *([all_moves] if all_moves is not None else ())):
            self._dependents.setdefault(variable, []).append(key)
        self._contents.append((key, depends_on | (all_moves.bit if all_moves is not None else 0)))
        return key

    def drop_contents(self) -> None:
        """Stops updating the contents keys made so far: others will replace them."""
        self._dependents.clear()

    def value(self, key: Key) -> Any:
        """The value of a key on the present branch."""
        found = self.values[key.index]
        if found is STALE:
            if type(key) is ContentsKey and key.whole is not None:
                found = bool(self.value(key.whole))
            else:
                self.sync_world()
                found = hashable(key.now())
            self.values[key.index] = found
        return found

    # ------------------------------------------------------------ forward and back
    def mark(self) -> int:
        """The present point of the branch, for `undo`."""
        return len(self._path)

    def apply(self, change: StateChange) -> None:
        """Applies a change to the values."""
        values, contents_count = self.values, len(self._contents)
        before = []
        for index, value in change.slots:
            before.append((index, values[index]))
            values[index] = value
        if change.has_moves:
            for index, moves in change.touched(self._dependents, contents_count):
                old = values[index]
                before.append((index, old))
                values[index] = STALE if moves is None or old is STALE else _moved(old, moves)
        self._path.append((change, before, contents_count))

    def undo(self, mark: int) -> None:
        """Takes back every change after a mark."""
        values, path = self.values, self._path
        self._shared_length = min(self._shared_length, mark)
        while len(path) > mark:
            change, before, contents_count = path.pop()
            for index, value in before:
                values[index] = value
            if contents_count < len(self._contents):
                for key, stale_after in self._contents[contents_count:]:
                    if stale_after & change.bits:
                        values[key.index] = STALE

    @contextmanager
    def rewound(self, mark: int) -> Iterator[None]:
        """Goes back to a mark for the time of the block, then makes the changes after it again."""
        changes = [change for change, _before, _contents_count in self._path[mark:]]
        self.undo(mark)
        yield
        for each in changes:
            self.apply(each)

    def sync_world(self) -> None:
        """Brings the world to the present point of the branch."""
        in_world, path = self._in_world, self._path
        if len(in_world) > self._shared_length:
            self._world.undo(in_world[self._shared_length][1])
            del in_world[self._shared_length :]
        for step in path[self._shared_length :]:
            in_world.append((step, self._world.mark()))
            redo(step[0].actions)
        self._shared_length = len(path)


def redo(actions: list[tuple[Any, ...]]) -> None:
    """Makes changes again that were recorded and taken back."""
    for function, *arguments in actions:
        function(*arguments)


def _moved(pieces: tuple[Any, ...], moves: PlacedMoves) -> tuple[Any, ...]:
    """The contents of a holder after some moves."""
    for piece, is_here in moves:
        if is_here != (piece in pieces):
            pieces = including(pieces, piece) if is_here else without(pieces, piece)
    return pieces


def direct_contents(holder: Any, kind: str) -> Callable[..., PlacedMoves | None]:
    """A function that derives the moves of a kind directly in a holder from effects."""

    def moves(_effects: Effects, placed: list[tuple[Any, Any]]) -> PlacedMoves | None:
        return [(piece, target is holder) for piece, target in placed if kind in piece.lineage]

    return moves


def deep_contents(
    variable: TrackedVariable | None, containers: TrackedVariable | None
) -> Callable[..., PlacedMoves | None]:
    """A function that derives the moves at any depth of a holder from effects, unless a container has moved."""

    def moves(effects: Effects, _placed: list[tuple[Any, Any]]) -> PlacedMoves | None:
        if containers in effects:
            return None
        return tuple(effects.get(variable, ()))  # type: ignore[arg-type]

    return moves


def unknown_moves(_effects: Effects, _placed: list[tuple[Any, Any]]) -> PlacedMoves | None:
    """Derives nothing: the value must be read again."""
    return None
