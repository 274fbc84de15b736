"""Courses of play: what a seat would answer from a decision on, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from interpreter.play.engine.decision import Decision
from interpreter.play.engine.lookahead import speculating
from interpreter.play.game import Game
from interpreter.play.inputs.dice import Dice
from interpreter.play.inputs.value_codec import Stable, encode
from interpreter.players.planning.determinization import Determinizer
from interpreter.players.planning.evaluation import Evaluator
from interpreter.players.planning.priors import USUAL, Leanings, drawn

LIMIT = 600
"""Decisions after which a course is valued where it stands."""

Answer = tuple[int, Stable, int]
"""What was asked, by the number of its site; the stable form of what is answered; its position among the options."""

PlannedAnswer = Answer | int | None
"""An answer, the position of an option, or any."""
Pick = Callable[[Decision], int]
"""Takes any option: its position."""


@dataclass(slots=True)
class Plan:
    """The seat's own answers in order, and what came of them under the first dice, the second, and so on."""

    answers: list[Answer]
    worths: list[float]
    stages: list[float]
    """What the position was worth before each answer and after the last, under the first dice."""
    certain: bool = False
    """Whether nothing was left to chance or to others, so that it comes to the same under all dice."""

    def total(self, dice: int) -> float:
        """What it came to under the first so many dice, in all."""
        return self.worths[0] * dice if self.certain else sum(self.worths[:dice])

    def tried(self, dice: int) -> bool:
        """Whether it is known what it comes to under so many dice."""
        return self.certain or len(self.worths) >= dice

    def cut(self) -> list[PlannedAnswer] | None:
        """The same course ended where it stood best, by the last answer that it gave to the question there.

        None if it stood best at its end, or before it began.
        """
        at = max(range(len(self.stages)), key=self.stages.__getitem__)
        if not 0 < at < len(self.answers):
            return None
        site = self.answers[at][0]
        ending = next(each for each in reversed(self.answers) if each[0] == site)
        return [*self.answers[:at], ending]


class Rollouts:
    """One decision from which courses are tried out, each to the end of so many further steps.

    What the seat can't know is made up first, so that no look ahead tells it anything. The same number of dice gives
    every course the same dice, the same answers of the other seats and the same made-up position.
    """

    def __init__(self, game: Game, judge: Evaluator, steps: int, stream: str) -> None:
        self._game = game
        self._judge = judge
        self._last = len(game.steps) + steps
        self._stream = stream
        self._unknown = Determinizer(game, judge.seat)
        self.leanings = Leanings(game)

    def leant(self) -> list[float]:
        """The weights of the options of the decision itself, which what the seat can't know has no part in."""
        game, draw = self._game, Random(f"{self._stream}/leanings").random  # noqa: S311 - a guess, not a secret
        asked = game.decision
        assert asked is not None
        if not self._unknown:
            return self.leanings.weights(asked)
        with speculating(game, self._stream):
            self._unknown.make_up(game, draw)
            decision = game.decision
            if decision is not None and len(decision.options) == len(asked.options):
                return self.leanings.weights(decision)
        return [USUAL] * len(asked.options)

    def run(self, answers: Sequence[PlannedAnswer], dice: int, pick: Pick) -> Plan:
        """Plays on by these answers, as far as the questions come up, and by any to all others.

        The course is what was answered in the end, worth what it came to.
        """
        seed = f"{self._stream}/{dice}"
        others = Random(seed).random  # noqa: S311 - a guess, not a secret
        game, seat = self._game, self._judge.seat
        made: list[Answer] = []
        wanted = list(answers)
        stages: list[float] = []
        certain = not self._unknown
        self._judge.begin()
        with speculating(game, seed):
            self._unknown.make_up(game, others)
            for _ in range(LIMIT):
                decision = game.decision
                if decision is None or len(game.steps) > self._last:
                    break
                if decision.seat == seat:
                    stages.append(self._judge.worth_on_the_way(game))
                    number = _next(wanted, decision)
                    number = pick(decision) if number is None else number
                    made.append((decision.site.number, encode(decision.options[number]), number))
                    game.choose_index(number)
                else:
                    certain = False
                    game.choose_index(drawn(self.leanings.weights(decision), others))
            worth = self._judge.worth(game)
            dice_used = game.chance.dice
            certain = certain and isinstance(dice_used, Dice) and not dice_used.drawn
            return Plan(made, [worth], [*stages, worth], certain)


def _next(wanted: list[PlannedAnswer], decision: Decision) -> int | None:
    """The position of what is wanted next, which is then done with; none for any.

    What is wanted of a question that does not come up waits, until what was wanted after it can be given.
    """
    if wanted and (wanted[0] is None or isinstance(wanted[0], int)):
        return wanted.pop(0)  # type: ignore[return-value]
    for number, each in enumerate(wanted):
        if each is None or isinstance(each, int):
            return None
        if each[0] == decision.site.number:
            found = position_of(each, decision)
            if found is not None or number == 0:
                del wanted[: number + 1]
                return found
    return None


def position_of(wanted: Answer, decision: Decision) -> int | None:
    """Where an answer stands among the options, if it is one of them."""
    if wanted[0] != decision.site.number:
        return None
    _, stable, number = wanted
    options = decision.options
    if number < len(options) and encode(options[number]) == stable:
        return number
    return next((at for at, each in enumerate(options) if encode(each) == stable), None)
