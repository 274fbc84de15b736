"""What the checker finds and says of rule texts, construct by construct.

The cases stand in text files beside this one: lines that begin with `> ` are the rule text, the lines after them are
everything that is said, as `line:column code: message (hint)` with places counted inside the text.
"""

from pathlib import Path

import pytest
from checked_by_hand import said_of, said_of_block, said_of_expr, type_of

HERE = Path(__file__).parent


def cases(file: str) -> list[tuple[str, list[str]]]:
    """The texts of a file with what is said of each."""
    found = []
    for case in (HERE / file).read_text(encoding="utf-8").strip().split("\n\n"):
        lines = case.splitlines()
        text = "\n".join([line.removeprefix("> ") for line in lines if line.startswith("> ")])
        found.append((text, [line for line in lines if not line.startswith("> ")]))
    return found


@pytest.mark.parametrize(
    ("text", "kind"), [line.split(" :: ") for line in (HERE / "golden_types.txt").read_text("utf-8").splitlines()]
)
def test_every_construct_has_its_type(text: str, kind: str):
    """The type of an expression is what the language says of its construct."""
    assert type_of(text) == kind


@pytest.mark.parametrize(("text", "said"), cases("golden_expressions.txt"))
def test_a_wrong_expression_is_told_where_and_how(text: str, said: list[str]):
    """Every mistake in an expression is said once, at its place, with what was found and expected."""
    assert said_of_expr(text) == said


@pytest.mark.parametrize(("text", "said"), cases("golden_statements.txt"))
def test_a_wrong_statement_is_told_where_and_how(text: str, said: list[str]):
    """Every mistake in a statement is said once, at its place, with what was found and expected."""
    assert said_of_block(text) == said


@pytest.mark.parametrize("text", [text for text, _ in cases("sound_statements.txt")])
def test_a_sound_text_is_let_through(text: str):
    """Tests narrow, empty locals take on what is put into them, and nothing sound is refused."""
    assert said_of_block(text) == []


@pytest.mark.parametrize(("text", "said"), cases("golden_sections.txt"))
def test_a_wrong_declaration_is_told(text: str, said: list[str]):
    """Kinds, tables, data and every kind of rule are checked, each with its own conditions."""
    section, _, entry = text.partition(":\n")
    assert said_of(section, entry) == said
