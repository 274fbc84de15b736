"""`bicorne tune`: improves the weights of an evaluation by self-play, and writes them as an overlay."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from interpreter.cli.arguments import read_options
from interpreter.cli.open import open_scenario
from interpreter.cli.output import OK, Output
from interpreter.cli.progress import tracked
from interpreter.language.diagnostics import UsageError
from interpreter.language.plain_files import check_writable, replacing
from interpreter.players.registry import AUTOMATIC, parse_player
from interpreter.rules.documents.document_set import read_ruleset
from interpreter.rules.loading.ruleset import Scenario
from interpreter.simulation.confidence import wilson
from interpreter.simulation.processes import default_workers, worker_processes
from interpreter.workshop.tuning.rounds_file import GAMES_PER_ROUND, RoundsFile
from interpreter.workshop.tuning.self_play import SelfPlayRules, score_of_game
from interpreter.workshop.tuning.tuner import Tuner
from interpreter.workshop.tuning.weights import EvaluationWeights

MIN_GAMES = 8
CHECK_SHARE = 4
"""One game in this number is played by the new weights against the old ones, after the tuning."""


class _Tuning(NamedTuple):
    """A run of the command: the ruleset's weights, the games to play, and the file to write."""

    scenario: Scenario
    weights: EvaluationWeights
    rules: SelfPlayRules
    tuner: Tuner
    path: Path
    identity: dict[str, Any]
    workers: int

    def overlay(self, values: Sequence[int]) -> str:
        """Returns the overlay with these weights."""
        ruleset = self.scenario.ruleset.name
        return self.weights.overlay(values, f"{ruleset}_tuned", f"Evaluation tuned by {self.identity['player']}")


def run(arguments: Namespace, output: Output) -> int:
    """Tunes the weights, checks them against the old ones, writes the overlay, and prints what has changed.

    Raises:
        BicorneError: if the ruleset is missing or wrong, has no weights, or a rule fails.
        UsageError: for a player that does not look ahead, too few games, or a file that can't be written.
    """
    if arguments.games < MIN_GAMES:
        raise UsageError(f"--games {arguments.games} is too few to learn from; at least {MIN_GAMES} are needed")
    tuning = _prepared(arguments)
    checks = max(1, arguments.games // CHECK_SHARE // GAMES_PER_ROUND)
    rounds = arguments.games // GAMES_PER_ROUND - checks
    file = RoundsFile(tuning.path.with_name(f"{tuning.path.name}.part"), tuning.identity)
    with _games(tuning) as pair:
        try:
            _tune(tuning, pair, rounds, file, output)
            results = _checked(tuning, pair, checks, output)
        except KeyboardInterrupt:
            _write(tuning)
            _print_weights(tuning, output)
            output.message(
                f"\n{tuning.tuner.rounds} of {rounds} rounds played; {tuning.path} holds the weights so far, and the "
                "same command continues"
            )
            raise
    _write(tuning)
    file.remove()
    _print_weights(tuning, output)
    _print_results(tuning, rounds, results, output)
    return OK


def _prepared(arguments: Namespace) -> _Tuning:
    options = read_options(arguments.option)
    scenario = open_scenario(arguments.scenario, options, arguments.path)
    ruleset = scenario.ruleset
    name, budget = parse_player(arguments.player, AUTOMATIC)
    if name == "random" or budget.endswith("s") or (name == "search" and not budget):
        raise UsageError(
            f"the player '{arguments.player}' can't tune; take greedy, or search with a number of trials (search:100)"
        )
    weights = EvaluationWeights(ruleset, read_ruleset(ruleset.folder))
    before = [each.value for each in weights.weights]
    path = Path(arguments.out or f"{ruleset.name}_tuned.yaml")
    check_writable(path)
    identity = {
        "scenario": scenario.name,
        "ruleset_hash": ruleset.hash,
        "player": arguments.player,
        "seed": arguments.seed,
        "weights": before,
    }
    where = (str(ruleset.folder), *arguments.path)
    rules = SelfPlayRules(str(scenario.path), tuple(sorted(options.items())), where, arguments.player)
    workers = min(GAMES_PER_ROUND, arguments.workers or default_workers())
    return _Tuning(scenario, weights, rules, Tuner(before, arguments.seed), path, identity, workers)


# ---------------------------------------------------------------- games
@contextmanager
def _games(tuning: _Tuning) -> Iterator[Any]:
    """Yields a function that plays a pair of games with sides changed, and returns both results of the first."""
    if tuning.workers < 2:
        yield lambda one, other, seed: [
            score_of_game(tuning.rules, one, other, seed, changed) for changed in (False, True)
        ]
        return
    with worker_processes(tuning.workers) as pool:

        def played(one: str, other: str, seed: str) -> list[int]:
            rules = tuning.rules
            futures = [pool.submit(score_of_game, rules, one, other, seed, changed) for changed in (False, True)]
            return [each.result() for each in futures]

        yield played


def _tune(tuning: _Tuning, pair: Any, rounds: int, file: RoundsFile, output: Output) -> None:
    """Plays the rounds that are not in the file yet."""
    tuner = tuning.tuner
    for score in file.read()[:rounds]:
        tuner.learn(score / GAMES_PER_ROUND)
    for _ in tracked(range(tuner.rounds, rounds), rounds - tuner.rounds, f"tuning {tuning.scenario.name}", output):
        one, other = tuner.candidates()
        score = 0
        if one != other:
            score = sum(pair(tuning.overlay(one), tuning.overlay(other), tuner.seed()))
        file.add(score)
        tuner.learn(score / GAMES_PER_ROUND)


def _checked(tuning: _Tuning, pair: Any, checks: int, output: Output) -> list[int]:
    """Returns the results of games between the new weights and the old ones."""
    values, before = tuning.tuner.values(), tuning.identity["weights"]
    if values == before:
        return []
    found: list[int] = []
    play = partial(pair, tuning.overlay(values), tuning.overlay(before))
    for number in tracked(range(checks), checks, "comparing with the old weights", output):
        found += play(f"{tuning.identity['seed']}/check/{number}")
    return found


# ---------------------------------------------------------------- output
def _write(tuning: _Tuning) -> None:
    try:
        with replacing(tuning.path) as new:
            new.write_text(tuning.overlay(tuning.tuner.values()), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{tuning.path} cannot be written: {error.strerror}") from error


def _print_weights(tuning: _Tuning, output: Output) -> None:
    pairs = zip(tuning.weights.weights, tuning.tuner.values(), strict=True)
    rows = [(each.path, f"{each.value}", f"{value}") for each, value in pairs if value != each.value]
    output.table(("weight", "before", "after"), rows, right=(1, 2))


def _print_results(tuning: _Tuning, rounds: int, results: list[int], output: Output) -> None:
    won, lost = results.count(1), results.count(-1)
    low, high = wilson(won, won + lost) if won + lost else (0.0, 1.0)
    if results:
        output.line(
            f"new against old weights: {won} won, {lost} lost, {results.count(0)} even; "
            f"{low:.0%} – {high:.0%} of decided games won, with 95 % confidence",
            "bold",
        )
        if low <= 1 / 2:
            output.line("this is no evidence that the new weights are better; play more games with --games N", "yellow")
    else:
        output.line("no weight has changed", "yellow")
    output.line(f"{tuning.path} written; use it as --with {tuning.path}")
    values = tuning.tuner.values()
    weights = [
        {"path": each.path, "before": each.value, "after": value}
        for each, value in zip(tuning.weights.weights, values, strict=True)
    ]
    output.document(
        {
            "scenario": tuning.scenario.name,
            "player": tuning.identity["player"],
            "seed": tuning.identity["seed"],
            "rounds": rounds,
            "weights": weights,
            "won": won,
            "lost": lost,
            "even": results.count(0),
            "low": low,
            "high": high,
            "overlay": str(tuning.path),
        }
    )
