"""Liveness: for each step of a procedure the locals that it or a later step reads, and which attributes of them."""

from __future__ import annotations

from interpreter.language.codegen.blocks.block import WHOLE, Block
from interpreter.language.model.emitted_names import SLOT

NOWHERE = -1

Step = tuple[object, ...]
Read = dict[int, frozenset[str]]
"""Slots that are read, with the attributes that are read of their values, or `WHOLE`."""


def liveness(steps: list[Step], block_reads: dict[str, Read]) -> list[Read]:
    """For each step the slots that it or a later step reads before they are written again, by backward data flow.

    `block_reads` are the reads of each block, by its name.
    """
    found: list[Read] = [{} for _ in steps]
    changed = True
    while changed:
        changed = False
        for number in range(len(steps) - 1, -1, -1):
            now, writes, following = _flow(steps[number], number, block_reads)
            for each in following:
                for slot, names in found[each].items():
                    if slot not in writes:
                        now[slot] = now.get(slot, frozenset()) | names
            if now != found[number]:
                found[number], changed = now, True
    return found


def _flow(step: Step, number: int, block_reads: dict[str, Read]) -> tuple[Read, frozenset[int], list[int]]:
    """The slots that a step reads and writes, and the steps that can follow it."""
    after = number + 1
    match step:
        case ("run" | "let", Block(name=name), _, tuple(writes)):
            return dict(block_reads[name]), frozenset(writes), [after]
        case ("call", _, tuple(reads), int(result)):
            return _whole(*reads), frozenset([result]), [after]
        case ("return", int(slot)):
            return _whole(slot), frozenset(), []
        case ("go", int(target)):
            return {}, frozenset(), [target]
        case (
            ("unless", int(slot), int(target)) | ("case", int(slot), _, int(target)) | ("count", int(slot), int(target))
        ):
            return _whole(slot), frozenset(), [after, target]
        case ("next", int(rest), int(slot), int(target)):
            return _whole(rest), frozenset([slot]), [after, target]
    raise AssertionError(f"no step: {step!r}")


def _whole(*slots: int) -> Read:
    return {each: frozenset([WHOLE]) for each in slots if each != NOWHERE}


def partly_read(read: Read) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The slots of which only some attributes are read, with the slots of these attributes."""
    return tuple(
        [
            (slot, tuple([SLOT(name) for name in sorted(names)]))
            for slot, names in sorted(read.items())
            if WHOLE not in names
        ]
    )
