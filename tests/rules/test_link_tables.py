"""Linking tables: axes, ranges, cell patterns, standings, faults in the grid."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from link_by_hand import documents, linked, said

from interpreter.rules.linking.link import figures

KINDS = """
    kinds:
      arm: {is: enum, members: [foot, horse]}
      blow: {is: record, has: {steps: int, plus: bool, cavalry: bool}}
      toll: {is: record, has: {fire: int, fate: arm}}
"""


def test_a_table_with_one_key_is_a_row_of_headings_and_a_row_of_cells():
    """The label of the second row is free."""
    table = linked("""
        tables:
          losses:
            cite: [1.1, 1.2]
            keys: {die: int}
            gives: int
            clamp: true
            grid: |
              die     | ..-1 0 1..3 4..
              anything | 5    1 0    -1
    """).tables["losses"]
    (axis,) = table.axes
    assert axis.parameter.name == "die"
    assert axis.headings == ((None, -1), 0, (1, 3), (4, None))
    assert axis.is_range == (True, False, True, True)
    assert [str(each) for each in axis.places] == ["r.yaml:8:17", "r.yaml:8:22", "r.yaml:8:24", "r.yaml:8:29"]
    assert {key: each.value for key, each in table.cells.items()} == {(0,): 5, (1,): 1, (2,): 0, (3,): -1}
    assert str(table.cells[(3,)].place) == "r.yaml:9:30"
    assert table.cites == ("1.1", "1.2")
    assert table.clamp
    assert table.written is not None
    assert table.written.name == "int"


def test_the_last_of_several_keys_runs_along_the_columns():
    """Row keys are before the bar; the cells are found by the positions of all headings."""
    table = linked(
        KINDS,
        """
        tables:
          fire:
            keys: {arm: arm, blocks: int, distance: int}
            gives: int
            grid: |
              arm blocks | 1 2
              foot 1     | 2 1
              foot 2..   | 3 2
              horse 1    | 1 -
              horse 2..  | 2 1
        """,
    ).tables["fire"]
    assert [each.headings for each in table.axes] == [("foot", "horse"), (1, (2, None)), (1, 2)]
    assert {key: each.value for key, each in table.cells.items()} == {
        (0, 0, 0): 2,
        (0, 0, 1): 1,
        (0, 1, 0): 3,
        (0, 1, 1): 2,
        (1, 0, 0): 1,
        (1, 0, 1): None,
        (1, 1, 0): 2,
        (1, 1, 1): 1,
    }


def test_a_pattern_reads_numbers_words_and_flags():
    """Values run as far as they can; flags match their sign, and fixed signs match themselves."""
    tables = linked(
        KINDS,
        """
        tables:
          crt:
            keys: {die: int}
            gives: blow
            cell: "{steps}{plus:+}{cavalry:C}"
            grid: |
              die | 1 2  3  4
              x   | 4 4C 12+C -1+
          tolls:
            keys: {die: int}
            gives: toll
            cell: "{fire}/{fate}"
            grid: |
              die | 1       2
              x   | -2/foot 0/-
        """,
    ).tables
    assert [each.value for each in tables["crt"].cells.values()] == [
        {"steps": 4, "plus": False, "cavalry": False},
        {"steps": 4, "plus": False, "cavalry": True},
        {"steps": 12, "plus": True, "cavalry": True},
        {"steps": -1, "plus": True, "cavalry": False},
    ]
    assert tables["crt"].cells[(2,)].text == "12+C"
    assert [each.value for each in tables["tolls"].cells.values()] == [
        {"fire": -2, "fate": "foot"},
        {"fire": 0, "fate": None},
    ]


def test_single_cells_have_standings_of_their_own():
    """The cell's standing goes before the row's, the row's before the table's."""
    text = """
        sources: {web: {title: A page}}
        tables:
          crt:
            cite: 1.1
            standing: reconstructed
            figures: {2: derived, 2/foot: stated, 1/horse: {standing: found, source: web, cite: 1.2}}
            keys: {die: int, arm: arm}
            gives: int
            grid: |
              die | foot horse
              1   | 0    1
              2   | 2    3
    """
    program = linked(KINDS, text)
    standings = ["reconstructed", "found", "stated", "derived"]
    assert [each.standing for each in program.tables["crt"].cells.values()] == standings
    assert program.tables["crt"].standing == "reconstructed"
    found = figures(documents(KINDS, text), program)
    assert [(each.path, each.value, each.standing, each.source, each.cite) for each in found] == [
        ("tables/crt/1/foot", 0, "reconstructed", None, ("1.1",)),
        ("tables/crt/1/horse", 1, "found", "web", ("1.2",)),
        ("tables/crt/2/foot", 2, "stated", None, ("1.1",)),
        ("tables/crt/2/horse", 3, "derived", None, ("1.1",)),
    ]


def _table(grid: str, keys: str = "{die: int, arm: arm}", more: str = "gives: int") -> str:
    rows = "".join(f"      {row}\n" for row in grid.split("\n"))
    return f"tables:\n  t:\n    keys: {keys}\n    {more}\n    grid: |\n{rows}"


FAULTS = {
    "a row too short": (
        _table("die | foot horse\n1 | 0 1\n2 | 2"),
        ["12:7 grid-width: row '2' has 1 cell, but the header has 2 (write '-' for a cell without a value)"],
    ),
    "a row too long": (
        _table("die | foot horse\n1 | 0 1 2\n2 | 2 3"),
        ["11:15 grid-width: row '1' has 3 cells, but the header has 2 (put a cell with blanks in quotation marks)"],
    ),
    "a heading twice": (
        _table("die | foot foot\n1 | 0 1"),
        [
            (
                "10:18 duplicate-heading: the heading 'foot' appears twice"
                " (rename or remove one of the two; the first is at r.yaml:10:13)"
            )
        ],
    ),
    "a row twice": (
        _table("die | foot\n1 | 0\n1 | 2"),
        [
            (
                "12:7 duplicate-heading: the row '1' appears twice"
                " (rename or remove one of the two; the first is at r.yaml:11:7)"
            )
        ],
    ),
    "ranges that overlap": (
        _table("die | foot\n1..3 | 0\n3 | 0\n7.. | 0\n..8 | 1"),
        [
            (
                "12:7 overlapping-headings: the headings '1..3' and '3' of 'die' overlap"
                " (let every number lie under one heading; the first is at r.yaml:11:7)"
            ),
            (
                "14:7 overlapping-headings: the headings '1..3' and '..8' of 'die' overlap"
                " (let every number lie under one heading; the first is at r.yaml:11:7)"
            ),
        ],
    ),
    "a range that holds nothing": (
        _table("die | foot\n3..1 | 0"),
        ["11:7 empty-range: the range '3..1' holds nothing (the lower end comes first)"],
    ),
    "axes the wrong way round": (
        _table("arm | 1 2\nfoot | 0 1"),
        [
            (
                "10:7 grid-header: the first row begins with 'arm', but the row keys are 'die'"
                " (begin it with 'die |'; the last of several keys runs along the columns)"
            )
        ],
    ),
    "a row key too few": (
        _table("die | foot\n1 | 0", "{die: int, size: int, arm: arm}"),
        [
            (
                "10:7 grid-header: the first row begins with 'die', but the row keys are 'die size'"
                " (begin it with 'die size |'; the last of several keys runs along the columns)"
            )
        ],
    ),
    "a combination missing": (
        _table("die size | foot\n1 1 | 0\n1 2 | 0\n2 2 | 1", "{die: int, size: int, arm: arm}"),
        ["9:5 missing-row: the table 't' has no row '2 1' (add the row)"],
    ),
    "rows for one key": (
        _table("die | 1 2\nx | 0 1\ny | 1 0", "{die: int}"),
        [
            (
                "12:7 grid-rows: a table with one key has one row of cells, not 2"
                " (name a second key for the rows in 'keys')"
            )
        ],
    ),
    "a cell that doesn't fit": (
        _table("die | 1 2\nx | 4C+ 1", "{die: int}", 'gives: blow\n    cell: "{steps}{plus:+}{cavalry:C}"'),
        [
            (
                "12:11 wrong-cell: the cell '4C+' doesn't fit the pattern '{steps}{plus:+}{cavalry:C}'"
                " (a cell reads like 1+C)"
            )
        ],
    ),
    "a pattern of no attribute": (
        _table("die | 1\nx | 4", "{die: int}", 'gives: blow\n    cell: "{step}"'),
        ["9:12 unknown-attribute: blow has no attribute 'step' (did you mean 'steps'?)"],
    ),
    "a pattern of no record": (
        _table("die | 1\nx | 4", "{die: int}", 'gives: int\n    cell: "{steps}"'),
        [
            (
                "9:11 not-a-record: a 'cell' pattern reads the attributes of a record, but 'gives' names none"
                " (let 'gives' name a record kind, or drop 'cell')"
            )
        ],
    ),
    "a pattern with a loose brace": (
        _table("die | 1\nx | 4", "{die: int}", 'gives: blow\n    cell: "{steps}}"'),
        [
            (
                "9:19 bad-pattern: a brace of the pattern doesn't belong to an attribute"
                " (write {attribute} for a value, {attribute:sign} for a flag)"
            )
        ],
    ),
    "an exception for no cell": (
        _table("die | 1\nx | 4", "{die: int}", "gives: int\n    figures: {2: stated}"),
        ["9:15 unknown-figure: '2' names no figure here (known here: 1)"],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_tables(name):
    """Each mistake is reported once, at its own line and column of the grid."""
    text, expected = FAULTS[name]
    assert said(KINDS, text) == expected


@st.composite
def _tables(draw):
    rows = draw(st.lists(st.integers(-9, 99), min_size=1, max_size=5, unique=True))
    columns = draw(st.lists(st.from_regex(r"w[a-z]{0,5}", fullmatch=True), min_size=1, max_size=5, unique=True))
    cells = draw(st.lists(st.lists(st.integers(-99, 99), min_size=5, max_size=5), min_size=5, max_size=5))
    return rows, columns, cells


@given(_tables())
def test_a_rendered_table_links_back(table):
    """Any numbers under any headings are found again under the same headings."""
    rows, columns, cells = table
    lines = [f"die | {' '.join(columns)}"]
    lines += [
        f"{row} | {' '.join(str(each) for each in line[: len(columns)])}"
        for row, line in zip(rows, cells, strict=False)
    ]
    found = linked(KINDS, _table("\n".join(lines))).tables["t"]
    assert found.axes[0].headings == tuple(rows)
    assert found.axes[1].headings == tuple(columns)
    for (row, column), cell in found.cells.items():
        assert cell.value == cells[row][column]
    assert len(found.cells) == len(rows) * len(columns)
