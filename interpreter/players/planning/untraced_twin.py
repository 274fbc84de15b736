"""The game in which players look ahead where the game itself tells all that it does, which takes many times as long."""

from __future__ import annotations

from interpreter.play.game import Game


class UntracedTwin:
    """Plays a traced game a second time, beside it and without a word, as far as the game has come."""

    def __init__(self) -> None:
        self._first: Game | None = None
        self._second: Game | None = None

    def of(self, game: Game) -> Game:
        """A game at the same decision that tells nothing; the game itself if it tells nothing or there is no other."""
        if not game.traced or not game.setting.has_variant("fast"):
            return game
        second = self._second
        if second is None or game is not self._first or not _brought_on(second, game):
            second = game.twin()
            second.checked = False  # the game itself tests its invariants
            self._first, self._second = game, second
        return second


def _brought_on(second: Game, game: Game) -> bool:
    """Brings the second game to where the first one stands; not where something was taken back meanwhile."""
    known, records = second.inputs.records, game.inputs.records
    if records[: len(known)] != known:
        return False
    if len(records) > len(known):
        here = second.mark()
        second.go_back(here.step, here.inputs, records[len(known) :])
    return True
