"""`bicorne coverage` and `bicorne provenance`: what implements the clauses, and the origin of the figures."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Sequence
from functools import partial

from interpreter.cli.limited_work import limited
from interpreter.cli.output import FINDINGS, OK, Output
from interpreter.cli.progress import tracked
from interpreter.language.diagnostics import Diagnostic
from interpreter.language.model.program import STANDINGS
from interpreter.play.wording import messages
from interpreter.rules.loading.load import load_ruleset
from interpreter.workshop.coverage.clauses import ClauseCoverage, Coverage
from interpreter.workshop.coverage.clauses import coverage as covered
from interpreter.workshop.coverage.provenance import FigureOrigin, Provenance
from interpreter.workshop.coverage.provenance import provenance as provided

_MAX_TEXT_LENGTH = 90


def coverage(arguments: Namespace, output: Output) -> int:
    """Prints which clauses are implemented and exercised; returns 1 if one is missing or something failed.

    Raises:
        BicorneError: if the ruleset is missing or wrong.
    """
    ruleset = load_ruleset(arguments.ruleset, arguments.overlays, paths=arguments.path)
    with limited(arguments.budget):
        found = covered(ruleset, arguments.games, progress=partial(tracked, output=output))
    _print_coverage(found, output, every=arguments.all)
    output.document(found.as_json())
    return _print_findings(found.findings, output)


def _print_coverage(found: Coverage, output: Output, *, every: bool) -> None:
    ran = f"{found.examples} examples and {found.games} random games"
    output.line(f"{found.ruleset}: {len(found.clauses)} clauses, {ran}", "bold")
    chapters: dict[str, list[ClauseCoverage]] = {}
    for each in found.clauses:
        chapters.setdefault(each.id.partition(".")[0], []).append(each)
    header = ("chapter", "clauses", "implemented", "in examples", "in play", "never run", "left out", "missing")
    rows = [_counts(chapter, clauses) for chapter, clauses in chapters.items()]
    output.table(header, [*rows, _counts("all", found.clauses)], right=range(1, len(header)))
    if found.translations:
        texts = [(each.language, each.part, each.texts, len(each.missing)) for each in found.translations]
        output.line()
        output.table(("language", "part", "texts", "missing"), texts, right=(2, 3))
    _print_clauses("implemented, but never run", "implemented", found, output)
    _print_clauses("not implemented", "missing", found, output)
    if every:
        output.line()
        for each in found.clauses:
            by = ", ".join([one.path for one in each.implemented_by])
            output.line(f"{each.id}  {each.state}{f' by {by}' if by else ''}")
        for part in found.translations:
            if part.missing:
                output.line(f"{part.language} lacks {part.part}: {', '.join(part.missing)}")


def _counts(name: str, clauses: Sequence[ClauseCoverage]) -> tuple[object, ...]:
    states = [each.state for each in clauses]
    return (
        name,
        len(clauses),
        sum(bool(each.implemented_by) for each in clauses),
        sum(bool(each.examples) for each in clauses),
        sum(bool(each.games) for each in clauses),
        states.count("implemented"),
        states.count("left out"),
        states.count("missing"),
    )


def _print_clauses(title: str, state: str, found: Coverage, output: Output) -> None:
    named = [each for each in found.clauses if each.state == state]
    if named:
        output.line()
        output.line(f"{title}:", "bold")
        output.table([], [(f"  {each.id}", _short(each.says)) for each in named])


def provenance(arguments: Namespace, output: Output) -> int:
    """Says where every figure comes from; 1 if one rests on nothing.

    Raises:
        BicorneError: if the ruleset is missing or wrong.
    """
    found = provided(load_ruleset(arguments.ruleset, arguments.overlays, paths=arguments.path))
    _print_provenance(found, output, every=arguments.all)
    output.document(found.as_json())
    return _print_findings(found.findings, output)


def _print_provenance(found: Provenance, output: Output, *, every: bool) -> None:
    output.line(f"{found.ruleset}: {len(found.figures)} figures", "bold")
    rows = [(section, *counts.values(), sum(counts.values())) for section, counts in found.sections().items()]
    totals = found.totals()
    rows.append(("all", *totals.values(), sum(totals.values())))
    output.table(("section", *STANDINGS, "all"), rows, right=range(1, len(STANDINGS) + 2))
    for standing in STANDINGS[0 if every else 1 :]:
        figures = found.of_standing(standing)
        if figures:
            output.line()
            output.line(f"{standing}: {messages.STANDING_MEANINGS[standing].en}", "bold")
            output.table([], [_figure(each) for each in figures])
    if found.sources:
        output.line()
        output.line("sources", "bold")
        output.table([], [(f"  {name}", title) for name, title in found.sources.items()])


def _figure(each: FigureOrigin) -> tuple[str, str, str]:
    rests = ([f"from {each.source}"] if each.source else []) + ([f"[{', '.join(each.cites)}]"] if each.cites else [])
    return f"  {each.path}", _short(str(each.value)), " ".join(rests)


def _print_findings(findings: Iterable[Diagnostic], output: Output) -> int:
    found = list(findings)
    if found:
        output.line()
    for each in found:
        output.diagnostic(each)
    return FINDINGS if found else OK


def _short(text: str) -> str:
    return text if len(text) <= _MAX_TEXT_LENGTH else f"{text[: _MAX_TEXT_LENGTH - 1]}…"
