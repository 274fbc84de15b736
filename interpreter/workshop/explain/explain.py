"""Explains a clause of the rulebook, and an entry of a game's log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from interpreter.language.diagnostics import with_hint
from interpreter.play.game import Game
from interpreter.play.log.log import LogEntry
from interpreter.rules.linking.link import figures
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset, text_in
from interpreter.workshop.coverage.citation_index import citations
from interpreter.workshop.coverage.lint import left_out_clauses
from interpreter.workshop.coverage.provenance import origin
from interpreter.workshop.examples.environment import environments_of
from interpreter.workshop.explain.explanation import ClauseExplanation, EntryExplanation, Reading
from interpreter.workshop.explain.passages import cited_passage, rule_line


# ---------------------------------------------------------------- clauses
def explain_clause(ruleset: str | Ruleset, clause: str, language: str = "en") -> ClauseExplanation:
    """Returns a clause with its implementations, examples, readings and figures, in a language if it has it.

    Raises:
        RulesetError, UsageError: if the ruleset can't be loaded, or has no such clause.
    """
    rules = ruleset if isinstance(ruleset, Ruleset) else load_ruleset(ruleset)
    known = rules.clauses.get(clause)
    if known is None:
        raise with_hint(f"'{rules.name}' has no clause '{clause}'", clause, rules.clauses)
    items = [each for each in citations(rules.documents, rules.program) if clause in each.clauses]
    return ClauseExplanation(
        ruleset=rules.name,
        id=clause,
        kind=known.kind,
        says=known.text(language),
        implemented_by=tuple([cited_passage(rules.documents, each) for each in items]),
        examples=tuple(
            [(each.name, each.says) for each in environments_of(rules).examples.values() if clause in each.cites]
        ),
        readings=_readings(rules, {clause}, language),
        figures=tuple([origin(each) for each in figures(rules.documents, rules.program) if clause in each.cite]),
        see=tuple([(each, rules.clauses[each].text(language) if each in rules.clauses else "") for each in known.see]),
        left_out=left_out_clauses(rules, language).get(clause),
        language=language,
    )


def _readings(ruleset: Ruleset, clauses: set[str], language: str) -> tuple[Reading, ...]:
    known = [_reading(each, language) for each in ruleset.readings]
    return tuple([each for each in known if clauses & set(each.clauses)])


def _reading(data: Mapping[str, Any], language: str) -> Reading:
    return Reading(
        id=str(data.get("id", "")),
        clauses=tuple(map(str, _as_list(data.get("clauses")))),
        reading=text_in(data.get("reading"), language),
        reason=text_in(data.get("reason"), language),
        alternatives=tuple([text_in(each, language) for each in _as_list(data.get("alternatives"))]),
    )


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


# ---------------------------------------------------------------- entries of a log
def explain_entry(game: Game, number: int, seat: str | None = None) -> EntryExplanation:
    """Returns the origin of one entry of a game's log, or of the log that a seat may read.

    Raises:
        UsageError: if the log has no such entry, or there is no such seat.
    """
    explanation = game.explain(number) if seat is None else game.log_of(seat).explain(number)
    ruleset = game.source.ruleset
    cites = list(dict.fromkeys([name for each in (*explanation.lines, explanation.entry) for name in each.cites]))
    known = ruleset.clauses if ruleset is not None else {}
    place, words = explanation.place, game.source.wording
    return EntryExplanation(
        entry=explanation.entry,
        rule=explanation.rule,
        lines=explanation.lines,
        place=place,
        text=rule_line(place) if place is not None else "",
        cells=tuple(dict.fromkeys(_cells(game, explanation.lines))),
        clauses=tuple([(name, known[name].text(words.language)) for name in cites if name in known]),
        readings=_readings(ruleset, set(cites), words.language) if ruleset is not None else (),
        words=words,
    )


def _cells(game: Game, lines: Iterable[LogEntry]) -> Iterator[tuple[str, str, str]]:
    """Yields the table cells in the given log entries, each with its standing."""
    tables = {each.name: each for each in game.core.image.tables}
    for line in lines:
        if line.kind != "table" or (table := tables.get(line.data["table"])) is None:
            continue
        headings = [str(heading) for _, heading in line.data["at"]]
        pairs = zip(table.axes, headings, strict=True)
        position = tuple([labels.index(heading) for (_, labels), heading in pairs if heading in labels])
        standing = next((standing for at, _, standing in table.cells if at == position), None)
        if standing is not None:
            yield table.name, ", ".join(headings), standing
