"""The canonical form, its hash, and the state as JSON data."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from fractions import Fraction
from hashlib import blake2b
from pathlib import Path
from random import Random

import pytest
from worlds_by_hand import area_world, board_world

from interpreter.language.diagnostics import UsageError


def digest_of(world, extra=()):
    return blake2b(ascii((world.canonical(), extra)).encode(), digest_size=16).hexdigest()


def busy_world():
    """A world in which everything that can be stored is stored."""
    world = area_world()
    north, east = world.find("area", "north"), world.find("area", "east")
    marshal, red = world.find("leader", "Marshal"), world.find("side", "red")
    unit = world.create("unit", {"side": red, "steps": 5}, east)
    first = world.create("order", {"goal": east, "lost": {red: 3}})
    second = world.create("order", {"goal": north, "after": first})
    world.journal.append((first, "a_after", first.a_after))
    first.a_after = second
    for target, slot, value in (
        (marshal, "a_order", second),
        (marshal, "a_friends", (unit, world.find("unit", "Red_1"))),
        (world.state, "a_last", first),
        (red, "a_score", Fraction(3, 4)),
        (world.link(north, east), "a_paved", True),
    ):
        world.journal.append((target, slot, getattr(target, slot)))
        setattr(target, slot, value)
    world.place(marshal, unit)
    world.place(world.find("unit", "Blue_1"), None)
    return world


def test_canonical_form_is_as_documented():
    """Objects that can change, in index order, with holders and values; then the state; then counters."""
    objects, state, counters = area_world().canonical()
    assert objects[0] == ("area", "north", False)
    assert ("leader", "Marshal", "unit/Red_2", "side/red", (), None) in objects
    assert ("side", "red", "area/north", ("fraction", 1, 2)) in objects
    assert "box" not in [each[0] for each in objects]
    assert (state, counters) == ((0, None), ())


def test_whole_fractions_are_whole_numbers():
    """A number has one form, however it was calculated."""
    one, two = area_world(), area_world()
    one.find("side", "red").a_score = Fraction(4, 2)
    two.find("side", "red").a_score = 2
    assert one.canonical() == two.canonical()


def test_records_in_a_circle():
    """A record is written where it first occurs and numbered after that, so circles end and sharing shows."""
    objects, state, counters = busy_world().canonical()
    leader = next(each for each in objects if each[0] == "leader")
    assert leader[-1][:2] == ("record", 0)
    assert state[1] == ("again", 1)
    assert counters == (("unit", 1),)


def test_constant_records_by_name():
    """A table's record is known by its name, not by its content."""
    world = area_world()
    world.find("leader", "Marshal").a_order = world.constants["rec_1"]
    leader = next(each for each in world.canonical()[0] if each[0] == "leader")
    assert leader[-1] == ("constant", "rec_1")


@pytest.mark.parametrize("make", [area_world, board_world, busy_world])
def test_hash_is_of_the_canonical_form(make):
    """The hash is BLAKE2b over the written form, whatever has been hashed and taken back before."""
    world = make()
    assert world.state_hash(("step", 3)) == digest_of(world, ("step", 3))
    mark = world.mark()
    piece = next(iter(world.board.all_rook if make is board_world else world.board.all_unit))
    holder = world.find("square", "h8") if make is board_world else world.find("box", "pool")
    before = world.state_hash()
    world.place(piece, holder)
    assert world.state_hash() == digest_of(world) != before
    world.rollback(mark)
    assert world.state_hash() == digest_of(world) == before


def test_changed_records_change_the_hash():
    """A record's own change shows in the hash, though its holder was not touched."""
    world = busy_world()
    before = world.state_hash()
    order = world.state.a_last
    world.journal.append((order, "a_goal", order.a_goal))
    order.a_goal = None
    assert world.state_hash() == digest_of(world) != before


def test_what_cannot_be_stored_is_refused():
    """A value that no rule can make is an error of the interpreter, not a silent hash."""
    world = area_world()
    world.find("leader", "Marshal").a_friends = 1.5
    world.hasher.touch(world.find("leader", "Marshal").index)
    with pytest.raises(TypeError, match="float"):
        world.state_hash()


def test_hash_on_another_process():
    """The hash is the same with another seed of Python's own hashing."""
    here = Path(__file__).parent
    code = "from test_state_hash import busy_world; print(busy_world().state_hash('x'))"
    seen = set()
    for seed in ("1", "77"):
        paths = os.pathsep.join([str(here), str(here.parents[1])])
        environment = dict(os.environ, PYTHONHASHSEED=seed, PYTHONPATH=paths)
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        seen.add(done.stdout.strip())
    assert seen == {busy_world().state_hash("x")}


# ---------------------------------------------------------------- dump and load
def test_dump_is_small_and_json():
    """Only what changed is written, and JSON gives it back unchanged."""
    world = area_world()
    assert world.dump()["objects"] == {}
    world.place(world.find("unit", "Red_1"), world.find("area", "east"))
    data = world.dump()
    assert list(data["objects"]) == ["unit/Red_1"]
    assert json.loads(json.dumps(data)) == data


def test_load_gives_the_state_again():
    """A dump loaded into another game of the ruleset gives the same state, shared and circular records included."""
    world, other = busy_world(), area_world()
    other.create("leader", {}, other.find("area", "west"))
    other.load(json.loads(json.dumps(world.dump())))
    assert other.canonical() == world.canonical()
    assert other.state_hash() == world.state_hash() == digest_of(other)
    assert other.state.a_last.a_after.a_after is other.state.a_last
    assert [each.id for each in other.board.all_unit] == [each.id for each in world.board.all_unit]
    assert other.dump() == world.dump()
    assert other.journal == []


def test_load_then_reset():
    """After a load the start of the game can still be had."""
    world, start = area_world(), area_world().canonical()
    world.load(busy_world().dump())
    world.reset()
    assert world.canonical() == start
    assert world.state_hash() == digest_of(world)


def test_created_pieces_go_on_counting_after_load():
    """The next new piece after a load is named as it would have been without."""
    world, other = busy_world(), area_world()
    other.load(world.dump())
    assert world.create("unit", {}, None).id == other.create("unit", {}, None).id == "unit_2"


def wrong(path, value):
    def spoil(data):
        *way, last = path
        for each in way:
            data = data[each]
        data[last] = value

    return spoil


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (wrong(["extra"], 1), "the state should be exactly"),
        (wrong(["objects"], []), "objects should be an object"),
        (wrong(["objects", "unit/Ghost"], {}), "objects.unit/Ghost should be a thing of this game"),
        (wrong(["objects", "unit/unit_1", "at"], "side/red"), "something that a unit can stand in"),
        (wrong(["objects", "unit/unit_1", "at"], "unit/unit_1"), "something outside itself"),
        (wrong(["objects", "unit/unit_1", "values", "steps"], "many"), "values.steps should be int, but is 'many'"),
        (wrong(["objects", "unit/unit_1", "values", "steps"], True), "values.steps should be int"),
        (wrong(["objects", "unit/unit_1", "values", "face"], {"is": "side/red"}), "values.face should be face"),
        (wrong(["objects", "unit/unit_1", "values", "side"], {"is": "side/green"}), "a thing of this game"),
        (wrong(["objects", "leader/Marshal", "values", "order"], {"record": 9}), "with a known content"),
        (wrong(["objects", "leader/Marshal", "values", "friends"], [{"is": "side/red"}]), "set of unit"),
        (wrong(["objects", "side/red", "values", "score"], {"fraction": [1, 0]}), "with a known content"),
        (wrong(["made", 0], ["area", "x"]), "a kind of piece"),
        (wrong(["made", 0], ["unit", "Red_1"]), "an id that nothing else has"),
        (wrong(["counters", "unit"], -1), "a number above 0"),
        (wrong(["records", 0, "kind"], "unit"), "a kind of record"),
        (wrong(["state", "turn"], "1"), "state.turn should be int"),
        (wrong(["state"], {"turn": 1}), "exactly the values turn, last"),
    ],
)
def test_wrong_shapes_are_refused(spoil, words):
    """Data that does not fit is refused with its place and what was expected; the world stays as it was."""
    data = copy.deepcopy(busy_world().dump())
    spoil(data)
    world = busy_world()
    before = world.canonical()
    with pytest.raises(UsageError) as caught:
        world.load(data)
    assert words in str(caught.value)
    assert world.canonical() == before


def test_other_things_than_objects_are_refused():
    """Data that is no JSON object is refused."""
    with pytest.raises(UsageError, match="should be an object"):
        area_world().load([1])


def test_hashes_over_many_games_in_one_world():
    """However often a world is hashed, settled, taken back and begun anew, its hash is that of its state."""
    world = busy_world()
    changes = [
        (world.find("side", "red"), "a_score", 7),
        (world.find("leader", "Marshal"), "a_order", None),
        (world.find("unit", "Red_1"), "a_steps", 1),
    ]

    def change(number):
        thing, slot, value = changes[number % len(changes)]
        world.journal.append((thing, slot, getattr(thing, slot)))
        setattr(thing, slot, value)
        world.place(world.find("unit", "Red_3"), world.find("area", "south" if number % 2 else "east"))
        world.create("unit", {"side": world.find("side", "blue")}, world.find("area", "west"))

    acts = {
        "change": lambda: change(len(world.objects)),
        "hash": lambda: digest_of(world) == world.state_hash(),
        "settle": world.settle,
        "reset": world.reset,
        "restart": world.restart,
        "back": lambda: world.rollback(len(world.journal) // 2),
    }
    random = Random(3)
    for _ in range(600):
        name = random.choice([*acts, "change", "hash"])
        acts[name]()
        if name in ("hash", "reset", "restart") and random.random() < 0.7:
            assert world.state_hash() == digest_of(world)
    assert world.state_hash("x") == digest_of(world, "x")
