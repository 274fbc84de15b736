"""Where the figures of a ruleset come from: which are printed, which derived, found, or made up to fill a gap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.language.checking.program.effects import EffectGraph
from interpreter.language.diagnostics import Diagnostic, Place
from interpreter.language.model.kind_hierarchy import Symbol
from interpreter.language.model.program import STANDINGS, Datum
from interpreter.language.model.rule_bodies import opinions
from interpreter.rules.documents.nodes import Mapping, as_written
from interpreter.rules.documents.source_excerpts import with_excerpts
from interpreter.rules.linking.figure import Figure
from interpreter.rules.linking.link import figures
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset, text_in
from interpreter.workshop.coverage.literal_figures import text_figures
from interpreter.workshop.report_data import diagnostic_json, place_text

MEANINGS = {
    "stated": "given in the rules",
    "derived": "follows from what the rules say",
    "found": "found in a public source other than the rules",
    "reconstructed": "chosen by the authors of this ruleset; the printed figure is not known to them",
}


_IN_DATA = "cite the clause, name a source, or write 'standing: reconstructed' if they are your own"
_IN_TEXT = "cite the clause with the line, or give the number a name in 'constants', with its standing"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureOrigin:
    """One figure and what it rests on; `because` says it in words."""

    path: str
    section: str
    value: Datum
    standing: str
    cites: tuple[str, ...]
    source: str | None
    place: Place

    @property
    def because(self) -> str:
        """Why the figure is what it is; a reconstructed one is never said to be printed, whatever it cites."""
        parts = [MEANINGS[self.standing]]
        if self.source:
            parts.append(f"source: {self.source}")
        if self.cites:
            about = "what it stands for is in" if self.standing in {"found", "reconstructed"} else "see"
            parts.append(f"{about} {', '.join(self.cites)}")
        return "; ".join(parts)

    def as_json(self) -> dict[str, Any]:
        """The figure as plain data."""
        return {
            "path": self.path,
            "section": self.section,
            "value": str(self.value) if isinstance(self.value, tuple) else self.value,
            "standing": self.standing,
            "cites": list(self.cites),
            "source": self.source,
            "place": place_text(self.place),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Every figure of a ruleset; `sources` are the titles of the public sources named, by name."""

    ruleset: str
    figures: tuple[FigureOrigin, ...]
    sources: dict[str, str]
    findings: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """Whether every figure rests on something."""
        return not self.findings

    def totals(self) -> dict[str, int]:
        """Numbers of figures by standing, in the order of the standings."""
        counted = Counter(each.standing for each in self.figures)
        return {standing: counted[standing] for standing in STANDINGS}

    def sections(self) -> dict[str, dict[str, int]]:
        """Numbers of figures by standing, for each section."""
        found: dict[str, dict[str, int]] = {}
        for each in self.figures:
            found.setdefault(each.section, dict.fromkeys(STANDINGS, 0))[each.standing] += 1
        return found

    def of_standing(self, standing: str) -> list[FigureOrigin]:
        """The figures of one standing, in document order."""
        return [each for each in self.figures if each.standing == standing]

    def as_json(self) -> dict[str, Any]:
        """The report as plain data."""
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
    """Every figure of a ruleset with its standing and source.

    Raises:
        RulesetError, UsageError: if the ruleset can't be loaded.
    """
    rules = ruleset if isinstance(ruleset, Ruleset) else load_ruleset(ruleset)
    all_figures = figures_of_the_game(rules)
    return Provenance(
        ruleset=rules.name,
        figures=tuple([origin(each) for each in all_figures]),
        sources=_sources(rules),
        findings=tuple(with_excerpts(baseless_figures(rules, all_figures))),
    )


def origin(figure: Figure) -> FigureOrigin:
    """A figure as the reports tell it."""
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
    """All figures but the weights by which players judge, which no rulebook gives."""
    judging = _rules_of_opinion(ruleset)
    known = [*figures(ruleset.documents, ruleset.program), *text_figures(ruleset.program)]
    return [each for each in known if each.cite or _owner(each) not in judging]


def _owner(figure: Figure) -> str:
    return "/".join(figure.path.split("/")[:2])


def baseless_figures(ruleset: Ruleset, known: Iterable[Figure]) -> Iterator[Diagnostic]:
    """Figures that rest on nothing, one finding for each entry: stated or derived, and no clause or source is named.

    A ruleset without clauses has nothing to cite.
    """
    if not ruleset.clauses:
        return
    told: set[tuple[str, str]] = set()
    for each in known:
        owner = _owner(each)
        if each.standing not in {"stated", "derived"} or each.cite or each.source is not None:
            continue
        if (owner, each.standing) not in told:
            told.add((owner, each.standing))
            message = f"the figures of '{owner}' are given as {each.standing}, and nothing says where from"
            hint = _IN_TEXT if "/line " in each.path else _IN_DATA
            yield Diagnostic("no-basis", message, each.place, hint, severity="warning")


def _rules_of_opinion(ruleset: Ruleset) -> set[str]:
    """The paths of the rules that evaluation and leanings use, directly or through one another."""
    program = ruleset.program
    uses = EffectGraph(program).uses
    found: dict[int, Symbol] = {}
    waiting: list[Symbol] = [*opinions(program)]
    while waiting:
        rule = waiting.pop()
        if id(rule) not in found:
            found[id(rule)] = rule
            waiting += uses[id(rule)].calls
    return {each.path for each in found.values()}
