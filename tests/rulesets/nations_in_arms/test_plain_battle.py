"""The ruleset's field battles, held against a reckoning in plain Python: thrown together, and in games of war."""

from __future__ import annotations

import gc
from collections import Counter
from random import Random
from typing import Any

import pytest
from battle_grounds import Ground
from battle_referee import Referee, differences
from soak import SOAK, load, settings
from test_nations_soak import AfterTheEnemy

from interpreter.rules.loading.load import load_ruleset

THROWN = 6
"""Battles thrown together in every run of the tests, where no soak asks for more."""
MOST = 400
"""Decisions after which a battle is left, or a game."""


def fought(rules: Any, seed: int) -> Referee:
    """A battle thrown together by a seed and fought by random players, who seldom concede."""
    game, chance = Referee(rules, seed, start=Ground(seed)), Random(seed)
    for _ in range(MOST):
        game.look()
        if game.decision is None:
            break
        indices = list(range(len(game.decision.options)))
        if game.decision.address.startswith("concede") and chance.random() < 0.7:
            indices = [each for each in indices if game.decision.options[each] is False]
        game.choose_index(chance.choice(indices))
    return game


@pytest.mark.soak
def test_battles_are_reckoned_alike() -> None:
    """Stacks of every sort: sizes, modifiers, losses, casualties, victors, morale, pursuit and retreat agree."""
    every = settings("nations_in_arms/ulm_austerlitz_1805") if SOAK else [{}]
    found, seen = Counter[str](), Counter[str]()
    for number, options in enumerate(every):
        rules = load_ruleset("nations_in_arms", options=options)
        for seed in range(number * 1000, number * 1000 + (SOAK // len(every) or THROWN)):
            quarrels, counted = differences([fought(rules, seed)])
            found += Counter(f"seed {seed}, {options}: {each}" for each in quarrels)
            seen += counted
            gc.collect()
    assert not found, "\n".join(found)
    assert min(seen[each] for each in ("total of modifiers", "steps lost", "winner", "hex of retreat 1")) >= THROWN // 2


@pytest.mark.soak
@pytest.mark.parametrize("name", ["marengo_1800", "ulm_austerlitz_1805"])
def test_battles_of_a_game_are_reckoned_alike(name: str) -> None:
    """The same in games where the armies seek each other."""
    every = settings(f"nations_in_arms/{name}") if SOAK else [{}]
    for number, options in enumerate(every):
        game = Referee(load(f"nations_in_arms/{name}", **options), number + 1)
        chance, seeker = Random(number), AfterTheEnemy()
        for _ in range(10 * MOST if SOAK else MOST):
            game.look()
            if game.decision is None:
                break
            offered = list(range(len(game.decision.options)))
            liked = seeker(game.core, game.decision.address, game.decision.options)
            wanted = [each for each in offered if any(game.decision.options[each] is one for one in liked)]
            game.choose_index(chance.choice(wanted if wanted and chance.random() < 0.9 else offered))
        assert game.quarrels == [], options
        assert game.seen["battles"] > 0 or SOAK
