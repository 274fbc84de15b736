"""Counts the texts of a ruleset that a player can meet, and those that a language lacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from interpreter.language.model.emitted_names import is_hidden_name
from interpreter.language.model.program import Item, Program
from interpreter.language.model.rule_bodies import steps_of
from interpreter.language.tree.types import TEXT, OptionalType
from interpreter.play.wording.message import Message
from interpreter.play.wording.messages import WORDS
from interpreter.rules.documents import nodes
from interpreter.rules.linking.presentation import can_be_declined, decisions, log_lines, outcome_texts, win_reasons
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.coverage.terms import DEFAULT_LANGUAGE, localized_texts, without_fields

Text = Any
"""A text, a mapping from language to text, or none."""
_NUMBERED: Final = frozenset("0123456789")
_TEXTS: Final = (TEXT, OptionalType(TEXT))


@dataclass(frozen=True, slots=True)
class Translation:
    """The texts of one part of a ruleset in one language: their number, and the names of those that it lacks."""

    language: str
    part: str
    texts: int
    missing: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Returns the numbers as JSON data."""
        return {"language": self.language, "part": self.part, "texts": self.texts, "missing": list(self.missing)}


def languages(ruleset: Ruleset) -> list[str]:
    """Returns the languages of a ruleset's texts other than English, by name."""
    documents = ruleset.documents
    found = {each.language for document in documents.documents for each in localized_texts(document.root, ())}
    return sorted(found - {DEFAULT_LANGUAGE})


def translations(ruleset: Ruleset) -> list[Translation]:
    """Returns the counts of each language and part; a part without texts is left out."""
    parts = {part: dict(texts) for part, texts in _parts(ruleset)}
    return [
        Translation(language, part, len(texts), tuple([name for name, text in texts.items() if _lacks(text, language)]))
        for language in languages(ruleset)
        for part, texts in parts.items()
        if texts
    ]


def _lacks(text: Text, language: str) -> bool:
    """Whether a text lacks a language; a plain text without letters of its own is the same in all of them."""
    if isinstance(text, Mapping):
        return not text.get(language)
    return text is None or any(sign.isalpha() for sign in without_fields(str(text)))


def _parts(ruleset: Ruleset) -> Iterator[tuple[str, Iterator[tuple[str, Text]]]]:
    program, presented = ruleset.program, ruleset.presentation
    terms: Mapping[str, Text] = presented["terms"]
    yield "names", _names(ruleset)
    yield "values", _values(program)
    yield "words", ((each, _term(presented.get("words", {}), terms, each)) for each in _words(ruleset))
    yield "attributes", _attributes(program, presented.get("attributes", {}), terms)
    hidden = set(presented.get("log_hides", ()))
    for part, names in (
        ("prompts", decisions(program)),
        ("answers", [each for each in decisions(program) if each not in hidden]),
        ("declines", [each for each in can_be_declined(program) if each in presented.get("declines", {})]),
        ("log", log_lines(program)),
    ):
        yield part, ((name, presented.get(part, {}).get(name)) for name in names)
    yield "templates", _templates(presented)
    yield "conditions", _conditions(program)
    yield "clauses", ((each.id, each.texts) for each in ruleset.clauses.values())
    yield "readings", _readings(ruleset)
    yield "left out", ((str(each.get("clauses")), each.get("reason")) for each in ruleset.left_out)
    yield "options", _options(ruleset)


def _readings(ruleset: Ruleset) -> Iterator[tuple[str, Text]]:
    """Yields what each reading says, why, and the other ways to read the clauses."""
    for each in ruleset.readings:
        name, others = str(each.get("id")), each.get("alternatives", ())
        yield name, each.get("reading")
        if "reason" in each:
            yield f"{name}/reason", each["reason"]
        for number, text in enumerate(others if isinstance(others, list | tuple) else [others], 1):
            yield f"{name}/alternatives/{number}", text


def _options(ruleset: Ruleset) -> Iterator[tuple[str, Text]]:
    for entry in ruleset.documents.entries("options"):
        if isinstance(entry.node, nodes.Mapping) and (says := entry.node.get("says")) is not None:
            yield entry.name, nodes.as_plain_data(says)


def _term(texts: Mapping[str, Text], terms: Mapping[str, Text], name: str) -> Text:
    """Returns the text of a word: its own, of the glossary, or of the engine."""
    own, term = texts.get(name), terms.get(name)
    if own is not None and not isinstance(own, Mapping):
        return own
    languages = [each.name for each in fields(Message)] if name in WORDS else []
    known = {each: "" if each == DEFAULT_LANGUAGE else getattr(WORDS[name], each) for each in languages}
    return {**known, **(term or {}), **(own or {})}


# ---------------------------------------------------------------- what a player can meet
def _names(ruleset: Ruleset) -> Iterator[tuple[str, Text]]:
    """Yields the names of individuals, but for places of a grid and kinds whose things have a title."""
    program, presented = ruleset.program, ruleset.presentation
    names, titles = presented.get("names", {}), presented.get("titles", {})
    for kind, thing in program.individuals:
        above = [each.name for each in program.lineage(kind)]
        own = program.kinds[kind]
        if own.root == "link" or own.grid is not None or any(each in titles for each in above):
            continue
        found = (names.get(each, {}).get(name) for name in _ids(thing) for each in above)
        yield f"{kind}/{thing}", next((text for text in found if text is not None), None)


def _values(program: Program) -> Iterator[tuple[str, Text]]:
    """Yields the values of individuals that are texts."""
    for (kind, thing), individual in program.individuals.items():
        for name, attribute in program.attributes(kind).items():
            if attribute.type in _TEXTS and individual.values.get(name) is not None:
                yield f"{kind}/{thing}/{name}", individual.texts.get(name) or individual.values[name]


def _ids(thing: str) -> Iterator[str]:
    """Yields an id, and the id of its line of the counter-mix if it is numbered."""
    yield thing
    stem, _, number = thing.rpartition("_")
    if stem and number and _NUMBERED.issuperset(number):
        yield stem


def _words(ruleset: Ruleset) -> dict[str, None]:
    """Returns the words that lists, questions, the log and explanations show."""
    program = ruleset.program
    found = [*program.kinds, *program.actions, *program.tables, *program.modifiers, *win_reasons(program)]
    found += [word for enum in program.enums.values() for word in enum.words]
    found += [each for each in outcome_texts(program) if any(sign.isalpha() for sign in each)]
    found += [item.name for rule in program.modifiers.values() for item in (*rule.items, *rule.limits)]
    found += [axis.parameter.name for table in program.tables.values() for axis in table.axes]
    found += [pick.parameter.name for action in program.actions.values() for pick in action.picks]
    for each in program.procedures.values():
        found += [each.name, *each.outcomes] if each.outcomes else []
    for rule in program.restrictions.values():
        unsaid = [item.name for item in rule.items if not item.says]
        found += [rule.name, *unsaid] if unsaid else []
    found += [each.name for each in steps_of(program.sequence)]
    for site in ruleset.image.sites:
        found += [site.address] if site.kind in {"roll", "random", "draw"} else []
        found += [name for name, _ in site.labels]
    return dict.fromkeys([each for each in found if each])


def _attributes(program: Program, texts: Mapping[str, Text], terms: Mapping[str, Text]) -> Iterator[tuple[str, Text]]:
    """Yields the texts of state values and attributes; an attribute may have one for its kind alone."""
    yield from ((name, _term(texts, terms, name)) for name in program.state if not is_hidden_name(name))
    for kind in program.kinds.values():
        for name in kind.attributes:
            of_kind = f"{kind.name}.{name}"
            yield of_kind, _term(texts, terms, of_kind if of_kind in texts else name)


def _templates(presented: Mapping[str, Any]) -> Iterator[tuple[str, Text]]:
    for part in ("titles", "labels", "procedures"):
        for kind, text in presented.get(part, {}).items():
            yield f"{part}/{kind}", text
    for kind, text in presented.get("board", {}).get("labels", {}).items():
        yield f"board/labels/{kind}", text
    for address, texts in presented.get("option_labels", {}).items():
        for kind, text in texts.items():
            yield f"option_labels/{address}/{kind}", text
    for address, by_kind in presented.get("choice_labels", {}).items():
        for kind, texts in by_kind.items():
            for choice, text in texts.items():
                yield f"choice_labels/{address}/{kind}/{choice}", text
    if "map" in presented:
        yield "map", presented["map"]
    if "legend" in presented.get("chart", {}):
        yield "chart/legend", presented["chart"]["legend"]


def _conditions(program: Program) -> Iterator[tuple[str, Text]]:
    """Yields what conditions of actions and items of restrictions and searches say."""
    owners: Iterable[tuple[str, Iterable[Item]]] = [
        *[(f"actions/{each.name}", each.needs) for each in program.actions.values()],
        *[(f"procedures/{each.name}", each.needs) for each in program.procedures.values()],
        *[(f"restrictions/{each.name}", each.items) for each in program.restrictions.values()],
    ]
    for owner, items in owners:
        for item in items:
            if item.says:
                yield f"{owner}/{item.name}", dict(item.texts)
