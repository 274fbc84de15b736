"""Three games that the interpreter was not designed for work as data alone: they load, play and hide information."""

from __future__ import annotations

import json
import random
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from soak import SOAK

from interpreter import Game, load_ruleset, load_scenario, odds
from interpreter.inference.solver.path_enumerator import TooManyBranchesError
from interpreter.rules.loading.load import check_ruleset
from interpreter.workshop.examples.run_examples import run_examples

HERE = Path(__file__).resolve().parent
SCENARIOS = {
    "breakthrough": ("breakthrough/standard",),
    "craps": ("craps/standard", "craps/long_odds"),
    "three_suits": ("three_suits/standard",),
}
GAMES = 200
KNOWN_BREAKTHROUGH = (22, 484, 11_132, 256_036)
"""The numbers of move sequences of 1 to 4 moves, as OpenSpiel counts them."""


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("BICORNE_PATH", str(HERE))


def play_on(game: Game, chance: random.Random, limit: int = 5_000) -> int:
    """Plays at random until the game is over or `limit` decisions were made; returns their number."""
    for taken in range(limit):
        if game.decision is None:
            return taken
        game.choose_index(chance.randrange(len(game.decision.options)))
    return limit


@pytest.mark.parametrize("name", SCENARIOS)
def test_game_is_data_alone(name: str) -> None:
    """A game is a folder of YAML without Python, and the interpreter doesn't contain its name."""
    folder = HERE / "rulesets" / name
    assert {each.suffix for each in folder.rglob("*") if each.is_file()} == {".yaml"}
    engine = "".join([each.read_text(encoding="utf-8") for each in (HERE.parent / "interpreter").rglob("*.py")])
    assert name not in engine


@pytest.mark.parametrize("name", SCENARIOS)
def test_game_is_sound(name: str) -> None:
    """The checker finds no error in a game, and no warning but for procedures that exist for their odds."""
    found = check_ruleset(HERE / "rulesets" / name)
    assert [each for each in found if each.code != "unused-procedure"] == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_examples_hold(name: str) -> None:
    """Each game has at least five worked examples, and all of them hold."""
    reports = run_examples(name)
    assert len(reports) >= 5
    assert [str(each) for each in reports if not each.passed] == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_random_games_end_and_replay(name: str) -> None:
    """Random games end without a broken invariant, and a replay of their inputs gives the same state."""
    for reference in SCENARIOS[name]:
        scenario = load_scenario(reference)
        for seed in range(GAMES // len(SCENARIOS[name])):
            game = Game(scenario, seed=seed, checked=True)
            assert play_on(game, random.Random(seed)) < 5_000
            assert game.result is not None
            again = Game(scenario, seed=seed, inputs=game.history)
            assert again.result == game.result
            assert again.hash() == game.hash()


def test_rewind_restores_every_state_of_a_game() -> None:
    """Rewinding a game of breakthrough to any mark restores its state and its options."""
    game = Game(load_scenario("breakthrough/standard"), seed=5)
    chance = random.Random(5)
    marks = []
    while game.decision is not None:
        marks.append((game.mark(), game.hash(), [str(each) for each in game.decision.options]))
        game.choose_index(chance.randrange(len(game.decision.options)))
    for mark, digest, options in reversed(marks):
        game.rewind(mark)
        assert game.hash() == digest
        assert game.decision is not None
        assert [str(each) for each in game.decision.options] == options


# ---------------------------------------------------------------- breakthrough
def count_moves(game: Game, plies: int) -> int:
    """Counts the sequences of `plies` whole moves from the present position."""
    if game.result is not None:
        return 0
    return _count_picks(game, plies, len(game.steps))


def _count_picks(game: Game, plies: int, step: int) -> int:
    decision = game.decision
    assert decision is not None
    if plies == 1 and decision.address.endswith(".to"):
        return len(decision.options)
    found = 0
    mark = game.mark()
    for index in range(len(decision.options)):
        game.choose_index(index)
        if game.result is None and len(game.steps) == step:
            found += _count_picks(game, plies, step)
        else:
            found += 1 if plies == 1 else count_moves(game, plies - 1)
        game.rewind(mark)
    return found


def reference_counts(depth: int) -> tuple[int, ...]:
    """Returns OpenSpiel's counts if it is installed, otherwise the known ones."""
    try:
        import pyspiel  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return KNOWN_BREAKTHROUGH[:depth]

    def count(state: Any, plies: int) -> int:
        if state.is_terminal():
            return 0
        if plies == 1:
            return len(state.legal_actions())
        return sum([count(state.child(action), plies - 1) for action in state.legal_actions()])

    start = pyspiel.load_game("breakthrough").new_initial_state()
    return tuple([count(start, plies) for plies in range(1, depth + 1)])


def test_breakthrough_move_counts_match_openspiel() -> None:
    """The numbers of sequences of 1 to 3 moves (soak: 4) match an independent implementation; none leaves a trace."""
    game, depth = Game(load_scenario("breakthrough/standard"), seed=0), 4 if SOAK else 3
    start = game.hash()
    counts = tuple([count_moves(game, plies) for plies in range(1, depth + 1)])
    assert counts == reference_counts(depth) == KNOWN_BREAKTHROUGH[:depth]
    assert game.hash() == start


# ---------------------------------------------------------------- craps
def chance_within(rolls: int) -> Fraction:
    """Returns the chance of the pass line if a point must be made within `rolls` rolls, computed by hand."""
    total = Fraction(8, 36)
    for ways in (3, 4, 5, 5, 4, 3):
        going_on = Fraction(36 - ways - 6, 36)
        within = sum([going_on**number for number in range(rolls)], Fraction(0)) * Fraction(ways, 36)
        total += Fraction(ways, 36) * within
    return total


def exact(procedure: str, **options: int) -> Fraction:
    """Returns the exact chance of the outcome `won`."""
    found = odds(load_ruleset("craps", options=options), procedure, {"with": {"shooter": "ann"}})
    return dict(found.of("won"))["true"]


def test_pass_line_by_lot_has_the_known_odds() -> None:
    """Drawing lots for the point gives exactly 244/495."""
    assert exact("pass_line_by_lot") == Fraction(244, 495)


@pytest.mark.parametrize("rolls", [1, 2, 3])
def test_pass_line_with_dice_matches_the_series(rolls: int) -> None:
    """With a bounded number of point rolls the exact chance is the partial sum of the series."""
    assert exact("pass_line", most_rolls=rolls) == chance_within(rolls)
    assert chance_within(2_000) > Fraction(244, 495) - Fraction(1, 10**9)


def test_endless_odds_are_rejected(tmp_path: Path) -> None:
    """A procedure that may make a hundred thousand rolls is rejected in bounded time."""
    shutil.copytree(HERE / "rulesets" / "craps", tmp_path / "craps")
    rules = tmp_path / "craps" / "rules.yaml"
    rules.write_text(rules.read_text(encoding="utf-8").replace("repeat most_rolls times", "repeat 100000 times"))
    with pytest.raises(TooManyBranchesError, match="too many dice and decisions in sequence"):
        odds(load_ruleset(str(tmp_path / "craps")), "pass_line", {"with": {"shooter": "ann"}})


# ---------------------------------------------------------------- three suits
def cards_of(game: Game) -> list[Any]:
    """Returns all cards."""
    return [each for each in game.core.world.objects if each.kind == "card"]


def hidden_cards(game: Game, seat: str) -> list[Any]:
    """Returns the cards that the rules hide from a seat: other hands, the deck, discards."""
    unseen = {"deck", "thrown_away", *[f"{each}_hand" for each in game.seats if each != seat]}
    return [each for each in cards_of(game) if each.at.id in unseen]


def swap(game: Game, one: Any, other: Any) -> None:
    """Swaps two cards."""
    first, second = one.at, other.at
    game.core.world.place(one, second)
    game.core.world.place(other, first)


def seen(game: Game, seat: str) -> str:
    """Returns the view of a seat as text."""
    return json.dumps(game.view(seat), default=str, sort_keys=True)


def test_views_leak_nothing() -> None:
    """Swapping any two hidden cards doesn't change a seat's view at all (non-interference)."""
    scenario = load_scenario("three_suits/standard")
    compared = 0
    for seed in range(20):
        chance = random.Random(seed)
        game = Game(scenario, seed=seed)
        play_on(game, chance, chance.randrange(60))
        for seat in game.seats:
            before = seen(game, seat)
            unseen = hidden_cards(game, seat)
            assert all(f'"{each.id}"' not in before for each in unseen)
            for _ in range(10):
                one, other = chance.sample(unseen, 2)
                swap(game, one, other)
                assert seen(game, seat) == before, f"{seat} can tell {one.id} from {other.id}"
                swap(game, one, other)
                compared += one.at is not other.at
    assert compared > 200


def test_seat_sees_its_own_hand() -> None:
    """Swapping visible cards changes a seat's view, so that the test above can fail."""
    game = Game(load_scenario("three_suits/standard"), seed=3)
    own = next(each for each in cards_of(game) if each.at.id == "east_hand")
    other = next(each for each in cards_of(game) if each.at.id == "west_hand")
    before = {seat: seen(game, seat) for seat in game.seats}
    swap(game, own, other)
    assert seen(game, "east") != before["east"]
    assert seen(game, "west") != before["west"]
    assert seen(game, "north") == before["north"]


def test_deals_differ_and_cover_every_card() -> None:
    """Over many seeds almost all deals differ, and every card occurs in a hand."""
    scenario = load_scenario("three_suits/standard")
    hands = []
    for seed in range(60):
        game = Game(scenario, seed=seed)
        hands.append(frozenset(each.id for each in cards_of(game) if each.at.id == "north_hand"))
    assert len(set(hands)) > 55
    assert len(frozenset().union(*hands)) == 24
