"""Whether it is worth keeping what a rule gives: that shows in play.

What a rule reads may change between any two questions, or nobody may ask the same twice. Then looking its answers up
and emptying their table takes longer than it saves; after a trial the rule is simply worked out. The clock decides
nothing but how soon an answer is there.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from interpreter.language.model.emitted_names import KNOWN, NOW, is_part, part_of, whole_of
from interpreter.world.memo_tables import MemoTables, Table

TRIALS = 200
"""So often a rule is asked before it is decided."""
LONGEST = 0.001
"""Seconds; what takes longer was held up by something else."""
_KEEPING = 1.5
"""How much longer than to be looked up a question takes with its share of what keeping and forgetting take."""

_CLOCK = min([-(perf_counter() - perf_counter()) for _ in range(50)])
"""What reading the clock takes, in seconds."""
Rule = Callable[..., Any]


@dataclass(slots=True)
class CallTimes:
    """How long a rule took, each time it was asked: where its answer was known, and where not."""

    looked_up: list[float] = field(default_factory=list)
    worked_out: list[float] = field(default_factory=list)
    pays: bool | None = None
    """Whether its answers are worth keeping; none until that is known."""

    def note(self, known: bool, seconds: float) -> None:
        """One more answer."""
        (self.looked_up if known else self.worked_out).append(min(seconds, LONGEST))
        if len(self.looked_up) + len(self.worked_out) >= TRIALS:
            self.pays = self._pays()

    def _pays(self) -> bool:
        if not (self.looked_up and self.worked_out):
            return bool(self.looked_up)
        keeping = _KEEPING * sum(self.looked_up) / len(self.looked_up)
        saved = sum(self.worked_out) / len(self.worked_out) - keeping
        return len(self.looked_up) * saved > TRIALS * keeping


class Profiler:
    """Those of all rules of one emitted unit; what was found in one game holds for all that follow."""

    def __init__(self) -> None:
        self._trials: dict[str, CallTimes] | None = None

    def put(self, names: MutableMapping[str, Any], answers: MemoTables) -> None:
        """Watches every rule among emitted functions whose answers are kept, until it is known whether that pays."""
        if self._trials is None:  # the names are thousands, and the same for every game
            self._trials = {whole_of(each): CallTimes() for each in names if is_part(each, KNOWN)}
        dropped = []
        for rule, trial in self._trials.items():
            if trial.pays is None:
                names[rule] = _watched(rule, names, answers, trial)
            elif not trial.pays:
                names[rule] = names[part_of(rule, NOW)]
                dropped.append(names[part_of(rule, KNOWN)])
        answers.drop(dropped)


def _watched(rule: str, names: MutableMapping[str, Any], answers: MemoTables, trial: CallTimes) -> Rule:
    kept: Rule = names[rule]
    table: Table = names[part_of(rule, KNOWN)]
    journal, seen, invalidate = answers.journal, answers.seen, answers.invalidate

    def watched(*arguments: Any) -> Any:
        if seen[0] != len(journal):
            invalidate()
        before, since = len(table), perf_counter()
        found = kept(*arguments)
        trial.note(len(table) == before, perf_counter() - since - _CLOCK)
        if trial.pays is not None:
            names[rule] = kept if trial.pays else names[part_of(rule, NOW)]
            if not trial.pays:
                answers.drop([table])
        return found

    return watched
