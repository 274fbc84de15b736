"""Call summaries: the result of a whole call, computed once for each state that makes a difference to it.

A call with few branches is memoized like a basic block: all paths through it are followed to its end. A procedure that
turns out to have many branches, or whose calls hardly ever begin in a known state, is followed step by step from then
on: its branches merge earlier where each of them is followed on its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from interpreter.inference.memo.recorder import Effects, ReadSet, SettledReads, apply_effects
from interpreter.inference.memo.tracking import Tracker
from interpreter.inference.solver.block_runs import (
    BlockRunner,
    BlockSummary,
    Branch,
    Memo,
    RawBranch,
    merge_branches,
)
from interpreter.inference.solver.machine import Continuation, Machine, ProcedureCode, entry_of

MAX_BRANCHES = 14
"""A call with more branches is not summarized."""
MIN_CALLS_BEFORE_DECISION = 8
"""How many summaries of a procedure are computed before its miss rate counts."""
MAX_MISS_RATE = 0.7
"""The share of the calls of a procedure whose summary may have to be computed."""
MAX_NESTED_SUMMARIES = 20


class _TooManyError(Exception):
    """A call has too many branches."""


class CallSummaries:
    """Gives the next summary on a path: that of a basic block, or of a call that can be summarized.

    `stepwise` are procedures that are followed step by step from the start.
    """

    def __init__(
        self, tracker: Tracker, runner: BlockRunner, codes: dict[str, ProcedureCode], stepwise: Collection[str] = ()
    ) -> None:
        self._tracker, self._runner, self.codes = tracker, runner, codes
        self.memo = Memo(tracker)
        self._not_summarized = set(stepwise)
        self._depth = 0
        self._lookups = Counter[str]()
        self._misses = Counter[str]()

    @contextmanager
    def without_judging(self) -> Iterator[None]:
        """What runs in the block does not count in the choice of the calls that are summarized."""
        before = set(self._not_summarized), self._lookups.copy(), self._misses.copy()
        yield
        self._not_summarized, self._lookups, self._misses = before

    @property
    def stepwise(self) -> frozenset[str]:
        """The procedures that are followed step by step."""
        return frozenset(self._not_summarized)

    def next_summary(self, machine: Machine) -> tuple[BlockSummary | None, tuple[int, ...]]:
        """The next summary and the slots for its results; at the end of a procedure none, and the slot it returns."""
        while True:
            step, local = machine.next_effect(), machine.local
            if step[0] == "return":
                return None, (step[1],)
            if step[0] == "run":
                _, block, arguments_of, slots = step
                return self._runner.summary(block, arguments_of(local)), slots
            _, name, arguments_of, result = step
            arguments = arguments_of(local)
            summary = self._call_summary(name, arguments, result >= 0)
            if summary is not None:
                return summary, (result,) if result >= 0 else ()
            machine.enter(name, arguments, result)

    def _call_summary(self, name: str, arguments: tuple[Any, ...], result_used: bool) -> BlockSummary | None:
        """The summary of a call whose result is used or not; none if the call has too many branches."""
        if name in self._not_summarized or self._depth == MAX_NESTED_SUMMARIES:
            return None
        self._depth += 1
        self._lookups[name] += 1
        answers = self._runner.answers.text if self.codes[name].asks else ""
        try:
            key = (name, result_used, arguments, answers)
            found = self.memo.summary(key, self._enumerate, name, arguments, result_used)
        except _TooManyError:
            self._not_summarized.add(name)
            return None
        finally:
            self._depth -= 1
        if self._misses[name] > max(MIN_CALLS_BEFORE_DECISION, MAX_MISS_RATE * self._lookups[name]):
            self._not_summarized.add(name)
        return found

    def _enumerate(self, name: str, arguments: tuple[Any, ...], result_used: bool) -> BlockSummary:
        self._misses[name] += 1
        run = _CallRun(self._tracker, self, result_used)
        reads, branches = run.enumerate_from(entry_of(self.codes[name], arguments, None))
        return BlockSummary(reads, merge_branches(branches))


class _RunState(ReadSet):
    """The read set of a path, and its changes in order."""

    __slots__ = ("actions", "effects")

    def __init__(self) -> None:
        super().__init__()
        self.actions: list[tuple[Any, ...]] = []
        self.effects: Effects = {}


class _CallRun:
    """All paths through one call, whose result is used or not."""

    def __init__(self, tracker: Tracker, calls: CallSummaries, result_used: bool) -> None:
        self._tracker, self._calls, self._result_used = tracker, calls, result_used
        self._branch_count = 1
        """How many branches are known so far."""

    def enumerate_from(self, continuation: Continuation) -> tuple[SettledReads, list[RawBranch]]:
        """The read set and the branches from a continuation to the end of the call; the state is left as it was."""
        shadow = self._tracker.shadow
        machine, state, mark = Machine(self._calls.codes, continuation), _RunState(), shadow.mark()
        try:
            branches = self._run_to_end(machine, state)
        finally:
            shadow.undo(mark)
        return state.settled(shadow.value), branches

    def _run_to_end(self, machine: Machine, state: _RunState) -> list[RawBranch]:
        while True:
            summary, slots = self._calls.next_summary(machine)
            if summary is None:
                is_over, result = machine.leave(slots[0])
                if is_over:
                    results = (result,) if self._result_used else ()
                    return [RawBranch(1, 1, results, None, state.actions, state.written, state.effects)]
                continue
            state.add(summary.reads)
            if len(summary.branches) > 1 or summary.branches[0].raised is not None:
                return self._fork(summary, slots, machine, state)
            branch = summary.branches[0]
            change = branch.change
            if change.actions:
                self._tracker.shadow.apply(change)
                state.actions += change.actions
                state.written |= branch.written
                apply_effects(state.effects, change.effects)
            machine.assign(slots, branch.results)

    def _fork(
        self, summary: BlockSummary, slots: tuple[int, ...], machine: Machine, state: _RunState
    ) -> list[RawBranch]:
        """Goes on after each branch of a summary; branches that differ in nothing read later share the rest."""
        self._count_branches(len(summary.branches) - 1)
        total, epoch = sum([each.weight for each in summary.branches]), self._tracker.epoch
        known: list[tuple[int, Continuation, SettledReads, list[RawBranch]]] = []
        found = []
        for number, branch in enumerate(summary.branches):
            if branch.raised is not None:
                found.append(_concatenated(state, branch, total, RawBranch(1, 1, (), branch.raised, [], 0, {})))
                continue
            continuation = machine.continuation_with(slots, branch.results)
            if epoch != self._tracker.epoch:  # what the branches change does not mention all that is read now
                known.clear()
            for earlier, other, reads, rest in known:
                if other == continuation and not summary.differing_bits(earlier, number) & reads.bits:
                    self._count_branches(len(rest) - 1)
                    break
            else:
                reads, rest = self._run_branch(branch, continuation)
                state.add(reads, branch.written)
                known.append((number, continuation, reads, rest))
            found += [_concatenated(state, branch, total, each) for each in rest]
        return found

    def _run_branch(self, branch: Branch, continuation: Continuation) -> tuple[SettledReads, list[RawBranch]]:
        shadow = self._tracker.shadow
        mark = shadow.mark()
        shadow.apply(branch.change)
        try:
            return self.enumerate_from(continuation)
        finally:
            shadow.undo(mark)

    def _count_branches(self, further: int) -> None:
        self._branch_count += further
        if self._branch_count > MAX_BRANCHES:
            raise _TooManyError


def _concatenated(state: _RunState, branch: Branch, total: int, rest: RawBranch) -> RawBranch:
    """The path so far, then a branch of weight `branch.weight` out of `total`, then the rest of the path."""
    effects = dict(state.effects)
    apply_effects(effects, branch.change.effects)
    apply_effects(effects, rest.effects)
    return RawBranch(
        branch.weight * rest.top,
        total * rest.bottom,
        rest.results,
        rest.raised,
        [*state.actions, *branch.change.actions, *rest.actions],
        state.written | branch.written | rest.written,
        effects,
    )
