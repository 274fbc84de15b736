"""Every character of every scalar has its exact position in the file."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.language.diagnostics import Place, RulesetError
from interpreter.rules.documents.nodes import Mapping, Scalar, Sequence, as_plain_data, as_written, describe
from interpreter.rules.documents.yaml_reader import read_yaml_text

LETTERS = st.text("abcé漢🎲", min_size=1, max_size=4)


def scalar(text: str) -> Scalar:
    root = read_yaml_text(text, "f.yaml")
    assert isinstance(root, Mapping)
    node = root.items["k"]
    assert isinstance(node, Scalar)
    return node


def character(text: str, place: Place) -> str:
    """Returns the character at a place; at the end of a line, a line break."""
    return (text.split("\n")[place.line - 1] + "\n")[place.column - 1]


def check_agreement(text: str) -> None:
    """Asserts that each letter of the value is at the place of its source; blanks of folds are at the end of a line."""
    node = scalar(text)
    assert node.value == yaml.safe_load(text)["k"] or node.text == ""
    for offset, wanted in enumerate(node.text):
        found = character(text, node.source.place(offset))
        if wanted == " ":
            assert found in " \n\t\\"
        elif wanted == "\n":
            assert found in "\n \t\\"
        else:
            assert found == wanted, (text, offset)


@pytest.mark.parametrize(
    "text",
    [
        "k: one two  three",
        "k: one two\n  three   \n  four\n",
        "k: one\n\n\n  two\n\n  three\n",
        "k: one   # a comment\n",
        "k: 'it''s one'",
        "k: 'one\n  two\n\n  three '' four'",
        "k: '  padded\n\n  two '",
        'k: "one two"',
        'k: "a  \n  b \n\n  c"',
        'k: "a\\\n   b"',
        'k: "a \\\n\n   b"',
        'k: "tab\\ \n  b"',
        "k: |\n  one\n    two\n\n  three\n",
        "k: |-\n  one\n\n\n",
        "k: |+\n  one\n\n\n",
        "k: |  # said of it\n  one\n  two",
        "k: |2\n    one\n  two\n",
        "k: |1-\n   one\n  two\n",
        "k: |\n\n\n  one\n",
        "k: >\n  one\n  two\n\n  three\n",
        "k: >-\n  one\n    more\n    indented\n  two\n\n\n    three\n\n  four\n",
        "k: >+\n  one\n\n  two\n\n\n",
        "k: >\n\n  one\n   two\n",
        "k: >2\n     one\n  two\n  three\n",
        "k: |\n  \u6f22\u5b57 \U0001f3b2 x\n  y\n",
        "other: 1\nk:\n    |\n    one\n    two\n",
        "k: |\n  one\n  \ttwo\n",
    ],
)
def test_each_character_has_its_place(text: str) -> None:
    """In plain, quoted, literal and folded scalars, the place of each character has that character in the file."""
    check_agreement(text)


@pytest.mark.parametrize(
    ("text", "offset", "line", "column"),
    [
        ("k: plain", 4, 1, 8),
        ("k: one\n  two", 4, 2, 3),
        ("k: one\n  two", 3, 1, 7),
        ("k: 'it''s'", 2, 1, 7),
        ("k: 'it''s'", 3, 1, 9),
        ('k: "a\\u0062c"', 1, 1, 6),
        ('k: "a\\u0062c"', 2, 1, 12),
        ('k: "a\\nb"', 2, 1, 8),
        ("k: |\n  one\n  two\n", 0, 2, 3),
        ("k: |\n  one\n  two\n", 3, 2, 6),
        ("k: |\n  one\n  two\n", 5, 3, 4),
        ("k: |\n  one\n    two\n", 4, 3, 3),
        ("k: >\n  one\n  two\n", 4, 3, 3),
        ("k: 10", 1, 1, 5),
    ],
)
def test_places_are_exact(text: str, offset: int, line: int, column: int) -> None:
    """Lines and columns of single characters equal those counted by hand."""
    assert scalar(text).source.place(offset) == Place("f.yaml", line, column)


WORDS = st.lists(st.lists(LETTERS, min_size=1, max_size=3).map(" ".join), min_size=1, max_size=5)
GAPS = st.lists(st.integers(0, 2), min_size=5, max_size=5)
QUICK = settings(max_examples=150)


@QUICK
@given(lines=WORDS, gaps=GAPS, style=st.sampled_from(["", "'", '"']), trail=st.sampled_from(["", " "]))
def test_random_flow_scalars_have_exact_places(lines: list[str], gaps: list[int], style: str, trail: str) -> None:
    """Plain and quoted text over several lines, with blank lines and trailing blanks, has exact places."""
    body = "".join(line + trail + "\n" * (gap + 1) + "   " for line, gap in zip(lines, gaps, strict=False)).rstrip()
    check_agreement(f"a: 0\nk: {style}{body}{style}\n")


@QUICK
@given(
    lines=st.lists(st.tuples(st.integers(0, 3), st.one_of(st.just(""), WORDS.map(" ".join))), min_size=1, max_size=6),
    header=st.sampled_from(["|", "|-", "|+", ">", ">-", ">+"]),
    end=st.sampled_from(["", "\n", "\n\n"]),
    explicit=st.booleans(),
)
def test_random_blocks_have_exact_places(lines: list[tuple[int, str]], header: str, end: str, explicit: bool) -> None:
    """Literal and folded blocks of any indentation and chomping have exact places."""
    if not explicit:
        lines = [(0, "first"), *lines]
    sign = header[0] + ("2" if explicit else "") + header[1:]
    body = "\n".join("  " + " " * deeper + line if line else "" for deeper, line in lines)
    check_agreement(f"k: {sign}\n{body}{end}")


@QUICK
@given(
    st.text(
        st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\ufeff\ufffe\uffff"), max_size=30
    )
)
def test_escaped_text_has_exact_places(value: str) -> None:
    """Text written with escapes reads back, and each unescaped letter has its place."""
    text = yaml.safe_dump({"k": value}, default_style='"', width=20)
    node = scalar(text.replace('"k"', "k", 1))
    assert node.value == value
    for offset, wanted in enumerate(value):
        found = character(text.replace('"k"', "k", 1), node.source.place(offset))
        assert found in (wanted, "\\", "\n") or wanted == " "


def test_scalars_are_read_as_documented() -> None:
    """Every scalar but whole numbers, true, false and null is text."""
    written = "[1, -12, 8.10, 1e3, 0x1f, 1_000, true, false, True, no, on, null, ~, '1', \"true\","
    written += " 2024-01-01, 1234567890123456789]"
    expected = [1, -12, "8.10", "1e3", "0x1f", "1_000", True, False, "True", "no", "on", None, None, "1", "true"]
    assert as_plain_data(read_yaml_text(written, "f")) == [*expected, "2024-01-01", "1234567890123456789"]


def test_numbers_keep_their_text() -> None:
    """A whole number is read as a number, and keeps its text as written."""
    assert (scalar("k: 007").value, scalar("k: 007").text) == (7, "007")


def test_keys_are_text_with_places() -> None:
    """Keys are text as written, each with its position."""
    root = read_yaml_text("true: 1\n  \n8.10: {deep: [x, y]}\n", "f.yaml")
    assert isinstance(root, Mapping)
    assert list(root) == ["true", "8.10"]
    assert root.key_places["8.10"] == Place("f.yaml", 3, 1)
    inner = root.items["8.10"]
    assert isinstance(inner, Mapping)
    listed = inner.items["deep"]
    assert isinstance(listed, Sequence)
    assert (inner.place, listed.items[1].place) == (Place("f.yaml", 3, 7), Place("f.yaml", 3, 18))


def test_windows_line_ends_are_accepted() -> None:
    """CRLF line ends and a UTF-8 byte order mark change neither values nor positions."""
    from interpreter.rules.documents.yaml_reader import read_yaml_bytes

    root = read_yaml_bytes(b"\xef\xbb\xbfk: |\r\n  one\r\n  two\r\nl: 2\r\n", "f.yaml")
    assert as_plain_data(root) == {"k": "one\ntwo\n", "l": 2}
    assert isinstance(root, Mapping)
    assert root.key_place("l") == Place("f.yaml", 4, 1)


def test_empty_file_is_null() -> None:
    """A file without content reads as null, at its beginning."""
    root = read_yaml_text("# only a comment\n", "f.yaml")
    assert isinstance(root, Scalar)
    assert (root.value, root.place, as_written(root)) == (None, Place("f.yaml", 1, 1), "")


def test_nodes_are_described_in_words() -> None:
    """`describe` names the type and value of a node for messages."""
    root = read_yaml_text("[{}, [], ~, 3, true, word, 'two\n\n lines']", "f")
    assert isinstance(root, Sequence)
    assert [describe(each) for each in root] == [
        "a mapping",
        "a list",
        "nothing",
        "the number 3",
        "the word true",
        "the text 'word'",
        "the text 'two…'",
    ]


def test_python_loader_equals_c_loader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions and values are the same without the C library."""
    from interpreter.rules.documents import yaml_reader as reader

    text = "k: [a, 'b ''c', \"d\\x41\"]\nl: |\n  é漢\n  two\nm: >\n  x\n  y\n"
    fast = read_yaml_text(text, "f")
    monkeypatch.setattr(reader, "_LOADER", yaml.SafeLoader)
    slow = read_yaml_text(text, "f")
    assert isinstance(fast, Mapping)
    assert isinstance(slow, Mapping)
    assert as_plain_data(fast) == as_plain_data(slow)
    assert fast.items["l"].source.spans == slow.items["l"].source.spans  # type: ignore[attr-defined]


def test_syntax_errors_have_a_place() -> None:
    """A mistake in YAML is reported with line, column and plain words."""
    with pytest.raises(RulesetError) as caught:
        read_yaml_text("a: 1\nb: x: y\n", "f.yaml")
    (fault,) = caught.value.diagnostics
    assert (fault.code, fault.place) == ("yaml", Place("f.yaml", 2, 5))
    assert "quotes" in (fault.hint or "")
