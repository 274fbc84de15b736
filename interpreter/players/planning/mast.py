"""What kinds of answers have done well so far, so that courses are made up of such answers more often."""

from __future__ import annotations

from math import exp

from interpreter.play.engine.decision import Decision
from interpreter.play.inputs.value_codec import encode
from interpreter.players.planning.priors import Draw, drawn
from interpreter.players.planning.rollouts import Plan

HORIZON = 2
"""What an answer was good for is seen so many answers later: what is to be done is often followed by where."""
LOSS_SCALE = 0.2
"""What an answer did harm counts so much less than what it did good: the best course is taken, and not any."""
DECAY = 0.99
"""What is learned fades at this rate, so that it fits where the game has come to."""
TEMPERATURE = 6.0
"""How much likelier the best answers are than those that change nothing: e to this power."""


class MoveAverages:
    """For every answer to a question, wherever it was given: how much was gained soon after."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, object], list[float]] = {}
        self._usual = 0.0
        """How much is gained or lost where anything is."""

    def any(self, decision: Decision, leanings: list[float], draw: Draw) -> int:
        """An option drawn at random, the likelier the more it is leant to and the more such answers gained."""
        site = decision.site.number
        pairs = zip(decision.options, leanings, strict=True)
        return drawn([leaning and leaning * self._weight(site, encode(each)) for each, leaning in pairs], draw)

    def learn(self, course: Plan) -> None:
        """Notes what each answer of a course has gained."""
        stages = course.stages
        for number, (site, answer, _) in enumerate(course.answers):
            gain = stages[min(number + HORIZON, len(stages) - 1)] - stages[number]
            known = self._known.setdefault((site, answer), [0.0, 0.0])
            known[0] = known[0] * DECAY + (self._scaled(gain) if gain else 0.0)
            known[1] = known[1] * DECAY + 1

    def _scaled(self, gain: float) -> float:
        """A gain or loss against what is usual where there is any, from -1 to 1."""
        self._usual += (min(abs(gain), 3 * (self._usual or abs(gain))) - self._usual) / (20 if self._usual else 1)
        scaled = max(-1.0, min(1.0, gain / self._usual / 2))
        return scaled if scaled > 0 else LOSS_SCALE * scaled

    def _weight(self, site: int, answer: object) -> float:
        known = self._known.get((site, answer))
        return 1.0 if known is None else exp(TEMPERATURE * known[0] / known[1])
