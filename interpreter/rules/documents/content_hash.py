"""Computes digests of the contents of documents, whatever their comments, layout and division into files.

The hash of a ruleset is taken over a canonical text, so that a ruleset with overlays has the same hash as one with the
same changes made by hand. Order counts where it can have a meaning: of entries, items, parameters, rows and steps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from collections.abc import Mapping as Settings
from hashlib import sha256
from typing import Final

from interpreter.rules.documents.document_set import DocumentSet, presentation
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence

ORDERED_KEYS: Final = frozenset({"takes", "keys", "has", "pick", "steps", "outcomes", "board", "individuals"})
"""Keys of mappings whose own keys are names of the ruleset, in an order that counts; other mappings are sorted."""
_ID_KEYS: Final = frozenset({"cite", "see", "clauses", "id", "ids", "source"})
"""Keys whose values are ids, compared as written; a single id equals a list of one."""
_RULE_TEXT_KEYS: Final = frozenset(
    {"value", "when", "unless", "is", "cost", "within", "next", "repeat", "until", "seen_by"}
)
"""Keys whose values are rule text, even if they look like numbers."""
_CELL: Final = re.compile(r'"[^"\n]*"|[^\s"]+')


def entry_digests(documents: DocumentSet) -> dict[str, str]:
    """Returns the digest of every entry of a ruleset by its path, such as `tables/losses`, in document order.

    Entries without a name share one digest under the name of their section.
    """
    texts: dict[str, list[str]] = {}
    for section in sorted({name for document in documents.documents for name in document.root} - {"include"}):
        for name, text in _entries(documents, section):
            texts.setdefault(f"{section}/{name}" if name else section, []).append(text)
    return {path: sha256("\n".join(parts).encode()).hexdigest() for path, parts in texts.items()}


def content_hash(digests: Settings[str, str]) -> str:
    """Returns one digest over those of all entries."""
    return sha256("".join([f"{path}\0{digest}\n" for path, digest in digests.items()]).encode()).hexdigest()


def _entries(documents: DocumentSet, section: str) -> Iterator[tuple[str, str]]:
    if section == "presentation":
        yield "", json.dumps(presentation(documents), sort_keys=True)
    elif section in ("ruleset", "evaluation"):
        yield from (("", canonical_text(node)) for node in documents.nodes(section))
    elif section in ("clauses", "readings", "left_out"):
        for item in documents.items(section):
            node = item.get("id") if isinstance(item, Mapping) else None
            yield node.text if isinstance(node, Scalar) else "", canonical_text(item)
    else:
        for entry in documents.entries(section):
            drawn = isinstance(entry.node, Mapping) and "grid" in entry.node
            yield entry.name, canonical_text(entry.node, "" if drawn else section)


def canonical_text(node: Node, key: str = "") -> str:
    """Returns the canonical text of the value of a key: values have equal texts if and only if they mean the same."""
    if isinstance(node, Scalar):
        return _scalar(node, key)
    if isinstance(node, Sequence):
        if key in _ID_KEYS:
            items = [_text(each.text) if isinstance(each, Scalar) else canonical_text(each, key) for each in node.items]
        else:
            items = [canonical_text(each, key) for each in node.items]
        return f"[{','.join(items)}]"
    assert isinstance(node, Mapping)
    named = [f"{name}={canonical_text(each, name)}" for name, each in node.items.items()]
    return f"{{{','.join(named if key in ORDERED_KEYS else sorted(named))}}}"


def _scalar(node: Scalar, key: str) -> str:
    text = node.text
    if key in _ID_KEYS:
        return f"[{_text(text)}]"
    if key == "grid":
        return _text("\n".join([" ".join(_CELL.findall(line)) for line in text.split("\n") if line.strip()]))
    value = node.value
    if value is None:
        return "null"
    if not isinstance(value, str) and key not in _RULE_TEXT_KEYS:
        return str(value)
    return _text("\n".join([line.rstrip() for line in text.split("\n")]).strip("\n") if "\n" in text else text)


def _text(text: str) -> str:
    return f"{len(text)}:{text}"
