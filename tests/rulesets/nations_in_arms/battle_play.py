"""Chooses for players who seek battles, and at random else."""

from __future__ import annotations

from interpreter import Game
from interpreter.players.random import RandomPlayer

_WISHES = {
    "one_activation.impulse": "activate",
    "move_stack.orders": "go",
    "avoid_combat.stance": "stand",
    "overrun.ride_over": False,
}


def choose_battles(game: Game, players: dict[str, RandomPlayer]) -> int:
    """Returns the option that leads to a battle, else one at random."""
    decision = game.decision
    assert decision is not None
    wish = _WISHES.get(decision.address)
    for index, option in enumerate(decision.options):
        if wish is not None and getattr(option, "name", option) == wish:
            return index
        if decision.address == "go.there" and any(each.at is option for each in game.core.world.board.all_force):
            return index
    return players[decision.seat].choose(game)
