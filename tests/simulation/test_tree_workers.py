"""Search with several trees, in this process and with the help of worker processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from interpreter.language.diagnostics import BicorneError
from interpreter.play.engine.source import source_of
from interpreter.play.game import Game
from interpreter.players.planning.search_budget import SearchBudget
from interpreter.players.search import MAX_TREES, TRIALS_PER_TREE, SearchPlayer, trees_of_trials
from interpreter.rules.loading.load import load_scenario
from interpreter.simulation.tree_workers import TreeWorker, tree_workers

CAMPAIGN = "fin_napoleon/campaign"
TRIALS = 2 * TRIALS_PER_TREE
SEED = 4


@pytest.fixture(scope="module")
def game() -> Game:
    return Game(source_of(load_scenario(CAMPAIGN)), SEED)


@pytest.fixture
def helpers(game: Game) -> Iterator[list[TreeWorker]]:
    with tree_workers(game.source, 1) as started:
        yield started


def answers(game: Game, helpers: Any, count: int, trials: int = TRIALS) -> list[int]:
    """Returns the answers of a search player to its next decisions; the game is as before afterwards."""
    assert game.decision is not None
    seat, begin = game.decision.seat, game.mark()
    player = SearchPlayer(SEED, seat, SearchBudget(trials=trials), helpers)
    given = []
    while len(given) < count:
        assert game.decision is not None
        own = game.decision.seat == seat and len(game.decision.options) > 1
        chosen = player.choose(game) if own else 0
        given += [chosen] * own
        game.choose_index(chosen)
    game.rewind(begin)
    return given


def test_trees_are_divided_by_trials_alone() -> None:
    """Small budgets stay with one tree; the number of trees has a limit."""
    counts = [trees_of_trials(each) for each in (1, TRIALS_PER_TREE, TRIALS, 100 * TRIALS)]
    assert counts == [1, 1, 2, MAX_TREES]


def test_choice_is_the_same_with_any_number_of_helpers(game: Game, helpers: list[TreeWorker]) -> None:
    """A budget of trials gives the same answers with one process and with two, decision after decision."""
    assert answers(game, helpers, 4) == answers(game, (), 4)


def test_helper_follows_a_game_that_went_back(game: Game, helpers: list[TreeWorker]) -> None:
    """Undone inputs are none to a helper either: the same search again gives the same answers."""
    assert answers(game, helpers, 2) == answers(game, helpers, 2)


def test_search_by_time_has_a_tree_for_each_helper_that_is_ready(game: Game) -> None:
    """A budget of seconds waits for nobody: a helper that still loads the rules has no tree."""
    assert game.decision is not None
    begun = []

    class Helper:
        is_ready = False

        def begin(self, _game: Game, tree: Any, task: str, *_given: Any) -> Any:
            begun.append((tree[2], task))
            return lambda: None

    late, ready = Helper(), Helper()
    ready.is_ready = True
    player = SearchPlayer(SEED, game.decision.seat, SearchBudget(seconds=0.01), [late, ready])
    player.choose(game)
    assert begun[0] == (2, "search")
    assert {each for each, _ in begun} == {2}


def test_killed_helper_is_reported(game: Game, helpers: list[TreeWorker]) -> None:
    """A helper that was killed ends the search with an error, and not with a wait without end."""
    answers(game, helpers, 1)
    os.kill(helpers[0].process_id, signal.SIGKILL)
    with pytest.raises(BicorneError, match="a worker process died"):
        answers(game, helpers, 1)


def test_helpers_end_with_their_block_in_the_midst_of_a_search(game: Game) -> None:
    """The block ends a helper that is searching, at once."""
    assert game.decision is not None
    name = (SEED, game.decision.seat, 1)
    with tree_workers(game.source, 1) as started:
        started[0].begin(game, name, "search", SearchBudget(trials=10_000_000))
        process = started[0].process_id
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
