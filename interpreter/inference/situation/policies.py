"""Answers the decisions of a situation by the policies and scripted answers under its `decisions`."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from typing import Any

from interpreter.inference.situation.situation import LIKELIEST, UNIFORM, Situation
from interpreter.play.engine.core import Core
from interpreter.play.engine.decision import Decision, no_options
from interpreter.play.engine.scripted import Script
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

    `pick` branches where the policy is `uniform`, `put` counts the used ones.
    """

    def __init__(self, situation: Situation, wording: Wording, used: Used, pick: Pick, put: Put, core: Core) -> None:
        self._situation, self._wording, self._used, self._pick, self._put = situation, wording, used, pick, put
        self._priors = Priors(core)
        self.text = json.dumps([situation.default, situation.policies], sort_keys=True, default=str)
        """Everything the answers depend on, as text: equal texts give equal answers."""

    def result(self, generator: Generator[Any, Any, Any]) -> Any:
        """Runs a rule that asks, and answers its questions; returns its result."""
        answer, scripts = None, dict[int, Any]()
        try:
            while True:
                ask = generator.send(answer)
                options = ask[2]() if callable(ask[2]) else ask[2]
                if not options:
                    raise no_options(ask[0])
                answer = options[0] if len(options) == 1 else options[self._choice(ask, options, scripts)]
        except StopIteration as done:
            return done.value

    def _choice(self, ask: tuple[Any, ...], options: Sequence[Any], scripts: dict[int, Any]) -> int:
        policy = self._situation.policies.get(ask[0].address, self._situation.default)
        if policy == UNIFORM:
            return self._pick([1] * len(options), len(options))
        if policy in ("first", "last"):
            return 0 if policy == "first" else len(options) - 1
        decision = Decision(ask, tuple(options), self._wording)
        if policy == LIKELIEST:
            return likeliest(self._priors.weights(decision))
        return self._scripted(decision, policy, scripts) if isinstance(policy, list) else decision.index_of(policy)

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
