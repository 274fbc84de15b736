"""`bicorne mutate`: small wrong changes to a ruleset, and which of them nothing notices."""

from __future__ import annotations

from argparse import Namespace
from random import Random

from interpreter.cli.output import FINDINGS, OK, Output
from interpreter.cli.progress import tracked
from interpreter.language.diagnostics import with_hint
from interpreter.rules.loading.load import load_ruleset
from interpreter.simulation.processes import usual_workers
from interpreter.workshop.mutation.run_mutants import Trial, list_mutants, try_mutants


def run(arguments: Namespace, output: Output) -> int:
    """Tries the changes and lists those that no example and no invariant notices.

    Raises:
        BicorneError: if the ruleset isn't there or isn't sound, or no rule has the path given.
    """
    ruleset = load_ruleset(arguments.ruleset, paths=arguments.path)
    known = list_mutants(ruleset)
    numbers = _chosen(known, arguments)
    workers = min(arguments.workers or usual_workers(), max(1, len(numbers) // 4))
    found: list[Trial] = []
    try:
        found.extend(tracked(try_mutants(ruleset, numbers, workers), len(numbers), "changing rules", output))
    except KeyboardInterrupt:
        _list(found, arguments, output)
        output.person(f"\n{len(found):,} of {len(numbers):,} changes were tried")
        raise
    trials = _list(found, arguments, output)
    noticed = sum(each.noticed for each in trials)
    score = 100 * noticed / len(trials) if trials else 100.0
    left = len(found) - len(trials)
    output.line(
        f"{noticed} of {len(trials)} changes noticed: {score:.1f} %"
        + (f" ({left} more were no ruleset)" if left else ""),
        "bold",
    )
    low = arguments.least is not None and score < arguments.least
    output.document(
        {
            "ruleset": ruleset.name,
            "changes": len(trials),
            "noticed": noticed,
            "not_sound": left,
            "score": round(score, 2),
            "ok": not low,
            "trials": [each.as_json() for each in trials],
        }
    )
    if low:
        output.person(f"fewer than {arguments.least:g} % were noticed: write examples for those above", "red")
    return FINDINGS if low else OK


def _list(found: list[Trial], arguments: Namespace, output: Output) -> list[Trial]:
    """Tells what was not noticed; gives all that count, in order."""
    trials = sorted((each for each in found if each.counted), key=lambda each: each.number)
    for each in trials:
        if arguments.all or not each.noticed:
            output.line(_told(each), None if each.noticed else "yellow")
    return trials


def _chosen(known: dict[int, str], arguments: Namespace) -> list[int]:
    numbers = [number for number, path in known.items() if path.startswith(arguments.only or "")]
    if not numbers:
        entries = {"/".join(path.split("/")[:2]) for path in known.values()}
        raise with_hint(f"there is nothing to change under '{arguments.only}'", arguments.only or "", entries)
    if arguments.sample and arguments.sample < len(numbers):
        numbers = Random(arguments.seed).sample(numbers, arguments.sample)  # noqa: S311 - a sample, not a secret
    return numbers


def _told(each: Trial) -> str:
    change = f"{each.place}: {each.path}: {each.was} -> {each.becomes}"
    return f"{change}  noticed by {each.by}" if each.noticed else f"{change}  unnoticed"
