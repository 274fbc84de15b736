"""The findings of the checker, construct by construct.

The cases are in text files beside this one: lines that begin with `> ` are the rule text, the lines after them are
all findings, as `line:column code: message (hint)` with places inside the text.
"""

from pathlib import Path

import pytest
from checker_samples import findings_of, findings_of_block, findings_of_expr, type_of

HERE = Path(__file__).parent


def cases(file: str) -> list[tuple[str, list[str]]]:
    """Returns the texts of a file with the findings of each."""
    found = []
    for case in (HERE / file).read_text(encoding="utf-8").strip().split("\n\n"):
        lines = case.splitlines()
        text = "\n".join([line.removeprefix("> ") for line in lines if line.startswith("> ")])
        found.append((text, [line for line in lines if not line.startswith("> ")]))
    return found


@pytest.mark.parametrize(
    ("text", "kind"), [line.split(" :: ") for line in (HERE / "golden_types.txt").read_text("utf-8").splitlines()]
)
def test_construct_has_its_type(text: str, kind: str):
    """Each construct has the type that the language defines."""
    assert type_of(text) == kind


@pytest.mark.parametrize(("text", "findings"), cases("golden_expressions.txt"))
def test_wrong_expression_has_its_findings(text: str, findings: list[str]):
    """Every mistake in an expression is reported once, at its place, with what was expected and found."""
    assert findings_of_expr(text) == findings


@pytest.mark.parametrize(("text", "findings"), cases("golden_statements.txt"))
def test_wrong_statement_has_its_findings(text: str, findings: list[str]):
    """Every mistake in a statement is reported once, at its place, with what was expected and found."""
    assert findings_of_block(text) == findings


@pytest.mark.parametrize("text", [text for text, _ in cases("sound_statements.txt")])
def test_valid_text_has_no_findings(text: str):
    """Conditions narrow types, empty locals are widened, and no valid text is rejected."""
    assert findings_of_block(text) == []


@pytest.mark.parametrize(("text", "findings"), cases("golden_sections.txt"))
def test_wrong_declaration_has_its_findings(text: str, findings: list[str]):
    """Mistakes in kinds, tables, data and rules of every section are reported."""
    section, _, entry = text.partition(":\n")
    assert findings_of(section, entry) == findings
