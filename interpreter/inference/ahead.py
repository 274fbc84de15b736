"""Odds of what lies before a seat in a game: the procedure with outcomes that an option of its decision leads to.

Decisions on the way, and in the procedure itself, get the answer of a standing order, else the one to which the
ruleset's `priors` give the greatest weight; pieces of the seat that are still asked about stay, and another seat's free
action in a menu is not followed. Where the seat is asked again on the way, and another answer than to decline leads
elsewhere, what follows is no consequence of the option: its first choice is returned instead.
Nothing is read that the seat cannot see: hidden state is sampled, as by players that look ahead.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import Any, Final

from interpreter.inference.ahead_results import Ahead, AheadOdds, OpenChoice, RollAfter
from interpreter.inference.assumptions import Assumption, assumption_of, constant, staying_place
from interpreter.inference.estimates import estimated, rolls_in_turn
from interpreter.inference.modifier_sums import LIKELIEST_ANSWERS, ModifierRuns
from interpreter.inference.odds import MAX_BRANCHES, Outcome, enumerate_outcomes, outcome_readers
from interpreter.inference.situation.order_book import OrderBook, RunningCall
from interpreter.inference.situation.policies import chosen_by
from interpreter.inference.situation.situation import LIKELIEST, with_counters
from interpreter.inference.situation.standing_orders import Order, link_orders, read_orders
from interpreter.inference.situation_cache import SituationCache
from interpreter.inference.solver.path_enumerator import TooManyBranchesError
from interpreter.inference.watched_calls import CallWatch, WatchedCall
from interpreter.inference.ways import OwnDecision, Way
from interpreter.language.diagnostics import UsageError
from interpreter.language.gc_control import gc_paused
from interpreter.play.engine.core import Core
from interpreter.play.engine.cpu_timer import CpuTimer
from interpreter.play.engine.decision import Decision
from interpreter.play.engine.lookahead import speculating
from interpreter.play.engine.source import GameSource
from interpreter.play.game import Game
from interpreter.play.inputs.dice import Dice
from interpreter.play.inputs.inputs import is_answer_of
from interpreter.play.inputs.value_codec import decode
from interpreter.play.views.visibility import Visibility, seat_by_id
from interpreter.players.orders.order_plan import PlannedAnswer, declining, position_of
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
_QUICK_SECONDS: Final = 1.0
"""The branches, and their CPU time, that are followed before an estimate is made first."""
_EXACT_SECONDS: Final = 20.0
"""The CPU time after which an estimate stands."""
_MAX_VARIED: Final = 12
"""The most decisions on a way, and answers to each, that are varied to find what leads to a procedure."""
_MAX_ROLLS_AFTER: Final = 3
_INNER_SAMPLES: Final = 12
_INNER_SECONDS: Final = 1.0
"""The samples, and their CPU time, that show what is decided within a procedure whose odds are exact."""
_FIRST_SAMPLES: Final = 20
"""The samples that show whether it comes to a further procedure."""
_KEPT_STATES: Final = 8
"""The calls of a procedure in samples whose modifiers are shown."""
_FOLLOWING_SECONDS: Final = 5.0
"""The CPU time after which no further sample is followed beyond its first procedure."""
_MAX_FOLLOWED: Final = 200
"""The most decisions of such a sample."""
_MAX_SURE: Final = 6
"""The most procedures with a sure outcome that are passed over for the sake of a later one."""


def odds_ahead(
    game: Game, option: int | None = None, *, orders: Iterable[Any] = (), max_branches: int = MAX_BRANCHES
) -> Ahead | None:
    """Returns the odds of the next procedure with outcomes, for what the seat that decides may know; or none.

    If it depends on further decisions of the seat which procedure follows, the first of them is returned.

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
        self._seat = decision.seat
        procedures = game.source.ruleset.program.procedures
        self._watch = CallWatch({name: each for name, each in procedures.items() if each.outcomes})
        records = game.inputs.items
        self._seed = f"ahead/{sum(is_answer_of(each, self._seat) for each in records)}"
        self._twin = Game(game.source, self._seed, inputs=records, start=game.start, observers=(self._watch,))
        self._priors = Priors(self._twin.core)
        self._horizon = Horizon(self._twin)
        self._hidden = Determinizer(self._twin, decision.seat)
        self._visible = Visibility(self._twin.core, seat_by_id(self._twin.core, decision.seat))
        self._orders = _orders_of(game.source, orders)
        self._book = self._book_in(self._twin.core)

    @cached_property
    def _modifiers(self) -> ModifierRuns:
        return ModifierRuns(self._game.source, self._seat, self._book_in)

    def odds(
        self, option: int | None = None, max_branches: int = MAX_BRANCHES, seconds: float | None = None
    ) -> Ahead | None:
        """Returns the odds of the next procedure with outcomes that an option (by default the likeliest) leads to.

        A procedure that is under way counts; else it is the next one within the seat's horizon, preferably one whose
        outcome is not sure. The distribution is exact if no die, random pick or hidden state comes before the
        procedure; else it is estimated by sampling. If the seat is asked again before the procedure, and another answer
        leads elsewhere, the first such decision is returned.

        Raises:
            UsageError: if there is no such option.
            TooManyBranchesError: if the exact distribution has more branches than `max_branches`, or takes more CPU
                time than `seconds`.
            RuleFault: if a rule fails.
        """
        self._check(option)
        sure = None
        for passed in range(_MAX_SURE):
            way = Way()
            found = self._call_ahead(option, way, passed=passed)
            if found is None or not found.is_certain:
                return sure or self.estimate(option) or self._roll_after(option)
            choice = self._open_choice(option, found, way.own, passed=passed)
            if choice is not None:
                return choice
            exact = self._exact(found, max_branches, seconds)
            if len(exact.odds.rows) > 1:
                return replace(exact, assumptions=self._with_inner(option, found, passed))
            sure = exact
        return sure

    def _with_inner(self, option: int | None, found: WatchedCall, passed: int) -> tuple[Assumption, ...]:
        """Returns what is assumed before and within a procedure, as far as some samples show it."""
        timer, ways = CpuTimer(), list[tuple[Assumption, ...]]()
        for number in range(_INNER_SAMPLES):
            if ways and timer.has_exceeded(_INNER_SECONDS):
                break
            end = self._sample(option, number, Way(), passed)
            if end is not None and end[0].key == found.key:
                ways.append(end[0].assumptions)
        return tuple(dict.fromkeys([*found.assumptions, *constant(ways)]))

    def estimate(self, option: int | None = None, samples: int = SAMPLES) -> Ahead | None:
        """Returns the odds of the procedure under way, or else of the one entered first, estimated by sampling.

        There are none if no sample reaches such a procedure. Slow rules get fewer samples. If the seat could have
        led the first sample that reaches one elsewhere, its first choice is returned; such later samples do not count.

        Raises:
            UsageError: if there is no such option.
            RuleFault: if a rule fails.
        """
        self._check(option)
        timer, ends = CpuTimer(), list[tuple[WatchedCall, Outcome] | None]()
        self._keep_states()
        choices: dict[tuple[tuple[int, str, int], ...], OpenChoice | None] = {}
        for number in range(samples):
            if ends and timer.has_exceeded(SAMPLING_SECONDS):
                break
            way = Way()
            end = self._sample(option, number, way)
            if end is not None:
                answers = tuple([(each.number, each.address, each.answer) for each in way.own])
                if answers not in choices:
                    choices[answers] = self._open_choice(option, end[0], way.own, sample=number)
                choice = choices[answers]
                if choice is not None:
                    if not any(ends):
                        return choice
                    end = None
            ends.append(end)
        found = [each for each in ends if each is not None]
        if not found:
            return None
        [(key, _)] = Counter([call.key for call, _ in found]).most_common(1)
        return estimated([each for each in found if each[0].key == key], len(ends), self._modifiers.sums)

    def in_turn(self, option: int | None = None, answers: Iterable[PlannedAnswer] = ()) -> list[AheadOdds]:
        """Returns the odds of all procedures with outcomes, in turn, until the seat has a new action to choose.

        They are estimated from samples. `answers` are those of a plan, whose first one is the option. What few samples
        come to is left out.

        Raises:
            UsageError: if there is no such option.
            RuleFault: if a rule fails.
        """
        planned = [each for each in answers if not each.is_forced]
        if planned:
            option = self._begun(planned)
        self._check(option)
        timer, samples = CpuTimer(), list[list[tuple[WatchedCall, Outcome]]]()
        self._keep_states()
        for number in range(SAMPLES):
            if samples and timer.has_exceeded(_FOLLOWING_SECONDS):
                break
            if number == _FIRST_SAMPLES and not (planned or any(len(each) > 1 for each in samples)):
                break
            samples.append(self._follow(option, number, planned[1:]))
        return rolls_in_turn(samples, self._modifiers.sums)

    def on_way(self, answers: Iterable[PlannedAnswer]) -> list[AheadOdds] | list[RollAfter]:
        """Returns the odds of all procedures with outcomes on the way of a plan; if there are none, what leads to one.

        Raises:
            RuleFault: if a rule fails.
        """
        planned = [each for each in answers if not each.is_forced]
        rolls = self.in_turn(answers=planned)
        after = None if rolls else self._roll_after(self._begun(planned), planned[1:])
        return rolls if after is None else [after]

    def _begun(self, planned: Sequence[PlannedAnswer]) -> int | None:
        """Returns the position of the option with which a plan begins, which leaves out what is forced."""
        decision = self._game.decision
        return position_of(decision, planned[0].value) if planned and decision is not None else None

    def _keep_states(self) -> None:
        """Lets the next calls of each procedure keep the state from which their modifiers can be found."""
        self._watch.states_to_keep.update(dict.fromkeys(self._watch.rules, _KEPT_STATES))

    def _follow(
        self, option: int | None, number: int, planned: Iterable[PlannedAnswer]
    ) -> list[tuple[WatchedCall, Outcome]]:
        """Returns the procedures that one sample comes to, with their outcomes."""
        way = Way(planned=deque(planned), is_followed=True)
        with self._speculating(number):
            with self._watch.collecting() as ended:
                self._play(option, way, number)
            for call, _ in ended:
                self._describe(call)
        return ended

    def _roll_after(self, option: int | None, planned: Sequence[PlannedAnswer] | None = None) -> RollAfter | None:
        """Returns other answers on the likeliest way that lead to a procedure with outcomes.

        With the answers of a plan they come after these, and before the seat has a new action to choose.
        """
        if self._watch.open:
            return None

        def begun(forced: tuple[int, int] | None = None) -> Way:
            return Way(forced, planned=deque(planned or ()), is_followed=planned is not None)

        sample, way, found = 0 if self._hidden else None, begun(), list[tuple[Assumption, str, str]]()
        self._call_ahead(option, way, sample=sample)
        for number, count, taken in way.passed[:_MAX_VARIED]:
            for answer in [each for each in range(count) if each != taken][:_MAX_VARIED]:
                other = begun((number, answer))
                call = self._call_ahead(option, other, sample=sample)
                if call is not None and (varied := other.varied) is not None:
                    if not any((varied.question, call.title) == (each.question, title) for each, _, title in found):
                        found.append((varied, call.rule.name, call.title))
                    break
            if len(found) == _MAX_ROLLS_AFTER:
                break
        return RollAfter(tuple(found)) if found else None

    def likeliest(self) -> int:
        """Returns the position of the option that odds without an option are about.

        What is hidden from the seat is sampled: its priors may read it.
        """
        with self._speculating(0):
            decision = self._twin.decision
            index = self._likeliest(Way(), 0, decision, lambda *_: 0) if decision is not None else None
        return index or 0

    def in_steps(self, option: int | None = None) -> Iterator[Ahead]:
        """Yields the odds of an option; if the exact ones take long, an estimate first, and alone if very long.

        Raises:
            UsageError: if there is no such option.
            RuleFault: if a rule fails.
        """
        try:
            quick = self.odds(option, _QUICK_BRANCHES, _QUICK_SECONDS)
        except TooManyBranchesError:
            estimate = self.estimate(option)
            if estimate is not None:
                yield replace(estimate, exact_follows=True) if isinstance(estimate, AheadOdds) else estimate
            with suppress(TooManyBranchesError):
                exact = self.odds(option, seconds=_EXACT_SECONDS)
                if exact is not None:
                    yield exact
        else:
            if quick is not None:
                yield quick

    def _check(self, option: int | None) -> None:
        if option is not None and not 0 <= option < self._options:
            raise UsageError(f"there is no option {option}: {self._options} are offered, counted from 0")

    def _call_ahead(
        self, option: int | None, way: Way, *, sample: int | None = None, passed: int = 0
    ) -> WatchedCall | None:
        """Returns the next procedure that the option enters after `passed` others; none if one is under way already."""
        if self._watch.open:
            return None
        found = None
        with self._speculating(sample):
            with self._watch.stopping(at_entry=True, passing=passed):
                self._play(option, way, sample)
            if self._watch.open:
                [found] = self._watch.open
                self._describe(found)
                found.keep(self._twin.core.world)
                found.assumptions = way.assumed
                dice = self._twin.chance.dice
                found.is_certain = not self._hidden and isinstance(dice, Dice) and not dice.drawn
        return found

    def _open_choice(
        self,
        option: int | None,
        found: WatchedCall,
        own: Sequence[OwnDecision],
        *,
        sample: int | None = None,
        passed: int = 0,
    ) -> OpenChoice | None:
        """Returns the first further decision of the seat, if by any of them it may come to something else."""
        for each in own:
            for answer in each.others:
                other = self._call_ahead(option, Way((each.number, answer)), sample=sample, passed=passed)
                if other is None or other.key != found.key:
                    return own[0].choice
        return None

    def _sample(self, option: int | None, number: int, way: Way, passed: int = 0) -> tuple[WatchedCall, Outcome] | None:
        with self._speculating(number):
            with self._watch.stopping(at_entry=False, passing=passed):
                self._play(option, way, number)
            if self._watch.finished is not None:
                call = self._watch.finished[0]
                self._describe(call)
                call.assumptions = way.assumed
        return self._watch.finished

    @contextmanager
    def _speculating(self, sample: int | None) -> Iterator[None]:
        """Lets the twin run with the dice and the hidden state of a sample, or with what it has, and takes it back."""
        with speculating(self._twin, self._seed_of(sample)):
            if sample is not None:
                self._hidden.sample(self._twin, sample)
            yield

    def _seed_of(self, sample: int | None) -> str:
        """Returns the seed of a sample: another one after each answer of the seat, for which nothing hidden counts."""
        return self._seed if sample is None else f"{self._seed}/{sample}"

    def _play(self, option: int | None, way: Way, sample: int | None) -> None:
        """Plays the option and then the answers of the orders, else the likeliest ones."""
        draw = Random(self._seed_of(sample)).random  # noqa: S311 - a guess, not a secret

        def pick(_weights: Sequence[int], total: int) -> int:
            return int(draw() * total)

        for number in range(_MAX_FOLLOWED if way.is_followed else MAX_DECISIONS):
            decision = self._twin.decision
            if decision is None or (number and not self._watch.open and self._horizon.is_passed(self._twin)):
                return
            planned = way.take(decision) if number and decision.seat == self._seat else None
            if number == 0 and option is not None:
                index: int | None = option
            elif planned is not None:
                index = planned[0]
            elif number and way.is_followed and decision.seat == self._seat and decision.kind == "menu":
                return
            elif way.forced is not None and way.forced[0] == number:
                index = way.forced[1]
            else:
                index = self._likeliest(way, number, decision, pick)
            if number and planned is None:
                way.passed.append((number, len(decision.options), index))
            if index is None:
                return
            is_choice = len(decision.options) > 1 or decision.seat != self._seat
            if is_choice and (planned is None or planned[1].is_open):
                assumed = assumption_of(decision, index, self._wording, self._visible)
                (way.assumptions if number else way.begun).append(assumed)
                way.varied = assumed if way.forced == (number, index) else way.varied
            before = len(self._watch.ended)
            self._twin.choose_index(index)
            for call, _ in self._watch.ended[before:]:
                call.assumptions = way.take_assumed()

    def _likeliest(
        self, way: Way, number: int, decision: Decision, pick: Callable[[Sequence[int], int], int]
    ) -> int | None:
        """Returns the answer of an order, else the likeliest one; none where another seat is free to act."""
        call = RunningCall(self._watch.open[0].rule, self._watch.open[0].values) if self._watch.open else None
        left, policy = self._book.narrowed(decision, call)
        if number and call is None and policy is None:
            if decision.seat != self._seat and decision.kind == "menu":
                return declining(decision)
            if decision.seat == self._seat and (stay := staying_place(decision)) in left:
                return stay
        index = chosen_by(policy or LIKELIEST, decision, left, self._priors, pick)
        if number and call is None and policy is None and decision.seat == self._seat:
            self._note_own(way, number, decision, index, left)
        return index

    def _note_own(self, way: Way, number: int, decision: Decision, index: int, left: Sequence[int]) -> None:
        """Notes a decision of the seat that no order answers, if something else may be answered than to decline."""
        if decision.options[index] is None:
            return
        others = tuple([each for each in left if each != index and decision.options[each] is not None])
        if others:
            labels = decision.labels
            choice = OpenChoice(
                self._wording.of(decision.seat_object), decision.prompt, tuple([labels[each] for each in left])
            )
            way.own.append(OwnDecision(number, decision.address, index, others, choice))

    def _describe(self, call: WatchedCall) -> None:
        """Puts a call into words, with its arguments as the seat sees them, except those that are none."""
        values = {
            each.name: self._visible.masked(value)
            for each, value in zip(call.rule.takes, call.values, strict=False)
            if value is not None
        }
        call.title = self._wording.run_of(call.rule.name, values)
        call.arguments = tuple([(self._wording.word(name), self._wording.of(each)) for name, each in values.items()])

    def _book_in(self, core: Core) -> OrderBook:
        return OrderBook(self._orders, core, self._game.source.ruleset.program)

    def _exact(self, call: WatchedCall, max_branches: int, seconds: float | None) -> AheadOdds:
        """Returns the exact odds of a procedure from the position in which it is entered."""
        source = self._game.source
        core = Core(source.shared("odds"), "odds", {}, setup=source.setup)
        core.world.load(call.state)
        arguments = [decode(each, core) for each in call.stable]
        cache = SituationCache(core, source.ruleset.program, ([], []))
        book, running = self._book_in(core), RunningCall(call.rule, arguments)
        with gc_paused(), cache.attached(LIKELIEST_ANSWERS, source.wording, max_branches, book, running):
            readers = outcome_readers(call.rule, core.names)
            odds = enumerate_outcomes(call.rule, arguments, cache, max_branches, readers, seconds)
        sums = self._modifiers.sums([call])
        return AheadOdds(call.rule.name, call.title, call.arguments, call.assumptions, odds, sums)


def _orders_of(source: GameSource, documents: Iterable[Any]) -> tuple[Order, ...]:
    """Links standing orders for a game."""
    setup = Setup() if source.scenario is None else source.scenario.setup
    program = with_counters(source.ruleset.program, setup)
    return link_orders([read_orders(each) for each in documents], program, source.ruleset.image)
