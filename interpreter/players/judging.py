"""What a position is worth to a seat, and how a course of play from here is tried out."""

from __future__ import annotations

from random import Random

from interpreter.play.explore import exploring
from interpreter.play.game import Game
from interpreter.players.hidden import deal_unseen, forget_unseen

WON = 1_000_000.0
"""Worth of a game won; every evaluation of a ruleset is expected to stay far below it."""
LIMIT = 600
"""Decisions after which a course is valued where it stands."""


class Judge:
    """Values positions for one seat, by the ruleset's own evaluation where it declares one."""

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def worth(self, game: Game) -> float:
        """What the position is worth to the seat: a victory or defeat before everything else; a draw as it stands."""
        if game.result is not None and game.result.winners:
            return WON if self.seat in game.result.winners else -WON
        evaluate = game.core.names.get("evaluate")
        if evaluate is None:
            return 0.0
        seat = next(each for each in game.core.seats if each.id == self.seat)
        try:
            return float(evaluate(seat))
        except Exception as error:
            raise game.core.fault(error) from error

    def trial(self, game: Game, option: int, steps: int, seed: str) -> float:
        """The worth after taking an option and playing on at random until so many further steps have ended.

        What the seat can't know is made up first, so that no look ahead tells it anything. The same seed gives the
        same dice, the same random choices and the same made-up position for every option.
        """
        last = len(game.steps) + steps
        draw = Random(seed).random  # noqa: S311 - a guess, not a secret
        with exploring(game, seed):
            forget_unseen(game, self.seat, draw)
            deal_unseen(game, self.seat, draw)
            if game.decision is None or option >= len(game.decision.options):
                return self.worth(game)
            game.choose_index(option)
            for _ in range(LIMIT):
                if game.decision is None or len(game.steps) > last:
                    break
                game.choose_index(int(draw() * len(game.decision.options)))
            return self.worth(game)
