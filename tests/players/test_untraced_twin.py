"""Looking ahead in a game that is told takes no longer, and comes to the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matches import SCENARIOS, load

from interpreter.play.game import Game
from interpreter.play.inputs.inputs import ANSWER
from interpreter.players.greedy import GreedyPlayer
from interpreter.players.planning.untraced_twin import UntracedTwin
from interpreter.rules.loading.load import load_scenario


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(SCENARIOS), st.integers(0, 50), st.integers(1, 25), st.integers(0, 3))
def test_a_told_game_is_played_as_one_that_is_not(name: str, seed: int, decisions: int, taken_back: int) -> None:
    """The same answers, also after some were taken back and given again."""
    games = [Game(load(name), seed, trace=trace) for trace in (False, True)]
    players = [{seat: GreedyPlayer(seed, seat) for seat in game.seats} for game in games]
    for more in (decisions, 3):
        for game, seated in zip(games, players, strict=True):
            for _ in range(more):
                if game.decision is not None:
                    game.choose_index(seated[game.decision.seat].choose(game))
            for _ in range(taken_back):
                if any(each[0] == ANSWER for each in game.history):
                    game.undo(agreed=game.seats)
    assert games[0].history == games[1].history
    assert games[0].hash() == games[1].hash()


def test_the_game_beside_stands_where_the_first_one_stands() -> None:
    """It is the same one from decision to decision, a new one after something was taken back, and tells nothing."""
    game, beside = Game(load(SCENARIOS[0]), 3, trace=True), UntracedTwin()
    first = beside.of(game)
    game.choose_index(0)
    game.choose_index(0)
    assert beside.of(game) is first
    assert (first.hash(), first.history, first.events) == (game.hash(), game.history, [])
    game.undo(agreed=game.seats)
    assert beside.of(game) is not first
    assert beside.of(game).hash() == game.hash()


@pytest.mark.parametrize("told", [False, True])
def test_a_large_game_is_told_within_the_time_of_its_rules(told: bool) -> None:
    """What a position of a whole continent is worth is found out fast enough to look ahead, told or not."""
    game = Game(load_scenario("nations_in_arms/marengo_1800"), 7, trace=told)
    assert game.decision is not None
    assert GreedyPlayer(7, game.decision.seat).choose(game) >= 0
