"""Parts of procedures, run once for each state that makes a difference to them."""

from __future__ import annotations

from collections.abc import Callable
from inspect import CO_GENERATOR
from math import gcd, lcm
from typing import Any, NamedTuple

from interpreter.inference.memo.memo_trie import MemoTrie
from interpreter.inference.memo.recorder import Effects, Recorder, SettledReads, differing_cells, hashable
from interpreter.inference.memo.shadow_state import StateChange
from interpreter.inference.memo.tracking import Tracker
from interpreter.inference.situation.policies import Answers
from interpreter.inference.solver.path_enumerator import PathEnumerator
from interpreter.play.engine.core import Core
from interpreter.play.engine.outcome import EndGame, EndStep


class Branch(NamedTuple):
    """One way in which a part can end: how much it weighs, what it gives or raises, and what it changes."""

    weight: int
    given: tuple[Any, ...]
    raised: Exception | None
    written: int
    change: StateChange


class BlockSummary:
    """What came of a part in one state: all that it read, and its endings."""

    __slots__ = ("_differing", "endings", "reads")

    def __init__(self, reads: SettledReads, endings: list[Branch]) -> None:
        self.reads, self.endings = reads, endings
        self._differing: dict[tuple[int, int], int] = {}

    def differing_bits(self, one: int, other: int) -> int:
        """The bits of all that differs after two of its endings."""
        found = self._differing.get((one, other))
        if found is None:
            found = self._differing[one, other] = differing_cells(
                self.endings[one].change.effects, self.endings[other].change.effects
            )
        return found


class Memo:
    """What is known of stretches, by what runs in them and with which arguments."""

    def __init__(self, watch: Tracker) -> None:
        self._watch = watch
        self._known: dict[Any, MemoTrie[BlockSummary]] = {}
        self._grown = self.size = 0

    def of(self, key: tuple[Any, ...], follow: Callable[..., BlockSummary], *arguments: Any) -> BlockSummary:
        """What comes of a stretch in the present state; `follow` finds it out where it is not known."""
        if self._grown != self._watch.grown:
            self._known.clear()
            self._grown, self.size = self._watch.grown, 0
        try:
            shelf = self._known.get(key)
        except TypeError:
            key = hashable(list(key))
            shelf = self._known.get(key)
        if shelf is None:
            shelf = self._known[key] = MemoTrie(self._watch.sheet)
        found = shelf.find()
        if found is None:
            found = follow(*arguments)
            if self._grown == self._watch.grown:
                shelf.add(found.reads, found)
                self.size += 1
        return found


class BlockRunner:
    """Runs parts in one world."""

    def __init__(self, core: Core, watch: Tracker) -> None:
        self._core, self._watch = core, watch
        self.known = Memo(watch)

    def begin(self, answers: Answers, most: int) -> None:
        """What parts ask is answered like this from now on; and no part may end in more ways than `most`."""
        self.answers, self._most = answers, most
        self.branches = PathEnumerator(most)

    def pick(self, weights: Any, total: int) -> int:
        """Parts the course of the part that is being run."""
        return self.branches.pick(weights, total)

    def of(self, part: Callable[..., Any], arguments: tuple[Any, ...]) -> BlockSummary:
        """What comes of a part in the present state; the state is left as it was."""
        key = (part, arguments, self.answers.text) if _asks(part) else (part, arguments)
        return self.known.of(key, self._followed, part, arguments)

    def _followed(self, part: Callable[..., Any], arguments: tuple[Any, ...]) -> BlockSummary:
        watch, outer = self._watch, self._watch.notes
        watch.sheet.show()
        notes = watch.notes = Recorder()
        self.branches = branches = PathEnumerator(self._most)
        mark, ended = watch.mark(), []
        try:
            while True:
                self._core.budget.decisions += 1
                given, raised = self._run(part, arguments)
                ended.append(RawBranch(*branches.share(), given, raised, notes.doings, notes.written, notes.effects))
                watch.undo(mark)
                notes.begin_anew()
                if not branches.advance():
                    break
        finally:
            watch.undo(mark)
            watch.notes = outer
        return BlockSummary(notes.settled(watch.sheet.value), merged(ended))

    def _run(self, part: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], Exception | None]:
        try:
            given = part(*arguments)
            if _asks(part):
                given = self.answers.result(given)
        except (EndGame, EndStep) as end:
            return (), end
        return tuple([tuple(each) if isinstance(each, list) else each for each in given]), None


def _asks(part: Callable[..., Any]) -> bool:
    return bool(part.__code__.co_flags & CO_GENERATOR)


class RawBranch(NamedTuple):
    """A course that has come to the end of a stretch, with its share of all courses: `top` of `bottom`."""

    top: int
    bottom: int
    given: tuple[Any, ...]
    raised: Exception | None
    doings: list[tuple[Any, ...]]
    written: int
    effects: Effects


def merged(ended: list[RawBranch]) -> list[Branch]:
    """The endings, those that give and change the same as one, with whole weights."""
    if len(ended) == 1:
        return [_ending(1, ended[0])]
    bottom = lcm(*[each.bottom for each in ended])
    weights: dict[Any, int] = {}
    first: dict[Any, RawBranch] = {}
    for each in ended:
        told = (type(each.raised), str(each.raised)) if each.raised is not None else None
        same = (hashable(each.given), told, tuple([(doing[0].__name__, *hashable(doing[1:])) for doing in each.doings]))
        weights[same] = weights.get(same, 0) + each.top * (bottom // each.bottom)
        first.setdefault(same, each)
    shared = gcd(*weights.values())
    return [_ending(weights[same] // shared, each) for same, each in first.items()]


def _ending(weight: int, ended: RawBranch) -> Branch:
    return Branch(weight, ended.given, ended.raised, ended.written, StateChange(ended.doings, ended.effects))
