"""No misspelling passes unnoticed in Fin-Napoleon: neither a key of its documents nor a name of its rules."""

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
SHARE = 60
NAMED = {
    "takes", "has", "keys", "pick", "outcomes", "figures", "state", "set", "board", "with", "dice", "decisions",
    "options", "offers", "words", "attributes", "prompts", "names", "symbols",
}  # fmt: skip
"""Mappings whose keys are names: what an unknown name does there is checked where names are."""
PERHAPS_NAMED = {"individuals", "pieces", "presentation", "examples"}


def mappings(node: Node, way: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Mapping]]:
    """Every mapping with the keys that lead to it."""
    if isinstance(node, Mapping):
        yield way, node
        for key, value in node.items.items():
            yield from mappings(value, (*way, key))
    elif isinstance(node, Sequence):
        for each in node:
            yield from mappings(each, way)


def said_of_key(root: Mapping, mapping: Mapping) -> list[Diagnostic]:
    """What the check of shapes says at the place of an unknown key that is put into a mapping."""
    start = mapping.start + 1_000_000
    mapping.items[KEY] = Scalar(mapping.origin, start, start + 1, "", 7, "7")
    mapping.key_starts[KEY] = start
    try:
        return [each for each in check_shape(root, RULESET) if each.place == mapping.key_place(KEY)]
    finally:
        del mapping.items[KEY], mapping.key_starts[KEY]


def test_an_unknown_key_is_told_in_every_mapping() -> None:
    """A key put into any mapping is reported at its place, where keys are not the author's own names."""
    tried, open_ways = 0, set()
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
                for way, mapping in mappings(inner, (section, entry)):
                    tried += 1
                    if not said_of_key(root, mapping):
                        open_ways.add(way)
    assert tried > 1_000
    assert not [way for way in open_ways if not NAMED & {*way} and way[0] not in PERHAPS_NAMED]


@pytest.mark.parametrize("number", range(3))
def test_a_misspelt_name_is_told(number: int, tmp_path: Path) -> None:
    """Each of a random share of the names in rule text, misspelt, is reported at its very place."""
    chosen = random.Random(number).sample(name_spots(FOLDER), SHARE // 3)
    assert [each for group in batches(chosen) for each in unreported(FOLDER, tmp_path, group)] == []


def test_the_ruleset_is_sound() -> None:
    """Without a misspelling nothing is found."""
    assert check_ruleset(FOLDER) == []
