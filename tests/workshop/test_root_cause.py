"""Tests of the first difference between two series of events, and of the readings that led to it."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.play.replay.trace_capture import TraceEvent
from interpreter.workshop.impact.root_cause import FirstDifference


def seen(kind: str, name: str, data: Any = None, *, listed: bool = False, between: bool = False) -> TraceEvent:
    """Returns an event of a rule, a table or a list of modifiers of this name."""
    section = {"table": "tables", "modifiers": "modifiers", "step": "sequence"}.get(kind, "procedures")
    return TraceEvent(kind, f"{section}/{name}", name, data, listed, between, (kind, -1, data))


def table(name: str, key: int, result: object, **more: bool) -> TraceEvent:
    return seen("table", name, ((":list", key), result), **more)


def modifiers(name: str, total: int, **more: bool) -> TraceEvent:
    return seen("modifiers", name, ((("item", total),), total), **more)


STEP = seen("step", "turn", ("game/turn", ()))
ENTER = seen("enter", "battle")
ANSWER = seen("answer", "battle", ("red", 1))
HURT = seen("set", "battle", ("unit", "steps", 2, 1))
DEAD = seen("set", "battle", ("unit", "steps", 2, 0))


LISTED = [seen("enter", "far", number, listed=True) for number in (1, 3, 2, 4, 5)]


def difference(
    mine: list[TraceEvent], other: list[TraceEvent]
) -> tuple[TraceEvent | None, TraceEvent | None, list[str]]:
    """Returns the first actions that differ, and the names of the readings that may have led to it."""
    found = FirstDifference(mine, other)
    return found.one, found.two, [(one or two).address for one, two in found.readings]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("mine", "other", "readings"),
    [
        ([table("hits", 3, 0)], [table("hits", 3, 1)], ["hits"]),
        ([modifiers("drm", 1), table("hits", 3, 0)], [modifiers("drm", 2), table("hits", 4, 1)], ["drm", "hits"]),
        ([modifiers("drm", 1), table("hits", 6, 2)], [modifiers("drm", 2), table("hits", 7, 2)], []),
        ([modifiers("drm", 1)], [seen("enter", "more"), modifiers("drm", 2)], ["more", "drm"]),
        ([table("range", 1, 2, listed=True), ANSWER], [table("range", 1, 3, listed=True), ANSWER], []),
        ([*LISTED[:2], ANSWER, table("hits", 2, 0)], [*LISTED, ANSWER, table("hits", 2, 1)], ["hits"]),
        ([table("range", 1, 2), ANSWER], [table("range", 1, 3), ANSWER], ["range"]),
        ([table("order", 1, "red"), STEP], [table("order", 1, "blue"), STEP], []),
        ([table("order", 1, "red", between=True), STEP], [table("order", 1, "blue", between=True), STEP], ["order"]),
        ([seen("line", "battle"), seen("enter", "gone")], [seen("line", "battle")], ["gone"]),
        ([modifiers("drm", 1)], [seen("modifiers", "drm", ((("other", 1),), 1))], []),
    ],
    ids=lambda value: (
        " ".join([f"{each.kind}" for each in value]) if value and isinstance(value[0], TraceEvent) else None
    ),
)
def test_relevant_readings_are_kept(mine: list[TraceEvent], other: list[TraceEvent], readings: list[str]) -> None:
    """Lookups with another result are kept, unless their step or question is over or had the same result."""
    one, two, found = difference([STEP, ENTER, *mine, HURT], [STEP, ENTER, *other, DEAD])
    assert (one, two) == (HURT, DEAD)
    assert found == readings


def test_action_of_one_game_alone_is_the_difference() -> None:
    """No action is skipped, even if the games continue with the same events."""
    assert difference([ENTER, HURT, ANSWER], [ENTER, ANSWER])[:2] == (HURT, ANSWER)
    assert difference([ENTER, ANSWER], [ENTER, ANSWER, HURT])[:2] == (None, HURT)
    assert difference([ENTER, ANSWER], [ENTER, ANSWER])[:2] == (None, None)


def test_arguments_of_a_rule_are_no_difference() -> None:
    """Other arguments of an entered rule matter only through its actions."""
    one, two = seen("enter", "lose", 1), seen("enter", "lose", 2)
    assert difference([ENTER, one, HURT], [ENTER, two, DEAD]) == (HURT, DEAD, [])
    assert difference([ENTER, one, HURT], [ENTER, two, HURT]) == (None, None, [])


def test_shorter_game_keeps_readings_of_the_longer() -> None:
    """If one game ends early, the later lookups of the other one are possible reasons."""
    assert difference([ENTER, table("hits", 7, 3), HURT], [ENTER]) == (HURT, None, ["hits"])


def test_keys_limit_the_compared_values() -> None:
    """With keys, a value that was set differently and is equal in the end is ignored."""
    hurt, dead = (seen("set", "battle", (("unit", "one"), "steps", 2, left)) for left in (1, 0))
    far, near = (seen("set", "march", (("unit", "one"), "crossed", False, it)) for it in (True, False))
    mine = [table("range", 1, 2), far, table("hits", 2, 1), hurt]
    other = [table("range", 1, 3), near, table("hits", 2, 2), dead]
    found = FirstDifference(mine, other, [("unit/one", "steps")])
    assert (found.one, found.two) == (hurt, dead)
    assert found.readings[-1] == (mine[2], other[2])
    assert FirstDifference(mine, other).one == far
