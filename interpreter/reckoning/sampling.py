"""A procedure run again and again with dice, from the situation that exact odds take."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

from interpreter.language.emit import emit_expression
from interpreter.language.runtime import shown
from interpreter.play.chance import BulkChance
from interpreter.play.core import Core
from interpreter.play.decisions import Decision
from interpreter.play.dice import Dice
from interpreter.play.setting import with_setup
from interpreter.reckoning.given import Given, check_decisions, check_situation, link_given, read_given
from interpreter.rules.ruleset import Ruleset


class Runner:
    """A procedure run again and again from one situation, its decisions made by the situation's policies.

    `names` are the functions of `chance` by the names under which the emitted code of the variant calls them.
    """

    def __init__(
        self, ruleset: Ruleset, procedure: str, given: Any, variant: str, chance: Any, names: dict[str, object]
    ) -> None:
        self.chance = chance
        self.rule = ruleset.program.procedures[procedure]
        source = Path(given) if isinstance(given, str) else given
        node = read_given(source)
        self.given: Given = link_given(node, self.rule, ruleset.program)
        setting = with_setup(ruleset, self.given.setup)
        check_decisions(node, setting.image)
        self._wording = setting.wording
        self.core = Core(setting.shared(variant), variant, names, setup=setting.setup)
        units = [emit_expression(ruleset.program, each, (), variant) for each in self.given.arguments]
        self._arguments = [self.core.bind(each, "ad_hoc")() for each in units]
        check_situation(node, self.rule, ruleset.program, self.core, self._arguments)

    def run(self) -> tuple[str, ...]:
        """One run, its outcomes, and back."""
        mark = len(self.core.world.journal)
        result = self.core.names[f"p_{self.rule.name}"](*self._arguments)
        if self.rule.effects.asks:
            result = self._answered(result)
        read = [self.core.names[f"o_{self.rule.name}__{name}"] for name in self.rule.outcomes]
        found = tuple([shown(each(*self._arguments, result)) for each in read]) or (shown(result),)
        self.core.world.rollback(mark)
        self.core.budget.decisions += 1
        return found

    def _answered(self, asking: Generator[Any, Any, Any]) -> Any:
        answer = None
        try:
            while True:
                ask = asking.send(answer)
                options = ask[2]() if callable(ask[2]) else ask[2]
                answer = options[0] if len(options) == 1 else options[self._choice(ask, options)]
        except StopIteration as done:
            return done.value

    def _choice(self, ask: Any, options: Any) -> int:
        policy = self.given.policies.get(ask[0].address, self.given.default)
        if policy == "any":
            return int(self.chance.pick([1] * len(options), len(options)))
        if policy in ("first", "last"):
            return 0 if policy == "first" else len(options) - 1
        return Decision(ask, tuple(options), self._wording).position(policy)


def with_dice(ruleset: Ruleset, procedure: str, given: Any, seed: int) -> Runner:
    """A procedure to be run with dice, in the code that games are played with."""
    chance = BulkChance(Dice(seed))
    return Runner(ruleset, procedure, given, "fast", chance, chance.names())
