"""The engine of a game: it runs the steps, stops at every decision, and returns to any earlier point."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import contextmanager
from typing import Any

from interpreter.language.diagnostics import UsageError
from interpreter.language.model.image import Site
from interpreter.language.runtime.values import suppose
from interpreter.play.engine.core import Core
from interpreter.play.engine.core_pool import keep_after, taken_core
from interpreter.play.engine.decision import Decision, check_answer, no_options, piece_in, subject_of
from interpreter.play.engine.invariants import check_invariants
from interpreter.play.engine.marks import Mark, StepMark, make_step_mark
from interpreter.play.engine.outcome import SEQUENCE_OVER, EndGame, EndStep, Result
from interpreter.play.engine.sequencer import Frame
from interpreter.play.engine.simultaneous import SimultaneousBlocks, hides_answers, wording_of
from interpreter.play.engine.source import source_of
from interpreter.play.inputs.chance import Chance
from interpreter.play.inputs.dice import Dice, DiceSource
from interpreter.play.inputs.inputs import ANSWER, SINGLE, Input, Inputs, count_drawn
from interpreter.play.inputs.value_codec import decode, encode

Event = tuple[str, int, Any]
"""An event of a traced game: its kind, the number of its site (-1: none) and its data."""
Start = Callable[[Core], Frame | None]
"""Puts a game at another point than the start of its sequence, and returns the frame of the step to run first."""


class Observer:
    """Receives the events of one game; every method does nothing unless a subclass overrides it.

    The engine calls the observers of a game in order. An exception of an observer ends the run of the game.
    """

    game: GameEngine
    """The observed game; set before anything runs."""
    variant = ""
    """The variant of the code that this observer needs; empty if any variant is suitable."""

    def on_attach(self) -> None:
        """The observer is attached to its game, which has not run yet."""

    def on_step_begin(self) -> None:
        """A step begins: it is the last of `steps`, and no rule of it has run."""

    def on_step_end(self) -> None:
        """A step has ended, and the invariants hold if they are checked."""

    def on_event(self, kind: str, site: int, data: Any) -> None:
        """A traced rule did something."""

    def on_unlogged_event(self, kind: str, site: int, data: Any) -> None:
        """A traced rule did something that is no event of the game, such as listing options."""

    def on_ask(self, ask: Any) -> None:
        """A rule asks; its options are not listed yet."""

    def on_decision(self, decision: Decision) -> None:
        """A question with several options is put to its seat."""

    def on_single(self, decision: Decision) -> None:
        """A question with one option answers itself."""

    def on_input(self, item: Input) -> None:
        """A new input is about to be added: a die, a pick, a reveal or an answer. Fed inputs are not new."""

    def on_result(self, result: Result) -> None:
        """The game is over."""

    def on_go_back(self, step: int) -> None:
        """The game is about to return into a step and to drop every later step."""


class GameEngine:
    """One game without words: steps, decisions, inputs, and the way back.

    `source` is a scenario or a ruleset. `seed` gives the dice, unless `dice` is another source. With `trace` every
    event is kept. `inputs` are replayed before anything new happens. `checked` checks the invariants after each step.
    `verified` checks replayed answers against the options, for inputs from outside or under other rules. `start`
    begins at another point (see `entry`). `observers` are called in order.

    Nothing runs before `begin` is called. `begin`, and every method that runs the game, raises `RuleFault` if a rule
    fails.
    """

    def __init__(
        self,
        source: Any,
        seed: int | str = 0,
        trace: bool = False,
        *,
        dice: DiceSource | None = None,
        inputs: Collection[Input] = (),
        checked: bool = False,
        verified: bool = False,
        start: Start | None = None,
        language: str = "en",
        observers: tuple[Observer, ...] = (),
    ) -> None:
        self.source = source_of(source, language)
        self.seed = seed
        self.traced, self.checked, self.verified = trace, checked, verified
        self.observers = observers
        self.speculative = False
        """Whether the game plays speculatively, so that nothing is recorded or checked; see `lookahead`."""
        self.events: list[Event] = []
        """The events of a traced game."""
        self.evaluated_sites: set[int] = set()
        """The sites of a traced game that ran while options were listed or invariants were checked."""
        self._unlogged = False
        self.inputs = Inputs(self._on_input if observers else None)
        self.inputs.items.extend(inputs)
        trace_event = self._on_trace if trace else None
        dice = dice if dice is not None else Dice(seed, count_drawn(inputs))
        self.chance = Chance(self.inputs, dice, trace_event)
        variant = next((each.variant for each in observers if each.variant), "traced" if trace else "fast")
        self._blocks = SimultaneousBlocks(self.inputs, self.events)
        names = self.chance.names() | {"together": self._blocks.begin_or_end}
        shared, setup = self.source.shared(variant), self.source.setup
        if trace or observers:
            names |= {"suppose": self._suppose, "quietly": self._quietly}
            self.core = self.source.core(shared, variant, names, trace_event)
        else:  # nothing in the core refers to the game
            self.core = taken_core(shared, variant, names, setup) or Core(shared, variant, names, setup=setup)
        self._blocks.core = self.chance.core = self.core
        keep_after(self, shared, setup)
        self.steps: list[StepMark] = []
        self.decision: Decision | None = None
        self.result: Result | None = None
        self.start = start
        self._generator: Generator[Any, Any, Any] | None = None
        self._ended_step: str | None = None
        self._resume_mark: Mark | None = None
        self._before_block: tuple[list[Input], GameEngine] | None = None
        self.runs = 0
        """The number of runs of rules; results that were computed after an earlier run may be stale."""
        for each in observers:
            each.game = self
            each.on_attach()

    def begin(self) -> None:
        """Runs the game to its first new decision, or to its end."""
        self._run(None)

    # ------------------------------------------------------------ playing
    def choose(self, answer: Any) -> None:
        """Answers the decision and runs to the next one.

        The answer is an option itself, its stable form, its id, or its label.

        Raises:
            IllegalChoice: if it is not an option.
            UsageError: if no decision is open.
        """
        decision = self._open_decision()
        self.choose_index(decision.index_of(answer))

    def choose_index(self, index: int) -> None:
        """Answers with the option at this position.

        Raises:
            UsageError: if there is no such option, or no decision is open.
        """
        decision = self.decision or self._open_decision()
        options = decision.options
        if not 0 <= index < len(options):
            raise UsageError(f"there is no option {index}: {len(options)} are offered, counted from 0")
        answer, site = options[index], decision.site
        self.inputs.append((ANSWER, site.number, encode(answer), decision.seat))
        if self.traced:
            self._trace_answer(site, decision.seat_object, answer, decision.live_picks, decision.asked)
        self._run(answer)

    def _open_decision(self) -> Decision:
        if self.decision is None:
            reason = f"the game is over ({self.result})" if self.result else "the game stopped at a fault; undo first"
            raise UsageError(f"no decision is open: {reason}")
        return self.decision

    def _run(self, answer: Any, frame: Frame | None = None) -> None:
        """Runs the rules to the next decision; `frame` is a step to run again, or none."""
        self.decision = None
        self.runs += 1
        self._renew_budget()
        self.core.is_at_rest = False
        try:
            with self.core.faults():
                if frame is not None:
                    self._launch(frame)
                self._run_to_decision(answer)
        except Exception:
            self._generator = None
            raise
        self.core.is_at_rest = True

    def _renew_budget(self) -> None:
        core = self.core
        core.budget.decisions += 1
        core.sequencer.idle = 0

    def _run_to_decision(self, answer: Any) -> None:
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
                self._close_step()
            except EndStep as end:
                self._end_step(end.name)
            except EndGame as end:
                self._end_game(end)
            else:
                answer = self._answer_to(ask)
                if self.decision is not None:
                    return

    def _begin_step(self) -> bool:
        """Begins the next step; returns whether there is one."""
        core, ended = self.core, self._ended_step
        self._ended_step = None
        if ended is not None:
            frame = core.sequencer.end(ended)
        elif not self.steps and self.start is not None:
            frame = self.start(core)
        else:
            frame = core.sequencer.advance()
        if frame is None:
            self._finish(Result((), SEQUENCE_OVER, len(self.steps)))
            return False
        self._mark_step(frame)
        self._launch(frame)
        return True

    def _mark_step(self, frame: Frame) -> None:
        mark = (len(self.core.world.journal), self.inputs.position, len(self.events), frame)
        self.steps.append(make_step_mark(StepMark, mark))
        if self.traced:
            self._log_event("step", -1, frame)
        for each in self.observers:
            each.on_step_begin()

    def _launch(self, frame: Frame) -> None:
        self._blocks.depth = 0
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
            self._close_step()

    def _end_step(self, name: str) -> None:
        self._close_step()
        self._ended_step = name

    def _end_game(self, end: EndGame) -> None:
        self._close_step()
        self._finish(self.core.result(end, len(self.steps)))

    def _finish(self, result: Result) -> None:
        self.result = result
        if self.traced:
            self._log_event("result", -1, self.result)
        for each in self.observers:
            each.on_result(self.result)

    def _close_step(self) -> None:
        self._generator = None
        if self.core.simultaneous_since is not None:
            self.core.set_simultaneous(None)
        if self.checked and not self.speculative:
            with self.unlogged():
                check_invariants(self.core, self.source)
        for each in self.observers:
            each.on_step_end()

    def _answer_to(self, ask: Any) -> Any:
        """Returns the recorded answer to a question, or its only option unless the question is secret; else decides."""
        (site, seat, source, asked, live_picks), inputs = ask, self.inputs
        for each in self.observers:
            each.on_ask(ask)
        if inputs.position < len(inputs.items):
            return self._recorded_answer(site, seat, source, live_picks, asked)
        mark = self._resume_mark
        options = mark and mark.options(site, inputs.position, self.core.world.objects)
        if options is None:
            options = self._list_options(source)
        if len(options) > 1 or (site.secret and options):
            self.decision = Decision(ask, options, wording_of(self))
            for each in self.observers:
                each.on_decision(self.decision)
            return None
        if not options:
            raise no_options(site)
        inputs.append((SINGLE, site.number, encode(options[0]), seat.id))
        if self.traced:
            self._trace_answer(site, seat, options[0], live_picks, asked)
        if self.observers:
            only = Decision(ask, options, wording_of(self))
            for each in self.observers:
                each.on_single(only)
        return options[0]

    def _recorded_answer(self, site: Site, seat: Any, source: Any, live_picks: Any, asked: Any) -> Any:
        """Returns the answer of the next input."""
        item = self.inputs.replay(ANSWER + SINGLE, site)
        assert item is not None
        if self.verified:
            check_answer(site, item, self._list_options(source))
        answer = decode(item[2], self.core)
        if item[0] == ANSWER:
            self._renew_budget()
        if self.traced:
            self._trace_answer(site, seat, answer, live_picks, asked)
        return answer

    def _trace_answer(self, site: Site, seat: Any, answer: Any, live_picks: Any, asked: Any) -> None:
        subject = subject_of(site, live_picks) or piece_in(asked)
        self._log_event("answer", site.number, (seat, answer, subject, bool(live_picks)))

    def _list_options(self, source: Any) -> tuple[Any, ...]:
        """Returns the options of a question: a collection, or a function that lists them."""
        if not (self.traced and callable(source)):
            return tuple(source() if callable(source) else source)
        with self.unlogged():
            return tuple(source())

    @contextmanager
    def unlogged(self) -> Iterator[None]:
        """Runs rules without logging: what they do is no event of the game."""
        before, self._unlogged = self._unlogged, True
        try:
            yield
        finally:
            self._unlogged = before

    def _on_trace(self, kind: str, site: int, data: Any) -> None:
        """Receives an event of a rule; of an unlogged event only the site is kept."""
        if not self._unlogged:
            self._log_event(kind, site, data)
            return
        if not self.speculative and site >= 0:
            self.evaluated_sites.add(site)
        for each in self.observers:
            each.on_unlogged_event(kind, site, data)

    def _log_event(self, kind: str, site: int, data: Any) -> None:
        self.events.append((kind, site, data))
        for each in self.observers:
            each.on_event(kind, site, data)

    def _on_input(self, item: Input) -> None:
        for each in self.observers:
            each.on_input(item)

    def _quietly(self, make: Callable[[], Any]) -> Any:
        """Returns the value of a function, whose look-ups are no events of the game."""
        with self.unlogged():
            return make()

    def _suppose(self, world: Any, change: Callable[[], Any], result: Callable[[], Any]) -> Any:
        """Returns a result under a supposed change, which is no event of the game."""
        return self._quietly(lambda: suppose(world, change, result))

    # ------------------------------------------------------------ going back
    def go_back(self, step: int, inputs: int, more: Collection[Input] = (), resume: Mark | None = None) -> None:
        """Returns into a step, to the point after this number of inputs; drops later inputs and replays `more`.

        `resume` is the mark at which the game arrives: the options of its decision need not be listed again.
        """
        for each in self.observers:
            each.on_go_back(step)
        mark = self.steps[step]
        self._generator = None
        self.result = None
        self.core.world.rollback(mark.journal)
        if not self.speculative:
            self.chance.move_dice(self.inputs.items[inputs:], more)
        self.inputs.go_back(mark.inputs, inputs)
        self.inputs.items.extend(more)
        del self.events[mark.events :]
        del self.steps[step:]
        self._ended_step = None
        self._mark_step(mark.frame)
        self._resume_mark = resume
        try:
            self._run(None, mark.frame)
        finally:
            self._resume_mark = None

    def mark(self) -> Mark:
        """Returns a mark of this point of the game, for `rewind`."""
        inputs = self.inputs
        last = inputs.items[inputs.position - 1] if inputs.position else None
        return Mark(len(self.steps) - 1, inputs.position, last, self.decision)

    def rewind(self, mark: Mark) -> None:
        """Returns to a mark, and drops everything after it."""
        self.go_back(mark.step, mark.inputs, resume=mark if mark.is_on(self.inputs.items) else None)

    # ------------------------------------------------------------ queries
    def evaluate(self, rule: str, *values: Any) -> Any:
        """Returns the result of the rule of a path, such as `definitions/strength`, for these values; not an event.

        Raises:
            UsageError: if there is no such rule, it changes the game, or it takes other values.
            RuleFault: if the rule fails.
        """
        with self.unlogged():
            return self.core.evaluate(rule, *values)

    def hash(self) -> str:
        """Returns a digest of the state, the same on every machine."""
        return self.core.hash()

    @property
    def history(self) -> tuple[Input, ...]:
        """All inputs so far."""
        return tuple(self.inputs.items)

    @property
    def step_path(self) -> str:
        """The path of the current step, from the root of the sequence down."""
        return self.core.sequencer.path

    @property
    def asking_rules(self) -> Iterator[Any]:
        """Yields the suspended generators of the rules that ask, the outermost first."""
        rule: Any = self._generator
        while hasattr(rule, "gi_code"):
            yield rule
            rule = rule.gi_yieldfrom

    @property
    def seats(self) -> tuple[str, ...]:
        """The ids of all seats, in order."""
        return tuple(each.id for each in self.core.seats)

    # ------------------------------------------------------------ copies
    def twin(self, trace: bool = False) -> GameEngine:
        """Returns another game at the same point, with objects and dice of its own."""
        twin = self._replayed(self.seed, trace, self.chance.dice, self.inputs.items, checked=self.checked)
        twin.chance.dice = Dice(f"{self.seed}/twin")
        return twin

    def before_simultaneous(self) -> GameEngine | None:
        """Returns the game before the current block of simultaneous lines, once one of them is answered; or none."""
        if not hides_answers(self):
            return None
        inputs = self.inputs.items[: self.core.simultaneous_since]
        if self._before_block is None or self._before_block[0] != inputs:
            self._before_block, trace = None, not self.source.has_variant("fast")
            self._before_block = inputs, self._replayed(f"{self.seed}/twin", trace, None, inputs)
        return self._before_block[1]

    def _replayed(
        self, seed: int | str, trace: bool, dice: DiceSource | None, inputs: Collection[Input], checked: bool = False
    ) -> GameEngine:
        game = GameEngine(self.source, seed, trace, dice=dice, inputs=inputs, checked=checked, start=self.start)
        game.begin()
        return game
