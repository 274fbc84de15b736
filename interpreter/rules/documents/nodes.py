"""A document in memory: mappings, lists and scalars, each of which knows where it was written."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from interpreter.language.diagnostics import Place
from interpreter.language.parsing.source_map import SourceText
from interpreter.rules.documents.scalar_offsets import traced

Plain = None | bool | int | str | list["Plain"] | dict[str, "Plain"]


class FileText:
    """The text of one file, and where its lines begin."""

    __slots__ = ("_starts", "file", "text")

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self._starts: list[int] | None = None

    def position(self, index: int) -> tuple[int, int]:
        """Line and column, from 1, of the character at `index`."""
        if self._starts is None:
            lengths = [len(line) + 1 for line in self.text.split("\n")]
            self._starts = [*accumulate(lengths[:-1], initial=0)]
        line = bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The index of the character at a line and column, which `position` gave."""
        self.position(0)
        assert self._starts is not None
        return self._starts[min(line, len(self._starts)) - 1] + column - 1


class Node:
    """Anything in a document; it begins at the character `start` of its text."""

    __slots__ = ("origin", "start")

    def __init__(self, origin: FileText, start: int) -> None:
        self.origin = origin
        self.start = start

    @property
    def place(self) -> Place:
        """Where the node begins."""
        return Place(self.origin.file, *self.origin.position(self.start))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.place}>"


class Scalar(Node):
    """A single value: text, a whole number, true, false or nothing.

    `text` is the value as text, numbers and words included, and `source` adds where every character stands: so `8.10`,
    `10` and `true` can all be read as rule text.
    """

    __slots__ = ("_end", "_source", "_style", "text", "value")

    def __init__(
        self, origin: FileText, start: int, end: int, style: str, value: str | int | bool | None, text: str
    ) -> None:
        self.origin = origin
        self.start = start
        self._end = end
        self._style = style
        self.value = value
        self.text = text
        self._source: SourceText | None = None

    @classmethod
    def composed(cls, origin: FileText, start: int, source: SourceText) -> Scalar:
        """A text put together of pieces that know where they stand; it counts as written at `start`."""
        made = cls(origin, start, start, "|", source.text, source.text)
        made._source = source
        return made

    def rewrite(self, source: SourceText) -> None:
        """Let it say something else, in pieces that know where they stand."""
        self._source, self.text, self._style = source, source.text, "|"
        if isinstance(self.value, str):
            self.value = source.text

    @property
    def source(self) -> SourceText:
        """The text and where each of its characters stands."""
        if self._source is None:
            self._source = SourceText(self.text, self.origin.file, self._spans())
        return self._source

    def with_text(self, text: str) -> Scalar:
        """A scalar that stands where this one stands and says something else; it is read as this one is."""
        value: str | int | bool | None = text
        if not isinstance(self.value, str):
            whole = text.removeprefix("-").isdecimal()
            value = int(text) if whole else {"true": True, "false": False}.get(text, text)
        other = Scalar(self.origin, self.start, self._end, self._style, value, text)
        other._source = SourceText(text, self.origin.file, self.source.spans)
        return other

    @property
    def folded(self) -> bool:
        """Whether several lines without a sign before them were joined to one text."""
        return not self._style and "\n" in self.origin.text[self.start : self._end]

    def _spans(self) -> tuple[tuple[int, int, int], ...]:
        raw = self.origin.text[self.start : self._end]
        if not self._style and "\n" not in raw:
            return ((0, *self.origin.position(self.start)),)
        pieces = traced(raw, self._style, self.text)
        return tuple((offset, *self.origin.position(self.start + at)) for offset, at in pieces)


class Mapping(Node):
    """Values by key, in the order in which they were written; `foreign` keys were put in by an overlay's file."""

    __slots__ = ("foreign", "items", "key_starts")

    def __init__(self, origin: FileText, start: int) -> None:
        self.origin = origin
        self.start = start
        self.items: dict[str, Node] = {}
        self.key_starts: dict[str, int] = {}
        self.foreign: dict[str, FileText] | None = None

    def get(self, key: str) -> Node | None:
        return self.items.get(key)

    def __contains__(self, key: str) -> bool:
        return key in self.items

    def __iter__(self) -> Iterator[str]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def put(self, key: str, node: Node, origin: FileText, start: int, place: int | None = None) -> None:
        """Give a key a value of an overlay's file; a new key stands at `place` among the keys, or after them all."""
        new = key not in self.items
        self.items[key] = node
        self.key_starts[key] = start
        self.foreign = {**(self.foreign or {}), key: origin}
        if new and place is not None:
            order = list(self.items)
            order.insert(place, order.pop())
            self.items = {each: self.items[each] for each in order}

    def drop(self, key: str) -> None:
        """Take a key out."""
        del self.items[key]

    def key_origin(self, key: str) -> FileText:
        """The text that a key is written in."""
        return self.origin if self.foreign is None else self.foreign.get(key, self.origin)

    def key_place(self, key: str) -> Place:
        """Where a key is written."""
        origin = self.key_origin(key)
        return Place(origin.file, *origin.position(self.key_starts[key]))

    @property
    def key_places(self) -> dict[str, Place]:
        """Where each key is written."""
        return {key: self.key_place(key) for key in self.items}


class Sequence(Node):
    """A list."""

    __slots__ = ("items",)

    def __init__(self, origin: FileText, start: int) -> None:
        self.origin = origin
        self.start = start
        self.items: list[Node] = []

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


def plain(node: Node) -> Plain:
    """The node as plain data, without positions."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Mapping):
        return {key: plain(value) for key, value in node.items.items()}
    assert isinstance(node, Sequence)
    return [plain(each) for each in node.items]


def as_written(node: Node) -> str:
    """The text of a single value, whatever it is read as; empty for anything else."""
    return node.text if isinstance(node, Scalar) else ""


def shown(text: str) -> str:
    """As much of a text as a message can hold: the beginning of its first line."""
    first = text.split("\n", 1)[0][:39]
    return text if first == text else first + "…"


def described(node: Node) -> str:
    """What the node is, in plain words, for messages."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    assert isinstance(node, Scalar)
    if node.value is None:
        return "nothing"
    if isinstance(node.value, str):
        return f"the text '{shown(node.text)}'"
    return f"the {'word' if isinstance(node.value, bool) else 'number'} {node.text}"
