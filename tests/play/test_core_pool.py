"""Worlds of deleted games: the next game of the same rules and set-up takes one over, and is as in a new world."""

from __future__ import annotations

import gc
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from tiny_game import CODE, TINY, image

from interpreter import Game, load_scenario
from interpreter.language.diagnostics import RuleFault
from interpreter.play.engine import core_pool
from interpreter.play.engine.core_pool import MAX_IDLE
from interpreter.play.engine.engine import Observer


def play(game: Game, seed: int, limit: int = 10_000) -> None:
    """Plays at random for some decisions."""
    chance = Random(seed)
    while game.decision is not None and limit:
        game.choose_index(chance.randrange(len(game.decision.options)))
        limit -= 1


def test_next_game_takes_the_world_over() -> None:
    """A game that follows a deleted one has its core, at the start; two games that exist have two."""
    first = Game(TINY, seed=1)
    core, start = id(first.core), first.hash()
    play(first, 1)
    second = Game(TINY, seed=1)
    assert id(second.core) != core
    assert second.hash() == start
    del first
    third = Game(TINY, seed=1)
    assert id(third.core) == core
    assert third.hash() == start


@pytest.mark.parametrize("name", ["fin_napoleon/campaign", "commands_and_colors_napoleonics/rolica_1"])
def test_games_in_a_used_world_are_the_same(name: str) -> None:
    """Whatever a deleted game has done and where it stopped, the next one is decision by decision as in a new world."""
    scenario = load_scenario(name)
    alone = Game(scenario, seed=7, trace=True)
    hashes = [alone.hash()]
    while alone.decision is not None and len(hashes) < 40:
        play(alone, len(hashes), 1)
        hashes.append(alone.hash())
    for stop in (0, 3, 40):
        used = Game(scenario, seed=stop)
        play(used, stop, stop)
        used.view(None)
        core = id(used.core)
        del used
        game = Game(scenario, seed=7)
        assert id(game.core) == core
        found = [game.hash()]
        while game.decision is not None and len(found) < 40:
            play(game, len(found), 1)
            found.append(game.hash())
        assert found == hashes
        del game


@pytest.mark.parametrize("part", [lambda game: game.core, lambda game: game.core.world], ids=["core", "world"])
def test_world_that_somebody_keeps_stays_as_it_is(part: Callable[[Game], object]) -> None:
    """The core of a deleted game is not taken over while somebody refers to it or to its world."""
    game = Game(TINY, seed=1)
    play(game, 1, 5)
    kept, before = part(game), game.hash()
    assert before != Game(TINY, seed=1).hash()
    del game
    others = [Game(TINY, seed=1) for _ in range(MAX_IDLE + 1)]
    assert all(part(each) is not kept for each in others)


def test_failed_world_is_dropped() -> None:
    """The world of a game whose rules failed is not used again."""
    source = image(CODE.replace("u = yield (S0", "if G.a_points > 0: 1 / 0\n        u = yield (S0"))
    failed = 0
    for seed in range(12):
        game = Game(source, seed=seed)
        try:
            play(game, seed)
        except RuleFault:
            failed += 1
            core = game.core
            del game
            game = Game(source, seed=seed)
            assert game.core is not core
    assert failed


def test_altered_world_is_dropped() -> None:
    """A world in which something was set past the journal is not the start of another game."""
    game, start = Game(TINY, seed=1), Game(TINY, seed=1).hash()
    game.core.world.state.a_points = 3
    game.core.forget()
    del game
    games = [Game(TINY, seed=1) for _ in range(MAX_IDLE + 1)]
    assert {each.hash() for each in games} == {start}


@pytest.mark.parametrize("further", [{"trace": True}, {"observers": (Observer(),)}], ids=["traced", "observed"])
def test_watched_games_have_worlds_of_their_own(further: dict[str, Any]) -> None:
    """A core that reports to its game, or whose functions an observer may have changed, is not taken over."""
    game = Game(TINY, **further)
    names = set(map(id, [game.core]))
    del game
    gc.collect(1)
    assert not [each for each in core_pool._IDLE if id(each.core) in names]


def test_few_worlds_are_kept() -> None:
    """Of many deleted games only some worlds are kept, for the newest."""
    games = [Game(TINY, seed=seed) for seed in range(MAX_IDLE + 3)]
    cores = [id(each.core) for each in games]
    assert len(set(cores)) == len(games)
    del games
    taken = [Game(TINY, seed=seed) for seed in range(MAX_IDLE)]
    assert {id(each.core) for each in taken} <= set(cores)
