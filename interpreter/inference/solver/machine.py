"""Where a course of events stands, as plain data, and how it goes from step to step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from interpreter.inference.memo.recorder import hashable

TRIALS = 32
"""So many courses that come to a step are compared with those before them."""
SELDOM = 16
"""If of so many not one has met another, most that come there later are not."""
OFTEN = 8
"""One of so many still is: there may be others on the way by then."""
DEEPEST = 500
"""How many calls may be under way inside one another."""


class Spot:
    """How often courses came to a step, and how often the future of one was known there."""

    __slots__ = ("asked", "met")

    def __init__(self) -> None:
        self.asked = self.met = 0

    @property
    def lonely(self) -> bool:
        """Whether courses so seldom meet here that to compare them does not pay."""
        return self.asked > TRIALS and self.met * SELDOM < self.asked

    def pays(self) -> bool:
        """Whether the course that is here now is to be compared with others; now and then one is in any case."""
        self.asked += 1
        return not self.lonely or self.asked % OFTEN == 0

    def meet(self) -> None:
        """Counts a course whose future is known; where few are compared it stands for many."""
        self.met += SELDOM if self.lonely else 1


Locals = list[Any]
Way = Callable[[Locals], int]


def _with_look_up(step: tuple[Any, ...]) -> tuple[Any, ...]:
    """A step that runs or calls with a function that gives its arguments, instead of their slots."""
    match step:
        case ("run", part, slots, written):
            return "run", part, _look_up(slots), written
        case ("call", name, slots, result):
            return "call", name, _look_up(slots), result
    return step


def _look_up(slots: tuple[int, ...]) -> Callable[[Locals], tuple[Any, ...]]:
    if len(slots) > 1:
        return itemgetter(*slots)
    if not slots:
        return lambda _local: ()
    [slot] = slots
    return lambda local: (local[slot],)


def _way(number: int, step: tuple[Any, ...]) -> Way | None:
    """How a step that only says where to go on does that, if it is one."""
    after = number + 1
    match step:
        case ("let", part, slots, written):
            return _letting(part, _look_up(slots), written, after)
        case ("go", there):
            return lambda _local: there
        case ("unless", slot, there):
            return lambda local: after if local[slot] else there
        case ("case", slot, word, there):
            return lambda local: after if local[slot] == word else there
        case ("next", left, slot, there):
            return _taking(left, slot, after, there)
        case ("count", slot, there):
            return _counting(slot, after, there)
    return None


def _letting(part: Callable[..., Any], given: Callable[[Locals], Any], written: Sequence[int], after: int) -> Way:
    def way(local: Locals) -> int:
        for slot, value in zip(written, part(*given(local)), strict=True):
            local[slot] = value
        return after

    return way


def _taking(left: int, slot: int, after: int, otherwise: int) -> Way:
    def way(local: Locals) -> int:
        rest = local[left]
        if not rest:
            return otherwise
        local[slot], local[left] = rest[0], rest[1:]
        return after

    return way


def _counting(slot: int, after: int, otherwise: int) -> Way:
    def way(local: Locals) -> int:
        if local[slot] <= 0:
            return otherwise
        local[slot] -= 1
        return after

    return way


class ProcedureCode:
    """A procedure that rolls, taken apart as `language.emission.parts` writes it."""

    __slots__ = ("_callers", "alike", "asks", "name", "size", "spots", "steps", "unread", "ways")

    def __init__(self, name: str, written: tuple[int, Any, Any], *, asks: bool = False) -> None:
        self.name, self.asks = name, asks
        self.size, steps, self.unread = written
        self.steps = [_with_look_up(each) for each in steps]
        self.ways = [_way(number, each) for number, each in enumerate(steps)]
        """For each step that only says where to go on what gives the next; none for those that run, call or return."""
        self.alike: dict[Any, Any] = {}
        """Of all that is alike in what is still read of it, the first that was met."""
        self._callers: dict[Any, ReturnAddress] = {}
        self.spots: dict[int, Spot] = {}
        """What is known of the steps that courses came to."""

    def forget_courses(self) -> None:
        """Forgets what is of no use to another question: the places that courses came to."""
        self.spots.clear()
        self._callers.clear()

    def spot(self, number: int) -> Spot:
        """What is known of one of its steps."""
        found = self.spots.get(number)
        if found is None:
            found = self.spots[number] = Spot()
        return found

    def caller(self, place: Continuation) -> ReturnAddress:
        """What stands for a place in it while a call from there is under way."""
        try:
            found = self._callers.get(place)
        except TypeError:
            return self._callers.setdefault(hashable(place), ReturnAddress(place))
        if found is None:
            found = self._callers[place] = ReturnAddress(place)
        return found

    def read_later(self, number: int, values: list[Any]) -> tuple[Any, ...]:
        """The locals as far as a step or one after it reads them."""
        dead, partly = self.unread[number]
        kept = list(values)
        for slot in dead:
            kept[slot] = None
        for slot, attributes in partly:
            value = kept[slot]
            if value is not None:
                key = (type(value), attributes, *[hashable(getattr(value, each)) for each in attributes])
                kept[slot] = self.alike.setdefault(key, value)
        return tuple(kept)


class Continuation(NamedTuple):
    """Where a course stands: before a step, with the locals of the procedure, and where it was called from."""

    code: ProcedureCode
    step: int
    values: tuple[Any, ...]
    outer: ReturnAddress | None


class ReturnAddress:
    """The place of a call that is under way; there is one for each such place."""

    __slots__ = ("depth", "place")

    def __init__(self, place: Continuation) -> None:
        self.place = place
        self.depth: int = 1 if place.outer is None else place.outer.depth + 1


def entry_of(code: ProcedureCode, given: Sequence[Any], outer: ReturnAddress | None) -> Continuation:
    """The beginning of a procedure with these arguments."""
    return Continuation(code, 0, (*given, *[None] * (code.size - len(given))), outer)


class Machine:
    """A course under way, from one place to the next; `codes` are the procedures that can be called."""

    __slots__ = ("_codes", "code", "local", "number", "outer")

    def __init__(self, codes: dict[str, ProcedureCode], place: Continuation) -> None:
        self._codes = codes
        self._enter(place)

    def _enter(self, place: Continuation) -> None:
        self.code, self.number, values, self.outer = place
        self.local = list(values)

    def place(self) -> Continuation:
        """Where it stands, without the locals that are not read any more."""
        return Continuation(self.code, self.number, self.code.read_later(self.number, self.local), self.outer)

    def given(self, slots: tuple[int, ...], values: tuple[Any, ...]) -> None:
        """Gives locals their values."""
        if slots:
            local = self.local
            for slot, value in zip(slots, values, strict=True):
                local[slot] = value

    def after(self, slots: tuple[int, ...], values: tuple[Any, ...]) -> Continuation:
        """Where it would stand with these values; the course itself stays as it is."""
        number, before = self.number, list(self.local)
        self.given(slots, values)
        self.come()
        found = self.place()
        self.number, self.local = number, before
        return found

    def come(self) -> None:
        """Goes on to before the next step that does more than say where to go on."""
        self.step()
        self.number -= 1

    @property
    def spot(self) -> Spot:
        """What is known of where it stands."""
        return self.code.spot(self.number)

    def step(self) -> Any:
        """Follows the steps that only say where to go on, and gives the next that runs, calls or returns."""
        ways, number, local = self.code.ways, self.number, self.local
        while (way := ways[number]) is not None:
            number = way(local)
        self.number = number + 1
        return self.code.steps[number]

    def enter(self, name: str, given: Sequence[Any], result: int) -> None:
        """Goes on in another procedure."""
        if self.outer is not None and self.outer.depth == DEEPEST:
            raise RecursionError
        if result >= 0:
            self.local[result] = None
        self._enter(entry_of(self._codes[name], given, self.code.caller(self.place())))

    def leave(self, slot: int) -> tuple[bool, Any]:
        """Leaves a procedure with the value of a local (-1: none): whether the whole course is over, and that value."""
        value = None if slot < 0 else self.local[slot]
        if self.outer is None:
            return True, value
        self._enter(self.outer.place)
        *_, result = self.code.steps[self.number - 1]
        if result >= 0:
            self.local[result] = value
        return False, value
