"""Marches, reactions and attrition of random games and of games of war compared with chapters 3 to 7."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from battle_play import choose_battles
from march_oracle import MarchOracle
from soak import SOAK, scenarios, settings

from interpreter import Game, load_scenario
from interpreter.players.random import RandomPlayer

MAX_INPUTS = 3000
"""Inputs after which a game is left."""
SEEN_IN_FEW = ["price", "ways", "level", "attrition", "toll", "flip-flop", "stack"]
SEEN_IN_MANY = [
    *("interception", "avoidance", "refuges", "overrun"),
    *("price of check_siege", "price of integrate", "price of absorb"),
]


def played(name: str, options: Mapping[str, Any], seed: int) -> MarchOracle:
    """Returns the oracle of a game: of players who seek battle if the seed is odd, else of random ones."""
    oracle = MarchOracle(options)
    game = Game(load_scenario(name, options), seed, observers=(oracle,))
    players = {seat: RandomPlayer(seed, seat) for seat in game.seats}
    while game.decision is not None and len(game.history) < MAX_INPUTS:
        index = choose_battles(game, players) if seed % 2 else players[game.decision.seat].choose(game)
        game.choose_index(index)
    return oracle


def mismatches(name: str, options: Mapping[str, Any], seeds: range, seen: Counter[str]) -> list[str]:
    """Returns the differences between the rules and the oracle, each with its game."""
    found = []
    for seed in seeds:
        oracle = played(name, options, seed)
        found += [f"{name} {dict(options)} seed {seed}: {each}" for each in oracle.mismatches]
        seen.update(oracle.seen)
    return found


@pytest.mark.parametrize("name", scenarios("nations_in_arms"))
def test_marches_match_oracle(name: str) -> None:
    """Two games of each scenario, one of random players and one of war, match chapters 3 to 7."""
    seen = Counter[str]()
    assert mismatches(name, {}, range(40, 42), seen) == []
    assert all(seen[each] for each in SEEN_IN_FEW), seen


@pytest.mark.soak
@pytest.mark.skipif(not SOAK, reason="a soak")
@pytest.mark.parametrize("name", scenarios("nations_in_arms"))
def test_marches_match_oracle_under_every_option(name: str) -> None:
    """Many games match under every option but fog of war, in which nobody knows what to fear."""
    every = [options for options in settings(name) if "fog_of_war" not in options]
    games, seen, found = SOAK // (len(every) * 2) or 1, Counter[str](), []
    for number, options in enumerate(every):
        begin = 30_000 + number * games
        found += mismatches(name, options, range(begin, begin + games), seen)
    assert found == []
    assert all(seen[each] for each in SEEN_IN_FEW + SEEN_IN_MANY), seen
