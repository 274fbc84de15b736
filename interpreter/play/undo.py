"""Taking decisions back, as far as that is fair to the others."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection

from interpreter.language.diagnostics import BicorneError
from interpreter.play.engine.engine import GameEngine
from interpreter.play.inputs.inputs import ANSWER, DIE, PICK, SHOWN, SINGLE, Record
from interpreter.play.wording import messages as said

_BLOCKERS = {DIE: said.DICE_ROLLED, PICK: said.PICKED_AT_RANDOM, SHOWN: said.REVEALED}


class UndoRefused(BicorneError):  # noqa: N818 - the undo is what is refused
    """A decision that can't be taken back, or not without the consent of others (`needs_consent`)."""

    def __init__(self, message: str, *, needs_consent: bool = False) -> None:
        super().__init__(message)
        self.needs_consent = needs_consent


def undo(game: GameEngine, seat: str | None, agreed: Collection[str]) -> None:
    """Back to the last decision of a seat.

    Raises:
        UndoRefused: with the reason.
    """
    records = game.inputs.records
    target = _last_decision(game, seat)
    who = str(records[target][3])
    reasons = _reasons(game, records[target + 1 :], who)
    missing = [each for each in _taking_part(game) if each != who and each not in agreed]
    words = game.setting.wording
    for each in agreed:
        if each not in game.seats:
            raise UndoRefused(words.hinted(words.say(said.NO_SUCH_SEAT, seat=each), each, game.seats))
    if reasons and missing:
        raise UndoRefused(
            words.say(
                said.CANT_TAKE_BACK,
                who=_called(game, who),
                what=_asked(game, records[target]),
                reasons=words.say(said.AND).join(reasons),
                others=words.listed([_called(game, each) for each in missing]),
            ),
            needs_consent=True,
        )
    go_to(game, target)


def go_to(game: GameEngine, inputs: int) -> None:
    """Back to where this many inputs were in, which is where the next of them was asked for."""
    step = bisect_right(game.steps, inputs, key=lambda mark: mark.inputs) - 1
    game.go_back(step, inputs)


def _last_decision(game: GameEngine, seat: str | None) -> int:
    records = game.inputs.records
    for index in range(len(records) - 1, -1, -1):
        if records[index][0] == ANSWER and seat in (None, records[index][3]):
            return index
    if seat is None:
        raise UndoRefused(game.setting.wording.say(said.NO_DECISION_YET))
    who = _called(game, seat) if seat in game.seats else seat
    raise UndoRefused(game.setting.wording.say(said.NOT_DECIDED_YET, who=who))


def _reasons(game: GameEngine, since: list[Record], who: str) -> list[str]:
    found: dict[str, None] = {}
    words, sites = game.setting.wording, game.core.image.sites
    for record in since:
        if record[0] in _BLOCKERS:
            found[words.say(_BLOCKERS[record[0]], label=words.word(sites[record[1]].address))] = None
        elif record[0] in (ANSWER, SINGLE) and record[3] != who:
            found[words.say(said.DECIDED, who=_called(game, str(record[3])), what=_asked(game, record))] = None
    return list(found)


def _asked(game: GameEngine, record: Record) -> str:
    return game.setting.wording.question(game.core.image.sites[record[1]])


def _called(game: GameEngine, seat: str) -> str:
    return game.setting.wording.of(next(each for each in game.core.seats if each.id == seat))


def _taking_part(game: GameEngine) -> list[str]:
    """The seats whose consent counts: those that the scenario names, else all."""
    named = getattr(game.setting.scenario, "seats", None) or game.seats
    return [each for each in game.seats if each in named]
