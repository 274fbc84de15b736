"""Tests that the reference pages agree with the schemas and the grammar."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from interpreter.language.diagnostics import UsageError
from interpreter.rules.documents.package_data import schemas_folder
from interpreter.workshop.reference import GRAMMAR, reference, with_key_lists, wrapped

DOCS = Path(__file__).parents[2] / "docs"


COMMAND = "python -m interpreter.workshop.reference docs"


def test_reference_is_current() -> None:
    """The page equals the text generated from the schemas and the grammar."""
    assert (DOCS / "reference.md").read_text(encoding="utf-8") == reference(), f"run: {COMMAND}"


@pytest.mark.parametrize("name", ["documents", "presentation"])
def test_key_lists_are_current(name: str) -> None:
    """The marked lists of keys on other pages equal those generated from the schemas."""
    page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    assert "<!-- keys: " in page
    assert with_key_lists(page) == page, f"run: {COMMAND}"


def test_unknown_mark_is_refused() -> None:
    """A mark that names no part of a schema is an error, and names the nearest part."""
    with pytest.raises(UsageError, match="did you mean 'tables'"):
        with_key_lists("<!-- keys: tabels -->\n<!-- /keys -->\n")


def test_documents_describe_every_section() -> None:
    """Every section of a ruleset has a heading of its own on the page about documents."""
    page = (DOCS / "documents.md").read_text(encoding="utf-8")
    schema = json.loads((schemas_folder() / "bicorne-ruleset.schema.json").read_text(encoding="utf-8"))
    assert [each for each in schema["properties"] if f"\n## `{each}`\n" not in page and each != "$schema"] == []


@pytest.mark.parametrize("schema", sorted(schemas_folder().glob("*.json")), ids=lambda each: each.stem)
def test_reference_describes_every_section(schema: Path) -> None:
    """Every section of every kind of document has its heading, with a description."""
    page = reference()
    for section, value in json.loads(schema.read_text())["properties"].items():
        if section != "$schema" and "description" in value:
            assert "\n".join([f"### `{section}`", "", *wrapped(value["description"])]) in page


def test_reference_holds_every_grammar_rule() -> None:
    """Each rule and terminal of the grammar is on the page, without the names of its builders."""
    page = reference()
    text = GRAMMAR.read_text(encoding="utf-8")
    rules = re.findall(r"^\??([a-z_]+|[A-Z_]+)(?:\.\d+)?:", text, re.MULTILINE)
    assert len(rules) > 50
    grammar = page[page.index("## Grammar of rule text") :]
    assert [rule for rule in rules if not re.search(rf"^{rule}(?:\.\d+)?:", grammar, re.MULTILINE)] == []
    assert "->" not in grammar
