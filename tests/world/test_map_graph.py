"""Neighbours, distances and lines of maps."""

from __future__ import annotations

import math
from itertools import product

import pytest
from worlds_by_hand import area_world, board_world, hex_world, image, kind, put

from interpreter.language.model.image import IndividualImage, LinkImage
from interpreter.world.line_geometry import coordinates_of, cube, hex_distance, hex_line
from interpreter.world.model import Model
from interpreter.world.world import World


def ids(step):
    """Returns the ids of spaces."""
    return tuple(each.id for each in step)


def test_links_define_neighbours_of_areas():
    """Off a grid the map's links define neighbours, in index order and both ways."""
    world = area_world()
    east = world.find("area", "east")
    assert ids(east.neighbours) == ("north", "south")
    assert world.adjacent(world.find("area", "north"), east)
    assert not world.adjacent(east, east)


def test_distance_of_areas_counts_links():
    """Distance off a grid counts links; without a path it is the number of individuals or more."""
    world = area_world()
    north, west, pool = world.find("area", "north"), world.find("area", "west"), world.find("box", "pool")
    assert world.distance(north, north) == 0
    assert world.distance(north, west) == world.distance(west, north) == 3
    assert world.distance(north, pool) >= len(world.model.image.individuals)
    assert world.between(north, west) == ()


@pytest.mark.parametrize(("a", "b", "steps"), [("a1", "h8", 7), ("a1", "b3", 2), ("c3", "c3", 0), ("h1", "a2", 7)])
def test_squares_with_diagonals_have_chess_distance(a, b, steps):
    """On squares with diagonals the distance is the longer of the two offsets."""
    world = board_world()
    assert world.distance(world.find("square", a), world.find("square", b)) == steps


@pytest.mark.parametrize(
    ("a", "b", "line"),
    [
        ("a1", "d4", ("b2", "c3")),
        ("d4", "a1", ("c3", "b2")),
        ("e1", "h1", ("f1", "g1")),
        ("a1", "b3", ()),
        ("a1", "a2", ()),
        ("a1", "a1", ()),
    ],
)
def test_lines_of_squares_are_straight(a, b, line):
    """Lines run along rows, columns and diagonals only, from the first square to the second."""
    world = board_world()
    found = world.between(world.find("square", a), world.find("square", b))
    assert tuple(each.id for step in found for each in step) == line


def test_square_has_up_to_eight_neighbours():
    """A corner has three neighbours, an inner square eight."""
    world = board_world()
    assert ids(world.find("square", "a1").neighbours) == ("b1", "a2", "b2")
    assert len(world.find("square", "e4").neighbours) == 8


def test_hex_neighbours_are_at_distance_one():
    """On hexes in rows the neighbours are exactly the cells at distance 1."""
    world = hex_world()
    for a in world.board.all_hex:
        near = tuple(b for b in world.board.all_hex if world.distance(a, b) == 1)
        assert a.neighbours == near


def test_even_rows_are_shifted_right():
    """A hex of an odd row touches the same column and the one before it in the adjacent rows."""
    world = hex_world()
    assert ids(world.at_grid("hex", 3, 3).neighbours) == ("h2_2", "h3_2", "h2_3", "h4_3", "h2_4", "h3_4")


def test_each_hexside_is_a_link():
    """Every side between two hexes is a separate link."""
    world = hex_world(3, 2)
    assert len(world.board.all_hexside) == 2 + 2 + 5
    assert world.link(world.at_grid("hex", 1, 1), world.at_grid("hex", 2, 1)).id == "h1_1-h2_1"


def test_line_along_side_lists_pair():
    """A line along a side lists the two hexes of the side as a pair."""
    world = hex_world()
    found = world.between(world.at_grid("hex", 3, 2), world.at_grid("hex", 3, 4))
    assert [ids(step) for step in found] == [("h3_3", "h4_3")]


OFF_BOARD = {
    # along the left edge, along the border of a hole, through a hole
    "ignored": ([], [], [("h3_5",)]),
    "reduced": ([("h1_2",)], [("h3_3",)], [("h3_5",)]),
    "empty": ([()], [()], [(), ("h3_5",)]),
}


@pytest.mark.parametrize("off_board", OFF_BOARD)
def test_line_off_the_board_has_what_the_layout_says(off_board):
    """Where a cell of a step is off the board or a hole, a line has nothing, the other of a pair, or an empty step."""
    world = hex_world(7, 6, holes=[(4, 3), (2, 5)], off_board=off_board)
    ends = [((1, 1), (1, 3)), ((3, 2), (3, 4)), ((1, 5), (4, 5))]
    found = [world.between(world.at_grid("hex", *one), world.at_grid("hex", *two)) for one, two in ends]
    assert tuple([ids(step) for step in line] for line in found) == OFF_BOARD[off_board]


@pytest.mark.parametrize("shape", ["hexes_in_rows", "hexes_in_columns"])
def test_odd_rows_or_columns_can_be_offset(shape):
    """With the odd rows or columns offset, neighbours, distances and lines are those of the grid one further on."""
    odd, even = hex_world(7, 7, shape=shape, offset="odd"), hex_world(8, 8, shape=shape)
    by_columns = shape == "hexes_in_columns"

    def moved(step):
        return tuple(even.at_grid("hex", each.column + by_columns, each.row + (not by_columns)) for each in step)

    hexes = odd.board.all_hex
    for one in hexes:
        inner = {
            each for each in moved([one])[0].neighbours if min(each.column - by_columns, each.row - 1 + by_columns)
        }
        if one.column < 7 and one.row < 7:
            assert {*moved(one.neighbours)} == inner
        for two in hexes:
            assert odd.distance(one, two) == even.distance(*moved([one, two]))
            if all(1 < each.column < 7 and 1 < each.row < 7 for each in (one, two)):
                line = [{*moved(step)} for step in odd.between(one, two)]
                assert line == [{*step} for step in even.between(*moved([one, two]))]


def centre(cell):
    """Returns the centre of a hex in the plane."""
    column, row = cell
    return column + (0.5 if row % 2 == 0 else 0.0), row * math.sqrt(3) / 2


def touched(a, b):
    """Returns the hexes that contain sampled points of the line, computed independently in floating point."""
    (ax, ay), (bx, by) = centre(a), centre(b)
    found = set()
    steps = 4000
    for n in range(1, steps):
        x, y = ax + (bx - ax) * n / steps, ay + (by - ay) * n / steps
        row = round(y / (math.sqrt(3) / 2))
        near = [(column, r) for r in (row - 1, row, row + 1) for column in range(int(x) - 1, int(x) + 3)]
        by_distance = sorted((math.dist((x, y), centre(cell)), cell) for cell in near)
        if by_distance[1][0] - by_distance[0][0] > 1e-4:
            found.add(by_distance[0][1])
    return found - {a, b}


@pytest.mark.parametrize("start", [(4, 4), (4, 5)])
def test_hex_lines_equal_sampled_geometry(start):
    """The single hexes of a line are exactly those whose interior it crosses, in every direction."""
    for column, row in product(range(1, 8), range(1, 9)):
        line = hex_line(start, (column, row))
        singles = {step[0] for step in line if len(step) == 1}
        assert singles == touched(start, (column, row)), (start, column, row)


def test_hex_lines_are_ordered_and_symmetric():
    """The reversed line is the line from the other end; distances from the start never decrease."""
    for column, row in product(range(1, 8), range(1, 9)):
        line = hex_line((4, 4), (column, row))
        assert tuple(reversed(line)) == hex_line((column, row), (4, 4))
        steps = [hex_distance((4, 4), step[0]) for step in line]
        assert steps == sorted(steps)


def test_cube_coordinates_round_trip():
    """The conversions between cells and cube centres are inverse."""
    for cell in product(range(-3, 6), range(-3, 6)):
        assert coordinates_of(cube(cell)) == cell
        assert sum(cube(cell)) == 0


# ---------------------------------------------------------------- hexes in columns
def hexes(missing=(), cuts=(), links=()):
    """Returns a world of five columns and four rows of flat-topped hexes, without the missing ones, and a box."""
    cells = [(column, row) for row, column in product(range(1, 5), range(1, 6)) if (column, row) not in missing]
    individuals = [IndividualImage("hex", f"h{column}{row}", (), None, column, row) for column, row in cells]
    ends = [tuple(("box" if each == "box" else "hex", each) for each in pair) for pair in links]
    world = World(
        Model(
            image(
                kinds=(kind("hex", "space", shape="hexes_in_columns"), kind("box", "space")),
                individuals=(*individuals, put("box", "box")),
                links=tuple(LinkImage(None, pair, ()) for pair in ends),
                cuts=tuple((("hex", one), ("hex", two)) for one, two in cuts),
            )
        )
    )
    world.seal()
    return world


def distances(start):
    """Returns the number of steps to every hex, computed from the neighbours alone."""
    found, ring = {start: 0}, [start]
    for here in ring:
        for there in here.neighbours:
            if there not in found:
                found[there] = found[here] + 1
                ring.append(there)
    return found


@pytest.mark.parametrize(
    ("name", "around"),
    [
        ("h22", ("h21", "h12", "h32", "h13", "h23", "h33")),
        ("h32", ("h21", "h31", "h41", "h22", "h42", "h33")),
        ("h11", ("h21", "h12")),
        ("h54", ("h43", "h53", "h44")),
    ],
)
def test_even_columns_are_shifted_down(name, around):
    """Flat-topped hexes touch those above, below and in the two adjacent columns, half a hex up or down."""
    assert ids(hexes().find("hex", name).neighbours) == around


@pytest.mark.parametrize("missing", [(), ((3, 2), (3, 3))])
def test_distance_equals_search_by_neighbours(missing):
    """On a grid with or without holes, distances equal those of a search over the neighbours."""
    world = hexes(missing)
    for one in world.board.all_hex:
        by_steps = distances(one)
        assert {two: world.distance(one, two) for two in world.board.all_hex} == by_steps


def test_cuts_and_links_change_distances():
    """A cut makes paths longer, a link to a box makes them shorter."""
    world = hexes(cuts=[("h11", "h12"), ("h21", "h12")], links=[("h11", "box"), ("box", "h54")])
    assert not world.adjacent(world.find("hex", "h11"), world.find("hex", "h12"))
    assert world.distance(world.find("hex", "h11"), world.find("hex", "h12")) == 3
    assert world.distance(world.find("hex", "h11"), world.find("hex", "h54")) == 2


def test_lines_over_hex_columns():
    """Lines run down a column, along sides or across, like lines over hexes in rows turned by 90 degrees."""
    world = hexes()
    h = {each.id: each for each in world.board.all_hex}
    assert [ids(step) for step in world.between(h["h31"], h["h34"])] == [("h32",), ("h33",)]
    assert [ids(step) for step in world.between(h["h12"], h["h32"])] == [("h21", "h22")]
    assert [ids(step) for step in world.between(h["h11"], h["h32"])] == [("h21",)]
