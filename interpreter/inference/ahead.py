"""Odds of what lies before a seat in a game: the procedure with outcomes that an option of its decision leads to.

Decisions on the way, and in the procedure itself, get the answer of a standing order, else the one to which the
ruleset's `priors` give the greatest weight.
Nothing is read that the seat cannot see: hidden state is sampled, as by players that look ahead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any, Final

from interpreter.inference.odds import (
    MAX_BRANCHES,
    Odds,
    Outcome,
    enumerate_outcomes,
    outcome_readers,
    outcome_texts,
    sort_rows,
)
from interpreter.inference.situation.order_book import OrderBook, RunningCall
from interpreter.inference.situation.policies import Answers, Used, chosen_by
from interpreter.inference.situation.situation import LIKELIEST, Situation, with_counters
from interpreter.inference.situation.standing_orders import Order, link_orders, read_orders
from interpreter.inference.situation_cache import SituationCache
from interpreter.inference.solver.path_enumerator import TooManyBranchesError
from interpreter.language.diagnostics import UsageError
from interpreter.language.gc_control import gc_paused
from interpreter.language.model.emitted_names import PROCEDURE
from interpreter.language.model.program import Procedure
from interpreter.play.engine.core import Core
from interpreter.play.engine.cpu_timer import CpuTimer
from interpreter.play.engine.lookahead import speculating
from interpreter.play.engine.outcome import EndGame, EndStep
from interpreter.play.engine.rule_observer import RuleObserver
from interpreter.play.engine.source import GameSource
from interpreter.play.game import Game
from interpreter.play.inputs.chance import BulkChance
from interpreter.play.inputs.dice import Dice
from interpreter.play.inputs.value_codec import Stable, decode, encode
from interpreter.play.log.log import LogBuilder, LogEntry
from interpreter.play.views.visibility import Visibility, seat_by_id
from interpreter.players.planning.determinization import Determinizer
from interpreter.players.planning.horizon import Horizon
from interpreter.players.planning.priors import Priors
from interpreter.rules.linking.setup import Setup

MAX_DECISIONS: Final = 40
"""The most decisions between the option and the procedure."""
SAMPLES: Final = 400
SAMPLING_SECONDS: Final = 10.0
"""The CPU time after which an option gets no further sample."""
_QUICK_BRANCHES: Final = 3_000
"""The number of branches that are followed within about a second."""
_MAX_SURE: Final = 6
"""The most procedures with a sure outcome that are passed over for the sake of a later one."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """A decision on the way to the procedure, and the answer that is assumed: both in words."""

    seat: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class AheadOdds:
    """The outcomes of the procedure that an option leads to.

    `arguments` are those of the procedure that are not none, in words. `samples` is the number of samples from which a
    distribution is estimated, 0 if it is exact; `reached` is the share of all samples that come to this procedure.
    """

    procedure: str
    arguments: tuple[tuple[str, str], ...]
    assumptions: tuple[Assumption, ...]
    odds: Odds
    modifiers: tuple[LogEntry, ...] = ()
    """The sums of modifiers of one run of the procedure, as entries of a log."""
    reached: Fraction = Fraction(1)
    samples: int = 0

    @property
    def is_exact(self) -> bool:
        """Whether the distribution is exact."""
        return self.samples == 0

    def as_data(self) -> dict[str, Any]:
        """Returns the odds as plain data; fractions as text, beside their decimal value."""
        return self.odds.as_json() | {
            "arguments": dict(self.arguments),
            "assumptions": [asdict(each) for each in self.assumptions],
            "modifiers": [
                {"text": each.text, "items": [[name, value, list(cites)] for name, value, cites in each.items]}
                for each in self.modifiers
            ],
            "exact": self.is_exact,
            "samples": self.samples,
            "reached": float(self.reached),
        }

    def error_of(self, share: Fraction) -> float:
        """Returns the standard error of an estimated probability; 0 if it is exact."""
        return sqrt(float(share * (1 - share)) / self.samples) if self.samples else 0.0


def odds_ahead(
    game: Game, option: int | None = None, *, orders: Iterable[Any] = (), max_branches: int = MAX_BRANCHES
) -> AheadOdds | None:
    """Returns the odds of the next procedure with outcomes, for what the seat that decides may know; or none.

    `option` is the position of an option of the open decision; without it, the likeliest one is taken. `orders` are
    documents with standing orders. For the odds of several options, see `Lookout`.

    Raises:
        UsageError: if no decision is open, or there is no such option.
        RulesetError: for mistakes in the orders.
        TooManyBranchesError: if the exact distribution has more branches than `max_branches`.
        RuleFault: if a rule fails.
    """
    return Lookout(game, orders).odds(option, max_branches)


class Lookout:
    """Looks ahead from the open decision of a game; the game is replayed once, whatever is asked.

    Decisions on the way and in the procedure are answered by standing orders of `orders`, documents in the form of a
    situation, else by the likeliest answer.

    Raises:
        UsageError: if no decision is open.
        RulesetError: for mistakes in the orders.
    """

    def __init__(self, game: Game, orders: Iterable[Any] = ()) -> None:
        decision = game.decision
        if decision is None:
            raise UsageError("no decision is open")
        self._game, self._options, self._wording = game, len(decision.options), game.source.wording
        procedures = game.source.ruleset.program.procedures
        self._watch = _CallWatch({name: each for name, each in procedures.items() if each.outcomes})
        records = game.inputs.items
        seed = f"{len(records)}/ahead"
        self._twin = Game(game.source, seed, inputs=records, start=game.start, observers=(self._watch,))
        self._priors = Priors(self._twin.core)
        self._horizon = Horizon(self._twin)
        self._hidden = Determinizer(self._twin, decision.seat)
        self._visible = Visibility(self._twin.core, seat_by_id(self._twin.core, decision.seat))
        self._orders = _orders_of(game.source, orders)
        self._book = self._book_in(self._twin.core)

    def odds(self, option: int | None = None, max_branches: int = MAX_BRANCHES) -> AheadOdds | None:
        """Returns the odds of the next procedure with outcomes that an option (by default the likeliest) leads to.

        A procedure that is under way counts; else it is the next one within the seat's horizon, preferably one whose
        outcome is not sure. The distribution is exact if no die, random pick or hidden state comes before the
        procedure; else it is estimated by sampling.

        Raises:
            UsageError: if there is no such option.
            TooManyBranchesError: if the exact distribution has more branches than `max_branches`.
            RuleFault: if a rule fails.
        """
        self._check(option)
        sure = None
        for passed in range(_MAX_SURE):
            found = self._call_ahead(option, passed)
            if found is None or not found.is_certain:
                return sure or self.estimate(option)
            exact = self._exact(found, max_branches)
            if len(exact.odds.rows) > 1:
                return exact
            sure = exact
        return sure

    def estimate(self, option: int | None = None, samples: int = SAMPLES) -> AheadOdds | None:
        """Returns the odds of the procedure under way, or else of the one entered first, estimated by sampling.

        There are none if no sample reaches such a procedure. Slow rules get fewer samples.

        Raises:
            UsageError: if there is no such option.
            RuleFault: if a rule fails.
        """
        self._check(option)
        timer, ends = CpuTimer(), list[tuple[_WatchedCall, Outcome] | None]()
        for number in range(samples):
            if ends and timer.has_exceeded(SAMPLING_SECONDS):
                break
            ends.append(self._sample(option, number))
        calls = [each[0] for each in ends if each is not None]
        if not calls:
            return None
        commonest, reached = Counter([each.key for each in calls]).most_common(1)[0]
        call = next(each for each in calls if each.key == commonest)
        outcomes = Counter([each[1] for each in ends if each is not None and each[0].key == commonest])
        weights = {outcome: Fraction(count, reached) for outcome, count in outcomes.items()}
        odds = Odds(call.rule.name, tuple(call.rule.outcomes), sort_rows(weights), branches_followed=0)
        return AheadOdds(*commonest, call.assumptions, odds, reached=Fraction(reached, len(ends)), samples=reached)

    def in_steps(self, option: int | None = None) -> Iterator[AheadOdds]:
        """Yields the odds of an option; if the exact ones take long, an estimate first.

        Raises:
            UsageError: if there is no such option.
            RuleFault: if a rule fails.
        """
        try:
            quick = self.odds(option, _QUICK_BRANCHES)
        except TooManyBranchesError:
            estimate = self.estimate(option)
            if estimate is not None:
                yield estimate
            with suppress(TooManyBranchesError):
                exact = self.odds(option)
                if exact is not None:
                    yield exact
        else:
            if quick is not None:
                yield quick

    def _check(self, option: int | None) -> None:
        if option is not None and not 0 <= option < self._options:
            raise UsageError(f"there is no option {option}: {self._options} are offered, counted from 0")

    def _call_ahead(self, option: int | None, passed: int) -> _WatchedCall | None:
        """Returns the next procedure that the option enters after `passed` others; none if one is under way already."""
        if self._watch.open:
            return None
        found = None
        with speculating(self._twin, "ahead"):
            assumptions: list[Assumption] = []
            with self._watch.stopping(at_entry=True, passing=passed):
                self._play(option, assumptions, Random("ahead").random)  # noqa: S311 - a guess, not a secret
            if self._watch.open:
                [found] = self._watch.open
                found.arguments = self._words(found)
                found.stable = tuple(map(encode, found.values))
                found.state = self._twin.core.world.dump()
                found.assumptions = tuple(assumptions)
                dice = self._twin.chance.dice
                found.is_certain = not self._hidden and isinstance(dice, Dice) and not dice.drawn
        return found

    def _sample(self, option: int | None, number: int) -> tuple[_WatchedCall, Outcome] | None:
        draw = Random(f"ahead/{number}").random  # noqa: S311 - a guess, not a secret
        assumptions: list[Assumption] = []
        with speculating(self._twin, f"ahead/{number}"):
            self._hidden.sample(self._twin, number)
            with self._watch.stopping(at_entry=False):
                self._play(option, assumptions, draw)
            if self._watch.finished is not None:
                call = self._watch.finished[0]
                call.arguments, call.assumptions = self._words(call), tuple(assumptions)
        return self._watch.finished

    def _play(self, option: int | None, assumptions: list[Assumption], draw: Callable[[], float]) -> None:
        """Plays the option and then the answers of the orders, else the likeliest ones."""

        def pick(_weights: Sequence[int], total: int) -> int:
            return int(draw() * total)

        for number in range(MAX_DECISIONS):
            decision = self._twin.decision
            if decision is None or (number and not self._watch.open and self._horizon.is_passed(self._twin)):
                return
            if number == 0 and option is not None:
                index = option
            else:
                call = RunningCall(self._watch.open[0].rule, self._watch.open[0].values) if self._watch.open else None
                left, policy = self._book.narrowed(decision, call)
                index = chosen_by(policy or LIKELIEST, decision, left, self._priors, pick)
            if number:
                who = self._wording.of(decision.seat_object)
                assumptions.append(Assumption(who, decision.prompt, decision.labels[index]))
            self._twin.choose_index(index)

    def _words(self, call: _WatchedCall) -> tuple[tuple[str, str], ...]:
        """Returns the arguments of a call in words, as the seat sees them, except those that are none."""
        pairs = [pair for pair in zip(call.rule.takes, call.values, strict=False) if pair[1] is not None]
        texts = [(each.name, self._wording.of(self._visible.masked(value))) for each, value in pairs]
        return tuple([(self._wording.word(name), text) for name, text in texts])

    def _book_in(self, core: Core) -> OrderBook:
        return OrderBook(self._orders, core, self._game.source.ruleset.program)

    def _exact(self, call: _WatchedCall, max_branches: int) -> AheadOdds:
        """Returns the exact odds of a procedure from the position in which it is entered."""
        source = self._game.source
        core = Core(source.shared("odds"), "odds", {}, setup=source.setup)
        core.world.load(call.state)
        arguments = [decode(each, core) for each in call.stable]
        cache = SituationCache(core, source.ruleset.program, ([], []))
        book, running = self._book_in(core), RunningCall(call.rule, arguments)
        with gc_paused(), cache.attached(_ANYTHING, source.wording, max_branches, book, running):
            odds = enumerate_outcomes(call.rule, arguments, cache, max_branches, outcome_readers(call.rule, core.names))
        return AheadOdds(call.rule.name, call.arguments, call.assumptions, odds, self._modifiers(call))

    def _modifiers(self, call: _WatchedCall) -> tuple[LogEntry, ...]:
        """Returns the different sums of modifiers in one run of a procedure from where it is entered."""
        source, events = self._game.source, list[tuple[str, int, Any]]()
        dice = Dice("ahead")

        def trace(kind: str, site: int, data: Any) -> None:
            events.append((kind, site, data))

        def pick(_weights: Sequence[int], total: int) -> int:
            return dice.below(total)

        core = Core(source.shared("traced"), "traced", BulkChance(dice).names(), trace, source.setup)
        core.world.load(call.state)
        arguments = [decode(each, core) for each in call.stable]
        book, running = self._book_in(core), RunningCall(call.rule, arguments)
        answers = Answers(_ANYTHING, source.wording, Used(), pick, setattr, core, book, running)
        events.clear()
        try:
            with suppress(EndGame, EndStep):
                result = core.names[PROCEDURE(call.rule.name)](*arguments)
                if call.rule.effects.asks:
                    answers.result(result)
        except Exception as error:
            raise core.fault(error) from error
        builder, found = LogBuilder((), core.image, source.wording), dict[str, LogEntry]()
        for before, (kind, *_) in pairwise(events):
            if kind == "used" and before[0] == "modifiers":
                entry = builder.entry(before)
                found[entry.text] = entry
        return tuple(found.values())


_ANYTHING: Final = Situation(Setup(), (), {}, LIKELIEST)


def _orders_of(source: GameSource, documents: Iterable[Any]) -> tuple[Order, ...]:
    """Links standing orders for a game."""
    setup = Setup() if source.scenario is None else source.scenario.setup
    program = with_counters(source.ruleset.program, setup)
    return link_orders([read_orders(each) for each in documents], program, source.ruleset.image)


class _Stopped(BaseException):
    """The game has come to the watched point; no rule and no engine handles it."""


@dataclass(slots=True)
class _WatchedCall:
    """A call of a procedure with outcomes: where the game was, and what came before it."""

    rule: Procedure
    values: tuple[Any, ...]
    arguments: tuple[tuple[str, str], ...] = ()
    stable: tuple[Stable, ...] = ()
    state: Any = None
    assumptions: tuple[Assumption, ...] = ()
    is_certain: bool = False

    @property
    def key(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """What is called, with which arguments."""
        return self.rule.name, self.arguments


class _CallWatch(RuleObserver):
    """Watches the calls of procedures with outcomes in a twin of a game."""

    variant = ""

    def __init__(self, procedures: dict[str, Procedure]) -> None:
        self._procedures = {f"procedures/{name}": each for name, each in procedures.items()}
        self.rules = tuple(self._procedures)
        self.open: list[_WatchedCall] = []
        """The calls under way, outermost first."""
        self.finished: tuple[_WatchedCall, Outcome] | None = None
        self._stops_at_entry = self._stops_at_end = False
        self._passing = 0

    def on_go_back(self, step: int) -> None:  # noqa: ARG002 - of any step
        """The step is run again: its calls are entered again."""
        self.open.clear()

    def on_step_begin(self) -> None:
        """No call lasts beyond a step."""
        self.open.clear()

    @contextmanager
    def stopping(self, *, at_entry: bool, passing: int = 0) -> Iterator[None]:
        """Stops the game where a procedure is entered while none is under way, or else where the outermost one ends.

        The first `passing` procedures that are entered do not count.
        """
        self.finished = None
        self._passing = passing
        self._stops_at_entry, self._stops_at_end = at_entry, not at_entry
        try:
            with suppress(_Stopped):
                yield
        finally:
            self._stops_at_entry = self._stops_at_end = False

    def before(self, rule: str, arguments: tuple[Any, ...]) -> None:
        """A procedure is entered."""
        self.open.append(_WatchedCall(self._procedures[rule], arguments))
        if self._stops_at_entry and len(self.open) == 1:
            if self._passing == 0:
                raise _Stopped
            self._passing -= 1

    def after(self, rule: str, arguments: tuple[Any, ...], result: Any) -> None:  # noqa: ARG002 - of the last call
        """A procedure has returned."""
        self._leave(result, None)

    def cut_short(self, rule: str, arguments: tuple[Any, ...], end: EndGame | EndStep) -> None:  # noqa: ARG002
        """A procedure has ended the step or the game."""
        self._leave(None, end)

    def _leave(self, result: Any, end: Exception | None) -> None:
        call = self.open.pop()
        if self._stops_at_end and not self.open:
            self.finished = (
                call,
                outcome_texts(call.values, outcome_readers(call.rule, self.game.core.names), result, end),
            )
            raise _Stopped
