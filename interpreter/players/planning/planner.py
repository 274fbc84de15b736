"""Looking for the best course of play from a decision on, and keeping to it while the game goes as foreseen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from interpreter.play.engine.decision import Decision
from interpreter.play.engine.marks import Mark
from interpreter.play.game import Game
from interpreter.play.inputs.inputs import ANSWER, SINGLE
from interpreter.players.planning.evaluation import Evaluator
from interpreter.players.planning.mast import MoveAverages
from interpreter.players.planning.priors import drawn
from interpreter.players.planning.rollouts import Answer, Plan, PlannedAnswer, Rollouts, position_of
from interpreter.players.planning.untraced_twin import UntracedTwin

TRIALS_PER_SAMPLE = 6
"""So many trials are made for each throw of the dice that the most promising course is tried under."""
MIN_SAMPLES = 2
"""Under so many dice a course is tried before it is dropped, unless it leaves nothing to chance."""
MAX_SAMPLES = 12
"""Under so many dice a course is tried at most."""

Left = Callable[[int], bool]
"""Whether there may be another trial after so many."""


class Planner:
    """Looks for the best course that begins with each option, and takes the option whose course is the best of all.

    A course is bettered by variants of it. A variant takes its place if it does better under the same dice, throw after
    throw; the course that promises most is tried under more throws the longer the search goes on. What is left of a
    course when its first answer was given is the first to be tried at the seat's next decision.
    """

    def __init__(self, seat: str, random: Random, steps: int) -> None:
        self._judge = Evaluator(seat)
        self._random = random
        self._steps = steps
        self._habits = MoveAverages()
        self._beside = UntracedTwin()
        self._courses: list[Plan] = []
        """The best one known for each option, as far as one was tried; the option is their first answer."""
        self._taken: Plan | None = None
        self._outlook: Rollouts
        self._leant: list[float] = []
        """The weights of the options."""
        self._stream = ""
        self._mark: Mark | None = None
        self._left: Left
        self._trials = 0

    def choose(self, game: Game, left: Left, left_where_foreseen: Left | None = None) -> int:
        """The position of the option that the best course begins with; any option where nothing may be tried.

        `left_where_foreseen` says how long to look on where nothing has happened but what the last look foresaw.
        """
        game = self._beside.of(game)
        decision = game.decision
        assert decision is not None
        self._trials, self._left = 0, left
        if self._look_from(game) and left_where_foreseen is not None:
            self._left = left = left_where_foreseen
        for option in self._untried(decision):
            if left(self._trials):
                self._challenge([option])
        while self._courses and left(self._trials):
            if not self._prove():
                self._challenge(self._variant(self._weaker_or_best().answers))
        self._mark = game.mark()
        self._taken = max(self._courses, key=self._promise, default=None)
        if self._taken is None:
            return int(self._random.random() * len(decision.options))
        return self._taken.answers[0][2]

    # ------------------------------------------------------------ from decision to decision
    def _look_from(self, game: Game) -> bool:
        """Looks from a new decision, with what is left of the course so far if it can still be gone on with.

        Whether things went as foreseen.
        Where nothing has happened since but what the seat itself answered, what it was worth is still true.
        """
        decision, taken = game.decision, self._taken
        assert decision is not None
        rest = [] if taken is None else taken.answers[1:]
        at = position_of(rest[0], decision) if rest else None
        foreseen = at is not None and self._as_foreseen(game)
        if not foreseen:
            self._stream = str(self._random.getrandbits(48))
        self._outlook = Rollouts(game, self._judge, self._steps, self._stream)
        self._leant = self._outlook.leant()
        self._courses = []
        if at is not None and taken is not None:
            rest[0] = (*rest[0][:2], at)
            if foreseen:
                self._courses.append(Plan(rest, taken.worths, taken.stages[1:]))
            elif self._left(0):
                self._courses.append(self._run(rest, 0))
        return foreseen

    def _as_foreseen(self, game: Game) -> bool:
        mark, records = self._mark, game.inputs.records
        if mark is None or not mark.still(records) or mark.step != len(game.steps) - 1:
            return False
        return all(each[0] in (ANSWER, SINGLE) and each[3] == self._judge.seat for each in records[mark.inputs :])

    def _untried(self, decision: Decision) -> list[int]:
        tried = {each.answers[0][2] for each in self._courses}
        options = [each for each in range(len(decision.options)) if each not in tried and self._leant[each]]
        self._random.shuffle(options)
        return options

    # ------------------------------------------------------------ courses
    def _weaker_or_best(self) -> Plan:
        """Which course to better next: as often the best as any, the likelier the more it is leant to."""
        draw = self._random.random
        if draw() < 0.5:
            return max(self._courses, key=self._promise)
        return self._courses[drawn([self._leant[each.answers[0][2]] for each in self._courses], draw)]

    def _challenge(self, answers: Sequence[PlannedAnswer]) -> None:
        """Tries a course, and if it stood better on the way than in the end, also as it would be if it ended there."""
        tried = self._run(answers, 0)
        self._compare(tried)
        if (cut := tried.cut()) is not None and self._left(self._trials):
            self._compare(self._run(cut, 0))

    def _prove(self) -> bool:
        """Tries the course that promises most under further dice, if it is better known than tried; whether it was."""
        best = max(self._courses, key=self._promise)
        wanted = min(MAX_SAMPLES, 1 + self._trials // TRIALS_PER_SAMPLE)
        if best.tried(wanted):
            return False
        self._throw(best, len(best.worths) + 1)
        return True

    def _best_of(self, course: Plan) -> Plan:
        """The best course known that begins as this one does; itself if it is the first."""
        return next((each for each in self._courses if each.answers[0][2] == course.answers[0][2]), course)

    def _compare(self, challenger: Plan) -> None:
        """Puts a course in the place of the best of its beginning if it did better, or as well and is shorter."""
        best = self._best_of(challenger)
        if best is challenger:
            self._courses.append(challenger)
            return
        certain = best.certain and challenger.certain
        needed = 1 if certain else min(len(best.worths) + 1, MAX_SAMPLES)
        least = 1 if certain else MIN_SAMPLES
        dice = 1
        while dice < (needed if _leads(challenger, best, dice) else least) and self._left(self._trials):
            dice += 1
            self._throw(challenger, dice)
            self._throw(best, dice)
        if dice >= needed and _leads(challenger, best, dice):
            self._courses[self._courses.index(best)] = challenger

    def _throw(self, course: Plan, dice: int) -> None:
        """Sees to it that a course has been tried under so many dice."""
        while not course.tried(dice):
            course.worths += self._run(course.answers, len(course.worths)).worths

    def _variant(self, answers: Sequence[Answer]) -> Sequence[PlannedAnswer]:
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

    def _run(self, answers: Sequence[PlannedAnswer], dice: int) -> Plan:
        self._trials += 1
        course = self._outlook.run(answers, dice, self._pick)
        self._habits.learn(course)
        return course

    def _promise(self, course: Plan) -> tuple[float, int, float]:
        """What a course may be expected to come to; of equals the shorter is the better, then the one leant to."""
        return sum(course.worths) / len(course.worths), -len(course.answers), self._leant[course.answers[0][2]]

    def _pick(self, decision: Decision) -> int:
        return self._habits.any(decision, self._outlook.leanings.weights(decision), self._random.random)


def _leads(challenger: Plan, best: Plan, dice: int) -> bool:
    """Whether a course did better under so many dice, or as well in fewer answers."""
    lead = challenger.total(dice) - best.total(dice)
    return lead > 0 or (not lead and len(challenger.answers) < len(best.answers))
