"""The nodes of a document: mappings, lists and scalars, each with its file position."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from interpreter.language.diagnostics import Place
from interpreter.language.parsing.source_map import SourceText
from interpreter.language.whole_numbers import whole_number
from interpreter.rules.documents.scalar_offsets import offset_runs

Plain = None | bool | int | str | list["Plain"] | dict[str, "Plain"]


class FileText:
    """The text of one file, and the offsets of its lines."""

    __slots__ = ("_starts", "file", "text")

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self._starts: list[int] | None = None

    def position(self, index: int) -> tuple[int, int]:
        """Returns the line and column, from 1, of the character at `index`."""
        if self._starts is None:
            lengths = [len(line) + 1 for line in self.text.split("\n")]
            self._starts = [*accumulate(lengths[:-1], initial=0)]
        line = bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Returns the index of the character at a line and column: the inverse of `position`."""
        self.position(0)
        assert self._starts is not None
        return self._starts[min(line, len(self._starts)) - 1] + column - 1


class Node:
    """A node of a document; it begins at the character `start` of its text."""

    __slots__ = ("origin", "start")

    def __init__(self, origin: FileText, start: int) -> None:
        self.origin = origin
        self.start = start

    @property
    def place(self) -> Place:
        """The place at which the node begins."""
        return Place(self.origin.file, *self.origin.position(self.start))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.place}>"


class Scalar(Node):
    """A single value: text, a whole number, true, false or null.

    `text` is the value as text, also for numbers and words, and `source` adds the place of every character, so that
    `8.10`, `10` and `true` can all be read as rule text.
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
        """Returns a scalar of a text composed of parts with known places; its own place is `start`."""
        made = cls(origin, start, start, "|", source.text, source.text)
        made._source = source
        return made

    def rewrite(self, source: SourceText) -> None:
        """Replaces the text by one whose parts have known places."""
        self._source, self.text, self._style = source, source.text, "|"
        if isinstance(self.value, str):
            self.value = source.text

    @property
    def source(self) -> SourceText:
        """The text with the place of each character."""
        if self._source is None:
            self._source = SourceText(self.text, self.origin.file, self._spans())
        return self._source

    def with_text(self, text: str) -> Scalar:
        """Returns a scalar with another text at the same place; if this one isn't text, the new text is parsed."""
        value: str | int | bool | None = text
        if not isinstance(self.value, str):
            number = whole_number(text)
            value = {"true": True, "false": False}.get(text, text) if number is None else number
        other = Scalar(self.origin, self.start, self._end, self._style, value, text)
        other._source = SourceText(text, self.origin.file, self.source.spans)
        return other

    @property
    def literal(self) -> bool:
        """Whether the text is a literal block."""
        return self._style == "|"

    @property
    def folded(self) -> bool:
        """Whether the text is plain (unquoted) and folded from several lines."""
        return not self._style and "\n" in self.origin.text[self.start : self._end]

    def _spans(self) -> tuple[tuple[int, int, int], ...]:
        raw = self.origin.text[self.start : self._end]
        if not self._style and "\n" not in raw:
            return ((0, *self.origin.position(self.start)),)
        pairs = offset_runs(raw, self._style, self.text)
        return tuple((offset, *self.origin.position(self.start + at)) for offset, at in pairs)


class Mapping(Node):
    """Values by key, in the order of the file; `foreign` gives the file of keys that an overlay added."""

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
        """Sets the value of a key from an overlay's file; a new key is inserted at index `place`, or at the end."""
        new = key not in self.items
        self.items[key] = node
        self.key_starts[key] = start
        self.foreign = {**(self.foreign or {}), key: origin}
        if new and place is not None:
            order = list(self.items)
            order.insert(place, order.pop())
            self.items = {each: self.items[each] for each in order}

    def drop(self, key: str) -> None:
        """Removes a key."""
        del self.items[key]

    def key_origin(self, key: str) -> FileText:
        """Returns the file text that contains a key."""
        return self.origin if self.foreign is None else self.foreign.get(key, self.origin)

    def key_place(self, key: str) -> Place:
        """Returns the place of a key."""
        origin = self.key_origin(key)
        return Place(origin.file, *origin.position(self.key_starts[key]))

    @property
    def key_places(self) -> dict[str, Place]:
        """The place of each key."""
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


def as_plain_data(node: Node) -> Plain:
    """Converts a node to plain data, without positions."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Mapping):
        return {key: as_plain_data(value) for key, value in node.items.items()}
    assert isinstance(node, Sequence)
    return [as_plain_data(each) for each in node.items]


def as_written(node: Node) -> str:
    """Returns the text of a scalar, whatever its type; empty for anything else."""
    return node.text if isinstance(node, Scalar) else ""


def shortened(text: str) -> str:
    """Shortens a text for a message: to the first 39 characters of its first line."""
    first = text.split("\n", 1)[0][:39]
    return text if first == text else first + "…"


def describe(node: Node) -> str:
    """Describes a node for a message."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    assert isinstance(node, Scalar)
    if node.value is None:
        return "nothing"
    if isinstance(node.value, str):
        return f"the text '{shortened(node.text)}'"
    return f"the {'word' if isinstance(node.value, bool) else 'number'} {node.text}"
