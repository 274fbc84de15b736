"""Tests of the formatter: it is idempotent, keeps every comment, and does not change the meaning."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.language.diagnostics import RulesetError
from interpreter.rules.documents.nodes import as_plain_data
from interpreter.rules.documents.yaml_reader import read_yaml_text
from interpreter.workshop.format.format import format_text

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(
    each
    for where in ("rulesets", "scenarios", "tests/rulesets", "tests/scenarios")
    for each in (ROOT / where).rglob("*.yaml")
)
OTHER_TEXTS = {"fin_napoleon/presentation.yaml"}
"""A document with a drawn map, which looks like a grid."""


def styled(text: str) -> str:
    """Formats a text, and checks that formatting is idempotent."""
    found = format_text(text, "text.yaml")
    assert format_text(found, "text.yaml") == found
    return found


# ---------------------------------------------------------------- documents in the tree
def loosened(text: str) -> str:
    """Returns a document with more blanks before the citations of its rule texts and around the bars of its grids."""
    lines = []
    for line in text.splitlines(keepends=True):
        spaced = re.sub(r" {2,}(?=@[\w.]+( @[\w.]+)*$)", " " * 9, line)
        lines.append(spaced if '"' in line or "'" in line else re.sub(r"(?<=\S) +\| +(?=\S)", "   |  ", spaced))
    return "".join(lines)


@pytest.mark.parametrize("path", FILES, ids=lambda each: f"{each.parent.name}/{each.name}")
def test_documents_are_in_style(path: Path) -> None:
    """Every document of every ruleset and scenario in the tree is as `bicorne format` writes it, so it means the same.

    With more blanks in rule texts and grids, it is formatted back.
    """
    text = path.read_text(encoding="utf-8")
    assert styled(text) == text, "run 'bicorne format' on its folder"
    if f"{path.parent.name}/{path.name}" not in OTHER_TEXTS:
        assert format_text(loosened(text), "text.yaml") == text


def test_documents_have_blanks_to_format() -> None:
    """Many documents in the tree can be loosened."""
    assert sum(loosened(text) != text for text in (each.read_text(encoding="utf-8") for each in FILES)) > 100


# ---------------------------------------------------------------- style
def test_indentation_sections_and_blanks() -> None:
    """Levels are two blanks, one empty line is between sections and above their comments, line ends have no blanks."""
    text = "# head\na:\n    b:   \n        - c: 1\n          d: 2\n\n\n        # of e\n        - e\n# of f\nf: 3\n\n\n"
    assert styled(text) == ("# head\na:\n  b:\n    - c: 1\n      d: 2\n\n    # of e\n    - e\n\n# of f\nf: 3\n")


def test_lists_are_indented_below_their_key() -> None:
    """A list in the column of its key is moved two blanks to the right, with its content."""
    assert styled("a:\n- b\n-   c: 1\n    d:\n    - e\n") == "a:\n  - b\n  - c: 1\n    d:\n      - e\n"


def test_grid_columns_are_aligned() -> None:
    """The columns of a grid are aligned, whatever their cells contain."""
    text = 'tables:\n  t:\n    grid: |\n        die |1..5    6\n        "a b" |  {x, y} 日本\n        c| 1 22\n'
    assert styled(text) == (
        'tables:\n  t:\n    grid: |\n      die   | 1..5   6\n      "a b" | {x, y} 日本\n      c     | 1      22\n'
    )


def test_rule_text_is_formatted() -> None:
    """Levels are two blanks, words have single blanks, texts and comments are unchanged, citations are aligned."""
    text = (
        "procedures:\n  p:\n    do: |\n"
        "        if a  =  b:      @1.2\n"
        '            log "two  blanks"  @3   @4.b\n'
        "            f(x,\n"
        "              y)\n"
        "        # a note\n\n\n"
        "        return 1   # here  too\n"
    )
    assert styled(text) == (
        "procedures:\n  p:\n    do: |\n"
        "      if a = b:            @1.2\n"
        '        log "two  blanks"  @3 @4.b\n'
        "        f(x,\n"
        "          y)\n"
        "      # a note\n\n"
        "      return 1   # here  too\n"
    )


def test_rule_text_of_a_card_is_formatted() -> None:
    """A block under any name that can be read as statements is rule text; one that can't be is a text like others."""
    text = (
        "deck:\n  objects:\n    card:\n      - id: c\n        play: |-\n"
        '            if a  =  b: log "two  blanks"   @3   @4.b\n'
        "            set c = 1 @5\n"
        "        text: |\n          Set a  to 1.\n            Then  go.\n"
    )
    assert styled(text) == (
        "deck:\n  objects:\n    card:\n      - id: c\n        play: |-\n"
        '          if a = b: log "two  blanks"  @3 @4.b\n'
        "          set c = 1                    @5\n"
        "        text: |\n          Set a  to 1.\n            Then  go.\n"
    )


def test_citations_are_formatted() -> None:
    """One clause is bare, several are in brackets; a list too long for its line is unchanged."""
    assert styled("a: {cite: [ 1.2 ]}\n") == "a: {cite: 1.2}\n"
    assert styled('a:\n  cite: [1.2,"10" ]  # why\n') == 'a:\n  cite: [1.2, "10"]  # why\n'
    assert styled("a:\n  cite:\n    - x.1\n    - x.2\n  b: 1\n") == "a:\n  cite: [x.1, x.2]\n  b: 1\n"
    long = "a:\n  cite:\n" + "".join(f"    - section_number_{each}\n" for each in range(20))
    assert styled(long) == long
    noted = "a:\n  cite:\n    - x.1  # the first\n    - x.2\n"
    assert styled(noted) == noted


def test_other_texts_are_unchanged() -> None:
    """A map, a quoted text over several lines and a folded text keep their blanks and empty lines."""
    drawn = "    A   --  B\n\n\n      \\  /\n"
    text = f'presentation:\n  map: |\n{drawn}  words:\n    x: "one\n\n      two"\n    y: >-\n      three\n      four\n'
    assert as_plain_data(read_yaml_text(styled(text), "f")) == as_plain_data(read_yaml_text(text, "f"))
    assert drawn in styled(text)


def test_line_ends_are_normalized() -> None:
    """Carriage returns and a byte order mark are removed."""
    assert styled("\ufeffa: 1\r\nb:\r\n  c: |\r\n    d\r\n") == "a: 1\n\nb:\n  c: |\n    d\n"


def test_invalid_yaml_is_refused_with_its_place() -> None:
    """A YAML error is reported as everywhere else."""
    with pytest.raises(RulesetError, match=r"text.yaml:2:"):
        format_text("a: 1\n b: [\n", "text.yaml")


# ---------------------------------------------------------------- random documents
WORDS = st.text("abcxyz_", min_size=1, max_size=6)
NOTES = st.sampled_from(["", "  # note", " #  two  blanks"])
RULES = st.sampled_from(["x  = 1   @1.2", "f(a,  b)", 'log "a  b"  @3 @4', "return  2 @x.y"])
CELLS = st.lists(st.sampled_from(["1", "-2", "abc", '"a b"', "{a, b}", "7..9"]), min_size=2, max_size=2)


@st.composite
def entries(draw: st.DrawFn, depth: int, indent: int, step: int) -> str:
    """Generates a block mapping in a random layout."""
    made = []
    for name in draw(st.lists(WORDS, min_size=1, max_size=3, unique=True)):
        kind = draw(st.sampled_from(["word", "flow", "do", "grid", "cite", "map", "deeper", "list"]))
        made.append(draw(entry(kind if depth else "word", name, depth, indent, step)))
        made.append(draw(st.sampled_from(["", "", "\n", "\n\n", " " * indent + "# between\n"])))
    return "".join(made)


@st.composite
def entry(draw: st.DrawFn, kind: str, name: str, depth: int, indent: int, step: int) -> str:
    """Generates one entry: a word, a collection, or a block of text."""
    head, note, inner = " " * indent + name, draw(NOTES), " " * (indent + step)
    match kind:
        case "flow":
            return f"{head}: {{a: [x,  y], cite: [1.2]}}{note}\n"
        case "do":
            body = "".join(f"{inner}  {line}\n" for line in draw(st.lists(RULES, min_size=1, max_size=4)))
            return f"{head}:\n{inner}do: |\n{body}"
        case "grid":
            rows = "".join(
                f"{inner}  {left}  |  {right}\n" for left, right in draw(st.lists(CELLS, min_size=1, max_size=3))
            )
            return f"{head}:\n{inner}grid: |\n{rows}"
        case "cite":
            return f"{head}:\n{inner}cite: [ {', '.join(draw(st.lists(WORDS, min_size=1, max_size=3)))} ]{note}\n"
        case "map":
            return f"{head}: |\n{inner}a   b\n\n\n{inner}  c\n"
        case "deeper":
            return f"{head}:{note}\n" + draw(entries(depth - 1, indent + step, step))
        case "list":
            items = draw(st.lists(WORDS, min_size=1, max_size=3))
            return f"{head}:\n" + "".join(f"{inner}-  {each}{note}\n" for each in items)
    return f"{head}: {draw(WORDS)}{note}\n"


@settings(max_examples=150)
@given(st.integers(1, 5).flatmap(lambda step: entries(3, 0, step)))
def test_formatting_is_idempotent(text: str) -> None:
    """For any layout, formatting is idempotent, keeps the meaning, and loses no comment."""
    found = styled(text)
    assert found.count("#") == text.count("#")
    assert "\n\n\n" not in found.replace("a   b\n\n\n", "")


def test_question_mark_may_end_a_flow_mapping() -> None:
    """The formatter accepts what the reader accepts: a plain text may end in a question mark before a brace."""
    assert styled("menus:\n    orders: {prompt: What now?}\n") == "menus:\n  orders: {prompt: What now?}\n"
