"""Move-average sampling (MAST), a form of the history heuristic: answers of good plans are sampled more often."""

from __future__ import annotations

from math import exp

from interpreter.play.engine.decision import Decision
from interpreter.play.inputs.value_codec import encode
from interpreter.players.planning.priors import Draw, weighted_index
from interpreter.players.planning.rollouts import Plan

HORIZON = 2
"""The gain of an answer is measured this number of answers later: a choice of place often follows one of action."""
LOSS_SCALE = 0.2
"""A loss counts this fraction of an equal gain, because the best plan is taken and not the average one."""
DECAY = 0.99
"""The weight of older gains shrinks by this factor with each new one, so that averages follow the game."""
TEMPERATURE = 6.0
"""The best answers are e to this power times as likely as those that change nothing."""


class MoveAverages:
    """Keeps the average gain of every answer to a question, wherever it was given."""

    def __init__(self) -> None:
        self._averages: dict[tuple[int, object], list[float]] = {}
        """The decayed sum of gains and number of gains by site and answer."""
        self._typical_gain = 0.0
        """The running mean of absolute gains other than 0."""

    def sample(self, decision: Decision, priors: list[float], draw: Draw) -> int:
        """Draws an option; its probability grows with its prior and with the average gain of such answers."""
        site = decision.site.number
        pairs = zip(decision.options, priors, strict=True)
        return weighted_index([prior and prior * self._weight(site, encode(each)) for each, prior in pairs], draw)

    def update(self, plan: Plan) -> None:
        """Adds the gain of each answer of a plan to the averages."""
        values = plan.step_values
        for number, (site, answer, _) in enumerate(plan.answers):
            gain = values[min(number + HORIZON, len(values) - 1)] - values[number]
            average = self._averages.setdefault((site, answer), [0.0, 0.0])
            average[0] = average[0] * DECAY + (self._scaled(gain) if gain else 0.0)
            average[1] = average[1] * DECAY + 1

    def _scaled(self, gain: float) -> float:
        """Scales a gain or loss by the typical one, to the range from -1 to 1."""
        typical = self._typical_gain
        typical += (min(abs(gain), 3 * (typical or abs(gain))) - typical) / (20 if typical else 1)
        self._typical_gain = typical
        scaled = max(-1.0, min(1.0, gain / typical / 2))
        return scaled if scaled > 0 else LOSS_SCALE * scaled

    def _weight(self, site: int, answer: object) -> float:
        average = self._averages.get((site, answer))
        return 1.0 if average is None else exp(TEMPERATURE * average[0] / average[1])
