"""Characters that a terminal would obey, reorder or hide become visible, and nothing else changes."""

from __future__ import annotations

import json
import unicodedata

import pytest

from interpreter.language.visible_text import control_character, indented, visible, visible_json, visible_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", r"\x1b[2J"),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("\x9b31m", r"\x9b31m"),
        ("a\rb\x00\x08\x7f", r"a\rb\x00\x08\x7f"),
        ("abc\u202edef\u202c", r"abc\u202edef\u202c"),
        ("\u2066\u2067\u2068\u2069", r"\u2066\u2067\u2068\u2069"),
        ("\u200e\u200f\u061c", r"\u200e\u200f\u061c"),
        ("one\u2028two\u2029", r"one\u2028two\u2029"),
        ("red\u200b \u2060\ufeff\xad\u3164", r"red\u200b \u2060\ufeff\xad\u3164"),
        ("red\u200d", r"red\u200d"),
        ("\ufe0fred", r"\ufe0fred"),
        ("caf\udce9", r"caf\xe9"),
        ("\ud83d", r"\ud83d"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_hidden_characters_become_escapes(text: str, shown: str) -> None:
    """A hidden character is shown as its escape, the byte of a name that is not UTF-8 as that byte."""
    assert visible(text) == visible_line(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "plain text, with a tab\tand\ntwo lines",
        "将軍の名：ダヴー元帥（第３軍団）ー々〆",
        "e\u0301 n\u0303 か\u3099",
        "می\u200cخواهم",
        "葛\U000e0100城 👩\u200d🚀 ☎\ufe0f",
        "Ünïcödé – “quotes” … × ½ → ♞ ▲ ░",
    ],
)
def test_other_characters_remain(text: str) -> None:
    """Scripts of the world, combining accents, joined letters and emoji, line breaks and tabs remain as they are."""
    assert visible(text) == text


def test_line_breaks_of_lines_become_escapes() -> None:
    """In a text that is one line, line breaks and tabs are shown too."""
    assert visible_line("a\nerror: b\tc") == r"a\nerror: b\tc"
    assert indented("a\nerror: b") == "a\n    error: b"


def test_every_control_character_is_escaped() -> None:
    """Of all characters, those of Unicode's control and surrogate classes and its line ends remain nowhere."""
    for code in range(0x110000):
        character = chr(code)
        if unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}:
            assert visible_line(character) != character, hex(code)
            assert control_character(character) is not None or unicodedata.category(character) == "Cs"
        if unicodedata.bidirectional(character) in {"LRE", "LRO", "RLE", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}:
            assert visible(character) != character, hex(code)


def test_json_keeps_its_meaning() -> None:
    """JSON text with escapes for hidden characters is ASCII where they were, and means the same."""
    data = {"\u202ename": ["\x7f\x9b\u2028", "赤", "\U000e0041\ud800", "\u200d"]}
    text = visible_json(json.dumps(data, ensure_ascii=False))
    assert json.loads(text) == data
    assert visible(text) == text
    assert "赤" in text
