"""Search for the best plan from a decision on; a plan is kept while the game follows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from interpreter.play.engine.decision import Decision
from interpreter.play.engine.marks import Mark
from interpreter.play.game import Game
from interpreter.play.inputs.inputs import ANSWER, SINGLE, is_answer_of
from interpreter.players.planning.evaluation import Evaluator
from interpreter.players.planning.held_answers import ShownAnswers
from interpreter.players.planning.horizon import Horizon
from interpreter.players.planning.mast import MoveAverages
from interpreter.players.planning.priors import weighted_index
from interpreter.players.planning.rollouts import (
    Answer,
    Continuation,
    Plan,
    PlannedAnswer,
    Rollouts,
    position_of,
    variant,
)
from interpreter.players.planning.untraced_twin import UntracedTwin

TRIALS_PER_SAMPLE = 6
"""After this number of trials, one more dice seed is required of the best plan."""
MIN_SAMPLES = 2
"""A plan that involves chance is compared under at least this number of dice seeds before it is dropped."""
MAX_SAMPLES = 12
"""A plan is played under at most this number of dice seeds."""

CanContinue = Callable[[int], bool]
"""Whether another trial is allowed after this number of trials."""


class Planner:
    """Searches for the best plan of each option, and takes the option whose plan is the best of all.

    Plans are improved by variants. A variant replaces a plan if it does better under the same dice seeds; the best plan
    so far is played under more seeds as the search continues. The rest of the chosen plan is tried first at the seat's
    next decision.
    """

    def __init__(self, seat: str, random: Random, averages: MoveAverages | None = None) -> None:
        self._evaluator = Evaluator(seat)
        self._random = random
        self._averages = averages or MoveAverages()
        self._twin = UntracedTwin()
        self._shown = ShownAnswers()
        self._plans: list[Plan] = []
        """The best plan of each option tried so far; the option is the plan's first answer."""
        self._chosen: Plan | None = None
        self._rollouts: Rollouts
        self._priors: list[float] = []
        """The weights of the options of the decision."""
        self._stream = ""
        self._mark: Mark | None = None
        self._horizon: Horizon | None = None
        self._can_continue: CanContinue
        self.trials = 0
        """The number of trials at the last decision."""
        self.is_as_planned = False
        """Whether the game had followed the chosen plan at the last decision."""

    @property
    def plans(self) -> list[Plan]:
        """The best plan of each option tried, the best first."""
        return sorted(self._plans, key=self._value_key, reverse=True)

    def propose(self, answers: list[Answer]) -> None:
        """Gives a plan with which the next search begins."""
        self._chosen = Plan([answers[0], *answers], [], [])

    def adopt(self, plan: Plan) -> None:
        """Takes a plan for the one that was chosen at the last decision."""
        self._chosen = plan

    def adopt_foreign(self, plan: Plan) -> None:
        """Takes a plan of another planner for the one that was chosen: its values were found under other samples."""
        self._chosen, self._mark = plan, None

    def play(self, answers: Sequence[PlannedAnswer], sample: int, then: Continuation) -> Plan:
        """Plays a plan from the last decision under a dice seed, and on from its horizon by `then`."""
        self.trials += 1
        return self._rollouts.play(answers, sample, self._pick, stepwise=False, then=then)

    def choose(self, game: Game, can_continue: CanContinue, can_continue_as_planned: CanContinue | None = None) -> int:
        """Returns the position of the option with which the best plan begins; a random one if no trial is allowed.

        `can_continue_as_planned` limits the search instead while the game follows the plan chosen before.
        """
        game = self._twin.of(game)
        decision = game.decision
        assert decision is not None
        self.trials, self._can_continue = 0, can_continue
        self.is_as_planned = self._begin_search(game)
        if self.is_as_planned and can_continue_as_planned is not None:
            self._can_continue = can_continue = can_continue_as_planned
        for option in self._untried(decision):
            if can_continue(self.trials):
                self._try([option])
        while self._plans and can_continue(self.trials):
            if not self._resample_best():
                self._try(variant(self._plan_to_improve().answers, self._random.random))
        self._mark, self._horizon = game.mark(), Horizon(game)
        self._chosen = max(self._plans, key=self._value_key, default=None)
        if self._chosen is None:
            return int(self._random.random() * len(decision.options))
        return self._chosen.answers[0][2]

    # ------------------------------------------------------------ from decision to decision
    def _begin_search(self, game: Game) -> bool:
        """Begins at a new decision, with the rest of the chosen plan if its next answer is possible.

        Returns whether the game has followed the plan. If nothing but the seat's own answers happened since, the values
        of the plan still hold.
        """
        decision, chosen = game.decision, self._chosen
        assert decision is not None
        rest = [] if chosen is None else chosen.answers[max(1, self._answers_since(game)) :]
        at = position_of(rest[0], decision) if rest else None
        is_as_planned = at is not None and self._has_only_own_answers(game)
        if not is_as_planned:
            self._stream = str(self._random.getrandbits(48))
        self._rollouts = Rollouts(game, self._evaluator, self._stream, self._shown)
        self._priors = self._rollouts.root_priors()
        self._plans = []
        if at is not None and chosen is not None:
            rest[0] = (*rest[0][:2], at)
            if is_as_planned:
                self._plans.append(Plan(rest, chosen.values, chosen.step_values[-len(rest) - 1 :]))
            elif self._can_continue(0):
                self._plans.append(self._play(rest, 0))
        return is_as_planned

    def _answers_since(self, game: Game) -> int:
        """Returns the number of answers of the seat since its last search; single options are not searched."""
        mark, inputs = self._mark, game.inputs.items
        if mark is None or not mark.is_on(inputs):
            return 0
        return sum(is_answer_of(each, self._evaluator.seat) for each in inputs[mark.inputs :])

    def _has_only_own_answers(self, game: Game) -> bool:
        """Whether only the seat itself has answered since its last decision, before the same horizon."""
        mark, horizon, inputs = self._mark, self._horizon, game.inputs.items
        if mark is None or horizon is None or not mark.is_on(inputs) or horizon.is_passed(game):
            return False
        return all(each[0] in (ANSWER, SINGLE) and each[3] == self._evaluator.seat for each in inputs[mark.inputs :])

    def _untried(self, decision: Decision) -> list[int]:
        tried = {each.answers[0][2] for each in self._plans}
        options = [each for each in range(len(decision.options)) if each not in tried and self._priors[each]]
        self._random.shuffle(options)
        return options

    # ------------------------------------------------------------ plans
    def _plan_to_improve(self) -> Plan:
        """Returns the plan to vary next: half of the time the best one, else one drawn by the prior of its option."""
        draw = self._random.random
        if draw() < 0.5:
            return max(self._plans, key=self._value_key)
        return self._plans[weighted_index([self._priors[each.answers[0][2]] for each in self._plans], draw)]

    def _try(self, answers: Sequence[PlannedAnswer]) -> None:
        """Plays a plan, and if its best position came before its end, also the plan truncated there."""
        tried = self._play(answers, 0)
        self._compare(tried)
        if (truncated := tried.truncated()) is not None and self._can_continue(self.trials):
            self._compare(self._play(truncated, 0))

    def _resample_best(self) -> bool:
        """Plays the best plan under one more dice seed if it has too few samples; returns whether it had."""
        best = max(self._plans, key=self._value_key)
        required = min(MAX_SAMPLES, 1 + self.trials // TRIALS_PER_SAMPLE)
        if best.has_samples(required):
            return False
        self._sample(best, len(best.values) + 1)
        return True

    def _best_of_option(self, plan: Plan) -> Plan:
        """Returns the best known plan with the same first answer; the plan itself if there is none."""
        return next((each for each in self._plans if each.answers[0][2] == plan.answers[0][2]), plan)

    def _compare(self, challenger: Plan) -> None:
        """Replaces the best plan of the same option if the challenger does better, or as well with fewer answers."""
        best = self._best_of_option(challenger)
        if best is challenger:
            self._plans.append(challenger)
            return
        certain = best.certain and challenger.certain
        required = 1 if certain else min(len(best.values) + 1, MAX_SAMPLES)
        minimum = 1 if certain else MIN_SAMPLES
        samples = 1
        while samples < (required if _is_better(challenger, best, samples) else minimum) and self._can_continue(
            self.trials
        ):
            samples += 1
            self._sample(challenger, samples)
            self._sample(best, samples)
        if samples >= required and _is_better(challenger, best, samples):
            self._plans[self._plans.index(best)] = challenger

    def _sample(self, plan: Plan, samples: int) -> None:
        """Plays a plan until it has this number of samples."""
        while not plan.has_samples(samples):
            self.trials += 1
            plan.values += self._rollouts.play(plan.answers, len(plan.values), self._pick, stepwise=False).values

    def _play(self, answers: Sequence[PlannedAnswer], sample: int) -> Plan:
        self.trials += 1
        plan = self._rollouts.play(answers, sample, self._pick)
        self._averages.update(plan)
        return plan

    def _value_key(self, plan: Plan) -> tuple[float, int, float]:
        """The sort key of plans: the mean value, then fewer answers, then the prior of the option."""
        return sum(plan.values) / len(plan.values), -len(plan.answers), self._priors[plan.answers[0][2]]

    def _pick(self, decision: Decision) -> int:
        return self._averages.sample(decision, self._rollouts.priors.weights(decision), self._random.random)


def _is_better(challenger: Plan, best: Plan, samples: int) -> bool:
    """Whether a plan has a higher value under the first dice seeds, or an equal one with fewer answers."""
    lead = challenger.total(samples) - best.total(samples)
    return lead > 0 or (not lead and len(challenger.answers) < len(best.answers))
