"""Texts wrapped to the width of a screen."""

from __future__ import annotations

import pytest

from interpreter.language.text_width import width
from interpreter.play.wording.text_table import fitted, stacked_headings, wrapped

LONG = "  1  Bonaparte with the Army of the Reserve, five steps, engineers, two supply trains, at Geneva"


@pytest.mark.parametrize("columns", [20, 33, 80])
@pytest.mark.parametrize(
    "text", [LONG, "オーストリア第V歩兵軍団：2ステップ中1、戦闘修正1、士気3、砲兵力1（予備）、Genoa (h3433)"]
)
def test_lines_break_at_blanks_and_wide_characters(text: str, columns: int) -> None:
    """No line is wider than the screen, no word is split, nothing is lost, and no line begins with a comma."""
    lines = wrapped(text, columns, "   ")
    assert all(width(each) <= columns for each in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert not any(each.lstrip().startswith(("、", "）", ",")) for each in lines)
    if text == LONG:
        assert [word for each in lines for word in each.split()] == text.split()


def test_continuation_is_indented() -> None:
    """An option continues after its number, a row after its name, any other line with a small indent."""
    assert fitted(LONG, 40).split("\n")[1].startswith("     ")
    assert not fitted(LONG, 40).split("\n")[1].startswith("      ")
    row = "  map [NAME]            the map around a place or a piece"
    assert fitted(row, 50).split("\n")[1] == " " * 24 + "a piece"
    assert fitted("  it goes on and on", 12).split("\n")[1] == "    and on"


def test_fitting_line_is_unchanged() -> None:
    """Pictures keep their blanks."""
    picture = " /   \\ \n \\___/"
    assert fitted(picture, 8) == picture


def test_headings_are_stacked_where_a_table_is_too_wide() -> None:
    """Headings take as many lines as the table needs to fit, the last words in the last line."""
    header, rows = ["lost to pursuit", "kept"], [["3", "1"]]
    assert stacked_headings(header, rows, 80) == [header]
    assert stacked_headings(header, rows, 14) == [["lost to", ""], ["pursuit", "kept"]]
    assert stacked_headings(header, [["a very wide cell indeed", "1"]], 14)[-1][1] == "kept"


def test_percent_sign_stays_with_its_number() -> None:
    """A line breaks before a share, not within it."""
    assert wrapped("reached in 91.8 %, that is", 15) == ["reached in", "91.8 %, that is"]
    assert wrapped("'no card' (91.8 %) or", 17, "  ") == ["'no card'", "  (91.8 %) or"]


def test_name_in_katakana_stays_together() -> None:
    """In Japanese a line breaks before or after a name in katakana, not within it."""
    assert wrapped("指揮官はマッセナ、ベルナドットと合流", 22) == ["指揮官はマッセナ、", "ベルナドットと合流"]
    assert wrapped("（バーゼル）からチューリヒへ", 18) == ["（バーゼル）から", "チューリヒへ"]
