"""The engine of a game: it runs the steps, stops at every decision, and goes back to any point."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import contextmanager
from typing import Any

from interpreter.language.diagnostics import UsageError
from interpreter.language.model.image import Site
from interpreter.language.runtime.values import suppose
from interpreter.play.engine.core import Core
from interpreter.play.engine.decision import Decision, check_answer, no_options, subject_of
from interpreter.play.engine.invariants import check_invariants
from interpreter.play.engine.marks import Mark, StepMark, make_step_mark
from interpreter.play.engine.outcome import SEQUENCE_OVER, EndGame, EndStep, Result
from interpreter.play.engine.sequencer import Frame
from interpreter.play.engine.source import source_of
from interpreter.play.inputs.chance import Chance
from interpreter.play.inputs.dice import Dice, DiceSource
from interpreter.play.inputs.inputs import ANSWER, SINGLE, Inputs, Record
from interpreter.play.inputs.value_codec import decode, encode

Event = tuple[str, int, Any]
"""Something that a rule did in a traced game: its kind, the number of its site (-1: none) and its data."""
Start = Callable[[Core], Frame | None]
"""Puts a game somewhere else than at the beginning of its sequence, and gives the leaf to run first."""


class Observer:
    """Sees what happens in one game; every method does nothing unless a subclass says otherwise.

    The engine calls the observers of a game in order. What an observer raises ends the run of the game.
    """

    game: GameEngine
    """The game that is observed; set before anything runs."""
    variant = ""
    """The variant of the code that a game with this observer runs; empty where any will do."""

    def on_attach(self) -> None:
        """The observer has got its game, and nothing of it has run."""

    def on_step_begin(self) -> None:
        """A step begins: it is the last of `steps`, and no rule of it has run."""

    def on_step_end(self) -> None:
        """A step has ended, and the invariants hold if they are checked."""

    def on_event(self, kind: str, site: int, data: Any) -> None:
        """A traced rule did something."""

    def on_unlogged_event(self, kind: str, site: int, data: Any) -> None:
        """A traced rule that only answers a question did something: it lists options, say, or tests an invariant."""

    def on_ask(self, ask: Any) -> None:
        """A rule asks; nobody has looked at the options yet."""

    def on_decision(self, decision: Decision) -> None:
        """A question with several options is put to its seat."""

    def on_single(self, decision: Decision) -> None:
        """A question with one option answers itself."""

    def on_record(self, record: Record) -> None:
        """A new input is about to be added: a die, a pick, a reveal or an answer. Fed records are not new."""

    def on_result(self, result: Result) -> None:
        """The game is over."""

    def on_go_back(self, step: int) -> None:
        """The game is about to return into a step, and to forget every step after it."""


class GameEngine:
    """One game without words: steps, decisions, inputs, and the way back.

    `source` is a scenario or a ruleset. `seed` gives the dice, unless `dice` names another source of them. With
    `trace` every cited event is kept as it happens. `inputs` are fed before anything new happens (a replay). `checked`
    tests the ruleset's invariants after each step. `verified` tests fed answers against the options, for inputs from
    outside or under other rules. `start` begins elsewhere than at the beginning (see `entry`). `observers` are told of
    everything, in order.

    Nothing runs before `begin` is called. That, and every method that lets the game run, raises `RuleFault` if a rule
    goes wrong.
    """

    def __init__(
        self,
        source: Any,
        seed: int | str = 0,
        trace: bool = False,
        *,
        dice: DiceSource | None = None,
        inputs: Collection[Record] = (),
        checked: bool = False,
        verified: bool = False,
        start: Start | None = None,
        language: str = "en",
        observers: tuple[Observer, ...] = (),
    ) -> None:
        self.setting = source_of(source, language)
        self.seed = seed
        self.traced, self.checked, self.verified = trace, checked, verified
        self.observers = observers
        self.speculative = False
        """Whether something is only tried out, so that nothing of it is kept or checked; see `lookahead`."""
        self.events: list[Event] = []
        """What happened, where traced."""
        self.evaluated_sites: set[int] = set()
        """Sites that ran while options were listed or invariants tested, where traced."""
        self._unlogged = False
        self._blocks = 0
        """How many blocks of simultaneous lines are open, one within another."""
        self.inputs = Inputs(self._recorded if observers else None)
        self.inputs.records.extend(inputs)
        note = self._event if trace else None
        self.chance = Chance(self.inputs, dice if dice is not None else Dice(seed), self._revealed, note)
        variant = next((each.variant for each in observers if each.variant), "traced" if trace else "fast")
        names = {**self.chance.names(), "together": self._simultaneous, "suppose": self._suppose}
        self.core = Core(self.setting.shared(variant), variant, names, note, self.setting.setup)
        self.steps: list[StepMark] = []
        self.decision: Decision | None = None
        self.result: Result | None = None
        self.beginning = start
        self._generator: Generator[Any, Any, Any] | None = None
        self._ending: str | None = None
        self._resume_mark: Mark | None = None
        self._before: tuple[list[Record], GameEngine] | None = None
        self.runs = 0
        """How often rules were let run; what was computed from an earlier run may be stale."""
        for each in observers:
            each.game = self
            each.on_attach()

    def begin(self) -> None:
        """Runs the game to its first decision, or to the end of what it is fed."""
        self._run(None)

    # ------------------------------------------------------------ playing
    def choose(self, answer: Any) -> None:
        """Answers the decision and goes on to the next one.

        The answer is an option itself, its stable form, its id, or its label.

        Raises:
            IllegalChoice: if it is not an option.
            UsageError: if nobody is asked anything.
        """
        decision = self._asked()
        self.choose_index(decision.position(answer))

    def choose_index(self, index: int) -> None:
        """Answers with the option of this position.

        Raises:
            UsageError: if there is no such option, or nobody is asked anything.
        """
        decision = self.decision or self._asked()
        options = decision.options
        if not 0 <= index < len(options):
            raise UsageError(f"there is no option {index}: {len(options)} are offered, counted from 0")
        answer, site = options[index], decision.site
        self.inputs.live((ANSWER, site.number, encode(answer), decision.seat))  # a game that is followed notes it, too
        if self.traced:
            self._note_answer(site, decision.seat_object, answer, decision.course)
        self._run(answer)

    def _asked(self) -> Decision:
        if self.decision is None:
            over = f"the game is over ({self.result})" if self.result else "the game stopped at a fault; undo first"
            raise UsageError(f"nobody is asked anything: {over}")
        return self.decision

    def _run(self, answer: Any, frame: Frame | None = None) -> None:
        """Lets the rules run to the next decision; `frame` is the step to run again, if one is."""
        self.decision = None
        self.runs += 1
        self._renew()
        try:
            if frame is not None:
                self._launch(frame)
            self._go_on(answer)
        except Exception as error:
            self._generator = None
            self.core.renew_budget()
            fault = self.core.fault(error)
            if fault is error:
                raise
            raise fault from error

    def _renew(self) -> None:
        core = self.core
        core.budget.decisions += 1
        core.sequencer.idle = 0

    def _go_on(self, answer: Any) -> None:
        while self.result is None:
            generator = self._generator
            if generator is None:
                if not self._begin_step():
                    return
                answer = None
                continue
            try:
                ask = generator.send(answer)
            except StopIteration:
                self._step_done()
            except EndStep as end:
                self._end_step(end.name)
            except EndGame as end:
                self._end_game(end)
            else:
                answer = self._answered(ask)
                if self.decision is not None:
                    return

    def _begin_step(self) -> bool:
        """Begins the next step; whether there is one."""
        core, ending = self.core, self._ending
        self._ending = None
        if ending is not None:
            frame = core.sequencer.end(ending)
        elif not self.steps and self.beginning is not None:
            frame = self.beginning(core)
        else:
            frame = core.sequencer.advance()
        if frame is None:
            self._over((), SEQUENCE_OVER, ())
            return False
        self._mark_step(frame)
        self._launch(frame)
        return True

    def _mark_step(self, frame: Frame) -> None:
        mark = (len(self.core.world.journal), self.inputs.position, len(self.events), frame)
        self.steps.append(make_step_mark(StepMark, mark))
        if self.traced:
            self._note("step", -1, frame)
        for each in self.observers:
            each.on_step_begin()

    def _launch(self, frame: Frame) -> None:
        self._blocks = 0
        node = frame.node
        assert node is not None
        assert node.do is not None
        if node.asks:
            self._generator = node.do(*frame.scope)
            return
        try:
            node.do(*frame.scope)
        except EndStep as end:
            self._end_step(end.name)
        except EndGame as end:
            self._end_game(end)
        else:
            self._step_done()

    def _end_step(self, name: str) -> None:
        self._step_done()
        self._ending = name

    def _end_game(self, end: EndGame) -> None:
        self._step_done()
        node = self.core.sequencer.stack.node
        self._over(end.winners, end.reason or "", node.cites if node else ())

    def _over(self, winners: tuple[str, ...], reason: str, cites: tuple[str, ...]) -> None:
        self.result = Result(winners, reason, len(self.steps), cites)
        if self.traced:
            self._note("result", -1, self.result)
        for each in self.observers:
            each.on_result(self.result)

    def _step_done(self) -> None:
        self._generator = None
        if self.core.together is not None:
            self.core.set_together(None)
        if self.checked and not self.speculative:
            with self.unlogged():
                check_invariants(self.core)
        for each in self.observers:
            each.on_step_end()

    def _answered(self, ask: Any) -> Any:
        """The answer to an ask that the record gives, or its only option; else it becomes the decision."""
        site, seat, given, _, course = ask
        inputs = self.inputs
        for each in self.observers:
            each.on_ask(ask)
        if inputs.position < len(inputs.records):
            return self._fed(site, seat, given, course)
        mark = self._resume_mark
        options = mark and mark.options(site, inputs.position, self.core.world.objects)
        if options is None:
            options = self._listed(given)
        if len(options) > 1:
            self.decision = Decision(ask, options, self.setting.wording)
            for each in self.observers:
                each.on_decision(self.decision)
            return None
        if not options:
            raise no_options(site)
        inputs.live((SINGLE, site.number, encode(options[0]), seat.id))
        if self.traced:
            self._note_answer(site, seat, options[0], course)
        if self.observers:
            only = Decision(ask, options, self.setting.wording)
            for each in self.observers:
                each.on_single(only)
        return options[0]

    def _fed(self, site: Site, seat: Any, given: Any, course: Any) -> Any:
        """The answer that the next record gives."""
        record = self.inputs.feed(ANSWER + SINGLE, site)
        assert record is not None
        if self.verified:
            check_answer(site, record, self._listed(given))
        answer = decode(record[2], self.core)
        if record[0] == ANSWER:
            self._renew()
        if self.traced:
            self._note_answer(site, seat, answer, course)
        return answer

    def _note_answer(self, site: Site, seat: Any, answer: Any, course: Any) -> None:
        self._note("answer", site.number, (seat, answer, subject_of(site, course)))

    def _listed(self, given: Any) -> tuple[Any, ...]:
        """The options that an ask comes with, or that what it comes with gives."""
        if not (self.traced and callable(given)):
            return tuple(given() if callable(given) else given)
        with self.unlogged():
            return tuple(given())

    @contextmanager
    def unlogged(self) -> Iterator[None]:
        """Rules that run meanwhile only answer a question: what they do is no event of the game."""
        before, self._unlogged = self._unlogged, True
        try:
            yield
        finally:
            self._unlogged = before

    def _event(self, kind: str, site: int, data: Any) -> None:
        """Takes an event of a rule; of those that only looking makes no more than the sites are kept."""
        if not self._unlogged:
            self._note(kind, site, data)
            return
        if not self.speculative and site >= 0:
            self.evaluated_sites.add(site)
        for each in self.observers:
            each.on_unlogged_event(kind, site, data)

    def _note(self, kind: str, site: int, data: Any) -> None:
        self.events.append((kind, site, data))
        for each in self.observers:
            each.on_event(kind, site, data)

    def _recorded(self, record: Record) -> None:
        for each in self.observers:
            each.on_record(record)

    def _revealed(self, what: Any, seats: Any) -> None:
        self.core.reveal(what, seats)

    def _simultaneous(self, begins: bool) -> None:
        """A block of simultaneous lines begins or ends; one within another is part of it."""
        self._blocks += 1 if begins else -1
        if self._blocks == (1 if begins else 0):
            self.core.set_together(self.inputs.position if begins else None, len(self.events))

    def _suppose(self, world: Any, change: Callable[[], Any], result: Callable[[], Any]) -> Any:
        """Computes a result under a supposed change, which is no event of the game."""
        with self.unlogged():
            return suppose(world, change, result)

    # ------------------------------------------------------------ going back
    def go_back(self, step: int, inputs: int, further: Collection[Record] = (), resume: Mark | None = None) -> None:
        """Back into a step, to where this many inputs were in; forgets what came after, and is fed `further` ones.

        `resume` is a mark that it comes to, which saves listing the options of its decision again.
        """
        for each in self.observers:
            each.on_go_back(step)
        mark = self.steps[step]
        self._generator = None
        self.result = None
        self.core.world.rollback(mark.journal)
        self.inputs.go_back(mark.inputs, inputs)
        self.inputs.records.extend(further)
        del self.events[mark.trace :]
        del self.steps[step:]
        self._ending = None
        self._mark_step(mark.frame)
        self._resume_mark = resume
        try:
            self._run(None, mark.frame)
        finally:
            self._resume_mark = None

    def mark(self) -> Mark:
        """This point of the game, for `rewind`."""
        inputs = self.inputs
        last = inputs.records[inputs.position - 1] if inputs.position else None
        return Mark(len(self.steps) - 1, inputs.position, last, self.decision)

    def rewind(self, mark: Mark) -> None:
        """Back to a marked point; what came after is forgotten."""
        self.go_back(mark.step, mark.inputs, resume=mark if mark.still(self.inputs.records) else None)

    # ------------------------------------------------------------ looking
    def evaluate(self, rule: str, *values: Any) -> Any:
        """What the rule of a path, such as `definitions/strength`, gives for these values; no event of the game.

        Raises:
            UsageError: if there is no such rule, it changes the game, or it takes other values.
            RuleFault: if it goes wrong.
        """
        with self.unlogged():
            return self.core.evaluate(rule, *values)

    def hash(self) -> str:
        """A digest of the state, the same on every machine."""
        return self.core.hash()

    @property
    def history(self) -> tuple[Record, ...]:
        """All inputs so far."""
        return tuple(self.inputs.records)

    @property
    def step_path(self) -> str:
        """The step under way, from the root of the sequence down."""
        return self.core.sequencer.path

    @property
    def asking_rule(self) -> Any:
        """The suspended generator of the rule that asks, the innermost of those that wait; none where no rule does."""
        found: Any = self._generator
        while found is not None and getattr(found, "gi_yieldfrom", None) is not None:
            found = found.gi_yieldfrom
        return found if hasattr(found, "gi_code") else None

    @property
    def seats(self) -> tuple[str, ...]:
        """The ids of all seats, in order."""
        return tuple(each.id for each in self.core.seats)

    # ------------------------------------------------------------ copies
    def twin(self, trace: bool = False) -> GameEngine:
        """Another game at the same point, with objects and dice of its own."""
        made = self._replayed(self.seed, trace, self.chance.dice, self.inputs.records, checked=self.checked)
        made.chance.dice = Dice(f"{self.seed}/twin")
        return made

    def before_simultaneous(self) -> GameEngine | None:
        """The game before the simultaneous lines under way, which is all that seats may see until then; or none."""
        since = self.core.together
        if since is None:
            return None
        inputs = self.inputs.records[:since]
        if self._before is None or self._before[0] != inputs:
            trace = not self.setting.has_variant("fast")
            self._before = inputs, self._replayed(f"{self.seed}/twin", trace, None, inputs)
        return self._before[1]

    def _replayed(
        self, seed: int | str, trace: bool, dice: DiceSource | None, inputs: Collection[Record], checked: bool = False
    ) -> GameEngine:
        made = GameEngine(self.setting, seed, trace, dice=dice, inputs=inputs, checked=checked, start=self.beginning)
        made.begin()
        return made
