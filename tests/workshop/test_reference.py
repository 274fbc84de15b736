"""The reference is what the schemas and the grammar make of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from interpreter.rules.documents.package_data import schemas_folder
from interpreter.workshop.reference import GRAMMAR, reference

DOCS = Path(__file__).parents[2] / "docs"


def test_the_reference_is_current() -> None:
    """After a change of a schema or the grammar, write it anew."""
    command = "python -m interpreter.workshop.reference docs/reference.md"
    assert (DOCS / "reference.md").read_text(encoding="utf-8") == reference(), f"run: {command}"


@pytest.mark.parametrize("schema", sorted(schemas_folder().glob("*.json")), ids=lambda each: each.stem)
def test_every_section_is_told(schema: Path) -> None:
    """Every section of every kind of document has its place, with a description."""
    page = reference()
    for section, value in json.loads(schema.read_text())["properties"].items():
        if section != "$schema" and "description" in value:
            assert f"### `{section}`\n\n{value['description']}" in page


def test_every_rule_of_the_grammar_is_told() -> None:
    """Each rule and terminal of the grammar stands on the page, without the names of its builders."""
    page = reference()
    text = GRAMMAR.read_text(encoding="utf-8")
    rules = re.findall(r"^\??([a-z_]+|[A-Z_]+)(?:\.\d+)?:", text, re.MULTILINE)
    assert len(rules) > 50
    grammar = page[page.index("## Grammar of rule text") :]
    assert [rule for rule in rules if not re.search(rf"^{rule}(?:\.\d+)?:", grammar, re.MULTILINE)] == []
    assert "->" not in grammar
