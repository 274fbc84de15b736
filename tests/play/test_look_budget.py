"""Whoever looks at a game takes nothing of the time that its rules have between two decisions."""

from __future__ import annotations

import pytest

from interpreter import Game, load_scenario
from interpreter.players.planning.evaluation import Evaluator


@pytest.fixture
def game() -> Game:
    """A game whose rules may do little between two decisions."""
    made = Game(load_scenario("fin_napoleon/campaign"), 3)
    made.core.budget.limit = 400
    return made


def _judge_often(game: Game) -> None:
    for _ in range(200):
        game.core.world.clear_memos()
        Evaluator("french").value(game)


def test_looking_often_is_no_long_work(game: Game) -> None:
    """Each look has a time of its own, however many there are at one decision; the next decision has all of its."""
    before = game.hash()
    _judge_often(game)
    assert game.hash() == before
    game.choose_index(0)
    assert game.decision is not None


def test_work_without_a_look_adds_up(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same rules, run as often by one rule, come to the limit."""
    monkeypatch.setattr(type(game.core), "look", lambda _core: None)
    with pytest.raises(Exception, match="more than 400 steps of work without a decision"):
        _judge_often(game)
