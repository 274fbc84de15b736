"""The player with a search budget.

`BICORNE_SOAK=1 pytest tests/players/test_search.py` plays a hundred games a side.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matches import CAMPAIGN, SCENARIOS, SOAK, against_random, at, fingerprint, load, played, search

from interpreter import load_ruleset
from interpreter.play.engine.decision import Decision
from interpreter.play.engine.lookahead import speculating
from interpreter.play.game import Game
from interpreter.players.greedy import GreedyPlayer, trials_of
from interpreter.players.planning import search_budget
from interpreter.players.planning.evaluation import WIN_VALUE, Evaluator
from interpreter.players.planning.priors import Priors
from interpreter.players.planning.race import RacingPlan
from interpreter.players.planning.rollouts import Plan
from interpreter.players.planning.search_budget import SearchBudget
from interpreter.players.planning.turn_tree import turn_key
from interpreter.players.search import SearchPlayer
from interpreter.players.search_tree import GREEDY_MULTIPLE

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


def test_priors_are_those_of_the_copy_that_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a traced game, the turns that answer a plan have the priors of the untraced copy, not of the game itself."""
    weights, asked = Priors.weights, 0

    def checked(priors: Priors, decision: Decision) -> list[float]:
        nonlocal asked
        asked += 1
        assert any(each is decision.seat_object for each in priors.core.seats)
        return weights(priors, decision)

    monkeypatch.setattr(Priors, "weights", checked)
    game = at(load(CAMPAIGN), 3, 0, trace=True)
    assert game.decision is not None
    search(400)(3, game.decision.seat).choose(game)
    assert asked > 400


def test_time_budget_is_checked_before_each_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is read before each trial, and no trial begins after the deadline."""
    readings = 0

    def clock() -> float:
        nonlocal readings
        readings += 1
        return readings / 1_000

    monkeypatch.setattr(search_budget, "perf_counter", clock)
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


BAIT = """
ruleset: {id: bait, title: A bait, version: "1"}
kinds:
  side: {is: seat, members: [red, blue], has: {points: "int = 0"}}
procedures:
  grab:
    takes: {side: side}
    do: |
      let share = side chooses from 0 to 3 "How much?"
      set side.points += share
  answer:
    takes: {side: side}
    do: |
      if red.points > 1:
        let harsh = side chooses from 0 to 1 "Strike?"
        if harsh = 1: set red.points -= 10
sequence:
  game:
    repeat: 1
    steps:
      take: {each: "side in [red]", do: grab(side)}
      strike: {each: "side in [blue]", do: answer(side)}
evaluation: {takes: {side: side}, is: red.points if side = red else -red.points}
"""


def test_search_player_sees_the_answer_of_the_next_seat(tmp_path: Path) -> None:
    """The greedy player takes what the next seat's turn punishes; the search player takes what it does not punish."""
    (tmp_path / "ruleset.yaml").write_text(BAIT, encoding="utf-8")
    game = Game(load_ruleset(str(tmp_path)), 1)
    assert [GreedyPlayer(seed, "red").choose(game) for seed in range(5)] == [3] * 5
    assert [SearchPlayer(seed, "red", SearchBudget(trials=300)).choose(game) for seed in range(5)] == [1] * 5


PAUSE = """
  pause:
    takes: {side: side}
    do: |
      let wait = side chooses from 0 to 1 "Wait?"
      if wait = 1: set side.pauses += 1
"""


def test_search_player_sees_the_answer_after_further_turns_of_its_own(tmp_path: Path) -> None:
    """Turns of the same seat come between; the look-ahead goes on to the end of the first turn of another seat."""
    rules = BAIT.replace('has: {points: "int = 0"}', 'has: {points: "int = 0", pauses: "int = 0"}')
    rules = rules.replace("sequence:\n", f"{PAUSE.lstrip(chr(10))}sequence:\n")
    pauses = "".join(f'      pause_{each}: {{each: "side in [red]", do: pause(side)}}\n' for each in (1, 2))
    rules = rules.replace("      strike:", f"{pauses}      strike:")
    (tmp_path / "ruleset.yaml").write_text(rules, encoding="utf-8")
    game = Game(load_ruleset(str(tmp_path)), 1)
    assert [GreedyPlayer(seed, "red").choose(game) for seed in range(5)] == [3] * 5
    assert [SearchPlayer(seed, "red", SearchBudget(trials=400)).choose(game) for seed in range(5)] == [1] * 5


def test_turns_under_one_key_are_no_model_for_another() -> None:
    """A turn is known for the seat, the question and what the open steps bind: here, for each country of a seat."""
    game = Game(load(CAMPAIGN), 1)
    seen = set()
    while game.decision is not None and len(game.steps) < 20:
        if game.decision.address == "activity_phase.activities":
            seen.add(turn_key(game, game.decision))
        game.choose_index(len(game.decision.options) - 1)
    countries = {bound[-1] for _, _, bound in seen}
    assert len(countries) == len(seen) > 3


@pytest.mark.parametrize("multiple", [1, GREEDY_MULTIPLE])
def test_small_budget_goes_to_plans_alone(multiple: int, tmp_path: Path) -> None:
    """With a few times the trials of the greedy player, the search player takes what the greedy player takes."""
    (tmp_path / "ruleset.yaml").write_text(BAIT, encoding="utf-8")
    game = Game(load_ruleset(str(tmp_path)), 1)
    assert game.decision is not None
    trials, _ = trials_of(game.decision)
    assert [SearchPlayer(seed, "red", SearchBudget(trials=multiple * trials)).choose(game) for seed in range(5)] == [
        3
    ] * 5


def _runner(*values: float) -> RacingPlan:
    return RacingPlan(Plan([], [], []), list(values))


def test_plans_are_compared_under_samples_of_both() -> None:
    """The lead of a plan is its mean difference under common samples, with the standard error of that mean."""
    assert _runner(3, 5, 7).lead_over(_runner(1, 3, 5, 100)) == (2, 0)
    lead, error = _runner(1, 5).lead_over(_runner(0, 0))
    assert (lead, error) == (3, 2)
