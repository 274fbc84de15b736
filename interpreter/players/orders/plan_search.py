"""Plans: the decisions that lead to what a seat wishes, found by trying the options of the real game on a copy.

A search repeats one choice, such as to go one place further, and takes the cheapest lawful way. It never looks at dice
and never uses hidden information: hidden state is sampled, the others are assumed not to react, and no way leads on
from an answer after which chance decides something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count
from typing import Any, Final

from interpreter.language.diagnostics import UsageError
from interpreter.play.engine.decision import Decision
from interpreter.play.engine.engine import Observer
from interpreter.play.engine.lookahead import speculating
from interpreter.play.game import Game
from interpreter.play.inputs.dice import Dice
from interpreter.play.inputs.value_codec import Stable, encode
from interpreter.play.views.option_costs import OptionCosts
from interpreter.play.views.visibility import Visibility, seat_by_id
from interpreter.play.wording.wording import counted
from interpreter.players.orders.forecast import Forecast, places_on_map
from interpreter.players.orders.order_plan import (
    OrderGoal,
    OrderPlan,
    PlannedAnswer,
    PossibleReaction,
    best_plans,
    declining,
    is_of,
    is_repeated,
    menu_of,
    position_of,
)
from interpreter.players.orders.wish import distances_from, has_to_start, wish_of
from interpreter.players.planning.determinization import Determinizer
from interpreter.players.planning.horizon import Horizon
from interpreter.players.planning.priors import Priors, likeliest
from interpreter.world.things import Piece, Space, Thing

MAX_TRIED: Final = 1_500
"""The most sequences of answers that are tried for one plan."""
_MAX_ANSWERS: Final = 60
_MAX_DECLINED: Final = 40
"""The most questions to others between two answers of a plan."""
_MAX_ARRIVALS: Final = 3
"""The most times that a place is tried from which nothing led on before."""
_Place = tuple[int, Stable, str, Stable]


def plans_for(
    game: Game,
    goal: str,
    *,
    start: str = "",
    via: Sequence[str] = (),
    first: int | None = None,
    repeats: bool = True,
    goes: bool = False,
) -> list[OrderPlan]:
    """Returns the cheapest plan that ends with what `goal` names; several if different choices lead there equally well.

    `goal`, `start` and the places of `via` are names, or parts of names, of things or options: what the plan leads to,
    where it begins, and by which places it leads. `first` is the position of the option with which a plan begins;
    without it any may be the first. With `repeats` the first choice may be made again and again, so that a plan leads
    beyond the next place; with `goes`, the goal is not where an action begins.

    Raises:
        UsageError: if no decision is open, there is no such option, or nothing has such a name.
        RuleFault: if a rule fails.
    """
    decision = game.decision
    if decision is None:
        raise UsageError("no decision is open")
    if first is not None and not 0 <= first < len(decision.options):
        raise UsageError(f"there is no option {first}: {len(decision.options)} are offered, counted from 0")
    starts = has_to_start(game, start)
    names = (start, *via, goal) if starts else (*via, goal)
    return _PlanSearch(game, OrderGoal(names, starts=starts), first, repeats=repeats, goes=goes).plans()


def nearest_plan(game: Game, goal: str, *, start: str = "", first: int | None = None) -> OrderPlan | None:
    """Returns the plan that leads nearest to a place to which no plan leads; none if none leads nearer.

    Raises:
        UsageError: if no decision is open.
        RuleFault: if a rule fails.
    """
    if game.decision is None:
        raise UsageError("no decision is open")
    starts = has_to_start(game, start)
    names = (start, goal) if starts else (goal,)
    search = _PlanSearch(game, OrderGoal(names, starts=starts), first, repeats=True)
    return None if search.plans() else search.nearest()


def plans_on(game: Game, goal: OrderGoal, *, in_part: bool = False) -> list[OrderPlan]:
    """Returns the cheapest plans for what is left of an order; with `in_part`, else one to where chance comes in.

    Raises:
        UsageError: if no decision is open.
        RuleFault: if a rule fails.
    """
    if game.decision is None:
        raise UsageError("no decision is open")
    search = _PlanSearch(game, goal, None, repeats=True)
    found = search.plans()
    nearest = search.nearest() if in_part and not found else None
    return found if nearest is None or not nearest.is_part else [nearest]


def leads_on(game: Game, goal: OrderGoal) -> bool:
    """Whether the open question belongs to the way to a goal: a menu on the way, or a choice of what is named next."""
    decision = game.decision
    if decision is None:
        return False
    if decision.kind == "menu":
        return menu_of(game, decision) not in goal.outer
    wish = wish_of(game, decision.seat, goal.names[0])
    return any(wish.distance(decision, each) is not None for each in decision.options)


@dataclass(frozen=True, slots=True)
class _Prefix:
    """A sequence of answers: its cost, the number of wishes that it fulfils, and the reactions on the way."""

    answers: tuple[PlannedAnswer, ...]
    cost: int
    fulfilled: int
    distance: int
    reactions: tuple[PossibleReaction, ...] = ()
    forced: int = 0
    """The number of forced answers after the last given one that are in the sequence or do not belong to it."""

    @property
    def last_place(self) -> tuple[PlannedAnswer, ...]:
        """The answers up to the last thing that was chosen, and not assumed."""
        taken = [at for at, each in enumerate(self.answers, 1) if each.is_place and not each.is_open]
        return self.answers[: max(taken, default=0)]

    @property
    def place(self) -> _Place:
        """Where the sequence has come to: the last thing that was chosen, and the last answer."""
        at = self.last_place[-1].value if self.last_place else None
        last = self.answers[-1]
        return self.fulfilled, at, last.address, last.value


@dataclass(frozen=True, slots=True)
class _Forced:
    """The only option of a question as an answer, with its distance from each wish; none if it does not fulfil it."""

    decision: Decision
    answer: PlannedAnswer
    distances: tuple[int | None, ...]


class _ForcedAnswers(Observer):
    """Collects the only options of questions, in order, as far as `describe` describes them."""

    def __init__(self, describe: Callable[[Decision], _Forced | None]) -> None:
        self._describe = describe
        self.found: list[_Forced] = []

    def on_single(self, decision: Decision) -> None:
        """Notes an option."""
        forced = self._describe(decision)
        if forced is not None:
            self.found.append(forced)


class _PlanSearch:
    """A uniform-cost search over sequences of answers of one seat."""

    def __init__(self, game: Game, goal: OrderGoal, first: int | None, *, repeats: bool, goes: bool = False) -> None:
        assert game.decision is not None
        self._seat = game.decision.seat
        self._first, self._repeats, self._goes = first, repeats, goes
        self._goal = replace(goal, outer=goal.outer | ({menu_of(game, game.decision)} - {""}))
        self._wishes = [wish_of(game, self._seat, each) for each in goal.names]
        self._words = game.source.wording
        self._step = len(game.steps)
        self._twin = game.twin(trace=not game.source.has_variant("fast"))
        self._horizon = Horizon(self._twin)
        self._hidden = Determinizer(self._twin, self._seat)
        self._visible = Visibility(self._twin.core, seat_by_id(self._twin.core, self._seat)).precomputed()
        self._costs = OptionCosts(game)
        self._priors = Priors(self._twin.core)
        self._forced = _ForcedAnswers(self._forced_answer)
        self._twin.observers = (self._forced,)
        self._unit = ""
        self._queue: list[tuple[int, int, int, _Prefix]] = []
        self._numbers = count()
        self._asked: dict[str, str] = {}
        """The questions of the answers, by address."""
        self._reached: list[_Prefix] = []
        self._arrivals: dict[_Place, int] = {}
        """How often a place was tried; the most if something led on from there."""

    def plans(self) -> list[OrderPlan]:
        """Returns the cheapest plans."""
        assert self._twin.decision is not None
        self._push(self._twin.decision, _Prefix((), 0, 0, 0))
        found: list[OrderPlan] = []
        closest: tuple[int, int, int] | None = None
        """The distance, cost and number of answers of the best plan so far."""
        for _ in range(MAX_TRIED):
            if not self._queue or (closest is not None and (0, *self._queue[0][:2]) > closest):
                break
            cost, length, _, node = heappop(self._queue)
            if node.fulfilled == len(self._wishes):
                found.append(self._plan(node))
                closest = min(closest or (node.distance, cost, length), (node.distance, cost, length))
            elif self._may_lead_on(node):
                self._reached.append(node)
                self._expand(node)
        return best_plans(found)

    def nearest(self) -> OrderPlan | None:
        """Returns the plan to the place, of all that were reached for sure, that is nearest to what is named last."""
        reached = [each for each in self._reached if not self._has_to_start(each)]
        ways = [each for each in reached if self._inner_at(each.answers) is not None] or reached
        distances = distances_from(self._twin, self._wishes[-1])
        ends = [each for each in ways if each.answers[-1].is_place and each.answers[-1].value in distances]
        if not ends:
            return None
        end = min(ends, key=lambda each: (distances[each.answers[-1].value], each.cost, len(each.answers)))
        here = [each for each in reached if each.last_place == end.answers and self._meets_chance(each)]
        plan = replace(self._plan(end), is_part=bool(here))
        return plan if plan.places else None

    def _meets_chance(self, node: _Prefix) -> bool:
        """Whether a die is rolled after the last answer, and the menu of the way is then offered again."""
        menu = node.answers[self._inner_at(node.answers) or 0].address
        with self._after(node):
            decision, dice = self._twin.decision, self._twin.chance.dice
            goes_on = decision is not None and decision.seat == self._seat and decision.address == menu
            return goes_on and isinstance(dice, Dice) and bool(dice.drawn)

    def _plan(self, node: _Prefix) -> OrderPlan:
        with self._after(node) as (decision, _):
            outer = self._goal.outer
            is_whole = decision is None or decision.kind != "pick" or not is_of(node.answers, decision.address)
            is_over = decision is None or (decision.kind == "menu" and menu_of(self._twin, decision) in outer)
            begins = not is_over and node.answers[-1].is_space and self._inner_at(node.answers) is None
        answers = self._with_forecasts(self._with_open_questions(node.answers))
        cost, unit, reactions = node.cost, counted(self._unit, node.cost), node.reactions
        return OrderPlan(
            answers, cost, unit, reactions, node.distance, is_whole, self._goal, self._step, only_begins=begins
        )

    def _with_open_questions(self, answers: tuple[PlannedAnswer, ...]) -> tuple[PlannedAnswer, ...]:
        """Leaves to the seat which of several forces goes: what is chosen, and not named, before the way begins."""
        begins = self._inner_at(answers)
        if begins is None:
            return answers
        is_given = 1 if self._first is not None or not answers[0].is_place else 0
        return tuple(
            [
                replace(each, question=self._asked[each.address])
                if is_given <= at < begins and not (each.is_forced or each.is_fulfilling or each.is_open)
                else each
                for at, each in enumerate(answers)
            ]
        )

    def _question(self, decision: Decision) -> str:
        """Returns a question that is still to come: without what it names, which may be something else then."""
        return decision.prompt if not isinstance(decision.asked, tuple) else self._words.question(decision.site)

    def _with_forecasts(self, answers: tuple[PlannedAnswer, ...]) -> tuple[PlannedAnswer, ...]:
        """Notes how the map looks after each answer that is given before the first open question."""
        twin, found = self._twin, list(answers)
        with speculating(twin, "orders"):
            self._hidden.sample(twin, "orders")
            before = places_on_map(twin.core, self._seat)
            for at, each in enumerate(answers):
                if each.is_open or (not each.is_forced and not self._answer(each)):
                    break
                if not each.is_forced:
                    self._decline(each, [])
                    found[at] = replace(each, forecast=Forecast.of(twin.core, self._seat, before))
        return tuple(found)

    def _may_lead_on(self, node: _Prefix) -> bool:
        return len(node.answers) < _MAX_ANSWERS and self._arrivals.get(node.place, 0) < _MAX_ARRIVALS

    def _expand(self, node: _Prefix) -> None:
        """Tries what follows a sequence of answers."""
        with self._after(node) as (decision, reactions):
            node = replace(node, reactions=reactions)
            leads_on = self._push_forced(node) or (decision is not None and self._push(decision, node))
        place = node.place
        self._arrivals[place] = _MAX_ARRIVALS if leads_on else self._arrivals.get(place, 0) + 1

    def _push(self, decision: Decision, node: _Prefix) -> bool:
        """Adds a sequence for each option that may follow; returns whether there is any."""
        following = self._following(decision, node)
        if following and decision.address not in self._asked:
            self._asked[decision.address] = self._question(decision)
        for option in following:
            distance = self._wishes[node.fulfilled].distance(decision, option)
            self._add_with(replace(node, forced=0), self._answer_of(decision, option), distance)
        assumed = [] if following else self._assumed(decision, node)
        question = self._question(decision) if assumed else ""
        for option in assumed:
            self._add_with(replace(node, forced=0), self._answer_of(decision, option, question), None)
        return bool(following or assumed)

    def _push_forced(self, node: _Prefix) -> bool:
        """Adds the sequence with the next answer that was forced after it; returns whether there is any."""
        for at, forced in enumerate(self._forced.found[node.forced :], node.forced + 1):
            if self._following(forced.decision, node):
                self._add_with(replace(node, forced=at), forced.answer, forced.distances[node.fulfilled])
                return True
        return False

    def _forced_answer(self, decision: Decision) -> _Forced | None:
        option = decision.options[0]
        if decision.seat != self._seat or option is None or option is False or not self._is_sure():
            return None
        answer = replace(self._answer_of(decision, option), is_forced=True)
        return _Forced(decision, answer, tuple([each.distance(decision, option) for each in self._wishes]))

    def _answer_of(self, decision: Decision, option: Any, question: str = "") -> PlannedAnswer:
        is_place = isinstance(option, Thing)
        cost = self._costs.cost(self._twin.core, decision.address, option)
        self._unit = self._unit or self._costs.unit(decision.address)
        text = decision.label(self._visible.masked(option) if is_place else option)
        is_space = isinstance(option, Space)
        return PlannedAnswer(decision.address, encode(option), text, is_place, is_space, cost, question=question)

    def _add_with(self, node: _Prefix, answer: PlannedAnswer, distance: int | None) -> None:
        """Adds a sequence with a further answer, at this distance from the next wish; none if it does not fulfil it."""
        added = replace(node, answers=(*node.answers, answer), cost=node.cost + answer.cost)
        if distance is not None:
            fulfilling = (*node.answers, replace(answer, is_fulfilling=True))
            self._add(replace(added, answers=fulfilling, fulfilled=node.fulfilled + 1, distance=distance))
        if distance != 0:
            self._add(added)  # what is named itself may still be chosen later

    def _add(self, node: _Prefix) -> None:
        heappush(self._queue, (node.cost, len(node.answers), next(self._numbers), node))

    def _has_to_start(self, node: _Prefix) -> bool:
        """Whether a sequence has not chosen yet where the order begins."""
        return self._goal.starts and not node.fulfilled

    def _following(self, decision: Decision, node: _Prefix) -> list[Any]:
        """Returns the options with which a sequence may go on; only what is named, where it is to begin with that."""
        found = self._possible(decision, node)
        if self._goes and self._inner_at(node.answers) is None:
            found = [each for each in found if self._wishes[-1].distance(decision, each) is None]
        if not self._has_to_start(node) or decision.kind == "menu":
            return found
        named = self._named(decision, node)
        return [each for each in found if each in named or not (named or isinstance(each, Space))]

    def _possible(self, decision: Decision, node: _Prefix) -> list[Any]:
        """Returns the options with which a sequence may go on: to repeat its first choice, or to complete it."""
        if not node.answers:
            first = self._first
            return (
                [each for each in decision.options if each is not None] if first is None else [decision.options[first]]
            )
        root = node.answers[0]
        if decision.kind == "menu":
            return self._following_in_menu(decision, node)
        if decision.address == root.address and not root.is_place:
            return [each for each in decision.options if encode(each) == root.value] if self._repeats else []
        is_known = decision.address in {each.address for each in node.answers if not each.question}
        if is_known or is_of(node.answers, decision.address):
            return [each for each in decision.options if each is not None]
        if not any(each.is_space or not each.is_forced for each in node.answers[1:]):
            return self._named(decision, node) or [each for each in decision.options if isinstance(each, Space)]
        is_begun = self._inner_at(node.answers) is not None or is_repeated(node.answers)
        return [] if is_begun else [each for each in self._named(decision, node) if isinstance(each, Piece)]

    def _named(self, decision: Decision, node: _Prefix) -> list[Any]:
        """Returns the options that fulfil the next wish."""
        wish = self._wishes[node.fulfilled]
        return [each for each in decision.options if wish.distance(decision, each) is not None]

    def _following_in_menu(self, decision: Decision, node: _Prefix) -> list[Any]:
        """Returns the action to repeat; in a menu within the first action, any, of which one is repeated from then."""
        root, inner = node.answers[0], self._inner_action(node.answers)
        if not self._repeats and (inner or not root.is_place):
            return []
        if menu_of(self._twin, decision) not in self._goal.outer:
            if self._has_to_start(node):
                return []
            return [each for each in decision.options if each is not None and (inner is None or encode(each) == inner)]
        repeated = root.value if not root.is_place else (":action", root.address.rpartition(".")[0])
        return [each for each in decision.options if encode(each) == repeated] if inner is None else []

    def _inner_action(self, answers: Sequence[PlannedAnswer]) -> Stable | None:
        """Returns the action that was chosen in a menu within the first action."""
        at = self._inner_at(answers)
        return None if at is None else answers[at].value

    def _inner_at(self, answers: Sequence[PlannedAnswer]) -> int | None:
        for at, each in enumerate(answers):
            is_action = isinstance(each.value, tuple) and each.value[:1] == (":action",)
            if at and is_action and each.address.rpartition(".")[2] not in self._goal.outer:
                return at
        return None

    def _assumed(self, decision: Decision, node: _Prefix) -> list[Any]:
        """Returns the answers to try to a question that the seat itself has to answer on the way: none, the likeliest.

        Once the way has begun, only to do nothing is tried, unless something has to be chosen.
        """
        if not node.answers or not self._repeats or decision.kind == "menu":
            return []
        nothing = declining(decision)
        others = [at for at in range(len(decision.options)) if at != nothing]
        found = [] if nothing is None else [decision.options[nothing]]
        if others and (nothing is None or self._inner_action(node.answers) is None):
            weights = self._priors.weights(decision)
            options = decision.options
            are_numbers = all(isinstance(options[at], int) for at in others)
            best = others[-1] if are_numbers else others[likeliest([weights[at] for at in others])]
            found.append(options[best])
        return found

    @contextmanager
    def _after(self, node: _Prefix) -> Iterator[tuple[Decision | None, tuple[PossibleReaction, ...]]]:
        """Yields the seat's next decision after these answers, if nothing but declined reactions lies between.

        Meanwhile the copy of the game is at that decision.
        """
        twin = self._twin
        with speculating(twin, "orders"):
            self._hidden.sample(twin, "orders")
            reactions: list[PossibleReaction] = []
            for each in [each for each in node.answers if not each.is_forced]:
                self._forced.found.clear()
                if not self._answer(each):
                    yield None, ()
                    return
                self._decline(each, reactions)
            decision = twin.decision
            is_own = decision is not None and decision.seat == self._seat
            yield (decision if is_own and self._is_sure() else None), tuple(reactions)

    def _is_sure(self) -> bool:
        """Whether the copy is within the horizon, and no die was rolled on the way."""
        dice = self._twin.chance.dice
        return isinstance(dice, Dice) and not dice.drawn and not self._horizon.is_passed(self._twin)

    def _answer(self, answer: PlannedAnswer) -> bool:
        """Gives an answer on the copy; returns whether it is possible there."""
        decision = self._twin.decision
        if decision is None or decision.seat != self._seat or decision.address != answer.address:
            return False
        index = position_of(decision, answer.value)
        if index is None:
            return False
        self._twin.choose_index(index)
        return True

    def _decline(self, after: PlannedAnswer, reactions: list[PossibleReaction]) -> None:
        """Answers the questions to others with 'none', as long as they can be."""
        for _ in range(_MAX_DECLINED):
            decision = self._twin.decision
            if decision is None or decision.seat == self._seat:
                return
            index = declining(decision)
            if index is None:
                return
            question = "" if decision.site.secret else self._words.question(decision.site)
            last = self._forced.found[-1].answer if self._forced.found else after
            reactions.append(PossibleReaction(last.text, self._words.of(decision.seat_object), question, last.is_place))
            self._twin.choose_index(index)
