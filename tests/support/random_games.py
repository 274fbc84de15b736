"""Games of random players through the public interface, which bulk play must equal."""

from __future__ import annotations

from typing import Any

from interpreter import Game
from interpreter.play.engine.bulk import SimulatedGame, random_index, random_stream


def played_at_random(source: Any, seed: int) -> SimulatedGame:
    """Returns a game in which all seats choose at random, each by a stream of its own."""
    game = Game(source, seed)
    streams = {seat: random_stream(seed, seat) for seat in game.seats}
    decisions = 0
    while game.decision is not None:
        game.choose_index(random_index(streams[game.decision.seat], len(game.decision.options)))
        decisions += 1
    return SimulatedGame(game.result, game.hash(), decisions)
