"""Replaces words in texts of documents, and keeps the file position of each character."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from interpreter.language.diagnostics import Place
from interpreter.language.parsing.source_map import ComposedText
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence


@dataclass(slots=True)
class Edits:
    """Pending replacements: words in texts (by the offset at which they begin), and keys of mappings."""

    words: dict[int, tuple[Scalar, dict[int, tuple[str, str]]]] = field(default_factory=dict)
    keys: list[tuple[Mapping, str, str]] = field(default_factory=list)

    def word(self, node: Scalar, offset: int, old: str, new: str) -> None:
        """Adds the replacement of a word in a text."""
        self.words.setdefault(id(node), (node, {}))[1][offset] = (old, new)

    def whole(self, node: Node, new: str) -> None:
        """Adds the replacement of a text that is a single word."""
        assert isinstance(node, Scalar)
        self.word(node, 0, node.text, new)

    def key(self, holder: Mapping, old: str, new: str) -> None:
        """Adds the replacement of a key, which keeps its position among the keys."""
        if (holder, old, new) not in self.keys:
            self.keys.append((holder, old, new))

    def apply(self) -> None:
        """Makes every replacement."""
        for node, words in self.words.values():
            _replace_words(node, words)
        for holder, old, new in self.keys:
            _replace_key(holder, old, new)


def _replace_words(node: Scalar, words: dict[int, tuple[str, str]]) -> None:
    source, parts, at = node.source, list[tuple[str, Place]](), 0
    for offset in sorted(words):
        old, new = words[offset]
        parts += source.runs(at, offset)
        parts.append((new, source.place(offset)))
        at = offset + len(old)
    parts += source.runs(at, len(source.text))
    node.rewrite(ComposedText.of(parts))


def _replace_key(holder: Mapping, old: str, new: str) -> None:
    origin, start = holder.key_origin(old), holder.key_starts[old]
    order = list(holder.items)
    holder.put(new, holder.items[old], origin, start, order.index(old))
    holder.drop(old)


class TextIndex:
    """Finds the text of a document, and the offset in it, at a file position."""

    def __init__(self, documents: DocumentSet) -> None:
        self._by_line: dict[tuple[str, int], list[tuple[int, int, int, Scalar]]] = {}
        for document in documents.documents:
            for each in scalars(document.root):
                self._add(each)

    def _add(self, node: Scalar) -> None:
        source = node.source
        starts = [*source.starts(), len(source.text)]
        for start, end in pairwise(starts):
            place = source.place(start)
            self._by_line.setdefault((place.file, place.line), []).append((place.column, start, end, node))

    def find(self, place: Place, word: str) -> tuple[Scalar, int] | None:
        """Returns the text that has this word at a place, and the offset of the word."""
        for column, start, end, node in self._by_line.get((place.file, place.line), ()):
            offset = start + place.column - column
            if start <= offset < end and node.text.startswith(word, offset):
                return node, offset
        return None


def scalars(node: Node) -> Iterator[Scalar]:
    """Yields every scalar below a node."""
    if isinstance(node, Scalar):
        yield node
    else:
        inner = node.items.values() if isinstance(node, Mapping) else node.items if isinstance(node, Sequence) else ()
        for each in inner:
            yield from scalars(each)
