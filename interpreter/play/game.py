"""A game under way, as players, tools and programs use it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.language.diagnostics import BicorneError, Diagnostic, RuleFault, UsageError
from interpreter.language.model.image import Site
from interpreter.language.runtime.values import suppose
from interpreter.play import undo
from interpreter.play.engine import lookahead
from interpreter.play.engine.core import Core
from interpreter.play.engine.decision import Decision, check_answer, no_options, subject_of
from interpreter.play.engine.outcome import SEQUENCE_OVER, EndGame, EndStep, Result
from interpreter.play.engine.sequencer import Frame
from interpreter.play.engine.source import source_of
from interpreter.play.inputs.chance import Chance
from interpreter.play.inputs.dice import Dice, DiceSource
from interpreter.play.inputs.inputs import ANSWER, SINGLE, Inputs, Record
from interpreter.play.inputs.value_codec import decode, encode

if TYPE_CHECKING:
    from interpreter.play.log.log import Explanation, LogBuilder, LogEntry
    from interpreter.play.why_not import Reason

Event = tuple[str, int, Any]
Start = Callable[[Core], Frame | None]
"""Puts a game somewhere else than at the beginning of its sequence, and gives the leaf to run first."""


class StepMark(NamedTuple):
    """Where a step began: lengths of journal and trace, position in the inputs, its frame, the steps before it."""

    journal: int
    inputs: int
    trace: int
    frame: Frame


_step_mark = tuple.__new__
"""Makes a mark in half the time of its own constructor, as the sequencer makes its frames."""


class Game:
    """One game from its start on.

    `source` is a scenario or a ruleset. `seed` gives the dice, unless `dice` names another source of them. With
    `trace` every cited event is kept as it happens; without it the log is made by playing the inputs again.
    `inputs` are fed before anything new happens (a replay). `checked` tests the ruleset's invariants after each step.
    `verified` tests fed answers against the options, for inputs from outside or under other rules. `start` begins
    elsewhere than at the beginning (see `starts`).

    Raises:
        RuleFault: from the constructor and from every method that lets the game run, if a rule goes wrong.
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
    ) -> None:
        self.setting = source_of(source, language)
        self.seed = seed
        self.traced = trace
        self.checked = checked
        self.verified = verified
        self.aside = False
        """Whether something is only tried out, so that nothing of it is kept or checked; see `lookahead`."""
        self.events: list[Event] = []
        """What happened, where traced."""
        self.touched: set[int] = set()
        """Sites that ran while options were listed or invariants tested, where traced."""
        self._listing = False
        self._blocks = 0
        """Blocks of simultaneous lines under way, one within another."""
        self.inputs = self._new_inputs()
        self.inputs.records.extend(inputs)
        note = self._event if trace else None
        self.chance = Chance(self.inputs, dice if dice is not None else Dice(seed), self._revealed, note)
        variant = "traced" if trace else "fast"
        names = {**self.chance.names(), "together": self._together, "suppose": self._suppose}
        self.core = Core(self.setting.shared(variant), variant, names, note, self.setting.setup)
        self.steps: list[StepMark] = []
        self.decision: Decision | None = None
        self.result: Result | None = None
        self._generator: Generator[Any, Any, Any] | None = None
        self.beginning = start
        self._ending: str | None = None
        self._told: LogBuilder | None = None
        self._before: tuple[list[Record], Game] | None = None
        self._recalled: lookahead.Mark | None = None
        self._run(None)

    def _new_inputs(self) -> Inputs:
        return Inputs()

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

    def feed(self, records: Collection[Record]) -> None:
        """Plays on by recorded inputs of which those so far are the beginning: a redo, or another's moves.

        Raises:
            UsageError: if they begin otherwise, or nobody is asked anything.
            RuleFault: `divergence`, if they do not fit the game, which then stays where it was.
        """
        self._asked()
        known, given = self.inputs.records, list(records)
        here, verified = self.mark(), self.verified
        if given[: len(known)] != known:
            raise UsageError("these inputs are not a continuation of this game")
        self.verified = True
        try:
            self.go_back(here.step, here.inputs, given[len(known) :])
        except BicorneError:
            self.go_back(here.step, here.inputs)
            raise
        finally:
            self.verified = verified

    def _asked(self) -> Decision:
        if self.decision is None:
            over = f"the game is over ({self.result})" if self.result else "the game stopped at a fault; undo first"
            raise UsageError(f"nobody is asked anything: {over}")
        return self.decision

    def _run(self, answer: Any, frame: Frame | None = None) -> None:
        self.decision = None
        self._told = None
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
                answer = self._settled(ask)
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
        self.steps.append(_step_mark(StepMark, mark))
        if self.traced:
            self._note("step", -1, frame)

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

    def _step_done(self) -> None:
        self._generator = None
        if self.core.together is not None:
            self.core.set_together(None)
        if self.checked and not self.aside:
            self._listing = True
            try:
                check_invariants(self.core)
            finally:
                self._listing = False

    def _settled(self, ask: Any) -> Any:
        """The answer to an ask that the record gives, or its only option; else it becomes the decision."""
        site, seat, given, _, course = ask
        inputs = self.inputs
        if inputs.position < len(inputs.records):
            return self._fed(site, seat, given, course)
        recalled = self._recalled
        options = recalled and recalled.options(site, inputs.position, self.core.world.objects)
        if options is None:
            options = self._listed(given)
        if len(options) > 1:
            self.decision = Decision(ask, options, self.setting.wording)
            return None
        if not options:
            raise no_options(site)
        inputs.live((SINGLE, site.number, encode(options[0]), seat.id))
        if self.traced:
            self._note_answer(site, seat, options[0], course)
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
        self._listing = True
        try:
            return tuple(given())
        finally:
            self._listing = False

    def _event(self, kind: str, site: int, data: Any) -> None:
        """Takes an event of a rule; of those that only looking makes no more than the sites are kept."""
        if not self._listing:
            self._note(kind, site, data)
        elif not self.aside and site >= 0:
            self.touched.add(site)

    def _note(self, kind: str, site: int, data: Any) -> None:
        self.events.append((kind, site, data))

    def _revealed(self, what: Any, seats: Any) -> None:
        self.core.reveal(what, seats)

    def _together(self, begins: bool) -> None:
        """A block of simultaneous lines begins or ends; one within another is part of it."""
        self._blocks += 1 if begins else -1
        if self._blocks == (1 if begins else 0):
            self.core.set_together(self.inputs.position if begins else None, len(self.events))

    def _suppose(self, world: Any, change: Callable[[], Any], result: Callable[[], Any]) -> Any:
        """What is only supposed is not told."""
        listing, self._listing = self._listing, True
        try:
            return suppose(world, change, result)
        finally:
            self._listing = listing

    # ------------------------------------------------------------ going back
    def go_back(
        self, step: int, inputs: int, further: Collection[Record] = (), recalled: lookahead.Mark | None = None
    ) -> None:
        """Back into a step, to where this many inputs were in; forgets what came after, and is fed `further` ones.

        `recalled` is a mark that it comes to, which saves listing the options of its decision again.
        """
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
        self._recalled = recalled
        try:
            self._run(None, mark.frame)
        finally:
            self._recalled = None

    def undo(self, seat: str | None = None, agreed: Collection[str] = ()) -> None:
        """Takes back the last decision of a seat (of the seat that decided last, if none is named).

        Raises:
            UndoRefused: across dice, random picks, reveals or other seats' decisions, unless every other seat agreed.
        """
        undo.undo(self, seat, agreed)

    def mark(self) -> lookahead.Mark:
        """This point of the game, for `rewind`."""
        inputs = self.inputs
        last = inputs.records[inputs.position - 1] if inputs.position else None
        return lookahead.Mark(len(self.steps) - 1, inputs.position, last, self.decision)

    def rewind(self, mark: lookahead.Mark) -> None:
        """Back to a marked point; what came after is forgotten."""
        self.go_back(mark.step, mark.inputs, recalled=mark if mark.still(self.inputs.records) else None)

    # ------------------------------------------------------------ looking
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
    def asking(self) -> Generator[Any, Any, Any] | None:
        """The rule that asks, where a decision is open."""
        return self._generator

    @property
    def seats(self) -> tuple[str, ...]:
        """The ids of all seats, in order."""
        return tuple(each.id for each in self.core.seats)

    @property
    def log(self) -> list[LogEntry]:
        """What has happened, in words, with citations."""
        return self._teller().entries

    def explain(self, number: int) -> Explanation:
        """How an entry of the log came about: what its rule rolled, looked up and added before it.

        Raises:
            UsageError: if the log has no such entry.
        """
        return self._teller().explain(number)

    def _teller(self) -> LogBuilder:
        from interpreter.play.log.log import LogBuilder  # noqa: PLC0415 - only who reads a log needs its words

        if self._told is None:
            told = self if self.traced else self.twin(trace=True)
            self._told = LogBuilder(told.events, self.core.image, self.setting.wording)
        return self._told

    def twin(self, trace: bool = False) -> Game:
        """Another game at the same point, with objects of its own."""
        made = Game(
            self.setting,
            self.seed,
            trace,
            dice=self.chance.dice,
            inputs=self.inputs.records,
            checked=self.checked,
            start=self.beginning,
        )
        made.chance.dice = Dice(f"{self.seed}/twin")
        return made

    def before_together(self) -> Game | None:
        """The game before the simultaneous lines under way, which is all that seats may see until then; or none."""
        since = self.core.together
        if since is None:
            return None
        inputs = self.inputs.records[:since]
        if self._before is None or self._before[0] != inputs:
            trace = not self.setting.offers("fast")
            self._before = inputs, Game(self.setting, f"{self.seed}/twin", trace, inputs=inputs, start=self.beginning)
        return self._before[1]

    def view(self, seat: str) -> Any:
        """The state as a seat sees it, as plain data."""
        from interpreter.play.views.view import view  # noqa: PLC0415 - not every program looks

        return view(self, seat)

    def why_not(self, action: str, **picks: Any) -> list[Reason]:
        """Why an action, with these picks, is not open now; empty if it is."""
        from interpreter.play.why_not import why_not  # noqa: PLC0415 - loads the program of the ruleset

        return why_not(self, action, picks)


def check_invariants(core: Core, path: str | None = None) -> None:
    """Tests what must hold whenever a step has ended: that of this path, or the one the sequencer stands on.

    Raises:
        RuleFault: `invariant`, with its name and the step.
    """
    for name, holds in core.invariants:
        if not holds():
            step = core.sequencer.path if path is None else path
            message = f"the invariant '{name}' does not hold after step '{step}'"
            place = core.place_of(holds)
            hint = "change a rule of this step so that it holds, or the invariant if it demands too much"
            raise RuleFault(Diagnostic("invariant", message, place, hint))
