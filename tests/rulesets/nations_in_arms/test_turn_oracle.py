"""The sequence of play and the ends of games compared with chapter 4 and the scenarios in plain Python."""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random
from typing import Any

import pytest
from fortress_play import choose_fortresses
from siege_setups import RandomSiege
from soak import SOAK, load, scenarios, settings
from turn_oracle import POINTS, TurnOracle

from interpreter import Game
from interpreter.play.engine.entry import ReturnValue, start_at_call
from interpreter.rules.loading.load import load_ruleset


def played(scenario: Any, short: str, seed: str) -> TurnOracle:
    """Returns the oracle of a game of players who seek fortresses."""
    oracle, random = TurnOracle(short), Random(seed)
    game = Game(scenario, seed, trace=True, observers=(oracle,))
    while game.decision is not None:
        game.choose_index(choose_fortresses(game, random))
    return oracle


@pytest.mark.parametrize("name", scenarios("nations_in_arms"))
def test_turns_and_ends_match_oracle(name: str) -> None:
    """The pool after every draw, the side to act, the ends of phases and turns, and the winner match chapter 4."""
    seen: Counter[str] = Counter()
    for options in settings(name) if SOAK else [{}]:
        scenario = load(name, **options)
        for number in range(SOAK // 20 or 1):
            oracle = played(scenario, name.partition("/")[2], f"{name} {number} turns")
            assert oracle.mismatches == [], (options, number)
            seen += oracle.seen
    assert min(seen[each] for each in ("impulse", "void", "quarters", "result")) > 0, seen


def scatter(made: RandomSiege, names: set[str]) -> None:
    """Puts cities into random hands or in ruins, some with detachments, and armies into random states."""
    chance, powers = made.random, [made.world.find("power", each) for each in ("france", "austria")]
    for city in made.found("city"):
        if city.id not in names:
            continue
        hex_ = city.a_hex
        hex_.a_holder = chance.choice([*powers, None])
        hex_.a_fortress_down = hex_.a_fortress > 0 and chance.random() < 0.4
        for power in chance.sample(powers, chance.choice([0, 1, 1, 2])):
            free = made.free("combat_unit", power)
            if not free:
                continue
            force = made.world.create("force", {"flag": power}, hex_)
            made.world.place(free[0], force)
            force.a_out_of_supply = chance.random() < 0.4
    for army in made.found("army"):
        if army.at is not None and army.at.kind == "force":
            army.at.a_demoralized = chance.random() < 0.7
    made.core.forget()


@pytest.mark.parametrize("name", scenarios("nations_in_arms"))
def test_random_ends_match_oracle(name: str) -> None:
    """Score and conquest match the scenario for random holders of the cities."""
    scenario, seen = load(name), Counter[Any]()
    short = name.partition("/")[2]
    names = {city for side in POINTS[short] for city in side} | {"vienna", "budapest", "prague"}
    for number in range(SOAK or 12):
        oracle = TurnOracle(short)
        game = Game(scenario, seed=number, observers=(oracle,))
        scatter(RandomSiege(game.core, f"{name} {number}"), names)
        austria = game.core.world.find("power", "austria")
        assert oracle.score() == game.evaluate("definitions/score"), number
        assert oracle.is_conquered() == game.evaluate("definitions/conquered", austria), number
        seen[oracle.is_conquered()] += 1
        seen[oracle.score() > 0] += 1
    assert min(seen.values()) > 0, seen


def test_random_recoveries_match_oracle() -> None:
    """Recovery checks of forces of many morales, under many commanders or led by themselves, match 8.8.4."""
    rules, seen = load_ruleset("rulesets/nations_in_arms"), Counter[str]()

    def shaken(seed: int, core: Any) -> Any:
        made = RandomSiege(core, seed)
        force, _ = made.set_up()
        if seed % 5 == 0:
            corps = made.random.choice([each for each in made.found("combat_unit") if each.a_type.id == "feudal"])
            force = core.world.create("force", {"flag": corps.a_power}, force.at)
            core.world.place(corps, force)
        force.a_demoralized, force.a_out_of_supply = True, False
        core.forget()
        return partial(core.rule("procedures/recovery_check"), force)

    for number in range(SOAK or 15):
        oracle, random = TurnOracle("marengo_1800"), Random(number)
        start = start_at_call(partial(shaken, number), True, ReturnValue())
        game = Game(rules, number, trace=True, start=start, observers=(oracle,))
        while game.decision is not None:
            game.choose_index(random.randrange(len(game.decision.options)))
        assert oracle.mismatches == [], number
        seen += oracle.seen
    assert min(seen["recovered"], seen["not recovered"], seen["led by itself"]) > 0, seen
