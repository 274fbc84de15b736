"""Computes digests of the contents of documents, whatever their comments, layout and division into files.

The hash of a ruleset is taken over a canonical text, so that a ruleset with overlays has the same hash as one with the
same changes made by hand. Order counts where it can have a meaning: of entries, items, parameters, rows and steps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from collections.abc import Mapping as Settings
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from interpreter.rules.documents.document_set import DocumentSet, presentation
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence

ORDERED_KEYS: Final = frozenset({"takes", "keys", "has", "pick", "steps", "outcomes", "board", "individuals"})
"""Keys of mappings whose own keys are names of the ruleset, in an order that counts; other mappings are sorted."""
_ID_KEYS: Final = frozenset({"cite", "see", "clauses", "id", "ids", "source"})
"""Keys whose values are ids, compared as written; a single id equals a list of one."""
_RULE_TEXT_KEYS: Final = frozenset(
    {"do", "when", "unless", "is", "cost", "within", "next", "repeat", "until", "seen_by"}
)
"""Keys whose values are rule text, even if they look like numbers."""
_METHODS: Final = ("definitions", "procedures")
"""The keys under which a kind declares the names of the rule texts that its objects carry."""
_CELL: Final = re.compile(r'"[^"\n]*"|[^\s"]+')
_RULE_TOKEN: Final = re.compile(r'"[^"\n]*"?|#.*|\w+|[^\w\s]')


def entry_digests(documents: DocumentSet) -> dict[str, str]:
    """Returns the digest of every entry of a ruleset by its path, such as `tables/losses`, in document order.

    Entries without a name share one digest under the name of their section.
    """
    writer = _CanonicalWriter(_RULE_TEXT_KEYS | {*_methods(documents)})
    texts: dict[str, list[str]] = {}
    for section in sorted({name for document in documents.documents for name in document.root} - {"include"}):
        for name, text in _entries(documents, section, writer):
            texts.setdefault(f"{section}/{name}" if name else section, []).append(text)
    return {path: sha256("\n".join(parts).encode()).hexdigest() for path, parts in texts.items()}


def content_hash(digests: Settings[str, str]) -> str:
    """Returns one digest over those of all entries."""
    return sha256("".join([f"{path}\0{digest}\n" for path, digest in digests.items()]).encode()).hexdigest()


def _methods(documents: DocumentSet) -> Iterator[str]:
    """Yields the names of the rule texts that individuals and counters carry."""
    for entry in documents.entries("kinds"):
        node = entry.node
        for declared in map(node.get, _METHODS) if isinstance(node, Mapping) else ():
            yield from declared.items if isinstance(declared, Mapping) else ()


def _entries(documents: DocumentSet, section: str, writer: _CanonicalWriter) -> Iterator[tuple[str, str]]:
    if section == "presentation":
        yield "", json.dumps(presentation(documents), sort_keys=True)
    elif section in ("ruleset", "evaluation"):
        yield from (("", writer.text(node)) for node in documents.nodes(section))
    elif section in ("clauses", "readings", "left_out"):
        for item in documents.items(section):
            node = item.get("id") if isinstance(item, Mapping) else None
            yield node.text if isinstance(node, Scalar) else "", writer.text(item)
    else:
        for entry in documents.entries(section):
            drawn = isinstance(entry.node, Mapping) and "grid" in entry.node
            yield entry.name, writer.text(entry.node, "" if drawn else section)


def canonical_text(node: Node, key: str = "") -> str:
    """Returns the canonical text of the value of a key: values have equal texts if and only if they mean the same.

    The layout counts in rule texts that individuals and counters carry, whose keys only a whole ruleset can tell.
    """
    return _CanonicalWriter(_RULE_TEXT_KEYS).text(node, key)


@dataclass(frozen=True, slots=True)
class _CanonicalWriter:
    """Writes canonical texts; the layout of the values of `rule_keys` is left out."""

    rule_keys: frozenset[str]

    def text(self, node: Node, key: str = "") -> str:
        """Returns the canonical text of the value of a key."""
        if isinstance(node, Scalar):
            return self._scalar(node, key)
        if isinstance(node, Sequence):
            if key in _ID_KEYS:
                items = [_text(each.text) if isinstance(each, Scalar) else self.text(each, key) for each in node.items]
            else:
                items = [self.text(each, key) for each in node.items]
            return f"[{','.join(items)}]"
        assert isinstance(node, Mapping)
        named = [f"{name}={self.text(each, name)}" for name, each in node.items.items()]
        return f"{{{','.join(named if key in ORDERED_KEYS else sorted(named))}}}"

    def _scalar(self, node: Scalar, key: str) -> str:
        text = node.text
        if key in _ID_KEYS:
            return f"[{_text(text)}]"
        if key == "grid":
            return _text("\n".join([" ".join(_CELL.findall(line)) for line in text.split("\n") if line.strip()]))
        value = node.value
        if value is None:
            return "null"
        if key in self.rule_keys:
            return _text(_rule_text(text))
        if not isinstance(value, str) and key != "value":
            return str(value)
        return _text("\n".join([line.rstrip() for line in text.split("\n")]).strip("\n") if "\n" in text else text)


def _rule_text(text: str) -> str:
    """Returns a rule text as tokens, with the depth of indentation of each line that is not within brackets."""
    levels, lines, depth = list[int](), list[str](), 0
    for line in text.split("\n"):
        tokens = [each for each in _RULE_TOKEN.findall(line) if not each.startswith("#")]
        if not tokens:
            continue
        if depth:
            lines[-1] += f" {' '.join(tokens)}"
        else:
            indent = len(line) - len(line.lstrip())
            while levels and indent < levels[-1]:
                levels.pop()
            if not levels or indent > levels[-1]:
                levels.append(indent)
            lines.append(f"{len(levels)} {' '.join(tokens)}")
        depth = max(depth + sum(map(tokens.count, "([{")) - sum(map(tokens.count, ")]}")), 0)
    return "\n".join(lines)


def _text(text: str) -> str:
    return f"{len(text)}:{text}"
