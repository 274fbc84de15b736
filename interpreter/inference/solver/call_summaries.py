"""Whole calls taken in one piece: what a procedure comes to, where that is little, is found once for what it reads.

A call that ends in few ways is a stretch like a part: all courses through it are followed to its end, and what was read
and changed on the way is kept. A procedure that proves to end in many ways, or whose calls hardly ever begin in a
state that is known, is followed step by step from then on: its courses meet again sooner where each of them can be
told apart.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from interpreter.inference.memo.recorder import Effects, ReadSet, SettledReads, apply_effects
from interpreter.inference.memo.tracking import Tracker
from interpreter.inference.solver.block_runs import BlockRunner, BlockSummary, Branch, Memo, RawBranch, merged
from interpreter.inference.solver.machine import Continuation, Machine, ProcedureCode, entry_of

MAX_BRANCHES = 40
"""In more ways than this a call does not end that is taken in one piece."""
TRIALS = 8
"""So often a procedure is found out before anything is made of how seldom that is of use."""
MAX_MISS_RATE = 0.7
"""The share of the calls of a procedure that may have to be found out."""
DEEPEST = 20
"""So many calls may be taken in one piece inside one another."""


class _TooManyError(Exception):
    """A call ends in too many ways."""


class CallSummaries:
    """What comes next of a course: parts, and calls that can be taken in one piece."""

    def __init__(self, watch: Tracker, stretches: BlockRunner, codes: dict[str, ProcedureCode]) -> None:
        self._watch, self._stretches, self.codes = watch, stretches, codes
        self.known = Memo(watch)
        self._wide: set[str] = set()
        """Procedures that are followed step by step."""
        self._depth = 0
        self._asked = Counter[str]()
        self._missed = Counter[str]()

    def next(self, walk: Machine) -> tuple[BlockSummary | None, tuple[int, ...]]:
        """The next stretch of a walk and the slots for what it gives; none, and the slot it returns, where it ends."""
        while True:
            step, local = walk.step(), walk.local
            if step[0] == "return":
                return None, (step[1],)
            if step[0] == "run":
                _, part, reads, writes = step
                return self._stretches.of(part, reads(local)), writes
            _, name, slots, result = step
            arguments = slots(local)
            stretch = self._whole(name, arguments, result >= 0)
            if stretch is not None:
                return stretch, (result,) if result >= 0 else ()
            walk.enter(name, arguments, result)

    def _whole(self, name: str, arguments: tuple[Any, ...], wanted: bool) -> BlockSummary | None:
        """What comes of a call whose result is wanted or not; none if that is too much for one piece."""
        if name in self._wide or self._depth == DEEPEST:
            return None
        self._depth += 1
        self._asked[name] += 1
        answers = self._stretches.answers.text if self.codes[name].asks else ""
        try:
            found = self.known.of((name, wanted, arguments, answers), self._followed, name, arguments, wanted)
        except _TooManyError:
            self._wide.add(name)
            return None
        finally:
            self._depth -= 1
        if self._missed[name] > max(TRIALS, MAX_MISS_RATE * self._asked[name]):
            self._wide.add(name)
        return found

    def _followed(self, name: str, arguments: tuple[Any, ...], wanted: bool) -> BlockSummary:
        self._missed[name] += 1
        reads, ended = _CallRun(self._watch, self, wanted).follow(entry_of(self.codes[name], arguments, None))
        return BlockSummary(reads, merged(ended))


class _RunState(ReadSet):
    """What a course has read, and what it has done, in order."""

    __slots__ = ("doings", "effects")

    def __init__(self) -> None:
        super().__init__()
        self.doings: list[tuple[Any, ...]] = []
        self.effects: Effects = {}


class _CallRun:
    """All courses through one call, whose result is wanted or not."""

    def __init__(self, watch: Tracker, pieces: CallSummaries, wanted: bool) -> None:
        self._watch, self._pieces, self._wanted = watch, pieces, wanted
        self._open = 1
        """How many courses there are, as far as is known."""

    def follow(self, place: Continuation) -> tuple[SettledReads, list[RawBranch]]:
        """Every course from a place to its end, and what was read on the way; the state is left as it was."""
        sheet = self._watch.sheet
        walk, done, mark = Machine(self._pieces.codes, place), _RunState(), sheet.mark()
        try:
            ended = self._go_on(walk, done)
        finally:
            sheet.back(mark)
        return done.settled(sheet.value), ended

    def _go_on(self, walk: Machine, done: _RunState) -> list[RawBranch]:
        while True:
            stretch, slots = self._pieces.next(walk)
            if stretch is None:
                over, result = walk.leave(slots[0])
                if over:
                    given = (result,) if self._wanted else ()
                    return [RawBranch(1, 1, given, None, done.doings, done.written, done.effects)]
                continue
            done.add(stretch.reads)
            if len(stretch.endings) > 1 or stretch.endings[0].raised is not None:
                return self._part(stretch, slots, walk, done)
            ending = stretch.endings[0]
            change = ending.change
            if change.doings:
                self._watch.sheet.go(change)
                done.doings += change.doings
                done.written |= ending.written
                apply_effects(done.effects, change.effects)
            walk.given(slots, ending.given)

    def _part(self, stretch: BlockSummary, slots: tuple[int, ...], walk: Machine, done: _RunState) -> list[RawBranch]:
        """Goes on after each ending of a stretch; after one like another in all that is read, as after that."""
        self._widen(len(stretch.endings) - 1)
        whole = sum([each.weight for each in stretch.endings])
        known: list[tuple[int, Continuation, SettledReads, list[RawBranch]]] = []
        found = []
        for number, ending in enumerate(stretch.endings):
            if ending.raised is not None:
                found.append(_joined(done, ending, whole, RawBranch(1, 1, (), ending.raised, [], 0, {})))
                continue
            place = walk.after(slots, ending.given)
            for before, there, reads, ended in known:
                if there == place and not stretch.differing_bits(before, number) & reads.bits:
                    self._widen(len(ended) - 1)
                    break
            else:
                reads, ended = self._after(ending, place)
                done.add(reads, ending.written)
                known.append((number, place, reads, ended))
            found += [_joined(done, ending, whole, each) for each in ended]
        return found

    def _after(self, ending: Branch, place: Continuation) -> tuple[SettledReads, list[RawBranch]]:
        sheet = self._watch.sheet
        mark = sheet.mark()
        sheet.go(ending.change)
        try:
            return self.follow(place)
        finally:
            sheet.back(mark)

    def _widen(self, further: int) -> None:
        self._open += further
        if self._open > MAX_BRANCHES:
            raise _TooManyError


def _joined(done: _RunState, ending: Branch, whole: int, ended: RawBranch) -> RawBranch:
    """What was done, then an ending out of `whole`, then the rest of the course."""
    effects = dict(done.effects)
    apply_effects(effects, ending.change.effects)
    apply_effects(effects, ended.effects)
    return RawBranch(
        ending.weight * ended.top,
        whole * ended.bottom,
        ended.given,
        ended.raised,
        [*done.doings, *ending.change.doings, *ended.doings],
        done.written | ending.written | ended.written,
        effects,
    )
