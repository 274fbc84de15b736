"""Linking individuals, counters and links."""

import pytest
from link_by_hand import documents, linked, said

from interpreter.rules.linking.link import figures

KINDS = """
    kinds:
      player: {is: seat, members: [red, blue], has: {home: area?}}
      area: {is: space, has: {value: "int = 0", sea: "bool = false", name: "text?", zones: "set of text"}}
      box: {is: space}
      side: {is: link, between: area, has: {river: "bool = false", road: "bool = false"}}
      unit: {is: piece, in: [area, box], has: {steps: "int = 1"}}
      army: {is: piece, in: area}
      road: {is: link, between: area}
"""


def test_individuals_in_three_forms():
    """A list of ids, a mapping and a grid all give individuals, in document order."""
    program = linked(
        KINDS,
        """
        individuals:
          box: [pool, reserve]
          player:
            red: {home: paris}
          unit:
            old_guard: {steps: 3, at: paris}
          area:
            cite: 1.2
            grid: |
              id     | value sea   name        zones
              paris  | 3     false "Paris (F)" [n, m]
              london | 2     true  -           []
        """,
    )
    got = {key: (each.values, each.at) for key, each in program.individuals.items()}
    assert got == {
        ("player", "red"): ({"home": "paris"}, None),
        ("player", "blue"): ({}, None),
        ("box", "pool"): ({}, None),
        ("box", "reserve"): ({}, None),
        ("unit", "old_guard"): ({"steps": 3}, "paris"),
        ("area", "paris"): ({"value": 3, "sea": False, "name": "Paris (F)", "zones": ("n", "m")}, None),
        ("area", "london"): ({"value": 2, "sea": True, "zones": ()}, None),
    }
    assert list(got) == list(program.individuals)
    london = program.individuals["area", "london"]
    assert london.cites == ("1.2",)
    assert str(london.place) == "r.yaml:20:7"
    assert str(london.value_places["sea"].place) == "r.yaml:20:22"


def test_a_grid_of_pieces_says_where_they_stand():
    """The column `at` names the holder; a dash is nowhere."""
    program = linked(
        KINDS,
        """
        individuals:
          box: [pool]
          unit:
            grid: |
              id    | steps at
              guard | 3     pool
              line  | 2     -
        """,
    )
    units = [each for each in program.individuals.values() if each.kind == "unit"]
    assert [(each.name, each.values, each.at) for each in units] == [
        ("guard", {"steps": 3}, "pool"),
        ("line", {"steps": 2}, None),
    ]


def test_counters_are_numbered_and_not_named():
    """A count gives ids with numbers; without a count the id is unchanged."""
    program = linked(
        KINDS,
        """
        individuals: {area: [paris]}
        pieces:
          unit:
            - {id: France, count: 3, at: paris, steps: 2}
            - {id: Ney, at: none}
        """,
    )
    counters = [each for each in program.individuals.values() if each.kind == "unit"]
    assert [(each.name, each.at, each.values, each.named) for each in counters] == [
        ("France_1", "paris", {"steps": 2}, False),
        ("France_2", "paris", {"steps": 2}, False),
        ("France_3", "paris", {"steps": 2}, False),
        ("Ney", None, {}, False),
    ]


def test_borders_can_be_given_in_several_entries():
    """A plain border may be followed by a river and a road on it; they make one link."""
    program = linked(
        KINDS,
        """
        individuals: {area: [a, b, c]}
        links:
          borders: {between: [[a, b], [b, c]]}
          rivers: {kind: side, cite: 2.1, between: [[b, a]], has: {river: true}}
          roads: {kind: side, between: [[a, b]], has: {road: true}}
        """,
    )
    assert [(each.name, each.kind, each.ends, each.values) for each in program.links] == [
        ("borders", "side", ("a", "b"), {"river": True, "road": True}),
        ("borders", None, ("b", "c"), {}),
    ]
    assert program.links[0].end_kinds == ("area", "area")
    assert program.links[0].cites == ("2.1",)


FAULTS = {
    "an unknown kind": (
        "individuals: {aera: [a]}",
        ["9:15 unknown-kind: there is no kind 'aera' (did you mean 'area'?)"],
    ),
    "links as individuals": (
        "individuals: {side: [a]}",
        ["9:15 misplaced: 'side' is a link; only spaces, things, seats, pieces can be here"],
    ),
    "an id twice": (
        "individuals: {area: {a: {}}, box: [b, b]}",
        [
            (
                "9:39 duplicate-name: the box 'b' is given twice"
                " (rename or remove one of the two; the first is at r.yaml:9:36)"
            )
        ],
    ),
    "an id that can't be named": (
        "individuals: {area: [new-york]}",
        [
            (
                "9:22 bad-name: 'new-york' can't be the name of an area"
                " (a name has letters, digits and single underscores, and begins with a letter)"
            )
        ],
    ),
    "a seat that isn't": (
        "individuals: {player: [green]}",
        ["9:24 unknown-individual: there is no player 'green' (known here: blue, red)"],
    ),
    "an unknown attribute": (
        "individuals: {area: {a: {valu: 3}}}",
        ["9:26 unknown-attribute: area has no attribute 'valu' (did you mean 'value'?)"],
    ),
    "an unknown column": (
        "individuals:\n  area:\n    grid: |\n      id | value see\n      a  | 1     true\n",
        ["12:18 unknown-attribute: there is no attribute 'see' (did you mean 'sea'?)"],
    ),
    "a column twice": (
        "individuals:\n  area:\n    grid: |\n      id | value value\n      a  | 1     2\n",
        ["12:18 duplicate-name: two columns are called 'value'"],
    ),
    "a grid without ids": (
        "individuals:\n  area:\n    grid: |\n      name | value\n      a  | 1\n",
        ["12:7 grid-header: the first row must begin with 'id |' (the ids are before the bar, the attributes after)"],
    ),
    "a row too long": (
        "individuals:\n  area:\n    grid: |\n      id | value\n      a  | 1     2\n      b  | x y z\n",
        [
            "13:18 grid-width: row 'a' has 2 cells, but the header has 1 (put a cell with blanks in quotation marks)",
            "14:14 grid-width: row 'b' has 3 cells, but the header has 1 (put a cell with blanks in quotation marks)",
        ],
    ),
    "a holder that isn't": (
        "individuals: {area: [paris], unit: {ney: {at: pariss}}}",
        ["9:47 unknown-holder: there is no area or box 'pariss' (did you mean 'paris'?)"],
    ),
    "a holder that can't hold it": (
        "individuals: {box: [pool], army: {ney: {at: pool}}}",
        ["9:45 wrong-holder: no army can stand in the box 'pool' (an army is placed in an area)"],
    ),
    "a holder that may be two": (
        "individuals: {area: [a], box: [a], unit: {ney: {at: a}}}",
        ["9:53 ambiguous-name: there is more than one 'a' here: the area, the box (rename one of them)"],
    ),
    "a count that is none": (
        "pieces: {unit: [{id: x, count: 0}]}",
        ["9:32 wrong-count: a count is a whole number from 1 to 2000"],
    ),
    "counters that are no pieces": (
        "pieces: {area: [{id: x}]}",
        ["9:10 misplaced: 'area' is a space; only pieces can be here"],
    ),
    "a holder of many counters is reported once": (
        "pieces: {unit: [{id: x, count: 5, at: nowhere}]}",
        ["9:39 unknown-holder: there is no area or box 'nowhere' (write 'none' for what is off the map)"],
    ),
    "a counter twice": (
        "pieces: {unit: [{id: x, count: 2}, {id: x_2}]}",
        [
            (
                "9:41 duplicate-name: the unit 'x_2' is given twice"
                " (rename or remove one of the two; the first is at r.yaml:9:22)"
            )
        ],
    ),
    "an end that isn't": (
        "individuals: {area: [paris, rome]}\nlinks: {l: {between: [[paris, romme]]}}",
        ["10:31 unknown-individual: there is no space 'romme' (did you mean 'rome'?)"],
    ),
    "an end of another kind": (
        "individuals: {area: [a, b], box: [c]}\nlinks: {l: {kind: side, between: [[a, c]]}}",
        ["10:39 unknown-individual: there is no area 'c' (known here: a, b)"],
    ),
    "an end that may be two": (
        "individuals: {area: [a, b], box: [a]}\nlinks: {l: {between: [[a, b]]}}",
        [
            (
                "10:24 ambiguous-name: there is more than one 'a' here: the area, the box"
                " (add 'of:' with the kind of space meant)"
            )
        ],
    ),
    "a link to itself": (
        "individuals: {area: [a]}\nlinks: {l: {between: [[a, a]]}}",
        ["10:23 self-link: 'a' can't be linked to itself (name another space, or leave the pair out)"],
    ),
    "a link twice": (
        "individuals: {area: [a, b]}\nlinks: {l: {between: [[a, b], [b, a]]}}",
        [
            (
                "10:31 duplicate-link: b and a are linked twice here"
                " (leave one of the two out; the first is at r.yaml:10:23)"
            )
        ],
    ),
    "a border given in two entries": (
        "individuals: {area: [a, b]}\nlinks:\n  l: {between: [[a, b]]}\n  m: {between: [[b, a]]}",
        [("12:17 duplicate-link: b and a are linked already (leave one of the two out; the first is at r.yaml:11:17)")],
    ),
    "two kinds of link between the same spaces": (
        (
            "individuals: {area: [a, b]}\n"
            "links:\n  l: {kind: side, between: [[a, b]]}\n  m: {kind: road, between: [[b, a]]}\n"
        ),
        [
            (
                "12:29 duplicate-link: the link of b and a is a side already and can't be a road too"
                " (leave one of the two out; the first is at r.yaml:11:29)"
            )
        ],
    ),
    "a river twice": (
        (
            "individuals: {area: [a, b]}\nlinks:\n  l: {kind: side, between: [[a, b]], has: {river: true}}\n"
            "  m: {kind: side, between: [[b, a]], has: {river: true}}"
        ),
        [
            (
                "12:29 duplicate-link: 'river' of the link of b and a is given already"
                " (leave one of the two out; the first is at r.yaml:11:51)"
            )
        ],
    ),
    "attributes of a plain border": (
        "individuals: {area: [a, b]}\nlinks: {l: {between: [[a, b]], has: {river: true}}}",
        [
            (
                "10:37 no-link-kind: links without a 'kind' have no attributes"
                " (add 'kind:' with the link kind whose attributes these are)"
            )
        ],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults(name):
    """Each mistake is reported once, at its place, with what to do."""
    text, expected = FAULTS[name]
    assert said(KINDS, text) == expected


def test_figures_of_individuals_counters_and_links():
    """Every number is a figure with its own standing: the cell's, else the row's or column's, else the grid's."""
    ruleset = documents(
        KINDS,
        """
        sources: {atlas: {title: An atlas}}
        individuals:
          area:
            cite: 1.2
            standing: reconstructed
            figures: {value: derived, b/value: {standing: found, source: atlas, cite: 1.3}, c: stated}
            grid: |
              id | value sea
              a  | 1     true
              b  | 2     true
              c  | 3     true
          unit: {ney: {steps: 4, standing: derived}}
        pieces: {unit: [{id: x, count: 2, steps: 5, standing: found, source: atlas}]}
        links: {borders: {standing: found, source: atlas, between: [[a, b], [b, c]]}}
        """,
    )
    found = figures(ruleset, linked(KINDS))
    assert [(each.path, each.value, each.standing, each.source, each.cite) for each in found] == [
        ("individuals/area/a/value", 1, "derived", None, ("1.2",)),
        ("individuals/area/b/value", 2, "found", "atlas", ("1.3",)),
        ("individuals/area/c/value", 3, "stated", None, ("1.2",)),
        ("individuals/unit/ney/steps", 4, "derived", None, ()),
        ("pieces/unit/x/count", 2, "found", "atlas", ()),
        ("pieces/unit/x/steps", 5, "found", "atlas", ()),
        ("links/borders", 2, "found", "atlas", ()),
    ]
    assert str(found[1].place) == "r.yaml:18:12"


def test_faults_of_standings():
    """A figure must have a standing that exists, a source if it was found, and a path that names something."""
    text = """
    sources: {atlas: {title: An atlas}}
    individuals:
      area:
        standing: recostructed
        figures: {a/valu: stated, b: found, c: {standing: found, source: altas}}
        grid: |
          id | value
          a  | 1
          b  | 1
          c  | 1
    """
    assert said(KINDS, text) == [
        "12:15 unknown-standing: 'recostructed' is no standing of a figure (did you mean 'reconstructed'?)",
        "13:15 unknown-figure: 'a/valu' names no figure here (did you mean 'a/value'?)",
        (
            "13:34 no-source: a found figure must name the public source it was found in"
            " (add 'source:' with the name of an entry in 'sources')"
        ),
        "13:70 unknown-source: there is no source 'altas' (did you mean 'atlas'?)",
    ]
