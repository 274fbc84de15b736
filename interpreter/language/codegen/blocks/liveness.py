"""What is read later: for each step of a procedure the locals that matter from there on, and what of them."""

from __future__ import annotations

from interpreter.language.codegen.blocks.block import WHOLE, Block

NOWHERE = -1

Step = tuple[object, ...]
Read = dict[int, frozenset[str]]
"""Slots that are read, with the attributes of what they hold, or `WHOLE`."""


def live(steps: list[Step], through: dict[str, Read]) -> list[Read]:
    """For each step what it, or a step after it, reads of slots before they are written anew.

    `through` says what each part reads, by its name.
    """
    found: list[Read] = [{} for _ in steps]
    changed = True
    while changed:
        changed = False
        for number in range(len(steps) - 1, -1, -1):
            now, writes, following = _flow(steps[number], number, through)
            for each in following:
                for slot, names in found[each].items():
                    if slot not in writes:
                        now[slot] = now.get(slot, frozenset()) | names
            if now != found[number]:
                found[number], changed = now, True
    return found


def _flow(step: Step, number: int, through: dict[str, Read]) -> tuple[Read, frozenset[int], list[int]]:
    """What a step reads of slots, which it writes, and the steps that can follow it."""
    on = number + 1
    match step:
        case ("run" | "let", Block(name=name), _, tuple(writes)):
            return dict(through[name]), frozenset(writes), [on]
        case ("call", _, tuple(reads), int(result)):
            return _whole(*reads), frozenset([result]), [on]
        case ("return", int(slot)):
            return _whole(slot), frozenset(), []
        case ("go", int(there)):
            return {}, frozenset(), [there]
        case ("unless", int(slot), int(there)) | ("case", int(slot), _, int(there)) | ("count", int(slot), int(there)):
            return _whole(slot), frozenset(), [on, there]
        case ("next", int(left), int(slot), int(there)):
            return _whole(left), frozenset([slot]), [on, there]
    raise AssertionError(f"no step: {step!r}")


def _whole(*slots: int) -> Read:
    return {each: frozenset([WHOLE]) for each in slots if each != NOWHERE}


def partly(read: Read) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The locals of which only some attributes are read, with these."""
    return tuple(
        [
            (slot, tuple([f"a_{name}" for name in sorted(names)]))
            for slot, names in sorted(read.items())
            if WHOLE not in names
        ]
    )
