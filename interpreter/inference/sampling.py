"""Samples a procedure with dice, from the same situations as exact odds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from interpreter.inference.odds import outcome_texts, readers_of
from interpreter.inference.situation.order_book import OrderBook, RunningCall
from interpreter.inference.situation.policies import Answers, Pick, Used
from interpreter.inference.situation.situation import (
    check_decisions,
    check_situation,
    link_given,
    read_given,
    with_counters,
)
from interpreter.inference.situation.standing_orders import link_orders
from interpreter.inference.situation.start import start_of
from interpreter.language.codegen.emit import emit_expression
from interpreter.language.model.emitted_names import PROCEDURE
from interpreter.play.engine.core import Core
from interpreter.play.inputs.chance import BulkChance
from interpreter.play.inputs.dice import Dice
from interpreter.rules.loading.ruleset import Ruleset, Scenario


class Runner:
    """Runs a procedure repeatedly from one situation; decisions are answered by the situation's policies.

    `pick` makes the random choices of decisions with the policy `uniform`; `names` are the functions of chance.
    """

    def __init__(
        self, source: Ruleset | Scenario, procedure: str, given: Any, variant: str, pick: Pick, names: dict[str, object]
    ) -> None:
        node = read_given(given if not isinstance(given, str) else Path(given))
        start = start_of(source, node)
        ruleset = start.ruleset
        self.rule = ruleset.program.procedures[procedure]
        situation = link_given(node, self.rule, start.program)
        setting = start.game_source(situation.setup)
        check_decisions(node, setting.image)
        self._used = Used()
        self.core = Core(setting.shared(variant), variant, names, setup=setting.setup)
        units = [emit_expression(ruleset.program, each, (), variant) for each in situation.arguments]
        self._arguments = [self.core.bind(each, "ad_hoc")() for each in units]
        orders = link_orders([node], with_counters(start.program, situation.setup), ruleset.image)
        book, call = OrderBook(orders, self.core, ruleset.program), RunningCall(self.rule, self._arguments)
        self._answers = Answers(situation, setting.wording, self._used, pick, setattr, self.core, book, call)
        self._readers = readers_of(situation, self.rule, ruleset.program, self.core)
        check_situation(node, self.rule, ruleset.program, self.core, self._arguments)

    def run(self) -> tuple[str, ...]:
        """Runs the procedure once and undoes it; returns its outcomes."""
        self._used.a_used = ()
        mark = len(self.core.world.journal)
        result = self.core.names[PROCEDURE(self.rule.name)](*self._arguments)
        if self.rule.effects.asks:
            result = self._answers.result(result)
        found = outcome_texts(self._arguments, self._readers, result, None)
        self.core.world.rollback(mark)
        self.core.budget.decisions += 1
        return found


def with_dice(source: Ruleset | Scenario, procedure: str, given: Any, seed: int) -> Runner:
    """A runner with dice, in the variant of the code that games use."""
    dice = Dice(seed)
    chance = BulkChance(dice)

    def pick(_weights: Sequence[int], total: int) -> int:
        return dice.below(total)

    return Runner(source, procedure, given, "fast", pick, chance.names())
