"""Look-ahead in a traced game costs no more than in an untraced one, and makes the same choices."""

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


@settings(max_examples=10)
@given(st.sampled_from(SCENARIOS), st.integers(0, 50), st.integers(1, 25), st.integers(0, 3))
def test_traced_game_equals_untraced(name: str, seed: int, decisions: int, undone: int) -> None:
    """Players give the same answers in a traced and an untraced game, also after undo."""
    games = [Game(load(name), seed, trace=trace) for trace in (False, True)]
    players = [{seat: GreedyPlayer(seed, seat) for seat in game.seats} for game in games]
    for more in (decisions, 3):
        for game, seated in zip(games, players, strict=True):
            for _ in range(more):
                if game.decision is not None:
                    game.choose_index(seated[game.decision.seat].choose(game))
            for _ in range(undone):
                if any(each[0] == ANSWER for each in game.history):
                    game.undo(agreed=game.seats)
    assert games[0].history == games[1].history
    assert games[0].hash() == games[1].hash()


def test_twin_follows_original() -> None:
    """The twin follows the game from decision to decision without a trace, and is replaced after an undo."""
    game, twin = Game(load(SCENARIOS[0]), 3, trace=True), UntracedTwin()
    first = twin.of(game)
    game.choose_index(0)
    game.choose_index(0)
    assert twin.of(game) is first
    assert (first.hash(), first.history, first.events) == (game.hash(), game.history, [])
    game.undo(agreed=game.seats)
    assert twin.of(game) is not first
    assert twin.of(game).hash() == game.hash()


@pytest.mark.parametrize("traced", [False, True])
def test_look_ahead_in_large_game_stays_within_budget(traced: bool) -> None:
    """Evaluation of a continent-wide position stays within the CPU budget of rules, traced or not."""
    game = Game(load_scenario("nations_in_arms/marengo_1800"), 7, trace=traced)
    assert game.decision is not None
    assert GreedyPlayer(7, game.decision.seat).choose(game) >= 0
