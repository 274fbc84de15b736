"""Warns authors of texts that players read and that say nothing: words that are missing, fields that stay empty."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from interpreter.language.diagnostics import Diagnostic
from interpreter.language.whole_numbers import whole_number
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.linking.presentation import ENGINE_WORDS, can_be_declined, question_values
from interpreter.rules.loading.ruleset import Ruleset

_FIELD: Final = re.compile(r"\{(\w+)\??")
_MORE: Final = "more"
"""The field of the words for choosing nothing that is filled once something is chosen."""


def missing_words(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Yields a warning for each text that a player would miss."""
    if any(True for _ in ruleset.documents.nodes("presentation")):
        yield from _unnamed_refusals(ruleset)
    yield from _unfilled_fields(ruleset)
    yield from _taken_words(ruleset)


def _unnamed_refusals(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Yields the decisions for which no words say what it means to choose nothing."""
    declined, said = dict.fromkeys(can_be_declined(ruleset.program)), ruleset.presentation.get("declines", {})
    places = {each.address: each.place for each in ruleset.image.sites if each.address in declined}
    for address in [each for each in declined if each not in said]:
        message = f"no words say what it means to choose nothing at '{address}'"
        hint = f"add '{address}: {{en: …, ja: …}}' to 'presentation/declines', in the words of the question"
        yield Diagnostic("no-words", message, places[address], hint, severity="warning")


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
            if isinstance(each, Scalar) and each.text in ENGINE_WORDS:
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
