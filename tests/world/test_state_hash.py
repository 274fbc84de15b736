"""The canonical form, its hash, and snapshots as JSON data."""

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
from processes import DEADLINE
from worlds_by_hand import area_world, board_world

from interpreter.language.diagnostics import UsageError


def digest_of(world, extra=()):
    """Returns the hash of the canonical form, computed from scratch."""
    return blake2b(ascii((world.canonical(), extra)).encode(), digest_size=16).hexdigest()


def busy_world():
    """Returns a world that contains every kind of value."""
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
    """The form lists objects that can change in index order with holders and values, then state, then counters."""
    objects, state, counters = area_world().canonical()
    assert objects[0] == ("area", "north", False)
    assert ("leader", "Marshal", "unit/Red_2", "side/red", (), None) in objects
    assert ("side", "red", "area/north", ("fraction", 1, 2)) in objects
    assert "box" not in [each[0] for each in objects]
    assert (state, counters) == ((0, None), ())


def test_whole_fractions_are_whole_numbers():
    """A number has one canonical form, whether it is a fraction or an int."""
    one, two = area_world(), area_world()
    one.find("side", "red").a_score = Fraction(4, 2)
    two.find("side", "red").a_score = 2
    assert one.canonical() == two.canonical()


def test_cyclic_records_are_numbered():
    """A record is written at its first occurrence and numbered after that, so cycles end and sharing is visible."""
    objects, state, counters = busy_world().canonical()
    leader = next(each for each in objects if each[0] == "leader")
    assert leader[-1][:2] == ("record", 0)
    assert state[1] == ("again", 1)
    assert counters == (("unit", 1),)


def test_constant_records_are_written_by_name():
    """A record of a table is written by its name, not by its content."""
    world = area_world()
    world.find("leader", "Marshal").a_order = world.constants["rec_1"]
    leader = next(each for each in world.canonical()[0] if each[0] == "leader")
    assert leader[-1] == ("constant", "rec_1")


@pytest.mark.parametrize("make", [area_world, board_world, busy_world])
def test_hash_equals_digest_of_canonical_form(make):
    """The hash is BLAKE2b over the canonical form, also after earlier hashes and rollbacks."""
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
    """A change of a record changes the hash, though the object that holds it was not changed."""
    world = busy_world()
    before = world.state_hash()
    order = world.state.a_last
    world.journal.append((order, "a_goal", order.a_goal))
    order.a_goal = None
    assert world.state_hash() == digest_of(world) != before


def test_unsupported_value_raises_type_error():
    """Hashing a value that no rule can store is an error."""
    world = area_world()
    world.find("leader", "Marshal").a_friends = 1.5
    world.hasher.touch(world.find("leader", "Marshal").index)
    with pytest.raises(TypeError, match="float"):
        world.state_hash()


def test_hash_is_equal_in_another_process():
    """The hash does not depend on the seed of Python's own hashing."""
    here = Path(__file__).parent
    code = "from test_state_hash import busy_world; print(busy_world().state_hash('x'))"
    seen = set()
    for seed in ("1", "77"):
        paths = os.pathsep.join([str(here), str(here.parents[1]), str(here.parent / "support")])
        environment = dict(os.environ, PYTHONHASHSEED=seed, PYTHONPATH=paths)
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, timeout=DEADLINE
        )
        seen.add(done.stdout.strip())
    assert seen == {busy_world().state_hash("x")}


# ---------------------------------------------------------------- dump and load
def test_dump_holds_only_changes():
    """A dump holds only changed objects, and JSON preserves it."""
    world = area_world()
    assert world.dump()["objects"] == {}
    world.place(world.find("unit", "Red_1"), world.find("area", "east"))
    data = world.dump()
    assert list(data["objects"]) == ["unit/Red_1"]
    assert json.loads(json.dumps(data)) == data


def test_load_restores_state():
    """A dump loaded into another game of the ruleset gives the same state, shared and cyclic records included."""
    world, other = busy_world(), area_world()
    other.create("leader", {}, other.find("area", "west"))
    other.load(json.loads(json.dumps(world.dump())))
    assert other.canonical() == world.canonical()
    assert other.state_hash() == world.state_hash() == digest_of(other)
    assert other.state.a_last.a_after.a_after is other.state.a_last
    assert [each.id for each in other.board.all_unit] == [each.id for each in world.board.all_unit]
    assert other.dump() == world.dump()
    assert other.journal == []


def test_reset_works_after_load():
    """After a load, a reset still returns to the start of the game."""
    world, start = area_world(), area_world().canonical()
    world.load(busy_world().dump())
    world.reset()
    assert world.canonical() == start
    assert world.state_hash() == digest_of(world)


def test_load_restores_counters():
    """The next piece created after a load has the same name as without the load."""
    world, other = busy_world(), area_world()
    other.load(world.dump())
    assert world.create("unit", {}, None).id == other.create("unit", {}, None).id == "unit_2"


def replaced(path, value):
    def corrupt(data):
        *way, last = path
        for each in way:
            data = data[each]
        data[last] = value

    return corrupt


@pytest.mark.parametrize(
    ("corrupt", "words"),
    [
        (replaced(["extra"], 1), "the state should be exactly"),
        (replaced(["objects"], []), "objects should be an object"),
        (replaced(["objects", "unit/Ghost"], {}), "objects.unit/Ghost should be a thing of this game"),
        (replaced(["objects", "unit/unit_1", "at"], "side/red"), "something that can hold a unit"),
        (replaced(["objects", "unit/unit_1", "at"], "unit/unit_1"), "something outside itself"),
        (replaced(["objects", "unit/unit_1", "values", "steps"], "many"), "values.steps should be int, but is 'many'"),
        (replaced(["objects", "unit/unit_1", "values", "steps"], True), "values.steps should be int"),
        (replaced(["objects", "unit/unit_1", "values", "face"], {"is": "side/red"}), "values.face should be face"),
        (replaced(["objects", "unit/unit_1", "values", "side"], {"is": "side/green"}), "a thing of this game"),
        (replaced(["objects", "leader/Marshal", "values", "order"], {"record": 9}), "with a known content"),
        (replaced(["objects", "leader/Marshal", "values", "friends"], [{"is": "side/red"}]), "set of unit"),
        (replaced(["objects", "side/red", "values", "score"], {"fraction": [1, 0]}), "with a known content"),
        (replaced(["made", 0], ["area", "x"]), "a kind of piece"),
        (replaced(["made", 0], ["unit", "Red_1"]), "an id that is not in use"),
        (replaced(["counters", "unit"], -1), "a number above 0"),
        (replaced(["records", 0, "kind"], "unit"), "a kind of record"),
        (replaced(["state", "turn"], "1"), "state.turn should be int"),
        (replaced(["state"], {"turn": 1}), "exactly the values turn, last"),
    ],
)
def test_invalid_dump_is_refused(corrupt, words):
    """Invalid data is refused with its location and the expected value; the world stays unchanged."""
    data = copy.deepcopy(busy_world().dump())
    corrupt(data)
    world = busy_world()
    before = world.canonical()
    with pytest.raises(UsageError) as caught:
        world.load(data)
    assert words in str(caught.value)
    assert world.canonical() == before


def test_dump_must_be_an_object():
    """Data that is not a JSON object is refused."""
    with pytest.raises(UsageError, match="should be an object"):
        area_world().load([1])


def test_incremental_hash_equals_digest():
    """After any series of changes, commits, rollbacks and resets, the hash equals the digest of the state."""
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
        "commit": world.commit,
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
