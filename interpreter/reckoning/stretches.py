"""Parts of procedures, run once for each state that makes a difference to them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from interpreter.play.core import Core
from interpreter.play.outcome import EndGame, EndStep
from interpreter.reckoning.branches import Branches
from interpreter.reckoning.notes import Key, Notes, Shelf, plain
from interpreter.reckoning.watch import Watch, do_again

Answerer = Callable[[Generator[Any, Any, Any]], Any]


class Ending(NamedTuple):
    """One way in which a part can end: how much it weighs, what it gives or raises, and what it changes."""

    weight: int
    given: tuple[Any, ...]
    raised: Exception | None
    doings: list[tuple[Any, ...]]
    written: frozenset[Key]


class Stretch(NamedTuple):
    """What came of a part in one state: all that it read, and its endings."""

    reads: dict[Key, None]
    endings: list[Ending]


class Stretches:
    """Runs parts in one game; `answer` drives one that asks and gives its result."""

    def __init__(self, core: Core, watch: Watch, answer: Answerer, most: int) -> None:
        self._core, self._watch, self._answer, self._most = core, watch, answer, most
        self._known: dict[Any, Shelf[Stretch]] = {}
        self._grown = 0
        self.branches = Branches(most)

    def pick(self, weights: Any, total: int) -> int:
        """Parts the course of the part that is being run."""
        return self.branches.pick(weights, total)

    def of(self, part: Callable[..., Any], arguments: tuple[Any, ...]) -> Stretch:
        """What comes of a part in the present state; the state is left as it was."""
        watch = self._watch
        if self._grown != watch.grown:
            self._known.clear()
            self._grown = watch.grown
        key = (part, plain(arguments))
        shelf = self._known.get(key)
        if shelf is None:
            shelf = self._known[key] = Shelf()
        found = shelf.find()
        if found is None:
            found = self._followed(part, arguments)
            if self._grown == watch.grown:
                shelf.add(found.reads, found)
        return found

    def _followed(self, part: Callable[..., Any], arguments: tuple[Any, ...]) -> Stretch:
        watch, outer = self._watch, self._watch.notes
        notes = watch.notes = Notes()
        self.branches = branches = Branches(self._most)
        mark, ended = watch.mark(), []
        try:
            while True:
                self._core.budget.decisions += 1
                given, raised = self._run(part, arguments)
                ended.append((branches.weight(), given, raised, notes.doings, notes.written))
                watch.undo(mark)
                notes.begin_anew()
                if not branches.advance():
                    break
        finally:
            watch.undo(mark)
            watch.notes = outer
        return Stretch(notes.reads, _merged(ended))

    def _run(self, part: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], Exception | None]:
        try:
            given = part(*arguments)
            if part.__code__.co_flags & _ASKS:
                given = self._answer(given)
        except (EndGame, EndStep) as end:
            return (), end
        return tuple([tuple(each) if isinstance(each, list) else each for each in given]), None

    def take(self, ending: Ending) -> None:
        """Brings about what one ending of a stretch changes."""
        do_again(ending.doings)


_ASKS = 0x20
"""The flag of a generator function's code."""


def _merged(ended: list[tuple[Fraction, tuple[Any, ...], Exception | None, Any, Any]]) -> list[Ending]:
    """The endings, those that give and change the same as one, with whole weights."""
    shares: dict[Any, Fraction] = {}
    first: dict[Any, tuple[Any, ...]] = {}
    for share, given, raised, doings, written in ended:
        told = (type(raised), str(raised)) if raised is not None else None
        same = (plain(given), told, tuple([(each[0].__name__, *plain(each[1:])) for each in doings]))
        shares[same] = shares.get(same, Fraction(0)) + share
        first.setdefault(same, (given, raised, doings, frozenset(written)))
    bottom = lcm(*[each.denominator for each in shares.values()])
    return [Ending(int(share * bottom), *first[same]) for same, share in shares.items()]
