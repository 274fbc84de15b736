"""What an author is warned of beyond the checks of the language: clauses and figures that nothing accounts for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from interpreter.language.diagnostics import Diagnostic, Place
from interpreter.rules.documents import nodes
from interpreter.rules.documents.nodes import as_written
from interpreter.rules.documents.source_excerpts import with_excerpts
from interpreter.rules.linking.figure import Figure
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.coverage.citation_index import citing
from interpreter.workshop.coverage.provenance import baseless_figures, figures_of_the_game

TO_IMPLEMENT = frozenset({"rule", "table", "definition", "optional"})
"""Kinds of clauses that must be implemented or left out; the others only describe."""
MOST_APART = 3
"""As many clauses of a document as are told one by one; a ruleset in the making has hundreds."""


def check_soundness(ruleset: Ruleset) -> list[Diagnostic]:
    """Warnings about a ruleset that loads; each says what to do."""
    known = figures_of_the_game(ruleset)
    found = [*_clauses(ruleset), *_examples(ruleset), *baseless_figures(ruleset, known), *_borrowed_standing(known)]
    return with_excerpts(found)


def left_out_clauses(ruleset: Ruleset) -> dict[str, str]:
    """Every clause that is left out, with the reason.

    A section that is left out stands for all clauses in it that nothing cites: a chapter may leave out a clause on an
    option and have the figures below that number.
    """
    cited = {clause for each in citing(ruleset.documents, ruleset.program) for clause in each.clauses}
    reasons: dict[str, tuple[int, str]] = {}
    for number, entry in enumerate(ruleset.left_out):
        named = entry.get("clauses") or []
        for each in named if isinstance(named, list) else [named]:
            reasons[str(each)] = (number, str(entry.get("reason", "")))
    found: dict[str, str] = {}
    for clause in ruleset.clauses:
        parts = clause.split(".")
        sections = [".".join(parts[:length]) for length in range(1, len(parts) + 1)]
        said = [reasons[each] for each in sections if each in reasons]
        if clause in reasons or (said and clause not in cited):
            found[clause] = max(said)[1]
    return found


def clause_places(ruleset: Ruleset) -> dict[str, Place]:
    """Where each clause is written."""
    written = [each for each in ruleset.documents.items("clauses") if isinstance(each, nodes.Mapping)]
    return {as_written(each.items["id"]): each.place for each in written if "id" in each}


def _clauses(ruleset: Ruleset) -> Iterator[Diagnostic]:
    cited = {clause: each for each in citing(ruleset.documents, ruleset.program) for clause in each.clauses}
    left_out = left_out_clauses(ruleset)
    places = clause_places(ruleset)
    missing: dict[str, list[str]] = {}
    for clause in ruleset.clauses.values():
        if clause.kind in TO_IMPLEMENT and clause.id not in cited and clause.id not in left_out:
            missing.setdefault(places[clause.id].file, []).append(clause.id)
        elif clause.id in cited and clause.id in left_out:
            yield Diagnostic(
                "left-out-yet-cited",
                f"clause {clause.id} is left out, and yet '{cited[clause.id].path}' cites it",
                cited[clause.id].place,
                "take it out of 'left_out', or do not cite it",
                severity="warning",
            )
    for clauses in missing.values():
        yield from _not_implemented(clauses, places)


def _not_implemented(clauses: list[str], places: Mapping[str, Place]) -> Iterator[Diagnostic]:
    """Clauses of one document that nothing accounts for: each by itself where they are few, else all in one line."""
    if len(clauses) <= MOST_APART:
        for each in clauses:
            hint = "cite it where it is implemented, or list it in 'left_out' with a reason"
            message = f"nothing implements clause {each}"
            yield Diagnostic("not-implemented", message, places[each], hint, severity="warning")
        return
    first = ", ".join(clauses[:MOST_APART])
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
                "add 'cite:' with the clauses that it shows at work",
                severity="warning",
            )


def _borrowed_standing(known: Iterable[Figure]) -> Iterator[Diagnostic]:
    """Made-up figures that are said to come from a public source."""
    for each in known:
        if each.standing == "reconstructed" and each.source is not None:
            yield Diagnostic(
                "reconstructed-with-source",
                f"'{each.path}' is reconstructed, and yet the source '{each.source}' is named for it",
                each.place,
                "write 'standing: found' if the figure is in that source, or take the source out",
                severity="warning",
            )
