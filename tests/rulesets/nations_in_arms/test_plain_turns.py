"""The sequence of play and the ends of games, against chapter 4 and the scenarios in plain Python."""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random
from typing import Any

import pytest
from made_up_sieges import MadeUp
from onlooker import Onlooker, after_fortresses
from soak import SOAK, load, scenarios, settings
from turn_watch import POINTS, TurnWatch

from interpreter import Game
from interpreter.play.engine.entry import Returned, at_call
from interpreter.rules.loading.load import load_ruleset


@pytest.mark.parametrize("name", scenarios("nations_in_arms"))
def test_turns_and_ends_are_as_written(name: str) -> None:
    """The pool after every draw, whose impulse it is, when a phase and a turn end, and who has won."""
    seen: Counter[str] = Counter()
    for options in settings(name) if SOAK else [{}]:
        scenario = load(name, **options)
        for number in range(SOAK // 20 or 1):
            watch, seed = TurnWatch(name.partition("/")[2]), f"{name} {number} turns"
            game, random = Onlooker(scenario, seed, watch), Random(seed)
            while game.decision is not None:
                if game.decision.address == "one_activation.impulse":
                    watch.acting(game.decision.seat)
                game.choose_index(after_fortresses(game, random))
            watch.ended()
            assert watch.wrong == [], (options, number)
            seen += watch.seen
    assert min(seen[each] for each in ("impulse", "void", "quarters", "result")) > 0, seen


def thrown(made: MadeUp, names: set[str]) -> None:
    """Cities in other hands and in ruins, with a detachment here and there, and the armies in any state."""
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
def test_made_up_ends_are_judged_as_written(name: str) -> None:
    """Score and conquest, wherever chance puts the holders of the cities."""
    scenario, seen = load(name), Counter[Any]()
    short = name.partition("/")[2]
    names = {city for side in POINTS[short] for city in side} | {"vienna", "budapest", "prague"}
    for number in range(SOAK or 12):
        watch = TurnWatch(short)
        game = Game(scenario, seed=number)
        watch.game = game
        thrown(MadeUp(game.core, f"{name} {number}"), names)
        austria = game.core.world.find("power", "austria")
        assert watch.score() == game.core.names["d_score"](), number
        assert watch.is_conquered() == game.core.names["d_conquered"](austria), number
        seen[watch.is_conquered()] += 1
        seen[watch.score() > 0] += 1
    assert min(seen.values()) > 0, seen


def test_made_up_recoveries_go_by_chapter_8() -> None:
    """8.8.4, of forces of many morales under many commanders."""
    rules, seen = load_ruleset("rulesets/nations_in_arms"), Counter[str]()

    def shaken(seed: int, core: Any) -> Any:
        made = MadeUp(core, seed)
        force, _ = made.set_up()
        force.a_demoralized, force.a_out_of_supply = True, False
        made.core.forget()
        return partial(core.names["p_recovery_check"], force)

    for number in range(SOAK or 15):
        watch, random = TurnWatch("marengo_1800"), Random(number)
        game = Onlooker(rules, number, watch, start=at_call(partial(shaken, number), True, Returned()))
        while game.decision is not None:
            game.choose_index(random.randrange(len(game.decision.options)))
        assert watch.wrong == [], number
        seen += watch.seen
    assert min(seen["recovered"], seen["not recovered"]) > 0, seen
