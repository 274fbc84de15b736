"""The report of where a replayed game diverges from its record, and of the rule changes that cause it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.cli.output import Output
from interpreter.language.diagnostics import Place
from interpreter.play.replay.follower import ChangedOptions
from interpreter.play.wording import divergence_messages
from interpreter.play.wording.message import Message
from interpreter.workshop.impact.changes import RuleChange
from interpreter.workshop.impact.replay_under import ReplayResult
from interpreter.workshop.impact.root_cause import ALONE, NEEDED, Cause
from interpreter.workshop.report_data import source_text

Say = Callable[..., str]
"""Formats a message in the language of the report."""


def print_divergence(file: str, found: ReplayResult, output: Output) -> None:
    """Prints where a game diverges from its record, and the cause, in the language of the replay."""
    divergence = found.divergence
    assert divergence is not None
    assert found.game is not None
    words = found.game.source.wording
    say = words.say
    message = divergence_messages.STEPS_AS_RECORDED
    output.line(say(message, file=file, steps=found.steps, inputs=found.inputs), "bold")
    output.line(divergence.text(words.language), "red")
    output.line(f"  {say(divergence_messages.WAS, text=divergence.was)}")
    output.line(f"  {say(divergence_messages.NOW, text=divergence.now)}")
    if found.cause is not None:
        _print_cause(found.cause, say, output)
    print_changed_options(found.changed_options, say, output)
    if not found.compared:
        output.note(say(divergence_messages.NOT_COMPARED))
    if found.without_changes is not None:
        where = found.without_changes.text(words.language)
        output.note(say(divergence_messages.ALSO_WITHOUT, where=where))


def _print_cause(cause: Cause, say: Say, output: Output) -> None:
    if cause.was or cause.now:
        first = divergence_messages.FIRST_DIFFERENCE
        if not cause.exact:
            first = divergence_messages.FIRST_DIFFERENCE_INSIDE
        output.line(say(first, reading=cause.reading), "bold")
        pairs = ((divergence_messages.WAS, cause.was), (divergence_messages.NOW, cause.now))
        for (message, text), place in zip(pairs, cause.places, strict=True):
            shown = text or say(divergence_messages.NOTHING)
            output.line(f"  {say(message, text=shown)}{_place_suffix(place)}")
    if not cause.changes:
        output.line(say(divergence_messages.NO_CAUSE), "bold")
        return
    output.line(say(_cause_heading(cause)), "bold")
    for each in cause.changes:
        output.line(f"  {_change_text(each, say)}")


def _cause_heading(cause: Cause) -> Message:
    if len(cause.changes) == 1:
        return divergence_messages.CAUSE
    if cause.attribution == ALONE:
        return divergence_messages.CAUSE_ANY
    if cause.attribution == NEEDED:
        return divergence_messages.CAUSES_NEEDED
    return divergence_messages.CAUSES_JOINT if cause.exact else divergence_messages.CAUSE_UNDETERMINED


def _change_text(change: RuleChange, say: Say) -> str:
    """Returns the text of a change, with the overlay that made it."""
    if not change.overlay:
        return str(change)
    return say(divergence_messages.OF_OVERLAY, change=change, overlay=change.overlay)


def _place_suffix(place: Place | None) -> str:
    return f"  ({source_text(place)})" if place is not None else ""


def print_changed_options(offers: Sequence[ChangedOptions], say: Say, output: Output) -> None:
    """Prints how many decisions had different options, and the first of them."""
    if offers:
        first = offers[0]
        message = divergence_messages.ONE_OTHER_OPTIONS if len(offers) == 1 else divergence_messages.OTHER_OPTIONS
        at = {"turn": first.turn, "step": first.step, "path": first.path, "address": first.address}
        output.line(say(message, count=len(offers), **at))
