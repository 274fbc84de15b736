"""Plays games of Commands & Colors in bulk and checks each of them; by hand with a count, in the tests with few games.

    PYTHONPATH=$PWD:tests/support python tests/support/napoleonics_soak.py 10000 [random|greedy] [first seed]

After every step and at many decisions of each game: all blocks and cards are there, no hand is over its size, nobody is
where somebody else is, and the banners are those for what was eliminated. Of some games the log is read, the recording
is replayed, and a twin with other hidden cards is compared.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from time import process_time
from typing import Any

from hidden_pairs import exchanged, moments
from soak import load, scenarios

from interpreter import Game
from interpreter.play.engine.bulk import Simulation
from interpreter.players.greedy import GreedyPlayer
from interpreter.players.random import RandomPlayer
from interpreter.rules.loading.ruleset import Scenario

RULESET = "commands_and_colors_napoleonics"
CARDS = 70
MAX_DECISIONS = 50_000
CHECKED, RECORDED, PAIRED = 8, 100, 500
"""Of this many decisions of a random game one is checked; of this many games one is recorded, one compared in pairs."""


class BrokenGameError(AssertionError):
    """Raised for a position or a game that must not be."""


@dataclass(slots=True)
class Report:
    """What was played: games, decisions, cards, and what went wrong, with the seed that shows it again."""

    games: int = 0
    decisions: int = 0
    recorded: int = 0
    pairs: int = 0
    played: Counter[str] = field(default_factory=Counter)
    results: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        parts = f"{self.games} games, {self.decisions} decisions, {self.recorded} recorded, {self.pairs} pairs"
        return f"{parts}, {len(self.played)} of {CARDS} cards played, {len(self.failures)} failures"


# ---------------------------------------------------------------- positions
def check_position(core: Any) -> None:
    """Checks what is true at any time: blocks, cards, hands, stacking, and banners within their bounds.

    Raises:
        BrokenGameError: if something is wrong.
    """
    units = core.world.all_of("unit")
    on_board = [each for each in units if each.at is not None]
    for unit in units:
        full = unit.a_troop.a_blocks
        _demand(0 <= unit.a_blocks <= full, f"{unit.id} has {unit.a_blocks} of {full} blocks")
        _demand((unit.at is None) >= (unit.a_blocks == 0), f"{unit.id} is on the board without a block")
    held = Counter(each.at for each in on_board)
    _demand(all(number == 1 for number in held.values()), "two units are in one hex")
    cards = core.world.all_of("card")
    _demand(len(cards) == CARDS and all(each.at is not None for each in cards), "a card is lost")
    for player in core.seats:
        own = sum(each.at.a_owner is player for each in cards)
        _demand(own <= player.a_hand_size + 1, f"{player.id} holds {own} cards")
        squares = [each.a_square for each in on_board if each.a_square and _player(each) is player]
        on_track = [each for each in cards if each.at.a_owner is player and each.at.a_track]
        _demand(sorted(each.id for each in squares) == sorted(each.id for each in on_track), "a square lacks its card")
    _check_banners(core, units)


def _check_banners(core: Any, units: list[Any]) -> None:
    """A banner for each enemy unit destroyed, and at most one for each leader or unit that is gone otherwise."""
    gone = [each for each in core.world.all_of("leader") if each.at is None]
    for player in core.seats:
        destroyed = sum(each.at is None and not each.a_blocks and _player(each) is not player for each in units)
        left = sum(each.at is None and each.a_blocks > 0 and _player(each) is player for each in units)
        leaders = sum(each.a_nation.a_player is not player for each in gone)
        _demand(
            destroyed <= player.a_banners <= destroyed + leaders + left, f"{player.id} has {player.a_banners} banners"
        )


def _player(unit: Any) -> Any:
    return unit.a_troop.a_nation.a_player


def _demand(holds: bool, message: str) -> None:
    if not holds:
        raise BrokenGameError(message)


# ---------------------------------------------------------------- games
def play_random(name: str, seeds: Sequence[int], report: Report) -> None:
    """Random games of a scenario, of which some are recorded and read."""
    scenario = load(name)
    simulation = Simulation(scenario, checked=True)
    for seed in seeds:
        try:
            played = simulation.play(seed, _choosers(simulation, seed, report), MAX_DECISIONS)
            check_position(simulation.core)
            _demand(played.result is not None, f"no end within {MAX_DECISIONS} decisions")
            report.decisions += played.decisions
            report.results[f"{name}: {'/'.join(played.result.winners) if played.result else ''}"] += 1
            if seed % RECORDED == 0:
                check_recording(scenario, recorded(scenario, seed, RandomPlayer))
                report.recorded += 1
            if seed % PAIRED == 0:
                report.pairs += check_pairs(scenario, seed)
        except Exception as error:  # whatever it is, it is reported with its seed
            report.failures.append(f"{name} seed {seed}: {type(error).__name__}: {error}")
        report.games += 1


def _choosers(simulation: Simulation, seed: int, report: Report) -> dict[str, Callable[..., Any]]:
    random = Random(seed)
    draw, turn = random.random, seed

    def choose(site: Any, options: Sequence[Any], _chosen: Any) -> Any:
        nonlocal turn
        turn += 1
        if not turn % CHECKED:
            check_position(simulation.core)
        chosen = options[int(draw() * len(options))]
        if site.address in ("play_card.card", "react.card"):
            report.played[chosen.id] += 1
        return chosen

    return {each.id: choose for each in simulation.core.seats}


def play_greedy(name: str, seeds: Sequence[int], report: Report) -> None:
    """Games between two greedy players, all recorded and read."""
    scenario = load(name)
    for seed in seeds:
        try:
            game = recorded(scenario, seed, GreedyPlayer, report)
            check_recording(scenario, game)
            report.recorded += 1
            report.results[f"{name}: {'/'.join(game.result.winners) if game.result else ''}"] += 1
        except Exception as error:  # as above
            report.failures.append(f"{name} seed {seed}: {type(error).__name__}: {error}")
        report.games += 1


def recorded(scenario: Scenario, seed: int, player: Callable[[int, str], Any], report: Report | None = None) -> Game:
    """Returns a game between two players of one sort, with every position checked."""
    game = Game(scenario, seed, checked=True)
    players = {seat: player(seed, seat) for seat in game.seats}
    while (decision := game.decision) is not None:
        check_position(game.core)
        index = players[decision.seat].choose(game)
        if report is not None:
            report.decisions += 1
            if decision.address in ("play_card.card", "react.card"):
                report.played[decision.options[index].id] += 1
        game.choose_index(index)
    check_position(game.core)
    return game


def check_recording(scenario: Scenario, game: Game) -> None:
    """The inputs lead to the same state and result, and the log names what each banner was won for.

    Raises:
        BrokenGameError: if not.
    """
    again = Game(scenario, game.seed, trace=True, inputs=game.history, verified=True)
    _demand(again.hash() == game.hash() and again.result == game.result, "the replay ends otherwise")
    lost: Counter[str] = Counter()
    for entry in again.log:
        if entry.kind == "log" and entry.text.endswith((" is eliminated", " is lost")):
            lost[entry.text] += 1
    units = sum(number for text, number in lost.items() if text.endswith(" is eliminated"))
    leaders = sum(number for text, number in lost.items() if text.endswith(" is lost"))
    left = [each for each in again.core.world.objects if each.kind == "unit" and each.at is None and each.a_blocks]
    exits = len(left) * again.core.world.state["exit_worth"] if left else 0
    banners = sum(each.a_banners for each in again.core.seats)
    _demand(
        banners == units + leaders + exits, f"{banners} banners for {units} units, {leaders} leaders, {exits} exits"
    )


def check_pairs(scenario: Scenario, seed: int) -> int:
    """Games that differ only in a hidden card look the same to the other seat; returns how many were compared.

    Raises:
        BrokenGameError: if not.
    """
    game, random = Game(scenario, seed), Random(seed)
    while game.decision is not None and len(game.inputs.items) < 400:
        game.choose_index(random.randrange(len(game.decision.options)))
    compared = 0
    for hand, other in (("french", "british"), ("british", "french")):
        for records in list(exchanged(game, "card", hand, game.core.find("pile", "deck")))[:1]:
            pairs = zip(
                moments(scenario, seed, list(game.history), [other], 40),
                moments(scenario, seed, records, [other], 40),
                strict=True,
            )
            _demand(all(one == two for one, two in pairs), f"{other} can tell what {hand} holds")
            compared += 1
    return compared


PLAY = {"random": play_random, "greedy": play_greedy}


def shares(games: int, first: int) -> Iterator[tuple[str, range]]:
    """Yields the scenarios with their seeds, a share of the games for each."""
    names = scenarios(RULESET)
    for number, name in enumerate(names):
        share = games // len(names) + (number < games % len(names))
        yield name, range(first, first + share)


def main() -> None:
    """Plays as many games as the command line says, and prints what it finds."""
    games, players, first = int(sys.argv[1]), (sys.argv[2:3] or ["random"])[0], int((sys.argv[3:4] or ["0"])[0])
    report, started = Report(), process_time()
    for name, seeds in shares(games, first):
        for at in range(seeds.start, seeds.stop, 50):
            PLAY[players](name, range(at, min(at + 50, seeds.stop)), report)
            print(f"{report}, {process_time() - started:.0f} CPU seconds ({name})", flush=True)
    for failure in report.failures:
        print(failure)
    print(dict(sorted(report.results.items())))
    print("cards:", dict(sorted(report.played.items())))
    sys.exit(bool(report.failures))


if __name__ == "__main__":
    main()
