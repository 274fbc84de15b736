"""What a simulation plays: one scenario, one set of players, one seed; and any of its games, on any machine."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from interpreter.language.diagnostics import UsageError, with_hint
from interpreter.play.engine.bulk import Simulation
from interpreter.play.engine.outcome import Result
from interpreter.play.engine.source import GameSource, source_of
from interpreter.play.game import Game
from interpreter.players.player import Player
from interpreter.players.registry import AUTOMATIC, automatic_player, split_player
from interpreter.rules.loading.load import load_scenario
from interpreter.rules.loading.ruleset import Scenario

RANDOM = "random"
SEARCH_TRIALS = 100
"""What a search may try at a decision where no budget is given: a number, for a time gives other games elsewhere."""


class GameRecord(NamedTuple):
    """One game of a simulation: its number, who won (none if it did not end), why, and the hash of its last state."""

    number: int
    winners: tuple[str, ...] | None
    reason: str
    decisions: int
    state: str


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """What makes a simulation's games what they are; equal plans give equal games, game by game.

    `ruleset_hash` stands for the rules, overlays and options, so that a plan can't be gone on with under other rules.
    `where` is where the scenario is found (its file, then folders of rulesets), and `overlays` the files laid over it.
    """

    scenario: str
    ruleset_hash: str
    options: tuple[tuple[str, Any], ...]
    players: tuple[tuple[str, str], ...]
    seed: str
    where: tuple[str, ...]
    overlays: tuple[str, ...] = ()

    def identity(self) -> dict[str, Any]:
        """All that the games depend on, as plain data; where the files lie is not part of it."""
        return {
            "scenario": self.scenario,
            "ruleset_hash": self.ruleset_hash,
            "options": dict(self.options),
            "players": dict(self.players),
            "seed": self.seed,
        }


def seat_ids(setting: GameSource) -> list[str]:
    """The seats of a setting, in order, without a game of it."""
    kinds = setting.shared("fast").model.kinds
    return [each.id for each in setting.image.individuals if kinds[each.kind].root == "seat"]


def make_plan(
    scenario: Scenario,
    players: Mapping[str, str],
    seed: str,
    options: Mapping[str, object],
    paths: Iterable[str] = (),
    overlays: Iterable[str] = (),
) -> SimulationPlan:
    """The plan of a loaded scenario; seats that `players` does not name play at random.

    Raises:
        UsageError: for a seat or a player that there is not, or one whose choices hang on the clock.
    """
    seats = seat_ids(source_of(scenario))
    for seat in players:
        if seat not in seats:
            raise with_hint(f"'{seat}' is no seat of this game", seat, seats)
    return SimulationPlan(
        scenario.name,
        scenario.ruleset.hash,
        tuple(sorted(options.items())),
        tuple((seat, _fixed(players[seat])) for seat in seats if players.get(seat, RANDOM) != RANDOM),
        seed,
        (str(scenario.path), str(scenario.ruleset.folder), *paths),
        tuple(overlays),
    )


def _fixed(word: str) -> str:
    """A player that chooses the same on every machine."""
    sort, budget = split_player(word, AUTOMATIC)
    if budget.endswith("s"):
        raise UsageError(
            f"'{word}' would play other games on a faster machine; give its budget as trials, as in search:100"
        )
    automatic_player(word, 0, "")
    return f"search:{SEARCH_TRIALS}" if sort == "search" and not budget else word


def play_games(plan: SimulationPlan, numbers: Iterable[int]) -> list[GameRecord]:
    """The games of a plan with these numbers; what a worker is given to do.

    Raises:
        BicorneError: if the scenario isn't the plan's any more, or a rule goes wrong.
    """
    return list(_played(plan, numbers))


def _played(plan: SimulationPlan, numbers: Iterable[int]) -> Iterator[GameRecord]:
    setting = _setting(plan)
    if plan.players:
        for number in numbers:
            yield _with_players(plan, setting, number)
        return
    simulation = _simulation(plan)
    for number in numbers:
        played = simulation.play(f"{plan.seed}/{number}")
        winners, reason = _ending(played.result)
        yield GameRecord(number, winners, reason, played.decisions, played.hash)


def _with_players(plan: SimulationPlan, setting: GameSource, number: int) -> GameRecord:
    seed = f"{plan.seed}/{number}"
    game = Game(setting, seed)
    words = dict(plan.players)
    players: dict[str, Player] = {
        each.id: automatic_player(words.get(each.id, RANDOM), seed, each.id) for each in game.core.seats
    }
    decisions = 0
    while game.decision is not None:
        game.choose_index(players[game.decision.seat].choose(game))
        decisions += 1
    winners, reason = _ending(game.result)
    return GameRecord(number, winners, reason, decisions, game.hash())


def _ending(result: Result | None) -> tuple[tuple[str, ...] | None, str]:
    return (None, "") if result is None else (result.winners, result.reason)


@lru_cache(maxsize=4)
def _setting(plan: SimulationPlan) -> GameSource:
    where, *paths = plan.where
    scenario = load_scenario(where, dict(plan.options), paths, plan.overlays)
    if scenario.ruleset.hash != plan.ruleset_hash:
        raise UsageError(f"the rules of {plan.scenario} are not those that the simulation began with")
    return source_of(scenario)


@lru_cache(maxsize=4)
def _simulation(plan: SimulationPlan) -> Simulation:
    return Simulation(_setting(plan))


def record_line(record: GameRecord) -> str:
    """A game as one line of JSON."""
    return json.dumps(record, ensure_ascii=False)


def read_record(line: str) -> GameRecord:
    """A game from its line.

    Raises:
        ValueError: if the line is none.
    """
    values = json.loads(line)
    if not isinstance(values, list) or len(values) != len(GameRecord._fields):
        raise ValueError(f"a game has {len(GameRecord._fields)} values")
    number, winners, reason, decisions, state = values
    if not (isinstance(number, int) and isinstance(decisions, int) and isinstance(state, str)):
        raise ValueError("its number and decisions are whole numbers, its state is a text")  # noqa: TRY004
    return GameRecord(number, None if winners is None else tuple(map(str, winners)), str(reason), decisions, state)
