"""Mutation testing of a ruleset: counts the small wrong changes that its examples and invariants detect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Any, TypeVar

from interpreter.language.checking.check import check_program
from interpreter.language.codegen.emit import build_image, emit_unit
from interpreter.language.diagnostics import BicorneError
from interpreter.language.model.image import Unit
from interpreter.play.engine.bulk import Simulation
from interpreter.play.engine.quota import Quota, QuotaSpentError
from interpreter.play.engine.source import with_setup
from interpreter.rules.documents.document_set import read_ruleset
from interpreter.rules.linking.link import link
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.simulation.processes import worker_processes
from interpreter.workshop.coverage.random_play import scenario_setups
from interpreter.workshop.examples.environment import environments_of
from interpreter.workshop.examples.run_examples import check_runaways, each_example
from interpreter.workshop.mutation.example_selection import ExampleSelection, ExampleTrace, trace_examples
from interpreter.workshop.mutation.mutants import Mutant, mutants, played_rules
from interpreter.workshop.report_data import source_text

Item = TypeVar("Item")
GAMES_PER_SCENARIO = 2
"""The number of random games with invariants in each scenario, for a mutant that no example detects."""
MAX_DECISIONS = 5_000
"""The number of decisions after which such a game is abandoned."""

UNNOTICED, NOT_SOUND = "unnoticed", "not sound"


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of one mutant: `by` is the example or the fault that detected it, else `unnoticed` or `not sound`."""

    number: int
    path: str
    place: str
    was: str
    becomes: str
    by: str

    @property
    def is_noticed(self) -> bool:
        """Whether an example, an invariant or a fault in a random game detects the mutant."""
        return self.by not in (UNNOTICED, NOT_SOUND)

    @property
    def is_valid(self) -> bool:
        """Whether the mutant is a valid ruleset; one that the checker rejects tests nothing."""
        return self.by != NOT_SOUND

    def as_json(self) -> dict[str, Any]:
        """Returns the trial as JSON data."""
        return {
            "path": self.path,
            "place": self.place,
            "was": self.was,
            "becomes": self.becomes,
            "noticed": self.is_noticed,
            "by": self.by,
        }


def list_mutants(ruleset: Ruleset) -> dict[int, str]:
    """Returns the paths of the mutants that are tried, by number: those of rules that a game can reach."""
    documents = read_ruleset(ruleset.folder)
    played = played_rules(documents)
    return {number: each.path for number, each in enumerate(mutants(documents)) if each.entry in played}


def try_mutants(ruleset: Ruleset, numbers: Sequence[int], workers: int = 1, seconds: float = inf) -> Iterator[Trial]:
    """Tries mutants, each with the examples that it can affect until one fails, then with random games; in any order.

    A process that has worked for `seconds` of CPU time tries no more mutants.

    Raises:
        RulesetError, UsageError: if the ruleset can't be loaded.
        QuotaSpentError: if the time is too short for the examples of the unchanged ruleset.
        BicorneError: if a worker is killed.
    """
    folder = str(ruleset.folder)
    examples = list(environments_of(ruleset).examples)
    if workers < 2:
        quota = Quota(seconds)
        with quota.applied():
            runner = MutationRunner(folder, trace_examples(ruleset, examples))
        for number in numbers:
            yield from _try_within(quota, runner, [number])
        return
    with worker_processes(workers, _start_worker, seconds) as pool:
        traces: dict[str, ExampleTrace] = {}
        for found in pool.map(_trace_in_worker, [folder] * len(examples), _chunks(examples, workers)):
            traces.update(found)
            check_runaways(sum(each.is_runaway for each in traces.values()))
    traces = {each: traces[each] for each in examples}
    with worker_processes(workers, _start_worker, seconds, folder, traces) as pool:
        for trials in pool.map(_try_in_worker, _chunks(numbers, workers)):
            yield from trials


def _try_within(quota: Quota, runner: MutationRunner, numbers: Sequence[int]) -> list[Trial]:
    """Tries mutants until the quota is spent."""
    found = []
    with quota.applied():
        for number in numbers:
            try:
                quota.check()
                found.append(runner.try_mutant(number))
            except QuotaSpentError:
                break
    return found


def _chunks(items: Sequence[Item], workers: int) -> list[Sequence[Item]]:
    """Splits work into chunks: few enough to be cheap, enough that all workers end together."""
    size = max(1, min(8, len(items) // (workers * 4)))
    return [items[first : first + size] for first in range(0, len(items), size)]


@lru_cache(maxsize=1)
def _loaded(folder: str) -> Ruleset:
    return load_ruleset(Path(folder))


_QUOTAS: list[Quota] = []
"""The quota of a worker process."""
_RUNNERS: list[MutationRunner] = []
"""The runner of a worker process."""


def _start_worker(seconds: float, folder: str | None = None, traces: dict[str, ExampleTrace] | None = None) -> None:
    _QUOTAS.append(Quota(seconds))
    if folder is not None and traces is not None:
        _RUNNERS.append(MutationRunner(folder, traces))


def _trace_in_worker(folder: str, names: Sequence[str]) -> dict[str, ExampleTrace]:
    with _QUOTAS[-1].applied():
        return trace_examples(_loaded(folder), names)


def _try_in_worker(numbers: Sequence[int]) -> list[Trial]:
    return _try_within(_QUOTAS[-1], _RUNNERS[-1], numbers)


class MutationRunner:
    """Runs mutants of a ruleset, whose documents it changes in memory."""

    def __init__(self, folder: str, traces: dict[str, ExampleTrace]) -> None:
        self.ruleset = load_ruleset(Path(folder))
        self.documents = read_ruleset(Path(folder))
        self.mutants = mutants(self.documents)
        self._situations = scenario_setups(self.ruleset)
        self._selection = ExampleSelection(self.ruleset, traces)

    def try_mutant(self, number: int) -> Trial:
        """Tries one mutant."""
        each = self.mutants[number]
        with each.applied():
            changed = self.changed()
            by = NOT_SOUND if changed is None else self._detected_by(changed, each)
        return Trial(number, each.path, source_text(each.place), each.was, each.becomes, by)

    def changed(self) -> Ruleset | None:
        """Returns the ruleset of the documents in their current state; none if the checker rejects it."""
        try:
            program, found = link(self.documents, self.ruleset.options)
            found += check_program(program) if not _errors(found) else []
            if _errors(found):
                return None
            image = build_image(program, None)
        except BicorneError:
            return None
        changed = replace(self.ruleset, image=image, make_unit=_emitted, _units={})
        vars(changed).update(documents=self.documents, program=program)
        return changed

    def _detected_by(self, changed: Ruleset, mutant: Mutant) -> str:
        for report in each_example(changed, self._selection.affected_by(changed, mutant.rule)):
            if not report.passed:
                return report.name
        return self._fault_in_play(changed) or UNNOTICED

    def _fault_in_play(self, changed: Ruleset) -> str:
        for name, _, setup in self._situations:
            simulation = Simulation(with_setup(changed, setup), checked=True)
            for seed in range(GAMES_PER_SCENARIO):
                try:
                    simulation.play(seed, limit=MAX_DECISIONS, hashed=False)
                except QuotaSpentError:
                    raise
                except BicorneError as error:
                    return f"random play of {name}: {str(error).splitlines()[0]}"
        return ""


def _emitted(ruleset: Ruleset, variant: str) -> Unit:
    """Emits a variant of a changed ruleset; no cache may serve it, because its hash is that of the original."""
    return emit_unit(ruleset.program, variant)


def _errors(found: Sequence[Any]) -> bool:
    return any(each.severity == "error" for each in found)
