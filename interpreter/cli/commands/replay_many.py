"""A report of many recorded games, replayed under other rules."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from interpreter.cli.output import FINDINGS, OK, Output
from interpreter.cli.progress import tracked
from interpreter.cli.recorded_games import make_rereader, open_laid, read_recording
from interpreter.language.diagnostics import BicorneError, RulesetError, UsageError
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.simulation.processes import usual_workers, worker_processes
from interpreter.workshop.impact.replay_under import Impact, ImpactReplayer, ReplayResult
from interpreter.workshop.report_data import place_text

_MOST_FILES = 3
_MANY = 12
"""Files from which on further processes are worth starting."""


def report(arguments: Namespace, output: Output) -> int:
    """Reads many games again; 1 if any parts from its record or is refused.

    Raises:
        UsageError: if there are no files, or an overlay isn't here.
        RulesetError: if an overlay is not sound.
    """
    files, impact = [str(each) for each in _files(arguments.files)], Impact()
    if not files:
        raise UsageError(f"there are no saves or logs in {' and '.join(arguments.files)}")
    job = (open_laid(arguments), tuple(arguments.without), tuple(arguments.path))
    workers = min(arguments.workers or (1 if len(files) < _MANY else usual_workers()), len(files))
    done = _read_in_processes(job, files, workers) if workers > 1 else _read_here(job, files)
    for file, found, refused in tracked(done, len(files), "reading games again", output):
        if found is None:
            impact.refused[file] = refused
        else:
            impact.found[file] = found
    _say(impact, output)
    output.document(_data(impact))
    return OK if not impact.diverged and not impact.refused else FINDINGS


Job = tuple[tuple[OverlayFile, ...], tuple[str, ...], tuple[str, ...]]
"""Overlays to lay on, ids of those to take off, folders of rulesets."""
Done = tuple[str, ReplayResult | None, str]
"""A file, what was found or none, and why it was refused."""


def _read_here(job: Job, files: Sequence[str]) -> Iterator[Done]:
    reader = make_rereader(*job)
    for each in files:
        yield _read(reader, each)


def _read_in_processes(job: Job, files: Sequence[str], workers: int) -> Iterator[Done]:
    """The same over worker processes, in order.

    Raises:
        BicorneError: if an overlay is not sound, or a worker is killed.
    """
    make_rereader(*job)  # what is wrong with an overlay is said once
    with worker_processes(workers, _begin, job) as pool:
        yield from pool.map(_read_there, files)


_READERS: list[ImpactReplayer] = []
"""In a worker process: its own."""


def _begin(job: Job) -> None:
    _READERS.append(make_rereader(*job))


def _read_there(file: str) -> Done:
    return _read(_READERS[-1], file)


def _read(reader: ImpactReplayer, file: str) -> Done:
    """A file read again; what it held of the game itself is not kept."""
    try:
        return file, replace(reader.reread(read_recording(Path(file))), game=None), ""
    except BicorneError as error:
        return file, None, _brief(error)


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
            reasons.setdefault(_without_place(why, file), []).append(file)
        output.table(
            ("refused because", "games", "for instance"), [_row(*each) for each in reasons.items()], right=(1,)
        )


def _without_place(why: str, file: str) -> str:
    """A reason that is the same for every file that it stops."""
    return re.sub(rf"{re.escape(file)}:\d+: ", "", why).replace(file, "it")


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
