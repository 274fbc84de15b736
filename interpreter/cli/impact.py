"""What other rules make of recorded games, in words: where one parts from its record and why, and a report of many."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from interpreter.cli.output import FINDINGS, OK, Output
from interpreter.cli.progress import tracked
from interpreter.language.diagnostics import BicorneError, Place, RulesetError, UsageError
from interpreter.play.following import Offer
from interpreter.workshop.causes import Cause
from interpreter.workshop.changes import Change
from interpreter.workshop.reporting import place_text
from interpreter.workshop.rereading import Impact, Reread

_MOST_FILES = 3


# ---------------------------------------------------------------- one game
def say_parting(file: str, found: Reread, output: Output) -> None:
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


def so_far(found: Reread) -> str:
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
    several = "by these together" if cause.exact else "by one of these"
    output.line("by" if len(cause.changes) == 1 else several, "bold")
    for each in cause.changes:
        output.line(f"  {change_text(each)}")


def change_text(change: Change) -> str:
    """A change with who made it."""
    return f"{change}, overlay {change.overlay}" if change.overlay else str(change)


def _at(place: Place | None) -> str:
    return f"  ({place_text(place)})" if place is not None else ""


def say_offers(offers: Sequence[Offer], output: Output) -> None:
    """Decisions with other options."""
    if offers:
        first = offers[0]
        count = "One decision" if len(offers) == 1 else f"{len(offers)} decisions"
        at = f"in turn {first.turn}, step {first.step} ({first.path}): '{first.address}'"
        output.line(f"{count} on the way had other options, the first {at}")


# ---------------------------------------------------------------- many games
def report(arguments: Namespace, output: Output) -> int:
    """Reads many games again; 1 if any parts from its record or is refused.

    Raises:
        UsageError: if there are no files, or an overlay isn't here.
        RulesetError: if an overlay is not sound.
    """
    from interpreter.cli.replaying import make_rereader, read_recording  # noqa: PLC0415 - it calls this module

    rereader, impact = make_rereader(arguments), Impact()
    files = list(_files(arguments.files))
    if not files:
        raise UsageError(f"there are no saves or logs in {' and '.join(arguments.files)}")
    for file in tracked(files, len(files), "reading games again", output):
        try:
            impact.add(str(file), rereader.reread(read_recording(file)))
        except BicorneError as error:
            impact.refused[str(file)] = _brief(error)
    _say(impact, output)
    output.document(_data(impact))
    return OK if not impact.diverged and not impact.refused else FINDINGS


def _files(named: Sequence[str]) -> Iterator[Path]:
    """The files that are named, and those in folders that are."""
    for each in map(Path, named):
        if each.is_dir():
            yield from sorted(inner for inner in each.iterdir() if inner.is_file() and not inner.name.startswith("."))
        else:
            yield each


def _brief(error: BicorneError) -> str:
    """What was wrong, in one line."""
    if isinstance(error, RulesetError):
        first = error.diagnostics[0]
        return f"{place_text(first.place)}: {first.message}"
    return str(error).split("\n", 1)[0]


def _say(impact: Impact, output: Output) -> None:
    games = len(impact.found) + len(impact.refused)
    output.line(f"{games} games read again: {_counts(impact)}", "bold")
    if impact.diverged:
        output.line()
        groups = impact.by(lambda each: "unknown" if each.cause is None else each.cause.label)
        output.table(("first cause", "games", "for instance"), [_row(*each) for each in groups], right=(1,))
        output.line()
        groups = impact.by(lambda each: "" if each.parting is None else each.parting.path or "the set-up")
        output.table(("step", "games", "for instance"), [_row(*each) for each in groups], right=(1,))
        output.line()
        turns = impact.by(lambda each: "0" if each.parting is None else str(each.parting.turn))
        rows = [(turn, str(len(files))) for turn, files in sorted(turns, key=lambda pair: int(pair[0]))]
        output.table(("turn", "games"), rows, right=(0, 1))
    if impact.refused:
        output.line()
        reasons: dict[str, list[str]] = {}
        for file, why in impact.refused.items():
            reasons.setdefault(why.replace(file, "it"), []).append(file)
        output.table(
            ("refused because", "games", "for instance"), [_row(*each) for each in reasons.items()], right=(1,)
        )


def _counts(impact: Impact) -> str:
    others = len(impact.with_other_options)
    same = f"{len(impact.unchanged)} stay as they were" + (f" ({others} with other options)" if others else "")
    refused = f", {len(impact.refused)} refused" if impact.refused else ""
    return f"{same}, {len(impact.diverged)} part from their records{refused}"


def _row(what: str, files: Sequence[str]) -> tuple[str, str, str]:
    named = ", ".join([Path(each).name for each in files[:_MOST_FILES]])
    return what, str(len(files)), named + (" …" if len(files) > _MOST_FILES else "")


def _data(impact: Impact) -> dict[str, Any]:
    return {
        "games": len(impact.found) + len(impact.refused),
        "unchanged": len(impact.unchanged),
        "with_other_options": len(impact.with_other_options),
        "diverged": len(impact.diverged),
        "refused": len(impact.refused),
        "causes": {name: len(files) for name, files in impact.by(lambda each: each.cause.label if each.cause else "")},
        "files": {file: each.as_json() for file, each in impact.found.items()},
        "errors": impact.refused,
    }
