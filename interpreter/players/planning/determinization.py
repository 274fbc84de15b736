"""Making up what a seat can't know, so that looking ahead never tells a player what it may not see.

Games that differ only in which hidden pieces stand where come to the same made-up position; how many stand where is
taken as known. Only what moves can be made up: the values of a hidden space or thing stay what they are, and so does
what a rule under way has already put by in its own names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.play.engine.marks import Mark
from interpreter.play.game import Game
from interpreter.play.inputs.inputs import ANSWER
from interpreter.play.inputs.value_codec import encode
from interpreter.play.views.visibility import CONTENTS, Visibility, seat_named
from interpreter.world.things import Piece, Thing

Draw = Callable[[], float]
"""Numbers from 0 to 1."""
Looks = tuple[Any, ...]


class Determinizer:
    """What a seat can't know of the position that a game stands in, to be made up as often as somebody looks ahead."""

    def __init__(self, game: Game, seat: str) -> None:
        self._seat = seat
        self._alike = unseen(game, seat) if game.core.together is None else None
        """The hidden pieces; none where other seats choose anew first, so that it is not yet known which these are."""

    def __bool__(self) -> bool:
        """Whether there is anything to make up."""
        return self._alike is None or bool(self._alike)

    def make_up(self, game: Game, draw: Draw) -> None:
        """Chooses anew, within what the seat knows; going back takes it back."""
        resample_simultaneous_choices(game, self._seat, draw)
        shuffle_indistinguishable(game, unseen(game, self._seat) if self._alike is None else self._alike, draw)


def unseen(game: Game, seat: str) -> list[list[Piece]]:
    """The pieces that are hidden from a seat, those together that look the same to it."""
    core = game.core
    if not core.image.views:
        return []
    core.look()
    sight = Visibility(core, seat_named(core, seat))
    found: dict[Looks, list[Piece]] = {}
    for piece in sight.hidden():
        if piece.at is not None:
            found.setdefault(_looks(sight, piece), []).append(piece)
    return list(found.values())


def shuffle_indistinguishable(game: Game, alike: list[list[Piece]], draw: Draw) -> None:
    """Lets pieces change places with others that look the same; the change is journalled."""
    for pieces in alike:
        holders = _shuffled([each.at for each in pieces], draw)
        for piece, holder in zip(pieces, holders, strict=True):
            game.core.world.place(piece, holder)


def _looks(sight: Visibility, piece: Piece) -> Looks:
    """What the seat sees of a hidden piece: its root kind, and what its own views leave of it where it lies open."""
    root, veil, around = piece.lineage[-1], sight.veil(piece), sight.veil(piece.at)
    if veil is None or (around is not None and CONTENTS not in around.seen):
        return (root,)
    seen = [each for each in piece.attributes if each in veil.seen]
    return (root, veil.kind, *[(each, encode(getattr(piece, f"a_{each}"))) for each in seen])


def _shuffled(holders: list[Thing], draw: Draw) -> list[Thing]:
    """The holders in an order that doesn't depend on what stands in them now."""
    holders.sort(key=lambda each: each.index)
    for last in range(len(holders) - 1, 0, -1):
        other = int(draw() * (last + 1))
        holders[last], holders[other] = holders[other], holders[last]
    return holders


def resample_simultaneous_choices(game: Game, seat: str, draw: Draw) -> None:
    """Lets the other seats choose anew, at random, in the simultaneous lines under way; the seat's own choices stand.

    Does nothing where there are no such lines. If those lines never come to ask the seat as they did, the game is left
    where they end.
    """
    since = game.core.together
    if since is None:
        return
    own = [each[2] for each in game.inputs.records[since:] if each[0] == ANSWER and each[3] == seat]
    game.rewind(Mark(len(game.steps) - 1, since))
    while (decision := game.decision) is not None and game.core.together is not None:
        if decision.seat != seat:
            game.choose_index(int(draw() * len(decision.options)))
        elif own:
            game.choose(own.pop(0))
        else:
            return
