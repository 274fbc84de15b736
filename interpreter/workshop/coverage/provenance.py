"""The provenance of the figures of a ruleset: stated, derived, found in another source, or reconstructed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.language.checking.program.effects import EffectGraph
from interpreter.language.diagnostics import Diagnostic, Place
from interpreter.language.model.kind_hierarchy import Symbol
from interpreter.language.model.program import STANDINGS, Datum
from interpreter.language.model.rule_bodies import evaluation_rules
from interpreter.play.wording import messages
from interpreter.rules.documents.nodes import Mapping, as_written
from interpreter.rules.documents.source_excerpts import with_excerpts
from interpreter.rules.linking.figure import Figure
from interpreter.rules.linking.link import figures
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset, text_in
from interpreter.workshop.coverage.literal_figures import literal_figures
from interpreter.workshop.report_data import diagnostic_json, source_text

_DATA_HINT = "cite the clause, name a source, or write 'standing: reconstructed' if they are your own"
_RULE_TEXT_HINT = "cite the clause with the line, or give the number a name in 'constants', with its standing"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureOrigin:
    """One figure and its basis, which `because` describes in words of a language."""

    path: str
    section: str
    value: Datum
    standing: str
    cites: tuple[str, ...]
    source: str | None
    place: Place

    def because(self, language: str = "en") -> str:
        """Returns the basis of the figure in words; a reconstructed figure is never called printed."""
        parts = [messages.STANDING_MEANINGS[self.standing].format(language, {})]
        if self.source:
            parts.append(messages.FROM_SOURCE.format(language, {"source": self.source}))
        if self.cites:
            about = messages.MEANING_IN if self.standing in {"found", "reconstructed"} else messages.SEE_CLAUSES
            parts.append(about.format(language, {"clauses": ", ".join(self.cites)}))
        return "; ".join(parts)

    def as_json(self) -> dict[str, Any]:
        """Returns the figure as JSON data."""
        return {
            "path": self.path,
            "section": self.section,
            "value": str(self.value) if isinstance(self.value, tuple) else self.value,
            "standing": self.standing,
            "cites": list(self.cites),
            "source": self.source,
            "place": source_text(self.place),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Every figure of a ruleset; `sources` are the titles of the named public sources, by name."""

    ruleset: str
    figures: tuple[FigureOrigin, ...]
    sources: dict[str, str]
    findings: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """Whether every figure has a basis."""
        return not self.findings

    def totals(self) -> dict[str, int]:
        """Returns the number of figures by standing, in the order of the standings."""
        counted = Counter(each.standing for each in self.figures)
        return {standing: counted[standing] for standing in STANDINGS}

    def sections(self) -> dict[str, dict[str, int]]:
        """Returns the number of figures by standing, for each section."""
        found: dict[str, dict[str, int]] = {}
        for each in self.figures:
            found.setdefault(each.section, dict.fromkeys(STANDINGS, 0))[each.standing] += 1
        return found

    def of_standing(self, standing: str) -> list[FigureOrigin]:
        """Returns the figures of one standing, in document order."""
        return [each for each in self.figures if each.standing == standing]

    def as_json(self) -> dict[str, Any]:
        """Returns the report as JSON data."""
        return {
            "ruleset": self.ruleset,
            "ok": self.ok,
            "totals": self.totals(),
            "sections": self.sections(),
            "sources": self.sources,
            "figures": [each.as_json() for each in self.figures],
            "findings": [diagnostic_json(each) for each in self.findings],
        }


def provenance(ruleset: str | Ruleset) -> Provenance:
    """Returns every figure of a ruleset with its standing and source.

    Raises:
        RulesetError, UsageError: if the ruleset can't be loaded.
    """
    rules = ruleset if isinstance(ruleset, Ruleset) else load_ruleset(ruleset)
    all_figures = figures_of_the_game(rules)
    return Provenance(
        ruleset=rules.name,
        figures=tuple([origin(each) for each in all_figures]),
        sources=_sources(rules),
        findings=tuple(with_excerpts(unfounded_figures(rules, all_figures))),
    )


def origin(figure: Figure) -> FigureOrigin:
    """Returns a figure in the form of the reports."""
    return FigureOrigin(
        path=figure.path,
        section=figure.path.partition("/")[0],
        value=figure.value,
        standing=figure.standing,
        cites=figure.cite,
        source=figure.source,
        place=figure.place,
    )


def _sources(ruleset: Ruleset) -> dict[str, str]:
    found = {}
    for entry in ruleset.documents.entries("sources"):
        title = entry.node.get("title") if isinstance(entry.node, Mapping) else None
        texts = {key: as_written(each) for key, each in title.items.items()} if isinstance(title, Mapping) else None
        found[entry.name] = text_in(texts) if texts is not None else as_written(title) if title is not None else ""
    return found


def figures_of_the_game(ruleset: Ruleset) -> list[Figure]:
    """Returns all figures but the weights of evaluations, which no rulebook gives."""
    evaluation_paths = _evaluation_paths(ruleset)
    known = [*figures(ruleset.documents, ruleset.program), *literal_figures(ruleset.program)]
    return [each for each in known if each.cite or _owner(each) not in evaluation_paths]


def _owner(figure: Figure) -> str:
    return "/".join(figure.path.split("/")[:2])


def unfounded_figures(ruleset: Ruleset, known: Iterable[Figure]) -> Iterator[Diagnostic]:
    """Yields one finding for each entry with stated or derived figures that name no clause or source.

    A ruleset without clauses has nothing to cite.
    """
    if not ruleset.clauses:
        return
    reported: set[tuple[str, str]] = set()
    for each in known:
        owner = _owner(each)
        if each.standing not in {"stated", "derived"} or each.cite or each.source is not None:
            continue
        if (owner, each.standing) not in reported:
            reported.add((owner, each.standing))
            message = f"the figures of '{owner}' are given as {each.standing}, but name no clause or source"
            hint = _RULE_TEXT_HINT if "/line " in each.path else _DATA_HINT
            yield Diagnostic("no-basis", message, each.place, hint, severity="warning")


def _evaluation_paths(ruleset: Ruleset) -> set[str]:
    """Returns the paths of the rules that `evaluation` and `priors` use, directly or not."""
    program = ruleset.program
    effects = EffectGraph(program).rules
    found: dict[int, Symbol] = {}
    pending: list[Symbol] = [*evaluation_rules(program)]
    while pending:
        rule = pending.pop()
        if id(rule) not in found:
            found[id(rule)] = rule
            pending += effects[id(rule)].calls
    return {each.path for each in found.values()}
