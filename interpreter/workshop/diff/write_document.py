"""Writes documents in their state under overlays.

Text that no patch touches is copied from its file with comments and layout; only new text gets a layout here.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

import yaml

from interpreter.language.diagnostics import RulesetError
from interpreter.rules.documents.nodes import FileText, Mapping, Node, Scalar, Sequence
from interpreter.workshop.format.format import format_text

_MAX_WIDTH: Final = 118
_MAX_FLOW_WIDTH: Final = 100
"""The largest length of a node without multi-line text that is written in braces or brackets on one line."""
_TAG: Final = "tag:yaml.org,2002:"


class _Dumper(yaml.SafeDumper):
    """Quotes, with double quotes, a text that this or another YAML reader would take for another type."""

    yaml_implicit_resolvers = {sign: list(each) for sign, each in yaml.SafeDumper.yaml_implicit_resolvers.items()}  # noqa: RUF012 - as PyYAML has it

    def choose_scalar_style(self) -> str:
        style = super().choose_scalar_style()
        return '"' if style == "'" else style


_Dumper.add_implicit_resolver(f"{_TAG}int", re.compile(r"-?[0-9]{1,18}\Z", re.ASCII), list("-0123456789"))


def node_as_yaml(node: Node, key: str | None = None) -> str:
    """Returns a node as YAML, under a key if one is given."""
    made = _node(node)
    if key is not None:
        made = yaml.MappingNode(f"{_TAG}map", [(yaml.ScalarNode(f"{_TAG}str", key), made)], flow_style=False)
    return _serialized(made)


def rewritten_document(before: Mapping, after: Mapping) -> str:
    """Returns the text of a document whose root changes from `before` to `after`; a formatted one stays formatted."""
    text = before.origin.text
    if is_same(before, after):
        return text
    lines = _DocumentRewriter(before.origin).mapping(before, after, 0, text.count("\n") + 1)
    found = "\n".join(lines) if lines is not None else node_as_yaml(after)
    found = found.rstrip("\n") + "\n"
    try:
        return format_text(found, before.origin.file) if format_text(text, before.origin.file) == text else found
    except RulesetError:
        return found


def is_same(one: Node, other: Node) -> bool:
    """Whether two nodes have the same content in the same order."""
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        return one.text.rstrip("\n") == other.text.rstrip("\n") and type(one.value) is type(other.value)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        pairs = zip(one.items.values(), other.items.values(), strict=False)
        return list(one) == list(other) and all(is_same(*pair) for pair in pairs)
    if isinstance(one, Sequence) and isinstance(other, Sequence):
        return len(one) == len(other) and all(map(is_same, one, other))
    return False


# ---------------------------------------------------------------- new nodes
def _serialized(node: yaml.Node) -> str:
    text: str = yaml.serialize(node, Dumper=_Dumper, width=_MAX_WIDTH, allow_unicode=True)
    return text.removesuffix("...\n").rstrip("\n")


def _node(node: Node) -> yaml.Node:
    if isinstance(node, Scalar):
        return _scalar(node)
    if isinstance(node, Mapping):
        pairs = [(yaml.ScalarNode(f"{_TAG}str", key), _node(each)) for key, each in node.items.items()]
        return yaml.MappingNode(f"{_TAG}map", pairs, flow_style=_is_short(node))
    assert isinstance(node, Sequence)
    return yaml.SequenceNode(f"{_TAG}seq", [_node(each) for each in node], flow_style=_is_short(node))


def _scalar(node: Scalar) -> yaml.ScalarNode:
    if node.value is None:
        return yaml.ScalarNode(f"{_TAG}null", node.text or "null")
    if not isinstance(node.value, str):
        return yaml.ScalarNode(f"{_TAG}{'bool' if isinstance(node.value, bool) else 'int'}", node.text)
    if "\n" not in node.text:
        return yaml.ScalarNode(f"{_TAG}str", node.text)
    lines = [line.rstrip() for line in node.text.rstrip("\n").split("\n")]
    return yaml.ScalarNode(f"{_TAG}str", "\n".join([*lines, ""]), style="|")


def _is_short(node: Node) -> bool:
    length = _length(node)
    return length is not None and length <= _MAX_FLOW_WIDTH


def _length(node: Node) -> int | None:
    """Returns the approximate length of a node on one line; none if it has a multi-line text."""
    if isinstance(node, Scalar):
        return None if "\n" in node.text else len(node.text) + 2
    if isinstance(node, Mapping):
        inner = [(len(key) + 2, _length(each)) for key, each in node.items.items()]
    else:
        assert isinstance(node, Sequence)
        inner = [(0, _length(each)) for each in node]
    found = [key + length for key, length in inner if length is not None]
    return sum(found) + 2 if len(found) == len(inner) else None


# ---------------------------------------------------------------- changed nodes
class _DocumentRewriter:
    """Rewrites the lines of a file: copies those of unchanged nodes, and writes new lines for changed ones."""

    def __init__(self, origin: FileText) -> None:
        self._origin = origin
        self._lines = origin.text.split("\n")

    def mapping(self, before: Mapping, after: Mapping, first: int, end: int) -> list[str] | None:
        """Returns the new lines of a mapping in the lines `first` to `end`; none unless each key has its own line."""
        starts = {key: self._at(start) for key, start in before.key_starts.items() if key in before}
        places = list(starts.values())
        if not self._are_blocks(places, ""):
            return None
        column = places[0][1]
        end, blank = self._without_blanks(end), self._lines[self._without_blanks(end) : end]
        bounds = [*(self._above(line, column, first) for line, _ in places), end]
        found = self._lines[first : bounds[0]]
        slices = dict(zip(starts, pairwise(bounds), strict=True))
        for key, node in after.items.items():
            if key in slices:
                found += self._entry(key, before.items[key], node, starts[key][0], slices[key], column)
            else:
                found += _indented(node_as_yaml(node, key), column)
        return found + blank

    def _entry(self, key: str, before: Node, after: Node, line: int, lines: tuple[int, int], column: int) -> list[str]:
        first, end = lines
        if is_same(before, after):
            return self._lines[first:end]
        inner: list[str] | None = None
        if self._at(before.start)[0] > line and not (isinstance(after, Mapping | Sequence) and not len(after)):
            if isinstance(before, Mapping) and isinstance(after, Mapping):
                inner = self.mapping(before, after, line + 1, end)
            elif isinstance(before, Sequence) and isinstance(after, Sequence):
                inner = self._sequence(before, after, line + 1, end)
        if inner is not None:
            return [*self._lines[first : line + 1], *inner]
        blank = self._lines[self._without_blanks(end) : end]
        return [*self._lines[first:line], *_indented(node_as_yaml(after, key), column), *blank]

    def _sequence(self, before: Sequence, after: Sequence, first: int, end: int) -> list[str] | None:
        """Returns the new lines of a list, like `mapping`; none unless each item has its own line."""
        places = [self._at(each.start) for each in before]
        if not self._are_blocks(places, "-"):
            return None
        dash = self._lines[places[0][0]].index("-")
        end, blank = self._without_blanks(end), self._lines[self._without_blanks(end) : end]
        bounds = [*(self._above(line, dash, first) for line, _ in places), end]
        known = {each.start: (each, begin, stop) for each, begin, stop in zip(before, bounds, bounds[1:], strict=False)}
        found = self._lines[first : bounds[0]]
        for node in after:
            item, begin, stop = known.get(node.start, (None, 0, 0))
            if item is not None and node.origin.file == self._origin.file and is_same(item, node):
                found += self._lines[begin:stop]
            else:
                found += _indented(_serialized(yaml.SequenceNode(f"{_TAG}seq", [_node(node)], flow_style=False)), dash)
        return found + blank

    def _at(self, index: int) -> tuple[int, int]:
        """Returns the line and column of a character, both from 0."""
        line, column = self._origin.position(index)
        return line - 1, column - 1

    def _are_blocks(self, places: list[tuple[int, int]], sign: str) -> bool:
        """Whether all places are on lines of their own, in one column, after nothing but this sign."""
        if not places or len({column for _, column in places}) > 1:
            return False
        lines = [line for line, _ in places]
        return all(one < other for one, other in pairwise(lines)) and all(
            self._lines[line][:column].strip() == sign for line, column in places
        )

    def _without_blanks(self, end: int) -> int:
        """Returns the end of a range of lines without its trailing empty lines."""
        while end and not self._lines[end - 1].strip():
            end -= 1
        return end

    def _above(self, line: int, column: int, first: int) -> int:
        """Returns the first line of the comments directly above a line, in its column."""
        while line > first and self._lines[line - 1].startswith(" " * column + "#"):
            line -= 1
        return line


def _indented(text: str, column: int) -> list[str]:
    return [" " * column + line if line else line for line in text.split("\n")]
