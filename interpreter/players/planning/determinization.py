"""Determinization: samples of the state that a seat cannot see, so that look-ahead reveals nothing hidden.

Games that differ only in the holders of hidden pieces give the same sampled position; the number of pieces in each
holder counts as known. Positions are sampled, and so are secret and simultaneous answers: the values of a hidden space
or thing keep their true values.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final, NamedTuple, cast

from interpreter.language.model.emitted_names import SLOT
from interpreter.play.game import Game
from interpreter.play.inputs.dice import Dice
from interpreter.play.inputs.value_codec import encode
from interpreter.play.views.visibility import CONTENTS, Visibility, seat_by_id
from interpreter.players.planning.held_answers import Draw, HeldAnswers, HeldSample, ShownAnswers, shuffled
from interpreter.world.things import Piece

Appearance = tuple[Any, ...]
_MAX_KEPT: Final = 64
"""The number of samples that are kept; most look-ahead uses the first few again and again."""


class _Sample(NamedTuple):
    """Hidden state that agrees with what a seat knows: unknown answers, and pieces by index, each with its holder."""

    held: HeldSample | None
    holders: tuple[tuple[int, int], ...]


class Determinizer:
    """Samples the state that a seat cannot see in the position of a game, once for each look-ahead.

    `shown` keeps what the seat has learnt from one position to the next.
    """

    def __init__(self, game: Game, seat: str, shown: ShownAnswers | None = None) -> None:
        self._seat = seat
        self._groups = indistinguishable_groups(game, seat)
        self._held = HeldAnswers(game, seat, indistinguishable_groups, shown or ShownAnswers())
        self._samples: dict[int | str, _Sample] = {}
        """The first samples by their seed."""

    def __bool__(self) -> bool:
        """Whether there is any hidden state to sample."""
        return bool(self._groups) or bool(self._held)

    def sample(self, game: Game, seed: int | str) -> None:
        """Replaces the hidden state by a sample that agrees with the seat's knowledge; a rollback undoes it.

        The same seed gives the same sample.
        """
        if not self:
            return
        if (known := self._samples.get(seed)) is not None:
            _play_sample(game, known)
            return
        draw, dice = Random(f"{seed}/hidden").random, game.chance.dice  # noqa: S311 - a guess, not a secret
        game.chance.dice = Dice(f"{seed}/hidden")
        try:
            held = self._held.sample(game, draw)
        finally:
            game.chance.dice = dice
        groups = self._groups
        if held is not None:
            done = {piece for piece, _ in held.holders}
            groups = [
                [each for each in group if each not in done] for group in indistinguishable_groups(game, self._seat)
            ]
        holders = shuffle_indistinguishable(game, groups, draw)
        if len(self._samples) < _MAX_KEPT:
            self._samples[seed] = _Sample(held, tuple(holders))


def _play_sample(game: Game, sample: _Sample) -> None:
    if sample.held is not None:
        sample.held.play(game)
    world = game.core.world
    for piece, holder in sample.holders:
        world.place(cast(Piece, world.objects[piece]), world.objects[holder])


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


def shuffle_indistinguishable(game: Game, groups: list[list[Piece]], draw: Draw) -> list[tuple[int, int]]:
    """Permutes the holders of the pieces within each group; the moves are journalled.

    Returns the pieces by index, each with its new holder.
    """
    moved = []
    for pieces in groups:
        holders = shuffled([each.at for each in pieces], draw)
        for piece, holder in zip(pieces, holders, strict=True):
            game.core.world.place(piece, holder)
            moved.append((piece.index, holder.index))
    return moved


def _appearance(visibility: Visibility, piece: Piece) -> Appearance:
    """What the seat sees of a hidden piece: its root kind, and the attributes shown if its holder is open."""
    root, mask, holder_mask = piece.lineage[-1], visibility.mask(piece), visibility.mask(piece.at)
    if mask is None or (holder_mask is not None and CONTENTS not in holder_mask.seen):
        return (root,)
    seen = [each for each in piece.attributes if each in mask.seen]
    return (root, mask.kind, *[(each, encode(getattr(piece, SLOT(each)))) for each in seen])
