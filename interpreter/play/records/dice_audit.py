"""Compares recorded dice with those of their seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.language.model.image import Site
from interpreter.play.engine.engine import Observer
from interpreter.play.inputs.dice import Dice
from interpreter.play.wording import divergence_messages as said


class DiceAudit(Observer):
    """Compares every die and random pick of a game that is replayed from its beginning with its seed.

    `compared` counts them up to `difference`, the text of the first that the seed does not give.
    """

    def __init__(self, seed: int | str) -> None:
        self.compared = 0
        self.difference: str | None = None
        self._dice = Dice(seed)

    def on_attach(self) -> None:
        """Receives the recorded dice from now on."""
        self.game.chance.audit = self._compare

    def _compare(
        self, site: Site, values: Sequence[Any], recorded: list[int], draw: Callable[[Dice], list[int]]
    ) -> None:
        if self.difference is not None:
            return
        if [values[each] for each in draw(self._dice)] == [values[each] for each in recorded]:
            self.compared += len(recorded)
            return
        words = self.game.source.wording
        number, label = self.game.inputs.position, words.word(site.address)
        self.difference = words.say(said.OTHER_DICE, number=number, label=label)
