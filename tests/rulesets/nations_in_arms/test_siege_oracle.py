"""Sieges of the ruleset compared with chapter 9 in plain Python: in games after fortresses, and random ones."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from fortress_play import choose_besieged, choose_fortresses
from siege_oracle import SiegeOracle
from siege_setups import siege_check
from soak import SOAK, load, scenarios, settings

from interpreter import Game
from interpreter.rules.loading.load import load_ruleset

UNKNOWN = {"fed_guns_fire", "last_check_free"}
"""Options by whose readings the plain sieges do not go."""


def played(scenario: Any, options: dict[str, Any], seed: str, choose: Any) -> SiegeOracle:
    """Returns the oracle of a game of players who seek fortresses or sieges."""
    oracle, random = SiegeOracle(options), Random(seed)
    game = Game(scenario, seed, trace=True, observers=(oracle,))
    while game.decision is not None:
        game.choose_index(choose(game, random))
    return oracle


def besieged(rules: Any, options: dict[str, Any], number: int) -> SiegeOracle:
    """Returns the oracle of one check of a random siege."""
    oracle, seed = SiegeOracle(options), f"{options} {number}"
    game, random = Game(rules, seed, trace=True, start=siege_check(seed), observers=(oracle,)), Random(seed)
    while game.decision is not None:
        game.choose_index(random.randrange(len(game.decision.options)))
    return oracle


@pytest.mark.parametrize("name", scenarios("nations_in_arms"))
def test_sieges_of_games_match_oracle(name: str) -> None:
    """Who besieges what, what a check costs, its modifiers, its cell, and all that follows from it match chapter 9."""
    seen: Counter[str] = Counter()
    for options in settings(name) if SOAK else [{}]:
        if UNKNOWN & options.keys():
            continue
        scenario = load(name, **options)
        for number in range(SOAK // 20 or 2):
            choose = choose_besieged if number % 2 else choose_fortresses
            oracle = played(scenario, options, f"{name} {number}", choose)
            assert oracle.mismatches == [], (options, number)
            seen += oracle.seen
    assert min(seen[each] for each in ("siege modifiers", "payment", "a check is open")) > 0, seen


@pytest.mark.parametrize("options", [{}, {"imperial_guard": True, "exact_five_to_one": True}][: 2 if SOAK else 1])
def test_random_sieges_match_oracle(options: dict[str, Any]) -> None:
    """Checks and storms match chapter 9 for every kind of garrison, fortress and leader."""
    rules, seen = load_ruleset("rulesets/nations_in_arms", options=options), Counter[str]()
    for number in range(SOAK or 20):
        oracle = besieged(rules, options, number)
        assert oracle.mismatches == [], number
        seen += oracle.seen
    assert min(seen[each] for each in ("siege modifiers", "storm modifiers", "siege over")) > 0, seen
