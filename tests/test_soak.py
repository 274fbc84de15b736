"""Random play of every scenario, each option on and off: no exception, no dead end, no broken rule, nothing lost.

`BICORNE_SOAK=10000 pytest tests/test_soak.py` plays that many games, with progress.
"""

from __future__ import annotations

import gc
import tracemalloc

import pytest
from soak import SOAK, Tally, every_setting, load, play, played_game, scenarios

from interpreter import Game
from interpreter.play.engine.bulk import Simulation

GAMES = 1
"""Games for each setting of a scenario where no soak is asked for."""


@pytest.mark.soak
@pytest.mark.parametrize("name", scenarios())
def test_random_games_of_every_setting_end_soundly(name: str) -> None:
    """No fault, no decision without an option, an end within the bound, the invariants after every step."""
    every = every_setting()
    games = max(SOAK // sum(map(len, every.values())), GAMES)
    tally = Tally()
    for options in every[name]:
        play(name, options, range(games), tally)
    if SOAK:
        print(tally)
    assert tally.failures == []
    assert tally.games == games * len(every[name])


@pytest.mark.parametrize("name", scenarios())
def test_a_record_leads_to_the_same_state(name: str) -> None:
    """The simulation, the recorded game and the game made of its inputs agree in hash and result."""
    scenario = load(name)
    simulation = Simulation(scenario)
    for seed in range(max(2, SOAK // 100)):
        game = played_game(scenario, seed)
        again = Game(scenario, seed, inputs=game.history)
        played = simulation.play(seed)
        assert game.hash() == again.hash() == played.hash
        assert game.result == again.result == played.result


@pytest.mark.parametrize("name", scenarios())
def test_undo_leads_back_to_the_start(name: str) -> None:
    """Every decision of a game is taken back: the state is that of the first. Forward again it ends the same."""
    scenario = load(name)
    game = played_game(scenario, 11)
    start, end, history = Game(scenario, 11), game.hash(), game.history
    decisions = sum(each[0] == "a" for each in history)
    for _ in range(decisions):
        game.undo(agreed=game.seats)
    assert game.hash() == start.hash()
    assert game.history == start.history
    if game.decision is not None:
        game.feed(history)
    assert game.hash() == end


def test_many_games_need_no_more_memory_than_few() -> None:
    """What a hundred and fifty games in a row hold on to is not more than after fifty; in a soak, a thousand."""
    simulation = Simulation(load("fin_napoleon/campaign"))
    limit, first, last = (1_000_000, 200, 1_000) if SOAK else (60, 50, 150)
    for seed in range(first):
        simulation.play(seed, limit=limit)
    gc.collect()
    tracemalloc.start()
    try:
        for seed in range(first, last):
            simulation.play(seed, limit=limit, hashed=False)
        gc.collect()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 375 * (last - first)
