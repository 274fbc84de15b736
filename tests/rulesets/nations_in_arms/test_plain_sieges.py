"""Sieges, as they are played, against chapter 9 in plain Python: games after fortresses, and sieges made up."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from made_up_sieges import siege_check
from onlooker import Onlooker, after_fortresses, after_sieges
from siege_watch import SiegeWatch
from soak import SOAK, load, scenarios, settings

from interpreter.rules.loading.load import load_ruleset

UNKNOWN = {"fed_guns_fire", "last_check_free"}
"""Options by whose readings the plain sieges do not go."""


def played(scenario: Any, seed: int | str, watch: SiegeWatch, picked: Any) -> Counter[str]:
    """A game of those who seek fortresses or sieges; what was looked at."""
    game, random = Onlooker(scenario, seed, watch), Random(seed)
    state = game.core.world.state
    while (decision := game.decision) is not None:
        match decision.address:
            case "one_activation.impulse":
                watch.look()
            case "move_stack.orders":
                watch.offers([getattr(each, "name", "") for each in decision.options], state.a_active)
            case "go.there" if state.a_active is not None:
                watch.barred(state.a_active, decision.options)
        game.choose_index(picked(game, random))
    return watch.seen


@pytest.mark.parametrize("name", scenarios("nations_in_arms"))
def test_every_siege_of_a_game_is_one_of_chapter_9(name: str) -> None:
    """Who besieges what, what a check costs, its modifiers, its cell, and all that follows from it."""
    seen: Counter[str] = Counter()
    for options in settings(name) if SOAK else [{}]:
        if UNKNOWN & options.keys():
            continue
        scenario = load(name, **options)
        for number in range(SOAK // 20 or 2):
            watch = SiegeWatch(options)
            picked = after_sieges if number % 2 else after_fortresses
            seen += played(scenario, f"{name} {number}", watch, picked)
            assert watch.wrong == [], (options, number)
    assert min(seen[each] for each in ("siege modifiers", "payment", "a check is open")) > 0, seen


@pytest.mark.parametrize("options", [{}, {"imperial_guard": True, "exact_five_to_one": True}][: 2 if SOAK else 1])
def test_made_up_sieges_are_checked_by_chapter_9(options: dict[str, Any]) -> None:
    """Every kind of garrison, in ruins or whole, under good leaders and bad ones."""
    rules, seen = load_ruleset("rulesets/nations_in_arms", options=options), Counter[str]()
    for number in range(SOAK or 20):
        watch, seed = SiegeWatch(options), f"{options} {number}"
        game, random = Onlooker(rules, seed, watch, start=siege_check(seed)), Random(seed)
        while game.decision is not None:
            game.choose_index(random.randrange(len(game.decision.options)))
        assert watch.wrong == [], number
        seen += watch.seen
    assert min(seen[each] for each in ("siege modifiers", "storm modifiers", "siege over")) > 0, seen
