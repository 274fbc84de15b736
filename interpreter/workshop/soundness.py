"""What an author is warned of beyond the checks of the language: clauses and figures that nothing accounts for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.language.diagnostics import Diagnostic, Place
from interpreter.rules import Ruleset
from interpreter.rules.excerpts import with_excerpts
from interpreter.rules.figures import Figure
from interpreter.rules.nodes import Mapping, as_written
from interpreter.workshop.citing import citing
from interpreter.workshop.provenance import baseless_figures, figures_of_the_game

TO_IMPLEMENT = frozenset({"rule", "table", "definition", "optional"})
"""Kinds of clauses that must be implemented or left out; the others only describe."""


def check_soundness(ruleset: Ruleset) -> list[Diagnostic]:
    """Warnings about a ruleset that loads; each says what to do."""
    known = figures_of_the_game(ruleset)
    found = [*_clauses(ruleset), *_examples(ruleset), *baseless_figures(ruleset, known), *_borrowed_standing(known)]
    return with_excerpts(found)


def left_out_clauses(ruleset: Ruleset) -> dict[str, str]:
    """Every clause that is left out, with the reason; a section that is left out stands for all clauses in it."""
    found: dict[str, str] = {}
    for entry in ruleset.left_out:
        named = entry.get("clauses") or []
        names = [str(each) for each in (named if isinstance(named, list) else [named])]
        for clause in ruleset.clauses:
            if any(clause == each or clause.startswith(f"{each}.") for each in names):
                found[clause] = str(entry.get("reason", ""))
    return found


def clause_places(ruleset: Ruleset) -> dict[str, Place]:
    """Where each clause is written."""
    nodes = [each for each in ruleset.documents.items("clauses") if isinstance(each, Mapping)]
    return {as_written(each.items["id"]): each.place for each in nodes if "id" in each}


def _clauses(ruleset: Ruleset) -> Iterator[Diagnostic]:
    cited = {clause: each for each in citing(ruleset.documents, ruleset.program) for clause in each.clauses}
    left_out = left_out_clauses(ruleset)
    places = clause_places(ruleset)
    for clause in ruleset.clauses.values():
        if clause.kind in TO_IMPLEMENT and clause.id not in cited and clause.id not in left_out:
            yield Diagnostic(
                "not-implemented",
                f"nothing implements clause {clause.id}",
                places[clause.id],
                "cite it where it is implemented, or list it in 'left_out' with a reason",
                severity="warning",
            )
        elif clause.id in cited and clause.id in left_out:
            yield Diagnostic(
                "left-out-yet-cited",
                f"clause {clause.id} is left out, and yet '{cited[clause.id].path}' cites it",
                cited[clause.id].place,
                "take it out of 'left_out', or do not cite it",
                severity="warning",
            )


def _examples(ruleset: Ruleset) -> Iterator[Diagnostic]:
    for entry in ruleset.documents.entries("examples"):
        if isinstance(entry.node, Mapping) and "cite" not in entry.node and ruleset.clauses:
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
