"""How many picks a decision of several picks still has."""

from __future__ import annotations

from typing import NamedTuple

from interpreter.play.engine.engine import GameEngine


class PicksLeft(NamedTuple):
    """The number of picks that a decision still has; `is_exact` if all of them have to be made."""

    number: int
    is_exact: bool


def picks_left(game: GameEngine) -> PicksLeft | None:
    """Returns the picks that are left; none if only the number of options limits them, or there is one alone."""
    decision, asking = game.decision, next(reversed(list(game.asking_rules)), None)
    if decision is None or asking is None:
        return None
    local, options = asking.gi_frame.f_locals, sum(each is not None for each in decision.options)
    match asking.gi_code.co_name:
        case "choose_some":
            count, is_exact = local["amount"] - len(local["chosen"]), True
        case "choose_up_to":
            count, is_exact = local["most"] - len(local["chosen"]), False
        case "_choose_within":
            if local["most"] is None:
                return None
            count, is_exact = local["most"] - len(local["chosen"]), local["least"] == local["most"]
        case _:
            return None
    return PicksLeft(count, is_exact) if count < options else None
