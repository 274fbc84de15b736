"""The solver: follows every branch of a procedure depth first, and merges branches that have become alike.

The point that a branch has reached is plain data, a *continuation*: a step of a procedure, its locals, and the return
addresses of its callers. The outcomes from there depend on the continuation and on what later steps read of the state.
So the outcome distribution of a continuation is memoized with its read set. A later branch that reaches the same
continuation, in a state with the same values for everything read, has the same distribution and is not followed.

This is sound because a continuation is a pure function of its locals, the state it reads and the dice. Two branches
with the same continuation read the same key first; while the values are equal, they read the same next key and branch
with the same weights. What they read without recording it has never changed on any branch (see `tracking`), or was
written after the continuation began.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from interpreter.inference.memo.memo_trie import MemoTrie
from interpreter.inference.memo.recorder import ReadSet, SettledReads, hashable, merged_values, settled_reads
from interpreter.inference.memo.tracking import Tracker
from interpreter.inference.solver.block_runs import BlockSummary, Branch
from interpreter.inference.solver.call_summaries import CallSummaries
from interpreter.inference.solver.deferred_outcomes import Deferred, OutcomeReaders, Row, TooEarlyError
from interpreter.inference.solver.machine import Continuation, Machine, ProcedureCode
from interpreter.inference.solver.path_enumerator import TooManyBranchesError, too_many_branches
from interpreter.inference.solver.random_walks import MARGIN, RandomWalks
from interpreter.play.engine.cpu_timer import CpuTimer

MAX_WEIGHT_BITS = 32_768
"""How many bits the weights of a distribution may have."""
MAX_OPEN_BRANCHES = 100_000
"""How many branches on one path may be open: followed, or waiting to be followed."""
ESTIMATE_AFTER = 50
"""The number of branches is estimated when this fraction of the limit has been followed: one in 50."""
MIN_VISITS_BEFORE_DECISION = 50
"""How often a step has to be come to before its merge points are given up because branches never meet there."""
VISITS_BETWEEN_DECISIONS = 500
"""Each time after this number of visits they are given up if fewer than one in `VISITS_PER_MEETING` has met another."""
VISITS_PER_MEETING = 50


Deferrals = dict[int, int]
"""For each deferred outcome, by its number, the bits of what is written before it can be evaluated."""


class Outcomes:
    """The outcome distribution of a continuation, as integer weights over a total, with its read set.

    `deferred` has what is written between the continuation and the end, by the number of each deferred outcome.
    """

    __slots__ = ("deferred", "reads", "total", "weights")

    def __init__(self, total: int, weights: dict[Row, int], reads: SettledReads, deferred: Deferrals) -> None:
        self.total, self.weights, self.reads, self.deferred = total, weights, reads, deferred


class _MergePoint:
    """A continuation whose outcomes are being computed."""

    __slots__ = (
        "continuations",
        "deferred",
        "epoch",
        "fork_mark",
        "mark",
        "next",
        "read_set",
        "shares",
        "summary",
        "trie",
        "written_between",
    )

    def __init__(self, trie: MemoTrie[Outcomes], epoch: int, mark: int) -> None:
        self.trie, self.epoch, self.mark = trie, epoch, mark
        self.read_set = ReadSet()
        self.summary: BlockSummary | None = None
        """The block that forks here, if one does."""
        self.continuations: list[Continuation] = []
        """The continuation of each branch of that block; without a block the one that follows."""
        self.next = 0
        self.written_between = 0
        """What the present branch has changed since the fork."""
        self.fork_mark = mark
        self.shares: list[tuple[int, Outcomes]] = []
        """The weights and outcomes of the branches that have been followed."""
        self.deferred: Deferrals = {}
        """What is written before their ends, by the number of each deferred outcome."""

    def add_share(self, weight: int, found: Outcomes, written: int) -> None:
        """Adds the outcomes of a branch that has changed `written` since the fork."""
        self.shares.append((weight, found))
        for number, later in found.deferred.items():
            self.deferred[number] = self.deferred.get(number, 0) | later | written

    @property
    def present(self) -> Branch | None:
        """The branch that was followed last."""
        return self.summary.branches[self.next - 1] if self.summary is not None else None


class Solver:
    """Computes the outcomes of one procedure; `row_of` gives those where something was raised.

    It stops after `max_branches` branches, and after `seconds` of CPU time if they are given.
    """

    def __init__(
        self,
        tracker: Tracker,
        calls: CallSummaries,
        readers: OutcomeReaders,
        row_of: Callable[[Exception], Row],
        max_branches: int,
        seconds: float | None = None,
    ) -> None:
        self._tracker, self._calls, self._max_branches = tracker, calls, max_branches
        self._seconds, self._timer = seconds, CpuTimer()
        self._readers, self._row_of = readers, row_of
        self._tries: dict[Any, MemoTrie[Outcomes]] = {}
        self._visits: dict[tuple[ProcedureCode, int], int] = {}
        """How often each step was come to."""
        self._meetings: dict[tuple[ProcedureCode, int], int] = {}
        """How often the branch that came to a step met an earlier one."""
        self._given_up: set[tuple[ProcedureCode, int]] = set()
        """The steps whose merge points are given up: those where branches never meet cost more than they save."""
        self._epoch = self._open_branches = 0
        self._estimate_at = max_branches // ESTIMATE_AFTER
        self._repeated = 0
        """How many branches may be followed again, because results of theirs were dropped."""
        self.branches_followed = 0
        """How many branches were followed to their end, or to known outcomes; of several attempts, in the longest."""

    def outcomes(self, continuation: Continuation) -> Outcomes:
        """The outcome distribution of a continuation in the present state."""
        shadow = self._tracker.shadow
        mark = shadow.mark()
        most = 0
        while True:
            self._readers.begin()
            try:
                found = self._all_evaluated(self._follow(continuation))
            except TooEarlyError:
                shadow.undo(mark)
                self._tries.clear()
                most = max(most, self.branches_followed)
                self._open_branches = self.branches_followed = 0
            else:
                self.branches_followed = max(most, self.branches_followed)
                return found

    def _follow(self, continuation: Continuation) -> Outcomes:
        open_points: list[_MergePoint] = []
        self._start, self._start_mark = continuation, self._tracker.shadow.mark()
        found = self._open(continuation, open_points)
        while open_points:
            point = open_points[-1]
            if found is not None:
                branch, written = point.present, point.written_between
                point.read_set.add(found.reads, written)
                found = self._evaluated(found, point.read_set, written)
                self._tracker.shadow.undo(point.fork_mark)
                point.add_share(branch.weight if branch is not None else 1, found, written)
            if point.next == len(point.continuations):
                open_points.pop()
                self._open_branches -= len(point.continuations)
                found = self._close(point)
                continue
            point.next += 1
            branch = point.present
            if branch is not None and branch.written:
                self._tracker.shadow.apply(branch.change)
            point.written_between = branch.written if branch is not None else 0
            if branch is not None and branch.raised is not None:
                found = self._raised(branch.raised)
            else:
                found = self._open(self._next_merge_point(point), open_points)
        assert found is not None
        return found

    # ------------------------------------------------------------ merge points
    def _judge(self, continuation: Continuation, *, met: bool) -> None:
        """Notes whether a branch has met an earlier one at a step; where that is rare, merge points are given up."""
        step = continuation.code, continuation.step
        visits = self._visits[step] = self._visits.get(step, 0) + 1
        if met:
            self._meetings[step] = self._meetings.get(step, 0) + 1
        if (visits == MIN_VISITS_BEFORE_DECISION and step not in self._meetings) or (
            visits % VISITS_BETWEEN_DECISIONS == 0 and self._meetings.get(step, 0) * VISITS_PER_MEETING < visits
        ):
            self._given_up.add(step)

    def _next_merge_point(self, point: _MergePoint) -> Continuation:
        """The continuation at which the present branch of a point may meet others: the next fork at the latest.

        A merge point where branches never meet costs more than what is run up to the next one.
        """
        continuation, given_up = point.continuations[point.next - 1], self._given_up
        if (continuation.code, continuation.step) not in given_up:
            return continuation
        machine = Machine(self._calls.codes, continuation)
        while True:
            summary, slots = self._calls.next_summary(machine)
            if summary is None:
                if machine.is_outermost:
                    machine.step_back()
                    return machine.continuation()
                machine.leave(slots[0])
                machine.advance_to_effect()
                continuation = machine.continuation()
                if (continuation.code, continuation.step) not in given_up:
                    return continuation
                continue
            branch = summary.branches[0]
            if len(summary.branches) > 1 or branch.raised is not None:
                machine.step_back()
                return machine.continuation()
            point.read_set.add(summary.reads, point.written_between)
            if branch.written:
                self._tracker.shadow.apply(branch.change)
                point.written_between |= branch.written
            machine.assign(slots, branch.results)

    def _open(self, continuation: Continuation, open_points: list[_MergePoint]) -> Outcomes | None:
        """The outcomes of a continuation, if they are known or need no fork; else none, and it is an open point."""
        tracker = self._tracker
        if self._epoch != tracker.epoch:
            self._tries.clear()
            self._epoch = tracker.epoch
        trie = self._trie(continuation)
        found = trie.find()
        self._judge(continuation, met=found is not None)
        if found is not None:
            self._count()
            return found
        point = _MergePoint(trie, tracker.epoch, tracker.shadow.mark())
        terminal = self._run_to_branch(continuation, point)
        if terminal is not None:
            point.add_share(1, terminal, 0)
            return self._close(point)
        point.fork_mark = tracker.shadow.mark()
        self._open_branches += len(point.continuations)
        if self._open_branches > MAX_OPEN_BRANCHES:
            raise _too_deep()
        open_points.append(point)
        return None

    def _close(self, point: _MergePoint) -> Outcomes:
        """The outcomes of a point whose branches have all been followed; they are memoized."""
        tracker, reads, deferred = self._tracker, point.read_set, point.deferred
        due = self._due(deferred, reads.written)
        shares = (
            [(weight, self._evaluate(each, due, reads, 0, deferred)) for weight, each in point.shares]
            if due
            else point.shares
        )
        deferred = {number: later | reads.written for number, later in deferred.items() if number not in due}
        tracker.shadow.undo(point.mark)
        found = _weighted_sum(shares, reads.settled(tracker.shadow.value), deferred)
        if point.epoch == tracker.epoch:
            point.trie.add(found.reads, found)
        return found

    def _trie(self, continuation: Continuation) -> MemoTrie[Outcomes]:
        """The memoized outcomes of a continuation."""
        try:
            found = self._tries.get(continuation)
        except TypeError:
            continuation = hashable(continuation)
            found = self._tries.get(continuation)
        if found is None:
            found = self._tries[continuation] = MemoTrie(self._tracker.shadow)
        return found

    # ------------------------------------------------------------ outcomes
    def _raised(self, raised: Exception) -> Outcomes:
        """The outcomes of a branch that has ended by something raised."""
        self._count()
        return Outcomes(1, {self._row_of(raised): 1}, settled_reads({}), {})

    def _terminal(self, result: Any) -> Outcomes:
        """The outcomes at the end of a branch; what is read by those that are not deferred belongs to the read set."""
        self._count()
        row, reads, deferred = self._readers.row(result)
        return Outcomes(1, {row: 1}, settled_reads(merged_values(reads)), deferred)

    def _reads_at_end(self, result: Any, raised: Exception | None) -> SettledReads:
        """What all outcomes at the end of a branch read."""
        return settled_reads({} if raised is not None else merged_values(self._readers.all_reads(result)))

    def _due(self, deferred: Deferrals, written: int) -> list[int]:
        """The deferred outcomes that have to be evaluated before going back to before something was written."""
        return [number for number in deferred if self._readers.may_read(number, written)] if written else []

    def _evaluated(self, found: Outcomes, reads: ReadSet, written: int) -> Outcomes:
        """The outcomes of a branch, evaluated as far as they may depend on what it has written."""
        due = self._due(found.deferred, written)
        return self._evaluate(found, due, reads, written, found.deferred) if due else found

    def _evaluate(
        self, found: Outcomes, due: Collection[int], reads: ReadSet, written: int, later: Deferrals
    ) -> Outcomes:
        """The outcomes with some that were deferred evaluated in the present state, which belongs to what is read."""
        texts: dict[Deferred, str] = {}
        weights: dict[Row, int] = {}
        for row, weight in found.weights.items():
            made = list(row)
            for number in due:
                each = row[number]
                if type(each) is Deferred:
                    text = texts.get(each)
                    if text is None:
                        evaluated = self._readers.evaluate(each, later[number])
                        reads.add(evaluated.reads, written)
                        text = texts[each] = evaluated.text
                    made[number] = text
            key = tuple(made)
            weights[key] = weights.get(key, 0) + weight
        left = {number: bits for number, bits in found.deferred.items() if number not in due}
        return Outcomes(found.total, weights, found.reads, left)

    def _all_evaluated(self, found: Outcomes) -> Outcomes:
        return self._evaluate(found, list(found.deferred), ReadSet(), 0, found.deferred)

    def _count(self) -> None:
        self.branches_followed += 1
        if self.branches_followed > self._max_branches + self._repeated:
            raise too_many_branches(self._max_branches)
        if self._seconds is not None and self._timer.has_exceeded(self._seconds):
            raise TooManyBranchesError(f"all branches of dice and decisions take more than {self._seconds:g} seconds")
        if self.branches_followed == self._estimate_at:
            self._estimate()

    def _estimate(self) -> None:
        """Refuses what has too many branches by far, before following them.

        Raises:
            TooManyBranchesError: if random walks hardly ever meet.
        """
        limit = self._max_branches
        walks = RandomWalks(self._tracker, self._calls, self._start, self._reads_at_end)
        with self._tracker.shadow.rewound(self._start_mark), self._calls.without_judging():
            hopeless = walks.exceed(limit)
        if hopeless:
            raise TooManyBranchesError(
                f"an estimated {MARGIN * limit:,} or more branches of dice and decisions, because {walks.walks:,} "
                f"random paths hardly ever came to the same situation; {limit:,} can be followed; answer more of the "
                "`decisions`, use a smaller situation, or play it many times with `simulate`"
            )
        self._repeated = self._estimate_at  # the walks may have begun to track slots, so that results are dropped

    def _run_to_branch(self, continuation: Continuation, point: _MergePoint) -> Outcomes | None:
        """Runs from a continuation to the next fork or merge point; returns the outcome if the branch ends first."""
        machine, has_run = Machine(self._calls.codes, continuation), False
        read_set = point.read_set
        while True:
            summary, slots = self._calls.next_summary(machine)
            if summary is None:
                is_over, result = machine.leave(slots[0])
                if is_over:
                    found = self._terminal(result)
                    read_set.add(found.reads)
                    return found
                if has_run:
                    machine.advance_to_effect()
                    point.continuations = [machine.continuation()]
                    return None
                continue
            branches = summary.branches
            if has_run and len(branches) > 1:
                machine.step_back()
                point.continuations = [machine.continuation()]
                return None
            has_run = True
            read_set.add(summary.reads)
            if len(branches) > 1 or branches[0].raised is not None:
                point.summary = summary
                point.continuations = [
                    machine.continuation_with(slots, each.results) if each.raised is None else continuation
                    for each in branches
                ]
                return None
            [branch] = branches
            if branch.written:
                self._tracker.shadow.apply(branch.change)
                read_set.written |= branch.written
            machine.assign(slots, branch.results)


def _too_deep() -> TooManyBranchesError:
    return TooManyBranchesError(
        "too many dice and decisions in sequence; use a smaller situation, or play it many times with `simulate`"
    )


def _weighted_sum(shares: list[tuple[int, Outcomes]], reads: SettledReads, deferred: Deferrals) -> Outcomes:
    """The mixture of the distributions of the branches of a fork."""
    merged: dict[int, tuple[int, Outcomes]] = {}
    for weight, each in shares:
        merged[id(each)] = (weight + merged.get(id(each), (0, each))[0], each)
    if len(merged) == 1:
        return Outcomes(shares[0][1].total, shares[0][1].weights, reads, deferred)
    common = lcm(*[each.total for _, each in merged.values()])
    if common.bit_length() > MAX_WEIGHT_BITS:
        raise _too_deep()
    weights: dict[Any, int] = {}
    for weight, each in merged.values():
        factor = weight * (common // each.total)
        for outcome, share in each.weights.items():
            weights[outcome] = weights.get(outcome, 0) + share * factor
    total = common * sum([weight for weight, _ in merged.values()])
    divisor = gcd(total, *weights.values())
    return Outcomes(total // divisor, {outcome: each // divisor for outcome, each in weights.items()}, reads, deferred)


def probabilities(outcomes: Outcomes) -> dict[Any, Fraction]:
    """The exact probability of each outcome."""
    return {outcome: Fraction(weight, outcomes.total) for outcome, weight in outcomes.weights.items()}
