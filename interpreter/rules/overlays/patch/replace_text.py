"""Carries out the verb `replace_text`, which changes a part of a rule text or of any other text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from interpreter.language.diagnostics import Place, RulesetError, did_you_mean
from interpreter.language.parsing.source_map import ComposedText
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Scalar
from interpreter.rules.overlays.patch.expectation import check_expected, patch_error, target_of
from interpreter.rules.overlays.patch.overlay import Patch
from interpreter.rules.overlays.path.targets import GridTarget, ItemTarget, KeyTarget, Path

_RULE_TEXTS: Final = ("do", "is")
"""The keys of an entry that hold its rule text, for a path that ends at the entry."""
_SINGLE_WORDS: Final = ("id", "cite", "standing", "source")
_WITH_SET: Final = "change it with 'set'"


@dataclass(frozen=True, slots=True)
class _Change:
    """The part of a text from `start` to `end`, and what takes its place."""

    start: int
    end: int
    new: Scalar
    place: Place
    """The place of the old part in the overlay."""


def replace_text(documents: DocumentSet, patch: Patch) -> list[Path]:
    """Replaces parts of a text; each must occur once, however it is broken into lines.

    Raises:
        RulesetError: if the target is no text, or a part is not there, is there several times or overlaps another.
    """
    target = _text_target(documents, patch)
    check_expected(target, patch)
    node = target.node
    assert isinstance(node, Scalar)
    assert isinstance(patch.value, Mapping)
    changes = sorted(_changes(node, patch.value), key=lambda each: each.start)
    for one, other in pairwise(changes):
        if other.start < one.end:
            message = "this text overlaps another one that is replaced"
            raise patch_error("wrong-text", message, other.place, "write the two as one, or as two patches")
    node.rewrite(ComposedText.of([*_parts(node, changes)]))
    return [target.path]


def _text_target(documents: DocumentSet, patch: Patch) -> KeyTarget | ItemTarget:
    target = target_of(documents, patch)
    node = target.node
    if isinstance(target, KeyTarget) and isinstance(node, Mapping):
        key = next((each for each in _RULE_TEXTS if isinstance(node.get(each), Scalar)), None)
        if key is not None:
            target = KeyTarget((*target.path, key), (*target.around, node), key)
            node = target.node
    if isinstance(target, GridTarget) or not isinstance(node, Scalar) or not isinstance(node.value, str):
        message = f"'{patch.at.text}' is no text"
        hint = _path_hint(patch.at.text, node) if isinstance(node, Mapping) else _WITH_SET
        raise patch_error("wrong-text", message, patch.at.place, hint)
    return target


def _path_hint(path: str, node: Mapping) -> str:
    found = [key for key, each in node.items.items() if isinstance(each, Scalar) and isinstance(each.value, str)]
    texts = [each for each in found if each not in _SINGLE_WORDS]
    listed = ", ".join([f"'{path}/{each}'" for each in texts])
    return f"name one of its texts: {listed}" if texts else _WITH_SET


# ---------------------------------------------------------------- the parts that change
def _changes(node: Scalar, wanted: Mapping) -> Iterator[_Change]:
    for old, new in wanted.items.items():
        place = wanted.key_place(old)
        assert isinstance(new, Scalar)
        start, end = _found(node, old, place)
        yield _Change(*(_lines_around(node.text, start, end) if not new.text.strip() else (start, end)), new, place)


def _found(node: Scalar, old: str, place: Place) -> tuple[int, int]:
    """Returns where a text has a part."""
    if not old.strip():
        raise patch_error("wrong-text", "this text is empty", place, "write the text that is replaced")
    found = list(re.finditer(_pattern(old), node.text))
    if len(found) == 1:
        return found[0].span()
    if found:
        first, second = (node.source.place(each.start()).line for each in found[:2])
        message = f"the text has '{old}' {len(found)} times, first in lines {first} and {second} of {node.place.file}"
        raise patch_error("wrong-text", message, place, "write more of the text around it, so that it occurs once")
    raise _absent(node, old, place)


def _absent(node: Scalar, old: str, place: Place) -> RulesetError:
    lines = [each.strip() for each in node.text.splitlines()]
    hint = did_you_mean(old, [each for each in (*lines, *re.findall(r"\w+", node.text)) if each])
    return patch_error("nothing-replaced", f"the text has no '{old}' ({node.place})", place, hint)


def _pattern(old: str) -> str:
    """Returns a pattern for whole words with any blanks and line breaks between them."""
    words = old.split()
    pattern = r"\s+".join(map(re.escape, words))
    before = r"(?<!\w)" if words[0][0].isalnum() else ""
    after = r"(?!\w)" if words[-1][-1].isalnum() else ""
    return f"{before}{pattern}{after}"


def _lines_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Extends a part to whole lines if nothing else is in them."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end) + 1 or len(text)
    return (start, end) if text[first:start].strip() or text[end:last].strip() else (first, last)


# ---------------------------------------------------------------- the new text
def _parts(node: Scalar, changes: list[_Change]) -> Iterator[tuple[str, Place]]:
    """Yields the new text as runs of characters with their places."""
    at = 0
    for each in changes:
        yield from node.source.runs(at, each.start)
        line = node.text[node.text.rfind("\n", 0, each.start) + 1 : each.start]
        yield from _indented(each.new, line[: len(line) - len(line.lstrip())])
        at = each.end
    yield from node.source.runs(at, len(node.text))


def _indented(new: Scalar, indent: str) -> Iterator[tuple[str, Place]]:
    """Yields a new text; its lines after the first get the indent of the line in which it begins."""
    offset = 0
    for number, line in enumerate(new.text.rstrip().split("\n")):
        if number:
            yield f"\n{indent if line else ''}", new.source.place(offset)
        yield from new.source.runs(offset, offset + len(line))
        offset += len(line) + 1
