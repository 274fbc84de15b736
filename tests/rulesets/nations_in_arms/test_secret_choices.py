"""Subordinate leaders and lead assault units are named in secret (8.3.6.3, 8.3.7.3), until the dice are rolled."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from battle_play import choose_battles
from soak import load

from interpreter import Game
from interpreter.console.board import board_text
from interpreter.play.views.view import view
from interpreter.play.views.visible_log import visible_log
from interpreter.players.random import RandomPlayer

SECRET = ("commit.aide", "commit.lead")
GAMES = 12
ENOUGH = 3


def choosing(seed: int) -> Iterator[tuple[Game, str]]:
    """A game wherever the first of two sides has a choice to make in secret, with the seat of the other side."""
    game = Game(load("nations_in_arms/ulm_austerlitz_1805"), seed=seed)
    players = {seat: RandomPlayer(seed, seat) for seat in game.seats}
    while (decision := game.decision) is not None:
        if decision.address in SECRET and len(decision.options) > 1:
            yield game, "austrian" if decision.seat == "french" else "french"
        game.choose_index(choose_battles(game, players))


def knowledge(game: Game, seat: str, option: int) -> str:
    """What the other side knows and may do, when it has to choose in its turn or its opponent goes on choosing."""
    mark = game.mark()
    game.choose_index(option)
    decision = game.decision
    assert decision is not None
    shown = ""
    if game.before_simultaneous() is not None:
        seen = view(game, seat)
        asked = seen.pop("decision") if decision.seat == seat else None
        shown = json.dumps([seen, asked, [each.text for each in visible_log(game, seat)], board_text(game, seat)])
    game.rewind(mark)
    return shown


def test_secret_choice_stays_hidden() -> None:
    """The other side sees and may choose the same for either of two options until both sides have chosen."""
    compared = 0
    for seed in range(GAMES):
        for game, other in choosing(seed):
            first, second = knowledge(game, other, 0), knowledge(game, other, 1)
            assert first == second
            compared += first != ""
            if compared == ENOUGH:
                return
    pytest.fail(f"only {compared} choices in {GAMES} games")
