"""Basic blocks of procedures, run once for each state that makes a difference to them."""

from __future__ import annotations

from collections.abc import Callable
from inspect import CO_GENERATOR
from math import gcd, lcm
from typing import Any, NamedTuple

from interpreter.inference.memo.memo_trie import MemoTrie
from interpreter.inference.memo.recorder import Effects, Recorder, SettledReads, differing_variables, hashable
from interpreter.inference.memo.shadow_state import StateChange
from interpreter.inference.memo.tracking import Tracker
from interpreter.inference.situation.policies import Answers
from interpreter.inference.solver.path_enumerator import PathEnumerator
from interpreter.play.engine.core import Core
from interpreter.play.engine.outcome import EndGame, EndStep


class Branch(NamedTuple):
    """One way in which a block can end: its weight, what it returns or raises, and what it changes."""

    weight: int
    results: tuple[Any, ...]
    raised: Exception | None
    written: int
    change: StateChange


class BlockSummary:
    """The memoized result of a block, or of a whole call, in one state: its read set and its weighted branches."""

    __slots__ = ("_differing", "branches", "reads")

    def __init__(self, reads: SettledReads, branches: list[Branch]) -> None:
        self.reads, self.branches = reads, branches
        self._differing: dict[tuple[int, int], int] = {}

    def differing_bits(self, one: int, other: int) -> int:
        """The bits of everything in which the states after two of its branches differ."""
        found = self._differing.get((one, other))
        if found is None:
            found = self._differing[one, other] = differing_variables(
                self.branches[one].change.effects, self.branches[other].change.effects
            )
        return found


class Memo:
    """Memoized summaries, by the code that runs and its arguments."""

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker
        self._tries: dict[Any, MemoTrie[BlockSummary]] = {}
        self._epoch = self.size = 0

    def summary(self, key: tuple[Any, ...], compute: Callable[..., BlockSummary], *arguments: Any) -> BlockSummary:
        """The summary for a key in the present state; `compute` makes it where it is not known."""
        if self._epoch != self._tracker.epoch:
            self._tries.clear()
            self._epoch, self.size = self._tracker.epoch, 0
        try:
            trie = self._tries.get(key)
        except TypeError:
            key = hashable(list(key))
            trie = self._tries.get(key)
        if trie is None:
            trie = self._tries[key] = MemoTrie(self._tracker.shadow)
        found = trie.find()
        if found is None:
            found = compute(*arguments)
            if self._epoch == self._tracker.epoch:
                trie.add(found.reads, found)
                self.size += 1
        return found


class BlockRunner:
    """Runs basic blocks in one world."""

    def __init__(self, core: Core, tracker: Tracker) -> None:
        self._core, self._tracker = core, tracker
        self.memo = Memo(tracker)

    def configure(self, answers: Answers, max_branches: int) -> None:
        """Sets how decisions are answered from now on, and how many branches a block may have."""
        self.answers, self._max_branches = answers, max_branches
        self.paths = PathEnumerator(max_branches)

    def pick(self, weights: Any, total: int) -> int:
        """Branches the block that is being run."""
        return self.paths.pick(weights, total)

    def summary(self, block: Callable[..., Any], arguments: tuple[Any, ...]) -> BlockSummary:
        """The summary of a block in the present state, which is left as it was."""
        key = (block, arguments, self.answers.text) if _asks(block) else (block, arguments)
        return self.memo.summary(key, self._enumerate, block, arguments)

    def _enumerate(self, block: Callable[..., Any], arguments: tuple[Any, ...]) -> BlockSummary:
        """Runs a block once for each path of chance through it."""
        tracker, outer = self._tracker, self._tracker.recorder
        tracker.shadow.sync_world()
        recorder = tracker.recorder = Recorder()
        self.paths = paths = PathEnumerator(self._max_branches)
        mark, branches = tracker.mark(), []
        try:
            while True:
                self._core.budget.decisions += 1
                results, raised = self._run(block, arguments)
                branches.append(
                    RawBranch(*paths.share(), results, raised, recorder.actions, recorder.written, recorder.effects)
                )
                tracker.undo(mark)
                recorder.restart()
                if not paths.advance():
                    break
        finally:
            tracker.undo(mark)
            tracker.recorder = outer
        return BlockSummary(recorder.settled(tracker.shadow.value), merge_branches(branches))

    def _run(self, block: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], Exception | None]:
        try:
            results = block(*arguments)
            if _asks(block):
                results = self.answers.result(results)
        except (EndGame, EndStep) as end:
            return (), end
        return tuple([tuple(each) if isinstance(each, list) else each for each in results]), None


def _asks(block: Callable[..., Any]) -> bool:
    return bool(block.__code__.co_flags & CO_GENERATOR)


class RawBranch(NamedTuple):
    """A path through a block or a call, before equal ones are merged; its probability is `top / bottom`."""

    top: int
    bottom: int
    results: tuple[Any, ...]
    raised: Exception | None
    actions: list[tuple[Any, ...]]
    written: int
    effects: Effects


def merge_branches(branches: list[RawBranch]) -> list[Branch]:
    """The branches with integer weights; those that return and change the same become one."""
    if len(branches) == 1:
        return [_branch(1, branches[0])]
    bottom = lcm(*[each.bottom for each in branches])
    weights: dict[Any, int] = {}
    first: dict[Any, RawBranch] = {}
    for each in branches:
        raised = (type(each.raised), str(each.raised)) if each.raised is not None else None
        actions = tuple([(action[0].__name__, *hashable(action[1:])) for action in each.actions])
        key = (hashable(each.results), raised, actions)
        weights[key] = weights.get(key, 0) + each.top * (bottom // each.bottom)
        first.setdefault(key, each)
    divisor = gcd(*weights.values())
    return [_branch(weights[key] // divisor, each) for key, each in first.items()]


def _branch(weight: int, raw: RawBranch) -> Branch:
    return Branch(weight, raw.results, raw.raised, raw.written, StateChange(raw.actions, raw.effects))
