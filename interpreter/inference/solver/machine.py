"""A small machine that runs procedures as steps, so that the state of execution is plain data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from interpreter.inference.memo.recorder import hashable

MAX_CALL_DEPTH = 500

Locals = list[Any]
Jump = Callable[[Locals], int]
"""Runs a step that only changes locals, and returns the number of the next step."""


def _with_getter(step: tuple[Any, ...]) -> tuple[Any, ...]:
    """A step that runs a block or calls a procedure, with a function that gives its arguments in place of slots."""
    match step:
        case ("run", block, slots, written):
            return "run", block, _getter(slots), written
        case ("call", name, slots, result):
            return "call", name, _getter(slots), result
    return step


def _getter(slots: tuple[int, ...]) -> Callable[[Locals], tuple[Any, ...]]:
    if len(slots) > 1:
        return itemgetter(*slots)
    if not slots:
        return lambda _local: ()
    [slot] = slots
    return lambda local: (local[slot],)


def _jump(number: int, step: tuple[Any, ...]) -> Jump | None:
    """The function that runs a step, if it only changes locals and says where to go on."""
    following = number + 1
    match step:
        case ("let", block, slots, written):
            return _let(block, _getter(slots), written, following)
        case ("go", target):
            return lambda _local: target
        case ("unless", slot, target):
            return lambda local: following if local[slot] else target
        case ("case", slot, word, target):
            return lambda local: following if local[slot] == word else target
        case ("next", rest, slot, target):
            return _next_item(rest, slot, following, target)
        case ("count", slot, target):
            return _count_down(slot, following, target)
    return None


def _let(block: Callable[..., Any], arguments: Callable[[Locals], Any], written: Sequence[int], following: int) -> Jump:
    def jump(local: Locals) -> int:
        for slot, value in zip(written, block(*arguments(local)), strict=True):
            local[slot] = value
        return following

    return jump


def _next_item(rest_slot: int, slot: int, following: int, at_end: int) -> Jump:
    def jump(local: Locals) -> int:
        rest = local[rest_slot]
        if not rest:
            return at_end
        local[slot], local[rest_slot] = rest[0], rest[1:]
        return following

    return jump


def _count_down(slot: int, following: int, at_end: int) -> Jump:
    def jump(local: Locals) -> int:
        if local[slot] <= 0:
            return at_end
        local[slot] -= 1
        return following

    return jump


class ProcedureCode:
    """A procedure that rolls, as the steps and basic blocks that `language.codegen.blocks` writes."""

    __slots__ = ("_dead", "_interned", "_jumps", "_return_addresses", "asks", "name", "size", "steps")

    def __init__(self, name: str, written: tuple[int, Any, Any], *, asks: bool = False) -> None:
        self.name, self.asks = name, asks
        self.size, steps, self._dead = written
        self.steps = [_with_getter(each) for each in steps]
        self._jumps = [_jump(number, each) for number, each in enumerate(steps)]
        """For each step that only changes locals the function that runs it; none for the others."""
        self._interned: dict[Any, Any] = {}
        """The first value seen of all those that later steps cannot distinguish."""
        self._return_addresses: dict[Any, ReturnAddress] = {}

    def clear_return_addresses(self) -> None:
        """Drops what is of no use to another question."""
        self._return_addresses.clear()

    def next_effect(self, number: int, local: Locals) -> int:
        """Runs steps that only change locals; returns the number of the next one that runs, calls or returns."""
        jumps = self._jumps
        while (jump := jumps[number]) is not None:
            number = jump(local)
        return number

    def return_address(self, continuation: Continuation) -> ReturnAddress:
        """The return address for a continuation in this procedure; the same object for equal ones."""
        try:
            found = self._return_addresses.get(continuation)
        except TypeError:
            return self._return_addresses.setdefault(hashable(continuation), ReturnAddress(continuation))
        if found is None:
            found = self._return_addresses[continuation] = ReturnAddress(continuation)
        return found

    def live_values(self, number: int, values: Locals) -> tuple[Any, ...]:
        """The locals that are live before a step; the others are none.

        Of a thing of which later steps read only attributes that never change, the first with the same values is taken.
        """
        dead, partly_read = self._dead[number]
        kept = list(values)
        for slot in dead:
            kept[slot] = None
        for slot, attributes in partly_read:
            value = kept[slot]
            if value is not None:
                key = (type(value), attributes, *[hashable(getattr(value, each)) for each in attributes])
                kept[slot] = self._interned.setdefault(key, value)
        return tuple(kept)


class Continuation(NamedTuple):
    """A point of execution: the step that comes next, the locals of the procedure, and where it returns to."""

    code: ProcedureCode
    step: int
    values: tuple[Any, ...]
    outer: ReturnAddress | None


class ReturnAddress:
    """The continuation of a caller; there is one object for each continuation."""

    __slots__ = ("continuation", "depth")

    def __init__(self, continuation: Continuation) -> None:
        self.continuation = continuation
        self.depth: int = 1 if continuation.outer is None else continuation.outer.depth + 1


def entry_of(code: ProcedureCode, arguments: Sequence[Any], outer: ReturnAddress | None) -> Continuation:
    """The continuation at the beginning of a procedure with these arguments."""
    return Continuation(code, 0, (*arguments, *[None] * (code.size - len(arguments))), outer)


class Machine:
    """Runs one path from a continuation on; `codes` are the procedures that can be called."""

    __slots__ = ("_codes", "_number", "_outer", "code", "local")

    def __init__(self, codes: dict[str, ProcedureCode], continuation: Continuation) -> None:
        self._codes = codes
        self._enter(continuation)

    def _enter(self, continuation: Continuation) -> None:
        self.code, self._number, values, self._outer = continuation
        self.local = list(values)

    @property
    def is_outermost(self) -> bool:
        """Whether the path ends when the present procedure returns."""
        return self._outer is None

    def continuation(self) -> Continuation:
        """The present continuation, with the live locals only."""
        return Continuation(self.code, self._number, self.code.live_values(self._number, self.local), self._outer)

    def assign(self, slots: tuple[int, ...], values: tuple[Any, ...]) -> None:
        """Sets locals."""
        if slots:
            local = self.local
            for slot, value in zip(slots, values, strict=True):
                local[slot] = value

    def continuation_with(self, slots: tuple[int, ...], values: tuple[Any, ...]) -> Continuation:
        """The continuation that these values of locals would lead to; the machine stays as it is."""
        number, before = self._number, list(self.local)
        self.assign(slots, values)
        self.advance_to_effect()
        found = self.continuation()
        self._number, self.local = number, before
        return found

    def advance_to_effect(self) -> None:
        """Goes on to before the next step that runs a block, calls or returns."""
        self._number = self.code.next_effect(self._number, self.local)

    def next_effect(self) -> Any:
        """Goes past the next step that runs a block, calls or returns, and gives that step."""
        number = self.code.next_effect(self._number, self.local)
        self._number = number + 1
        return self.code.steps[number]

    def step_back(self) -> None:
        """Goes back to before the step that `next_effect` gave last."""
        self._number -= 1

    def enter(self, name: str, arguments: Sequence[Any], result: int) -> None:
        """Calls a procedure; `result` is the slot for its result, or -1."""
        if self._outer is not None and self._outer.depth == MAX_CALL_DEPTH:
            raise RecursionError
        if result >= 0:
            self.local[result] = None
        self._enter(entry_of(self._codes[name], arguments, self.code.return_address(self.continuation())))

    def leave(self, slot: int) -> tuple[bool, Any]:
        """Returns from a procedure with the value of a local (-1: none): whether the whole path has ended, and it."""
        value = None if slot < 0 else self.local[slot]
        if self._outer is None:
            return True, value
        self._enter(self._outer.continuation)
        *_, result = self.code.steps[self._number - 1]
        if result >= 0:
            self.local[result] = value
        return False, value
