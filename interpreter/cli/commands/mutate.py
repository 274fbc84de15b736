"""`bicorne mutate`: small wrong changes to a ruleset, and which of them nothing detects."""

from __future__ import annotations

from argparse import Namespace
from random import Random

from interpreter.cli.output import FINDINGS, OK, Output
from interpreter.cli.progress import tracked
from interpreter.language.diagnostics import UsageError, number_of, with_hint
from interpreter.play.engine.quota import QuotaSpentError
from interpreter.rules.loading.load import load_ruleset
from interpreter.simulation.processes import default_workers
from interpreter.workshop.mutation.run_mutants import Trial, list_mutants, try_mutants

FIRST_SECONDS, SECONDS_PER_CHANGE = 60.0, 10.0
"""The CPU seconds that each process has, if no budget is given."""


def run(arguments: Namespace, output: Output) -> int:
    """Tries the changes and lists those that no example and no invariant detects.

    Raises:
        BicorneError: if the ruleset is missing or wrong, or no rule has the given path.
    """
    ruleset = load_ruleset(arguments.ruleset, paths=arguments.path)
    mutants = list_mutants(ruleset)
    numbers = _chosen(mutants, arguments)
    workers = min(arguments.workers or default_workers(), max(1, len(numbers) // 4))
    seconds = arguments.budget or FIRST_SECONDS + SECONDS_PER_CHANGE * len(numbers)
    found: list[Trial] = []
    try:
        found.extend(tracked(try_mutants(ruleset, numbers, workers, seconds), len(numbers), "changing rules", output))
    except QuotaSpentError as error:
        raise UsageError(f"{error}; 'bicorne test {arguments.ruleset}' shows which examples take it") from error
    except KeyboardInterrupt:
        _print_trials(found, arguments, output)
        output.message(f"\n{len(found):,} of {len(numbers):,} changes tried")
        raise
    trials = _print_trials(found, arguments, output)
    noticed = sum(each.is_noticed for each in trials)
    score = 100 * noticed / len(trials) if trials else 100.0
    left = len(found) - len(trials)
    output.line(
        f"{noticed} of {len(trials)} changes detected: {score:.1f} %"
        + (f"; {number_of(left, 'invalid change')} not counted" if left else ""),
        "bold",
    )
    not_tried = sorted({*numbers} - {each.number for each in found})
    if not_tried:
        output.line(
            f"{number_of(len(not_tried), 'change')} not tried, because the budget of {seconds:,g} seconds is spent; "
            "give more time with --budget SECONDS, or try fewer with --sample N",
            "red",
        )
    low = arguments.least is not None and score < arguments.least
    output.document(
        {
            "ruleset": ruleset.name,
            "changes": len(trials),
            "noticed": noticed,
            "not_sound": left,
            "score": round(score, 2),
            "ok": not low and not not_tried,
            "not_tried": [mutants[number] for number in not_tried],
            "trials": [each.as_json() for each in trials],
        }
    )
    if low:
        output.message(f"less than {arguments.least:g} % detected; write examples for the changes listed above", "red")
    return FINDINGS if low or not_tried else OK


def _print_trials(found: list[Trial], arguments: Namespace, output: Output) -> list[Trial]:
    """Prints the undetected changes; returns all valid trials in order."""
    trials = sorted((each for each in found if each.is_valid), key=lambda each: each.number)
    for each in trials:
        if arguments.all or not each.is_noticed:
            output.line(_trial_text(each), None if each.is_noticed else "yellow")
    return trials


def _chosen(mutants: dict[int, str], arguments: Namespace) -> list[int]:
    numbers = [number for number, path in mutants.items() if path.startswith(arguments.only or "")]
    if not numbers:
        entries = {"/".join(path.split("/")[:2]) for path in mutants.values()}
        raise with_hint(f"there is nothing to change under '{arguments.only}'", arguments.only or "", entries)
    if arguments.sample and arguments.sample < len(numbers):
        numbers = Random(arguments.seed).sample(numbers, arguments.sample)  # noqa: S311 - a sample, not a secret
    return numbers


def _trial_text(each: Trial) -> str:
    change = f"{each.place}: {each.path}: {each.was} -> {each.becomes}"
    return f"{change}  detected by {each.by}" if each.is_noticed else f"{change}  undetected"
