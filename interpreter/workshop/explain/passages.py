"""Extracts passages of documents: from their files, or as they are under overlays that change them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.language.diagnostics import Place, RulesetError
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Node, Scalar
from interpreter.rules.documents.source_excerpts import source_lines
from interpreter.rules.overlays.apply import overlap
from interpreter.rules.overlays.merged_documents import Touch, touches_of
from interpreter.rules.overlays.path.resolve_path import PathNotFoundError, find
from interpreter.rules.overlays.path.targets import Path
from interpreter.rules.overlays.rename.text_edits import scalars
from interpreter.workshop.coverage.citation_index import Citation
from interpreter.workshop.diff.write_document import node_as_yaml
from interpreter.workshop.explain.explanation import Passage
from interpreter.workshop.format.format import format_text
from interpreter.workshop.report_data import source_text

MAX_LINES = 40


def cited_passage(documents: DocumentSet, item: Citation) -> Passage:
    """Returns the passage that cites, with the overlays that change it."""
    parts = tuple(item.path.partition(":")[0].split("/"))
    touches = [each for each in touches_of(documents) if overlap(each.path, parts)]
    node = _node(documents, parts) if touches else None
    written = rule_line(item.place) if item.line else passage(item.place)
    if node is None:
        return Passage(item.path, item.place, written)
    text = _line_at(node, item.place) if item.line else _shortened(_formatted(node_as_yaml(node, parts[-1])))
    changed_by = () if item.line and text == written else tuple(dict.fromkeys(map(_overlay_text, touches)))
    return Passage(item.path, item.place, text, changed_by)


def _formatted(text: str) -> Sequence[str]:
    try:
        return format_text(text, "").rstrip("\n").split("\n")
    except RulesetError:
        return text.split("\n")


def _overlay_text(touch: Touch) -> str:
    return f"{touch.overlay.id} ({source_text(touch.patch.at.place)})"


def _node(documents: DocumentSet, parts: Path) -> Node | None:
    try:
        return find(documents, parts).node
    except PathNotFoundError:
        return None


def _line_at(node: Node, place: Place) -> str:
    """Returns the line of rule text in which the character at a place is, stripped."""
    return next((line for start, line in _lines(node) if start == place), rule_line(place))


def _lines(node: Node) -> Iterator[tuple[Place, str]]:
    """Yields the lines of all texts of a node, stripped, with their places."""
    for each in scalars(node):
        offset = 0
        for line in each.text.split("\n"):
            if line.strip():
                yield _start(each, offset, line), line.strip()
            offset += len(line) + 1


def _start(text: Scalar, offset: int, line: str) -> Place:
    return text.source.place(offset + len(line) - len(line.lstrip()))


def _shortened(lines: Sequence[str]) -> str:
    left = len(lines) - MAX_LINES
    return "\n".join([*lines[:MAX_LINES], *([f"… {left} more lines"] if left > 0 else [])])


def passage(place: Place) -> str:
    """Returns the entry that begins at a place, with everything under it; empty if the file can no longer be read."""
    lines = source_lines(place.file)
    if not 0 < place.line <= len(lines):
        return ""
    first = lines[place.line - 1]
    column = place.column - 1
    is_item = first[:column].strip() == "-"
    kept = [first[len(first) - len(first.lstrip()) :]]
    cut = len(first) - len(first.lstrip())
    for line in lines[place.line :]:
        indent = len(line) - len(line.lstrip())
        if line.strip() and (indent < column if is_item else indent <= cut):
            break
        kept.append(line[cut:])
    while kept and not kept[-1].strip():
        kept.pop()
    return _shortened(kept)


def rule_line(place: Place) -> str:
    """Returns the line of rule text at a place, stripped; empty if the file can no longer be read."""
    lines = source_lines(place.file)
    return lines[place.line - 1].strip() if 0 < place.line <= len(lines) else ""
