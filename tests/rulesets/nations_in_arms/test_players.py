"""Players that look ahead play both campaigns from set-up to the verdict, under invariants and by their own inputs."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from prior_checks import weighed
from soak import load

from interpreter import Game
from interpreter.players.greedy import TRIALS_PER_OPTION, GreedyPlayer
from interpreter.players.planning.search_budget import SearchBudget
from interpreter.players.player import Player
from interpreter.players.random import RandomPlayer
from interpreter.players.search import SearchPlayer

SOAK = bool(os.environ.get("BICORNE_SOAK"))
"""Whether the full number of games is asked for."""
TRIALS = TRIALS_PER_OPTION if SOAK else 1
"""The trials of greedy players for each option."""
LIMIT = 3_000
"""Decisions; a game that is sound takes some hundreds."""


def searching(seat: str) -> Player:
    return SearchPlayer(1, seat, SearchBudget(trials=3))


def greedy(seat: str) -> Player:
    return GreedyPlayer(1, seat, trials=1)


PAIRINGS = [("marengo_1800", searching), ("ulm_austerlitz_1805", greedy)]
"""Each campaign with the French of one kind and their enemies of the other, so that both kinds play both sides."""
FURTHER = [("marengo_1800", greedy), ("ulm_austerlitz_1805", searching)]


@pytest.mark.parametrize(("name", "french"), PAIRINGS + FURTHER * SOAK)
def test_players_reach_a_verdict(name: str, french: Callable[[str], Player]) -> None:
    """The verdict follows from the score, one side wins whole or nobody does, and the inputs give the same game."""
    scenario = load(f"nations_in_arms/{name}")
    game = Game(scenario, 1, checked=True)
    others = greedy if french is searching else searching
    players = {seat: (french if seat == "french" else others)(seat) for seat in game.seats}
    for _ in range(LIMIT):
        if game.decision is None:
            break
        game.choose_index(players[game.decision.seat].choose(game))
    assert game.result is not None
    verdict = game.evaluate("definitions/verdict_for", game.evaluate("definitions/score"))
    assert game.result.reason == verdict.a_degree.id
    assert set(game.result.winners) in ({"french"}, {"austrian"}, {"austrian", "russian"}, set())
    assert ("french" in game.result.winners) == (verdict.a_winner is not None and verdict.a_winner.id == "empire")
    assert Game(scenario, 1, inputs=game.history).hash() == game.hash()


def against_random(name: str, seed: int, side: set[str]) -> Game:
    """A game of greedy players on one side against players at random on the other."""
    game = Game(load(f"nations_in_arms/{name}"), seed)
    players = {
        seat: GreedyPlayer(seed, seat, trials=TRIALS) if seat in side else RandomPlayer(seed, seat)
        for seat in game.seats
    }
    while game.decision is not None:
        game.choose_index(players[game.decision.seat].choose(game))
    return game


@pytest.mark.soak
def test_greedy_french_beat_random_players() -> None:
    """The greedy French win in Italy and Swabia against random players and never lose; random French never win."""
    seeds = range(20) if SOAK else range(2, 3)
    results = [against_random("marengo_1800", seed, {"french"}).result for seed in seeds]
    won = [each for each in results if each is not None and "french" in each.winners]
    drawn = [each for each in results if each is not None and not each.winners]
    assert len(won) >= len(seeds) * 3 / 4
    assert len(won) + len(drawn) >= len(seeds) * 9 / 10


@pytest.mark.soak
def test_greedy_french_take_ulm_and_munich() -> None:
    """The greedy French march, fight and besiege, and take the cities that Mack holds; random French take none."""
    seeds = range(20) if SOAK else range(4, 5)
    games = [against_random("ulm_austerlitz_1805", seed, {"french"}) for seed in seeds]
    scores = [game.evaluate("definitions/score") for game in games]
    assert sum(each >= 3 for each in scores) >= len(seeds) * 3 / 4, scores


@pytest.mark.parametrize("name", ["marengo_1800", "ulm_austerlitz_1805"])
def test_priors_weigh_every_option(name: str) -> None:
    """Each question of a random game has a weight for each option, and one of them is positive."""
    game = Game(load(f"nations_in_arms/{name}"), 2)
    players = {seat: RandomPlayer(2, seat) for seat in game.seats}
    weighed(game, lambda seat, _: players[seat].choose(game), 400)
    assert game.history
