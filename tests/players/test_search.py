"""The player that searches.

`BICORNE_SOAK=1 pytest tests/players/test_search.py` plays a hundred games a side.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matches import CAMPAIGN, SCENARIOS, SOAK, against_random, at, load, played, search, standing

from interpreter.play.engine.lookahead import speculating
from interpreter.play.game import Game
from interpreter.players import search as search_player
from interpreter.players.planning.evaluation import WON, Evaluator
from interpreter.players.search import SearchBudget, SearchPlayer

TRIALS = 20


@pytest.mark.soak
@pytest.mark.parametrize("side", ["french", "allied"])
def test_it_beats_chance_on_either_side(side: str) -> None:
    """Against random players it wins nine games in ten or more, also as France, which at random wins one in 500."""
    games, wanted = (100, 90) if SOAK else (4, 3)
    score = against_random(load(CAMPAIGN), side, search(TRIALS), range(2_000, 2_000 + games))
    assert score.won >= wanted, score


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(SCENARIOS), st.integers(0, 50), st.integers(0, 60), st.booleans())
def test_a_search_leaves_the_game_alone(name: str, seed: int, decisions: int, trace: bool) -> None:
    """Hash, log, inputs, dice and decision are after a search what they were before it, traced or not."""
    game = at(load(name), seed, decisions, trace=trace)
    assert game.decision is not None
    before = standing(game)
    chosen = SearchPlayer(seed, game.decision.seat, SearchBudget(trials=8), steps=2).choose(game)
    assert standing(game) == before
    assert 0 <= chosen < len(game.decision.options)


def test_the_game_goes_on_with_its_own_dice() -> None:
    """A game in which a player searches rolls the dice of its seed: its inputs replayed give the same state."""
    scenario = load(CAMPAIGN)
    game = played(scenario, 5, {"french": search(4)(5, "french")}, limit=60)
    plain = Game(scenario, 5)
    for each in game.history:
        if each[0] == "a":
            plain.choose(each[2])
    assert plain.history == game.history
    assert plain.hash() == game.hash()


def test_a_budget_of_trials_chooses_the_same_everywhere() -> None:
    """Two games with the same seeds are the same game."""
    scenario = load(CAMPAIGN)
    games = [played(scenario, 8, {"allied": search(5)(8, "allied")}, limit=50) for _ in range(2)]
    assert games[0].history == games[1].history


def test_a_budget_of_time_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is looked at before each trial, and none is begun when the time is over."""
    looks = 0

    def clock() -> float:
        nonlocal looks
        looks += 1
        return looks / 1_000

    monkeypatch.setattr(search_player, "perf_counter", clock)
    game = Game(load(CAMPAIGN), 1)
    assert game.decision is not None
    SearchPlayer(1, game.decision.seat, SearchBudget(seconds=0.0205)).choose(game)
    assert looks == 22


def test_without_a_budget_it_takes_any_option() -> None:
    """No trial is made, so nothing is preferred."""
    game = Game(load("breakthrough/standard"), 0)
    assert game.decision is not None
    player = SearchPlayer(0, game.decision.seat, SearchBudget(trials=0))
    assert len({player.choose(game) for _ in range(40)}) > 5


def test_it_takes_a_victory_that_is_there() -> None:
    """A piece one move from the far row moves there."""
    scenario = load("breakthrough/standard")
    for seed in range(60):
        game = Game(scenario, seed)
        while game.decision is not None:
            mark, seat, count = game.mark(), game.decision.seat, len(game.decision.options)
            winning = set()
            for option in range(count):
                with speculating(game, 0):
                    game.choose_index(option)
                    if game.result is not None and seat in game.result.winners:
                        winning.add(option)
            if winning and len(winning) < count:
                assert SearchPlayer(seed, seat, SearchBudget(trials=20 * count)).choose(game) in winning
                return
            game.choose_index(seed % count)
            assert game.mark() != mark
    pytest.fail("no position with a winning move came up")


def test_a_result_is_worth_more_than_any_position() -> None:
    """Victory and defeat stand above and below every evaluation."""
    scenario = load(CAMPAIGN)
    game = played(scenario, 0, {})
    assert game.result is not None
    winner = game.result.winners[0]
    loser = next(each for each in ("french", "allied") if each != winner)
    assert (Evaluator(winner).worth(game), Evaluator(loser).worth(game)) == (WON, -WON)
    assert abs(Evaluator(winner).worth(Game(scenario, 0))) < WON / 100
