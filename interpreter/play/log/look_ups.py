"""Which look-ups of a trace are logged: those that interpret a roll, and the sums that say how many dice are rolled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

Event = tuple[str, int, Any]

NOT_LOGGED: Final = frozenset({"step", "enter", "leave", "used", "terms", "line", "restriction"})
"""Kinds of events without an entry of their own. A step is logged with the first entry in it. Only explanations show
the `terms` of a decision. `leave` ends the span of a procedure or an action; `used` marks the look-up before it as one
that the outcome depends on."""
LOOK_UPS: Final = frozenset({"table", "modifiers"})
"""Look-ups are logged once each after a roll that they interpret, and so are the sums that gave it its number of dice;
all others are in explanations only."""
BETWEEN: Final = (NOT_LOGGED | LOOK_UPS) - {"step"}
"""Events that may be between a roll and the look-ups that interpret it or give the number of dice."""


def follows_roll(events: Sequence[Event], index: int, is_call: Callable[[int], bool]) -> bool:
    """Whether a look-up follows a roll, with nothing between but other look-ups.

    A roll in a call that has returned nothing is over: nobody can look up what it means. `is_call` tells the sites of
    calls.
    """
    before, returned = index - 1, list[Any]()
    while before >= 0 and events[before][0] in BETWEEN:
        if events[before] == events[index]:
            return False
        kind, site, data = events[before]
        if kind == "leave":
            returned.append(data)
        elif kind == "enter" and is_call(site) and returned:
            returned.pop()
        before -= 1
    return before >= 0 and events[before][0] == "roll" and None not in returned


def parts_of_sums(events: Sequence[Event], sums: Mapping[int, int], is_call: Callable[[int], bool]) -> set[int]:
    """Returns the look-ups that give rolls of dice apart their number, which interpret no roll before.

    They are the sum of the roll, or without one the last before it, and what was read just before in the same line or
    call. `sums` are those of `sums_of_dice`.
    """
    parts: set[int] = set()
    for index, (kind, _, data) in enumerate(events):
        if kind != "roll" or data[2] is not None:
            continue
        at = sums[index] if index in sums else _last_sum(events, index)
        while at >= 0 and _is_read_with(events[at], is_call):
            if events[at][0] in LOOK_UPS:
                parts.add(at)
            at -= 1
    return parts


def _last_sum(events: Sequence[Event], roll: int) -> int:
    """Returns the last sum before a roll, with nothing between but look-ups; -1 without one."""
    at = roll - 1
    while at >= 0 and events[at][0] in BETWEEN:
        if events[at][0] == "modifiers":
            return at
        at -= 1
    return -1


def _is_read_with(event: Event, is_call: Callable[[int], bool]) -> bool:
    """Whether an event between look-ups leaves them in the same line and call."""
    kind, site, _ = event
    return kind in LOOK_UPS or kind in {"used", "restriction"} or (kind == "enter" and not is_call(site))


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
                if own > last_answer or not follows_roll(events, own, is_call):
                    found[index] = own
    return found
