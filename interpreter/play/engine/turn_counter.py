"""Which turn it is."""

from __future__ import annotations

from interpreter.play.engine.engine import GameEngine


class TurnCounter:
    """Counts the turns that pass: rounds of the outermost step that is repeated or goes through several things."""

    def __init__(self, game: GameEngine) -> None:
        self._game = game
        self._turn = self._now()
        self._passed = 0

    def passed(self) -> int:
        """How many turns are over since the counting began; to be asked at every decision, or at every step."""
        before, now = self._turn, self._now()
        if before is not None and before != now:
            self._passed += before[1] - now[1] if now is not None and now[0] == before[0] else 1
        self._turn = now
        return self._passed

    def _now(self) -> tuple[int, int] | None:
        """The step that makes the turns, and how many of them it has left."""
        for frame in self._game.core.sequencer.frames():
            node = frame.node
            if node is not None and (node.repeat is not None or node.each is not None):
                return node.number, frame.left if node.repeat is not None else len(frame.items)
        return None
