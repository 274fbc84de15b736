"""Bulk play: many games in a row without decision objects or records, in one reused world."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from interpreter.language.diagnostics import UsageError, did_you_mean
from interpreter.language.gc_control import gc_paused
from interpreter.play.engine.core import Core
from interpreter.play.engine.decision import no_options
from interpreter.play.engine.invariants import check_invariants
from interpreter.play.engine.outcome import SEQUENCE_OVER, EndGame, EndStep, Result
from interpreter.play.engine.sequencer import MAX_IDLE_STEPS, ONCE, OVER, StepNode, innermost_frame
from interpreter.play.engine.source import source_of
from interpreter.play.inputs.chance import BulkChance
from interpreter.play.inputs.dice import Dice
from interpreter.play.inputs.seeds import derived_seed

Stream = Callable[[], float]
Chooser = Callable[[Any, Sequence[Any], Any], Any]
"""A fast player: returns one of the options, given the site, the options and the earlier picks."""

MAX_JOURNAL_ENTRIES = 20_000
"""The size at which the journal of a game is cleared, which is never undone."""
MAX_DECISIONS = 1_000_000


class _LimitReached(Exception):  # noqa: N818 - no error: it ends a game
    """Raised at the decision after the last permitted one."""


def random_stream(seed: int | str, seat: str) -> Stream:
    """Returns the random numbers (0 to 1) of one seat; streams of different seats do not affect each other."""
    return Random(derived_seed(seed, f"random/{seat}")).random  # noqa: S311 - of a derived seed


def random_index(stream: Stream, count: int) -> int:
    """Returns the position that a random player chooses among `count` options."""
    return int(stream() * count)


class SimulatedGame(NamedTuple):
    """The result, state digest and number of decisions of one simulated game."""

    result: Result | None
    hash: str
    decisions: int


class Simulation:
    """Plays games of one scenario or ruleset one after the other in one world.

    A seed gives the same game as `Game` with random players of that seed.
    """

    def __init__(self, source: Any, checked: bool = False) -> None:
        game_source = source_of(source)
        self.source, self.checked = game_source, checked
        self._chance = BulkChance(Dice(0))
        self.core = Core(game_source.shared("fast"), "fast", self._chance.names(), setup=game_source.setup)
        self.core.sequencer.stop_journalling()

    def play(
        self,
        seed: int | str,
        choosers: Mapping[str, Chooser] | None = None,
        limit: int = MAX_DECISIONS,
        hashed: bool = True,
    ) -> SimulatedGame:
        """Plays one game; seats without a chooser play at random. Stops without a result after `limit` decisions.

        Raises:
            RuleFault: if a rule fails.
        """
        core = self.core
        core.reset()
        self._chance.dice = Dice(seed)
        run = _GameRun(self, seed, choosers or {}, limit)
        # a game leaves too few reference cycles to justify scanning all objects of its world
        with core.faults(), gc_paused():
            result = run.play()
        return SimulatedGame(result, core.hash() if hashed else "", run.decisions)


class _GameRun:
    """The run of one simulated game."""

    def __init__(self, simulation: Simulation, seed: int | str, choosers: Mapping[str, Chooser], limit: int) -> None:
        self.core, self.source = simulation.core, simulation.source
        self.sequencer = simulation.core.sequencer
        self.journal = simulation.core.world.journal
        self.checked = simulation.checked
        self.limit = limit
        self.decisions = 0
        self.steps = 0
        self._open_steps: list[tuple[StepNode, Any, int, Any, Any, int]] = []
        """The open steps when the game ended, innermost first."""
        seats = {each.id: each for each in self.core.seats}
        for seat in choosers:
            if seat not in seats:
                hint = did_you_mean(seat, seats)
                raise UsageError(f"there is no seat '{seat}' in this game" + (f"; {hint}" if hint else ""))
        self.streams = {each: random_stream(seed, name) for name, each in seats.items()}
        self.choosers = {seats[name]: chooser for name, chooser in choosers.items()}

    def play(self) -> Result | None:
        """Plays to the end or the limit, and sets the sequencer to that point."""
        try:
            self._run_step(self.sequencer.root, ())
        except Exception as end:
            self.sequencer.stack = innermost_frame(self._open_steps)
            if isinstance(end, EndGame):
                return self._result_of(end)
            if isinstance(end, _LimitReached):
                return None
            raise
        self.sequencer.stack = OVER
        return Result((), SEQUENCE_OVER, self.steps)

    def _run_step(self, node: StepNode, outer: tuple[Any, ...]) -> None:
        """Runs one step with its children, with the result of the sequencer, which is slower because it can stop."""
        if node.when is not None and not node.when(*outer):
            return
        left = node.repeat(*outer) if node.repeat is not None else 1
        scope, child = outer, 0
        items: tuple[Any, ...] = ONCE
        try:
            while left > 0:
                left -= 1
                items = tuple(node.each(*outer)) if node.each is not None else ONCE
                while items:
                    if node.each is not None:
                        scope = (*outer, items[0])
                    items = items[1:]
                    if node.do is not None:
                        self._do(node, scope)
                    child = 0
                    for each in node.children:
                        child += 1
                        if each.simple:
                            self._leaf(each, scope)
                        else:
                            self._run_step(each, scope)
                if node.until is not None and node.until(*outer):
                    break
        except Exception as end:
            if isinstance(end, EndStep) and end.name == node.name:
                self._open_steps.clear()
                return
            self._open_steps.append((node, outer, left, items, scope, child))
            raise

    def _leaf(self, node: StepNode, scope: tuple[Any, ...]) -> None:
        """Runs a leaf without conditions, with the result that `_run_step` would have."""
        try:
            self._do(node, scope)
        except Exception as end:
            if isinstance(end, EndStep) and end.name == node.name:
                self._open_steps.clear()
                return
            self._open_steps.append((node, scope, 0, (), scope, 0))
            raise

    def _do(self, node: StepNode, scope: tuple[Any, ...]) -> None:
        """Runs the rule of a step."""
        sequencer = self.sequencer
        self.steps += 1
        sequencer.idle += 1
        if sequencer.idle > MAX_IDLE_STEPS:
            raise sequencer.endless_fault(node)
        assert node.do is not None
        try:
            if node.asks:
                self._answer(node.do(*scope))
            else:
                node.do(*scope)
        except EndStep:
            self._close_step(node)
            raise
        if self.checked or len(self.journal) > MAX_JOURNAL_ENTRIES:
            self._close_step(node)

    def _close_step(self, node: StepNode) -> None:
        """Checks the invariants and clears a long journal after a step."""
        if self.checked:
            check_invariants(self.core, self.source, node.path)
        if len(self.journal) > MAX_JOURNAL_ENTRIES:
            self.core.world.commit()

    def _result_of(self, end: EndGame) -> Result:
        if self.checked:
            check_invariants(self.core, self.source)
        return self.core.result(end, self.steps)

    def _answer(self, generator: Any) -> None:
        """Answers the questions of one step until it ends, or the limit is reached."""
        streams, choosers, budget, limit = self.streams, self.choosers, self.core.budget, self.limit
        send, decisions, answer = generator.send, self.decisions, None
        try:
            while True:
                site, seat, options, _, chosen = send(answer)
                if callable(options):
                    options = options()
                count = len(options)
                if count < 2 and not (count and site.secret):
                    if not count:
                        raise no_options(site)
                    answer = options[0]
                    continue
                if decisions == limit:
                    raise _LimitReached
                decisions += 1
                budget.decisions += 1
                if choosers and seat in choosers:
                    answer = choosers[seat](site, options, chosen)
                else:
                    answer = options[int(streams[seat]() * count)]  # as `random_index`, without the call
        except StopIteration:
            return
        finally:
            if decisions != self.decisions:
                self.decisions = decisions
                self.sequencer.idle = 0
