"""The player that looks ahead to the end of the step."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matches import CAMPAIGN, SCENARIOS, SOAK, against_random, at, fingerprint, greedy, load

from interpreter.play.game import Game
from interpreter.players.greedy import GreedyPlayer


@pytest.mark.soak
@pytest.mark.parametrize(("side", "share"), [("french", 0.8), ("allied", 0.9)])
def test_greedy_player_beats_random_player(side: str, share: float) -> None:
    """The greedy player wins its share of games; a random player in the French seat wins one in five hundred."""
    games = 30 if SOAK else 3
    score = against_random(load(CAMPAIGN), side, greedy, range(1_000, 1_000 + games))
    assert score.won >= share * games - (not SOAK), score


@settings(max_examples=25)
@given(st.sampled_from(SCENARIOS), st.integers(0, 50), st.integers(0, 60), st.booleans())
def test_look_ahead_leaves_game_unchanged(name: str, seed: int, decisions: int, trace: bool) -> None:
    """A choice changes neither hash, log, inputs, dice nor decision of a game, traced or not."""
    game = at(load(name), seed, decisions, trace=trace)
    assert game.decision is not None
    before = fingerprint(game)
    chosen = GreedyPlayer(seed, game.decision.seat).choose(game)
    assert fingerprint(game) == before
    assert 0 <= chosen < len(game.decision.options)


def test_seed_determines_choices() -> None:
    """Choices depend on seed, seat and game alone."""
    game = Game(load(CAMPAIGN), 4)
    assert game.decision is not None
    seat = game.decision.seat
    found = {tuple(player.choose(game) for _ in range(5)) for player in (GreedyPlayer(1, seat), GreedyPlayer(1, seat))}
    assert len(found) == 1
