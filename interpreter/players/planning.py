"""Looking for the best course of play from a decision on, and keeping to it while the game goes as foreseen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from interpreter.play.decisions import Decision
from interpreter.play.explore import Mark
from interpreter.play.game import Game
from interpreter.play.inputs import ANSWER, SINGLE
from interpreter.players.courses import Answer, Course, Outlook, Wanted, position_of
from interpreter.players.habits import Habits
from interpreter.players.judging import Judge

MOST_DICE = 12
"""Under so many dice a course is tried at most."""

Left = Callable[[int], bool]
"""Whether there may be another trial after so many."""


class Planner:
    """Looks for the best course that begins with each option, and takes the option whose course is the best of all.

    A course is bettered by variants of it. A variant takes its place if it does better under the same dice, throw after
    throw. What is left of a course when its first
    answer was given is the first to be tried at the seat's next decision.
    """

    def __init__(self, seat: str, random: Random, steps: int) -> None:
        self._judge = Judge(seat)
        self._random = random
        self._steps = steps
        self._habits = Habits()
        self._courses: list[Course] = []
        """The best one known for each option, as far as one was tried; the option is their first answer."""
        self._taken: Course | None = None
        self._outlook: Outlook
        self._stream = ""
        self._mark: Mark | None = None
        self._left: Left
        self._trials = 0

    def choose(self, game: Game, left: Left) -> int:
        """The position of the option that the best course begins with; any option where nothing may be tried."""
        decision = game.decision
        assert decision is not None
        self._trials, self._left = 0, left
        self._look_from(game)
        for option in self._untried(decision):
            if left(self._trials):
                self._challenge([option])
        while self._courses and left(self._trials):
            self._challenge(self._variant(self._weaker_or_best().answers))
        self._mark = game.mark()
        self._taken = max(self._courses, key=_promise, default=None)
        if self._taken is None:
            return int(self._random.random() * len(decision.options))
        return self._taken.answers[0][2]

    # ------------------------------------------------------------ from decision to decision
    def _look_from(self, game: Game) -> None:
        """Looks from a new decision, with what is left of the course so far if it can still be gone on with.

        Where nothing has happened since but what the seat itself answered, what it was worth is still true.
        """
        decision, taken = game.decision, self._taken
        assert decision is not None
        rest = [] if taken is None else taken.answers[1:]
        at = position_of(rest[0], decision) if rest else None
        foreseen = at is not None and self._as_foreseen(game)
        if not foreseen:
            self._stream = str(self._random.getrandbits(48))
        self._outlook = Outlook(game, self._judge, self._steps, self._stream)
        self._courses = []
        if at is not None and taken is not None:
            rest[0] = (*rest[0][:2], at)
            if foreseen:
                self._courses.append(Course(rest, taken.worths, taken.stages[1:]))
            elif self._left(0):
                self._courses.append(self._run(rest, 0))

    def _as_foreseen(self, game: Game) -> bool:
        mark, records = self._mark, game.inputs.records
        if mark is None or not mark.still(records) or mark.step != len(game.steps) - 1:
            return False
        return all(each[0] in (ANSWER, SINGLE) and each[3] == self._judge.seat for each in records[mark.inputs :])

    def _untried(self, decision: Decision) -> list[int]:
        tried = {each.answers[0][2] for each in self._courses}
        options = [each for each in range(len(decision.options)) if each not in tried]
        self._random.shuffle(options)
        return options

    # ------------------------------------------------------------ courses
    def _weaker_or_best(self) -> Course:
        """Which course to better next: as often the best as any."""
        draw = self._random.random
        if draw() < 0.5:
            return max(self._courses, key=_promise)
        return self._courses[int(draw() * len(self._courses))]

    def _challenge(self, answers: Sequence[Wanted]) -> None:
        """Tries a course, and if it stood better on the way than in the end, also as it would be if it ended there."""
        tried = self._run(answers, 0)
        self._compare(tried)
        if (cut := tried.cut()) is not None and self._left(self._trials):
            self._compare(self._run(cut, 0))

    def _best_of(self, course: Course) -> Course:
        """The best course known that begins as this one does; itself if it is the first."""
        return next((each for each in self._courses if each.answers[0][2] == course.answers[0][2]), course)

    def _compare(self, challenger: Course) -> None:
        """Puts a course in the place of the best of its beginning if it did better, or as well and is shorter."""
        best = self._best_of(challenger)
        if best is challenger:
            self._courses.append(challenger)
            return
        needed = min(len(best.worths) + 1, MOST_DICE)
        while len(challenger.worths) < needed and _leads(challenger, best) and self._left(self._trials):
            dice = len(challenger.worths)
            challenger.worths += self._run(challenger.answers, dice).worths
            if dice == len(best.worths):
                best.worths += self._run(best.answers, dice).worths
        if len(challenger.worths) >= needed and _leads(challenger, best):
            self._courses[self._courses.index(best)] = challenger

    def _variant(self, answers: Sequence[Answer]) -> Sequence[Wanted]:
        """The course with another answer somewhere, with one more or one less, or with any from there on."""
        draw = self._random.random
        at = int(draw() * len(answers))
        before, after = answers[:at], answers[at + 1 :]
        match int(draw() * 4):
            case 0:
                return [*before, None, *after]
            case 1:
                return [*before, None]
            case 2:
                return [*before, *after]
        return [*before, None, *answers[at:]]

    def _run(self, answers: Sequence[Wanted], dice: int) -> Course:
        self._trials += 1
        course = self._outlook.run(answers, dice, self._pick)
        self._habits.learn(course)
        return course

    def _pick(self, decision: Decision) -> int:
        return self._habits.any(decision, self._random.random)


def _promise(course: Course) -> tuple[float, int]:
    """What a course may be expected to come to; of equals the shorter is the better."""
    return sum(course.worths) / len(course.worths), -len(course.answers)


def _leads(challenger: Course, best: Course) -> bool:
    """Whether a course did better under the dice it has met, or as well in fewer answers."""
    lead = sum(challenger.worths) - sum(best.worths[: len(challenger.worths)])
    return lead > 0 or (not lead and len(challenger.answers) < len(best.answers))
