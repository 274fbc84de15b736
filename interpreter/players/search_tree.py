"""One of the independent trees of a search: plans, and the turns that answer them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from interpreter.play.game import Game
from interpreter.play.inputs.seeds import derived_seed
from interpreter.players.greedy import trials_of
from interpreter.players.planning.planner import Planner
from interpreter.players.planning.race import Race, RacingPlan
from interpreter.players.planning.rollouts import Plan
from interpreter.players.planning.search_budget import Meter, SearchBudget
from interpreter.players.planning.turn_tree import TurnTree
from interpreter.players.planning.untraced_twin import UntracedTwin

GREEDY_MULTIPLE = 5
"""Plans alone have this number of times the trials of the greedy player, before any goes to a race between them."""
FIRST_FRESH_SAMPLE = 1_000_000
"""The number of the first sample under which the plans of several trees are compared: none of them was chosen by it."""


class SearchTree:
    """Plans to the horizon as the greedy player does, then compares the best plans by the turns that answer them.

    What it has learnt in a game stays with it. Trees of the same seed and seat differ by their `number`.
    """

    def __init__(self, seed: int | str, seat: str, number: int = 0) -> None:
        name = f"search/{seat}/{number}" if number else f"search/{seat}"
        self._random = Random(derived_seed(seed, name))  # noqa: S311 - of a derived seed
        self._planner = Planner(seat, self._random)
        self._twin = UntracedTwin()
        self._meter = Meter(SearchBudget())
        self._metered = 0
        """The trials of the planner that an earlier budget has paid."""
        self._tree = TurnTree(seat, self._random, self._can_continue, self._spend)
        self._winner: Plan | None = None

    def search(self, game: Game, budget: SearchBudget, played: Plan | None = None) -> Plan | None:
        """Returns the best plan found from the decision of a game; none if the budget allows no trial.

        `played` is the plan with which the last decision was answered, if another tree may have found it.
        """
        game = self._twin.of(game)
        assert game.decision is not None
        planner, winner = self._planner, self._winner
        if played is not None and (winner is None or winner.answers[0] != played.answers[0]):
            planner.adopt_foreign(played)
        self._meter, self._metered = Meter(budget), 0
        needed = GREEDY_MULTIPLE * trials_of(game.decision)[0]
        planner.choose(game, lambda trials: self._meter.can_plan(trials, needed))
        self._winner = planner.plans[0] if planner.plans else None
        self._tree.begin(game)
        if self._winner is not None and self._can_continue():
            self._winner = Race(planner, self._tree, self._random, self._can_continue).winner()
            planner.adopt(self._winner)
        return self._winner

    def compare(self, _game: Game, budget: SearchBudget, plans: Sequence[Plan]) -> list[list[float]]:
        """Returns the values of plans from the decision of the last search, each played under the same new samples."""
        self._meter, self._metered = Meter(budget), self._planner.trials
        runners = [RacingPlan(each) for each in plans]
        sample = FIRST_FRESH_SAMPLE
        while self._can_continue():
            for each in runners:
                each.values += self._planner.play(each.plan.answers, sample, each.answered_by(self._tree)).values
            sample += 1
        return [each.values for each in runners]

    def _can_continue(self) -> bool:
        return self._meter.can_continue(self._planner.trials - self._metered)

    def _spend(self, trials: int) -> None:
        self._meter.spend(trials)
