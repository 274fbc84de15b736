"""The player that spends a budget on trying its options out, most of it on those that do well."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from random import Random
from time import perf_counter

from interpreter.play.game import Game
from interpreter.players.judging import Judge

EXPLORATION = 0.7
STEPS = 1


@dataclass(frozen=True, slots=True)
class Budget:
    """What a decision may cost: a number of trials (the same choice on every machine), a time, or both.

    Without either, the player chooses at random.
    """

    trials: int | None = None
    seconds: float | None = None

    def left(self, trials: int, until: float) -> float:
        """How many trials are left after so many; any number while only the time is bounded."""
        if self.seconds is not None and perf_counter() >= until:
            return 0
        if self.trials is None:
            return 0 if self.seconds is None else float("inf")
        return self.trials - trials


@dataclass(slots=True)
class _Arm:
    """One option and what has come of it so far."""

    option: int
    tries: int = 0
    total: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.tries


class SearchPlayer:
    """A rollout search: a bandit over the options, each trial a random course of a few steps, valued at its end.

    Values are scaled to what the trials of this decision have shown, so that any evaluation will do. The trials of
    all options meet the same dice in the same order, and the search stops once nothing can overtake the best.
    """

    def __init__(self, seed: int | str, seat: str, budget: Budget | None = None, steps: int = STEPS) -> None:
        self._random = Random(f"{seed}/{seat}/search")  # noqa: S311 - a player, not a secret
        self._judge = Judge(seat)
        self._budget = budget or Budget(seconds=0.05)
        self._steps = steps

    def choose(self, game: Game) -> int:
        """The position of the option tried most, by its mean among equals."""
        assert game.decision is not None
        until = perf_counter() + (self._budget.seconds or 0.0)
        arms = [_Arm(option) for option in range(len(game.decision.options))]
        self._random.shuffle(arms)
        course = str(self._random.getrandbits(48))
        trials = 0
        while (left := self._budget.left(trials, until)) > 0 and not _decided(arms, left):
            arm = _next(arms, trials)
            arm.total += self._judge.trial(game, arm.option, self._steps, f"{course}/{arm.tries}")
            arm.tries += 1
            trials += 1
        return max(arms, key=lambda arm: (arm.tries, arm.mean if arm.tries else 0.0)).option


def _decided(arms: list[_Arm], left: float) -> bool:
    """Whether the option tried most stays so, whatever the trials that are left should say."""
    most, second = sorted([each.tries for each in arms], reverse=True)[:2]
    return most - second > left


def _next(arms: list[_Arm], trials: int) -> _Arm:
    """The arm to try next: each once, then by its mean and by how little it was tried."""
    fresh = next((each for each in arms if not each.tries), None)
    if fresh is not None:
        return fresh
    means = [each.mean for each in arms]
    lowest = min(means)
    spread = (max(means) - lowest) or 1.0
    weight = EXPLORATION * sqrt(log(trials))
    return max(arms, key=lambda arm: (arm.mean - lowest) / spread + weight / sqrt(arm.tries))
