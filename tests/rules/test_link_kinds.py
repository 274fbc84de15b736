"""Linking kinds, enums and seats."""

import pytest
from link_by_hand import linked, said

KINDS = """
    kinds:
      face: {is: enum, members: [front, back]}
      player: {is: seat, members: [red, blue], has: {score: "int = 0"}}
      place: {is: space}
      hex: {is: place, plural: hexes, cite: 1.1, has: {terrain: text}}
      side: {is: link, between: hex, has: {river: "bool = false"}}
      counter: {is: piece, in: [place, counter]}
      unit: {is: counter, has: {face: "face = front"}}
      blow: {is: record, has: {steps: int}}
"""


def test_a_kind_keeps_what_is_written_of_it():
    """Root, parent, plural, attributes, holders and citations come out as they went in."""
    program = linked(KINDS)
    assert [(each.name, each.root, each.parent, each.plural) for each in program.kinds.values()] == [
        ("player", "seat", None, "players"),
        ("place", "space", None, "places"),
        ("hex", "space", "place", "hexes"),
        ("side", "link", None, "sides"),
        ("counter", "piece", None, "counters"),
        ("unit", "piece", "counter", "units"),
        ("blow", "record", None, "blows"),
    ]
    assert program.enums["face"].words == ("front", "back")
    assert program.enums["face"].plural == "faces"
    assert program.kinds["hex"].cites == ("1.1",)
    assert program.kinds["side"].between == "hex"
    assert program.holders("unit") == ("place", "counter")
    attribute = program.attributes("unit")["face"]
    assert attribute.written is not None
    assert attribute.written.declared.name == "face"
    assert str(attribute.place) == "r.yaml:8:29"


def test_seats_are_individuals():
    """Members of a seat kind can be named like anything else."""
    assert list(linked(KINDS).individuals) == [("player", "red"), ("player", "blue")]


FAULTS = {
    "an unknown parent": (
        "kinds: {hex: {is: spce}}",
        ["1:19 unknown-kind: there is no kind 'spce' (did you mean 'space'?)"],
    ),
    "a cycle of kinds": (
        "kinds: {a: {is: b}, b: {is: a}}",
        [
            (
                "1:17 kind-cycle: the kind 'a' is below itself: a is b is a"
                " (one of them must be below something else: space, link, thing, piece, seat, record)"
            )
        ],
    ),
    "an enum as parent": (
        "kinds: {a: {is: enum, members: [x]}, b: {is: a}}",
        [
            (
                "1:46 not-a-parent: 'a' is an enum, and no kind can be below it"
                " (name another kind, or one of space, link, thing, piece, seat, record)"
            )
        ],
    ),
    "a kind called like a type": (
        "kinds: {piece: {is: thing}}",
        ["1:9 reserved-name: 'piece' is a word for types and can't be a kind (choose another, such as 'piece_')"],
    ),
    "a word of the language": (
        "kinds: {f: {is: enum, members: [up, none]}}",
        [
            (
                "1:37 reserved-name: 'none' is a word of the rule language and can't be the name of a word"
                " (choose another, such as 'none_')"
            )
        ],
    ),
    "a word twice": (
        "kinds: {f: {is: enum, members: [up, up]}}",
        ["1:37 duplicate-name: 'up' is listed twice (remove one; the first is at r.yaml:1:33)"],
    ),
    "an enum without words": (
        "kinds: {f: {is: enum}}",
        ["1:9 empty-enum: the enum 'f' has no members (list its words)"],
    ),
    "members of what is no enum": (
        "kinds: {f: {is: thing, members: [a]}}",
        [
            (
                "1:24 misplaced: only enums and seats have members"
                " (list its things under 'individuals', or counters under 'pieces')"
            )
        ],
    ),
    "a piece that stands nowhere": (
        "kinds: {u: {is: piece}}",
        [
            (
                "1:9 no-holder: nothing says where a 'u' can stand"
                " (add 'in:' with the kinds of space or piece that can hold a u)"
            )
        ],
    ),
    "a holder that holds nothing": (
        "kinds: {p: {is: thing}, area: {is: space}, u: {is: piece, in: [p, aera]}}",
        [
            (
                "1:64 not-a-holder: 'p' is a thing, and pieces stand in spaces or other pieces"
                " (name a kind of space or piece)"
            ),
            "1:67 unknown-kind: there is no kind 'aera' (did you mean 'area'?)",
        ],
    ),
    "a space in a space": (
        "kinds: {a: {is: space, in: a}}",
        ["1:24 misplaced: only pieces stand in something (leave 'in' out; it says where pieces stand)"],
    ),
    "a link between things": (
        "kinds: {a: {is: space}, t: {is: thing}, s: {is: link, between: t}}",
        ["1:64 unknown-kind: 't' is a thing, and a kind of space is needed here (known here: a)"],
    ),
    "a grid too wide": (
        "kinds: {a: {is: space, grid: {columns: 201, rows: 1, shape: squares}}}",
        ["1:40 grid-size: a grid has 1 to 200 columns"],
    ),
    "an unknown shape": (
        "kinds: {a: {is: space, grid: {columns: 1, rows: 1, shape: square}}}",
        ["1:59 unknown-shape: there is no shape 'square' (did you mean 'squares'?)"],
    ),
    "an attribute of the parent again": (
        "kinds: {a: {is: thing, has: {x: int}}, b: {is: a, has: {x: int}}}",
        [
            (
                "1:57 duplicate-name: 'x' is an attribute of 'a' already"
                " (leave it out here or rename it; the first is at r.yaml:1:30)"
            )
        ],
    ),
    "an attribute that follows by itself": (
        "kinds: {a: {is: space, has: {neighbours: int}}}",
        [
            (
                "1:30 reserved-name: every space of this sort has 'neighbours' by itself"
                " (choose another name for the attribute)"
            )
        ],
    ),
    "a plural that is a state value": (
        "kinds: {unit: {is: thing}}\nstate: {units: int}",
        [
            (
                "1:9 ambiguous-name: 'units' can mean the state value 'units' and the plural of 'unit'"
                " (rename one of them; the other is at r.yaml:2:9)"
            )
        ],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_kinds(name):
    """Each mistake is reported once, at its place, with what to do."""
    text, expected = FAULTS[name]
    assert said(text) == expected


def test_an_attribute_that_is_no_type_doesnt_hide_the_next():
    """A syntax error of one text is reported beside those of others, each in its place."""
    found = said("kinds: {a: {is: thing, has: {x: 'int =', y: 'set int', z: int}}}")
    assert [each.split(":")[0] + ":" + each.split(":")[1].split(" ")[0] for each in found] == ["1:39", "1:50"]


def test_a_broken_kind_is_not_blamed_on_its_users():
    """Who names a kind with a fault of its own is left alone."""
    assert len(said("kinds: {hex: {is: spce}, u: {is: piece, in: hex}}\nindividuals: {hex: [a]}")) == 1
