"""The random player."""

from __future__ import annotations

from collections import Counter

from matches import CAMPAIGN, load

from interpreter.play.game import Game
from interpreter.players.random import RandomPlayer


def test_the_same_seed_takes_the_same_options() -> None:
    """Seed and seat fix every choice."""
    game = Game(load(CAMPAIGN), 3)
    one, two = RandomPlayer(5, "french"), RandomPlayer(5, "french")
    assert [one.choose(game) for _ in range(40)] == [two.choose(game) for _ in range(40)]


def test_seats_and_seeds_have_streams_of_their_own() -> None:
    """Another seat, or another seed, takes other options."""
    game = Game(load("breakthrough/standard"), 0)

    def choices(seed: int, seat: str) -> list[int]:
        player = RandomPlayer(seed, seat)
        return [player.choose(game) for _ in range(30)]

    assert choices(1, "white") != choices(1, "black")
    assert choices(1, "white") != choices(2, "white")


def test_every_option_is_as_likely() -> None:
    """In 4,000 choices among 8 options each is taken about 500 times."""
    game = Game(load("breakthrough/standard"), 0)
    assert game.decision is not None
    player = RandomPlayer(0, game.decision.seat)
    counts = Counter(player.choose(game) for _ in range(4_000))
    assert len(counts) == len(game.decision.options) == 8
    assert 420 < min(counts.values()) <= max(counts.values()) < 580


def test_it_goes_on_where_it_stopped() -> None:
    """A player that has answered some decisions before goes on with the next of its stream."""
    game = Game(load("breakthrough/standard"), 0)
    whole, later = RandomPlayer(9, "white"), RandomPlayer(9, "white", taken=7)
    before = [whole.choose(game) for _ in range(7)]
    assert len(before) == 7
    assert [whole.choose(game) for _ in range(20)] == [later.choose(game) for _ in range(20)]
