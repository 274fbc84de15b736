"""Tests that every misspelling in Fin-Napoleon is reported, in a key of its documents or a name of its rules."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from misspellings import batches, name_spots, unreported

from interpreter.language.diagnostics import Diagnostic
from interpreter.rules.documents.document_set import read_ruleset
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.loading.load import check_ruleset
from interpreter.rules.schema.validate import RULESET, check_shape

FOLDER = Path(__file__).parents[1] / "rulesets" / "fin_napoleon"
KEY = "zzqq"
SAMPLE_SIZE = 60
NAMED = {
    "takes", "has", "keys", "pick", "outcomes", "figures", "state", "set", "board", "with", "dice", "decisions",
    "options", "offers", "words", "attributes", "prompts", "names", "symbols",
}  # fmt: skip
"""Mappings whose keys are names; unknown names in them are found by the checks of names."""
SOMETIMES_NAMED = {"individuals", "pieces", "presentation", "examples"}


def mappings(node: Node, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Mapping]]:
    """Yields every mapping with the path of keys to it."""
    if isinstance(node, Mapping):
        yield path, node
        for key, value in node.items.items():
            yield from mappings(value, (*path, key))
    elif isinstance(node, Sequence):
        for each in node:
            yield from mappings(each, path)


def findings_for_key(root: Mapping, mapping: Mapping) -> list[Diagnostic]:
    """Returns the findings of the schema check at the place of an unknown key that is added to a mapping."""
    start = mapping.start + 1_000_000
    mapping.items[KEY] = Scalar(mapping.origin, start, start + 1, "", 7, "7")
    mapping.key_starts[KEY] = start
    try:
        return [each for each in check_shape(root, RULESET) if each.place == mapping.key_place(KEY)]
    finally:
        del mapping.items[KEY], mapping.key_starts[KEY]


def test_unknown_key_is_reported_in_every_mapping() -> None:
    """An unknown key in any mapping is reported at its place, unless the keys are the author's own names."""
    tried, unreported_paths = 0, set()
    for document in read_ruleset(FOLDER).documents:
        for section, node in document.root.items.items():
            entries = node.items.items() if isinstance(node, Mapping) else [("", node)]
            for entry, inner in entries:
                root = Mapping(node.origin, node.start)
                root.key_starts = dict(document.root.key_starts)
                holder: Node = inner
                if isinstance(node, Mapping):
                    holder = Mapping(node.origin, node.start)
                    holder.items, holder.key_starts = {entry: inner}, node.key_starts
                root.items = {section: holder}
                for path, mapping in mappings(inner, (section, entry)):
                    tried += 1
                    if not findings_for_key(root, mapping):
                        unreported_paths.add(path)
    assert tried > 1_000
    assert not [path for path in unreported_paths if not NAMED & {*path} and path[0] not in SOMETIMES_NAMED]


@pytest.mark.parametrize("number", range(3))
def test_misspelt_name_is_reported(number: int, tmp_path: Path) -> None:
    """Each name of a random sample of rule text, misspelt, is reported at its place."""
    chosen = random.Random(number).sample(name_spots(FOLDER), SAMPLE_SIZE // 3)
    assert [each for group in batches(chosen) for each in unreported(FOLDER, tmp_path, group)] == []


def test_ruleset_has_no_findings() -> None:
    """Without a misspelling there are no findings."""
    assert check_ruleset(FOLDER) == []
