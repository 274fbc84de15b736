"""What kinds of answers have done well so far, so that courses are made up of such answers more often."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from interpreter.play.answers import encode
from interpreter.play.decisions import Decision
from interpreter.players.courses import Answer
from interpreter.players.hidden import Draw

TEMPER = 0.15
"""How much of an advantage makes an answer e times as likely."""
KEPT = 0.995
"""What is learned fades at this rate, so that it fits where the game has come to."""
TEDIUM = 0.05
"""What every answer costs: of courses as good as one another the shorter are the better examples."""


class Habits:
    """For every answer to a question, wherever it was given: how much better courses with it did than others."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, object], list[float]] = {}

    def any(self, decision: Decision, draw: Draw) -> int:
        """An option drawn at random, the likelier the better such answers did."""
        site = decision.site.number
        weights = [self._weight(site, encode(each)) for each in decision.options]
        at = draw() * sum(weights)
        for number, weight in enumerate(weights):
            at -= weight
            if at < 0:
                return number
        return len(weights) - 1

    def learn(self, answers: Sequence[Answer], advantage: float) -> None:
        """Notes how much better than others, from -1 to 1, a course with these answers did."""
        advantage -= TEDIUM * len(answers)
        for site, answer, _ in answers:
            known = self._known.setdefault((site, answer), [0.0, 0.0])
            known[0] = known[0] * KEPT + advantage
            known[1] = known[1] * KEPT + 1

    def _weight(self, site: int, answer: object) -> float:
        known = self._known.get((site, answer))
        return 1.0 if known is None else exp(known[0] / known[1] / TEMPER)


class Scale:
    """How the worths of one decision's courses compare."""

    def __init__(self) -> None:
        self._seen = 0
        self._mean = 0.0
        self._spread = 0.0

    def advantage(self, worth: float) -> float:
        """How much better than those before a worth is, from -1 to 1; it is one of them from now on."""
        self._seen += 1
        away = worth - self._mean if self._seen > 1 else 0.0
        self._mean += (worth - self._mean) / self._seen
        self._spread += (abs(away) - self._spread) / self._seen
        return max(-1.0, min(1.0, away / (2 * self._spread))) if self._spread else 0.0
