"""Measures which clauses of the rulebook are implemented, by what, and which are exercised.

A clause is implemented by everything that cites it, apart from examples, readings and other clauses. It is exercised if
any of that ran: a rule was entered, a line was reached (for a condition, its branch was taken), a table was read, a
modifier applied, a restriction, bar or stop applied, a requirement of an action was tested, a menu was offered, or a
step of the sequence was played. Plain data, invariants, views and evaluations are in use in every random game, data and
invariants also in the examples that cite the same clause. An option is in use if its value is not the default.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from interpreter.language.diagnostics import NOWHERE, Diagnostic, Place
from interpreter.language.model.image import Site
from interpreter.language.model.program import Option
from interpreter.rules.documents.source_excerpts import with_excerpts
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Clause, Ruleset
from interpreter.workshop.coverage.citation_index import DATA_SECTIONS, Citation, citations
from interpreter.workshop.coverage.lint import KINDS_TO_IMPLEMENT, clause_places, left_out_clauses
from interpreter.workshop.coverage.random_play import play_random_games
from interpreter.workshop.coverage.translations import Translation, translations
from interpreter.workshop.examples.environment import Environments, environments_of
from interpreter.workshop.examples.run_examples import each_example
from interpreter.workshop.report_data import diagnostic_json, source_text


@dataclass(frozen=True, slots=True)
class Implementation:
    """Something that implements a clause: its path and its place."""

    path: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseCoverage:
    """One clause: its implementations, and the examples and the number of random games in which any of them ran."""

    id: str
    kind: str
    says: str
    place: Place
    implemented_by: tuple[Implementation, ...]
    examples: tuple[str, ...]
    games: int
    left_out: str | None

    @property
    def state(self) -> str:
        """`exercised`, `implemented` (but never run), `left out`, `described` (nothing to implement) or `missing`."""
        if self.implemented_by:
            return "exercised" if self.examples or self.games else "implemented"
        if self.left_out is not None:
            return "left out"
        return "missing" if self.kind in KINDS_TO_IMPLEMENT else "described"

    def as_json(self) -> dict[str, Any]:
        """Returns the clause as JSON data."""
        return {
            "id": self.id,
            "kind": self.kind,
            "says": self.says,
            "state": self.state,
            "implemented_by": [{"path": each.path, "place": source_text(each.place)} for each in self.implemented_by],
            "examples": list(self.examples),
            "games": self.games,
            "left_out": self.left_out,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Every clause of a ruleset, and how many of its texts each language has.

    `findings` are unimplemented clauses, failed examples and faults in random games.
    """

    ruleset: str
    clauses: tuple[ClauseCoverage, ...]
    games: int
    examples: int
    findings: tuple[Diagnostic, ...]
    translations: tuple[Translation, ...]

    @property
    def ok(self) -> bool:
        """Whether every clause that needs an implementation has one or is left out, and nothing failed."""
        return not self.findings

    def totals(self) -> dict[str, dict[str, int]]:
        """Returns the number of clauses by state, for each kind of clause."""
        return _counted((each.kind, each.state) for each in self.clauses)

    def chapters(self) -> dict[str, dict[str, int]]:
        """Returns the number of clauses by state, for each chapter: the part of an id before the first dot."""
        return _counted((each.id.partition(".")[0], each.state) for each in self.clauses)

    def as_json(self) -> dict[str, Any]:
        """Returns the report as JSON data."""
        return {
            "ruleset": self.ruleset,
            "ok": self.ok,
            "games": self.games,
            "examples": self.examples,
            "totals": self.totals(),
            "chapters": self.chapters(),
            "clauses": [each.as_json() for each in self.clauses],
            "findings": [diagnostic_json(each) for each in self.findings],
            "translations": [each.as_json() for each in self.translations],
        }


T = TypeVar("T")


class Progress(Protocol):
    """Reports the progress of long work: passes on its items, `total` in number."""

    def __call__(self, items: Iterable[T], total: int, what: str) -> Iterable[T]:
        """Yields the items unchanged."""


def _without_progress(items: Iterable[T], total: int, what: str) -> Iterable[T]:  # noqa: ARG001 - nothing is reported
    return items


def coverage(
    ruleset: str | Ruleset, games: int = 20, seconds: float = 120.0, progress: Progress = _without_progress
) -> Coverage:
    """Measures which clauses are implemented, and which of them run in the examples and in random games.

    No game begins after `seconds`.

    Raises:
        RulesetError, UsageError: if the ruleset can't be loaded.
    """
    rules = ruleset if isinstance(ruleset, Ruleset) else load_ruleset(ruleset)
    environments = environments_of(rules)
    items = citations(rules.documents, rules.program)
    runs = _Runs(environments)
    runs.add_examples(progress)
    runs.add_games(games, seconds, progress)
    exercised = _ExerciseIndex(environments, runs)
    by_clause: dict[str, list[Citation]] = {}
    for each in items:
        for clause in each.clauses:
            by_clause.setdefault(clause, []).append(each)
    places = clause_places(rules)
    reasons = left_out_clauses(rules)
    clauses = tuple(
        [_clause(each, by_clause.get(each.id, []), exercised, places, reasons) for each in rules.clauses.values()]
    )
    findings = [*_missing(clauses), *runs.faults]
    return Coverage(
        ruleset=rules.name,
        clauses=clauses,
        games=runs.games,
        examples=runs.examples,
        findings=tuple(with_excerpts(findings)),
        translations=tuple(translations(rules)),
    )


# ---------------------------------------------------------------- runs
@dataclass(frozen=True, slots=True)
class _CoverageRun:
    """One example (by name) or one random game (name none)."""

    example: str | None
    sites: frozenset[int]
    steps: frozenset[str]
    options: Mapping[str, object]
    cites: frozenset[str]


class _Runs:
    """All examples and random games of a ruleset, and their failures."""

    def __init__(self, environments: Environments) -> None:
        self._environments = environments
        self.all: list[_CoverageRun] = []
        self.examples = self.games = 0
        self.faults: list[Diagnostic] = []

    def add_examples(self, progress: Progress) -> None:
        known = self._environments.examples
        for report in progress(each_example(self._environments.ruleset), len(known), "running the examples"):
            options = known[report.name].options
            self.all.append(_CoverageRun(report.name, report.sites, report.steps, options, frozenset(report.cites)))
            if not report.passed:
                message, hint = f"the example '{report.name}' does not hold", "run 'bicorne test' to see why"
                self.faults.append(Diagnostic("failing-example", message, report.place, hint))
        self.examples = len(known)

    def add_games(self, games: int, seconds: float, progress: Progress) -> None:
        for each in progress(play_random_games(self._environments, games, seconds), games, "playing at random"):
            self.games += 1
            self.all.append(_CoverageRun(None, each.sites, each.steps, each.options, frozenset()))
            if each.fault is not None:
                message = f"a random game of {each.scenario} (seed {each.seed}) failed: {each.fault.message}"
                self.faults.append(Diagnostic(each.fault.code, message, each.fault.place, each.fault.hint))


class _ExerciseIndex:
    """Finds the runs in which a citation was exercised."""

    def __init__(self, environments: Environments, runs: _Runs) -> None:
        self._runs = runs.all
        self._options = environments.program.options
        self._by_rule: dict[str, list[Site]] = {}
        self._menus: dict[str, set[int]] = {}
        for site in environments.ruleset.image.sites:
            self._by_rule.setdefault(site.rule, []).append(site)
            if site.kind == "menu":
                self._menus.setdefault(site.address.rpartition(".")[2], set()).add(site.number)

    def runs(self, item: Citation, clause: str) -> list[_CoverageRun]:
        """Returns the runs that exercise a citation, for one clause that it cites."""
        if item.section in DATA_SECTIONS or (item.section == "invariants" and not item.line):
            return [each for each in self._runs if each.example is None or clause in each.cites]
        if item.section in {"views", "evaluation", "priors", "victory"} and not item.line:
            return [each for each in self._runs if each.example is None]
        if item.section == "options":
            option = self._options[item.rule.partition("/")[2]]
            return [each for each in self._runs if _is_set(option, each.options)]
        if item.section == "sequence" and not item.line:
            name = item.rule.partition("/")[2]
            return [each for each in self._runs if any(name in path.split("/") for path in each.steps)]
        sites = self._sites(item)
        return [each for each in self._runs if sites & each.sites]

    def _sites(self, item: Citation) -> set[int]:
        opened = item.section == "windows"
        section = "procedures" if opened else item.section
        known = self._by_rule.get(item.rule.replace("windows/", "procedures/", 1) if opened else item.rule, [])
        if item.line:
            return {each.number for each in known if each.place == item.place}
        if item.item is not None:
            return {each.number for each in known if each.kind == "item" and each.address == item.item}
        if item.section == "menus":
            return self._menus.get(item.rule.partition("/")[2], set())
        return {each.number for each in known if each.kind == section}


def _is_set(option: Option, options: Mapping[str, object]) -> bool:
    return options.get(option.name, option.value) != option.default


# ---------------------------------------------------------------- clauses
def _clause(
    clause: Clause,
    items: list[Citation],
    exercised: _ExerciseIndex,
    places: Mapping[str, Place],
    reasons: Mapping[str, str],
) -> ClauseCoverage:
    runs = {id(run): run for item in items for run in exercised.runs(item, clause.id)}.values()
    return ClauseCoverage(
        id=clause.id,
        kind=clause.kind,
        says=clause.says,
        place=places.get(clause.id, NOWHERE),
        implemented_by=tuple([Implementation(each.path, each.place) for each in items]),
        examples=tuple(dict.fromkeys([each.example for each in runs if each.example is not None])),
        games=sum(each.example is None for each in runs),
        left_out=reasons.get(clause.id),
    )


def _missing(clauses: Iterable[ClauseCoverage]) -> Iterator[Diagnostic]:
    for each in clauses:
        if each.state == "missing":
            hint = "cite it where it is implemented, or list it in 'left_out' with a reason"
            yield Diagnostic("not-implemented", f"nothing implements clause {each.id}: {each.says}", each.place, hint)


def _counted(pairs: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    for group, state in pairs:
        found.setdefault(group, Counter())[state] += 1
    return {group: dict(sorted(states.items())) for group, states in found.items()}
