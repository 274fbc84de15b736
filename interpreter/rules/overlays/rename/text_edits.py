"""Words exchanged within texts of documents, each of which keeps the place that it was written in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from interpreter.language.diagnostics import Place
from interpreter.language.parsing.source_map import ComposedText, SourceText
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence


@dataclass(slots=True)
class Edits:
    """What is to be exchanged: words in texts (by the offset at which they begin), and keys of mappings."""

    words: dict[int, tuple[Scalar, dict[int, tuple[str, str]]]] = field(default_factory=dict)
    keys: list[tuple[Mapping, str, str]] = field(default_factory=list)

    def word(self, node: Scalar, offset: int, old: str, new: str) -> None:
        """Give other words for a word of a text."""
        self.words.setdefault(id(node), (node, {}))[1][offset] = (old, new)

    def whole(self, node: Node, new: str) -> None:
        """Give other words for a text that is a single word."""
        assert isinstance(node, Scalar)
        self.word(node, 0, node.text, new)

    def key(self, holder: Mapping, old: str, new: str) -> None:
        """Give other words for a key, which stays in its place among the others."""
        if (holder, old, new) not in self.keys:
            self.keys.append((holder, old, new))

    def carry_through(self) -> None:
        """Make every change."""
        for node, words in self.words.values():
            _exchange(node, words)
        for holder, old, new in self.keys:
            _exchange_key(holder, old, new)


def _exchange(node: Scalar, words: dict[int, tuple[str, str]]) -> None:
    source, pieces, at = node.source, list[tuple[str, Place]](), 0
    for offset in sorted(words):
        old, new = words[offset]
        pieces += _stretches(source, at, offset)
        pieces.append((new, source.place(offset)))
        at = offset + len(old)
    pieces += _stretches(source, at, len(source.text))
    node.rewrite(ComposedText.of(pieces))


def _stretches(source: SourceText, start: int, end: int) -> Iterator[tuple[str, Place]]:
    """A part of a text in pieces within which characters follow one another in their file."""
    breaks = [offset for offset in _starts(source) if start < offset < end]
    for first, last in zip([start, *breaks], [*breaks, end], strict=True):
        if first < last:
            yield source.text[first:last], source.place(first)


def _starts(source: SourceText) -> list[int]:
    if isinstance(source, ComposedText):
        return [offset for offset, _ in source.pieces]
    return [offset for offset, _, _ in source.spans]


def _exchange_key(holder: Mapping, old: str, new: str) -> None:
    origin, start = holder.key_origin(old), holder.key_starts[old]
    order = list(holder.items)
    holder.put(new, holder.items[old], origin, start, order.index(old))
    holder.drop(old)


class TextIndex:
    """Finds the text of a document, and the offset in it, that stands at a place."""

    def __init__(self, documents: DocumentSet) -> None:
        self._by_line: dict[tuple[str, int], list[tuple[int, int, int, Scalar]]] = {}
        for document in documents.documents:
            for each in scalars(document.root):
                self._add(each)

    def _add(self, node: Scalar) -> None:
        source = node.source
        starts = [*_starts(source), len(source.text)]
        for start, end in pairwise(starts):
            place = source.place(start)
            self._by_line.setdefault((place.file, place.line), []).append((place.column, start, end, node))

    def find(self, place: Place, word: str) -> tuple[Scalar, int] | None:
        """The text that has this word at a place, and its offset."""
        for column, start, end, node in self._by_line.get((place.file, place.line), ()):
            offset = start + place.column - column
            if start <= offset < end and node.text.startswith(word, offset):
                return node, offset
        return None


def scalars(node: Node) -> Iterator[Scalar]:
    """Every single value below a node."""
    if isinstance(node, Scalar):
        yield node
    else:
        inner = node.items.values() if isinstance(node, Mapping) else node.items if isinstance(node, Sequence) else ()
        for each in inner:
            yield from scalars(each)
