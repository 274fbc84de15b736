"""How far players look ahead: to the end of the step that the ruleset marks, or else of the seat's turn."""

from __future__ import annotations

from interpreter.play.engine.sequencer import Frame
from interpreter.play.game import Game
from interpreter.world.things import Seat

_Round = tuple[int, int, int]
"""One round of a step: its number, its remaining repetitions, and its remaining items."""


class Horizon:
    """The round of a step whose end a look-ahead does not pass.

    It is that of the innermost open step marked as horizon, else of the innermost step that binds a seat, else the
    step under way.
    """

    def __init__(self, game: Game) -> None:
        frames = game.core.sequencer.frames()
        self._depth = _depth(frames)
        self._rounds = _rounds(frames[: self._depth])
        self._steps = len(game.steps)

    def is_passed(self, game: Game) -> bool:
        """Whether the game has gone beyond it."""
        if not self._depth:
            return len(game.steps) > self._steps
        return _rounds(game.core.sequencer.frames()[: self._depth]) != self._rounds


def _depth(frames: list[Frame]) -> int:
    """The number of open steps around the horizon, itself included; 0 if there is none."""
    for is_horizon in (_is_marked, _binds_seat):
        for depth in range(len(frames), 0, -1):
            if is_horizon(frames[depth - 1]):
                return depth
    return 0


def _is_marked(frame: Frame) -> bool:
    return frame.node is not None and frame.node.horizon


def _binds_seat(frame: Frame) -> bool:
    return frame.node is not None and frame.node.each is not None and isinstance(frame.scope[-1], Seat)


def _rounds(frames: list[Frame]) -> list[_Round]:
    return [(each.node.number, each.left, len(each.items)) for each in frames if each.node is not None]
