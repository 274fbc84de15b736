"""Random walks: an early estimate of how many branches a procedure has, from how seldom they meet.

A walk takes a random branch at each fork. What counts is the state in which it is after a number of forks: the
continuation, and the values that the rest of the procedure reads. Among `w` walks through `n` equally likely states
there are about `w * w / 2n` meetings, and more if some states are likelier. So few meetings mean many states, and each
of them is a branch to follow.

All walks take the same branches after the fork that counts. So walks that have met read the same values from there on,
and are recognized by these values. Two states that differ only in what another rest would read count as a meeting: the
estimate is never too high because of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from math import isqrt
from random import Random
from typing import Any

from interpreter.inference.memo.recorder import ReadSet, SettledReads, hashable
from interpreter.inference.memo.tracking import Tracker
from interpreter.inference.solver.call_summaries import CallSummaries
from interpreter.inference.solver.machine import Continuation, Machine

MEETINGS = 3
"""After this number of meetings the states may be few enough to be followed."""
MARGIN = 8
"""How many times the limit the estimate must be: in `limit` states the chance of fewer meetings is below 1 in 10**7."""
PILOT_WALKS = 8
"""How many walks show how many forks there are."""
MAX_STEPS = 1_000_000
"""How many blocks and calls all walks may take; there is no estimate beyond that."""


class _TooLongError(Exception):
    """The walks take too many steps."""


class RandomWalks:
    """Walks from one continuation; `reads_at_end` gives what computing the outcome of a path reads."""

    def __init__(
        self,
        tracker: Tracker,
        calls: CallSummaries,
        start: Continuation,
        reads_at_end: Callable[[Any, Exception | None], SettledReads],
    ) -> None:
        self._tracker, self._calls, self._start, self._reads_at_end = tracker, calls, start, reads_at_end
        self._steps = 0
        self.walks = 0
        """How many walks were made."""

    def exceed(self, limit: int) -> bool:
        """Whether there are more states than a limit, by far; the state is left as it was."""
        try:
            forks = sum([self._walk(0, _chance(seed), _chance(seed))[1] for seed in range(PILOT_WALKS)]) // PILOT_WALKS
            depths = dict.fromkeys([forks // 2, forks * 3 // 4, forks // 4])
            return any(self._are_many(each, limit) for each in depths if each)
        except _TooLongError:
            return False

    def _are_many(self, depth: int, limit: int) -> bool:
        """Whether there are many states after a number of forks."""
        chance, seen, meetings, epoch = _chance(depth), set[Hashable](), 0, self._tracker.epoch
        while len(seen) < isqrt(2 * MEETINGS * MARGIN * limit):
            state, _forks = self._walk(depth, chance, _chance(0))
            if self._tracker.epoch != epoch:  # earlier walks did not record all that this one has read
                seen, epoch = set(), self._tracker.epoch
            meetings += state in seen
            if meetings == MEETINGS:
                return False
            seen.add(state)
        return True

    def _walk(self, depth: int, chance: Random, rest: Random) -> tuple[Hashable, int]:
        """The state after `depth` forks, and the number of all forks.

        `chance` picks the branches up to there, `rest` those that follow. The state is none if the path is shorter.
        """
        shadow = self._tracker.shadow
        mark = start = shadow.mark()
        machine, forks, reads = Machine(self._calls.codes, self._start), 0, ReadSet()
        continuation: Continuation | None = None
        self.walks += 1
        try:
            while True:
                summary, slots = self._next_step(machine)
                if summary is None:
                    is_over, result = machine.leave(slots[0])
                    if is_over:
                        reads.add(self._reads_at_end(result, None))
                        break
                    continue
                reads.add(summary.reads)
                branch, is_fork = summary.branches[0], len(summary.branches) > 1
                if is_fork:
                    branch = (chance if forks < depth else rest).choice(summary.branches)
                    forks += 1
                if branch.written:
                    shadow.apply(branch.change)
                    reads.written |= branch.written
                if branch.raised is not None:
                    reads.add(self._reads_at_end(None, branch.raised))
                    break
                machine.assign(slots, branch.results)
                if is_fork and forks == depth:
                    machine.advance_to_effect()
                    continuation, reads, mark = machine.continuation(), ReadSet(), shadow.mark()
            if continuation is None:
                return None, forks
            shadow.undo(mark)
            values = reads.settled(shadow.value).values
            return hashable([continuation, [(key.index, value) for key, value in values.items()]]), forks
        finally:
            shadow.undo(start)

    def _next_step(self, machine: Machine) -> Any:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise _TooLongError
        return self._calls.next_summary(machine)


def _chance(seed: int) -> Random:
    """The same random choices each time: the same question is always answered, or always refused."""
    return Random(seed)  # noqa: S311
