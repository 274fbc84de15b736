"""How good a ruleset's tests are: how many of many small wrong changes its examples and invariants notice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from interpreter.language.check import check_program
from interpreter.language.diagnostics import BicorneError
from interpreter.language.emit import build_image
from interpreter.play.driver import Simulation
from interpreter.play.setting import with_setup
from interpreter.reckoning.workers import worker_processes
from interpreter.rules import Ruleset, load_ruleset
from interpreter.rules.documents import read_ruleset
from interpreter.rules.link import link
from interpreter.workshop.examples import run_examples
from interpreter.workshop.mutants import Mutant, mutants, played_rules
from interpreter.workshop.reporting import place_text
from interpreter.workshop.roaming import situations
from interpreter.workshop.staging import stages_of

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
    """Tries changes, each by all examples until one fails, then by random games; in any order.

    Raises:
        RulesetError, UsageError: if the ruleset can't be loaded.
        BicorneError: if a worker is killed.
    """
    folder = str(ruleset.folder)
    if workers < 2:
        for number in numbers:
            yield _lab(folder).tried(number)
        return
    size = max(1, min(8, len(numbers) // (workers * 4)))
    parts = [numbers[first : first + size] for first in range(0, len(numbers), size)]
    with worker_processes(workers) as pool:
        for found in pool.map(_tried, [folder] * len(parts), parts):
            yield from found


def _tried(folder: str, numbers: Sequence[int]) -> list[Trial]:
    return [_lab(folder).tried(number) for number in numbers]


@lru_cache(maxsize=2)
def _lab(folder: str) -> _Lab:
    return _Lab(Path(folder))


class _Lab:
    """A ruleset whose documents are changed in memory and tried."""

    def __init__(self, folder: Path) -> None:
        self.ruleset = load_ruleset(folder)
        self.documents = read_ruleset(folder)
        self.mutants = mutants(self.documents)
        self._situations = situations(self.ruleset)
        self._examples = list(stages_of(self.ruleset).examples)
        self._by_rule = self._seen_by()
        self._last: dict[str, str] = {}

    def tried(self, number: int) -> Trial:
        """What becomes of one change."""
        each = self.mutants[number]
        with each.applied():
            changed = self._changed()
            by = NOT_SOUND if changed is None else self._noticed(changed, each)
        return Trial(number, each.path, place_text(each.place), each.was, each.becomes, by)

    def _changed(self) -> Ruleset | None:
        """The ruleset of the documents as they are now, unless the checker refuses it."""
        try:
            program, found = link(self.documents, self.ruleset.options)
            found += check_program(program) if not _errors(found) else []
            if _errors(found):
                return None
            image = build_image(program, "fast")
        except BicorneError:
            return None
        changed = replace(self.ruleset, image=image, _units={})
        vars(changed).update(documents=self.documents, program=program)
        return changed

    def _noticed(self, changed: Ruleset, mutant: Mutant) -> str:
        for name in self._likely_first(mutant.rule):
            if not run_examples(changed, [name])[0].passed:
                self._last[mutant.rule] = name
                return name
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

    def _likely_first(self, rule: str) -> list[str]:
        """All examples: the one that noticed the last change to this rule, those in which it ran, then the others."""
        first = [self._last[rule]] if rule in self._last else []
        return list(dict.fromkeys([*first, *self._by_rule.get(rule.partition("/")[2], ()), *self._examples]))

    def _seen_by(self) -> dict[str, list[str]]:
        sites = self.ruleset.image.sites
        found: dict[str, dict[str, None]] = {}
        for report in run_examples(self.ruleset):
            for number in report.sites:
                found.setdefault(sites[number].rule, {})[report.name] = None
        return {rule: list(names) for rule, names in found.items()}


def _errors(found: Sequence[Any]) -> bool:
    return any(each.severity == "error" for each in found)
