"""Many games in a row, as fast as they go: no decision objects, nothing recorded, one world used again."""

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
from interpreter.play.engine.sequencer import IDLE_STEPS, ONCE, OVER, StepNode, linked
from interpreter.play.engine.source import source_of
from interpreter.play.inputs.chance import BulkChance
from interpreter.play.inputs.dice import Dice

Stream = Callable[[], float]
Chooser = Callable[[Any, Sequence[Any], Any], Any]
"""A fast player: from the site, the options and what is already chosen to one of the options."""

SETTLE_AFTER = 20_000
"""Journal entries after which a game that is never undone forgets them."""
MOST_DECISIONS = 1_000_000


class _LimitReached(Exception):  # noqa: N818 - it is no error
    """The game came to its last permitted decision."""


def random_stream(seed: int | str, seat: str) -> Stream:
    """The random player's stream of numbers from 0 to 1: one for each seat, so that no seat disturbs another's."""
    return Random(f"{seed}/{seat}").random  # noqa: S311 - a player, not a secret


def random_index(stream: Stream, count: int) -> int:
    """The random player's choice among so many options; taken wherever a random player plays."""
    return int(stream() * count)


class Played(NamedTuple):
    """One game of a simulation."""

    result: Result | None
    hash: str
    decisions: int


class Simulation:
    """Games of one scenario or ruleset, one after the other in one world.

    The same seed gives the same game as `Game` with random players of the same seed.
    """

    def __init__(self, source: Any, checked: bool = False) -> None:
        setting = source_of(source)
        self.checked = checked
        self._chance = BulkChance(Dice(0))
        self.core = Core(setting.shared("fast"), "fast", self._chance.names(), setup=setting.setup)
        self.core.sequencer.unrecorded()

    def play(
        self,
        seed: int | str,
        choosers: Mapping[str, Chooser] | None = None,
        limit: int = MOST_DECISIONS,
        hashed: bool = True,
    ) -> Played:
        """One game; seats without a chooser play at random. Stops without a result after `limit` decisions.

        Raises:
            RuleFault: if a rule goes wrong.
        """
        core = self.core
        core.reset()
        self._chance.dice = Dice(seed)
        run = _GameRun(self, seed, choosers or {}, limit)
        try:
            with gc_paused():  # a game leaves no rings behind that are worth a look at all things of its world
                result = run.play()
        except Exception as error:
            core.renew_budget()
            fault = core.fault(error)
            if fault is error:
                raise
            raise fault from error
        return Played(result, core.hash() if hashed else "", run.decisions)


class _GameRun:
    """One game of a simulation, under way."""

    def __init__(self, simulation: Simulation, seed: int | str, choosers: Mapping[str, Chooser], limit: int) -> None:
        self.core = simulation.core
        self.sequencer = simulation.core.sequencer
        self.journal = simulation.core.world.journal
        self.checked = simulation.checked
        self.limit = limit
        self.decisions = 0
        self.steps = 0
        self._under_way: list[tuple[StepNode, Any, int, Any, Any, int]] = []
        """The steps under way when the game ended, innermost first."""
        seats = {each.id: each for each in self.core.seats}
        for seat in choosers:
            if seat not in seats:
                hint = did_you_mean(seat, seats)
                raise UsageError(f"'{seat}' is no seat of this game" + (f"; {hint}" if hint else ""))
        self.streams = {each: random_stream(seed, name) for name, each in seats.items()}
        self.choosers = {seats[name]: chooser for name, chooser in choosers.items()}

    def play(self) -> Result | None:
        """Plays to the end or the limit; leaves the sequencer where the game stands."""
        try:
            self._walk(self.sequencer.root, ())
        except Exception as end:
            self.sequencer.stack = linked(self._under_way)
            if isinstance(end, EndGame):
                return self._won(end)
            if isinstance(end, _LimitReached):
                return None
            raise
        self.sequencer.stack = OVER
        return Result((), SEQUENCE_OVER, self.steps)

    def _walk(self, node: StepNode, outer: tuple[Any, ...]) -> None:
        """One step with all that is in it: the course of the sequencer, which can stop anywhere and so costs more."""
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
                        self._step(node, scope)
                    child = 0
                    for each in node.children:
                        child += 1
                        if each.simple:
                            self._leaf(each, scope)
                        else:
                            self._walk(each, scope)
                if node.until is not None and node.until(*outer):
                    break
        except Exception as end:
            if isinstance(end, EndStep) and end.name == node.name:
                self._under_way.clear()
                return
            self._under_way.append((node, outer, left, items, scope, child))
            raise

    def _leaf(self, node: StepNode, scope: tuple[Any, ...]) -> None:
        """A step that runs once whenever its turn comes, as `_walk` would run it."""
        try:
            self._step(node, scope)
        except Exception as end:
            if isinstance(end, EndStep) and end.name == node.name:
                self._under_way.clear()
                return
            self._under_way.append((node, scope, 0, (), scope, 0))
            raise

    def _step(self, node: StepNode, scope: tuple[Any, ...]) -> None:
        """Runs one leaf."""
        sequencer = self.sequencer
        self.steps += 1
        sequencer.idle += 1
        if sequencer.idle > IDLE_STEPS:
            raise sequencer.endless(node)
        assert node.do is not None
        try:
            if node.asks:
                self._ask(node.do(*scope))
            else:
                node.do(*scope)
        except EndStep:
            self._done(node)
            raise
        if self.checked or len(self.journal) > SETTLE_AFTER:
            self._done(node)

    def _done(self, node: StepNode) -> None:
        """What follows a step."""
        if self.checked:
            check_invariants(self.core, node.path)
        if len(self.journal) > SETTLE_AFTER:
            self.core.world.settle()

    def _won(self, end: EndGame) -> Result:
        if self.checked:
            check_invariants(self.core)
        node = self.sequencer.stack.node
        return Result(end.winners, end.reason or "", self.steps, node.cites if node is not None else ())

    def _ask(self, generator: Any) -> None:
        """Answers one step until it ends, or the limit comes."""
        streams, choosers, budget, limit = self.streams, self.choosers, self.core.budget, self.limit
        send, decisions, answer = generator.send, self.decisions, None
        try:
            while True:
                site, seat, options, _, chosen = send(answer)
                if callable(options):
                    options = options()
                count = len(options)
                if count < 2:
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
