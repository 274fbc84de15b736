"""Answers the decisions of a situation: by its `decisions` and, where these name no answer, by its standing orders."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from typing import Any

from interpreter.inference.situation.order_book import OrderBook, RunningCall
from interpreter.inference.situation.situation import LIKELIEST, POLICIES, UNIFORM, Situation
from interpreter.play.engine.core import Core
from interpreter.play.engine.decision import Decision, no_options
from interpreter.play.engine.scripted import Script
from interpreter.play.inputs.value_codec import encode
from interpreter.play.wording.wording import Wording
from interpreter.players.planning.priors import Priors, likeliest

Put = Callable[[Any, str, Any], None]
Pick = Callable[[Sequence[int], int], int]


class Used:
    """How many of the scripted answers for each address are used up; part of the state like any other value."""

    __slots__ = ("a_used",)

    def __init__(self) -> None:
        self.a_used: tuple[tuple[str, int], ...] = ()


class Answers:
    """The answers of one situation in the game of a core.

    `pick` branches where the policy is `uniform`, `put` counts the used ones. `book` has the standing orders,
    and `call` is the call that runs.
    """

    def __init__(
        self,
        situation: Situation,
        wording: Wording,
        used: Used,
        pick: Pick,
        put: Put,
        core: Core,
        book: OrderBook,
        call: RunningCall,
    ) -> None:
        self._situation, self._wording, self._used, self._pick, self._put = situation, wording, used, pick, put
        self._core, self._priors = core, Priors(core)
        self._book, self._call = book, call
        known: list[Any] = [situation.default, situation.policies]
        if book:
            known += [book.text, call.rule.name, [encode(each) for each in call.arguments]]
        self.text = json.dumps(known, sort_keys=True, default=str)
        """Everything the answers depend on, as text: equal texts give equal answers."""

    def result(self, generator: Generator[Any, Any, Any]) -> Any:
        """Runs a rule that asks, and answers its questions; returns its result.

        As in a game, the limit of work holds between two questions.
        """
        answer, scripts = None, dict[int, Any]()
        try:
            while True:
                ask = generator.send(answer)
                self._core.begin_query()
                options = ask[2]() if callable(ask[2]) else ask[2]
                if not options:
                    raise no_options(ask[0])
                answer = options[0] if len(options) == 1 else options[self._choice(ask, options, scripts)]
        except StopIteration as done:
            return done.value

    def _choice(self, ask: tuple[Any, ...], options: Sequence[Any], scripts: dict[int, Any]) -> int:
        decision = Decision(ask, tuple(options), self._wording)
        left: Sequence[int] = range(len(options))
        policy = self._situation.policies.get(decision.address)
        if policy is None:
            left, ordered = self._book.narrowed(decision, self._call) if self._book else (left, None)
            policy = ordered or self._situation.default
        if isinstance(policy, list):
            return self._scripted(decision, policy, scripts)
        if policy not in POLICIES:
            return decision.index_of(policy)
        return chosen_by(policy, decision, left, self._priors, self._pick)

    def _scripted(self, decision: Decision, answers: list[Any], scripts: dict[int, Any]) -> int:
        """The next of the scripted answers for an address; all picks of one decision use one answer."""
        picks = decision.live_picks
        if picks is None or id(picks) not in scripts:
            used = dict(self._used.a_used)
            number = used.get(decision.address, 0)
            used[decision.address] = number + 1
            self._put(self._used, "a_used", tuple(sorted(used.items())))
            scripts[id(picks)] = (picks, Script({decision.address: answers[number:]}))
        position: int = scripts[id(picks)][1].index_for(decision)
        return position


def chosen_by(policy: str, decision: Decision, left: Sequence[int], priors: Priors, pick: Pick) -> int:
    """Returns the position of the option that a policy chooses among those that are left."""
    if policy == UNIFORM:
        return left[pick([1] * len(left), len(left))]
    if policy == LIKELIEST:
        weights = priors.weights(decision)
        return left[likeliest([weights[each] for each in left])]
    return left[0] if policy == "first" else left[-1]
