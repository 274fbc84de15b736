"""Whole calls taken in one piece: what a procedure comes to, where that is little, is found once for what it reads.

A call that ends in few ways is a stretch like a part: all courses through it are followed to its end, and what was read
and changed on the way is kept. A procedure that proves to end in many ways is followed step by step from then on: its
courses meet again sooner where each of them can be told apart.
"""

from __future__ import annotations

from typing import Any

from interpreter.reckoning.notes import Notes, plain
from interpreter.reckoning.steps import Code, Place, Walk, beginning
from interpreter.reckoning.stretches import Ended, Ending, Known, Stretch, Stretches, merged
from interpreter.reckoning.watch import Watch, do_again

MOST_ENDINGS = 40
"""In more ways than this a call does not end that is taken in one piece."""
DEEPEST = 20
"""So many calls may be taken in one piece inside one another."""


class _TooManyError(Exception):
    """A call ends in too many ways."""


class Pieces:
    """What comes next of a course: parts, and calls that can be taken in one piece."""

    def __init__(self, watch: Watch, stretches: Stretches, codes: dict[str, Code]) -> None:
        self._watch, self._stretches, self.codes = watch, stretches, codes
        self._known = Known(watch)
        self._wide: set[str] = set()
        self._depth = 0

    def next(self, walk: Walk) -> tuple[Stretch | None, tuple[int, ...]]:
        """The next stretch of a walk and the slots for what it gives; none, and the slot it returns, where it ends."""
        while True:
            step, local = walk.step(), walk.local
            if step[0] == "return":
                return None, (step[1],)
            if step[0] == "run":
                _, part, reads, writes = step
                return self._stretches.of(part, tuple([local[each] for each in reads])), writes
            _, name, slots, result = step
            arguments = tuple([local[each] for each in slots])
            stretch = self._whole(name, arguments, result >= 0)
            if stretch is not None:
                return stretch, (result,) if result >= 0 else ()
            walk.enter(name, arguments, result)

    def _whole(self, name: str, arguments: tuple[Any, ...], wanted: bool) -> Stretch | None:
        """What comes of a call whose result is wanted or not; none if that is too much for one piece."""
        if name in self._wide or self._depth == DEEPEST:
            return None
        self._depth += 1
        try:
            return self._known.of((name, wanted, plain(arguments)), self._followed, name, arguments, wanted)
        except _TooManyError:
            self._wide.add(name)
            return None
        finally:
            self._depth -= 1

    def _followed(self, name: str, arguments: tuple[Any, ...], wanted: bool) -> Stretch:
        call = _Call(self._watch, self, wanted)
        call.follow(beginning(self.codes[name], arguments, None), (1, 1), None)
        call.notes.settle()
        return Stretch(call.notes.reads, merged(call.ended))


class _Call:
    """All courses through one call."""

    def __init__(self, watch: Watch, pieces: Pieces, wanted: bool) -> None:
        self._watch, self._pieces, self._wanted = watch, pieces, wanted
        self.notes = Notes()
        self.ended: list[Ended] = []
        self._open = 1
        """How many courses there are, as far as is known."""

    def follow(self, place: Place, share: tuple[int, int], after: Ending | None) -> None:
        """Follows every course from a place on, after something has happened there; the state is left as it was."""
        notes, mark = self.notes, self._watch.mark()
        doings, written = len(notes.doings), set(notes.written)
        try:
            if after is not None:
                self._take(after)
            if after is not None and after.raised is not None:
                self._end(share, (), after.raised)
            else:
                self._go_on(Walk(self._pieces.codes, place), share)
        finally:
            self._watch.undo(mark)
            del notes.doings[doings:]
            notes.written = written

    def _go_on(self, walk: Walk, share: tuple[int, int]) -> None:
        while True:
            stretch, slots = self._pieces.next(walk)
            if stretch is None:
                over, result = walk.leave(slots[0])
                if over:
                    self._end(share, (result,) if self._wanted else (), None)
                    return
                continue
            self.notes.add(stretch.reads)
            endings = stretch.endings
            if len(endings) > 1 or endings[0].raised is not None:
                break
            self._take(endings[0])
            walk.given(slots, endings[0].given)
        self._open += len(endings) - 1
        if self._open > MOST_ENDINGS:
            raise _TooManyError
        (top, bottom), before = share, walk.place()
        bottom *= sum([each.weight for each in endings])
        for each in endings:
            place = walk.after(slots, each.given) if each.raised is None else before
            self.follow(place, (top * each.weight, bottom), each)

    def _take(self, ending: Ending) -> None:
        do_again(ending.doings)
        self.notes.doings += ending.doings
        self.notes.written |= ending.written

    def _end(self, share: tuple[int, int], given: tuple[Any, ...], raised: Exception | None) -> None:
        self.ended.append(Ended(*share, given, raised, list(self.notes.doings), self.notes.written))
