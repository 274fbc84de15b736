"""Two people at one pseudo-terminal: plays a game with answers at random, and finds what a screen gives away.

PYTHONPATH=$PWD:tests/support python tests/support/hot_seat.py ruleset/scenario SAVE [seed] [answers]
"""

from __future__ import annotations

import os
import pty
import re
import select
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from soak import load

from interpreter import Game
from interpreter.cli.recorded_games import read_recording
from interpreter.play.inputs.inputs import ANSWER
from interpreter.play.views.visibility import Visibility, seat_by_id

ROOT = Path(__file__).resolve().parents[2]
CLEARED = "\x1b[2J"
READY, PROMPT, MORE = "ready ", "?] ", "more: Enter, q to stop "
_OPTION = re.compile(r"^ +(\d+)  ", re.MULTILINE)
_NUMBERS = re.compile(r"from (\d+) to (\d+), \?\] $")
_STYLE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
SECONDS = 300
"""How long a silent program is waited for before the session is given up."""


def play_at_terminal(scenario: str, save: Path, seed: int, answers: int) -> list[str]:
    """Plays at a pseudo-terminal with a person for each seat; returns what is on the screen at each question.

    The last screen is that of the end, if the game ends within this number of answers.
    """
    seats = [part for each in Game(load(scenario), seed).seats for part in ("--seat", f"{each}=human")]
    words = ["-m", "interpreter", "play", scenario, "--seed", str(seed), *seats, "--save", str(save)]
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(PYTHONPATH=str(ROOT), COLUMNS="140", LINES="50", TERM="xterm")
        os.execv(sys.executable, [sys.executable, *words])
    chance, screens = Random(seed), []
    while (text := _read(terminal)) is not None:
        screen = _STYLE.sub("", text.rpartition(CLEARED)[2])
        if text.endswith(READY):
            os.write(terminal, b"\n")
            continue
        screens.append(screen)
        numbers = _OPTION.findall(screen)
        if (span := _NUMBERS.search(screen)) is not None:
            numbers = [str(each) for each in range(int(span[1]), int(span[2]) + 1)]
        if len(screens) > answers or not text.endswith(PROMPT) or not numbers:
            break
        os.write(terminal, f"{chance.choice(numbers)}\n".encode())
    os.close(terminal)
    os.waitpid(process, 0)
    return screens


def _read(terminal: int) -> str | None:
    """Returns the output up to the next question, all its screens, or to the end; none if there is nothing more."""
    text = ""
    while not text.endswith((READY, PROMPT)):
        if not select.select([terminal], [], [], SECONDS)[0]:
            break
        try:
            part = os.read(terminal, 65_536)
        except OSError:  # the program has ended
            break
        if not part:
            break
        text += part.decode("utf-8", "replace")
        if text.endswith(MORE):
            os.write(terminal, b"\n")
    return text or None


def names_given_away(scenario: str, seed: int, save: Path, screens: Sequence[str], kind: str) -> Iterator[str]:
    """Yields the names of pieces of a kind on screens of seats that could not see them, now or since their last screen.

    The numbers of a screen and an answer are those of the question. The screen after the last answer, if there is one,
    is that of the seat that gave it: there the game is over.
    """
    inputs = read_recording(save).inputs
    asked = [at for at, each in enumerate(inputs) if each[0] == ANSWER]
    game = Game(load(scenario), seed, inputs=inputs[: asked[0]])
    names = {each: game.source.wording.of(each) for each in game.core.world.all_of(kind)}
    known: dict[str, set[Any]] = {seat: set() for seat in game.seats}
    asked_seat = ""
    for number, screen in enumerate(screens):
        asked_seat = asked_seat if game.decision is None else game.decision.seat
        for seat in game.seats:
            sight = Visibility(game.core, seat_by_id(game.core, seat))
            known[seat] |= {each for each in names if not sight.hides(each)}
        for each in names.keys() - known[asked_seat]:
            if re.search(rf"\b{re.escape(names[each])}\b", screen):
                yield f"{names[each]} on screen {number + 1}, of {asked_seat}"
        sight = Visibility(game.core, seat_by_id(game.core, asked_seat))
        known[asked_seat] = {each for each in names if not sight.hides(each)}
        if number < len(asked):
            game.feed(inputs[: (*asked, len(inputs))[number + 1]])


def main() -> None:
    """Plays a session, and prints its length and what it gives away."""
    scenario, save, seed = sys.argv[1], Path(sys.argv[2]), int((sys.argv[3:4] or ["0"])[0])
    screens = play_at_terminal(scenario, save, seed, int((sys.argv[4:5] or ["100000"])[0]))
    Path(f"{save}.txt").write_text("\n======\n".join(screens), encoding="utf-8")
    print(len(screens), "screens;", list(names_given_away(scenario, seed, save, screens, "card")))


if __name__ == "__main__":
    main()
