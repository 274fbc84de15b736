"""What other seats have moved on the map since a person was last asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from interpreter.play.game import Game
from interpreter.play.inputs.inputs import ANSWER, SINGLE
from interpreter.world.things import Piece, Space, Thing

_Key = tuple[str, str]


class PieceMap(Protocol):
    def pieces(self) -> list[tuple[Piece, Space]]:
        """Returns the pieces on the map that the seat sees, each with its space."""

    def middle(self, spaces: Sequence[Space]) -> Space | None:
        """Returns the space in the middle of all, if one part of the map can show them."""


class MapChanges:
    """Follows, from question to question, where the pieces that a seat sees are on the map."""

    def __init__(self, seat: str) -> None:
        self._seat = seat
        self._places: Mapping[_Key, str] | None = None
        self._inputs = 0
        self._events = 0

    def spaces(self, game: Game, shown: PieceMap) -> list[Space]:
        """Returns the spaces to which others have moved something since the last call."""
        items, before = game.inputs.items, self._places
        others = any(each[0] in (ANSWER, SINGLE) and each[3] != self._seat for each in items[self._inputs :])
        own = _moved_by(self._seat, game.events[self._events :]) if others else set()
        spaces = {(piece.kind, piece.id): (piece, space) for piece, space in shown.pieces()}
        self._places = {key: space.id for key, (_, space) in spaces.items()}
        self._inputs, self._events = len(items), len(game.events)
        if before is None or not others:
            return []
        moved = [
            space
            for key, (piece, space) in spaces.items()
            if before.get(key) != space.id and not any(each in own for each in _with_holders(piece))
        ]
        return list(dict.fromkeys(moved))


def middle_of(spaces: Sequence[Space], shown: PieceMap) -> Space | None:
    """Returns the middle of spaces, or the last of them if one map can't show them all; none without spaces."""
    return shown.middle(spaces) or (spaces[-1] if spaces else None)


def _moved_by(seat: str, events: Sequence[tuple[str, int, Any]]) -> set[Thing]:
    """Returns the pieces that only decisions of this seat moved, its last answer before these events among them.

    A seat that declines moves nothing: what follows is still moved by the decision before it.
    """
    own: set[Thing] = set()
    others: set[Thing] = set()
    mover = own
    for kind, _, data in events:
        if kind == "answer" and data[1] is not None and data[1] is not False:
            mover = own if data[0].id == seat else others
        elif kind == "move":
            mover.add(data[0])
    return own - others


def _with_holders(piece: Piece) -> Iterator[Thing]:
    """Yields a piece, and the pieces that hold it."""
    held: Any = piece
    while isinstance(held, Piece):
        yield held
        held = held.at
