"""How good a ruleset's tests are: how many of many small wrong changes its examples and invariants notice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from interpreter.language.checking.check import check_program
from interpreter.language.codegen.emit import build_image, emit_unit
from interpreter.language.diagnostics import BicorneError
from interpreter.language.model.image import Unit
from interpreter.play.engine.bulk import Simulation
from interpreter.play.engine.source import with_setup
from interpreter.rules.documents.document_set import read_ruleset
from interpreter.rules.linking.link import link
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.simulation.processes import worker_processes
from interpreter.workshop.coverage.random_play import situations
from interpreter.workshop.examples.environment import stages_of
from interpreter.workshop.examples.run_examples import each_example
from interpreter.workshop.mutation.example_selection import ExampleSelection, ExampleTrace, watch
from interpreter.workshop.mutation.mutants import Mutant, mutants, played_rules
from interpreter.workshop.report_data import place_text

Item = TypeVar("Item")
GAMES = 2
"""Random games under invariants in each scenario, for a change that no example notices."""
DECISIONS = 5_000
"""In one such game, which is then left."""

UNNOTICED, NOT_SOUND = "unnoticed", "not sound"


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one change: `by` names the example that noticed it, or says what else did; empty if nothing."""

    number: int
    path: str
    place: str
    was: str
    becomes: str
    by: str

    @property
    def noticed(self) -> bool:
        """Whether an example, an invariant or a fault in a random game tells the change from the ruleset."""
        return self.by not in (UNNOTICED, NOT_SOUND)

    @property
    def counted(self) -> bool:
        """Whether the change is a ruleset at all; what the checker refuses tests nothing."""
        return self.by != NOT_SOUND

    def as_json(self) -> dict[str, Any]:
        """The trial as plain data."""
        return {
            "path": self.path,
            "place": self.place,
            "was": self.was,
            "becomes": self.becomes,
            "noticed": self.noticed,
            "by": self.by,
        }


def list_mutants(ruleset: Ruleset) -> dict[int, str]:
    """The changes that are tried on a ruleset, numbers with paths: those to rules that play can come to."""
    documents = read_ruleset(ruleset.folder)
    played = played_rules(documents)
    return {number: each.path for number, each in enumerate(mutants(documents)) if each.rule in played}


def try_mutants(ruleset: Ruleset, numbers: Sequence[int], workers: int = 1) -> Iterator[Trial]:
    """Tries changes, each by the examples that it can bear on until one fails, then by random games; in any order.

    Raises:
        RulesetError, UsageError: if the ruleset can't be loaded.
        BicorneError: if a worker is killed.
    """
    folder = str(ruleset.folder)
    examples = list(stages_of(ruleset).examples)
    if workers < 2:
        lab = MutationRunner(folder, watch(ruleset, examples))
        yield from map(lab.tried, numbers)
        return
    with worker_processes(workers) as pool:
        watched = {}
        for found in pool.map(_watched, [folder] * len(examples), _parts(examples, workers)):
            watched.update(found)
    with worker_processes(workers, _begin, folder, {each: watched[each] for each in examples}) as pool:
        for trials in pool.map(_tried, _parts(numbers, workers)):
            yield from trials


def _parts(items: Sequence[Item], workers: int) -> list[Sequence[Item]]:
    """Few enough to cost nothing, many enough that all workers end together."""
    size = max(1, min(8, len(items) // (workers * 4)))
    return [items[first : first + size] for first in range(0, len(items), size)]


@lru_cache(maxsize=1)
def _loaded(folder: str) -> Ruleset:
    return load_ruleset(Path(folder))


def _watched(folder: str, names: Sequence[str]) -> dict[str, ExampleTrace]:
    return watch(_loaded(folder), names)


_LABS: list[MutationRunner] = []
"""In a worker process: its own."""


def _begin(folder: str, watched: dict[str, ExampleTrace]) -> None:
    _LABS.append(MutationRunner(folder, watched))


def _tried(numbers: Sequence[int]) -> list[Trial]:
    return [_LABS[-1].tried(number) for number in numbers]


class MutationRunner:
    """A ruleset whose documents are changed in memory and tried."""

    def __init__(self, folder: str, watched: dict[str, ExampleTrace]) -> None:
        self.ruleset = load_ruleset(Path(folder))
        self.documents = read_ruleset(Path(folder))
        self.mutants = mutants(self.documents)
        self._situations = situations(self.ruleset)
        self._bearing = ExampleSelection(self.ruleset, watched)

    def tried(self, number: int) -> Trial:
        """What becomes of one change."""
        each = self.mutants[number]
        with each.applied():
            changed = self.changed()
            by = NOT_SOUND if changed is None else self._noticed(changed, each)
        return Trial(number, each.path, place_text(each.place), each.was, each.becomes, by)

    def changed(self) -> Ruleset | None:
        """The ruleset of the documents as they are now, none if the checker refuses it."""
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

    def _noticed(self, changed: Ruleset, mutant: Mutant) -> str:
        for report in each_example(changed, self._bearing.on(changed, mutant.rule)):
            if not report.passed:
                return report.name
        return self._fault_in_play(changed) or UNNOTICED

    def _fault_in_play(self, changed: Ruleset) -> str:
        for name, _, setup in self._situations:
            simulation = Simulation(with_setup(changed, setup), checked=True)
            for seed in range(GAMES):
                try:
                    simulation.play(seed, limit=DECISIONS, hashed=False)
                except BicorneError as error:
                    return f"random play of {name}: {str(error).splitlines()[0]}"
        return ""


def _emitted(ruleset: Ruleset, variant: str) -> Unit:
    """A variant of a changed ruleset, which no cache knows: its hash is still that of the first."""
    return emit_unit(ruleset.program, variant)


def _errors(found: Sequence[Any]) -> bool:
    return any(each.severity == "error" for each in found)
