"""How what is asked in a situation is answered: by the policies and the answers that stand under its `decisions`."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from typing import Any

from interpreter.inference.situation.situation import Situation
from interpreter.play.engine.decision import Decision, no_options
from interpreter.play.engine.scripted import Script
from interpreter.play.wording.wording import Wording

Put = Callable[[Any, str, Any], None]
Pick = Callable[[Sequence[int], int], int]


class Used:
    """How many of the answers given for each address are used up: a value of the state like any other."""

    __slots__ = ("a_used",)

    def __init__(self) -> None:
        self.a_used: tuple[tuple[str, int], ...] = ()


class Answers:
    """The answers of one situation; `pick` parts the course where any answer will do, `put` counts those used up."""

    def __init__(self, given: Situation, wording: Wording, used: Used, pick: Pick, put: Put) -> None:
        self._given, self._wording, self._used, self._pick, self._put = given, wording, used, pick, put
        self.text = json.dumps([given.default, given.policies], sort_keys=True, default=str)
        """All that the answers hang on: where it is the same, the same is answered."""

    def result(self, generator: Generator[Any, Any, Any]) -> Any:
        """The result of a rule that asks, with all that it asks answered."""
        answer, told = None, dict[int, Any]()
        try:
            while True:
                ask = generator.send(answer)
                options = ask[2]() if callable(ask[2]) else ask[2]
                if not options:
                    raise no_options(ask[0])
                answer = options[0] if len(options) == 1 else options[self._choice(ask, options, told)]
        except StopIteration as done:
            return done.value

    def _choice(self, ask: tuple[Any, ...], options: Sequence[Any], told: dict[int, Any]) -> int:
        policy = self._given.policies.get(ask[0].address, self._given.default)
        if policy == "any":
            return self._pick([1] * len(options), len(options))
        if policy in ("first", "last"):
            return 0 if policy == "first" else len(options) - 1
        decision = Decision(ask, tuple(options), self._wording)
        return self._scripted(decision, policy, told) if isinstance(policy, list) else decision.position(policy)

    def _scripted(self, decision: Decision, answers: list[Any], told: dict[int, Any]) -> int:
        """The next of the answers given for an address; all picks of one decision belong to one answer."""
        course = decision.course
        if course is None or id(course) not in told:
            used = dict(self._used.a_used)
            number = used.get(decision.address, 0)
            used[decision.address] = number + 1
            self._put(self._used, "a_used", tuple(sorted(used.items())))
            told[id(course)] = (course, Script({decision.address: answers[number:]}))
        position: int = told[id(course)][1].position(decision)
        return position
