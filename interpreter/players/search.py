"""The player that spends a budget of trials or time on plans and on the turns that answer them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any, Protocol

from interpreter.play.game import Game
from interpreter.play.inputs.seeds import derived_seed
from interpreter.players.planning.rollouts import Plan
from interpreter.players.planning.search_budget import SearchBudget
from interpreter.players.search_tree import SearchTree

TRIALS_PER_TREE = 500
"""A budget of trials is divided among independent trees which have at least this number each."""
MAX_TREES = 4
"""The number of trees among which trials are divided at most: each has to find the best plan by itself."""
SEARCH_SHARE = 0.85
"""The share of the budget in which several trees look for plans; with the rest they compare what each has found."""

TreeName = tuple[int | str, str, int]
"""The seed, the seat and the number of a tree."""


class TreeHelper(Protocol):
    """Another process that runs trees of a search."""

    @property
    def is_ready(self) -> bool:
        """Whether it can begin at once."""

    def begin(self, game: Game, tree: TreeName, task: str, *given: Any) -> Callable[[], Any]:
        """Begins a method of a tree at the position of a game; returns a function that waits for the result."""


class SearchPlayer:
    """Searches with independent trees, and takes the best of their plans (root parallelism).

    The number of trees follows from a budget of trials alone, so that the choice is the same with any number of
    helpers. With a budget of seconds, this process and each helper that is ready have one tree.
    """

    def __init__(
        self,
        seed: int | str,
        seat: str,
        budget: SearchBudget | None = None,
        helpers: Sequence[TreeHelper] = (),
    ) -> None:
        self._seed, self._seat = seed, seat
        self._random = Random(derived_seed(seed, f"search/{seat}/any"))  # noqa: S311 - of a derived seed
        self._budget = budget or SearchBudget(seconds=0.05)
        self._helpers = helpers
        self._trees: dict[int, SearchTree] = {}
        """The trees of this process by number."""
        self._played: Plan | None = None

    def choose(self, game: Game) -> int:
        """Returns the position of the option with which the best plan found begins."""
        assert game.decision is not None
        numbers = self._numbers()
        share = SEARCH_SHARE if len(numbers) > 1 else 1.0
        budget = self._budget.part(share, len(numbers))
        found = self._run(game, numbers, "search", budget, self._played)
        plans = list({each.answers[0]: each for each in reversed(found) if each is not None}.values())[::-1]
        if not plans:
            self._played = None
            return int(self._random.random() * len(game.decision.options))
        self._played = plans[0] if len(plans) == 1 else self._best(game, numbers, plans)
        return self._played.answers[0][2]

    def _numbers(self) -> list[int]:
        """Returns the numbers of the trees of a decision; tree 0 always runs in this process."""
        trials = self._budget.trials
        if trials is not None:
            return list(range(trees_of_trials(trials)))
        return [0, *[number for number, each in enumerate(self._helpers, 1) if each.is_ready]]

    def _best(self, game: Game, numbers: list[int], plans: list[Plan]) -> Plan:
        """Returns the plan of the greatest sum of values under the new samples of all trees."""
        budget = self._budget.part(1 - SEARCH_SHARE, len(numbers))
        values = self._run(game, numbers, "compare", budget, plans)
        totals = [sum(sum(each[at]) for each in values) for at in range(len(plans))]
        return plans[max(range(len(plans)), key=totals.__getitem__)]

    def _run(self, game: Game, numbers: list[int], task: str, *given: Any) -> list[Any]:
        """Returns the results of a method of each tree; helpers run theirs at the same time."""
        waits = [self._begin(game, number, task, *given) for number in numbers]
        return [each() for each in waits]

    def _begin(self, game: Game, number: int, task: str, *given: Any) -> Callable[[], Any]:
        process = number % (len(self._helpers) + 1)
        if process:
            return self._helpers[process - 1].begin(game, (self._seed, self._seat, number), task, *given)
        if number not in self._trees:
            self._trees[number] = SearchTree(self._seed, self._seat, number)
        return partial(getattr(self._trees[number], task), game, *given)


def trees_of_trials(trials: int) -> int:
    """Returns the number of trees among which trials are divided."""
    return max(1, min(MAX_TREES, trials // TRIALS_PER_TREE))
