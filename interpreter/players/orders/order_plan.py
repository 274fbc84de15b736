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
from interpreter.play.inputs.value_codec import Stable, encode, encode_json
from interpreter.play.views.option_costs import OptionCosts
from interpreter.play.views.visibility import Visibility, seat_by_id
from interpreter.players.orders.wish import Wish, wish_of
from interpreter.players.planning.determinization import Determinizer
from interpreter.players.planning.horizon import Horizon
from interpreter.world.things import Thing

MAX_TRIED: Final = 1_500
"""The most sequences of answers that are tried for one plan."""
_MAX_ANSWERS: Final = 60
_MAX_DECLINED: Final = 40
"""The most questions to others between two answers of a plan."""
_MAX_ARRIVALS: Final = 3
"""The most times that a place is tried from which nothing led on before."""
_Place = tuple[int, Stable, str, Stable]


@dataclass(frozen=True, slots=True)
class PlannedAnswer:
    """An answer of a plan: the address of its decision, its stable value, its text, and its cost."""

    address: str
    value: Stable
    text: str
    is_place: bool
    """Whether the answer is a thing, and not the name of an action or a choice."""
    cost: int = 0
    is_forced: bool = False
    """Whether it is the only option, so that nobody is asked."""


@dataclass(frozen=True, slots=True)
class PossibleReaction:
    """A seat that may react after an answer of a plan: its name, and its question unless that is secret."""

    after: str
    seat: str
    question: str = ""


@dataclass(frozen=True, slots=True)
class OrderPlan:
    """The answers that fulfil a wish, in order; `unit` is the unit of the cost, empty if answers are counted."""

    answers: tuple[PlannedAnswer, ...]
    cost: int
    unit: str
    reactions: tuple[PossibleReaction, ...]
    distance: int
    """How far the last answer is from what was named: 0 if it is that itself, more if it holds it."""
    is_whole: bool
    """Whether the last answer completes an action; if not, more has to be chosen for it."""

    @property
    def places(self) -> tuple[str, ...]:
        """The things that are chosen on the way, in words."""
        return tuple([each.text for each in self.answers if each.is_place])

    def as_data(self) -> dict[str, Any]:
        """Returns the plan as plain data."""
        return {
            "answers": [
                {"address": each.address, "value": encode_json(each.value), "label": each.text, "cost": each.cost}
                for each in self.answers
                if not each.is_forced
            ],
            "cost": self.cost,
            "unit": self.unit,
            "reactions": [
                {"after": each.after, "seat": each.seat, "question": each.question} for each in self.reactions
            ],
        }


def plans_for(
    game: Game, goal: str, *, via: Sequence[str] = (), first: int | None = None, repeats: bool = True
) -> list[OrderPlan]:
    """Returns the cheapest plan that ends with what `goal` names; several if different choices lead there equally well.

    `goal` and the places of `via` are names, or parts of names, of things or options. `first` is the position of the
    option with which a plan begins; without it any may be the first. With `repeats` the first choice may be made again
    and again, so that a plan leads beyond the next place.

    Raises:
        UsageError: if no decision is open, there is no such option, or nothing has such a name.
        RuleFault: if a rule fails.
    """
    decision = game.decision
    if decision is None:
        raise UsageError("no decision is open")
    if first is not None and not 0 <= first < len(decision.options):
        raise UsageError(f"there is no option {first}: {len(decision.options)} are offered, counted from 0")
    wishes = [wish_of(game, decision.seat, each) for each in (*via, goal)]
    return _PlanSearch(game, wishes, first, repeats=repeats).plans()


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
    def place(self) -> _Place:
        """Where the sequence has come to: the last thing that was chosen, and the last answer."""
        at = next((each.value for each in reversed(self.answers) if each.is_place), None)
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

    def __init__(self, game: Game, wishes: Sequence[Wish], first: int | None, *, repeats: bool) -> None:
        assert game.decision is not None
        self._seat = game.decision.seat
        self._first, self._repeats = first, repeats
        self._wishes = wishes
        self._words = game.source.wording
        self._twin = game.twin(trace=not game.source.has_variant("fast"))
        self._horizon = Horizon(self._twin)
        self._hidden = Determinizer(self._twin, self._seat)
        self._visible = Visibility(self._twin.core, seat_by_id(self._twin.core, self._seat)).precomputed()
        self._costs = OptionCosts(game)
        self._forced = _ForcedAnswers(self._forced_answer)
        self._twin.observers = (self._forced,)
        self._unit = ""
        self._queue: list[tuple[int, int, int, _Prefix]] = []
        self._numbers = count()
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
                self._expand(node)
        return _best(found)

    def _plan(self, node: _Prefix) -> OrderPlan:
        with self._after(node) as (decision, _):
            is_whole = decision is None or decision.kind != "pick" or not _is_of(node.answers, decision.address)
        return OrderPlan(node.answers, node.cost, self._unit, node.reactions, node.distance, is_whole)

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
        leads_on = False
        for option in self._following(decision, node):
            leads_on = True
            distance = self._wishes[node.fulfilled].distance(decision, option)
            self._add_with(replace(node, forced=0), self._answer_of(decision, option), distance)
        return leads_on

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

    def _answer_of(self, decision: Decision, option: Any) -> PlannedAnswer:
        is_place = isinstance(option, Thing)
        cost = self._costs.cost(self._twin.core, decision.address, option)
        self._unit = self._unit or self._costs.unit(decision.address)
        text = decision.label(self._visible.masked(option) if is_place else option)
        return PlannedAnswer(decision.address, encode(option), text, is_place, cost)

    def _add_with(self, node: _Prefix, answer: PlannedAnswer, distance: int | None) -> None:
        """Adds a sequence with a further answer, at this distance from the next wish; none if it does not fulfil it."""
        added = replace(node, answers=(*node.answers, answer), cost=node.cost + answer.cost)
        if distance is not None:
            self._add(replace(added, fulfilled=node.fulfilled + 1, distance=distance))
        if distance != 0:
            self._add(added)  # what is named itself may still be chosen later

    def _add(self, node: _Prefix) -> None:
        heappush(self._queue, (node.cost, len(node.answers), next(self._numbers), node))

    def _following(self, decision: Decision, node: _Prefix) -> list[Any]:
        """Returns the options with which a sequence may go on: to repeat its first choice, or to complete it."""
        if not node.answers:
            first = self._first
            return (
                [each for each in decision.options if each is not None] if first is None else [decision.options[first]]
            )
        root = node.answers[0]
        repeated = root.value if not root.is_place else (":action", root.address.rpartition(".")[0])
        if decision.address == root.address and not root.is_place and not self._repeats:
            return []
        if decision.kind == "menu" or (decision.address == root.address and not root.is_place):
            return [each for each in decision.options if encode(each) == repeated]
        is_known = decision.address in {each.address for each in node.answers}
        if is_known or sum(not each.is_forced for each in node.answers) == 1 or _is_of(node.answers, decision.address):
            return [each for each in decision.options if each is not None]
        return []

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
            reactions.append(PossibleReaction(after.text, self._words.of(decision.seat_object), question))
            self._twin.choose_index(index)


def position_of(decision: Decision, value: Stable) -> int | None:
    """Returns the position of the option with this stable value; none if it is not offered."""
    return next((at for at, each in enumerate(decision.options) if encode(each) == value), None)


def declining(decision: Decision) -> int | None:
    """Returns the position of the answer that does nothing: none, pass or no; none if there is no such answer."""
    for at, option in enumerate(decision.options):
        if option is None or option is False:
            return at
    return None


def _is_of(answers: Sequence[PlannedAnswer], address: str) -> bool:
    """Whether a decision is a pick of the action that was chosen last."""
    last = next((each.value for each in reversed(answers) if not each.is_place), None)
    return isinstance(last, tuple) and last[:1] == (":action",) and address.rpartition(".")[0] == last[1]


def _best(found: Sequence[OrderPlan]) -> list[OrderPlan]:
    """Returns the best plan of each first answer: closest to what is named, cheapest, shortest, least disturbed."""
    ranked: dict[tuple[Any, ...], dict[Stable, OrderPlan]] = {}
    for each in found:
        rank = (each.distance, each.cost, len(each.answers), not each.is_whole)
        best = ranked.setdefault(rank, {})
        known = best.setdefault(each.answers[0].value, each)
        if len(each.reactions) < len(known.reactions):
            best[each.answers[0].value] = each
    return list(ranked[min(ranked)].values()) if ranked else []
