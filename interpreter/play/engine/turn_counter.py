"""Counts the turns of a game."""

from __future__ import annotations

from interpreter.play.engine.engine import GameEngine


class TurnCounter:
    """Counts finished turns: rounds of the outermost step with `repeat` or `each`."""

    def __init__(self, game: GameEngine) -> None:
        self._game = game
        self._turn = self._now()
        self._finished = 0

    def finished(self) -> int:
        """Returns the number of turns finished since the start of counting; to be called at every decision or step."""
        before, now = self._turn, self._now()
        if before is not None and before != now:
            self._finished += before[1] - now[1] if now is not None and now[0] == before[0] else 1
        self._turn = now
        return self._finished

    def _now(self) -> tuple[int, int] | None:
        """Returns the number of the step that counts the turns, and its remaining rounds; none outside of it."""
        for frame in self._game.core.sequencer.frames():
            node = frame.node
            if node is not None and (node.repeat is not None or node.each is not None):
                return node.number, frame.left if node.repeat is not None else len(frame.items)
        return None
