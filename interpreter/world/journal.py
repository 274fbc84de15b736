"""Changes and how they are taken back: every change appends its inverse to one list.

Entries are `(object, slot, old value)`, `(PLACE, piece, old holder)` or `(UNDO, function, argument)`. What lists pieces
(contents, the board) is never journalled: moving the piece back restores it.
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
_FEW = 24
"""Up to how many pieces a search from the front beats a bisection."""


def without(pieces: Pieces, piece: Piece) -> Pieces:
    """The pieces but for one of them."""
    position = pieces.index(piece) if len(pieces) <= _FEW else bisect_left(pieces, piece.index, key=_INDEX)
    return pieces[:position] + pieces[position + 1 :]


def including(pieces: Pieces, piece: Piece) -> Pieces:
    """The pieces and one more, in index order."""
    if not pieces:
        return (piece,)
    if pieces[-1].index < piece.index:
        return pieces + (piece,)  # noqa: RUF005 - half the time of unpacking, in the innermost loop of a game
    position = bisect_left(pieces, piece.index, key=_INDEX)
    return (*pieces[:position], piece, *pieces[position:])


def forget_inside(holder: Thing | None) -> None:
    """Forget what was remembered to stand in a holder and in all around it."""
    while holder is not None:
        holder.inside = holder.nothing
        holder = holder.at


def make_move(board: Board, nested: bool) -> Callable[[Piece, Thing | None], None]:
    """The function that moves a piece of one world and keeps its lists, without a word to the journal.

    `nested`: whether pieces stand in pieces, so that what stands in something is remembered.
    """

    def move(piece: Piece, holder: Thing | None) -> None:
        old, slot = piece.at, piece.content_slot
        if nested:
            forget_inside(old)
            forget_inside(holder)
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
            list_by_holder(board, piece, old, holder)
        piece.at = holder

    return move


def make_place(
    board: Board, record: Callable[[Entry], None], move: Callable[[Piece, Thing | None], None], nested: bool
) -> Callable[[Piece, Thing | None], None]:
    """The journalled move that rule text uses; see `refuse` for what it does not do."""

    def place(piece: Piece, holder: Thing | None) -> None:
        old = piece.at
        if holder is old:
            return
        if holder is None or old is None:
            if holder is not None and (piece.content_slot not in holder.holds or inside(holder, piece)):
                refuse(piece, holder)
            record((PLACE, piece, old))
            move(piece, holder)
            return
        slot = piece.content_slot
        if slot not in holder.holds or (piece.holds and inside(holder, piece)):
            refuse(piece, holder)
        record((PLACE, piece, old))
        if nested:
            forget_inside(old)
            forget_inside(holder)
        left = getattr(old, slot)
        position = left.index(piece)
        setattr(old, slot, left[:position] + left[position + 1 :])
        there = getattr(holder, slot)
        if not there or there[-1].index < piece.index:
            setattr(holder, slot, there + (piece,))  # noqa: RUF005 - half the time of unpacking, in the innermost loop
        else:
            setattr(holder, slot, including(there, piece))
        if piece.indexed_in and old.__class__ is not holder.__class__:
            list_by_holder(board, piece, old, holder)
        piece.at = holder

    return place


def list_by_holder(board: Board, piece: Piece, old: Thing | None, new: Thing | None) -> None:
    """Keep the lists of what stands in certain kinds of things when a piece goes from one holder to another."""
    for name, own, kinds in piece.indexed_in:
        before, after = old is not None and old.kind in kinds, new is not None and new.kind in kinds
        if before is not after:
            index, key = getattr(board, name), getattr(piece, own)
            index[key] = including(index.get(key, ()), piece) if after else without(index[key], piece)


def inside(thing: Thing, piece: Piece) -> bool:
    """Whether a thing is the piece or stands in it, however deep."""
    up: Thing | None = thing
    while up is not None:
        if up is piece:
            return True
        up = up.at if isinstance(up, Piece) else None
    return False


def refuse(piece: Piece, holder: Thing) -> None:
    """Say why a piece can't stand where it was moved.

    Raises:
        RuleFault: always.
    """
    what = f"{piece.kind} '{piece.id}'"
    where = f"{holder.kind} '{holder.id}'"
    if piece.content_slot not in holder.holds:
        message = f"{what} cannot stand in {where}"
        hint = f"'in:' of {piece.lineage[-1]} must name {holder.kind}, or the move must go elsewhere"
    else:
        message = f"{what} cannot be moved into {'itself' if holder is piece else where + ', which stands in it'}"
        hint = "move the inner piece out first"
    raise RuleFault(Diagnostic("bad-move", message, hint=hint))


def revert(
    entries: list[Entry], mark: int, move: Callable[[Piece, Thing | None], None], inner: AbstractSet[str] = frozenset()
) -> None:
    """Take back everything after `mark`, last first; `inner` are the slots that answers kept in things rest on."""
    for target, slot, old in reversed(entries[mark:]):
        if target is PLACE:
            move(slot, old)
        elif target is UNDO:
            slot(old)
        else:
            setattr(target, slot, old)
            if slot in inner and isinstance(target, Thing):
                forget_inside(target)
    del entries[mark:]
