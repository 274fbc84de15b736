"""Every course that a procedure can take, each followed once for every state that makes a difference to it.

A procedure that is called is followed through all its courses from where it is called; what they come to (values, and
doubts about values) is kept together with everything that was read on the way. Wherever it is called again, with the
same arguments and in a state that is the same in all that was read, what it came to is taken up without running it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from interpreter.language.program import Procedure, Program
from interpreter.play.core import Core
from interpreter.play.outcome import EndGame, EndStep
from interpreter.reckoning.branches import Branches, TooManyLeavesError
from interpreter.reckoning.doubts import AT, UNSET, Doubt, Doubts, Fate, Key, Settled, whole_weights
from interpreter.reckoning.watch import Notes, Read, Watch
from interpreter.world.journal import UNDO

TRIES = 12
"""A procedure that has never parted in so many tries, nor been of use again more often, is run where it is called."""


class InlineError(Exception):
    """What a procedure did can't be told apart from its doing: it must be run where it is called."""


@dataclass(slots=True)
class Ending:
    """What some courses of a procedure come to, alike in its result and in what is on the board."""

    weight: int
    result: Any
    raised: Exception | None
    made: tuple[Any, ...]
    """Pieces and records that are new."""
    board: tuple[tuple[Any, Any], ...]
    """Pieces that came on the board or left it, with where they stand."""
    certain: Settled
    settled: frozenset[Doubt]
    """Doubts that there were before and are no more."""


@dataclass(slots=True)
class Effect:
    """A procedure followed from one state: what it read, in that order, and what it can come to."""

    reads: dict[Read, Any]
    endings: list[Ending]


class _Fork:
    """Effects told apart by what they read next."""

    __slots__ = ("asked", "effect")

    def __init__(self) -> None:
        self.asked: dict[Read, dict[Any, _Fork]] = {}
        self.effect: Effect | None = None


class Shelf:
    """What is known of one procedure with the same arguments, found by the state it was followed from.

    Only values that were ever changed are compared: nothing else can differ.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._effects: list[Effect] = []
        self._seen = 0
        self._root = _Fork()

    def find(self) -> Effect | None:
        """What holds in the present state, if anything does."""
        if len(self._watch.dirty) != self._seen:
            self._seen = len(self._watch.dirty)
            self._root = _Fork()
            for effect in self._effects:
                self._sort_in(effect)
        return self._below(self._root)

    def add(self, effect: Effect) -> None:
        """Keeps what was found in the present state."""
        self._effects.append(effect)
        if len(self._watch.dirty) == self._seen:
            self._sort_in(effect)

    def _below(self, fork: _Fork) -> Effect | None:
        now = self._watch.now
        while fork.effect is None:
            if len(fork.asked) != 1:
                found = [self._below(by_value[value]) for read, by_value in fork.asked.items() if (value := now(read)) in by_value]
                return next((each for each in found if each is not None), None)
            ((read, by_value),) = fork.asked.items()
            following = by_value.get(now(read))
            if following is None:
                return None
            fork = following
        return fork.effect

    def _sort_in(self, effect: Effect) -> None:
        dirty, fork = self._watch.dirty, self._root
        for read, value in effect.reads.items():
            if read[:2] in dirty:
                fork = fork.asked.setdefault(read, {}).setdefault(value, _Fork())
        fork.effect = effect


@dataclass(slots=True)
class _Course:
    share: Fraction
    result: Any
    raised: Exception | None
    told: Any
    made: tuple[Any, ...]
    board: tuple[tuple[Any, Any], ...]
    values: dict[Key, Any]
    open: frozenset[Doubt]
    settled: frozenset[Doubt]


class Level:
    """One procedure that is being followed: the courses it can take."""

    def __init__(self, most_leaves: int, doubts: tuple[Doubt, ...] = (), *, is_root: bool = False) -> None:
        self.branches = Branches(most_leaves)
        self.notes = Notes(doubts)
        self.is_root = is_root
        self.calls: dict[Any, Effect] = {}
        """What was called where on the way, so that a course can be gone again at once."""
        self.count = 0

    def spot(self) -> Any:
        """Where a course stands: what fell so far, and how many things happened."""
        self.count += 1
        return self.branches.so_far(), self.count

    def begin_course(self) -> None:
        """Back to the beginning, on to the next course."""
        self.count = 0
        self.notes.begin_course()


class Courses:
    """Follows procedures in one game; `answer` drives a rule that asks and gives its result."""

    def __init__(self, core: Core, program: Program, most_leaves: int, answer: Callable[[Generator[Any, Any, Any]], Any]):
        self._core, self._program, self._most, self._answer = core, program, most_leaves, answer
        self._doubts = Doubts()
        self.level = Level(most_leaves, is_root=True)
        self.watch = Watch(core.world, self.pick)
        self.watch.notes = self.level.notes
        self.leaves = 0
        self._known: dict[Any, Shelf] = {}
        self._raw: dict[str, Callable[..., Any]] = {}
        self._inline: set[str] = set()
        self._spare: dict[str, list[Any]] = {}
        """Of each kind the pieces and records that were ever made, to be made again in another course."""
        self._alive: set[Any] = set()
        """Those of them that there are now."""
        self._tried: dict[str, list[int]] = {}
        """How often each procedure was followed, through how many courses, and of use again."""

    # ------------------------------------------------------------ what emitted code calls
    def names(self) -> dict[str, Any]:
        """What emitted code calls instead of the world's own functions."""
        watch = self.watch
        return {
            "put": watch.put,
            "place": watch.place,
            "held": watch.held,
            "create": self._create,
            "suppose": self._suppose,
        }

    def wrap(self) -> None:
        """Lets every procedure be called through here."""
        names = self._core.names
        for name, rule in self._program.procedures.items():
            self._raw[name] = names[f"p_{name}"]
            names[f"p_{name}"] = self._asking(rule) if rule.effects.asks else self._plain(rule)

    def _plain(self, rule: Procedure) -> Callable[..., Any]:
        return lambda *arguments: self.call(rule, arguments)

    def _asking(self, rule: Procedure) -> Callable[..., Any]:
        def run(*arguments: Any) -> Generator[Any, Any, Any]:
            return self.call(rule, arguments)
            yield  # what it asks is answered below

        return run

    def pick(self, weights: list[int], total: int) -> int:
        """Parts the present course of the procedure that is being followed."""
        return self.level.branches.pick(weights, total)

    def each(self) -> Iterator[Callable[[], Fraction]]:
        """Every course of what is run between one and the next; each gives what it weighs when it is over."""
        level, mark = self.level, len(self._core.world.journal)
        while True:
            self._count()
            yield level.branches.weight
            self.watch.undo(mark)
            level.begin_course()
            if not level.branches.advance():
                return

    def run(self, name: str, arguments: tuple[Any, ...]) -> Any:
        """Runs a procedure's own text in the present course."""
        rule = self._program.procedures[name]
        made = self._raw[name](*arguments)
        return self._answer(made) if rule.effects.asks else made

    # ------------------------------------------------------------ calls
    def call(self, rule: Procedure, arguments: tuple[Any, ...]) -> Any:
        """Brings about what a procedure comes to in one of its courses."""
        level = self.level
        spot = level.spot()
        if rule.name in self._inline:
            return self.run(rule.name, arguments)
        effect = level.calls.get(spot)
        if effect is None:
            found = self._effect(rule, arguments)
            if found is None:
                return self.run(rule.name, arguments)
            effect = level.calls[spot] = found
            level.notes.add(effect.reads)
        return self._take(effect)

    def _take(self, effect: Effect) -> Any:
        watch = self.watch
        ending = effect.endings[0]
        if len(effect.endings) > 1:
            weights = [each.weight for each in effect.endings]
            ending = effect.endings[self.pick(weights, sum(weights))]
        for doubt in ending.settled:
            watch.drop(doubt)
        for made in ending.made:
            self._make(made.kind, {}, made)
        for piece, holder in ending.board:
            watch.place(piece, holder)
        watch.take(ending.certain)
        if ending.raised is not None:
            raise ending.raised
        return ending.result

    def _effect(self, rule: Procedure, arguments: tuple[Any, ...]) -> Effect | None:
        try:
            key = (rule.name, _told(arguments))
            shelf = self._known.get(key)
            if shelf is None:
                shelf = self._known[key] = Shelf(self.watch)
            tried = self._tried.setdefault(rule.name, [0, 0, 0])
            found = shelf.find()
            if found is not None and not self._alive.isdisjoint([made for each in found.endings for made in each.made]):
                found = None
            if found is not None:
                tried[2] += 1
                return found
            if tried[0] >= TRIES and tried[0] == tried[1] > tried[2]:
                raise InlineError
            before = self.leaves
            found = self._followed(rule, arguments)
            tried[0] += 1
            tried[1] += self.leaves - before
            shelf.add(found)
        except InlineError:
            self._inline.add(rule.name)
            return None
        return found

    def _followed(self, rule: Procedure, arguments: tuple[Any, ...]) -> Effect:
        outer, watch = self.level, self.watch
        level = self.level = Level(self._most, tuple(watch.active))
        watch.notes = level.notes
        mark = len(self._core.world.journal)
        courses = []
        try:
            while True:
                self._count()
                courses.append(self._course(rule, arguments))
                watch.undo(mark)
                level.begin_course()
                if not level.branches.advance():
                    break
            return self._gathered(level, courses)
        finally:
            watch.undo(mark)
            self.level = outer
            watch.notes = outer.notes

    def _count(self) -> None:
        self.leaves += 1
        if self.leaves > self._most:
            raise TooManyLeavesError(
                f"more than {self._most:,} different courses of events; "
                "reckon a smaller situation, or play it many times with `simulate`"
            )
        self._core.budget.decisions += 1

    def _course(self, rule: Procedure, arguments: tuple[Any, ...]) -> _Course:
        raised: Exception | None = None
        result = None
        try:
            result = self.run(rule.name, arguments)
        except (EndGame, EndStep) as end:
            raised = end
        watch, level = self.watch, self.level
        values, board = {}, []
        for key, was in level.notes.was.items():
            thing, slot = key
            if key in watch.doubts or thing is self._core.world.board:
                continue
            value = watch.now(key)
            if slot == AT and (value is None) != (was is None):
                board.append((thing, value))
            elif value != was:
                values[key] = value
        told = (type(raised), str(raised)) if raised is not None else _told(result)
        made = tuple([each for each in level.notes.made if each in self._alive])
        try:
            hash(tuple(values.values()))
        except TypeError as error:
            raise InlineError from error
        before, now = frozenset(level.notes.doubts), frozenset(watch.active)
        share = level.branches.weight()
        return _Course(
            share, result, raised, (told, made, frozenset(board)), made, tuple(board), values, now - before, before - now
        )

    def _gathered(self, level: Level, courses: list[_Course]) -> Effect:
        reads = level.notes.reads
        groups: dict[Any, list[_Course]] = {}
        for each in courses:
            groups.setdefault(each.told, []).append(each)
        weights = whole_weights([sum([each.share for each in some], Fraction(0)) for some in groups.values()])
        endings = [
            self._ending(weight, some, reads) for weight, some in zip(weights, groups.values(), strict=True)
        ]
        return Effect(reads, endings)

    def _ending(self, weight: int, courses: list[_Course], reads: dict[Read, Any]) -> Ending:
        first = courses[0]
        settled = frozenset().union(*[each.settled for each in courses])
        keys = {key for each in courses for key in each.values}
        for doubt in (*settled, *[each for course in courses for each in course.open]):
            keys |= doubt.keys
        fates = []
        for share, course in zip(whole_weights([each.share for each in courses]), courses, strict=True):
            open_ = course.open | (settled - course.settled)
            values = dict(course.values)
            covered = set(values).union(*[each.keys for each in open_])
            for key in keys - covered:
                values[key] = reads.setdefault(key, self.watch.now(key))
            fates.append((share, Fate(values, open_)))
        certain = self._doubts.settle(fates)
        return Ending(weight, first.result, first.raised, first.made, first.board, certain, settled)

    # ------------------------------------------------------------ the rest of what emitted code does
    def _create(self, kind: Any, values: Any, holder: Any = None) -> Any:
        name = kind if isinstance(kind, str) else kind.kind
        spare = self._spare.setdefault(name, [])
        made = self._make(name, values, next((each for each in spare if each not in self._alive), None))
        if made not in spare:
            spare.append(made)
        if holder is not None:
            self.watch.place(made, holder)
        return made

    def _make(self, kind: str, values: Any, again: Any) -> Any:
        made = self._core.world.make(kind, values, again)
        self._alive.add(made)
        self._core.world.journal.append((UNDO, self._alive.discard, made))
        self.watch.notes.made[made] = None
        for slot in made.slots:
            self.watch.notes.was[made, slot] = UNSET
            self.watch.dirty.add((made, slot))
        return made

    def _suppose(self, world: Any, change: Callable[[], Any], result: Callable[[], Any]) -> Any:
        notes, mark = self.level.notes, len(world.journal)
        was, stood = dict(notes.was), dict(notes.stood)
        try:
            change()
            return result()
        finally:
            self.watch.undo(mark)
            notes.was, notes.stood = was, stood


def _told(value: Any) -> Any:
    """A result or argument as something that can be compared; things and records stand for themselves."""
    if isinstance(value, list | tuple):
        return (type(value), tuple([_told(each) for each in value]))
    if isinstance(value, dict):
        return tuple([(_told(key), _told(each)) for key, each in value.items()])
    try:
        hash(value)
    except TypeError as error:
        raise InlineError from error
    return value
