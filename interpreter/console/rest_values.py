"""The values that a ruleset gives its things at first, before a scenario or a rule sets any of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.play.engine.core import Core
from interpreter.play.game import Game
from interpreter.play.wording.wording import Wording
from interpreter.world.things import Thing


class RestValues:
    """Tells which values of a game differ from those that the ruleset gives at first."""

    def __init__(self, game: Game) -> None:
        core = game.core
        self._words: Wording = game.source.wording
        self._at_rest = Core(core.shared, core.variant, {}).world
        self._count = len(self._at_rest.objects)

    def is_shown(self, slot: str, value: Any) -> bool:
        """Whether this value of the game as a whole is worth showing: it is something, or differs."""
        return bool(value) or self._differs(value, getattr(self._at_rest.state, slot))

    def shown(self, thing: Thing) -> Sequence[str]:
        """Returns the slots of a thing whose values are worth showing: rules change them, or they differ."""
        stirred = self.stirred(thing)
        return [each for each in thing.slots if each in thing.changing or each in stirred]

    def stirred(self, thing: Thing) -> Sequence[str]:
        """Returns the slots of a thing whose values differ; all of a thing that was made in play."""
        if thing.index >= self._count or self._at_rest.objects[thing.index].ref != thing.ref:
            return thing.slots
        first = self._at_rest.objects[thing.index]
        return [each for each in thing.slots if self._differs(getattr(thing, each), getattr(first, each))]

    def _differs(self, value: Any, first: Any) -> bool:
        return self._words.of(value) != self._words.of(first)
