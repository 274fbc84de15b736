"""The random player."""

from __future__ import annotations

from collections import Counter

from matches import CAMPAIGN, load

from interpreter.play.game import Game
from interpreter.players.random import RandomPlayer


def test_seed_and_seat_determine_choices() -> None:
    """Two players with the same seed and seat make the same choices."""
    game = Game(load(CAMPAIGN), 3)
    one, two = RandomPlayer(5, "french"), RandomPlayer(5, "french")
    assert [one.choose(game) for _ in range(40)] == [two.choose(game) for _ in range(40)]


def test_each_seat_and_seed_has_its_own_stream() -> None:
    """Players with different seats or seeds make different choices."""
    game = Game(load("breakthrough/standard"), 0)

    def choices(seed: int, seat: str) -> list[int]:
        player = RandomPlayer(seed, seat)
        return [player.choose(game) for _ in range(30)]

    assert choices(1, "white") != choices(1, "black")
    assert choices(1, "white") != choices(2, "white")


def test_options_are_equally_likely() -> None:
    """In 4,000 choices among 8 options, each is taken about 500 times."""
    game = Game(load("breakthrough/standard"), 0)
    assert game.decision is not None
    player = RandomPlayer(0, game.decision.seat)
    counts = Counter(player.choose(game) for _ in range(4_000))
    assert len(counts) == len(game.decision.options) == 8
    assert 420 < min(counts.values()) <= max(counts.values()) < 580


def test_player_continues_its_stream() -> None:
    """A player that has already answered decisions continues with the next number of its stream."""
    game = Game(load("breakthrough/standard"), 0)
    whole, later = RandomPlayer(9, "white"), RandomPlayer(9, "white", answered=7)
    before = [whole.choose(game) for _ in range(7)]
    assert len(before) == 7
    assert [whole.choose(game) for _ in range(20)] == [later.choose(game) for _ in range(20)]
