"""The costs of options, such as the movement points that a place costs, by `presentation.costs`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.language.model.emitted_names import DEFINITION
from interpreter.play.engine.core import Core
from interpreter.play.engine.engine import GameEngine
from interpreter.play.views.quiet_query import quiet_query
from interpreter.world.things import Thing


class OptionCosts:
    """What the options of a game's decisions cost, and in which unit."""

    def __init__(self, game: GameEngine) -> None:
        presentation: Mapping[str, Any] = getattr(game.source.ruleset, "presentation", None) or {}
        self._declared: Mapping[str, Mapping[str, Any]] = presentation.get("costs", {})
        self._language = game.source.wording.language

    def unit(self, address: str) -> str:
        """Returns the unit of the costs in the decision at `address`; empty if none are declared."""
        unit = self._declared.get(address, {}).get("unit", "")
        return str(unit.get(self._language) or unit["en"]) if isinstance(unit, Mapping) else str(unit)

    def cost(self, core: Core, address: str, option: Any) -> int:
        """Returns the cost of an option now; 0 if none is declared.

        Raises:
            RuleFault: if its rule fails.
        """
        declared = self._declared.get(address)
        if declared is None or not isinstance(option, Thing):
            return 0
        rules = (core.names.get(DEFINITION(kind, declared["of"])) for kind in option.lineage)
        rule = next((each for each in rules if each is not None), None)
        if rule is None:
            return 0
        with quiet_query(core):
            return int(rule(option) or 0)
