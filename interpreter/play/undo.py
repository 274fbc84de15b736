"""Taking decisions back, as far as that is fair to the others."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from typing import TYPE_CHECKING

from interpreter.language.diagnostics import BicorneError, did_you_mean
from interpreter.play.inputs import ANSWER, DIE, PICK, SHOWN, SINGLE, Record

if TYPE_CHECKING:
    from interpreter.play.game import Game

_BLOCKERS = {DIE: "dice were rolled", PICK: "something was picked at random", SHOWN: "something was revealed"}


class UndoRefused(BicorneError):  # noqa: N818 - the undo is what is refused
    """A decision that can't be taken back, or not without the consent of others."""


def undo(game: Game, seat: str | None, agreed: Collection[str]) -> None:
    """Back to the last decision of a seat.

    Raises:
        UndoRefused: with the reason.
    """
    records = game.inputs.records
    target = _last_decision(game, seat)
    who = str(records[target][3])
    reasons = _reasons(game, records[target + 1 :], who)
    missing = [each for each in _taking_part(game) if each != who and each not in agreed]
    for each in agreed:
        if each not in game.seats:
            raise UndoRefused(f"'{each}' is no seat of this game; {did_you_mean(each, game.seats) or ''}".rstrip("; "))
    if reasons and missing:
        raise UndoRefused(
            f"{_called(game, who)}'s decision at '{_address(game, records[target])}' can't be taken back: since then "
            f"{' and '.join(reasons)}; it needs the consent of {', '.join([_called(game, each) for each in missing])}"
        )
    go_to(game, target)


def go_to(game: Game, inputs: int) -> None:
    """Back to where this many inputs were in, which is where the next of them was asked for."""
    step = bisect_right(game.steps, inputs, key=lambda mark: mark.inputs) - 1
    game.go_back(step, inputs)


def _last_decision(game: Game, seat: str | None) -> int:
    records = game.inputs.records
    for index in range(len(records) - 1, -1, -1):
        if records[index][0] == ANSWER and seat in (None, records[index][3]):
            return index
    if seat is None:
        raise UndoRefused("no decision has been made yet")
    raise UndoRefused(f"{_called(game, seat) if seat in game.seats else seat} has not decided anything yet")


def _reasons(game: Game, since: list[Record], who: str) -> list[str]:
    found: dict[str, None] = {}
    for record in since:
        if record[0] in _BLOCKERS:
            found[f"{_BLOCKERS[record[0]]} ('{_address(game, record)}')"] = None
        elif record[0] in (ANSWER, SINGLE) and record[3] != who:
            found[f"{_called(game, str(record[3]))} decided '{_address(game, record)}'"] = None
    return list(found)


def _address(game: Game, record: Record) -> str:
    return game.setting.wording.asked(game.core.image.sites[record[1]].address)


def _called(game: Game, seat: str) -> str:
    return game.setting.wording.of(next(each for each in game.core.seats if each.id == seat))


def _taking_part(game: Game) -> list[str]:
    """The seats whose consent counts: those that the scenario names, else all."""
    named = getattr(game.setting.scenario, "seats", None) or game.seats
    return [each for each in game.seats if each in named]
