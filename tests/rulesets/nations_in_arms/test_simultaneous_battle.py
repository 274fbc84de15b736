"""Both sides of a battle commit what they hold back at the same time: neither sees what the other has committed."""

from __future__ import annotations

from random import Random

from what_is_read import what_is_read

from interpreter import Game, load_scenario
from interpreter.play.engine.simultaneous import is_after_others


def test_the_second_to_commit_reads_nothing_of_the_first() -> None:
    """Whatever the first side has committed, the second reads the same, and may choose among the same."""
    game, chance = Game(load_scenario("nations_in_arms/marengo_1800"), 4), Random(4)
    before, options, is_inside = game.mark(), 0, False
    while not (is_inside and is_after_others(game)):
        assert game.decision is not None
        before, options = game.mark(), len(game.decision.options)
        is_inside = game.core.simultaneous_since is not None
        game.choose_index(chance.randrange(options))
    assert game.decision is not None
    seat, address = game.decision.seat, game.decision.address
    readings = []
    for number in range(options):
        game.rewind(before)
        game.choose_index(number)
        readings.append(what_is_read(game, seat, most=2))
        assert (game.decision.seat, game.decision.address) == (seat, address)
    assert len(readings) > 1
    assert all(each == readings[0] for each in readings)
