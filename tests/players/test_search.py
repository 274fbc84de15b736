"""The player with a search budget.

`BICORNE_SOAK=1 pytest tests/players/test_search.py` plays a hundred games a side.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matches import CAMPAIGN, SCENARIOS, SOAK, against_random, at, fingerprint, load, played, search

from interpreter.play.engine.lookahead import speculating
from interpreter.play.game import Game
from interpreter.players import search as search_player
from interpreter.players.planning.evaluation import WIN_VALUE, Evaluator
from interpreter.players.search import SearchBudget, SearchPlayer

TRIALS = 20


@pytest.mark.soak
@pytest.mark.parametrize("side", ["french", "allied"])
def test_search_player_beats_random_player(side: str) -> None:
    """The search player wins nine games in ten; a random player in the French seat wins one in 500."""
    games, wanted = (100, 90) if SOAK else (4, 3)
    score = against_random(load(CAMPAIGN), side, search(TRIALS), range(2_000, 2_000 + games))
    assert score.won >= wanted, score


@settings(max_examples=25)
@given(st.sampled_from(SCENARIOS), st.integers(0, 50), st.integers(0, 60), st.booleans())
def test_search_leaves_game_unchanged(name: str, seed: int, decisions: int, trace: bool) -> None:
    """A search changes neither hash, log, inputs, dice nor decision of a game, traced or not."""
    game = at(load(name), seed, decisions, trace=trace)
    assert game.decision is not None
    before = fingerprint(game)
    chosen = SearchPlayer(seed, game.decision.seat, SearchBudget(trials=8)).choose(game)
    assert fingerprint(game) == before
    assert 0 <= chosen < len(game.decision.options)


def test_search_leaves_dice_of_game_alone() -> None:
    """A game with a search player rolls the dice of its seed: the replay of its inputs gives the same state."""
    scenario = load(CAMPAIGN)
    game = played(scenario, 5, {"french": search(4)(5, "french")}, limit=60)
    plain = Game(scenario, 5)
    for each in game.history:
        if each[0] == "a":
            plain.choose(each[2])
    assert plain.history == game.history
    assert plain.hash() == game.hash()


def test_trial_budget_makes_choices_reproducible() -> None:
    """Two games with the same seeds and budgets of trials are equal."""
    scenario = load(CAMPAIGN)
    games = [played(scenario, 8, {"allied": search(5)(8, "allied")}, limit=50) for _ in range(2)]
    assert games[0].history == games[1].history


def test_time_budget_is_checked_before_each_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is read before each trial, and no trial begins after the deadline."""
    readings = 0

    def clock() -> float:
        nonlocal readings
        readings += 1
        return readings / 1_000

    monkeypatch.setattr(search_player, "perf_counter", clock)
    game = Game(load(CAMPAIGN), 1)
    assert game.decision is not None
    SearchPlayer(1, game.decision.seat, SearchBudget(seconds=0.0205)).choose(game)
    assert readings == 22


def test_player_without_budget_chooses_at_random() -> None:
    """Without trials no option is preferred."""
    game = Game(load("breakthrough/standard"), 0)
    assert game.decision is not None
    player = SearchPlayer(0, game.decision.seat, SearchBudget(trials=0))
    assert len({player.choose(game) for _ in range(40)}) > 5


def test_player_takes_winning_move() -> None:
    """The player chooses one of the moves that win at once."""
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


def test_result_outweighs_every_evaluation() -> None:
    """The values of victory and defeat lie above and below every evaluation."""
    scenario = load(CAMPAIGN)
    game = played(scenario, 0, {})
    assert game.result is not None
    winner = game.result.winners[0]
    loser = next(each for each in ("french", "allied") if each != winner)
    assert (Evaluator(winner).value(game), Evaluator(loser).value(game)) == (WIN_VALUE, -WIN_VALUE)
    assert abs(Evaluator(winner).value(Game(scenario, 0))) < WIN_VALUE / 100
