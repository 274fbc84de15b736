"""Marches, reactions and attrition of random and of warlike games, reckoned once more from outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from reckoner import Reckoner
from soak import SOAK, scenarios, settings
from warlike import picked

from interpreter import Game, load_scenario
from interpreter.players.random import RandomPlayer

BOUND = 3000
SEEN_IN_FEW = ["price", "ways", "level", "attrition", "toll", "flip-flop", "stack"]
SEEN_IN_MANY = ["interception", "avoidance", "refuges", "overrun", "p_check_siege", "p_integrate", "ar_absorb"]


def looked_at(name: str, options: Mapping[str, Any], seed: int) -> Reckoner:
    """A game that is looked at to its end: of players who seek battle if the seed is odd, else of random ones."""
    game = Game(load_scenario(name, options), seed)
    reckoner = Reckoner(game, options)
    players = {seat: RandomPlayer(seed, seat) for seat in game.seats}
    while game.decision is not None and len(game.history) < BOUND:
        reckoner.asks()
        index = picked(game, players) if seed % 2 else players[game.decision.seat].choose(game)
        game.choose_index(index)
    return reckoner


def differences(name: str, options: Mapping[str, Any], seeds: range, seen: Counter[str]) -> list[str]:
    """What the rules and the reckoner reckon differently, each with the game in which they do."""
    found = []
    for seed in seeds:
        reckoner = looked_at(name, options, seed)
        found += [f"{name} {dict(options)} seed {seed}: {each}" for each in reckoner.found]
        seen.update(reckoner.seen)
    return found


@pytest.mark.parametrize("name", scenarios("nations_in_arms"))
def test_marches_are_as_the_book_has_them(name: str) -> None:
    """Two games of each scenario."""
    seen = Counter[str]()
    assert differences(name, {}, range(40, 42), seen) == []
    assert all(seen[each] for each in SEEN_IN_FEW), seen


@pytest.mark.soak
@pytest.mark.skipif(not SOAK, reason="a soak")
@pytest.mark.parametrize("name", scenarios("nations_in_arms"))
def test_so_they_are_under_every_option(name: str) -> None:
    """Many games, as they are and under every option but fog of war, in which nobody knows what he may fear."""
    every = [options for options in settings(name) if "fog_of_war" not in options]
    games, seen, found = SOAK // (len(every) * 2) or 1, Counter[str](), []
    for number, options in enumerate(every):
        begin = 30_000 + number * games
        found += differences(name, options, range(begin, begin + games), seen)
    assert found == []
    assert all(seen[each] for each in SEEN_IN_FEW + SEEN_IN_MANY), seen
