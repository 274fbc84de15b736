"""How long things take: `pytest tests/benchmarks/test_benchmarks.py --benchmark-enable`.

Without that switch each runs once, as a test that it still works. No time is asserted: machines differ. Ratios to the
game written by hand are what `bicorne bench --yardstick tests/benchmarks/plain_fin_napoleon.py` prints.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import yaml
from plain_fin_napoleon import play_random

from interpreter import Game, load_ruleset, load_scenario, odds
from interpreter.inference.odds import Odds, clear_situations
from interpreter.language.parsing.parse import parse_block
from interpreter.language.parsing.source_map import SourceText
from interpreter.play.engine.bulk import Simulation
from interpreter.play.records.recording import RecordedGame
from interpreter.players.planning.search_budget import SearchBudget
from interpreter.players.random import RandomPlayer
from interpreter.players.search import SearchPlayer
from interpreter.rules.loading.ruleset import Ruleset, Scenario

CAMPAIGN = "fin_napoleon/campaign"
LARGE = "nations_in_arms/marengo_1800"
ODDS_PAGE = Path(__file__).parents[2] / "docs" / "odds.md"
MIDDLE = 60
"""Decisions into a game at which single actions are measured."""
BATTLE = {
    "state": {"morale": 15},
    "set": {"country/Austria/state": "war"},
    "board": {
        "unit": [
            {"ids": ["France_1", "France_2"], "at": "Rhine"},
            {"ids": ["Austria_1"], "at": "Rhine", "face": "back"},
        ]
    },
    "with": {"area": "Rhine", "active": "France"},
}

Bench = Callable[..., Any]


@pytest.fixture(scope="module")
def campaign() -> Scenario:
    return load_scenario(CAMPAIGN)


@pytest.fixture
def seeds() -> Iterator[int]:
    """Another game each time."""
    return count()


@pytest.fixture
def game(campaign: Scenario) -> Game:
    """A game at a decision in its middle."""
    return _played(Game(campaign, 1), 1, MIDDLE)


def _played(game: Game, seed: int, limit: int | None = None) -> Game:
    players = {seat: RandomPlayer(seed, seat) for seat in game.seats}
    for _ in count() if limit is None else range(limit):
        if game.decision is None:
            break
        game.choose_index(players[game.decision.seat].choose(game))
    return game


# ---------------------------------------------------------------- whole games
def test_game_written_by_hand(benchmark: Bench, seeds: Iterator[int]) -> None:
    """A random game of the same rules as plain Python: the yardstick."""
    assert benchmark(lambda: play_random(next(seeds))).winner in {"french", "allied", "draw"}


def test_bulk(benchmark: Bench, campaign: Scenario, seeds: Iterator[int]) -> None:
    """A random game in a simulation."""
    simulation = Simulation(campaign)
    assert benchmark(lambda: simulation.play(next(seeds), hashed=False)).result is not None


def test_large_bulk(benchmark: Bench, seeds: Iterator[int]) -> None:
    """A random game of a large ruleset, its map with it, in a simulation."""
    simulation = Simulation(load_scenario(LARGE))
    assert benchmark(lambda: simulation.play(next(seeds), hashed=False)).result is not None


def test_game_by_decisions(benchmark: Bench, campaign: Scenario, seeds: Iterator[int]) -> None:
    """A random game through `.decision` and `.choose_index`."""

    def whole() -> Game:
        seed = next(seeds)
        return _played(Game(campaign, seed), seed)

    assert benchmark(whole).result is not None


def test_recorded_game(benchmark: Bench, campaign: Scenario, seeds: Iterator[int]) -> None:
    """The same, traced, checked and with a digest of the state after every step: what is played at a terminal."""

    def whole() -> Game:
        seed = next(seeds)
        return _played(RecordedGame(campaign, seed, trace=True, checked=True), seed)

    assert benchmark(whole).result is not None


# ---------------------------------------------------------------- loading
def test_parse(benchmark: Bench) -> None:
    """Two lines of rule text."""
    text = SourceText.plain("if any(s where .a = b and not c): set d.e = max(0, f - g)   @8.1.2\nlet x = h(a, b)")
    assert len(benchmark(lambda: parse_block(text))) == 2


def test_load_cold(benchmark: Bench) -> None:
    """A scenario from its documents: read, checked, compiled."""
    assert benchmark(lambda: load_scenario(CAMPAIGN, cache=False)).name == CAMPAIGN


def test_load_cached(benchmark: Bench, campaign: Scenario) -> None:
    """A scenario whose compiled form is kept."""
    assert benchmark(lambda: load_scenario(CAMPAIGN)).name == campaign.name


def test_begin(benchmark: Bench, campaign: Scenario) -> None:
    """A new game up to its first decision."""
    assert benchmark(lambda: Game(campaign, 1)).decision is not None


# ---------------------------------------------------------------- in the middle of a game
def test_reach(benchmark: Bench, game: Game) -> None:
    """A search: where a unit can march to."""
    unit = next(each for each in game.core.world.board.all_unit if each.at.kind == "area")
    destinations = game.core.rule("definitions/destinations")
    assert unit.at in benchmark(destinations, unit, unit.at)


def test_rewind(benchmark: Bench, game: Game) -> None:
    """A decision, and back to before it."""
    mark, before = game.mark(), game.hash()

    def there_and_back() -> None:
        game.choose_index(0)
        game.rewind(mark)

    benchmark(there_and_back)
    assert game.hash() == before


def test_hash(benchmark: Bench, game: Game) -> None:
    """The digest of a state."""
    assert len(benchmark(game.hash)) == 32


def test_search_decision(benchmark: Bench, game: Game) -> None:
    """One decision of the searching player, with the trials it needs to beat chance."""
    assert game.decision is not None
    player = SearchPlayer(1, game.decision.seat, SearchBudget(trials=20))
    assert benchmark(player.choose, game) < len(game.decision.options)


def odds_anew(ruleset: Ruleset, procedure: str, given: Any) -> Odds:
    """The odds in a situation that nobody has asked about before."""
    clear_situations()
    return odds(ruleset, procedure, given)


def test_odds(benchmark: Bench, campaign: Scenario) -> None:
    """The exact odds of a small battle."""
    found = benchmark(odds_anew, campaign.ruleset, "combat", BATTLE)
    assert sum(share for _, share in found.of("holder")) == 1


FRENCH_AT_LINZ = {"board": {"unit": [{"ids": [f"fr_{number}" for number in range(1, 26)], "at": "linz"}]}}
AT_MUNICH = [{"ids": [f"{nation}_{number}" for number in range(1, 6)], "at": "munich"} for nation in ("fr", "au")]
INTO_MUNICH = {"nation": "france", "here": "strasbourg", "there": "munich"}
QUESTIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "attrition of 25 units": (
        "napoleonic_wars",
        "attrition_of",
        {**FRENCH_AT_LINZ, "with": {"nation": "france", "group": "linz.units", "area": "linz"}},
    ),
    "a battle of 5 units a side": (
        "napoleonic_wars",
        "battle",
        {"board": {"unit": AT_MUNICH}, "with": INTO_MUNICH},
    ),
    "a reaction": (
        "napoleonic_wars",
        "rolls_reaction",
        {"with": {"nation": "france", "leader": "davout", "here": "munich", "there": "linz", "window": "interception"}},
    ),
    "peace": ("napoleonic_wars", "peace_comes", {"state": {"turn": 3}, "with": {}}),
    "an interception": (
        "age_of_napoleon",
        "catches",
        {"state": {"round": 4}, "with": {"player": "french", "chief": "napoleon"}},
    ),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_odds_of_area_games(benchmark: Bench, question: str) -> None:
    """The exact odds of pools of dice and of single checks."""
    name, procedure, given = QUESTIONS[question]
    ruleset = load_ruleset(name)
    odds(ruleset, procedure, given)  # what is likely to change is known from then on

    found = benchmark(odds_anew, ruleset, procedure, given)
    assert sum(share for _, share in found.rows) == 1


def test_odds_of_a_whole_battle(benchmark: Bench) -> None:
    """The exact odds of the battle that docs/odds.md shows, of two rounds with all that can follow."""
    shown = re.search(r"```yaml\n(# marengo.*?)```", ODDS_PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    given, ruleset = yaml.safe_load(shown[1]), load_ruleset("nations_in_arms")
    odds(ruleset, "field_battle", given)  # what is likely to change is known from then on

    found = benchmark(odds_anew, ruleset, "field_battle", given)
    assert sum(share for _, share in found.of("winner")) == 1
