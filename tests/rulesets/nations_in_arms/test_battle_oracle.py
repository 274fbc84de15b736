"""Field battles of the ruleset compared with chapter 8 in plain Python: random battles, and those of games of war."""

from __future__ import annotations

import gc
from collections import Counter
from random import Random
from typing import Any

import pytest
from battle_oracle import BattleOracle
from battle_setups import RandomBattle
from soak import SOAK, load, settings
from test_nations_soak import AfterTheEnemy

from interpreter import Game
from interpreter.rules.loading.load import load_ruleset

BATTLES = 6
"""Random battles in every run of the tests, where no soak asks for more."""
MAX_DECISIONS = 250
"""Decisions after which a battle or a game is left."""


def fought(rules: Any, seed: int) -> BattleOracle:
    """Returns the oracle of a random battle between random players, who seldom concede."""
    oracle, chance = BattleOracle(), Random(seed)
    game = Game(rules, seed, trace=True, start=RandomBattle(seed), observers=(oracle,))
    for _ in range(MAX_DECISIONS):
        if game.decision is None:
            break
        indices = list(range(len(game.decision.options)))
        if game.decision.address.startswith("concede") and chance.random() < 0.7:
            indices = [each for each in indices if game.decision.options[each] is False]
        game.choose_index(chance.choice(indices))
    return oracle


def at_war(scenario: Any, seed: int, limit: int) -> BattleOracle:
    """Returns the oracle of a game in which the armies seek each other."""
    oracle, chance, seeker = BattleOracle(), Random(seed - 1), AfterTheEnemy()
    game = Game(scenario, seed, trace=True, observers=(oracle,))
    for _ in range(limit):
        if game.decision is None:
            break
        offered = list(range(len(game.decision.options)))
        liked = seeker(game.core, game.decision.address, game.decision.options)
        wanted = [each for each in offered if any(game.decision.options[each] is one for one in liked)]
        game.choose_index(chance.choice(wanted if wanted and chance.random() < 0.9 else offered))
    return oracle


@pytest.mark.soak
def test_random_battles_match_oracle() -> None:
    """Sizes, modifiers, losses, casualties, winners, morale, pursuit and retreat of random battles match chapter 8."""
    every = settings("nations_in_arms/ulm_austerlitz_1805") if SOAK else [{}]
    mismatches, seen = Counter[str](), Counter[str]()
    for number, options in enumerate(every):
        rules = load_ruleset("nations_in_arms", options=options)
        for seed in range(number * 1000, number * 1000 + (SOAK // len(every) or BATTLES)):
            oracle = fought(rules, seed)
            mismatches += Counter(f"seed {seed}, {options}: {each}" for each in oracle.mismatches)
            seen += oracle.seen
            gc.collect(1)
    assert not mismatches, "\n".join(mismatches)
    compared = ("total of modifiers", "steps lost", "winner", "hex of retreat 1")
    assert min(seen[each] for each in compared) >= BATTLES // 2, seen


@pytest.mark.soak
@pytest.mark.parametrize("name", ["marengo_1800", "ulm_austerlitz_1805"])
def test_battles_of_games_match_oracle(name: str) -> None:
    """Battles of games in which the armies seek each other match chapter 8."""
    every = settings(f"nations_in_arms/{name}") if SOAK else [{}]
    for number, options in enumerate(every):
        limit = 10 * MAX_DECISIONS if SOAK else MAX_DECISIONS
        oracle = at_war(load(f"nations_in_arms/{name}", **options), number + 1, limit)
        assert oracle.mismatches == [], options
        assert oracle.seen["battles"] > 0 or SOAK
