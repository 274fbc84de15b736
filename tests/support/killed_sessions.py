"""Kills sessions of `play --save` and `resume`, alone and in pairs on one save, and verifies the save after each kill.

A decision is committed when the next question is shown. A session is killed either by this process, when it has shown
some number of questions, or by itself, at a line of the code that writes saves: between any two system calls, and
between any two parts of a file. Half of the sessions that create a save are killed while they do it.

`python tests/support/killed_sessions.py 1000` kills that many sessions of each sort, and prints what it found.
"""

from __future__ import annotations

import io
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field, fields
from functools import cache
from io import FileIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from interpreter.cli.main import main as bicorne
from interpreter.language.diagnostics import UsageError
from interpreter.play.inputs.inputs import ANSWER, Input
from interpreter.play.records import owned_file
from interpreter.play.records.recording import RecordedGame, resume
from interpreter.play.records.save import Save
from interpreter.play.records.save_reader import read_save
from interpreter.rules.loading.load import load_scenario

TESTS = Path(__file__).resolve().parents[1]
QUESTION = b"?] "
GAMES = (("craps/standard", "ann", "bob"), ("breakthrough/standard", "white", "black"))
"""Scenarios, each with the seat of the person and that of the random player."""
MAX_QUESTIONS = 12
DEADLINE = 300
"""Seconds after which a session counts as stuck, and the system ends it."""
WRITING = ("/play/records/owned_file.py", "/play/records/save.py")
MAX_LINES = 600
"""How many lines of the code that writes saves a session runs at most before it kills itself."""
MAX_CREATION_LINES = 130
"""The same for a session that is to be killed while it creates a save, which takes a few lines less."""
PART = 8_192
"""How many bytes of a save are written at once."""
ANSWERS = b"1\n" * 300
REFUSALS = (b"is in use by another session", b"has changed since it was read")


# ---------------------------------------------------------------- sessions
class CountLines:
    """A trace function that counts the lines of the code that writes saves, and kills its process after a number."""

    def __init__(self, most: int = sys.maxsize) -> None:
        self.count, self._most = 0, most

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._count if frame.f_code.co_filename.endswith(WRITING) else None

    def _count(self, frame: FrameType, event: str, argument: Any) -> Any:
        if self.count == self._most:
            os.kill(os.getpid(), signal.SIGKILL)
        self.count += 1
        return self._count


class PartialFile(FileIO):
    """A file that takes only a part of what is written at once, as files of a network may."""

    def write(self, content: Any) -> int:
        """Writes the first bytes."""
        return super().write(content[:PART])


def kill_at_line(lines: int) -> None:
    """Lets this process kill itself after a number of lines of the code that writes saves."""
    owned_file.FileIO = PartialFile  # type: ignore[misc]
    sys.settrace(CountLines(lines))


def killed_at(lines: int, write: Callable[[], object]) -> bool:
    """Whether a forked process that does this, and nothing else, kills itself within a number of lines."""
    process = os.fork()
    if process == 0:
        signal.alarm(DEADLINE)
        try:
            kill_at_line(lines)
            write()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == -signal.SIGKILL


def moment_of(path: Path) -> str:
    """Returns what a killed session has left: whether there is a save, and whether a file is beside it."""
    beside = [each for each in path.parent.iterdir() if each != path]
    return ("a save" if path.exists() else "no save") + (" and a file beside it" if beside else "")


class Session:
    """A `bicorne` command in a process of its own, whose person types a fixed answer over and over."""

    def __init__(self, arguments: Sequence[str], lines: int | None) -> None:
        answers, self._input = os.pipe()
        self._output, output = os.pipe()
        self.shown = b""
        self._process = os.fork()
        if self._process == 0:
            _run(arguments, answers, output, lines)
        os.close(answers)
        os.close(output)
        os.write(self._input, ANSWERS)
        os.close(self._input)

    @property
    def questions(self) -> int:
        """How many questions the person has seen."""
        return self.shown.count(QUESTION)

    def read(self, questions: int) -> None:
        """Reads the output up to this number of questions, or its end."""
        while self.questions < questions and (data := os.read(self._output, 65536)):
            self.shown += data

    def kill(self) -> int:
        """Kills the process and reads the rest of its output; returns its exit code, negative if it was killed."""
        os.kill(self._process, signal.SIGKILL)
        return self.end()

    def end(self) -> int:
        """Reads the output to its end; returns the exit code, negative if it was killed."""
        self.read(sys.maxsize)
        os.close(self._output)
        return os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])


def _run(arguments: Sequence[str], answers: int, output: int, lines: int | None) -> None:
    """Runs a command in a forked process, which ends here."""
    code = 70
    signal.alarm(DEADLINE)
    try:
        for source, target in ((answers, 0), (output, 1), (output, 2)):
            os.dup2(source, target)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        if lines is not None:
            kill_at_line(lines)
        code = bicorne(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


# ---------------------------------------------------------------- saves
@dataclass(slots=True)
class Tally:
    """The number of kills and of each other ending of a session, and all problems."""

    kills: int = 0
    moments: Counter[str] = field(default_factory=Counter)
    """What the killed sessions left."""
    endings: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


class SavedGame:
    """A save in a folder of its own, and what it must at least contain."""

    def __init__(self, folder: Path, number: int) -> None:
        scenario, self._person, other = GAMES[number % len(GAMES)]
        self.folder = folder / str(number)
        self.folder.mkdir()
        self.path = self.folder / "game.save"
        self.source = load_scenario(scenario)
        self.inputs: tuple[Input, ...] = ()
        self.is_over = False
        self.new = ["play", scenario, "--seed", str(number)]
        self._more = ["--seat", f"{self._person}=human", "--seat", f"{other}=random", "--quiet"]

    def play(self, lines: int | None) -> Session:
        """Starts a session that creates the save."""
        return Session([*self.new, *self._more, "--save", str(self.path)], lines)

    def resume(self, lines: int | None) -> Session:
        """Starts a session that continues it."""
        return Session(["resume", str(self.path), *self._more], lines)

    def verify(self, sessions: Sequence[Session]) -> None:
        """Checks that the save opens, reaches its state, and has all that was there and all that was committed.

        Raises:
            UsageError: if it is refused.
            AssertionError: if something is lost.
        """
        committed = sum(max(0, each.questions - 1) for each in sessions)
        if not self.path.exists():
            assert not self.inputs
            assert not committed, "no save of what was committed"
            Save.create(self.path, RecordedGame(self.source, 1)).close()
            assert list(self.folder.iterdir()) == [self.path], "left-overs"
            self.is_over = True
            return
        recording = read_save(self.path).recording
        resume(recording, self.source)
        assert recording.inputs[: len(self.inputs)] == self.inputs, "other inputs than before"
        assert self._answers(recording.inputs) - self._answers(self.inputs) >= committed, "a committed decision is lost"
        with Save.open(self.path) as save:
            save.lock()
        assert list(self.folder.iterdir()) == [self.path], "left-overs"
        self.inputs, self.is_over = recording.inputs, recording.result is not None

    def _answers(self, inputs: Sequence[Input]) -> int:
        return sum(each[0] == ANSWER and each[3] == self._person for each in inputs)


# ---------------------------------------------------------------- kills
class Killer:
    """Starts, kills and verifies sessions at random."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.tally = Tally()
        self._folder = folder
        self._random = Random(seed)
        self._games = 0

    def kill_new(self, kills: int) -> None:
        """Kills sessions that create a save."""
        while self.tally.kills < kills:
            game = self._new_game()
            most = MAX_LINES if self._random.random() < 0.5 else MAX_CREATION_LINES
            self._verify(game, [self._stop(game, game.play, most)])

    def kill_resumed(self, kills: int) -> None:
        """Kills sessions that continue a save, one after another until the game is over."""
        while self.tally.kills < kills:
            game = self._started_game()
            while not game.is_over and self.tally.kills < kills:
                self._verify(game, [self._stop(game, game.resume)])

    def kill_pairs(self, kills: int) -> None:
        """Kills sessions of which two continue the same save at the same time."""
        while self.tally.kills < kills:
            game = self._started_game()
            while not game.is_over and self.tally.kills < kills:
                pair = [game.resume(self._lines()), game.resume(self._lines())]
                self._random.shuffle(pair)
                for each in pair:
                    each.read(self._random.randrange(MAX_QUESTIONS))
                    self._count(game, each, each.kill())
                self._verify(game, pair)

    def _new_game(self) -> SavedGame:
        self._games += 1
        return SavedGame(self._folder, self._games)

    def _started_game(self) -> SavedGame:
        game = self._new_game()
        Save.create(game.path, RecordedGame(game.source, self._games)).close()
        return game

    def _lines(self) -> int | None:
        """Returns for every second session the line at which it kills itself."""
        return self._random.randrange(MAX_LINES) if self._random.random() < 0.5 else None

    def _stop(self, game: SavedGame, start: Callable[[int | None], Session], most: int = MAX_LINES) -> Session:
        """Runs a session until it kills itself, or is killed at some question, or ends."""
        lines = self._random.randrange(most) if most < MAX_LINES else self._lines()
        session = start(lines)
        if lines is None:
            session.read(self._random.randrange(MAX_QUESTIONS))
        self._count(game, session, session.kill() if lines is None else session.end())
        return session

    def _count(self, game: SavedGame, session: Session, code: int) -> None:
        if code == -signal.SIGKILL:
            self.tally.kills += 1
            self.tally.moments[moment_of(game.path)] += 1
        elif code == 2 and any(each in session.shown for each in REFUSALS):
            self.tally.endings["refused: another session has it"] += 1
        elif code == 0:
            self.tally.endings["played to the end"] += 1
        else:
            self.tally.problems.append(f"exit code {code}: {session.shown[-500:].decode(errors='replace')}")

    def _verify(self, game: SavedGame, sessions: Sequence[Session]) -> None:
        try:
            game.verify(sessions)
        except (AssertionError, UsageError) as problem:
            self.tally.problems.append(f"{game.path} (game {self._games}): {problem}")
            game.is_over = True


SORTS: dict[str, Callable[[Killer, int], None]] = {
    "new": Killer.kill_new,
    "resumed": Killer.kill_resumed,
    "pairs": Killer.kill_pairs,
}


def main(kills: int, *sorts: str) -> None:
    """Kills this many sessions of each sort, or of the given sorts, and prints one JSON line for each."""
    os.environ["BICORNE_PATH"] = str(TESTS)
    for seed, sort in enumerate(sorts or SORTS):
        tally = kill_sessions(kills, sort, seed)
        found = {"sort": sort, **{each.name: getattr(tally, each.name) for each in fields(tally)}}
        sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
        sys.stdout.flush()


def kill_sessions(kills: int, sort: str, seed: int) -> Tally:
    """Kills this many sessions of a sort, or a few more, and returns what was found."""
    _import_all()
    with TemporaryDirectory() as folder:
        killer = Killer(Path(folder), seed)
        SORTS[sort](killer, kills)
    return killer.tally


@cache
def _import_all() -> None:
    """Plays and resumes a game, so that forked processes need not import or compile anything."""
    with TemporaryDirectory() as folder, redirect_stdout(io.StringIO()):
        for number in range(len(GAMES)):
            game = SavedGame(Path(folder), number)
            assert bicorne([*game.new, "--save", str(game.path), "--quiet", "--turns", "1"]) == 0
            assert bicorne(["resume", str(game.path), "--quiet", "--turns", "1"]) == 0


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
