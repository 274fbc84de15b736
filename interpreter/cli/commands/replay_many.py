"""A report of many recorded games, replayed under other rules."""

from __future__ import annotations

import os
import re
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from interpreter.cli.output import FINDINGS, OK, Output
from interpreter.cli.progress import tracked
from interpreter.cli.recorded_games import make_replayer, read_overlays, read_recording
from interpreter.language.diagnostics import BicorneError, RulesetError, UsageError
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.documents.own_folder import resolved
from interpreter.simulation.processes import default_workers, worker_processes
from interpreter.workshop.impact.replay_under import Impact, ImpactReplayer, ReplayResult
from interpreter.workshop.report_data import source_text

_MAX_FILES_SHOWN = 3
_MIN_FILES_FOR_PROCESSES = 12
"""The number of files from which further processes are worth their start."""


def report(arguments: Namespace, output: Output) -> int:
    """Replays many games and prints a report; returns 1 if any diverges from its record or is refused.

    Raises:
        UsageError: if there are no files, or an overlay is missing.
        RulesetError: if an overlay has mistakes.
    """
    files, impact = list(_files(arguments.files)), Impact()
    if not files:
        raise UsageError(f"there are no saves or logs in {' and '.join(arguments.files)}")
    job = (read_overlays(arguments), tuple(arguments.without), tuple(arguments.path))
    workers = min(arguments.workers or (1 if len(files) < _MIN_FILES_FOR_PROCESSES else default_workers()), len(files))
    done = _replay_in_processes(job, files, workers) if workers > 1 else _replay_here(job, files)
    for file, found, refused in tracked(done, len(files), "replaying games", output):
        if found is None:
            impact.refused[file] = refused
        else:
            impact.found[file] = found
    _print_report(impact, output)
    output.document(_data(impact))
    return OK if not impact.diverged and not impact.refused else FINDINGS


Job = tuple[tuple[OverlayFile, ...], tuple[str, ...], tuple[str, ...]]
"""Overlays to add, ids of overlays to leave out, folders of rulesets."""
Found = tuple[str, Path | None]
"""A file, and the folder in which it was found; none if the file itself was named."""
Done = tuple[str, ReplayResult | None, str]
"""A file, its result or none, and why it was refused."""


def _replay_here(job: Job, files: Sequence[Found]) -> Iterator[Done]:
    replayer = make_replayer(*job)
    for each in files:
        yield _replay_file(replayer, *each)


def _replay_in_processes(job: Job, files: Sequence[Found], workers: int) -> Iterator[Done]:
    """Replays the files in worker processes; the results are in order.

    Raises:
        BicorneError: if an overlay has mistakes, or a worker is killed.
    """
    make_replayer(*job)  # reports mistakes in an overlay once
    with worker_processes(workers, _start_worker, job) as pool:
        yield from pool.map(_replay_in_worker, files)


_REPLAYERS: list[ImpactReplayer] = []
"""The replayer of a worker process."""


def _start_worker(job: Job) -> None:
    _REPLAYERS.append(make_replayer(*job))


def _replay_in_worker(found: Found) -> Done:
    return _replay_file(_REPLAYERS[-1], *found)


def _replay_file(replayer: ImpactReplayer, file: str, folder: Path | None) -> Done:
    """Replays a file, which no link may lead out of its folder; the result is returned without the game itself."""
    try:
        path = Path(file) if folder is None else resolved(Path(file), folder)
        return file, replace(replayer.replay(read_recording(path)), game=None), ""
    except BicorneError as error:
        return file, None, _one_line(error)


def _files(paths: Sequence[str]) -> Iterator[Found]:
    """Yields the files among the paths, and all that folders among them hold but further folders and hidden files.

    Raises:
        UsageError: if a folder can't be read.
    """
    for each in map(Path, paths):
        try:
            with os.scandir(each) as inside:
                names = [inner.name for inner in inside if not inner.is_dir(follow_symlinks=False)]
        except NotADirectoryError:
            yield str(each), None
        except FileNotFoundError as error:
            raise UsageError(f"there is no file {each}") from error
        except (OSError, ValueError) as error:  # `ValueError` for a NUL
            raise UsageError(f"{each} can't be read: {getattr(error, 'strerror', None) or error}") from error
        else:
            yield from [(str(each / name), each) for name in sorted(names) if not name.startswith(".")]


def _one_line(error: BicorneError) -> str:
    """Returns an error in one line."""
    if isinstance(error, RulesetError):
        first = error.diagnostics[0]
        return f"{source_text(first.place)}: {first.message}"
    return str(error).split("\n", 1)[0]


def _print_report(impact: Impact, output: Output) -> None:
    games = len(impact.found) + len(impact.refused)
    output.line(f"{games} game{'' if games == 1 else 's'} replayed: {_counts(impact)}", "bold")
    if impact.diverged:
        output.line()
        groups = impact.grouped_by(lambda each: "unknown" if each.cause is None else each.cause.label)
        output.table(("first cause", "games", "for example"), [_row(*each) for each in groups], right=(1,))
        output.line()
        groups = impact.grouped_by(lambda each: "" if each.divergence is None else each.divergence.path or "the set-up")
        output.table(("step", "games", "for example"), [_row(*each) for each in groups], right=(1,))
        output.line()
        turns = impact.grouped_by(lambda each: "0" if each.divergence is None else str(each.divergence.turn))
        rows = [(turn, str(len(files))) for turn, files in sorted(turns, key=lambda pair: int(pair[0]))]
        output.table(("turn", "games"), rows, right=(0, 1))
    if impact.refused:
        output.line()
        reasons: dict[str, list[str]] = {}
        for file, reason in impact.refused.items():
            reasons.setdefault(_general_reason(reason, file), []).append(file)
        output.table(("refused because", "games", "for example"), [_row(*each) for each in reasons.items()], right=(1,))


def _general_reason(reason: str, file: str) -> str:
    """Returns a reason without its file, so that equal reasons can be grouped."""
    return re.sub(rf"{re.escape(file)}:\d+: ", "", reason).replace(file, "it")


def _counts(impact: Impact) -> str:
    others = len(impact.with_other_options)
    same = f"{len(impact.unchanged)} unchanged" + (f" ({others} with other options)" if others else "")
    refused = f", {len(impact.refused)} refused" if impact.refused else ""
    diverged = len(impact.diverged)
    return f"{same}, {diverged} diverge{'s' if diverged == 1 else ''}{refused}"


def _row(what: str, files: Sequence[str]) -> tuple[str, str, str]:
    paths = ", ".join([Path(each).name for each in files[:_MAX_FILES_SHOWN]])
    return what, str(len(files)), paths + (" …" if len(files) > _MAX_FILES_SHOWN else "")


def _data(impact: Impact) -> dict[str, Any]:
    return {
        "games": len(impact.found) + len(impact.refused),
        "unchanged": len(impact.unchanged),
        "with_other_options": len(impact.with_other_options),
        "diverged": len(impact.diverged),
        "refused": len(impact.refused),
        "causes": {
            name: len(files) for name, files in impact.grouped_by(lambda each: each.cause.label if each.cause else "")
        },
        "files": {file: each.as_json() for file, each in impact.found.items()},
        "errors": impact.refused,
    }
