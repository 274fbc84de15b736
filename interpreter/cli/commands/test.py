"""`bicorne test`: runs the worked examples of rulesets."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from interpreter.cli.arguments import read_options
from interpreter.cli.output import FINDINGS, OK, Output
from interpreter.cli.progress import tracked
from interpreter.language.diagnostics import MAX_LISTED, UsageError, number_of
from interpreter.play.engine.quota import Quota, QuotaSpentError
from interpreter.rules.loading.load import load_ruleset
from interpreter.workshop.examples.run_examples import ExampleReport, each_example, list_examples
from interpreter.workshop.report_data import citation_suffix

DEFAULT_BUDGET = 300.0
"""The CPU seconds of all examples together."""


def run(arguments: Namespace, output: Output) -> int:
    """Runs the examples of the given rulesets, or of all installed; returns 1 if any fails.

    Raises:
        BicorneError: if a ruleset is missing or wrong, or has no example with a given name.
    """
    reports: list[ExampleReport] = []
    not_run: list[str] = []
    reason = ""
    quota = Quota(arguments.budget or DEFAULT_BUDGET)
    for name in arguments.rulesets or _all(arguments.path):
        ruleset = load_ruleset(name, arguments.overlays, read_options(arguments.option), arguments.path)
        names = arguments.only or [each.name for each in list_examples(ruleset)]
        done = len(reports)
        try:
            with quota.applied():
                for report in tracked(each_example(ruleset, names), len(names), f"testing {ruleset.name}", output):
                    reports.append(report)
                    _print_report(report, output)
        except QuotaSpentError as error:
            reason = str(error)
            not_run += [f"{ruleset.name}/{each}" for each in names[len(reports) - done :]]
    failed = sum(not each.passed for each in reports)
    output.line(_summary(reports, failed), "red" if failed else "green")
    if not_run:
        output.line(_not_run_text(not_run, reason), "red")
    ok = not failed and not not_run
    data = {"ok": ok, "examples": [each.as_json() for each in reports], "not_run": not_run, "reason": reason or None}
    output.document(data)
    return OK if ok else FINDINGS


def _not_run_text(not_run: Sequence[str], reason: str) -> str:
    """Returns which examples were not run, and what to do about it."""
    more = f" and {len(not_run) - MAX_LISTED:,} more" if len(not_run) > MAX_LISTED else ""
    return (
        f"{number_of(len(not_run), 'example')} not run, because {reason}: {', '.join(not_run[:MAX_LISTED])}{more}; "
        "run some alone with --only EXAMPLE, or give more time with --budget SECONDS"
    )


def _all(paths: Sequence[str]) -> list[str]:
    from interpreter.rules.documents.discovery import list_rulesets  # noqa: PLC0415 - reads YAML

    names = [each.name for each in list_rulesets(paths)]
    if not names:
        raise UsageError("there is no ruleset to test; give a name, a folder, or --path DIR")
    return names


def _print_report(report: ExampleReport, output: Output) -> None:
    if report.passed:
        clauses = citation_suffix(report.cites)
        says = f": {report.says}" if report.says else ""
        output.line(f"holds  {report.ruleset}/{report.name}{says}{clauses}")
    else:
        output.lines(f"FAILS  {report}", "red")


def _summary(reports: Sequence[ExampleReport], failed: int) -> str:
    if not reports:
        return "no examples"
    ran = f"{len(reports)} example{'' if len(reports) == 1 else 's'}"
    return f"{ran}: {failed} {'does' if failed == 1 else 'do'} not hold" if failed else f"{ran}: all hold"
