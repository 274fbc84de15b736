"""`bicorne replay`: a log or save read again, every state of it verified."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from interpreter.cli.output import FINDINGS, OK, Output
from interpreter.cli.sources import open_recorded
from interpreter.language.diagnostics import RuleFault, UsageError
from interpreter.play.recording import Recording, first_difference, header_of, resume

_SAVE = b"SQLite format 3\0"


def run(arguments: Namespace, output: Output) -> int:
    """Replays a file; 1 if it comes to another state than the one recorded, which is told with its step.

    Raises:
        UsageError: if the file is no whole log or save, or its ruleset or scenario is not here.
        RulesetError: if its ruleset is no longer sound.
    """
    recording = read_recording(Path(arguments.file))
    header = recording.header
    source = open_recorded(header, arguments.path)
    changes = header.differences(header_of(source, header.seed))
    for each in changes:
        output.person(f"note: other than when it was played: {each}", "yellow")
    mismatch, state = _replayed(recording, source)
    if mismatch is None:
        output.line(f"{arguments.file}: {len(recording.steps)} steps replayed, every state is as recorded", "green")
        output.line(f"State: {state}")
    else:
        output.line(f"{arguments.file}: {mismatch}", "red")
    output.document(_data(arguments.file, recording, changes, mismatch, state))
    return OK if mismatch is None else FINDINGS


def read_recording(path: Path) -> Recording:
    """The game in a log or a save, verified as a file.

    Raises:
        UsageError: if it is neither, or not whole.
    """
    try:
        with path.open("rb") as file:
            first = file.read(len(_SAVE))
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}") from error
    if first == _SAVE:
        from interpreter.play.saves import Save  # noqa: PLC0415 - a log needs no database

        with Save.open(path) as save:
            return save.recording
    from interpreter.play.logfile import read_log  # noqa: PLC0415 - as above

    return read_log(path)


def _replayed(recording: Recording, source: Any) -> tuple[str | None, str | None]:
    """Where the game comes out differently, and the state that it comes to."""
    try:
        game = resume(recording, source, force=True, checked=True)
    except RuleFault as fault:
        return f"the game can't be played again: {fault.diagnostic.message} ({fault.diagnostic.place})", None
    return first_difference(recording, game), game.hash()


def _data(
    file: str, recording: Recording, changes: list[str], mismatch: str | None, state: str | None
) -> dict[str, Any]:
    return {
        "ok": mismatch is None,
        "file": file,
        "header": recording.header.data(),
        "steps": len(recording.steps),
        "changes": changes,
        "mismatch": mismatch,
        "state": state,
        "result": recording.result,
    }
