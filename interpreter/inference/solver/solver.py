"""Every course that a procedure can take, those that have become alike followed once.

Where a course stands is plain data: a step of a procedure, the values of its locals, and the same of the procedures
around it. What can still come of it hangs on that, and on what it will yet read of the state. So, where courses can
meet, what came of the first to be there is kept with everything that was read after; another that comes to the same
place, in a state that is the same in all that was read, has the same future and is not followed.

Why this is sound: rules are functions of their locals, of what they read of the state, and of the chance that falls.
Two courses at one place read the same key first; as long as the values are the same they read the same key next and
branch with the same weights; so they end alike with the same probability. What they have read and not noted was
never changed in any course yet (see `watch`), or was given its value after the place that they met at.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from interpreter.inference.memo.memo_trie import MemoTrie
from interpreter.inference.memo.recorder import ReadSet, Recorder, SettledReads, hashable, reads_of
from interpreter.inference.memo.tracking import Tracker
from interpreter.inference.solver.block_runs import BlockSummary, Branch
from interpreter.inference.solver.call_summaries import CallSummaries
from interpreter.inference.solver.machine import Continuation, Machine
from interpreter.inference.solver.path_enumerator import TooManyBranchesError

MAX_WEIGHT_BITS = 32_768
"""Bits of the weights of a future."""
MAX_OPEN_BRANCHES = 100_000
"""Endings of the branchings of one course that wait to be followed, or were."""


class Outcomes:
    """What can come of a course: how much each outcome weighs, of how much in all; and what was read to find it."""

    __slots__ = ("reads", "total", "weights")

    def __init__(self, total: int, weights: dict[Any, int], reads: SettledReads) -> None:
        self.total, self.weights, self.reads = total, weights, reads


_NONE = Outcomes(1, {}, reads_of({}))


class _MergePoint:
    """A place where courses can meet, with the future of the first of them under way."""

    __slots__ = ("grown", "mark", "next", "parted", "places", "shares", "shelf", "stretch", "trail")

    def __init__(self, shelf: MemoTrie[Outcomes] | None, grown: int, mark: int) -> None:
        self.shelf, self.grown, self.mark = shelf, grown, mark
        self.trail = ReadSet()
        self.stretch: BlockSummary | None = None
        """What parts the course, if anything does."""
        self.places: list[Continuation] = []
        """Where it goes on, after each ending of that."""
        self.next = 0
        self.parted = mark
        self.shares: list[tuple[int, int, Outcomes]] = []
        """Weights and futures of the endings that are through, with the number of each."""

    @property
    def present(self) -> Branch | None:
        """The ending that was followed last."""
        return self.stretch.endings[self.next - 1] if self.stretch is not None else None

    def skip(self) -> None:
        """Passes over endings that have the same future as one before: they differ in nothing that it reads."""
        if self.stretch is None:
            return
        while self.next < len(self.places):
            same = self._like(self.next, self.stretch)
            if same is None:
                return
            self.shares.append((self.stretch.endings[self.next].weight, self.next, same))
            self.next += 1

    def _like(self, number: int, stretch: BlockSummary) -> Outcomes | None:
        place = self.places[number]
        if stretch.endings[number].raised is not None:
            return None
        for _, before, future in self.shares:
            if (
                self.places[before] == place
                and stretch.endings[before].raised is None
                and not stretch.differing_bits(before, number) & future.reads.bits
            ):
                return future
        return None


class Solver:
    """Follows the courses of one procedure; `told` gives what came of one that is over, as something to be compared."""

    def __init__(
        self,
        watch: Tracker,
        pieces: CallSummaries,
        told: Callable[[Any, Exception | None], Any],
        most: int,
    ) -> None:
        self._watch, self._pieces, self._told, self._most = watch, pieces, told, most
        self._known: dict[Any, MemoTrie[Outcomes]] = {}
        self._grown = self._open = 0
        self._seen: set[Any] | None = None
        """The places that were come to, while it is only found out what changes."""
        self.leaves = 0
        """How many courses were followed to their end, or to where one was before them."""

    def scout(self, place: Continuation) -> None:
        """Goes once to every place that a course can come to: what changes is under watch from then on.

        Whatever comes under watch later costs all that is known of futures until then.
        """
        self._seen = set()
        self.future(place)
        self._seen, self.leaves = None, 0
        for code in self._pieces.codes.values():
            code.spots.clear()

    def future(self, place: Continuation) -> Outcomes:
        """What can come of a course that stands somewhere."""
        under_way: list[_MergePoint] = []
        found = self._begin(place, under_way)
        while under_way:
            meeting = under_way[-1]
            if found is not None:
                self._watch.sheet.back(meeting.parted)
                ending = meeting.present
                meeting.trail.add(found.reads, ending.written if ending is not None else 0)
                meeting.shares.append((ending.weight if ending is not None else 1, meeting.next - 1, found))
                meeting.skip()
            if meeting.next == len(meeting.places):
                under_way.pop()
                self._open -= len(meeting.places)
                found = self._finish(meeting)
                continue
            meeting.next += 1
            ending = meeting.present
            if ending is not None and ending.written:
                self._watch.sheet.go(ending.change)
            if ending is not None and ending.raised is not None:
                found = self._over(None, ending.raised)
            else:
                found = self._begin(meeting.places[meeting.next - 1], under_way, compared=ending is None)
        assert found is not None
        return found

    # ------------------------------------------------------------ meetings
    def _begin(self, place: Continuation, under_way: list[_MergePoint], *, compared: bool = False) -> Outcomes | None:
        """The future of a place, where it is known or comes at once; else none, and it is under way.

        `compared`: it is known already that this course is to be compared with others.
        """
        watch = self._watch
        if self._grown != watch.grown:
            self._known.clear()
            self._grown = watch.grown
        spot, shelf = place.code.spot(place.step), None
        if self._seen is not None:
            if (seen := hashable(place)) in self._seen:
                return _NONE
            self._seen.add(seen)
        elif compared or spot.pays():
            shelf = self._shelf(place)
            found = shelf.find()
            if found is not None:
                spot.meet()
                self._count()
                return found
        meeting = _MergePoint(shelf, watch.grown, watch.sheet.mark())
        over = self._go_on(place, meeting)
        if over is not None:
            meeting.shares.append((1, 0, over))
            return self._finish(meeting)
        meeting.parted = watch.sheet.mark()
        self._open += len(meeting.places)
        if self._open > MAX_OPEN_BRANCHES:
            raise _too_long()
        under_way.append(meeting)
        return None

    def _finish(self, meeting: _MergePoint) -> Outcomes:
        watch = self._watch
        watch.sheet.back(meeting.mark)
        found = _mixed(meeting.shares, meeting.trail.settled(watch.sheet.value))
        if meeting.shelf is not None and meeting.grown == watch.grown:
            meeting.shelf.add(found.reads, found)
        return found

    def _shelf(self, place: Continuation) -> MemoTrie[Outcomes]:
        """What is known of the futures of a place."""
        try:
            found = self._known.get(place)
        except TypeError:
            place = hashable(place)
            found = self._known.get(place)
        if found is None:
            found = self._known[place] = MemoTrie(self._watch.sheet)
        return found

    def _over(self, result: Any, raised: Exception | None) -> Outcomes:
        """The future of a course that is over; what telling it reads is part of it."""
        self._count()
        sheet = self._watch.sheet
        sheet.show()
        notes = self._watch.notes = Recorder()
        told = self._told(result, raised)
        return Outcomes(1, {told: 1}, notes.settled(sheet.value))

    def _count(self) -> None:
        self.leaves += 1
        if self.leaves > self._most:
            raise TooManyBranchesError(
                f"more than {self._most:,} different courses of events; "
                "reckon a smaller situation, or play it many times with `simulate`"
            )

    def _go_on(self, place: Continuation, meeting: _MergePoint) -> Outcomes | None:
        """Follows a course until it parts, or comes where others may meet it; gives its future where it is over."""
        walk, begun = Machine(self._pieces.codes, place), False
        trail = meeting.trail
        while True:
            stretch, slots = self._pieces.next(walk)
            if stretch is None:
                over, result = walk.leave(slots[0])
                if over:
                    found = self._over(result, None)
                    trail.add(found.reads)
                    return found
                if begun:
                    walk.come()
                    if walk.spot.pays():
                        meeting.places = [walk.place()]
                        return None
                continue
            endings = stretch.endings
            if begun and len(endings) > 1:
                walk.number -= 1
                if walk.spot.pays():
                    meeting.places = [walk.place()]
                    return None
                walk.number += 1
            begun = True
            trail.add(stretch.reads)
            if len(endings) > 1 or endings[0].raised is not None:
                meeting.stretch = stretch
                meeting.places = [walk.after(slots, each.given) if each.raised is None else place for each in endings]
                return None
            [ending] = endings
            if ending.written:
                self._watch.sheet.go(ending.change)
                trail.written |= ending.written
            walk.given(slots, ending.given)


def _too_long() -> TooManyBranchesError:
    return TooManyBranchesError(
        "too many dice and decisions one after the other; "
        "reckon a smaller situation, or play it many times with `simulate`"
    )


def _mixed(shares: list[tuple[int, int, Outcomes]], reads: SettledReads) -> Outcomes:
    """The futures of the courses that one parts into, as one."""
    together: dict[int, tuple[int, Outcomes]] = {}
    for weight, _, each in shares:
        together[id(each)] = (weight + together.get(id(each), (0, each))[0], each)
    if len(together) == 1:
        return Outcomes(shares[0][2].total, shares[0][2].weights, reads)
    whole = lcm(*[each.total for _, each in together.values()])
    if whole.bit_length() > MAX_WEIGHT_BITS:
        raise _too_long()
    weights: dict[Any, int] = {}
    for weight, each in together.values():
        factor = weight * (whole // each.total)
        for outcome, share in each.weights.items():
            weights[outcome] = weights.get(outcome, 0) + share * factor
    total = whole * sum([weight for weight, _ in together.values()])
    shared = gcd(total, *weights.values())
    return Outcomes(total // shared, {outcome: each // shared for outcome, each in weights.items()}, reads)


def probabilities(future: Outcomes) -> dict[Any, Fraction]:
    """The exact probability of each outcome."""
    return {outcome: Fraction(weight, future.total) for outcome, weight in future.weights.items()}
