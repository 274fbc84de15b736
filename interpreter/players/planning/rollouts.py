"""Plans and rollouts: a seat's answers from a decision on, and the values of the positions that they lead to."""

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
from interpreter.players.planning.held_answers import ShownAnswers
from interpreter.players.planning.horizon import Horizon
from interpreter.players.planning.priors import DEFAULT_WEIGHT, Draw, Priors, weighted_index

MAX_DECISIONS = 600
"""A rollout ends after this number of decisions, and its position there is valued."""

Answer = tuple[int, Stable, int]
"""The number of the question's site, the stable form of the answer, and its position among the options."""

PlannedAnswer = Answer | int | None
"""An answer, the position of an option, or None for any option."""
Pick = Callable[[Decision], int]
"""Returns the position of an option that no plan names."""
Continuation = Callable[[Game, Draw], float]
"""Plays on from the horizon, and returns the value of the position that is reached."""


@dataclass(slots=True)
class Plan:
    """The seat's own answers in order, and the final value under each dice seed, from seed 0 on."""

    answers: list[Answer]
    values: list[float]
    step_values: list[float]
    """The value of the position before each answer and after the last, under dice seed 0; empty if not computed."""
    certain: bool = False
    """Whether no chance, other seat or hidden state was involved, so that the value is the same under all seeds."""

    def total(self, samples: int) -> float:
        """Returns the sum of values under the first `samples` dice seeds."""
        return self.values[0] * samples if self.certain else sum(self.values[:samples])

    def has_samples(self, samples: int) -> bool:
        """Whether the values under the first `samples` dice seeds are known."""
        return self.certain or len(self.values) >= samples

    def truncated(self) -> list[PlannedAnswer] | None:
        """Returns the plan ended at its best position, by its own last answer to the question asked there.

        Returns None if the best position is the last one, or the one before the first answer.
        """
        at = max(range(len(self.step_values)), key=self.step_values.__getitem__)
        if not 0 < at < len(self.answers):
            return None
        site = self.answers[at][0]
        ending = next(each for each in reversed(self.answers) if each[0] == site)
        return [*self.answers[:at], ending]


class Rollouts:
    """Plays plans from one decision, each to its horizon.

    The state that the seat cannot see is sampled first, so that look-ahead reveals nothing hidden. Under one dice seed
    every plan gets the same dice, the same answers of the other seats and the same sampled position (common random
    numbers).
    """

    def __init__(self, game: Game, evaluator: Evaluator, stream: str, shown: ShownAnswers) -> None:
        self._game = game
        self._evaluator = evaluator
        self._horizon = Horizon(game)
        self._stream = stream
        self._determinizer = Determinizer(game, evaluator.seat, shown)
        self.priors = Priors(game.core)

    def root_priors(self) -> list[float]:
        """Returns the weights of the options of the decision itself, independent of hidden state."""
        game = self._game
        asked = game.decision
        assert asked is not None
        if not self._determinizer:
            return self.priors.weights(asked)
        with speculating(game, self._stream):
            self._determinizer.sample(game, f"{self._stream}/0")
            decision = game.decision
            if decision is not None and len(decision.options) == len(asked.options):
                return self.priors.weights(decision)
        return [DEFAULT_WEIGHT] * len(asked.options)

    def play(
        self,
        answers: Sequence[PlannedAnswer],
        sample: int,
        pick: Pick,
        *,
        stepwise: bool = True,
        then: Continuation | None = None,
    ) -> Plan:
        """Plays the planned answers as their questions are asked, and picks an option for every other question.

        Returns the plan of the answers actually given, with its value under dice seed `sample`: that of the position
        at the horizon, or what `then` returns if the game goes on there. The positions on the way are valued if
        `stepwise`.
        """
        seed = f"{self._stream}/{sample}"
        others = Random(seed).random  # noqa: S311 - a guess, not a secret
        game = self._game
        certain = then is None and not self._determinizer
        with speculating(game, seed):
            self._determinizer.sample(game, seed)
            turn = play_turn(
                game, answers, self._evaluator, self._horizon, pick, self._pick_of_others(others), stepwise
            )
            if then is not None and game.decision is not None:
                turn.values = [then(game, others)]
            dice = game.chance.dice
            turn.certain = turn.certain and certain and isinstance(dice, Dice) and not dice.drawn
            return turn

    def _pick_of_others(self, draw: Draw) -> Pick:
        return lambda decision: weighted_index(self.priors.weights(decision), draw)


def play_turn(
    game: Game,
    answers: Sequence[PlannedAnswer],
    evaluator: Evaluator,
    horizon: Horizon,
    pick: Pick,
    pick_of_others: Pick,
    stepwise: bool,
) -> Plan:
    """Plays a seat's planned answers in the game itself, to the horizon.

    Returns the plan of the answers given with the value at the end. It is `certain` if no other seat answered.
    """
    given: list[Answer] = []
    planned = list(answers)
    step_values: list[float] = []
    certain = True
    evaluator.reset()
    for _ in range(MAX_DECISIONS):
        decision = game.decision
        if decision is None or horizon.is_passed(game):
            break
        if decision.seat == evaluator.seat:
            if stepwise:
                step_values.append(evaluator.cached_value(game))
            number = _next_planned(planned, decision)
            number = pick(decision) if number is None else number
            given.append((decision.site.number, encode(decision.options[number]), number))
        else:
            certain = False
            number = pick_of_others(decision)
        game.choose_index(number)
    value = evaluator.value(game)
    return Plan(given, [value], [*step_values, value] if stepwise else [], certain)


def _next_planned(planned: list[PlannedAnswer], decision: Decision) -> int | None:
    """Removes the next planned answer and returns its position; returns None for any option.

    An answer to a question that is not asked waits until a later planned answer can be given.
    """
    if planned and (planned[0] is None or isinstance(planned[0], int)):
        return planned.pop(0)  # type: ignore[return-value]
    for number, each in enumerate(planned):
        if each is None or isinstance(each, int):
            return None
        if each[0] == decision.site.number:
            found = position_of(each, decision)
            if found is not None or number == 0:
                del planned[: number + 1]
                return found
    return None


def position_of(answer: Answer, decision: Decision) -> int | None:
    """Returns the position of an answer among the options, or None if it is not one of them."""
    if answer[0] != decision.site.number:
        return None
    _, stable, number = answer
    options = decision.options
    if number < len(options) and encode(options[number]) == stable:
        return number
    return next((at for at, each in enumerate(options) if encode(each) == stable), None)


def variant(answers: Sequence[Answer], draw: Draw) -> Sequence[PlannedAnswer]:
    """Returns a plan with one answer replaced, removed or inserted, or with any answers from one on."""
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
