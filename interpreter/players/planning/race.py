"""A race between plans: each is played under the same samples, and the first is left only with evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random

from interpreter.players.planning.planner import Planner
from interpreter.players.planning.rollouts import Answer, Continuation, Plan, PlannedAnswer, variant
from interpreter.players.planning.turn_tree import TurnNode, TurnTree

MIN_SAMPLES = 6
"""A plan has to be played under this number of samples before it can become the incumbent."""
EVIDENCE = 1.3
"""A plan becomes the incumbent if its mean difference to the incumbent is above this number of standard errors."""
DOUBT = 0.7
"""A plan is dropped if its mean difference to the incumbent is below 0 by this number of standard errors."""
SAMPLES_BEFORE_DROP = 4
"""A plan is played under at least this number of samples."""
MAX_RUNNERS = 4
"""The number of plans that race at the same time, the incumbent included."""
WIDENING = 0.8
"""After n trials, this number times the root of n plans may have entered the race, and two more."""


@dataclass(slots=True)
class RacingPlan:
    """A plan in the race, with its values under the first samples and the turns that answer it."""

    plan: Plan
    values: list[float] = field(default_factory=list)
    node: TurnNode = field(default_factory=TurnNode)

    def answered_by(self, tree: TurnTree) -> Continuation:
        """Returns the continuation that plays the turns of a tree that answer the plan."""
        return lambda game, draw: tree.value(game, draw, self.node)

    def lead_over(self, other: RacingPlan) -> tuple[float, float]:
        """Returns the mean difference to another under the samples of both, and its standard error."""
        differences = [one - two for one, two in zip(self.values, other.values, strict=False)]
        count = len(differences)
        mean = sum(differences) / count
        square = sum((each - mean) ** 2 for each in differences)
        return mean, sqrt(square / (max(count - 1, 1) * count))


class Race:
    """Compares the plans of a planner by the values that they have after the turns that answer them."""

    def __init__(self, planner: Planner, tree: TurnTree, random: Random, can_continue: Callable[[], bool]) -> None:
        self._planner, self._tree, self._random = planner, tree, random
        self._can_continue = can_continue
        first, *queue = planner.plans
        self._incumbent = RacingPlan(first)
        self._runners = [self._incumbent]
        self._queue: list[Plan] = queue
        self._entered: list[Sequence[Answer]] = [first.answers]
        self._trials = 0

    def winner(self) -> Plan:
        """Runs until the budget is spent, and returns the incumbent."""
        while self._can_continue():
            self._let_enter()
            self._run(min(self._runners, key=lambda each: len(each.values)))
        return self._incumbent.plan

    def _let_enter(self) -> None:
        """Lets the next plan enter if there is room: the best of each other option, then variants of the incumbent."""
        if len(self._runners) >= MAX_RUNNERS or len(self._entered) >= 2 + WIDENING * sqrt(self._trials):
            return
        if self._queue:
            plan = self._queue.pop(0)
            self._entered.append(plan.answers)
            self._runners.append(RacingPlan(plan))
            return
        answers = self._incumbent.plan.answers
        runner = RacingPlan(Plan([], [], []))
        runner.plan = self._played(runner, variant(answers, self._random.random))
        if all(runner.plan.answers != each for each in self._entered):
            self._entered.append(runner.plan.answers)
            self._runners.append(runner)

    def _run(self, runner: RacingPlan) -> None:
        self._played(runner, runner.plan.answers)
        incumbent = self._incumbent
        if runner is incumbent or len(runner.values) < SAMPLES_BEFORE_DROP:
            return
        lead, error = runner.lead_over(incumbent)
        if lead < -DOUBT * error or (not lead and not error):
            self._runners.remove(runner)
        elif lead > EVIDENCE * error and len(runner.values) >= max(MIN_SAMPLES, len(incumbent.values) // 2):
            self._incumbent = runner

    def _played(self, runner: RacingPlan, answers: Sequence[PlannedAnswer]) -> Plan:
        """Plays answers of a runner under its next sample."""
        self._trials += 1
        plan = self._planner.play(answers, len(runner.values), runner.answered_by(self._tree))
        runner.values.append(plan.values[0])
        return plan
