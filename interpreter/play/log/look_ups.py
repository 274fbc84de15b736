"""Which look-ups of a trace are logged: those that interpret a roll, and the sums that say how many dice are rolled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

Event = tuple[str, int, Any]

NOT_LOGGED: Final = frozenset({"step", "enter", "leave", "used", "terms", "line", "restriction"})
"""Kinds of events without an entry of their own. A step is logged with the first entry in it. Only explanations show
the `terms` of a decision. `leave` ends the span of a procedure or an action; `used` marks the look-up before it as one
that the outcome depends on."""
LOOK_UPS: Final = frozenset({"table", "modifiers"})
"""Look-ups are logged once each after a roll that they interpret, and so are the sums that gave it its number of dice;
all others are in explanations only."""


def follows_roll(events: Sequence[Event], index: int) -> bool:
    """Whether a look-up follows a roll, with nothing between but the same rule's other look-ups."""
    before = index - 1
    while before >= 0 and events[before][0] in NOT_LOGGED | LOOK_UPS and events[before][0] != "step":
        if events[before] == events[index]:
            return False
        before -= 1
    return before >= 0 and events[before][0] == "roll"


def sums_of_dice(events: Sequence[Event], is_call: Callable[[int], bool]) -> dict[int, int]:
    """Returns the rolls of dice apart whose number a sum of modifiers gives, each with that sum.

    A sum belongs to the first roll of as many dice in the same call, or in one that this makes, and a roll to the last
    such sum. Rolls and sums are named by their positions in the events; `is_call` tells the sites of calls. A sum that
    was logged for an earlier roll before somebody decided something is left there: a log only grows at its end.
    """
    found: dict[int, int] = {}
    waiting: list[tuple[int, int]] = []
    depth = last_answer = 0
    for index, (kind, site, data) in enumerate(events):
        if kind == "step":
            waiting, depth = [], 0
        elif kind == "enter" and is_call(site):
            depth += 1
        elif kind == "leave":
            depth = max(0, depth - 1)
            waiting = [each for each in waiting if each[1] <= depth]
        elif kind == "answer":
            last_answer = index
        elif kind == "modifiers":
            waiting.append((index, depth))
        elif kind == "roll" and data[2] is None:
            own = next((at for at, _ in reversed(waiting) if events[at][2][1] == len(data[1])), None)
            if own is not None:
                waiting = [each for each in waiting if events[each[0]] != events[own]]
                if own > last_answer or not follows_roll(events, own):
                    found[index] = own
    return found
