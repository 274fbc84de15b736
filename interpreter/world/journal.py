"""The undo journal: every change appends its inverse to one list.

Entries are `(object, slot, old value)`, `(PLACE, piece, old holder)` or `(UNDO, function, argument)`. Lists of pieces
(contents, the board) are never journalled: moving the piece back restores them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from operator import attrgetter
from typing import Any

from interpreter.language.diagnostics import Diagnostic, RuleFault
from interpreter.world.things import Board, Piece, Thing

Entry = tuple[Any, Any, Any]
Pieces = tuple[Piece, ...]


class EntryTag:
    """The first item of a journal entry that is not a plain assignment."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


PLACE = EntryTag("PLACE")
UNDO = EntryTag("UNDO")

_INDEX = attrgetter("index")
_MAX_LINEAR_SEARCH = 24
"""Up to this number of pieces a linear search is faster than a bisection."""


def without(pieces: Pieces, piece: Piece) -> Pieces:
    """Returns the pieces without one of them."""
    is_short = len(pieces) <= _MAX_LINEAR_SEARCH
    position = pieces.index(piece) if is_short else bisect_left(pieces, piece.index, key=_INDEX)
    return pieces[:position] + pieces[position + 1 :]


def including(pieces: Pieces, piece: Piece) -> Pieces:
    """Returns the pieces and one more, in index order."""
    if not pieces:
        return (piece,)
    if pieces[-1].index < piece.index:
        return pieces + (piece,)  # noqa: RUF005 - half the time of unpacking, in the innermost loop of a game
    position = bisect_left(pieces, piece.index, key=_INDEX)
    return (*pieces[:position], piece, *pieces[position:])


def clear_inside(holder: Thing | None) -> None:
    """Clears the memoized contents of a thing and of all its holders."""
    while holder is not None:
        holder.inside = holder.nothing
        holder = holder.at


def make_move(board: Board, nested: bool) -> Callable[[Piece, Thing | None], None]:
    """Returns the function that moves a piece of one world and updates its lists, without journalling.

    `nested`: whether pieces can hold pieces, so that contents are memoized.
    """

    def move(piece: Piece, holder: Thing | None) -> None:
        old, slot = piece.at, piece.content_slot
        if nested:
            clear_inside(old)
            clear_inside(holder)
        if old is not None:
            setattr(old, slot, without(getattr(old, slot), piece))
            if holder is None:
                for name in piece.board_slots:
                    setattr(board, name, without(getattr(board, name), piece))
                for name, own in piece.indexed:
                    index, key = getattr(board, name), getattr(piece, own)
                    index[key] = without(index[key], piece)
        if holder is not None:
            setattr(holder, slot, including(getattr(holder, slot), piece))
            if old is None:
                for name in piece.board_slots:
                    setattr(board, name, including(getattr(board, name), piece))
                for name, own in piece.indexed:
                    index, key = getattr(board, name), getattr(piece, own)
                    index[key] = including(index.get(key, ()), piece)
        if piece.indexed_in:
            update_holder_indexes(board, piece, old, holder)
        piece.at = holder

    return move


def make_place(
    board: Board, record: Callable[[Entry], None], move: Callable[[Piece, Thing | None], None], nested: bool
) -> Callable[[Piece, Thing | None], None]:
    """Returns the journalled move that rule text uses; it calls `raise_bad_move` for impossible moves."""

    def place(piece: Piece, holder: Thing | None) -> None:
        old = piece.at
        if holder is old:
            return
        if holder is None or old is None:
            if holder is not None and (piece.content_slot not in holder.holds or is_inside(holder, piece)):
                raise_bad_move(piece, holder)
            record((PLACE, piece, old))
            move(piece, holder)
            return
        slot = piece.content_slot
        if slot not in holder.holds or (piece.holds and is_inside(holder, piece)):
            raise_bad_move(piece, holder)
        record((PLACE, piece, old))
        if nested:
            clear_inside(old)
            clear_inside(holder)
        left = getattr(old, slot)
        position = left.index(piece)
        setattr(old, slot, left[:position] + left[position + 1 :])
        there = getattr(holder, slot)
        if not there or there[-1].index < piece.index:
            setattr(holder, slot, there + (piece,))  # noqa: RUF005 - half the time of unpacking, in the innermost loop
        else:
            setattr(holder, slot, including(there, piece))
        if piece.indexed_in and old.__class__ is not holder.__class__:
            update_holder_indexes(board, piece, old, holder)
        piece.at = holder

    return place


def update_holder_indexes(board: Board, piece: Piece, old: Thing | None, new: Thing | None) -> None:
    """Updates the indexes of pieces in certain kinds of holders when a piece changes its holder."""
    for name, own, kinds in piece.indexed_in:
        before, after = old is not None and old.kind in kinds, new is not None and new.kind in kinds
        if before is not after:
            index, key = getattr(board, name), getattr(piece, own)
            index[key] = including(index.get(key, ()), piece) if after else without(index[key], piece)


def is_inside(thing: Thing, piece: Piece) -> bool:
    """Whether a thing is the piece, or is in it at any depth."""
    up: Thing | None = thing
    while up is not None:
        if up is piece:
            return True
        up = up.at if isinstance(up, Piece) else None
    return False


def raise_bad_move(piece: Piece, holder: Thing) -> None:
    """Raises the fault of an impossible move, with its reason.

    Raises:
        RuleFault: always.
    """
    what = f"{piece.kind} '{piece.id}'"
    where = f"{holder.kind} '{holder.id}'"
    if piece.content_slot not in holder.holds:
        message = f"{where} cannot hold {what}"
        hint = f"'in:' of {piece.lineage[-1]} must name {holder.kind}, or the move must go elsewhere"
    else:
        message = f"{what} cannot be moved into {'itself' if holder is piece else where + ', which it contains'}"
        hint = "move the inner piece out first"
    raise RuleFault(Diagnostic("bad-move", message, hint=hint))


def on_board(holder: Thing) -> Thing:
    """Returns a holder.

    Raises:
        RuleFault: if it is a piece that is off the board, which can hold nothing.
    """
    if holder.at is None and holder.root == "piece":
        message = f"nothing can be moved into {holder.kind} '{holder.id}', which is off the board"
        raise RuleFault(Diagnostic("bad-move", message, hint="put it on the board first"))
    return holder


def revert(
    entries: list[Entry],
    mark: int,
    move: Callable[[Piece, Thing | None], None],
    memoized_slots: AbstractSet[str] = frozenset(),
) -> None:
    """Undoes everything after `mark`, last first; results memoized in things depend on `memoized_slots`."""
    for target, slot, old in reversed(entries[mark:]):
        if target is PLACE:
            move(slot, old)
        elif target is UNDO:
            slot(old)
        else:
            setattr(target, slot, old)
            if slot in memoized_slots and isinstance(target, Thing):
                clear_inside(target)
    del entries[mark:]
