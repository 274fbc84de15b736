"""Games between players, and fingerprints of games."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter.play.game import Game
from interpreter.play.records.recording import RecordedGame
from interpreter.players.greedy import GreedyPlayer
from interpreter.players.planning.search_budget import SearchBudget
from interpreter.players.player import Player
from interpreter.players.random import RandomPlayer
from interpreter.players.search import SearchPlayer
from interpreter.rules.loading.load import load_scenario
from interpreter.rules.loading.ruleset import Scenario

TESTS = Path(__file__).resolve().parent.parent
SOAK = bool(os.environ.get("BICORNE_SOAK"))
"""Whether the tests play the full number of games."""
CAMPAIGN = "fin_napoleon/campaign"
SCENARIOS = (CAMPAIGN, "three_suits/standard", "breakthrough/standard", "craps/standard")
MAX_DECISIONS = 5_000

PlayerMaker = Callable[[int, str], Player]
"""Makes the player of a seed and a seat."""


def load(name: str) -> Scenario:
    """Loads a scenario, installed or from the tests."""
    return load_scenario(name, paths=[TESTS])


def greedy(seed: int, seat: str) -> Player:
    """Returns the greedy player with its default settings."""
    return GreedyPlayer(seed, seat)


def search(trials: int) -> PlayerMaker:
    """Returns a maker of search players with this number of trials per decision."""
    return lambda seed, seat: SearchPlayer(seed, seat, SearchBudget(trials=trials))


@dataclass(slots=True)
class Score:
    """The counts of one seat's results."""

    won: int = 0
    lost: int = 0
    drawn: int = 0
    unfinished: int = 0

    def add(self, seat: str, game: Game) -> None:
        """Counts a finished game; a shared victory counts as won."""
        if game.result is None:
            self.unfinished += 1
        elif not game.result.winners:
            self.drawn += 1
        elif seat in game.result.winners:
            self.won += 1
        else:
            self.lost += 1


def played(scenario: Scenario, seed: int, players: dict[str, Player], limit: int = MAX_DECISIONS) -> Game:
    """Plays a game between these players; a seat without one plays at random."""
    game = Game(scenario, seed)
    seated = {seat: players.get(seat) or RandomPlayer(seed, seat) for seat in game.seats}
    for _ in range(limit):
        if game.decision is None:
            break
        game.choose_index(seated[game.decision.seat].choose(game))
    return game


def against_random(scenario: Scenario, seat: str, maker: PlayerMaker, seeds: range) -> Score:
    """Returns the score of a player in one seat against random players."""
    score = Score()
    for seed in seeds:
        score.add(seat, played(scenario, seed, {seat: maker(seed, seat)}))
    return score


def at(scenario: Scenario, seed: int, decisions: int, **more: Any) -> RecordedGame:
    """Returns a recorded game after `decisions` random answers, or after the last one that leaves another decision."""
    game = RecordedGame(scenario, seed, snapshot_every=2, **more)
    players = {seat: RandomPlayer(seed, seat) for seat in game.seats}
    for _ in range(decisions):
        assert game.decision is not None
        mark = game.mark()
        game.choose_index(players[game.decision.seat].choose(game))
        if game.decision is None:
            game.rewind(mark)
            break
    return game


def fingerprint(game: RecordedGame) -> tuple[Any, ...]:
    """Returns everything about a game that look-ahead must leave unchanged."""
    decision = game.decision
    assert decision is not None
    asked = (decision.seat, decision.address, decision.labels, decision.chosen)
    recording = game.recording
    dice = game.chance.dice
    log = [str(each) for each in game.log]
    sites = frozenset(game.evaluated_sites)
    return (
        game.hash(),
        game.history,
        recording,
        asked,
        id(dice),
        game.drawn,
        log,
        len(game.events),
        sites,
        game.step_path,
    )
