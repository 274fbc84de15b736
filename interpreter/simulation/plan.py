"""Plans of simulations (one scenario, one set of players, one seed), and the games of a plan on any machine."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

from interpreter.language.diagnostics import RuleFault, UsageError, with_hint
from interpreter.language.strict_json import read_json
from interpreter.play.engine.bulk import Simulation
from interpreter.play.engine.outcome import Result
from interpreter.play.engine.source import GameSource, source_of
from interpreter.play.game import Game
from interpreter.players.player import Player, choose_unwatched
from interpreter.players.registry import AUTOMATIC, automatic_player, parse_player
from interpreter.rules.loading.load import load_scenario
from interpreter.rules.loading.ruleset import Scenario

RANDOM = "random"
DEFAULT_SEARCH_TRIALS = 100
"""Trials per decision of a search without a budget: a number, because a time gives different games on each machine."""


class GameRecord(NamedTuple):
    """One game of a simulation; `winners` is None if it did not end, and `state` is the hash of its last state."""

    number: int
    winners: tuple[str, ...] | None
    reason: str
    decisions: int
    state: str


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """Everything that determines the games of a simulation; equal plans give equal games, number by number.

    `ruleset_hash` identifies the rules, overlays and options, so that a plan cannot be continued under different rules.
    `where` locates the scenario (its file, then folders of rulesets), and `overlays` are the overlay files applied to
    its ruleset. `checked` tests the invariants after each step, which changes no game.
    """

    scenario: str
    ruleset_hash: str
    options: tuple[tuple[str, Any], ...]
    players: tuple[tuple[str, str], ...]
    seed: str
    where: tuple[str, ...]
    overlays: tuple[str, ...] = ()
    checked: bool = False

    def identity(self) -> dict[str, Any]:
        """Returns everything that the games depend on as plain data, without the locations of files."""
        return {
            "scenario": self.scenario,
            "ruleset_hash": self.ruleset_hash,
            "options": dict(self.options),
            "players": dict(self.players),
            "seed": self.seed,
        }


def seat_ids(source: GameSource) -> list[str]:
    """Returns the seats of a game source in order, without making a game."""
    kinds = source.shared("fast").model.kinds
    return [each.id for each in source.image.individuals if kinds[each.kind].root == "seat"]


def make_plan(
    scenario: Scenario,
    players: Mapping[str, str],
    seed: str,
    options: Mapping[str, object],
    paths: Iterable[str] = (),
    overlays: Iterable[str] = (),
    *,
    may_depend_on_clock: bool = False,
    checked: bool = False,
) -> SimulationPlan:
    """Returns the plan of a loaded scenario; seats that `players` does not name play at random.

    Raises:
        UsageError: for an unknown seat or player, or a player whose choices depend on the clock if they may not.
    """
    seats = seat_ids(source_of(scenario))
    for seat in players:
        if seat not in seats:
            raise with_hint(f"there is no seat '{seat}' in this game", seat, seats)
    return SimulationPlan(
        scenario.name,
        scenario.ruleset.hash,
        tuple(sorted(options.items())),
        tuple(
            (seat, _checked_player(players[seat], may_depend_on_clock))
            for seat in seats
            if players.get(seat, RANDOM) != RANDOM
        ),
        seed,
        (str(scenario.path), str(scenario.ruleset.folder), *paths),
        tuple(overlays),
        checked,
    )


def _checked_player(word: str, may_depend_on_clock: bool) -> str:
    """Returns the word of a player, which makes the same choices on every machine unless it has a time for them."""
    name, budget = parse_player(word, AUTOMATIC)
    if budget.endswith("s") and not may_depend_on_clock:
        raise UsageError(
            f"'{word}' would play different games on a faster machine; give its budget as trials, as in search:100"
        )
    automatic_player(word, 0, "")
    return f"search:{DEFAULT_SEARCH_TRIALS}" if name == "search" and not budget else word


def play_games(plan: SimulationPlan, numbers: Iterable[int]) -> list[GameRecord]:
    """Returns the games of a plan with these numbers; workers run this function.

    Raises:
        BicorneError: if the scenario has changed since the plan was made, or a rule fails.
    """
    return list(_played(plan, numbers))


def _played(plan: SimulationPlan, numbers: Iterable[int]) -> Iterator[GameRecord]:
    play = (
        partial(_played_by_players, plan, _source(plan))
        if plan.players
        else partial(_played_at_random, _simulation(plan))
    )
    for number in numbers:
        seed = f"{plan.seed}/{number}"
        try:
            yield play(number, seed)
        except RuleFault as fault:
            raise _with_seed(fault, seed) from fault


def _with_seed(fault: RuleFault, seed: str) -> RuleFault:
    hint = fault.diagnostic.hint
    again = f"'bicorne play' with '--seed {seed}' and the same players plays this game again"
    return RuleFault(replace(fault.diagnostic, hint=f"{hint}; {again}" if hint else again))


def _played_at_random(simulation: Simulation, number: int, seed: str) -> GameRecord:
    played = simulation.play(seed)
    winners, reason = _ending(played.result)
    return GameRecord(number, winners, reason, played.decisions, played.hash)


def _played_by_players(plan: SimulationPlan, source: GameSource, number: int, seed: str) -> GameRecord:
    game = Game(source, seed, checked=plan.checked)
    words = dict(plan.players)
    players: dict[str, Player] = {
        each.id: automatic_player(words.get(each.id, RANDOM), seed, each.id) for each in game.core.seats
    }
    decisions = 0
    while game.decision is not None:
        game.choose_index(choose_unwatched(players[game.decision.seat], game))
        decisions += 1
    winners, reason = _ending(game.result)
    return GameRecord(number, winners, reason, decisions, game.hash())


def _ending(result: Result | None) -> tuple[tuple[str, ...] | None, str]:
    return (None, "") if result is None else (result.winners, result.reason)


@lru_cache(maxsize=4)
def _source(plan: SimulationPlan) -> GameSource:
    where, *paths = plan.where
    scenario = load_scenario(where, dict(plan.options), paths, plan.overlays)
    if scenario.ruleset.hash != plan.ruleset_hash:
        raise UsageError(f"the rules of {plan.scenario} have changed since the simulation began")
    return source_of(scenario)


@lru_cache(maxsize=4)
def _simulation(plan: SimulationPlan) -> Simulation:
    return Simulation(_source(plan), checked=plan.checked)


def record_line(record: GameRecord) -> str:
    """Returns a game as one line of JSON."""
    return json.dumps(record, ensure_ascii=False)


def read_record(line: bytes, seats: Container[str]) -> GameRecord:
    """Returns the game of these seats on a line that `record_line` wrote.

    Raises:
        ValueError: if the line does not hold such a game.
    """
    match read_json(line):
        case [int(number), None | [*_] as winners, str(reason), int(decisions), str(state)]:
            pass
        case _:
            raise ValueError("expected [number, winners, reason, decisions, state]")
    if number < 0 or decisions < 0 or isinstance(number, bool) or isinstance(decisions, bool):
        raise ValueError("the number of the game and its decisions must be whole numbers from 0 on")
    names = None if winners is None else tuple([str(each) for each in winners])
    if winners is not None and any(not isinstance(each, str) or each not in seats for each in winners):
        raise ValueError("it has a winner that is no seat of this scenario")
    return GameRecord(number, names, reason, decisions, state)
