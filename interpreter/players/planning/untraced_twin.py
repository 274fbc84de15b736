"""An untraced copy of a traced game, for look-ahead: traced rules run several times slower."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.play.game import Game
from interpreter.play.inputs.inputs import Input


class UntracedTwin:
    """Keeps an untraced copy of a traced game at the same position."""

    def __init__(self) -> None:
        self._original: Game | None = None
        self._twin: Game | None = None

    def of(self, game: Game) -> Game:
        """Returns an untraced game at the same decision; the game itself if it is untraced or has no fast variant."""
        if not game.traced or not game.source.has_variant("fast"):
            return game
        twin = self._twin
        if twin is None or game is not self._original or not advance(twin, game.inputs.items):
            twin = game.twin()
            twin.checked = False  # the original tests its own invariants
            self._original, self._twin = game, twin
        return twin


def advance(twin: Game, records: Sequence[Input]) -> bool:
    """Brings the twin to the position after these inputs of the original; False if it has inputs that are not there."""
    known = twin.inputs.items
    if records[: len(known)] != known:
        return False
    if len(records) > len(known):
        here = twin.mark()
        twin.go_back(here.step, here.inputs, records[len(known) :])
    return True
