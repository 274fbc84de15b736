"""Where a replayed game diverges from its record, and the rule changes that cause it, in words."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.cli.output import Output
from interpreter.language.diagnostics import Place
from interpreter.play.migration.follower import ChangedOptions
from interpreter.workshop.impact.changes import RuleChange
from interpreter.workshop.impact.replay_under import ReplayResult
from interpreter.workshop.impact.root_cause import ALONE, NEEDED, Cause
from interpreter.workshop.report_data import place_text


def say_parting(file: str, found: ReplayResult, output: Output) -> None:
    """Where a game parts from its record, and by what."""
    parting = found.parting
    assert parting is not None
    output.line(f"{file}: {so_far(found)} as recorded, then", "bold")
    output.line(f"{parting}", "red")
    output.line(f"  then: {parting.was}")
    output.line(f"  now:  {parting.now}")
    if found.cause is not None:
        _say_cause(found.cause, output)
    say_offers(found.offers, output)
    if not found.compared:
        output.person("note: the rules that it was played under are not here to be compared with", "yellow")
    if found.plain is not None:
        output.person(f"note: under the present rules without the changes it parts at {found.plain}", "yellow")


def so_far(found: ReplayResult) -> str:
    """How much of a game was the same."""
    return f"{found.steps} step{'' if found.steps == 1 else 's'}, {found.inputs} rolls and answers"


def _say_cause(cause: Cause, output: Output) -> None:
    if cause.was or cause.now:
        where = "other answer is that of" if cause.exact else "difference is in"
        output.line(f"The first {where} {cause.reading}", "bold")
        for word, text, place in zip(("then:", "now: "), (cause.was, cause.now), cause.places, strict=True):
            output.line(f"  {word} {text or 'nothing'}{_at(place)}")
    if not cause.changes:
        output.line("No change of the rules could be named as the cause", "bold")
        return
    output.line(_by(cause), "bold")
    for each in cause.changes:
        output.line(f"  {change_text(each)}")


def _by(cause: Cause) -> str:
    if len(cause.changes) == 1:
        return "by"
    if cause.shown == ALONE:
        return "by each of these alone"
    if cause.shown == NEEDED:
        return "by these together: it takes all of them"
    return "by these together" if cause.exact else "by one of these"


def change_text(change: RuleChange) -> str:
    """A change with who made it."""
    return f"{change}, overlay {change.overlay}" if change.overlay else str(change)


def _at(place: Place | None) -> str:
    return f"  ({place_text(place)})" if place is not None else ""


def say_offers(offers: Sequence[ChangedOptions], output: Output) -> None:
    """Decisions with other options."""
    if offers:
        first = offers[0]
        count = "One decision" if len(offers) == 1 else f"{len(offers)} decisions"
        at = f"in turn {first.turn}, step {first.step} ({first.path}): '{first.address}'"
        output.line(f"{count} on the way had other options, the first {at}")
