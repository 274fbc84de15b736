"""Objects, holders and look-ups of one game."""

from __future__ import annotations

from dataclasses import replace

import pytest
from worlds_by_hand import AREA_IMAGE, HALF, area_defaults, area_world, board_world, put

from interpreter.language.diagnostics import RuleFault, UsageError
from interpreter.world.model import Model
from interpreter.world.things import Piece, Record, Space
from interpreter.world.world import World


def test_classes_mirror_kinds():
    """A kind's class inherits from its parent's and its root's, so that isinstance tests the kind."""
    names = area_world().namespace()
    assert issubclass(names["k_unit"], names["k_counter"])
    assert issubclass(names["k_counter"], Piece)
    assert issubclass(names["k_order"], Record)
    assert names["k_space"] is Space
    assert not issubclass(names["k_box"], names["k_area"])


def test_objects_have_only_slots():
    """Objects have slots and no dictionary, so a mistyped attribute cannot be set."""
    unit = area_world().find("unit", "Red_1")
    with pytest.raises(AttributeError):
        unit.a_stepps = 1


def test_missing_values_get_defaults():
    """Missing values come from the emitted defaults; without one, collections are empty and the rest None."""
    world = area_world()
    names = world.namespace()
    red, unit, leader = names["i_sideːred"], names["i_unitːRed_1"], names["i_leaderːMarshal"]
    assert red.a_score == HALF
    assert red.a_home is names["i_areaːnorth"]
    assert unit.a_face is names["e_faceːfront"]
    assert names["i_unitːBlue_1"].a_face is names["e_faceːback"]
    assert unit.a_steps == 2
    assert leader.a_friends == ()
    assert leader.a_order is None
    assert names["G"].a_turn == 0
    assert names["rec_1"].a_goal is names["i_areaːeast"]
    assert names["rec_1"].a_lost == {}


def test_repr_is_the_id():
    """The repr of things and words is their id."""
    names = area_world().namespace()
    assert repr([names["i_unitːRed_1"], names["e_faceːback"]]) == "[Red_1, back]"


def test_words_compare_by_order():
    """Words compare by their order in the enum."""
    names = area_world().namespace()
    assert names["e_faceːfront"] < names["e_faceːback"]
    assert max(names["A"].all_face) is names["e_faceːback"]


def test_pieces_begin_at_start_positions():
    """Pieces begin in the holders given by the ruleset; holders and the board list them in index order."""
    world = area_world()
    north, red_2 = world.find("area", "north"), world.find("unit", "Red_2")
    assert [each.id for each in north.c_counter] == ["Red_1", "Red_2", "Red_3"]
    assert [each.id for each in red_2.c_counter] == ["Marshal"]
    assert [each.id for each in world.board.all_counter] == ["Red_1", "Red_2", "Red_3", "Blue_1", "Marshal"]
    assert [each.id for each in world.board.all_leader] == ["Marshal"]
    assert [each.id for each in world.board.all_place] == ["north", "east", "south", "west", "pool"]
    assert world.journal == []


def test_removed_pieces_leave_the_board():
    """A piece without a holder is in no list, and returns to its own position in the order."""
    world = area_world()
    unit, pool = world.find("unit", "Red_2"), world.find("box", "pool")
    world.place(unit, None)
    assert unit.at is None
    assert [each.id for each in world.board.all_unit] == ["Red_1", "Red_3", "Blue_1"]
    world.place(unit, pool)
    assert [each.id for each in world.board.all_unit] == ["Red_1", "Red_2", "Red_3", "Blue_1"]
    assert pool.c_counter == (unit,)


@pytest.mark.parametrize(
    ("piece", "holder", "words"),
    [
        ("Red_2", ("unit", "Red_2"), "into itself"),
        ("Red_2", ("leader", "Marshal"), "leader 'Marshal' cannot hold unit 'Red_2'"),
        ("Red_1", ("side", "red"), "side 'red' cannot hold unit 'Red_1'"),
    ],
)
def test_impossible_moves_are_refused(piece, holder, words):
    """A move into the piece itself or into a thing that cannot hold it is refused and changes nothing."""
    world = area_world()
    before = world.canonical()
    with pytest.raises(RuleFault, match=words):
        world.place(world.find("unit", piece), world.find(*holder))
    assert world.canonical() == before
    assert world.journal == []


def test_piece_cannot_move_into_its_contents():
    """A piece cannot be moved into a piece that it contains at any depth."""
    world = area_world()
    one, two, three = (world.find("unit", f"Red_{n}") for n in (1, 2, 3))
    world.place(two, one)
    world.place(three, two)
    with pytest.raises(RuleFault, match="which it contains"):
        world.place(one, three)


def test_created_piece_has_values_and_defaults():
    """New pieces get the next free id and index, the given values, and defaults for the rest."""
    world = area_world()
    red, north = world.find("side", "red"), world.find("area", "north")
    piece = world.create("unit", {"side": red, "steps": 1}, north)
    assert (piece.id, piece.a_steps, piece.a_side, piece.a_face.id) == ("unit_1", 1, red, "front")
    assert piece.index == max(each.index for each in world.objects)
    assert north.c_counter[-1] is piece
    assert world.find("counter", "unit_1") is piece
    record = world.create("order", {"goal": north})
    assert (record.a_goal, record.a_after, record.a_lost) == (north, None, {})


def test_rollback_undoes_creation():
    """A rollback removes a new piece from every list; created again, it has the same name and state."""
    world = area_world()
    before, mark, north = world.canonical(), world.mark(), world.find("area", "north")
    first = world.create("unit", {}, north)
    state = world.canonical()
    world.rollback(mark)
    assert world.canonical() == before
    assert first not in world.board.all_unit
    with pytest.raises(UsageError):
        world.find("unit", "unit_1")
    world.create("unit", {}, north)
    assert world.canonical() == state


def test_only_pieces_and_records_can_be_created():
    """The creation of a space or another thing is a rule fault."""
    with pytest.raises(RuleFault, match="area is a space"):
        area_world().create("area", {}, None)


def test_find_suggests_nearest_name():
    """The error for an unknown name or kind suggests the nearest one."""
    world = area_world()
    with pytest.raises(UsageError, match="did you mean 'Red_1'"):
        world.find("unit", "red_11")
    with pytest.raises(UsageError, match="no kind 'aera'; did you mean 'area'"):
        world.find("aera", "north")


def test_adjacent_spaces_have_links():
    """Every adjacent pair of a link kind's spaces has a link, with the map's values or the defaults."""
    world = area_world()
    north, east, south, west = (world.find("area", each) for each in ("north", "east", "south", "west"))
    assert world.link(south, east) is world.link(east, south)
    assert world.link(south, east).a_paved is True
    assert world.link(north, east).a_paved is False
    assert world.link(north, east).kind == "road"
    with pytest.raises(RuleFault, match="are not adjacent"):
        world.link(north, west)


def test_worlds_of_one_model_share_no_object():
    """Games of one model share classes and words but no object."""
    model = Model(AREA_IMAGE)
    one, two = World(model), World(model)
    assert type(one.find("unit", "Red_1")) is type(two.find("unit", "Red_1"))
    assert one.find("unit", "Red_1") is not two.find("unit", "Red_1")


def test_reset_restores_start():
    """Reset restores the start after committed and uncommitted changes, creations and removals."""
    world = area_world()
    before, digest = world.canonical(), world.state_hash()
    for commit in (True, False):
        new = world.create("unit", {}, world.find("area", "east"))
        world.place(world.find("leader", "Marshal"), new)
        world.place(world.find("unit", "Blue_1"), None)
        world.journal.append((world.state, "a_turn", world.state.a_turn))
        world.state.a_turn = 7
        if commit:
            world.commit()
    world.reset()
    assert world.canonical() == before
    assert world.state_hash() == digest
    assert [each.id for each in world.board.all_unit] == ["Red_1", "Red_2", "Red_3", "Blue_1"]


def test_reset_restores_records():
    """Reset restores the values of a record, though its change was committed."""
    world = area_world()
    order = world.create("order", {"goal": world.find("area", "north")})
    world.find("leader", "Marshal").a_order = order
    world.restart()
    world.journal.append((order, "a_goal", order.a_goal))
    order.a_goal = None
    world.commit()
    world.reset()
    assert order.a_goal is world.find("area", "north")


def test_at_grid_finds_space_by_column_and_row():
    """Spaces of a grid are found by column and row from 1; beyond its edge there are none."""
    world = board_world()
    assert world.at_grid("square", 1, 1).id == "a1"
    assert world.at_grid("square", 8, 3).id == "h3"
    assert world.at_grid("square", 9, 3) is None
    assert world.at_grid("square", 0, 3) is None


def test_restart_records_new_start():
    """Reset returns to the state at the last `restart`, whether its changes were journalled or not."""
    world = area_world()
    world.state.a_turn = 2
    world.place(world.find("unit", "Red_2"), None)
    world.restart()
    start = world.canonical()
    world.place(world.find("unit", "Red_1"), None)
    world.commit()
    world.reset()
    assert world.canonical() == start
    assert start[1] == (2, None)
    assert [each.id for each in world.board.all_unit] == ["Red_1", "Red_3", "Blue_1"]


def test_assign_updates_indexes():
    """An assigned value moves a piece to its new entry in the index by that attribute."""
    world = area_world()
    red, blue, unit = world.find("side", "red"), world.find("side", "blue"), world.find("unit", "Red_2")
    world.assign(unit, "side", blue)
    world.assign(red, "score", 2)
    assert [each.id for each in world.board.by_unitːside[red]] == ["Red_1", "Red_3"]
    assert [each.id for each in world.board.by_unitːside[blue]] == ["Red_2", "Blue_1"]
    assert (unit.at.id, red.a_score) == ("north", 2)
    world.restart()
    world.place(unit, None)
    assert [each.id for each in world.board.by_unitːside[blue]] == ["Blue_1"]
    world.reset()
    assert [each.id for each in world.board.by_unitːside[blue]] == ["Red_2", "Blue_1"]


def test_extended_model_equals_model_of_whole_image() -> None:
    """Individuals that a set-up adds have the same positions as if the image had contained them."""
    further = (
        put("area", "isle"),
        put("unit", "Red_4", ("area", "isle"), side=("ref", "side", "red")),
        put("leader", "Guide", ("unit", "Red_4"), friends=("list", (("ref", "unit", "Red_4"),))),
    )
    image = replace(AREA_IMAGE, individuals=AREA_IMAGE.individuals + further)
    worlds = [World(Model(image)), World(Model(AREA_IMAGE).extended(image)), area_world()]
    for each in worlds[:2]:
        each.fill_defaults(area_defaults(each.namespace()))
        each.seal()
    whole, extended, other = worlds
    assert [each.ref for each in extended.objects] == [each.ref for each in whole.objects]
    assert extended.state_hash(()) == whole.state_hash(()) != other.state_hash(())
    assert extended.find("unit", "Red_4").a_steps == 2
    assert [each.id for each in extended.board.all_area] == ["north", "east", "south", "west", "isle"]
    assert [each.id for each in extended.board.all_road] == [each.id for each in whole.board.all_road]
    isle = extended.find("area", "isle").index
    assert extended.model.map.distance(isle, 0) == whole.model.map.distance(isle, 0) == len(image.individuals)
    assert len(other.objects) == len(whole.objects) - 3
