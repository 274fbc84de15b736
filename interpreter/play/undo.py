"""Undoes decisions, as far as that is fair to the other seats."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from functools import partial

from interpreter.language.diagnostics import BicorneError
from interpreter.play.engine.engine import GameEngine
from interpreter.play.engine.simultaneous import wording_of
from interpreter.play.inputs.inputs import ANSWER, DIE, PICK, REVEAL, SINGLE, Input
from interpreter.play.views.visibility import withheld_from
from interpreter.play.wording import messages

_BLOCKERS = {DIE: messages.DICE_ROLLED, PICK: messages.PICKED_AT_RANDOM, REVEAL: messages.REVEALED}


class UndoRefused(BicorneError):  # noqa: N818 - the undo is what is refused
    """Raised for a decision that can't be undone, or only with the consent of others (`needs_consent`)."""

    def __init__(self, message: str, *, needs_consent: bool = False) -> None:
        super().__init__(message)
        self.needs_consent = needs_consent


def undo(game: GameEngine, seat: str | None, agreed: Collection[str]) -> None:
    """Returns the game to the last decision of a seat.

    Raises:
        UndoRefused: with the reason.
    """
    inputs = game.inputs.items
    target = _last_decision(game, seat)
    who = str(inputs[target][3])
    reasons = _reasons(game, inputs[target + 1 :], who)
    missing = [each for each in game.source.played_seats(game.seats) if each != who and each not in agreed]
    words = game.source.wording
    for each in agreed:
        if each not in game.seats:
            raise UndoRefused(words.with_hint(words.say(messages.NO_SUCH_SEAT, seat=each), each, game.seats))
    refusal = partial(_refusal, game, who, inputs[target], missing)
    if reasons and missing:
        raise refusal(reasons)
    undone, withheld = inputs[target:], withheld_from(game.core, who)
    return_to_input(game, target)
    if missing and not withheld_from(game.core, who) <= withheld:
        game.go_back(len(game.steps) - 1, target, undone)
        raise refusal([words.say(messages.HAS_SEEN, who=_seat_name(game, who))])


def _refusal(
    game: GameEngine, who: str, decision: Input, missing: Sequence[str], reasons: Sequence[str]
) -> UndoRefused:
    words = game.source.wording
    text = words.say(
        messages.CANT_UNDO,
        who=_seat_name(game, who),
        what=_question(game, decision),
        reasons=words.listed(reasons),
        others=words.join([_seat_name(game, each) for each in missing]),
    )
    return UndoRefused(text, needs_consent=True)


def return_to_input(game: GameEngine, inputs: int) -> None:
    """Returns the game to the point after this number of inputs, where the next one was asked for."""
    step = bisect_right(game.steps, inputs, key=lambda mark: mark.inputs) - 1
    game.go_back(step, inputs)


def _last_decision(game: GameEngine, seat: str | None) -> int:
    inputs = game.inputs.items
    for index in range(len(inputs) - 1, -1, -1):
        if inputs[index][0] == ANSWER and seat in (None, inputs[index][3]):
            return index
    if seat is None:
        raise UndoRefused(game.source.wording.say(messages.NO_DECISION_YET))
    who = _seat_name(game, seat) if seat in game.seats else seat
    raise UndoRefused(game.source.wording.say(messages.NOT_DECIDED_YET, who=who))


def _reasons(game: GameEngine, since: list[Input], who: str) -> list[str]:
    reasons: dict[str, None] = {}
    words, sites = game.source.wording, game.core.image.sites
    for item in since:
        if item[0] in (ANSWER, SINGLE) and item[3] != who:
            reasons[words.say(messages.DECIDED, who=_seat_name(game, str(item[3])), what=_question(game, item))] = None
        elif item[0] in _BLOCKERS and not (reasons and game.core.simultaneous_since is not None):
            site = sites[item[1]]
            label = words.draw_label(site) if site.address else None
            if label is None:
                label = words.clause_rule(site.cites)
            reasons[words.say(_BLOCKERS[item[0]], label=label)] = None
    return list(reasons)


def _question(game: GameEngine, item: Input) -> str:
    """Returns the question of an answer; of a secret one, or a simultaneous one of another seat, only that it is."""
    site, words = game.core.image.sites[item[1]], game.source.wording
    decision, is_open = game.decision, game.core.simultaneous_since is None
    is_shown = not site.secret and (is_open or (decision is not None and decision.seat == item[3]))
    return words.question(site) if is_shown else words.say(messages.SECRET_DECISION)


def _seat_name(game: GameEngine, seat: str) -> str:
    return wording_of(game).of(next(each for each in game.core.seats if each.id == seat))
