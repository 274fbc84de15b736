"""Queries from outside take nothing of the work budget of the rules."""

from __future__ import annotations

import pytest

from interpreter import Game, load_scenario
from interpreter.language.diagnostics import RuleFault
from interpreter.players.planning.evaluation import Evaluator


@pytest.fixture
def game() -> Game:
    """A game with a small budget between two decisions."""
    made = Game(load_scenario("fin_napoleon/campaign"), 3)
    made.core.budget.limit = 400
    return made


def _evaluate_often(game: Game) -> None:
    for _ in range(200):
        game.core.world.clear_memos()
        Evaluator("french").value(game)


def test_each_query_has_its_own_budget(game: Game) -> None:
    """Each query has its own budget, and the next decision still has its full budget."""
    before = game.hash()
    _evaluate_often(game)
    assert game.hash() == before
    game.choose_index(0)
    assert game.decision is not None


def test_game_goes_on_after_a_query_over_the_limit(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same work without new queries reaches the limit; the game can be queried and played after that."""
    with monkeypatch.context() as patched:
        patched.setattr(type(game.core), "begin_query", lambda _core: None)
        with pytest.raises(RuleFault, match="more than 400 steps of work without a decision"):
            _evaluate_often(game)
    before = game.hash()
    Evaluator("french").value(game)
    game.choose_index(0)
    assert game.decision is not None
    assert game.hash() != before
