"""What players that look ahead lean to: how much likelier they try one option of a question than another."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.language.model.image import leaning_name
from interpreter.play.engine.decision import Decision
from interpreter.play.game import Game
from interpreter.play.inputs.value_codec import Act

Draw = Callable[[], float]
"""Numbers from 0 to 1."""
USUAL = 1.0
"""The weight of an option of which the ruleset says nothing, and of 'none', 'pass' and 'no more'."""
_NAMED = (Act, str)


class Leanings:
    """The weights that a ruleset's `leanings` give to the options of a decision."""

    def __init__(self, game: Game) -> None:
        self._core = game.core
        self._rules: dict[str, Callable[..., float] | None] = {}

    def weights(self, decision: Decision) -> list[float]:
        """One for each option, none below 0 and not all of them 0.

        Raises:
            RuleFault: if a leaning fails.
        """
        try:
            found = [self._weight(decision, each) for each in decision.options]
        except Exception as error:
            raise self._core.fault(error) from error
        return found if any(found) else [USUAL] * len(found)

    def _weight(self, decision: Decision, option: object) -> float:
        if option is None:
            return USUAL
        if not isinstance(option, _NAMED):
            rule = self._rule(decision.address)
        elif isinstance(option, Act):
            rule = self._rule(option.name)
        else:
            rule = self._rule(f"{decision.address}.{option}")
        return USUAL if rule is None else max(0.0, float(rule(decision.seat_object, option)))

    def _rule(self, address: str) -> Callable[..., float] | None:
        if address not in self._rules:
            self._rules[address] = self._core.names.get(leaning_name(address))
        return self._rules[address]


def drawn(weights: Sequence[float], draw: Draw) -> int:
    """A position, each as likely as its weight is of all of them."""
    at = draw() * sum(weights)
    for number, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return number
    return max(range(len(weights)), key=weights.__getitem__)
