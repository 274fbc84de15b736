"""A game that follows the course of a recorded one under rules of its own, until it can't.

It is played live: the dice show what the record says under the same label, each decision is answered with what was
answered, found among the options by its meaning. The first thing that can't be the same is where the games part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from interpreter.language.diagnostics import Diagnostic, RuleFault
from interpreter.language.model.image import Site
from interpreter.play.engine.decision import Decision
from interpreter.play.engine.engine import Observer
from interpreter.play.engine.outcome import Result
from interpreter.play.engine.sequencer import Frame
from interpreter.play.engine.turn_counter import TurnCounter
from interpreter.play.inputs.dice import Dice, stable_face
from interpreter.play.inputs.inputs import ANSWER, DIE, PICK, SINGLE, Record
from interpreter.play.inputs.value_codec import encode
from interpreter.play.migration.divergence import Describer, Diverged, Divergence, asked
from interpreter.play.migration.state_diff import (
    Values,
    Vocabulary,
    changes_since,
    differing,
    differing_starts,
    values_at_start,
    values_before,
)
from interpreter.play.migration.transcript import Transcript, TranscriptInput, TranscriptStep
from interpreter.play.records.recording import RecordedGame

_ANSWERS: Final = (ANSWER, SINGLE)


class ChangedOptions(NamedTuple):
    """A decision whose options are others, though what was answered is still among them."""

    turn: int
    step: int
    path: str
    address: str
    was: tuple[Any, ...]
    now: tuple[Any, ...]


class DecisionPoint(NamedTuple):
    """A decision that was answered: how many inputs were in before, and how far the seeded dice had been used.

    `drawn` is none where the dice of the record were not the seeded ones (decisions were taken back).
    """

    inputs: int
    drawn: int | None


class TranscriptDice:
    """Dice that show what the record says; beside them roll the seeded ones, to know how far those had been used."""

    def __init__(self, game: Follower, seed: int | str) -> None:
        self._game = game
        self._seeded: Dice | None = Dice(seed)

    @property
    def drawn(self) -> int | None:
        return None if self._seeded is None else self._seeded.drawn

    def roll(self, site: Site, count: int, faces: Sequence[Any]) -> list[int]:
        names = tuple([stable_face(each) for each in faces])
        given = self._game.expected(DIE, site.address, site)
        possible = len(given.values) == count and all(each in names for each in given.values)
        if not possible or given.could not in (None, names):
            was = f"{_dice(len(given.values), given.could)} showed {', '.join(map(str, given.values)) or 'nothing'}"
            raise self._game.parted("dice", was, _dice(count, names), site)
        self._game.could = names
        positions = [names.index(each) for each in given.values]
        self._compare(given, names, lambda dice: dice.roll(site, count, faces))
        return positions

    def pick(self, site: Site, count: int, of: Sequence[Any]) -> list[int]:
        names = tuple([stable_face(each) for each in of])
        given = self._game.expected(PICK, site.address, site)
        if len(given.values) != min(count, len(of)) or not all(each in names for each in given.values):
            told = self._game.teller
            was, now = told.values(given.values), f"{min(count, len(of))} of {told.values(names)}"
            raise self._game.parted("pick", was, now, site)
        self._game.could = names
        self._compare(given, names, lambda dice: dice.pick(site, count, of))
        return [names.index(each) for each in given.values]

    def _compare(self, given: TranscriptInput, names: tuple[Any, ...], roll: Any) -> None:
        if self._seeded is not None and [names[each] for each in roll(self._seeded)] != list(given.values):
            self._seeded = None


class Follower(RecordedGame, Observer):
    """A game under the rules of `source` that follows a transcript, and observes itself to compare the two.

    `by_digest` compares states by their digests, for the rules of the record itself. `parting` is where it left the
    course, if it did; `offers` are decisions with other options, `decided` those that it has answered.
    """

    def __init__(
        self,
        source: Any,
        course: Transcript,
        seed: int | str,
        *,
        by_digest: bool = False,
        observers: tuple[Observer, ...] = (),
        **more: Any,
    ) -> None:
        self.course = course
        self.parting: Divergence | None = None
        self.offers: list[ChangedOptions] = []
        self.decided: list[DecisionPoint] = []
        self.could: tuple[Any, ...] | None = None
        """What could have come, of the input that comes next."""
        self._by_digest = by_digest
        self._given: list[TranscriptInput] = []
        self._passed: list[TranscriptStep] = []
        self._start: Values = {}
        self._turns: TurnCounter | None = None
        self._turn = 0
        # where the changes of steps are compared, digests would take time and say less
        more["hashed"] = course.knowledge is None
        super().__init__(source, seed, dice=TranscriptDice(self, seed), observers=(self, *observers), **more)
        self._follow()

    @property
    def teller(self) -> Describer:
        """What says values of both games in words."""
        return Describer(self.core, self.setting.wording)

    def learned(self) -> Transcript:
        """The course that it went, with all that is known of it."""
        result = None if self.result is None else (self.result.winners, self.result.reason)
        under_way = changes_since(self.core, self.steps[-1].journal) if self.steps and result is None else {}
        return Transcript(
            self._given, self._passed, result, self._start, Vocabulary.of(self.core), self.step_path, under_way
        )

    @property
    def standing(self) -> tuple[int, int | None]:
        """The last point with a decision of the transcript: its inputs, and the dice as in `DecisionPoint`."""
        if self.parting is None or self.decision is not None:
            return self.inputs.position, self._drawn()
        return self.decided[-1] if self.decided else (0, 0)

    # ------------------------------------------------------------ following
    def _follow(self) -> None:
        """Answers as was answered, to the end of the course or of the way together."""
        while self.decision is not None and self.parting is None and self.inputs.position < len(self.course.given):
            try:
                index = self._answer(self.decision)
            except Diverged as parted:
                self.parting = parted.parting
                return
            self.choose_index(index)
        if self.parting is None:
            self._compare_ends()

    def _answer(self, decision: Decision) -> int:
        """The option that was chosen, by its meaning."""
        given = self.expected(ANSWER, decision.address, decision.site)
        options = tuple([encode(each) for each in decision.options])
        told = self.teller
        if given.seat != decision.seat:
            raise self.parted(
                "question", f"{told.seat(given.seat)} decided it", f"{told.seat(decision.seat)} does", decision.site
            )
        if given.values[0] not in options:
            was = f"{told.seat(given.seat)} answered {told.value(given.values[0])}"
            raise self.parted("answer", was, f"offered are {told.values(options)}", decision.site)
        if given.could is not None and set(given.could) != set(options):
            self.offers.append(
                ChangedOptions(self.turn, len(self.steps), self.step_path, decision.address, given.could, options)
            )
        self.decided.append(DecisionPoint(self.inputs.position, self._drawn()))
        self.could = options
        return options.index(given.values[0])

    def _drawn(self) -> int | None:
        dice = self.chance.dice
        return dice.drawn if isinstance(dice, TranscriptDice) else None

    def expected(self, tag: str, address: str, site: Site) -> TranscriptInput:
        """The input that comes next in the record, if it is one of this sort for this address.

        Raises:
            Parted: if it is something else.
        """
        number = self.inputs.position
        now = asked(tag, address)
        if number == len(self.course.given):
            raise self.parted("end", _end(self.course), now, site)
        given = self.course.given[number]
        same = given.tag == tag or (given.tag in _ANSWERS and tag in _ANSWERS)
        if not same or given.address != address:
            raise self.parted("question", self._asked_then(given), now, site)
        return given

    def _asked_then(self, given: TranscriptInput) -> str:
        """What was asked or rolled here, if anything more was in this step."""
        number = len(self._passed)
        over = number < len(self.course.passed) and self.course.passed[number].inputs == self.inputs.position
        return "the step was over" if over else asked(given.tag, given.address)

    def on_record(self, record: Record) -> None:
        """Holds an input that comes against the record.

        Raises:
            Parted: if something else was recorded.
        """
        tag, site = record[0], self.core.image.sites[record[1]]
        given = self.expected(tag, site.address, site)
        if tag == SINGLE:
            self.could = (record[2],)
            if given.values[0] != record[2]:
                told = self.teller
                was = f"{told.seat(given.seat)} answered {told.value(given.values[0])}"
                raise self.parted("answer", was, f"only {told.value(record[2])} is offered", site)
            if given.could is not None and len(given.could) != 1:
                self.offers.append(
                    ChangedOptions(self.turn, len(self.steps), self.step_path, site.address, given.could, self.could)
                )
        values = (record[2],) if tag in _ANSWERS else record[2:]
        seat = record[3] if tag in _ANSWERS else ""
        self._given.append(TranscriptInput(tag, site.address, values, seat, self.could))
        self.could = None

    # ------------------------------------------------------------ steps
    def _run(self, answer: Any, frame: Frame | None = None) -> None:
        """Lets the game run; where it leaves its course it stops, and stays as it is."""
        try:
            super()._run(answer, frame)
        except Diverged as parted:
            self.parting, self.decision = parted.parting, None
        except RuleFault as fault:
            self.decision = None
            self.parting = self._fault(fault.diagnostic)

    def _fault(self, found: Diagnostic) -> Divergence:
        """A rule that goes wrong, by its name where it is an invariant."""
        broken = [name for name, _ in self.core.invariants if f"'{name}'" in found.message]
        rule = f"invariants/{broken[0]}" if found.code == "invariant" and broken else ""
        return self._parting("fault", "nothing went wrong", found.message, rule=rule, place=found.place)

    def on_step_begin(self) -> None:
        """Compares the step that begins with that of the transcript."""
        if len(self.steps) == 1:
            self._start = values_at_start(self.core)
            self._turns = TurnCounter(self)
        self.core.budget.decisions += 1  # comparing takes time of its own, which is not that of the rules
        assert self._turns is not None
        self._turn = self._turns.passed()
        if len(self.steps) == 1:
            self._compare_starts()
        self._compare_step(self.steps[-1].frame)

    def _compare_starts(self) -> None:
        course = self.course
        if course.start is None or course.knowledge is None:
            return
        keys = differing_starts(course.start, self._start, course.knowledge, Vocabulary.of(self.core))
        if keys:
            was, now = (self.teller.changes(keys, each, "is not there") for each in (course.start, self._start))
            raise Diverged(Divergence("set-up", 0, "", 0, 0, was, now, keys=tuple(keys)))

    def _compare_step(self, frame: Frame) -> None:
        """Whether the step that begins is the one that began then."""
        course, number = self.course, len(self._passed)
        assert frame.node is not None
        path = frame.node.path
        if number < len(course.passed):
            wanted, scope = course.passed[number].path, course.passed[number].scope
        elif course.over:
            raise self.parted("end", _end(course), f"step {path} comes")
        else:
            wanted, scope = course.last_step or path, None
        told = self.teller
        if wanted != path:
            raise self.parted("step", wanted, path)
        own = encode(frame.scope)
        if scope is not None and scope != own:
            raise self.parted("step", f"{path} ({told.value(scope)})", f"{path} ({told.value(own)})")

    def on_step_end(self) -> None:
        """Compares what the step has changed with the transcript."""
        mark, number, done = self.steps[-1], len(self._passed), self.finished[-1]
        changes = changes_since(self.core, mark.journal)
        self._passed.append(TranscriptStep(*done, encode(mark.frame.scope), changes))
        if number >= len(self.course.passed):
            raise self.parted("end", _end(self.course), f"step {done.path} is over", back=1)
        then = self.course.passed[number]
        if then.changes is not None and self.course.knowledge is not None:
            self._compare_changes(then.changes, changes, self.course.knowledge)
        elif self._comparable(then) and then.state != done.state:
            raise self.parted("state", "its state was another", "its digest differs")

    def _comparable(self, then: TranscriptStep) -> bool:
        """Whether digests can be compared: under the same rules, or where the first of them shows that they can."""
        if not self._by_digest and len(self._passed) == 1:
            self._by_digest = then.state == self.finished[-1].state
        return self._by_digest

    def _compare_changes(self, then: Values, now: Values, known: Vocabulary) -> None:
        if then == now:
            return
        keys = differing(then, now, known, Vocabulary.of(self.core))
        if keys:
            before = values_before(self.core, self.steps[-1].journal, keys)
            was, came = (self.teller.changes(keys, before | each, "is not there") for each in (then, now))
            raise self.parted("state", was, came, keys=tuple(keys))

    # ------------------------------------------------------------ the end
    def on_result(self, result: Result) -> None:
        """Compares how the game ends with the transcript."""
        if self.course.result != (result.winners, result.reason) or self.inputs.position < len(self.course.given):
            raise self.parted("end", _end(self.course), _told(result))

    def _compare_ends(self) -> None:
        """Where the record ends within a step, the game must have come to the same."""
        course = self.course
        if self.result is None and self.steps and course.knowledge is not None:
            changes = changes_since(self.core, self.steps[-1].journal)
            try:
                self._compare_changes(course.last_changes, changes, course.knowledge)
            except Diverged as parted:
                self.parting, self.decision = parted.parting, None

    @property
    def turn(self) -> int:
        """Which turn it is, from 1."""
        return self._turn + 1

    def parted(self, kind: str, was: str, now: str, site: Site | None = None, **more: Any) -> Diverged:
        """What is raised where the game leaves its course here."""
        if site is not None:
            more |= {"address": site.address, "rule": site.rule, "place": site.place}
        return Diverged(self._parting(kind, was, now, **more))

    def _parting(self, kind: str, was: str, now: str, back: int = 0, **more: Any) -> Divergence:
        step = len(self.steps) - back
        return Divergence(kind, step, self.step_path, self.turn, self.inputs.position, was, now, **more)


def _dice(count: int, faces: tuple[Any, ...] | None) -> str:
    if faces is None:
        return f"{count} dice"
    numbers = faces == tuple(range(1, len(faces) + 1))
    return f"{count}d{len(faces)}" if numbers else f"{count} dice of {', '.join(map(str, faces))}"


def _end(course: Transcript) -> str:
    """How a record ends, in words."""
    if course.result is None:
        return "the record ends here"
    return _told(Result(course.result[0], course.result[1], 0))


def _told(result: Result) -> str:
    return f"the game was over: {result}"
