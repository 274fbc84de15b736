"""Lint: warnings for authors beyond the checks of the language, about unimplemented clauses and unfounded figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from interpreter.language.diagnostics import Diagnostic, Place
from interpreter.rules.documents import nodes
from interpreter.rules.documents.document_set import read_scenario
from interpreter.rules.documents.nodes import as_written
from interpreter.rules.documents.source_excerpts import with_excerpts
from interpreter.rules.linking.figure import Figure
from interpreter.rules.loading.ruleset import Ruleset, Scenario, text_in
from interpreter.workshop.coverage.citation_index import citations
from interpreter.workshop.coverage.missing_words import missing_words
from interpreter.workshop.coverage.provenance import figures_of_the_game, unfounded_figures
from interpreter.workshop.coverage.terms import TermWords, lint_texts, term_words_by_language

KINDS_TO_IMPLEMENT = frozenset({"rule", "table", "definition", "optional"})
"""Kinds of clauses that must be implemented or left out; clauses of other kinds only describe."""
MAX_LISTED_CLAUSES = 3
"""The largest number of clauses of a document that are reported one by one; an unfinished ruleset has hundreds."""


def lint_ruleset(ruleset: Ruleset) -> list[Diagnostic]:
    """Returns warnings about a ruleset that loads, each with advice."""
    known = figures_of_the_game(ruleset)
    found = [
        *_clauses(ruleset),
        *_examples(ruleset),
        *unfounded_figures(ruleset, known),
        *_reconstructed_with_source(known),
        *missing_words(ruleset),
        *lint_texts([each.root for each in ruleset.documents.documents], term_words_of(ruleset)),
    ]
    return with_excerpts(found)


def lint_scenario(scenario: Scenario) -> list[Diagnostic]:
    """Returns warnings about the texts of a scenario that loads, by the glossary of its ruleset."""
    root = read_scenario(scenario.path).root
    return with_excerpts([*lint_texts([root], term_words_of(scenario.ruleset))])


def term_words_of(ruleset: Ruleset) -> dict[str, TermWords]:
    """Returns the term words of each language of a ruleset's glossary; texts may contain what a person types.

    That is the ids of things and clauses, and the names and words of options.
    """
    options = ruleset.program.options.values()
    typed = [word for each in options for word in (each.name, *each.choices)]
    ids = [*ruleset.clauses, *[name for _, name in ruleset.program.individuals], *typed]
    return term_words_by_language(ruleset.documents, ids)


def left_out_clauses(ruleset: Ruleset, language: str = "en") -> dict[str, str]:
    """Returns the reason for every clause that is left out, in a language if it has it.

    A section that is left out covers all clauses in it that nothing cites, because a chapter may leave out a clause and
    implement others below its number.
    """
    cited = {clause for each in citations(ruleset.documents, ruleset.program) for clause in each.clauses}
    reasons: dict[str, tuple[int, str]] = {}
    for number, entry in enumerate(ruleset.left_out):
        named = entry.get("clauses") or []
        for each in named if isinstance(named, list) else [named]:
            reasons[str(each)] = (number, text_in(entry.get("reason"), language))
    found: dict[str, str] = {}
    for clause in ruleset.clauses:
        parts = clause.split(".")
        sections = [".".join(parts[:length]) for length in range(1, len(parts) + 1)]
        matching = [reasons[each] for each in sections if each in reasons]
        if clause in reasons or (matching and clause not in cited):
            found[clause] = max(matching)[1]
    return found


def clause_places(ruleset: Ruleset) -> dict[str, Place]:
    """Returns the place of each clause."""
    written = [each for each in ruleset.documents.items("clauses") if isinstance(each, nodes.Mapping)]
    return {as_written(each.items["id"]): each.place for each in written if "id" in each}


def _clauses(ruleset: Ruleset) -> Iterator[Diagnostic]:
    cited = {clause: each for each in citations(ruleset.documents, ruleset.program) for clause in each.clauses}
    left_out = left_out_clauses(ruleset)
    places = clause_places(ruleset)
    missing: dict[str, list[str]] = {}
    for clause in ruleset.clauses.values():
        if clause.kind in KINDS_TO_IMPLEMENT and clause.id not in cited and clause.id not in left_out:
            missing.setdefault(places[clause.id].file, []).append(clause.id)
        elif clause.id in cited and clause.id in left_out:
            yield Diagnostic(
                "left-out-yet-cited",
                f"clause {clause.id} is left out, but '{cited[clause.id].path}' cites it",
                cited[clause.id].place,
                "remove it from 'left_out', or do not cite it",
                severity="warning",
            )
    for clauses in missing.values():
        yield from _not_implemented(clauses, places)


def _not_implemented(clauses: list[str], places: Mapping[str, Place]) -> Iterator[Diagnostic]:
    """Yields the unimplemented clauses of one document: one finding each if they are few, else a single one."""
    if len(clauses) <= MAX_LISTED_CLAUSES:
        for each in clauses:
            hint = "cite it where it is implemented, or list it in 'left_out' with a reason"
            message = f"nothing implements clause {each}"
            yield Diagnostic("not-implemented", message, places[each], hint, severity="warning")
        return
    first = ", ".join(clauses[:MAX_LISTED_CLAUSES])
    message = f"nothing implements {len(clauses)} clauses of this document: {first} …"
    hint = (
        "cite them where they are implemented, or list them in 'left_out' with a reason; 'bicorne coverage' names all"
    )
    yield Diagnostic("not-implemented", message, places[clauses[0]], hint, severity="warning")


def _examples(ruleset: Ruleset) -> Iterator[Diagnostic]:
    for entry in ruleset.documents.entries("examples"):
        if isinstance(entry.node, nodes.Mapping) and "cite" not in entry.node and ruleset.clauses:
            yield Diagnostic(
                "example-without-clause",
                f"the example '{entry.name}' cites no clause",
                entry.place,
                "add 'cite:' with the clauses that it tests",
                severity="warning",
            )


def _reconstructed_with_source(known: Iterable[Figure]) -> Iterator[Diagnostic]:
    """Yields reconstructed figures that name a public source."""
    for each in known:
        if each.standing == "reconstructed" and each.source is not None:
            yield Diagnostic(
                "reconstructed-with-source",
                f"'{each.path}' is reconstructed, but names the source '{each.source}'",
                each.place,
                "write 'standing: found' if the figure is in that source, or remove the source",
                severity="warning",
            )
