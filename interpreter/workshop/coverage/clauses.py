"""Which clauses of the rulebook are implemented, by what, and which were seen to work.

A clause is implemented by everything that cites it, apart from examples, readings and other clauses. It counts as
exercised where something of that ran: a rule that was entered, a line that was reached (a condition: one whose branch
was taken), a table that was looked up in, a modifier that applied, a restriction, bar or stop that stood in the way, a
need of an action that was tested, a menu that was offered, a step of the sequence that was played. Plain data,
invariants, views and evaluations are in use in every random game, data and invariants in the examples that cite the
same clause too; an option is in use where it is set otherwise than by default.
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
from interpreter.workshop.coverage.citation_index import DATA, Citing, citing
from interpreter.workshop.coverage.lint import TO_IMPLEMENT, clause_places, left_out_clauses
from interpreter.workshop.coverage.random_play import play_random_games
from interpreter.workshop.examples.environment import Stages, stages_of
from interpreter.workshop.examples.run_examples import each_example
from interpreter.workshop.report_data import diagnostic_json, place_text


@dataclass(frozen=True, slots=True)
class Implementation:
    """Something that implements a clause: its path and where it stands."""

    path: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseCoverage:
    """One clause: what implements it, the examples and the number of random games in which some of that ran."""

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
        """`exercised`, `implemented` (but never seen to run), `left out`, `described` (nothing to do) or `missing`."""
        if self.implemented_by:
            return "exercised" if self.examples or self.games else "implemented"
        if self.left_out is not None:
            return "left out"
        return "missing" if self.kind in TO_IMPLEMENT else "described"

    def as_json(self) -> dict[str, Any]:
        """The clause as plain data."""
        return {
            "id": self.id,
            "kind": self.kind,
            "says": self.says,
            "state": self.state,
            "implemented_by": [{"path": each.path, "place": place_text(each.place)} for each in self.implemented_by],
            "examples": list(self.examples),
            "games": self.games,
            "left_out": self.left_out,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Every clause of a ruleset; `findings` are clauses that nothing accounts for, and what went wrong on the way."""

    ruleset: str
    clauses: tuple[ClauseCoverage, ...]
    games: int
    examples: int
    findings: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """Whether every clause that must be implemented is, or is left out for a reason, and nothing went wrong."""
        return not self.findings

    def totals(self) -> dict[str, dict[str, int]]:
        """Numbers of clauses by state, for each kind of clause."""
        return _counted((each.kind, each.state) for each in self.clauses)

    def chapters(self) -> dict[str, dict[str, int]]:
        """Numbers of clauses by state, for each chapter: what stands before the first dot of an id."""
        return _counted((each.id.partition(".")[0], each.state) for each in self.clauses)

    def as_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "ruleset": self.ruleset,
            "ok": self.ok,
            "games": self.games,
            "examples": self.examples,
            "totals": self.totals(),
            "chapters": self.chapters(),
            "clauses": [each.as_json() for each in self.clauses],
            "findings": [diagnostic_json(each) for each in self.findings],
        }


T = TypeVar("T")


class Progress(Protocol):
    """Sees long work go on: hands on its items, of which there are so many, and may tell somebody how far it is."""

    def __call__(self, items: Iterable[T], total: int, what: str) -> Iterable[T]:
        """The items as they come."""


def _unwatched(items: Iterable[T], total: int, what: str) -> Iterable[T]:  # noqa: ARG001 - it tells nobody
    return items


def coverage(ruleset: str | Ruleset, games: int = 20, seconds: float = 120.0, watch: Progress = _unwatched) -> Coverage:
    """What of the rulebook is implemented, and what of it runs in the examples and in random games.

    After so many seconds no further game is begun.

    Raises:
        RulesetError, UsageError: if the ruleset can't be loaded.
    """
    rules = ruleset if isinstance(ruleset, Ruleset) else load_ruleset(ruleset)
    stages = stages_of(rules)
    items = citing(rules.documents, rules.program)
    runs = _Runs(stages)
    runs.add_examples(watch)
    runs.add_games(games, seconds, watch)
    seen = _Exercised(stages, runs)
    by_clause: dict[str, list[Citing]] = {}
    for each in items:
        for clause in each.clauses:
            by_clause.setdefault(clause, []).append(each)
    places = clause_places(rules)
    reasons = left_out_clauses(rules)
    clauses = tuple(
        [_clause(each, by_clause.get(each.id, []), seen, places, reasons) for each in rules.clauses.values()]
    )
    findings = [*_missing(clauses), *runs.faults]
    return Coverage(
        ruleset=rules.name,
        clauses=clauses,
        games=runs.games,
        examples=runs.examples,
        findings=tuple(with_excerpts(findings)),
    )


# ---------------------------------------------------------------- what ran
@dataclass(frozen=True, slots=True)
class _CoverageRun:
    """One example (by name) or one random game (name none)."""

    example: str | None
    sites: frozenset[int]
    steps: frozenset[str]
    options: Mapping[str, object]
    cites: frozenset[str]


class _Runs:
    """All examples and random games of a ruleset, and what went wrong in them."""

    def __init__(self, stages: Stages) -> None:
        self._stages = stages
        self.all: list[_CoverageRun] = []
        self.examples = self.games = 0
        self.faults: list[Diagnostic] = []

    def add_examples(self, watch: Progress) -> None:
        known = self._stages.examples
        for report in watch(each_example(self._stages.ruleset), len(known), "running the examples"):
            options = known[report.name].options
            self.all.append(_CoverageRun(report.name, report.sites, report.steps, options, frozenset(report.cites)))
            if not report.passed:
                message, hint = f"the example '{report.name}' does not hold", "run 'bicorne test' to see why"
                self.faults.append(Diagnostic("failing-example", message, report.place, hint))
        self.examples = len(known)

    def add_games(self, games: int, seconds: float, watch: Progress) -> None:
        for each in watch(play_random_games(self._stages, games, seconds), games, "playing at random"):
            self.games += 1
            self.all.append(_CoverageRun(None, each.sites, each.steps, each.options, frozenset()))
            if each.fault is not None:
                message = f"a random game of {each.scenario} (seed {each.seed}) broke off: {each.fault.message}"
                self.faults.append(Diagnostic(each.fault.code, message, each.fault.place, each.fault.hint))


class _Exercised:
    """Tells in which runs something that cites was seen to work."""

    def __init__(self, stages: Stages, runs: _Runs) -> None:
        self._runs = runs.all
        self._options = stages.program.options
        self._by_rule: dict[str, list[Site]] = {}
        self._menus: dict[str, set[int]] = {}
        for site in stages.ruleset.image.sites:
            self._by_rule.setdefault(site.rule, []).append(site)
            if site.kind == "menu":
                self._menus.setdefault(site.address.rpartition(".")[2], set()).add(site.number)

    def runs(self, item: Citing, clause: str) -> list[_CoverageRun]:
        """The runs in which it was seen to work, for one clause that it cites."""
        if item.section in DATA or (item.section == "invariants" and not item.line):
            return [each for each in self._runs if each.example is None or clause in each.cites]
        if item.section in {"views", "evaluation", "leanings"} and not item.line:
            return [each for each in self._runs if each.example is None]
        if item.section == "options":
            option = self._options[item.rule.partition("/")[2]]
            return [each for each in self._runs if _is_set(option, each.options)]
        if item.section == "sequence" and not item.line:
            name = item.rule.partition("/")[2]
            return [each for each in self._runs if any(name in path.split("/") for path in each.steps)]
        sites = self._sites(item)
        return [each for each in self._runs if sites & each.sites]

    def _sites(self, item: Citing) -> set[int]:
        known = self._by_rule.get(item.rule, [])
        if item.line:
            return {each.number for each in known if each.place == item.place}
        if item.item is not None:
            return {each.number for each in known if each.kind == "item" and each.address == item.item}
        if item.section == "menus":
            return self._menus.get(item.rule.partition("/")[2], set())
        return {each.number for each in known if each.kind == item.section}


def _is_set(option: Option, options: Mapping[str, object]) -> bool:
    return options.get(option.name, option.value) != option.default


# ---------------------------------------------------------------- clauses
def _clause(
    clause: Clause, items: list[Citing], seen: _Exercised, places: Mapping[str, Place], reasons: Mapping[str, str]
) -> ClauseCoverage:
    runs = {id(run): run for item in items for run in seen.runs(item, clause.id)}.values()
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
