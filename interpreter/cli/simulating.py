"""`bicorne simulate`: many random games, and how often they end in which way."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping
from time import perf_counter
from typing import Any

from interpreter.cli.arguments import read_options
from interpreter.cli.output import OK, Output
from interpreter.cli.progress import tracked
from interpreter.cli.sources import open_scenario
from interpreter.play.driver import Played, Simulation
from interpreter.play.setting import setting_of
from interpreter.play.words import Wording
from interpreter.reckoning.frequencies import Frequency, Tally


def run(arguments: Namespace, output: Output) -> int:
    """Plays the games and prints a table of their outcomes.

    Raises:
        BicorneError: if the scenario isn't there or isn't sound, or a rule goes wrong.
    """
    scenario = open_scenario(arguments.scenario, read_options(arguments.option), arguments.path, arguments.overlays)
    setting = setting_of(scenario, arguments.language)
    tally, begun = Tally(), perf_counter()
    simulation = Simulation(setting)
    names = {each.id: setting.wording.of(each) for each in simulation.core.seats}
    games = _games(simulation, arguments.seed, arguments.games)
    for played in tracked(games, arguments.games, f"playing {scenario.name}", output):
        tally.add(played)
    seconds = perf_counter() - begun
    rows = tally.frequencies()
    output.line(f"{scenario.title} ({scenario.name} {scenario.ruleset.version}): {tally.games} random games", "bold")
    table = [_row(each, names, setting.wording) for each in rows]
    output.table(("outcome", "games", "share", "95% interval"), table, right=(1, 2, 3))
    output.line(f"{tally.mean_decisions:.1f} decisions a game; {tally.games / seconds:.0f} games a second")
    output.document(_data(scenario.name, arguments.seed, tally, rows))
    return OK


def _games(simulation: Simulation, seed: str, count: int) -> Iterator[Played]:
    for number in range(count):
        yield simulation.play(f"{seed}/{number}", hashed=False)


def _row(each: Frequency, names: Mapping[str, str], words: Wording) -> tuple[str, ...]:
    outcome = outcome_text(each, names, words)
    return outcome, f"{each.games}", f"{each.share:.1%}", f"{each.low:.1%} – {each.high:.1%}"


def outcome_text(each: Frequency, names: Mapping[str, str], words: Wording) -> str:
    """An outcome in words, with the seats by these names."""
    if each.winners is None:
        return "not finished"
    winners = " and ".join([names[seat] for seat in each.winners]) or "nobody"
    return f"{winners}: {words.word(each.reason)}" if each.reason else winners


def _data(scenario: str, seed: str, tally: Tally, rows: list[Frequency]) -> dict[str, Any]:
    return {
        "scenario": scenario,
        "seed": seed,
        "games": tally.games,
        "mean_decisions": tally.mean_decisions,
        "outcomes": [
            {
                "winners": None if each.winners is None else list(each.winners),
                "reason": each.reason,
                "games": each.games,
                "share": each.share,
                "low": each.low,
                "high": each.high,
            }
            for each in rows
        ],
    }
