"""The situation cache: the world of one situation, and everything memoized about it between questions.

The result of a block depends on what it reads, on its arguments and, where it asks, on how decisions are answered; on
nothing else. So it also holds for the next question about the same situation, whatever that one asks about.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator
from collections.abc import Mapping as Table
from contextlib import contextmanager
from typing import Any

from interpreter.inference.enumerated_chance import EnumeratedChance
from interpreter.inference.memo.tracking import Hints, Tracker
from interpreter.inference.situation.order_book import OrderBook, OrderUse, RunningCall
from interpreter.inference.situation.policies import Answers, Used
from interpreter.inference.situation.situation import Situation
from interpreter.inference.solver.block_runs import BlockRunner
from interpreter.inference.solver.call_summaries import CallSummaries
from interpreter.inference.solver.machine import ProcedureCode
from interpreter.language.model.emitted_names import BLOCKS, PROCEDURE
from interpreter.language.model.program import Procedure, Program
from interpreter.play.engine.core import Core
from interpreter.play.wording.wording import Wording

MAX_ENTRIES = 20_000
"""How many summaries of one situation are worth their memory."""


class SituationCache:
    """The tracked world of one situation; within `attached` its rules run in the tracker."""

    def __init__(self, core: Core, program: Program, hints: Hints, stepwise: Collection[str] = ()) -> None:
        self.core, self.tracker = core, Tracker(core.world)
        self.tracker.preload(*hints)
        self._used, self._uses = Used(), dict[str, OrderUse]()
        self._runner = BlockRunner(core, self.tracker)
        self._play_functions = dict(core.names)
        self._odds_functions = EnumeratedChance(self._runner).names()
        self._odds_functions |= self.tracker.names(core.names | self._odds_functions)
        self.codes = _ProcedureCodes(core, program)
        self.calls = CallSummaries(self.tracker, self._runner, self.codes, stepwise)

    @contextmanager
    def attached(
        self, situation: Situation, wording: Wording, max_branches: int, book: OrderBook, call: RunningCall
    ) -> Iterator[None]:
        """Tracks the world; decisions are answered as the situation and its orders say while `call` runs.

        No block has more than `max_branches`.

        After an error the world stays as it is: the cache is of no further use.
        """
        self.tracker.attach()
        self.core.names.update(self._odds_functions)
        tracker, runner = self.tracker, self._runner
        answers = Answers(situation, wording, self._used, runner.pick, tracker.put, self.core, book, call)
        book.use = self._uses.setdefault(answers.text, book.use)
        self._runner.configure(answers, max_branches)
        for each in self.codes.values():
            each.clear_return_addresses()
        yield
        self.tracker.detach()
        self.core.names.update(self._play_functions)

    @property
    def is_small_enough(self) -> bool:
        """Whether the cache may be kept."""
        return self._runner.memo.size + self.calls.memo.size <= MAX_ENTRIES


class _ProcedureCodes(dict[str, ProcedureCode]):
    """The procedures called so far, as basic blocks; one that does not roll is a single block."""

    def __init__(self, core: Core, program: Program) -> None:
        super().__init__()
        self._core, self._program = core, program

    def __missing__(self, name: str) -> ProcedureCode:
        rule, names = self._program.procedures[name], self._core.names
        rolls = rule.effects.rolls
        found = (
            ProcedureCode(name, names[BLOCKS(name)], asks=rule.effects.asks) if rolls else _single_block(rule, names)
        )
        self[name] = found
        return found


def _single_block(rule: Procedure, names: Table[str, Any]) -> ProcedureCode:
    """The code of a procedure that does not roll."""
    slots = tuple(range(len(rule.takes)))
    result = len(slots)
    run = names[PROCEDURE(rule.name)]

    def block(*arguments: Any) -> tuple[Any, ...]:
        return (run(*arguments),)

    def asking_block(*arguments: Any) -> Generator[Any, Any, tuple[Any, ...]]:
        return ((yield from run(*arguments)),)

    steps = (("run", asking_block if rule.effects.asks else block, slots, (result,)), ("return", result))
    return ProcedureCode(rule.name, (result + 1, steps, (((), ()), (slots, ()))), asks=rule.effects.asks)
