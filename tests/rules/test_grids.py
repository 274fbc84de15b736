"""Text grids are read into cells with values and places, and their faults are reported."""

from hypothesis import given
from hypothesis import strategies as st

from interpreter.language.parsing.source_map import SourceText
from interpreter.rules.documents.text_grids import read_grid


def _faults(text: str) -> list[str]:
    return [f"{each.place.line}:{each.place.column} {each.code}" for each in read_grid(SourceText.plain(text))[1]]


def test_bar_separates_keys_and_cells():
    """The words before the bar are keys, those after it are cells."""
    grid, faults = read_grid(SourceText.plain("type blocks | 2 3\nfoot 1.. | -1 x\n\nhorse 2 | 4 -\n"))
    assert grid is not None
    assert not faults
    assert [each.text for each in grid.labels] == ["type", "blocks"]
    assert [each.text for each in grid.headings] == ["2", "3"]
    assert [[each.text for each in row.keys] for row in grid.rows] == [["foot", "1.."], ["horse", "2"]]
    assert [[each.datum for each in row.cells] for row in grid.rows] == [[-1, "x"], [4, None]]


def test_unquoted_cells_are_values():
    """Unquoted cells are numbers, truth values, none, lists or text; a quoted cell is always text."""
    text = 'a | b c d e f g h i j\nx | 3 -4 +5 true none "3" "two words" [p, 2, "q r"] {}'
    grid, _ = read_grid(SourceText.plain(text))
    assert grid is not None
    assert [each.datum for each in grid.rows[0].cells] == [
        3, -4, 5, True, None, "3", "two words", ("p", 2, "q r"), (),
    ]  # fmt: skip


def test_quoted_bar_is_text():
    """A bar between quotation marks doesn't separate keys and cells."""
    grid, faults = read_grid(SourceText.plain('a | b\nx | "c | d"'))
    assert grid is not None
    assert not faults
    assert grid.rows[0].cells[0].text == "c | d"


def test_cells_have_places_in_the_file():
    """The place of a cell is a line and column of the file, not of the grid."""
    source = SourceText("id | a\nx  | 1", "f.yaml", ((0, 7, 5), (7, 8, 5)))
    grid, _ = read_grid(source)
    assert grid is not None
    assert str(grid.headings[0].place) == "f.yaml:7:10"
    assert str(grid.rows[0].cells[0].place) == "f.yaml:8:10"


def test_faults_point_at_the_cell():
    """A surplus cell is reported at the cell, a missing one at its row, an open quote at the quote."""
    assert _faults('a | b c\nx | 1 2 3\ny | 1\nz 1 2\nu v | 1 2\nw | | 1\nq | 1 "x\n') == [
        "4:1 grid-bar",
        "6:5 grid-bar",
        "7:7 open-quote",
        "2:9 grid-width",
        "3:1 grid-width",
        "5:3 grid-width",
    ]


def test_grid_needs_a_sound_header():
    """Without a sound first row, whose width the others must have, there is no grid."""
    for text, code in (("", "1:1 empty-grid"), ("a b\nx | 1", "1:1 grid-bar"), ("| a\nx | 1", "1:1 grid-header")):
        grid, faults = read_grid(SourceText.plain(text))
        assert grid is None
        assert [f"{each.place.line}:{each.place.column} {each.code}" for each in faults] == [code]


_TEXT = st.text(st.characters(blacklist_characters='"\n\r', blacklist_categories=("Cs", "Cc")), max_size=8)


def _rendered(text: str) -> str:
    plain = text and not any(each.isspace() or each in '|"[]{}' for each in text)
    return text if plain else f'"{text}"'


@st.composite
def _grids(draw):
    keys, columns, rows = draw(st.integers(1, 3)), draw(st.integers(0, 5)), draw(st.integers(0, 6))
    table = [[draw(_TEXT) for _ in range(keys + columns)] for _ in range(rows + 1)]
    return keys, table


@given(_grids(), st.integers(1, 4))
def test_rendered_grid_reads_back(grid, blanks):
    """Arbitrary headings and cells are read back, each with its place."""
    keys, table = grid
    gap = " " * blanks
    lines = [gap.join([*map(_rendered, row[:keys]), "|", *map(_rendered, row[keys:])]) for row in table]
    text = "\n".join(lines)
    read, faults = read_grid(SourceText.plain(text))
    assert not faults
    assert read is not None
    rows = [(read.labels, read.headings), *((row.keys, row.cells) for row in read.rows)]
    assert [[each.text for each in (*before, *after)] for before, after in rows] == table
    for before, after in rows:
        for cell in (*before, *after):
            written = lines[cell.place.line - 1][cell.place.column - 1 :]
            assert written.startswith(_rendered(cell.text))
