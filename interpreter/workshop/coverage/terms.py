"""Checks the texts of a ruleset and its scenarios against the glossary: words to be avoided, and foreign words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from interpreter.language.diagnostics import Diagnostic
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.linking.link_context import text_of, texts

DEFAULT_LANGUAGE: Final = "en"
"""The language of a plain text."""
_LATIN: Final = "A-Za-zÀ-ÖØ-öø-ɏＡ-Ｚａ-ｚ"
_LATIN_WORD: Final = re.compile(rf"[{_LATIN}]+(?:['’-][{_LATIN}]+)*")
_ID: Final = re.compile(r"[\w.-]*[\d_](?:[\w.-]*\w)?", re.ASCII)
_FIELD: Final = re.compile(r"\{\w*(?::\d+)?\}|\{\w+\?|[{}]")
"""The parts of a template that are not shown: whole fields, and the frames of optional texts."""
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}")
_WITHOUT_TEXTS: Final = frozenset({"nearby", "below", "board", "log_hides", "symbols", "colours", "coloured", "chart"})
"""The parts of `presentation` whose plain values are names and signs."""
_PLAIN_KEYS: Final = frozenset({"says", "title", "notice", "reason", "reading", "alternatives", "prompt", "turn_word"})
"""Keys whose value may be a plain text."""


@dataclass(frozen=True, slots=True)
class LocalizedText:
    """A text of a document in one language."""

    language: str
    node: Scalar


@dataclass(frozen=True, slots=True)
class Finding:
    """A word at an offset of a text that the text should not contain; `term` is the term it stands for, or none."""

    start: int
    word: str
    term: str | None = None


class TermWords:
    """The words of a glossary in one language. `ids` of things, clauses and options may be in a text."""

    def __init__(self, words: dict[str, str], avoided: dict[str, str] | None = None, ids: Iterable[str] = ()) -> None:
        """Takes the word of each term, and the term of each avoided word."""
        self.words = words
        self._avoided = {word: term for word, term in (avoided or {}).items() if word not in words.values()}
        self._ids = frozenset(ids)

    @cached_property
    def is_latin(self) -> bool:
        """Whether the language is written in Latin letters: most letters of its words are."""
        letters = [sign for word in self.words.values() for sign in word if sign.isalpha()]
        return 2 * sum(_LATIN_WORD.match(sign) is not None for sign in letters) >= len(letters)

    @cached_property
    def _latin_words(self) -> frozenset[str]:
        return frozenset(found[0] for word in self.words.values() for found in _LATIN_WORD.finditer(word))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Matches the longest known word at a position, so that an avoided word within a term is not found."""
        known = sorted({*self.words.values(), *self._avoided}, key=lambda each: (-len(each), each))
        return re.compile("|".join([_bounded(each) for each in known]) or r"(?!)")

    def findings(self, text: str) -> Iterator[Finding]:
        """Yields the avoided words of a text or template, and its Latin words if the language has other letters."""
        shown = without_fields(text)
        for found in self._pattern.finditer(shown):
            if found[0] in self._avoided:
                yield Finding(found.start(), found[0], self._avoided[found[0]])
        if not self.is_latin:
            shown = _ID.sub(lambda found: "\0" * len(found[0]) if found[0] in self._ids else found[0], shown)
            for found in _LATIN_WORD.finditer(shown):
                if found[0] not in self._latin_words:
                    yield Finding(found.start(), found[0])


def without_fields(template: str) -> str:
    """Returns a template with NUL signs in place of its fields, so that offsets stay the same."""
    return _FIELD.sub(lambda found: "\0" * len(found[0]), template)


def _bounded(word: str) -> str:
    """Returns the pattern of a word; a word of Latin letters is found only as a whole."""
    start = rf"(?<![{_LATIN}])" if _LATIN_WORD.match(word[0]) else ""
    end = rf"(?![{_LATIN}])" if _LATIN_WORD.match(word[-1]) else ""
    return f"{start}{re.escape(word)}{end}"


def term_words_by_language(documents: DocumentSet, ids: Iterable[str] = ()) -> dict[str, TermWords]:
    """Returns the term words of each language of a glossary; empty without a glossary."""
    words: dict[str, dict[str, str]] = {}
    avoided: dict[str, dict[str, str]] = {}
    for entry in documents.entries("glossary"):
        fields = entry.node
        for language, node in _by_language(fields, "word"):
            words.setdefault(language, {})[entry.name] = text_of(node)
        for language, node in _by_language(fields, "avoid"):
            avoided.setdefault(language, {}).update(dict.fromkeys(texts(node), entry.name))
    known = list(ids)
    return {language: TermWords(terms, avoided.get(language), known) for language, terms in words.items()}


def _by_language(fields: Node, key: str) -> Iterator[tuple[str, Node]]:
    node = fields.get(key) if isinstance(fields, Mapping) else None
    if isinstance(node, Mapping):
        yield from node.items.items()
    elif node is not None:
        yield DEFAULT_LANGUAGE, node


def localized_texts(root: Node, languages: Iterable[str]) -> Iterator[LocalizedText]:
    """Yields the texts in a document, but for those of its glossary; `languages` are those that it has texts in."""
    known = {*languages, DEFAULT_LANGUAGE}
    for name, section in root.items.items() if isinstance(root, Mapping) else ():
        if name == "presentation" and isinstance(section, Mapping):
            for part, texts in section.items.items():
                yield from _texts_in(texts, part, known, is_text=part not in _WITHOUT_TEXTS)
        elif name != "glossary":
            yield from _texts_in(section, name, known)


def _texts_in(node: Node, key: str, languages: set[str], *, is_text: bool = False) -> Iterator[LocalizedText]:
    """Yields the texts of a node; a plain one counts under some keys, or if it `is_text`."""
    if isinstance(node, Mapping):
        localized = _is_localized(node, languages)
        for name, each in node.items.items():
            if localized and isinstance(each, Scalar):
                yield LocalizedText(name, each)
            else:
                yield from _texts_in(each, name, languages, is_text=is_text)
    elif isinstance(node, Sequence):
        for each in node:
            yield from _texts_in(each, key, languages, is_text=is_text)
    elif isinstance(node, Scalar) and (is_text or key in _PLAIN_KEYS):
        yield LocalizedText(DEFAULT_LANGUAGE, node)


def _is_localized(node: Mapping, languages: set[str]) -> bool:
    """Whether a mapping is a text by language: one of the languages is among its keys, and they all look like one."""
    return not languages.isdisjoint(node.items) and all(map(_LANGUAGE.fullmatch, node.items))


def lint_texts(roots: Iterable[Node], known: dict[str, TermWords]) -> Iterator[Diagnostic]:
    """Yields a warning for each word in the texts of documents that their glossary rules out."""
    for root in roots:
        for text in localized_texts(root, known):
            words = known.get(text.language)
            for found in words.findings(text.node.text) if words is not None else ():
                yield _warning(found, text, words)


def _warning(found: Finding, text: LocalizedText, words: TermWords | None) -> Diagnostic:
    place = text.node.source.place(found.start)
    if found.term is not None and words is not None:
        word = words.words.get(found.term)
        message = f"the glossary rules out '{found.word}' as a word for '{found.term}'"
        hint = f"write '{word}'" if word else f"see 'glossary/{found.term}'"
        return Diagnostic("avoided-word", message, place, hint, severity="warning")
    message = f"'{found.word}' is not written in the letters of the language '{text.language}'"
    hint = "translate it; if the rulebook prints it so, enter it in 'glossary' as a word of this language"
    return Diagnostic("foreign-word", message, place, hint, severity="warning")
