"""The tree of the seat-turns that answer a plan: information-set Monte Carlo tree search over whole turns.

A move of the tree is a whole turn of a seat: its answers from its first decision to its horizon. Nodes are reached by
moves and not by positions (open-loop search), because dice and hidden state differ from trial to trial: a turn is tried
where its first answer is possible, and every answer that is not possible is replaced by one that is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf, log, sqrt
from random import Random

from interpreter.play.engine.decision import Decision
from interpreter.play.game import Game
from interpreter.play.inputs.value_codec import Stable, encode
from interpreter.players.planning.evaluation import Evaluator
from interpreter.players.planning.horizon import Horizon
from interpreter.players.planning.mast import MoveAverages
from interpreter.players.planning.planner import Planner
from interpreter.players.planning.priors import Draw, Priors, weighted_index
from interpreter.players.planning.rollouts import Answer, Pick, play_turn, position_of

MAX_TURNS_AHEAD = 6
"""The number of turns that are played at most after the horizon of the seat's own turn."""
EXPLORATION = 0.5
"""The constant of UCB1, in standard deviations of the values of a seat."""
EXPANSION_TRIALS = 8
"""The number of trials in which a new turn of a node is sought."""
MAX_KNOWN_TURNS = 6
"""The number of turns that did well under a key and are tried first in new nodes."""

TurnKey = tuple[str, int, tuple[Stable, ...]]
"""Whose turn it is, the number of the first question's site, and what the open steps bind: where a seat acts for one
after another, a turn for the first is none for the second."""


@dataclass(slots=True)
class Turn:
    """A seat-turn with the mean value to its seat of the positions that it led to, and the node after it."""

    answers: list[Answer]
    visits: int = 0
    total: float = 0.0
    after: TurnNode | None = None

    @property
    def mean(self) -> float:
        """The mean value; that of a turn that was never tried is above all others."""
        return self.total / self.visits if self.visits else inf


@dataclass(slots=True)
class TurnNode:
    """The turns tried after the same moves, by key: dice may decide whose turn it is."""

    turns: dict[TurnKey, list[Turn]] = field(default_factory=dict)


class _SeatMind:
    """What the tree knows of a seat: how it values positions, and what did well before."""

    def __init__(self, seat: str) -> None:
        self.evaluator = Evaluator(seat)
        self.averages = MoveAverages()
        self.known: dict[TurnKey, list[list[Answer]]] = {}
        """The turns that did well before, the latest first."""
        self._count, self._mean, self._squares = 0, 0.0, 0.0

    def add(self, value: float) -> None:
        """Adds a value to the spread (Welford's method)."""
        self._count += 1
        change = value - self._mean
        self._mean += change / self._count
        self._squares += change * (value - self._mean)

    @property
    def spread(self) -> float:
        """The standard deviation of the values."""
        return sqrt(self._squares / self._count) if self._count else 0.0

    def remember(self, key: TurnKey, answers: list[Answer]) -> None:
        """Puts a turn at the head of those that did well."""
        others = [each for each in self.known.get(key, ()) if each != answers]
        self.known[key] = [answers, *others][:MAX_KNOWN_TURNS]


class TurnTree:
    """Plays on from the horizon of a plan with turns that are good for the seats that take them.

    `can_continue` says whether the budget allows another trial; `spend` is called with the number of trials that
    looking for a new turn has cost.
    """

    def __init__(
        self, seat: str, random: Random, can_continue: Callable[[], bool], spend: Callable[[int], None]
    ) -> None:
        self._seat, self._random = seat, random
        self._can_continue, self._spend = can_continue, spend
        self._minds: dict[str, _SeatMind] = {}
        self._priors: Priors

    def begin(self, game: Game) -> None:
        """Begins a new search from the decision of a game; what did well before is kept."""
        self._priors = Priors(game.core)

    def value(self, game: Game, draw: Draw, node: TurnNode) -> float:
        """Plays the turns ahead in a speculative game, adds them to the tree, and returns the value to the own seat."""
        path: list[tuple[_SeatMind, Turn]] = []
        for _ in range(MAX_TURNS_AHEAD):
            decision = game.decision
            if decision is None or (path and path[-1][0].evaluator.seat != self._seat):
                break
            mind = self._mind(decision.seat)
            turn = self._select(game, decision, node, mind)
            if turn is None:
                break
            self._play(game, turn, mind, draw)
            path.append((mind, turn))
            turn.after = node = turn.after or TurnNode()
        for mind, turn in path:
            value = mind.evaluator.value(game)
            turn.visits += 1
            turn.total += value
            mind.add(value)
        return self._mind(self._seat).evaluator.value(game)

    def _mind(self, seat: str) -> _SeatMind:
        return self._minds.setdefault(seat, _SeatMind(seat))

    def _select(self, game: Game, decision: Decision, node: TurnNode, mind: _SeatMind) -> Turn | None:
        """Returns the turn to play: a new one at growing intervals (progressive widening), else the one of best UCB1.

        Returns None if there is no turn and the budget allows no search for one.
        """
        key = turn_key(game, decision)
        turns = node.turns.setdefault(key, [])
        possible = [each for each in turns if each.answers and position_of(each.answers[0], decision) is not None]
        visits = sum(each.visits for each in possible)
        if len(possible) <= sqrt(visits):
            known = self._next_known(decision, turns, mind.known.get(key, ()))
            if known is not None:
                turns.append(Turn(known))
                return turns[-1]
            if self._can_continue():
                found = self._found(game, possible, mind, key)
                if all(each.answers != found for each in turns):
                    turns.append(Turn(found))
                    return turns[-1]
        if not possible:
            return None
        bonus = EXPLORATION * mind.spread * sqrt(log(visits + 1))
        return max(possible, key=lambda each: each.mean + bonus / sqrt(each.visits or 1))

    def _next_known(self, decision: Decision, turns: list[Turn], known: Sequence[list[Answer]]) -> list[Answer] | None:
        """Returns the first turn that did well before, is possible, and is not in the node."""
        for each in known:
            if position_of(each[0], decision) is not None and all(each != turn.answers for turn in turns):
                return each
        return None

    def _found(self, game: Game, possible: list[Turn], mind: _SeatMind, key: TurnKey) -> list[Answer]:
        """Looks for a good turn of the seat at its decision, from the best one known on."""
        planner = Planner(mind.evaluator.seat, self._random, mind.averages)
        best = max(possible, key=lambda each: each.mean, default=None)
        if best is not None:
            planner.propose(best.answers)
        planner.choose(game, lambda trials: trials < EXPANSION_TRIALS and self._can_continue())
        self._spend(planner.trials)
        plans = planner.plans
        for each in reversed(plans[: MAX_KNOWN_TURNS // 2]):
            mind.remember(key, each.answers)
        return plans[0].answers if plans else []

    def _play(self, game: Game, turn: Turn, mind: _SeatMind, draw: Draw) -> None:
        play_turn(
            game,
            turn.answers,
            mind.evaluator,
            Horizon(game),
            self._pick_of(mind),
            self._pick_by_priors(draw),
            stepwise=False,
        )

    def _pick_of(self, mind: _SeatMind) -> Pick:
        return lambda decision: mind.averages.sample(decision, self._priors.weights(decision), self._random.random)

    def _pick_by_priors(self, draw: Draw) -> Pick:
        return lambda decision: weighted_index(self._priors.weights(decision), draw)


def turn_key(game: Game, decision: Decision) -> TurnKey:
    """Returns the key of a turn that begins at a decision."""
    frames = game.core.sequencer.frames()
    bound = frames[-1].scope if frames else ()
    return decision.seat, decision.site.number, tuple(encode(each) for each in bound)
