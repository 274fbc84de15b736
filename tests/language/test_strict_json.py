"""JSON of strangers is read strictly: one meaning, finite numbers, and limits."""

from __future__ import annotations

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.language.strict_json import MAX_DEPTH, JsonError, canonical_json, read_json, read_own_json

MAX_DIGITS = sys.get_int_max_str_digits()
"""Python writes and reads no longer numbers."""

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.just(-(10**MAX_DIGITS) + 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(value=VALUES, ascii_only=st.booleans())
def test_plain_json_is_read(value: object, ascii_only: bool) -> None:
    """Whatever is written as JSON without fractions is read back, from text and from bytes."""
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert read_json(text) == value
    assert read_json(text.encode()) == value


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "line 1, column 1: expecting value"),
        (b"\xef\xbb\xbf1", "line 1, column 1: expecting value"),
        (b'{"a": 1}\n[\n', "line 2, column 1: extra data"),
        (b"[1,\n 2,]", "line 2, column 4: expecting value"),
        (b'["a\nb"]', "line 1, column 4: invalid control character at"),
        (b'["a",\n "b\xff"]', "line 2, column 4: it is not text in UTF-8"),
        (b"\xff", "line 1, column 1: it is not text in UTF-8"),
        ('["é"]'.encode("utf-16"), "line 1, column 1: it is not text in UTF-8"),
        (b'{"a": 1, "b": 2, "a": 1}', "an object has the name 'a' twice"),
        (b'{"b": 1, "\\u0062": 1}', "an object has the name 'b' twice"),
        (b'[{"x": {"y": 1, "y": 2}}]', "an object has the name 'y' twice"),
        (b"NaN", "'NaN' is not a whole number"),
        (b"[-Infinity]", "'-Infinity' is not a whole number"),
        (b"1.0", "'1.0' is not a whole number"),
        (b"1e999", "'1e999' is not a whole number"),
        (b"[1, " + b"9" * (MAX_DIGITS + 1) + b"]", "a number has too many digits"),
        (b'["\\ud800"]', "the text '\\ud800' has half a character"),
        (b'{"\\uDC80": 1}', "the text '\\udc80' has half a character"),
        (b"[" * 100_000, "it is nested too deep"),
        (b'{"a":' * 100_000, "it is nested too deep"),
    ],
)
def test_other_texts_are_refused(content: bytes, reason: str) -> None:
    """What is ambiguous, not finite, too long, too deep or no text is refused, with the place if it is known."""
    with pytest.raises(JsonError) as caught:
        read_json(content)
    assert str(caught.value) == reason


@pytest.mark.parametrize("depth", [1, 7, MAX_DEPTH])
def test_nesting_has_a_limit(depth: int) -> None:
    """Lists and objects can be nested as deep as the limit, and no deeper."""
    for opened, inside, closed in (("[", "1", "]"), ("[", "", "]"), ('{"a":', "1", "}")):
        text = opened * depth + inside + closed * depth
        assert read_json(text, max_depth=depth) == json.loads(text)
        with pytest.raises(JsonError, match=f"nested more than {depth - 1} deep"):
            read_json(text, max_depth=depth - 1)


def test_canonical_text_is_the_same_for_equal_values() -> None:
    """The order of names makes no difference, and there is one way to write each value."""
    assert canonical_json({"b": 1, "a": "é"}) == canonical_json({"a": "é", "b": 1}) == '{"a":"é","b":1}'


def test_a_pair_of_surrogates_is_a_character() -> None:
    """Two halves that belong together are read as one character."""
    assert read_json('["\\ud83c\\udfb2"]') == ["🎲"]


def test_own_json_may_have_any_text_and_depth() -> None:
    """Own files may hold names of files that are no text, and values of any depth; else they are as strict."""
    assert read_own_json(b'["\\udc80"]') == ["\udc80"]
    assert read_own_json(b"[" * 200 + b"]" * 200) == json.loads("[" * 200 + "]" * 200)
    for content in (b"", b"\xff", b"NaN", b"1.5", b'{"a": 1, "a": 1}', b"[" * 100_000, b"9" * 10_000):
        with pytest.raises(JsonError):
            read_own_json(content)


@given(content=st.binary(max_size=60))
def test_no_bytes_are_a_defect(content: bytes) -> None:
    """Any bytes are read or refused."""
    try:
        value = read_json(content)
    except JsonError:
        return
    assert json.loads(content) == value
