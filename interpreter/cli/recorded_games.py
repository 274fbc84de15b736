"""Opens recorded games, and makes the replayer that runs them under other rules."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.open import open_recorded
from interpreter.language.diagnostics import UsageError
from interpreter.language.plain_files import open_plain
from interpreter.play.records.recording import Header, Recording
from interpreter.play.wording.message import LANGUAGES

if TYPE_CHECKING:
    from interpreter.play.records.recording import RecordedGame
    from interpreter.rules.documents.overlay_files import OverlayFile
    from interpreter.rules.loading.ruleset import Scenario
    from interpreter.workshop.impact.replay_under import ImpactReplayer

_SAVE = b"SQLite format 3\0"


def read_recording(path: Path) -> Recording:
    """Returns the game in a log or a save, after checking the file.

    Raises:
        UsageError: if it is neither, or is damaged.
    """
    with open_plain(path) as file:
        first = file.read(len(_SAVE))
    if first == _SAVE:
        from interpreter.play.records.save_reader import read_save  # noqa: PLC0415 - a log needs no database

        return read_save(path).recording
    from interpreter.play.records.logfile import read_log  # noqa: PLC0415 - as above

    return read_log(path)


def language_of(header: Header, arguments: Namespace) -> str:
    """Returns the language that is asked for, else that of the record, if there are messages in it, else the first."""
    language = arguments.language or ("" if header.seating is None else header.seating.language)
    return language if language in LANGUAGES else LANGUAGES[0]


def open_game(file: str, paths: Sequence[str], language: str = "en", *, trace: bool = False) -> RecordedGame:
    """Returns the game of a log or a save at its last decision, under its recorded rules.

    Raises:
        BicorneError: if the file is neither or is damaged, or its ruleset is missing or has changed.
    """
    from interpreter.play.engine.source import source_of  # noqa: PLC0415 - other commands read only the recording
    from interpreter.play.records.recording import named_in_errors, resume  # noqa: PLC0415 - as above

    recording = read_recording(Path(file))
    with named_in_errors(file):
        scenario = open_recorded(recording.header, paths)
        try:
            return resume(recording, source_of(scenario, language), trace=trace)
        except UsageError as error:
            raise UsageError(f"{error}\nif its ruleset is in another folder, give that folder with --path") from error


def read_overlays(arguments: Namespace) -> tuple[OverlayFile, ...]:
    """Returns the overlays of a command line.

    Raises:
        UsageError: if an overlay is not found.
    """
    from interpreter.rules.documents.overlay_files import open_overlays  # noqa: PLC0415 - only for other rules

    return open_overlays(arguments.overlays, None, arguments.path)


def make_replayer(
    overlays_applied: Sequence[OverlayFile], without: Sequence[str], paths: Sequence[str], language: str = "en"
) -> ImpactReplayer:
    """Returns a replayer of games under these overlays and without the overlays named in `without`.

    Rulesets are searched in `paths` first. What differs is described in the `language`.

    Raises:
        RulesetError: if an overlay has mistakes.
    """
    from interpreter.workshop.impact.replay_under import ImpactReplayer  # noqa: PLC0415 - only for other rules

    def opener(header: Header, overlays: Sequence[OverlayFile], loose: bool) -> Scenario:
        return open_recorded(header, paths, overlays, loose=loose)

    return ImpactReplayer(opener, overlays_applied, without, language)
