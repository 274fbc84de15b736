"""Courses of play: what a seat would answer from a decision on, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from interpreter.play.answers import Stable, encode
from interpreter.play.decisions import Decision
from interpreter.play.explore import exploring
from interpreter.play.game import Game
from interpreter.players.hidden import Unknown
from interpreter.players.judging import Judge

LIMIT = 600
"""Decisions after which a course is valued where it stands."""

Answer = tuple[int, Stable, int]
"""What was asked, by the number of its site; the stable form of what is answered; its position among the options."""

Wanted = Answer | int | None
"""An answer, the position of an option, or any."""
Pick = Callable[[Decision], int]
"""Takes any option: its position."""


@dataclass(slots=True)
class Course:
    """The seat's own answers in order, and what came of them under the first dice, the second, and so on."""

    answers: list[Answer]
    worths: list[float] = field(default_factory=list)


class Outlook:
    """One decision from which courses are tried out, each to the end of so many further steps.

    What the seat can't know is made up first, so that no look ahead tells it anything. The same number of dice gives
    every course the same dice, the same answers of the other seats and the same made-up position.
    """

    def __init__(self, game: Game, judge: Judge, steps: int, stream: str) -> None:
        self._game = game
        self._judge = judge
        self._last = len(game.steps) + steps
        self._stream = stream
        self._unknown = Unknown(game, judge.seat)

    def run(self, answers: Sequence[Wanted], dice: int, pick: Pick) -> Course:
        """Plays on by these answers, where they can be given, and by any where they can't or are used up.

        The course is what was answered in the end, worth what it came to.
        """
        seed = f"{self._stream}/{dice}"
        others = Random(seed).random  # noqa: S311 - a guess, not a secret
        game, seat = self._game, self._judge.seat
        made: list[Answer] = []
        with exploring(game, seed):
            self._unknown.make_up(game, others)
            for _ in range(LIMIT):
                decision = game.decision
                if decision is None or len(game.steps) > self._last:
                    break
                if decision.seat == seat:
                    given = answer_to(decision, answers[len(made)] if len(made) < len(answers) else None, pick)
                    made.append(given)
                    game.choose_index(given[2])
                else:
                    game.choose_index(int(others() * len(decision.options)))
            return Course(made, [self._judge.worth(game)])


def answer_to(decision: Decision, wanted: Wanted, pick: Pick) -> Answer:
    """The wanted answer if it is one to this decision, else any."""
    number = wanted if isinstance(wanted, int) else position_of(wanted, decision)
    if number is None:
        number = pick(decision)
    return decision.site.number, encode(decision.options[number]), number


def position_of(wanted: Answer | None, decision: Decision) -> int | None:
    """Where an answer stands among the options, if it is one of them."""
    if wanted is None or wanted[0] != decision.site.number:
        return None
    _, stable, number = wanted
    options = decision.options
    if number < len(options) and encode(options[number]) == stable:
        return number
    return next((at for at, each in enumerate(options) if encode(each) == stable), None)
