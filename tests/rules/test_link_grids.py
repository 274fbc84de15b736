"""Linking grids of spaces, what is said of their borders and cut there, and text grids of links and pieces."""

import pytest
from link_by_hand import documents, linked, said

from interpreter.language.checking.check import check_program
from interpreter.language.codegen.emit import build_image
from interpreter.rules.linking.link import figures
from interpreter.world.model import Model
from interpreter.world.world import World

HEXES = """
    kinds:
      place: {is: space}
      box: {is: place, plural: boxes}
      hex:
        is: place
        plural: hexes
        grid: {columns: 3, rows: 3, shape: hexes_in_columns, ids: "h{column:2}{row:2}"}
        has: {hill: "bool = false", level: "int = 0"}
      port: {is: hex}
      side: {is: link, between: place, has: {river: "bool = false", width: "int = 0"}}
      unit: {is: piece, in: place, has: {steps: "int = 2", name: "text?"}}
"""
SPARSE = """
    individuals:
      box: [england]
      port: {h0201: {hill: true}}
      hex:
        grid: |
          id    | hill level
          h0202 | true 2
          h0101 | -    1
          h0102 | -    -
"""


def world_of(*parts: str) -> World:
    """A game's objects for a ruleset without rules."""
    program = linked(*parts)
    assert not [each for each in check_program(program) if each.severity == "error"]
    return World(Model(build_image(program)))


def around(world: World, kind: str, name: str) -> list[str]:
    return [each.id for each in world.find(kind, name).neighbours]


# ---------------------------------------------------------------- which places there are
def test_a_grid_brings_its_spaces_with_column_and_row():
    """Where none are listed, spaces are called by column letters and row number, row by row."""
    program = linked("kinds: {square: {is: space, grid: {columns: 28, rows: 2, shape: squares}}}\n")
    spaces = list(program.individuals.values())
    assert len(spaces) == 56
    assert [(each.name, each.column, each.row, each.named) for each in (spaces[0], spaces[27], spaces[28])] == [
        ("a1", 1, 1, True),
        ("ab1", 28, 1, True),
        ("a2", 1, 2, True),
    ]


@pytest.mark.parametrize(
    ("ids", "first", "last"),
    [
        ("h{column:2}{row:2}", "h0101", "h0312"),
        ("{letter}_{row}", "a_1", "c_12"),
        ("x{row:3}c{column}", "x001c1", "x012c3"),
    ],
)
def test_ids_follow_the_pattern(ids, first, last):
    """A pattern says how column and row make an id; numbers are filled up with noughts to their width."""
    grid = f'{{columns: 3, rows: 12, shape: squares, ids: "{ids}"}}'
    spaces = list(linked(f"kinds: {{square: {{is: space, grid: {grid}}}}}\n").individuals.values())
    assert (spaces[0].name, spaces[-1].name) == (first, last)
    assert (spaces[-1].column, spaces[-1].row) == (3, 12)


def test_only_the_places_listed_are_there():
    """What is listed, of the kind or of one below it, is all there is of the grid, in the order of the documents."""
    program = linked(HEXES, SPARSE)
    spaces = [each for each in program.individuals.values() if each.kind != "box"]
    assert [(each.name, each.column, each.row, each.values) for each in spaces] == [
        ("h0201", 2, 1, {"hill": True}),
        ("h0202", 2, 2, {"hill": True, "level": 2}),
        ("h0101", 1, 1, {"level": 1}),
        ("h0102", 1, 2, {}),
    ]


def test_neighbours_of_a_sparse_grid():
    """Even columns stand half a hex lower; what is not there adjoins nothing; distances are counted in steps."""
    world = world_of(HEXES, SPARSE)
    assert around(world, "hex", "h0101") == ["h0201", "h0102"]
    assert around(world, "hex", "h0201") == ["h0202", "h0101", "h0102"]
    assert around(world, "hex", "h0202") == ["h0201", "h0102"]
    assert world.distance(world.find("hex", "h0101"), world.find("hex", "h0202")) == 2
    assert world.at_grid("hex", 2, 1) is world.find("port", "h0201")
    assert world.at_grid("hex", 3, 1) is None
    assert {each.kind for each in world.find("hex", "h0101").neighbours} == {"port", "hex"}


def test_holes_are_no_places():
    """The cells named as holes have no space, and nothing adjoins them."""
    world = world_of(
        "kinds: {hex: {is: space, plural: hexes, grid: {columns: 3, rows: 2, shape: hexes_in_rows, holes: [b1, c2]}}}\n"
    )
    assert [each.id for each in world.board.all_hex] == ["a1", "c1", "a2", "b2"]
    assert around(world, "hex", "a1") == ["a2"]
    assert world.at_grid("hex", 2, 1) is None


# ---------------------------------------------------------------- links over a grid
def test_every_border_of_a_grid_has_its_link():
    """Neighbours are joined by the kind of link that runs between their kind, with what `links` says and defaults."""
    world = world_of(HEXES, SPARSE, "links: {rivers: {kind: side, between: [[h0102, h0101]], has: {river: true}}}\n")
    one, two, other = (world.find("hex", each) for each in ("h0101", "h0102", "h0202"))
    assert world.link(one, two).a_river is True
    assert world.link(two, one).ends == (one, two)
    assert world.link(two, other).kind == "side"


def test_links_join_a_hex_and_a_box():
    """What adjoins a hex is the hexes around it and what is linked with it."""
    world = world_of(HEXES, SPARSE, "links: {ferries: {kind: side, between: [[england, h0101]]}}\n")
    assert around(world, "hex", "h0101") == ["england", "h0201", "h0102"]
    assert around(world, "box", "england") == ["h0101"]
    assert world.distance(world.find("box", "england"), world.find("hex", "h0202")) == 3
    assert world.link(world.find("box", "england"), world.find("hex", "h0101")).kind == "side"


def test_a_cut_parts_neighbours():
    """Where a border is cut the two don't adjoin, and no link lies between them."""
    world = world_of(HEXES, SPARSE, "links: {sea: {of: hex, cuts: true, between: [[h0102, h0101]]}}\n")
    one, two = world.find("hex", "h0101"), world.find("hex", "h0102")
    assert around(world, "hex", "h0101") == ["h0201"]
    assert not world.adjacent(one, two)
    assert world.distance(one, two) == 2


LINKS = """
    links:
      rivers:
        kind: side
        standing: reconstructed
        figures: {h0101-h0102: {standing: stated, cite: 1.2}, h0201-h0102/width: {standing: stated, cite: 1.3}}
        grid: |
          from  to    | river width
          h0101 h0102 | true  3
          h0102 h0201 | true  4
          h0202 h0102 | -     -
"""


def test_links_as_a_text_grid():
    """A line for each, the attributes in columns; a dash says nothing, and so leaves room for another entry."""
    program = linked(HEXES, SPARSE, LINKS + "      roads: {kind: side, between: [[h0102, h0202]], has: {width: 5}}\n")
    assert [(each.ends, each.values) for each in program.links] == [
        (("h0101", "h0102"), {"river": True, "width": 3}),
        (("h0102", "h0201"), {"river": True, "width": 4}),
        (("h0202", "h0102"), {"width": 5}),
    ]


def test_figures_of_a_text_grid_of_links():
    """The number of links is a figure for each standing, and so is every whole number."""
    found = documents(HEXES, SPARSE, LINKS)
    shown = [each for each in figures(found, linked(HEXES, SPARSE, LINKS)) if each.path.startswith("links")]
    assert [(each.path, each.value, each.standing, each.cite) for each in shown] == [
        ("links/rivers/h0101-h0102/width", 3, "stated", ("1.2",)),
        ("links/rivers/h0102-h0201/width", 4, "stated", ("1.3",)),
        ("links/rivers", 1, "stated", ("1.2",)),
        ("links/rivers", 2, "reconstructed", ()),
    ]


# ---------------------------------------------------------------- pieces
PIECES = """
    pieces:
      unit:
        - {id: guard, at: h0101, steps: 4, standing: reconstructed, figures: {steps: stated}}
        - standing: reconstructed
          figures: {line_2/steps: {standing: stated, cite: 2.1}}
          grid: |
            id     | count steps at    name
            line_1 | 2     3     h0102 "the 1st"
            line_2 | -     4     -     -
"""


def test_pieces_as_text_grids():
    """Counters may be lines of a text grid, and a list may hold both; `at` and `count` are columns like others."""
    program = linked(HEXES, SPARSE, PIECES)
    units = [each for each in program.individuals.values() if each.kind == "unit"]
    assert [(each.name, each.values, each.at) for each in units] == [
        ("guard", {"steps": 4}, "h0101"),
        ("line_1_1", {"steps": 3, "name": "the 1st"}, "h0102"),
        ("line_1_2", {"steps": 3, "name": "the 1st"}, "h0102"),
        ("line_2", {"steps": 4}, None),
    ]
    assert not any(each.named for each in units)


def test_figures_of_pieces():
    """Every whole number of a counter is a figure, listed once however many counters there are."""
    found = figures(documents(HEXES, SPARSE, PIECES), linked(HEXES, SPARSE, PIECES))
    shown = [each for each in found if each.path.startswith("pieces")]
    assert [(each.path, each.value, each.standing, each.cite) for each in shown] == [
        ("pieces/unit/guard/steps", 4, "stated", ()),
        ("pieces/unit/line_1/count", 2, "reconstructed", ()),
        ("pieces/unit/line_1/steps", 3, "reconstructed", ()),
        ("pieces/unit/line_2/steps", 4, "stated", ("2.1",)),
    ]


def test_ids_letter_columns_or_rows():
    """A pattern letters the columns or the rows, in small letters or capitals, beside the other number."""
    ids = {"{letter}{row}": "c2", "{LETTER}{row}": "C2", "{row_letter}{column}": "b3", "{ROW_LETTER}{column}": "B3"}
    for pattern, last in ids.items():
        grid = f"{{columns: 3, rows: 2, shape: squares, ids: '{pattern}'}}"
        program = linked(f"kinds: {{square: {{is: space, grid: {grid}}}}}\n")
        assert [*program.individuals.values()][-1].name == last


# ---------------------------------------------------------------- mistakes
GRID = "kinds: {{a: {{is: space, grid: {{columns: {columns}, rows: 12, shape: squares, ids: '{ids}'}}}}}}"
LINES = "links:\n  l:\n    kind: side\n    grid: |\n"
FAULTS = {
    "a grid too wide": (
        ("kinds: {a: {is: space, grid: {columns: 201, rows: 1, shape: squares}}}",),
        ["1:40 grid-size: a grid has 1 to 200 columns"],
    ),
    "an unknown field": (
        (GRID.format(columns=2, ids="h{colum}{row}"),),
        [
            (
                "1:74 grid-ids: '{colum}' is no part of an id"
                " (there are {column} or {letter}, and {row} or {row_letter}; a number may have a width, as {column:2})"
            )
        ],
    ),
    "no row": (
        (GRID.format(columns=2, ids="h{column}"),),
        [
            (
                "1:74 grid-ids: an id has the column and the row of its place"
                " (write each once, such as 'h{column:2}{row:2}', or '{letter}{row}' for a1, b1 …)"
            )
        ],
    ),
    "ids that are no names": (
        (GRID.format(columns=2, ids="{column}{row:2}"),),
        [
            (
                "1:74 bad-name: '101' can't be the name of a space"
                " (a name has letters, digits and single underscores, and begins with a letter)"
            )
        ],
    ),
    "ids that run together": (
        (GRID.format(columns=12, ids="h{column}{row}"),),
        [
            (
                "1:75 grid-ids: column 11 row 1 and column 1 row 11 would both be 'h111'"
                " (give the numbers a width, such as '{column:2}{row:2}')"
            )
        ],
    ),
    "a grid within a grid": (
        (
            (
                "kinds:\n  a: {is: space, grid: {columns: 2, rows: 1, shape: squares}}\n"
                "  b: {is: a, grid: {columns: 2, rows: 1, shape: squares}}"
            ),
        ),
        ["3:3 duplicate-name: a b lies on the grid of 'a' already (leave one of the two grids out)"],
    ),
    "a place off the grid": (
        (HEXES, "individuals: {hex: [h0101, h0401]}"),
        [
            (
                "12:28 off-grid: 'h0401' is no place on the grid of 'hex'"
                " (3 columns and 3 rows are called 'h0101' to 'h0303')"
            )
        ],
    ),
    "a hole off the grid": (
        ("kinds: {a: {is: space, grid: {columns: 2, rows: 1, shape: squares, holes: [b1, c1]}}}",),
        ["1:80 off-grid: 'c1' is no place on this grid (2 columns and 1 rows are called 'a1' to 'b1')"],
    ),
    "a hole twice": (
        ("kinds: {a: {is: space, grid: {columns: 2, rows: 1, shape: squares, holes: [b1, b1]}}}",),
        ["1:80 duplicate-name: 'b1' is listed twice (remove one; the first is at r.yaml:1:76)"],
    ),
    "a place in a hole": (
        (
            "kinds: {a: {is: space, grid: {columns: 2, rows: 1, shape: squares, holes: [b1]}}}\n",
            "individuals: {a: [a1, b1]}",
        ),
        ["2:23 off-grid: 'b1' is a hole in the grid of 'a' (leave it out here or under 'holes')"],
    ),
    "squares that are offset": (
        ("kinds: {a: {is: space, grid: {columns: 2, rows: 1, shape: squares, offset: odd}}}",),
        ["1:76 misplaced: no row of squares is offset (leave 'offset' out)"],
    ),
    "a place of two kinds": (
        (HEXES, "individuals: {hex: [h0101], port: [h0101]}"),
        [
            (
                "12:36 duplicate-name: 'h0101' is a hex already"
                " (rename or remove one of the two; the first is at r.yaml:12:21)"
            )
        ],
    ),
    "a column that isn't": (
        (
            HEXES,
            SPARSE,
            LINES + "      from to | rivers\n      h0101 h0102 | true\n",
        ),
        ["25:17 unknown-attribute: there is no attribute 'rivers' (did you mean 'river'?)"],
    ),
    "a line too short": (
        (HEXES, SPARSE, LINES + "      from to | river\n      h0101 h0102 |\n"),
        ["26:7 grid-width: row 'h0101 h0102' has 0 cells, but the header has 1 (write '-' for a cell without a value)"],
    ),
    "a link without its other end": (
        (HEXES, SPARSE, LINES + "      from | river\n      h0101 | true\n"),
        [
            (
                "25:7 grid-header: the first row must begin with 'from to |'"
                " (the two ends are before the bar, the attributes after)"
            )
        ],
    ),
    "a misspelt end": (
        (HEXES, SPARSE, LINES + "      from to | river\n      h0101 h0112 | true\n"),
        ["26:13 unknown-individual: there is no place 'h0112' (did you mean 'h0102'?)"],
    ),
    "a link to itself": (
        (HEXES, SPARSE, LINES + "      from to | river\n      h0101 h0101 | true\n"),
        ["26:7 self-link: 'h0101' can't be linked to itself (name another space, or leave the pair out)"],
    ),
    "a link twice": (
        (
            HEXES,
            SPARSE,
            LINES + "      from to | river\n      h0101 h0102 | true\n      h0102 h0101 | true\n",
        ),
        [
            (
                "27:7 duplicate-link: h0102 and h0101 are linked twice here"
                " (leave one of the two out; the first is at r.yaml:26:7)"
            )
        ],
    ),
    "a plain link of what adjoins": (
        (HEXES, SPARSE, "links: {l: {between: [[h0101, h0102]]}}\n"),
        [
            (
                "21:23 duplicate-link: h0101 and h0102 adjoin on their grid already"
                " (leave the pair out; give the links a 'kind' to say what lies on such borders)"
            )
        ],
    ),
    "a cut of what is linked": (
        (
            HEXES,
            SPARSE,
            "links:\n  l: {kind: side, between: [[h0101, h0102]]}\n  m: {cuts: true, between: [[h0102, h0101]]}\n",
        ),
        [
            (
                "23:29 duplicate-link: h0102 and h0101 are linked already"
                " (leave one of the two out; the first is at r.yaml:22:29)"
            )
        ],
    ),
    "a cut of what does not adjoin": (
        (HEXES, SPARSE, "links: {l: {cuts: true, between: [[h0101, h0202]]}}\n"),
        [
            (
                "21:35 no-border: h0101 and h0202 don't adjoin: there is nothing to cut"
                " (only neighbours on one grid can be parted)"
            )
        ],
    ),
    "a cut that carries something": (
        (HEXES, SPARSE, "links: {l: {kind: side, cuts: true, between: [[h0101, h0102]], has: {river: true}}}\n"),
        ["21:69 misplaced: a border that is cut carries nothing (leave 'has' out)"],
    ),
    "a figure that isn't": (
        (
            HEXES,
            SPARSE,
            "pieces:\n  unit:\n    figures: {b/steps: found}\n    grid: 'id | steps\n\n      a  | 1'\n",
        ),
        [
            "23:15 unknown-figure: 'b/steps' names no figure here (did you mean 'a/steps'?)",
            (
                "23:24 no-source: a found figure must name the public source it was found in"
                " (add 'source:' with the name of an entry in 'sources')"
            ),
        ],
    ),
    "a count of nothing": (
        (HEXES, SPARSE, "pieces:\n  unit:\n    grid: |\n      id | count\n      a  | 0\n"),
        ["25:12 wrong-count: a count is a whole number from 1 to 2000"],
    ),
    "a piece twice": (
        (HEXES, SPARSE, "pieces:\n  unit:\n    grid: |\n      id | steps\n      a  | 1\n      a  | 2\n"),
        [
            (
                "26:7 duplicate-name: the unit 'a' is given twice"
                " (rename or remove one of the two; the first is at r.yaml:25:7)"
            )
        ],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_mistake_is_reported_at_its_place(name):
    """Each mistake is reported once, at its own line and column."""
    parts, expected = FAULTS[name]
    assert said(*parts) == expected
