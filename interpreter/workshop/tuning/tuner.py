"""Self-play tuning by SPSA: simultaneous perturbation stochastic approximation of the best weights.

In each round all weights are changed at once, by a random sign each. The weights changed so play a pair of games
against those changed by the opposite signs, with sides changed, and all weights move towards the better ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

from interpreter.play.inputs.seeds import derived_seed

STEP, STEP_DELAY, STEP_DECAY = 0.4, 10, 0.602
"""The gain of round k is STEP / (k + 1 + STEP_DELAY) ** STEP_DECAY, as Spall recommends."""
CHANGE, CHANGE_DECAY = 0.35, 0.101
"""The logarithm of a weight is changed by CHANGE / (k + 1) ** CHANGE_DECAY in round k."""
MAX_LOGARITHM = 1.6
"""A weight stays between a fifth and five times its first value."""


class Tuner:
    """The logarithms of the factors by which weights have been changed, and the rounds that change them."""

    def __init__(self, weights: Sequence[int], seed: str) -> None:
        self._weights, self._seed = weights, seed
        self._logarithms = [0.0] * len(weights)
        self.rounds = 0

    def values(self) -> list[int]:
        """Returns the present weights."""
        return self._rounded(self._logarithms)

    def seed(self) -> str:
        """Returns the seed of the games of the next round."""
        return str(derived_seed(self._seed, f"round/{self.rounds}"))

    def candidates(self) -> tuple[list[int], list[int]]:
        """Returns the two sets of weights that play against each other in the next round."""
        change, signs = self._change(), self._signs()
        pairs = list(zip(self._logarithms, signs, strict=True))
        return (
            self._rounded([each + change * sign for each, sign in pairs]),
            self._rounded([each - change * sign for each, sign in pairs]),
        )

    def learn(self, score: float) -> None:
        """Ends a round: `score` is the mean result of the first candidate, from -1 to 1."""
        gain = STEP / (self.rounds + 1 + STEP_DELAY) ** STEP_DECAY
        step = gain * score / (2 * self._change())
        self._logarithms = [
            max(-MAX_LOGARITHM, min(MAX_LOGARITHM, each + step * sign))
            for each, sign in zip(self._logarithms, self._signs(), strict=True)
        ]
        self.rounds += 1

    def _change(self) -> float:
        return CHANGE / float((self.rounds + 1) ** CHANGE_DECAY)

    def _signs(self) -> list[int]:
        draw = Random(derived_seed(self._seed, f"signs/{self.rounds}")).random  # noqa: S311 - no secret
        return [1 if draw() < 0.5 else -1 for _ in self._weights]

    def _rounded(self, logarithms: Sequence[float]) -> list[int]:
        return [max(1, round(each * exp(log))) for each, log in zip(self._weights, logarithms, strict=True)]
