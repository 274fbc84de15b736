"""Players that look ahead play both campaigns from set-up to the verdict, under invariants and by their own inputs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from soaking import load

from interpreter import Game
from interpreter.players.greedy_player import GreedyPlayer
from interpreter.players.player import Player
from interpreter.players.search_player import Budget, SearchPlayer

LIMIT = 3_000
"""Decisions; a game that is sound takes some hundreds."""


def searching(seat: str) -> Player:
    return SearchPlayer(1, seat, Budget(trials=4))


def greedy(seat: str) -> Player:
    return GreedyPlayer(1, seat, trials=1)


@pytest.mark.parametrize("french", [searching, greedy])
@pytest.mark.parametrize("name", ["marengo_1800", "ulm_austerlitz_1805"])
def test_they_come_to_a_verdict(name: str, french: Callable[[str], Player]) -> None:
    """The verdict is the one of the score, one side wins whole or nobody does, and the inputs give the same game."""
    scenario = load(f"nations_in_arms/{name}")
    game = Game(scenario, 1, checked=True)
    others = greedy if french is searching else searching
    players = {seat: (french if seat == "french" else others)(seat) for seat in game.seats}
    for _ in range(LIMIT):
        if game.decision is None:
            break
        game.choose_index(players[game.decision.seat].choose(game))
    assert game.result is not None
    verdict = game.core.names["d_verdict_for"](game.core.names["d_score"]())
    assert game.result.reason == verdict.a_degree.id
    assert set(game.result.winners) in ({"french"}, {"austrian"}, {"austrian", "russian"}, set())
    assert ("french" in game.result.winners) == (verdict.a_winner is not None and verdict.a_winner.id == "empire")
    assert Game(scenario, 1, inputs=game.history).hash() == game.hash()
