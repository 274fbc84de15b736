"""Saved games: one SQLite database for each game, whose file is replaced as a whole; edited files are refused.

Tables: `meta` (the header), `inputs` (each with its step and a digest over it and all earlier ones), `steps` (path,
digest of the state, digest over it and all earlier ones), `snapshots` (whole states), `head` (the counts, so that a
truncation is noticed). The inputs of the unfinished step are saved too.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from interpreter.language.diagnostics import UsageError
from interpreter.play.game import Game
from interpreter.play.inputs.inputs import Input
from interpreter.play.records.owned_file import OwnedFile
from interpreter.play.records.recording import (
    Header,
    RecordedGame,
    Recording,
    as_recorded,
    check_continued,
    named_in_errors,
    resume,
)
from interpreter.play.records.save_database import MAX_SAVE_BYTES, SaveDatabase
from interpreter.play.records.save_journal import remove_journal
from interpreter.play.records.save_reader import SavedGame, read_save

SNAPSHOT_EVERY = 50
_WHAT = "save"


class Save:
    """The save file of a game, from `create` or `open`; a context manager that gives it up."""

    def __init__(self, path: Path, saved: SavedGame) -> None:
        self.path = path
        self._saved = saved
        self._file: OwnedFile | None = None
        self._database: SaveDatabase | None = None

    # ------------------------------------------------------------ making and opening
    @classmethod
    def create(cls, path: str | Path, game: Game) -> Save:
        """Creates the file of a game with its present state, and locks it.

        Raises:
            UsageError: if the file exists or can't be written.
        """
        target, recording = Path(path), as_recorded(game).recording
        save = cls(target, SavedGame(recording, b""))
        with save._new_content(recording) as content:
            save._file = OwnedFile.create(_WHAT, target, content)
        return save

    @classmethod
    def open(cls, path: str | Path) -> Save:
        """Opens a save and verifies all of it; nothing is written, and other sessions may have the file, until `lock`.

        Raises:
            UsageError: if the file is not a complete, unedited save of a known format.
        """
        return cls(Path(path), read_save(Path(path)))

    def __enter__(self) -> Save:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Gives the file up."""
        if self._file is not None:
            self._file.close()
        self._file = self._database = None

    # ------------------------------------------------------------ reading
    @property
    def header(self) -> Header:
        """The header of the saved game."""
        return self.recording.header

    @property
    def recording(self) -> Recording:
        """The whole recording in the file."""
        return self._saved.recording

    def check(self, header: Header) -> None:
        """Checks that the saved game has this header.

        Raises:
            UsageError: with the differences.
        """
        if differences := self.header.differences(header):
            problem = f"{self.path} is the save of another game"
            if self.header.ruleset != header.ruleset or self.header.scenario != header.scenario:
                of = self.header.scenario or self.header.ruleset
                raise UsageError(f"{problem}, {of}; choose another path")
            raise UsageError(f"{problem}; it differs in {'; '.join(differences)}")

    def resume(self, source: Any, **more: Any) -> RecordedGame:
        """Resumes the saved game; see `recording.resume`.

        Raises:
            OtherRulesError: if it is a game of other rules.
            UsageError: if it does not reach the recorded states.
        """
        with named_in_errors(self.path):
            return resume(self.recording, source, snapshot_every=SNAPSHOT_EVERY, **more)

    # ------------------------------------------------------------ writing
    def lock(self) -> None:
        """Takes the file for this session alone, until `close`; it must be as it was when it was opened.

        Raises:
            UsageError: if another session has it or has changed it, or it can't be written.
        """
        if self._file is None:
            self._file = OwnedFile.take(_WHAT, self.path, self._saved.content)
            if self._saved.is_rolled_back:
                self._write(self.recording)
            remove_journal(self._file.path)

    def update(self, game: Game) -> None:
        """Updates the file to the game: adds new inputs and steps, and removes undone ones.

        A `RecordedGame` is saved at once; any other game is first replayed for the digests of its steps. After an error
        the file is as before.

        Raises:
            UsageError: if it is another game, another session has the file, or it can't be written.
        """
        now = as_recorded(game).recording
        self.check(now.header)
        self.lock()
        self._write(now)

    def _write(self, recording: Recording) -> None:
        assert self._file is not None
        with self._new_content(recording) as content:
            self._file.replace(content)

    @contextmanager
    def _new_content(self, recording: Recording) -> Iterator[bytes]:
        """Gives the content of the file for a recording, which is the saved one if writing it succeeds."""
        database, self._database = self._database or SaveDatabase(self.recording), None
        try:
            database.follow(recording)
        except sqlite3.Error as error:
            raise UsageError(f"cannot write the save {self.path}: {error}") from error
        if len(database.image) > MAX_SAVE_BYTES:
            raise UsageError(f"cannot write the save {self.path}: it would be larger than {MAX_SAVE_BYTES:,} bytes")
        yield database.image
        self._database, self._saved = database, SavedGame(database.recording, database.image)


def save_branch(
    path: str | Path, source: Any, header: Header, inputs: Sequence[Input], *, checked: bool = False
) -> None:
    """Makes a save of the first inputs of a recorded game with this header, to go on from there under `source`.

    The dice of the seed go on where those of the inputs end. `checked` checks the invariants after each step.

    Raises:
        UsageError: if the file exists already, or can't be written.
    """
    game = RecordedGame(
        source,
        header.seed,
        inputs=inputs,
        algorithm=header.algorithm,
        checked=checked,
        snapshot_every=SNAPSHOT_EVERY,
    )
    game.seating = header.seating
    Save.create(path, game).close()


def save_game(path: str | Path, game: Game) -> Save:
    """Saves a game to its file, which is created if it does not exist; returns the locked save.

    Raises:
        UsageError: if the file is no save of an earlier state of this game, another session has it, or it can't be
            written.
    """
    if not os.path.lexists(path):
        return Save.create(path, game)
    save, recorded = Save.open(path), as_recorded(game)
    save.check(recorded.header)
    check_continued(save.path, save.recording, recorded.recording)
    try:
        save.update(recorded)
    except BaseException:
        save.close()
        raise
    return save
