"""Determinization: samples of the state that a seat cannot see, so that look-ahead reveals nothing hidden.

Games that differ only in the holders of hidden pieces give the same sampled position; the number of pieces in each
holder counts as known. Positions are sampled, and secret answers that a running rule holds: the values of a hidden
space or thing keep their true values.
"""

from __future__ import annotations

from typing import Any

from interpreter.language.model.emitted_names import SLOT
from interpreter.play.engine.marks import Mark
from interpreter.play.game import Game
from interpreter.play.inputs.inputs import ANSWER
from interpreter.play.inputs.value_codec import encode
from interpreter.play.views.visibility import CONTENTS, Visibility, seat_by_id
from interpreter.players.planning.held_answers import Draw, HeldAnswers, shuffled
from interpreter.world.things import Piece

Appearance = tuple[Any, ...]


class Determinizer:
    """Samples the state that a seat cannot see in the position of a game, once for each look-ahead."""

    def __init__(self, game: Game, seat: str) -> None:
        self._seat = seat
        self._groups = indistinguishable_groups(game, seat) if game.core.simultaneous_since is None else None
        """The groups of hidden pieces; None while other seats' choices are resampled first, which may change them."""
        self._held = None if self._groups is None else HeldAnswers(game, seat, indistinguishable_groups)

    def __bool__(self) -> bool:
        """Whether there is any hidden state to sample."""
        return self._groups is None or bool(self._groups) or bool(self._held)

    def sample(self, game: Game, draw: Draw) -> None:
        """Replaces the hidden state by a sample that agrees with the seat's knowledge; a rollback undoes it."""
        if self._held and self._held.sample(game, draw):
            done = self._held.permuted
            groups = [
                [each for each in group if each not in done] for group in indistinguishable_groups(game, self._seat)
            ]
            shuffle_indistinguishable(game, groups, draw)
            return
        resample_simultaneous_choices(game, self._seat, draw)
        groups = indistinguishable_groups(game, self._seat) if self._groups is None else self._groups
        shuffle_indistinguishable(game, groups, draw)


def indistinguishable_groups(game: Game, seat: str) -> list[list[Piece]]:
    """Returns the pieces that are hidden from a seat, grouped by their appearance to it."""
    core = game.core
    if not core.image.views:
        return []
    core.begin_query()
    visibility = Visibility(core, seat_by_id(core, seat))
    groups: dict[Appearance, list[Piece]] = {}
    for piece in visibility.hidden():
        if piece.at is not None:
            groups.setdefault(_appearance(visibility, piece), []).append(piece)
    return list(groups.values())


def shuffle_indistinguishable(game: Game, groups: list[list[Piece]], draw: Draw) -> None:
    """Permutes the holders of the pieces within each group; the moves are journalled."""
    for pieces in groups:
        holders = shuffled([each.at for each in pieces], draw)
        for piece, holder in zip(pieces, holders, strict=True):
            game.core.world.place(piece, holder)


def _appearance(visibility: Visibility, piece: Piece) -> Appearance:
    """What the seat sees of a hidden piece: its root kind, and the attributes shown if its holder is open."""
    root, mask, holder_mask = piece.lineage[-1], visibility.mask(piece), visibility.mask(piece.at)
    if mask is None or (holder_mask is not None and CONTENTS not in holder_mask.seen):
        return (root,)
    seen = [each for each in piece.attributes if each in mask.seen]
    return (root, mask.kind, *[(each, encode(getattr(piece, SLOT(each)))) for each in seen])


def resample_simultaneous_choices(game: Game, seat: str, draw: Draw) -> None:
    """Replaces the other seats' choices in the current simultaneous block by random ones; the seat keeps its own.

    Does nothing outside such a block. If the block never asks the seat the same question again, the game is left at the
    end of the block.
    """
    since = game.core.simultaneous_since
    if since is None:
        return
    own = [each[2] for each in game.inputs.items[since:] if each[0] == ANSWER and each[3] == seat]
    game.rewind(Mark(len(game.steps) - 1, since))
    while (decision := game.decision) is not None and game.core.simultaneous_since is not None:
        if decision.seat != seat:
            game.choose_index(int(draw() * len(decision.options)))
        elif own:
            game.choose(own.pop(0))
        else:
            return
