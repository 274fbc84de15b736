"""Outcomes evaluated late: what an outcome reads need not be distinguished before the last write to it.

The outcomes at the end of a branch are a *row*. In place of an outcome that reads the state a row has a `Deferred`: it
is evaluated on the way back, as soon as something was written that it may read. So what only this outcome reads is not
part of the read set of what comes after the last change of it, and states that differ in nothing else are one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from interpreter.inference.memo.memo_trie import MemoTrie
from interpreter.inference.memo.recorder import Recorder, SettledReads
from interpreter.inference.memo.tracking import Tracker

MAX_FAILURES = 8
"""After how many failures no outcome is deferred any more."""

Reader = Callable[[Any], str]
"""Gives the text of an outcome after a procedure has returned a result."""


class Deferred(NamedTuple):
    """An outcome that is still to be evaluated: its number, and the result of the procedure."""

    number: int
    result: Any


class Text(NamedTuple):
    """The text of an outcome in one state, and what it depends on."""

    text: str
    reads: SettledReads


Row = tuple[Any, ...]
"""The outcomes at the end of a branch: the text of each, or a `Deferred`."""


class TooEarlyError(Exception):
    """An outcome was evaluated in a state that differs in what it reads from that at the end of the branch."""


class OutcomeReaders:
    """Evaluates the outcomes of a procedure in the present state.

    What an outcome may read is known from the states in which it was evaluated. Where that was too little, the solver
    begins again with what is known by then; after some failures nothing is deferred.
    """

    def __init__(self, tracker: Tracker, readers: Sequence[Reader]) -> None:
        self._tracker, self._readers = tracker, readers
        self._tries: dict[Deferred, MemoTrie[Text]] = {}
        self._epoch = tracker.epoch
        self._read = [0] * len(readers)
        """The bits of all that each outcome was seen to read."""
        self._failures = 0
        self._epoch_at_start = tracker.epoch

    def begin(self) -> None:
        """The solver begins: what is noted as written from now on is all that is written."""
        self._epoch_at_start = self._tracker.epoch

    def row(self, result: Any) -> tuple[Row, list[SettledReads], dict[int, int]]:
        """The row at the end of a branch, what it depends on, and the numbers of those that are deferred."""
        row: list[Any] = []
        reads: list[SettledReads] = []
        deferred: dict[int, int] = {}
        for number in range(len(self._readers)):
            each = Deferred(number, result)
            found = self.evaluate(each)
            if found.reads.values and self._failures < MAX_FAILURES:
                row.append(each)
                deferred[number] = 0
            else:
                row.append(found.text)
                reads.append(found.reads)
        return tuple(row), reads, deferred

    def all_reads(self, result: Any) -> list[SettledReads]:
        """What each outcome reads at the end of a branch."""
        return [self.evaluate(Deferred(number, result)).reads for number in range(len(self._readers))]

    def may_read(self, number: int, written: int) -> bool:
        """Whether an outcome may depend on what was written."""
        return bool(self._read[number] & written)

    def evaluate(self, each: Deferred, written_since: int = 0) -> Text:
        """The text of an outcome in the present state.

        Raises:
            TooEarlyError: if it depends on what is written between the present state and the end of the branch, or
                not all of that was noted, because something began to change.
        """
        tracker = self._tracker
        if self._epoch != tracker.epoch:
            self._tries.clear()
            self._epoch = tracker.epoch
        trie = self._tries.get(each)
        if trie is None:
            trie = self._tries[each] = MemoTrie(tracker.shadow)
        found = trie.find()
        if found is None:
            tracker.shadow.sync_world()
            recorder = tracker.recorder = Recorder()
            text = self._readers[each.number](each.result)
            found = Text(text, recorder.settled(tracker.shadow.value))
            self._read[each.number] |= found.reads.bits
            if self._epoch == tracker.epoch:
                trie.add(found.reads, found)
        if written_since and (found.reads.bits & written_since or tracker.epoch != self._epoch_at_start):
            self._failures += 1
            raise TooEarlyError
        return found
