"""What odds are reckoned on: the world of one situation, and all that is known of what happens there.

What a part of a procedure comes to hangs on what it reads, on its arguments and, where it asks, on how it is answered;
on nothing else. So it is known to the next question about the same situation too, whatever that one asks about.
"""

from __future__ import annotations

from collections.abc import Generator
from collections.abc import Mapping as Table
from typing import Any

from interpreter.inference.enumerated_chance import EnumeratedChance
from interpreter.inference.memo.tracking import Likely, Tracker
from interpreter.inference.situation.policies import Answers, Used
from interpreter.inference.situation.situation import Situation
from interpreter.inference.solver.block_runs import BlockRunner
from interpreter.inference.solver.call_summaries import CallSummaries
from interpreter.inference.solver.machine import ProcedureCode
from interpreter.language.model.program import Procedure, Program
from interpreter.play.engine.core import Core
from interpreter.play.wording.wording import Wording

MOST_KEPT = 20_000
"""So many things known of one situation are worth their memory."""


class SituationCache:
    """The world of one situation under watch; between `begin` and `end` its rules run as they are reckoned with."""

    def __init__(self, core: Core, program: Program, likely: Likely) -> None:
        self.core, self.watch = core, Tracker(core.world)
        self.watch.expect(*likely)
        self._used = Used()
        self.stretches = BlockRunner(core, self.watch)
        self._plain = dict(core.names)
        self._reckoned = EnumeratedChance(self.stretches).names()
        self._reckoned |= self.watch.names(core.names | self._reckoned)
        self.codes = _ProcedureCodes(core, program)
        self.pieces = CallSummaries(self.watch, self.stretches, self.codes)

    def begin(self, given: Situation, wording: Wording, most: int) -> None:
        """Puts the world under watch; what is asked is answered as given, and no part may end in more ways than `most`.

        Not to be ended if anything goes wrong: the world is of no use then.
        """
        self.watch.begin()
        self.core.names.update(self._reckoned)
        answers = Answers(given, wording, self._used, self.stretches.pick, self.watch.put)
        self.stretches.begin(answers, most)
        for each in self.codes.values():
            each.forget_courses()

    def end(self) -> None:
        """Gives the world back as it was."""
        self.watch.end()
        self.core.names.update(self._plain)

    @property
    def worth_keeping(self) -> bool:
        """Whether what is known is not too much to be kept."""
        return self.stretches.known.size + self.pieces.known.size <= MOST_KEPT


class _ProcedureCodes(dict[str, ProcedureCode]):
    """The procedures that were come to, taken apart; one that does not roll is run in one piece."""

    def __init__(self, core: Core, program: Program) -> None:
        super().__init__()
        self._core, self._program = core, program

    def __missing__(self, name: str) -> ProcedureCode:
        rule, names = self._program.procedures[name], self._core.names
        rolls = rule.effects.rolls
        found = ProcedureCode(name, names[f"q_{name}"], asks=rule.effects.asks) if rolls else _whole(rule, names)
        self[name] = found
        return found


def _whole(rule: Procedure, names: Table[str, Any]) -> ProcedureCode:
    """The code of a procedure that does not roll: it is run in one piece."""
    slots = tuple(range(len(rule.takes)))
    result = len(slots)
    run = names[f"p_{rule.name}"]

    def part(*arguments: Any) -> tuple[Any, ...]:
        return (run(*arguments),)

    def asking(*arguments: Any) -> Generator[Any, Any, tuple[Any, ...]]:
        return ((yield from run(*arguments)),)

    steps = (("run", asking if rule.effects.asks else part, slots, (result,)), ("return", result))
    return ProcedureCode(rule.name, (result + 1, steps, (((), ()), (slots, ()))), asks=rule.effects.asks)
