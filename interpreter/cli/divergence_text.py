"""The report of where a replayed game diverges from its record, and of the rule changes that cause it."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.cli.output import Output
from interpreter.language.diagnostics import Place
from interpreter.play.replay.follower import ChangedOptions
from interpreter.workshop.impact.changes import RuleChange
from interpreter.workshop.impact.replay_under import ReplayResult
from interpreter.workshop.impact.root_cause import ALONE, NEEDED, Cause
from interpreter.workshop.report_data import source_text


def print_divergence(file: str, found: ReplayResult, output: Output) -> None:
    """Prints where a game diverges from its record, and the cause."""
    divergence = found.divergence
    assert divergence is not None
    output.line(f"{file}: {matching_length(found)} as recorded, then", "bold")
    output.line(f"{divergence}", "red")
    output.line(f"  then: {divergence.was}")
    output.line(f"  now:  {divergence.now}")
    if found.cause is not None:
        _print_cause(found.cause, output)
    print_changed_options(found.changed_options, output)
    if not found.compared:
        output.note("the rules that the game was played under are not available for comparison")
    if found.without_changes is not None:
        output.note(f"under the present rules without these changes, the game diverges at {found.without_changes}")


def matching_length(found: ReplayResult) -> str:
    """Returns the length of the part of a game that is as recorded."""
    return f"{found.steps} step{'' if found.steps == 1 else 's'}, {found.inputs} rolls and answers"


def _print_cause(cause: Cause, output: Output) -> None:
    if cause.was or cause.now:
        where = "" if cause.exact else "inside "
        output.line(f"First difference: {where}{cause.reading}", "bold")
        for word, text, place in zip(("then:", "now: "), (cause.was, cause.now), cause.places, strict=True):
            output.line(f"  {word} {text or 'nothing'}{_place_suffix(place)}")
    if not cause.changes:
        output.line("No rule change was identified as the cause", "bold")
        return
    output.line(_cause_heading(cause), "bold")
    for each in cause.changes:
        output.line(f"  {change_text(each)}")


def _cause_heading(cause: Cause) -> str:
    if len(cause.changes) == 1:
        return "Cause:"
    if cause.attribution == ALONE:
        return "Cause (any one suffices):"
    if cause.attribution == NEEDED:
        return "Joint cause (all are needed):"
    return "Joint cause:" if cause.exact else "Cause undetermined, one of:"


def change_text(change: RuleChange) -> str:
    """Returns the text of a change, with the overlay that made it."""
    return f"{change}, overlay {change.overlay}" if change.overlay else str(change)


def _place_suffix(place: Place | None) -> str:
    return f"  ({source_text(place)})" if place is not None else ""


def print_changed_options(offers: Sequence[ChangedOptions], output: Output) -> None:
    """Prints how many decisions had different options, and the first of them."""
    if offers:
        first = offers[0]
        count = "One decision" if len(offers) == 1 else f"{len(offers)} decisions"
        at = f"in turn {first.turn}, step {first.step} ({first.path}): '{first.address}'"
        output.line(f"{count} had different options, the first {at}")
