"""Priors: the weights with which players that look ahead try the options of a decision first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.language.model.image import prior_function_name
from interpreter.play.engine.core import Core
from interpreter.play.engine.decision import Decision
from interpreter.play.inputs.value_codec import Act

Draw = Callable[[], float]
"""Returns numbers from 0 to 1."""
DEFAULT_WEIGHT = 1.0
"""The weight of an option without a declared prior, and of 'none', 'pass' and 'no more'."""
_NAMED = (Act, str)


class Priors:
    """Computes the weights that a ruleset's section `priors` gives to the options of a decision."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self._rules: dict[str, Callable[..., float] | None] = {}

    def weights(self, decision: Decision) -> list[float]:
        """Returns a weight for each option; none is below 0, and not all are 0.

        Raises:
            RuleFault: if a rule of a prior fails.
        """
        with self.core.faults():
            found = [self._weight(decision, each) for each in decision.options]
        return found if any(found) else [DEFAULT_WEIGHT] * len(found)

    def _weight(self, decision: Decision, option: object) -> float:
        if option is None:
            return DEFAULT_WEIGHT
        if not isinstance(option, _NAMED):
            rule = self._rule(decision.address)
        elif isinstance(option, Act):
            rule = self._rule(option.name)
        else:
            rule = self._rule(f"{decision.address}.{option}")
        return DEFAULT_WEIGHT if rule is None else max(0.0, float(rule(decision.seat_object, option)))

    def _rule(self, address: str) -> Callable[..., float] | None:
        if address not in self._rules:
            self._rules[address] = self.core.names.get(prior_function_name(address))
        return self._rules[address]


def likeliest(weights: Sequence[float]) -> int:
    """Returns the position of the greatest weight, the first of several."""
    return max(range(len(weights)), key=weights.__getitem__)


def weighted_index(weights: Sequence[float], draw: Draw) -> int:
    """Draws a position; the probability of each is its share of the sum of weights."""
    at = draw() * sum(weights)
    for number, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return number
    return likeliest(weights)
