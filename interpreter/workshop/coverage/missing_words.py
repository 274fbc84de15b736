"""Warns authors of texts that players read and that say nothing: words that are missing, fields that stay empty."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from interpreter.language.answer_words import ANSWER_WORDS
from interpreter.language.diagnostics import Diagnostic, Place
from interpreter.language.model.program import Program
from interpreter.language.tree.statements import Where
from interpreter.language.whole_numbers import whole_number
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.linking.presentation import asking_nodes, can_be_declined, question_values
from interpreter.rules.loading.ruleset import Ruleset

_FIELD: Final = re.compile(r"\{(\w+)\??")
_MORE: Final = "more"
"""The field of the words for choosing nothing that is filled once something is chosen."""


def missing_words(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Yields a warning for each text that a player would miss."""
    if any(True for _ in ruleset.documents.nodes("presentation")):
        yield from _unasked(ruleset)
        yield from _unnamed_refusals(ruleset)
        yield from _unnamed_runs(ruleset)
        yield from _unexplained(ruleset)
    yield from _unfilled_fields(ruleset)
    yield from _taken_words(ruleset)


def _unasked(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Yields the decisions with options for which there is neither a question nor a word for what is chosen."""
    given = ruleset.presentation
    worded = given.get("words", {}).keys() | given["terms"].keys()
    values = question_values(ruleset.program)
    for site in ruleset.image.sites:
        name = site.address.rpartition(".")[2]
        if (
            site.kind in _WITH_OPTIONS
            and not site.prompt
            and not values.get(site.address)
            and not {name, site.address} & (given.get("prompts", {}).keys() | worded)
        ):
            message = f"no words ask what is chosen at '{site.address}'"
            hint = f"add a question in the rules, or '{site.address}: {{en: …, ja: …}}' to 'presentation/prompts'"
            yield Diagnostic("no-words", message, site.place, hint, severity="warning")


def _unnamed_refusals(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Yields the decisions for which no words say what it means to choose nothing."""
    declined, said = dict.fromkeys(can_be_declined(ruleset.program)), ruleset.presentation.get("declines", {})
    places = {each.address: each.place for each in ruleset.image.sites if each.address in declined}
    for address in [each for each in declined if each not in said]:
        message = f"no words say what it means to choose nothing at '{address}'"
        hint = f"add '{address}: {{en: …, ja: …}}' to 'presentation/declines', in the words of the question"
        yield Diagnostic("no-words", message, places[address], hint, severity="warning")


def _unnamed_runs(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Yields the procedures whose odds are shown, and for which no words say what they are about."""
    said = ruleset.presentation.get("procedures", {})
    for each in ruleset.program.procedures.values():
        if each.outcomes and each.takes and each.name not in said:
            message = f"no words say what the odds of '{each.name}' are about"
            fields = " ".join([f"{{{own.name}}}" for own in each.takes])
            hint = f"add '{each.name}: {{en: …, ja: …}}' to 'presentation/procedures', with fields such as {fields}"
            yield Diagnostic("no-words", message, each.place, hint, severity="warning")


def _unexplained(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Yields limits of searches, bars and filters of questions that neither words nor a clause explain to a player."""
    program, clauses, words = ruleset.program, ruleset.clauses, ruleset.presentation.get("words", {})
    terms = ruleset.presentation["terms"]

    def explains(cites: Iterable[str]) -> bool:
        return any(each in clauses for each in cites)

    for search in program.searches.values():
        for item in (*search.bars, *search.stops):
            if not (item.says or item.name in words or item.name in terms or explains(item.cites or search.cites)):
                yield _no_words(f"'{item.name}' limits the search '{search.name}'", item.place, _SAYS)
    for bars in program.restrictions.values():
        for item in bars.items:
            if not (item.says or item.name in words or item.name in terms):
                yield _no_words(f"'{item.name}' of '{bars.name}' forbids something", item.place, _SAYS)
    filtered = _filtered_questions(program) if clauses else {}
    for site in ruleset.image.sites:
        if site.address in filtered and site.kind in _WITH_OPTIONS and not explains(site.cites):
            what = f"something is not offered at '{site.address}'"
            yield _no_words(what, filtered[site.address], "add 'cite:' or '@clause'")


_SAYS: Final = "add 'says: {en: …, ja: …}' or 'cite:', which a player reads who asks 'why not'"
_WITH_OPTIONS: Final = frozenset({"pick", "one", "maybe", "some", "up_to", "any", "rank", "assign", "spread", "next"})


def _filtered_questions(program: Program) -> dict[str, Place]:
    """Returns the addresses of questions whose options are filtered where they are asked, with the filter's place."""
    found: dict[str, Place] = {}
    for action in program.actions.values():
        for pick in () if program.menus[action.menu].cites else action.picks:
            if isinstance(pick.of, Where):
                found[f"{action.name}.{pick.parameter.name}"] = pick.of.place
    for node in asking_nodes(program):
        of = getattr(node, "of", None)
        if isinstance(of, Where):
            found[node.address] = of.place
    return found


def _no_words(what: str, place: Place, hint: str) -> Diagnostic:
    return Diagnostic("no-words", f"no words say why {what}", place, hint, severity="warning")


def _unfilled_fields(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Yields the fields of texts for which there is no value: a player would read them as they are."""
    documents, values = ruleset.documents, question_values(ruleset.program)
    for entry in documents.entries("menus"):
        advice = "write the question where the menu is offered: 'may take menu(…) \"…{value}…\"'"
        yield from _fields(_child(entry.node, "prompt"), "a menu has no values to ask with", advice)
    for entry in documents.entries("actions"):
        picks = _child(entry.node, "pick")
        for each in picks.items.values() if isinstance(picks, Mapping) else ():
            yield from _fields(_child(each, "prompt"), "the question of a pick has no values", "leave the field out")
    for document in documents.nodes("presentation"):
        for address, node in _entries(document, "prompts"):
            count = values.get(address, 0)
            message = f"the question of '{address}' has {count or 'no'} value{'s' * (count != 1)}"
            yield from _fields(node, message, "fields stand for the values of the question in the rules", count)
        for _, node in _entries(document, "declines"):
            yield from _fields(node, "words for choosing nothing have no values", "only '{more?…}' is filled", 0, _MORE)


def _taken_words(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Yields the words of enums that are also answers of the engine: `presentation/words` has one text for both."""
    for entry in ruleset.documents.entries("kinds"):
        members = _child(entry.node, "members")
        for each in members.items if isinstance(members, Sequence) else ():
            if isinstance(each, Scalar) and each.text in ANSWER_WORDS:
                message = f"'{each.text}' is also an answer of the engine, and one text names both"
                hint = "give the word of the enum another id"
                yield Diagnostic("taken-word", message, each.place, hint, severity="warning")


def _fields(node: Node | None, message: str, hint: str, values: int = 0, known: str = "") -> Iterator[Diagnostic]:
    """Yields the fields of a text, in each language, beyond the number of values that fill them."""
    if isinstance(node, Mapping | Sequence):
        for each in node.items.values() if isinstance(node, Mapping) else node.items:
            yield from _fields(each, message, hint, values, known)
    if not isinstance(node, Scalar) or values == 1:
        return
    named = 0
    for found in _FIELD.finditer(node.text):
        if found[1] == known:
            continue
        number = whole_number(found[1]) if found[1].isdecimal() else None
        named += number is None
        if (named if number is None else number) > values:
            problem = f"'{{{found[1]}}}' is never filled: {message}"
            yield Diagnostic("unfilled-field", problem, node.source.place(found.start()), hint, severity="warning")


def _entries(node: Node, part: str) -> Iterator[tuple[str, Node]]:
    texts = _child(node, part)
    if isinstance(texts, Mapping):
        yield from texts.items.items()


def _child(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, Mapping) else None
