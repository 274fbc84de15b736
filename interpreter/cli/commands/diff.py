"""`bicorne diff`: what overlays change in a ruleset, in its own terms; can write the changed ruleset."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from interpreter.cli.arguments import read_options
from interpreter.cli.limited_work import limited
from interpreter.cli.open import scenarios_for
from interpreter.cli.output import OK, Output
from interpreter.cli.progress import tracked
from interpreter.cli.streams import terminal_size
from interpreter.language.diagnostics import UsageError
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.diff.diff import ExampleChange, Result, RulesetDiff, changed_examples, diff, example_results
from interpreter.workshop.diff.render import difference_lines
from interpreter.workshop.diff.write_ruleset import check_folder, write_effective
from interpreter.workshop.examples.run_examples import list_examples

_DEFAULT_COLUMNS = 160
"""The width of lines if the output is not a terminal."""


def run(arguments: Namespace, output: Output) -> int:
    """Prints the differences, and writes the changed ruleset if asked to.

    Raises:
        BicorneError: if the ruleset or an overlay is missing or wrong, or the folder can't be written.
    """
    if not arguments.overlays:
        raise UsageError("name at least one overlay: bicorne diff RULESET --with OVERLAY")
    folder = Path(arguments.write) if arguments.write else None
    if folder is not None:
        check_folder(folder)
    options = read_options(arguments.option)
    after = load_ruleset(arguments.ruleset, arguments.overlays, options, arguments.path)
    before = _without_overlays(after, options)
    scenarios = list(scenarios_for(after.folder, arguments.path)[1].values())
    found = diff(before, after, scenarios)
    if arguments.examples:
        with limited(arguments.budget):
            found = replace(found, examples=_changed_examples(before, after, output))
    _print_diff(found, output)
    written = {}
    if folder is not None:
        files = write_effective(after, scenarios, folder)
        output.line(f"written to {folder}: {len(files)} files, ruleset hash {after.hash[:12]}")
        written = {"written": {"folder": str(folder), "files": [each.as_posix() for each in files]}}
    output.document(found.as_json() | written)
    return OK


def _without_overlays(after: Ruleset, options: Mapping[str, object]) -> Ruleset:
    """Returns the ruleset without overlays, with those of the options that it has."""
    own = load_ruleset(after.folder)
    known = {name for name, _ in own.image.options}
    return load_ruleset(after.folder, options={name: each for name, each in options.items() if name in known})


def _changed_examples(before: Ruleset, after: Ruleset, output: Output) -> tuple[ExampleChange, ...]:
    total = len(list_examples(before)) + len(list_examples(after))
    results: tuple[dict[str, Result], dict[str, Result]] = ({}, {})
    both = (
        (each, *result)
        for each, ruleset in zip(results, (before, after), strict=True)
        for result in example_results(ruleset)
    )
    for into, name, result in tracked(both, total, f"testing {after.name} without and with", output):
        into[name] = result
    return changed_examples(*results)


def _print_diff(found: RulesetDiff, output: Output) -> None:
    applied = ", ".join([each.id for each in found.after.layers])
    count = len(found.differences)
    output.line(f"{found.after.name} {found.after.version} under {applied}: {_count_of(count, 'difference')}", "bold")
    columns, _ = terminal_size() or (_DEFAULT_COLUMNS, 0)
    if count:
        output.line()
    for line in difference_lines(found.differences, columns):
        output.line(line.text, line.style)
    output.line()
    if found.clauses:
        output.line(f"clauses touched: {', '.join(found.clauses)}")
    if found.examples is None:
        return
    changed = len(found.examples)
    examples = _count_of(changed, "worked example") if changed else "no worked example"
    output.line(f"{examples} {'have' if changed > 1 else 'has'} another result")
    for each in found.examples:
        output.line(f"  {each.name}: {each.summary}", "red" if each.after else None)
        for message in each.after or ():
            output.line(f"    {message.splitlines()[0]}", "dim")


def _count_of(count: int, noun: str) -> str:
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"
