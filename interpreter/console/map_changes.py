"""What other seats have moved on the map since a person was last asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from interpreter.play.game import Game
from interpreter.play.inputs.inputs import ANSWER, SINGLE
from interpreter.world.things import Piece, Space

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

    def middle(self, game: Game, shown: PieceMap) -> Space | None:
        """Returns the middle of what moved since the last call, if other seats answered since; none if nothing did."""
        items, before = game.inputs.items, self._places
        others = any(each[0] in (ANSWER, SINGLE) and each[3] != self._seat for each in items[self._inputs :])
        spaces = {(piece.kind, piece.id): space for piece, space in shown.pieces()}
        self._places, self._inputs = {piece: space.id for piece, space in spaces.items()}, len(items)
        if before is None or not others:
            return None
        moved = [space for piece, space in spaces.items() if before.get(piece) != space.id]
        return shown.middle(moved) or (moved[-1] if moved else None)
