"""The view of a game for one seat, as JSON data, and its changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any, Final

from interpreter.language.diagnostics import UsageError
from interpreter.language.strict_json import canonical_json
from interpreter.play.engine.engine import GameEngine
from interpreter.play.engine.marks import Mark
from interpreter.play.engine.simultaneous import hides_answers
from interpreter.play.inputs.inputs import Input
from interpreter.play.views.picture import SECTIONS, WHOLE, Picture, picture_of
from interpreter.play.views.seat_data import Data

_MAX_KEPT: Final = 4
"""The number of pictures that are kept for each seat."""


def view(game: GameEngine, seat: str | None) -> Data:
    """Returns everything that a seat may know of the state; without a seat, what everybody may know.

    Every thing has `kind`, `id`, `attributes` and, if it can hold pieces, `contents`. A hidden piece has `hidden`
    instead of its id, its visible kind, and its visible attributes; it follows the known pieces. Hidden contents have
    `count` if others may see it.

    Raises:
        UsageError: if there is no such seat.
    """
    return picture_of(game, seat).data()


def view_hash(game: GameEngine, seat: str | None) -> str:
    """Returns a digest of the view of a seat, the same on every machine: it covers nothing that is hidden from it.

    Raises:
        UsageError: if there is no such seat.
    """
    return blake2b(canonical_json(view(game, seat)).encode(), digest_size=16).hexdigest()


def apply_changes(seen: Mapping[str, Any], changes: Mapping[str, Any]) -> Data:
    """Returns a view after changes that `Game.view(seat, since=…)` returned; the given view stays as it is."""
    result = {**seen, **{key: changes[key] for key in ("seat", "step", "result", "decision")}}
    result["state"] = {**seen["state"], **changes["state"]}
    for name in SECTIONS:
        changed = {(each["kind"], each["id"]): each for each in changes[name]}
        if changed:
            result[name] = [changed.get((each["kind"], each["id"]), each) for each in seen[name]]
    return {**result, **changes[WHOLE]}


class ViewHistory:
    """The last views of one game by seat, from which the next ones and their changes are made."""

    def __init__(self) -> None:
        self._kept: dict[str | None, list[tuple[int, Input | None, Picture]]] = {}
        """By seat the pictures, each with the number of inputs before it and the last of them."""

    def view(self, game: GameEngine, seat: str | None) -> Data:
        """Returns the view of a seat; see `view`. Parts of it are shared with later views: it must not be changed."""
        return self._now(game, seat).data()

    def changes(
        self, game: GameEngine, seat: str | None, since: Mark, replayed_to: Callable[[Mark], GameEngine]
    ) -> Data:
        """Returns what a seat sees changed since a mark; `replayed_to` returns another game at a mark of this one.

        Raises:
            UsageError: if there is no such seat, or the mark is of a course of the game that was taken back, and no
                view of that seat was asked for there.
        """
        before = next((each[2] for each in self._kept.get(seat, ()) if _is_at(each, since)), None)
        if before is None:
            if not since.is_on(game.inputs.items):
                raise UsageError("the mark is of a course of the game that was taken back: ask for the whole view")
            before = picture_of(replayed_to(since), seat)
        return self._now(game, seat).changes_since(before)

    def keep_before_answers(self, game: GameEngine) -> None:
        """Before the first answer of a simultaneous block: makes the views that seats will have until its end."""
        if not hides_answers(game):
            for seat in self._kept:
                self._now(game, seat)

    def _now(self, game: GameEngine, seat: str | None) -> Picture:
        kept, mark = self._kept.get(seat, []), game.mark()
        made = picture_of(game, seat, kept[-1][2] if kept else None)
        self._kept[seat] = [each for each in kept if not _is_at(each, mark)][1 - _MAX_KEPT :]
        self._kept[seat].append((mark.inputs, mark.last, made))
        return made


def _is_at(kept: tuple[int, Input | None, Picture], mark: Mark) -> bool:
    return kept[0] == mark.inputs and kept[1] is mark.last
