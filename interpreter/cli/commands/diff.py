"""`bicorne diff`: what overlays change in a ruleset, in its own terms; and the changed ruleset written out whole."""

from __future__ import annotations

import shutil
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from interpreter.cli.arguments import read_options
from interpreter.cli.open import scenarios_for
from interpreter.cli.output import OK, Output
from interpreter.cli.progress import tracked
from interpreter.language.diagnostics import UsageError
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.diff.diff import ExampleChange, Result, RulesetDiff, changed_examples, diff, example_results
from interpreter.workshop.diff.render import difference_lines
from interpreter.workshop.diff.write_ruleset import write_effective
from interpreter.workshop.examples.run_examples import list_examples

_COLUMNS = 160
"""Where nobody's terminal says how wide a line may be."""


def run(arguments: Namespace, output: Output) -> int:
    """Tells the differences, and writes the changed ruleset if that is asked for.

    Raises:
        BicorneError: if the ruleset or an overlay isn't there or isn't sound, or the folder can't be written.
    """
    if not arguments.overlays:
        raise UsageError("name at least one overlay: bicorne diff RULESET --with OVERLAY")
    options = read_options(arguments.option)
    after = load_ruleset(arguments.ruleset, arguments.overlays, options, arguments.path)
    before = _bare(after, options)
    scenarios = list(scenarios_for(after.folder, arguments.path)[1].values())
    found = diff(before, after, scenarios)
    if arguments.examples:
        found = replace(found, examples=_examples(before, after, output))
    _say(found, output)
    written = {}
    if arguments.write:
        folder = Path(arguments.write)
        files = write_effective(after, scenarios, folder)
        output.line(f"written to {folder}: {len(files)} files, ruleset hash {after.hash[:12]}")
        written = {"written": {"folder": str(folder), "files": [each.as_posix() for each in files]}}
    output.document(found.as_json() | written)
    return OK


def _bare(after: Ruleset, options: Mapping[str, object]) -> Ruleset:
    """The ruleset without its overlays, under those of the options that it knows."""
    own = load_ruleset(after.folder)
    known = {name for name, _ in own.image.options}
    return load_ruleset(after.folder, options={name: each for name, each in options.items() if name in known})


def _examples(before: Ruleset, after: Ruleset, output: Output) -> tuple[ExampleChange, ...]:
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


def _say(found: RulesetDiff, output: Output) -> None:
    laid = ", ".join([each.id for each in found.after.layers])
    count = len(found.differences)
    output.line(f"{found.after.name} {found.after.version} under {laid}: {_counted(count, 'difference')}", "bold")
    columns = shutil.get_terminal_size((_COLUMNS, 0)).columns if output.on_terminal else _COLUMNS
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
    told = _counted(changed, "worked example") if changed else "no worked example"
    output.line(f"{told} come{'' if changed > 1 else 's'} out otherwise")
    for each in found.examples:
        output.line(f"  {each.name}: {each.says}", "red" if each.after else None)
        for message in each.after or ():
            output.line(f"    {message.splitlines()[0]}", "dim")


def _counted(count: int, noun: str) -> str:
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"
