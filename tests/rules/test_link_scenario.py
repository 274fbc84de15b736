"""Linking scenarios: what they set up as plain data, and what is wrong with them."""

import pytest
from link_by_hand import linked, mapping

from interpreter.language.checking.check import check_program
from interpreter.rules.linking.scenario import link_scenario, scenario_options

RULESET = """
    kinds:
      player: {is: seat, members: [red, blue], has: {score: "int = 0"}}
      season: {is: enum, members: [spring, autumn]}
      area: {is: space, has: {owner: "player?"}}
      counter: {is: piece, in: area, has: {steps: int}}
      unit: {is: counter, has: {guns: "int = 0", seen_by: set of player}}
      arrival: {is: thing, has: {turn: int, unit: "unit?", place: area}}
    individuals: {area: [paris, rome], arrival: {first: {turn: 1, place: rome}}}
    pieces: {unit: [{id: x, count: 2, at: paris, steps: 1}]}
    state: {morale: "int = 20", now: "season = spring"}
    options: {fog: {default: false}, turns: {default: 5, most: 9}}
"""


@pytest.fixture
def program():
    made = linked(RULESET)
    check_program(made)
    return made


def _said(program, text: str) -> list[str]:
    return [
        f"{each.place.line}:{each.place.column} {each.code}: {each.message}" + (f" ({each.hint})" if each.hint else "")
        for each in link_scenario(mapping(text), program)[1]
    ]


def test_a_scenario_is_plain_data(program):
    """Values are stored by their types, pieces by kind and id, whatever kind the scenario names them under."""
    node = mapping("""
        options: {fog: true, turns: 7}
        seats: {red: {en: The Red Army}, blue: Blue}
        pieces: {unit: [{id: y, count: 2, at: rome, steps: 3, seen_by: [red]}]}
        set: {area/rome/owner: blue, state/morale: 12, counter/x_1/steps: 4}
        state: {now: autumn}
        board:
          unit:
            - {ids: [x_1, y_2], at: rome, guns: 2}
            - {id: x_2, at: none}
            - {id: y_1, guns: 1}
    """)
    setup, faults = link_scenario(node, program)
    assert not faults
    assert scenario_options(node) == {"fog": True, "turns": 7}
    assert setup.options == (("fog", True), ("turns", 7))
    assert setup.seats == (("red", "The Red Army"), ("blue", "Blue"))
    red = ("list", (("ref", "player", "red"),))
    assert setup.pieces == (
        ("unit", "y_1", (("steps", 3), ("seen_by", red)), ("area", "rome")),
        ("unit", "y_2", (("steps", 3), ("seen_by", red)), ("area", "rome")),
    )
    assert setup.sets == (("area", "rome", "owner", ("ref", "player", "blue")), ("unit", "x_1", "steps", 4))
    assert setup.state == (("morale", 12), ("now", ("word", "season", "autumn")))
    assert setup.board == (
        ("unit", "x_1", (("guns", 2),), ("area", "rome")),
        ("unit", "y_2", (("guns", 2),), ("area", "rome")),
        ("unit", "x_2", (), None),
        ("unit", "y_1", (("guns", 1),), ()),
    )
    assert ("unit", "y_1") not in program.individuals


def test_a_scenario_in_text_grids(program):
    """Further counters and the board may be tables as text; a dash leaves a piece where it is, `none` takes it off."""
    node = mapping("""
        pieces:
          unit:
            - grid: |
                id | count steps at
                y  | 2     3     rome
            - {id: z, steps: 1}
        board:
          unit:
            - grid: |
                id  | at    guns
                x_1 | rome  2
                x_2 | none  -
                y_1 | -     1
            - {id: z, at: paris}
    """)
    setup, faults = link_scenario(node, program)
    assert not faults
    assert setup.pieces == (
        ("unit", "y_1", (("steps", 3),), ("area", "rome")),
        ("unit", "y_2", (("steps", 3),), ("area", "rome")),
        ("unit", "z", (("steps", 1),), None),
    )
    assert setup.board == (
        ("unit", "x_1", (("guns", 2),), ("area", "rome")),
        ("unit", "x_2", (), None),
        ("unit", "y_1", (("guns", 1),), ()),
        ("unit", "z", (), ("area", "paris")),
    )


def test_a_scenario_brings_things_of_its_own(program):
    """They may speak of its counters, and its counters of them: all are known before a value is read."""
    node = mapping("""
        pieces: {unit: [{id: guard, steps: 3}]}
        things:
          arrival:
            - {id: relief, turn: 3, unit: guard, place: paris}
            - grid: "id | turn place\\nlate | 5 rome"
    """)
    setup, faults = link_scenario(node, program)
    assert not faults
    unit, paris, rome = ("ref", "unit", "guard"), ("ref", "area", "paris"), ("ref", "area", "rome")
    assert setup.pieces == (
        ("arrival", "relief", (("turn", 3), ("unit", unit), ("place", paris)), None),
        ("arrival", "late", (("turn", 5), ("place", rome)), None),
        ("unit", "guard", (("steps", 3),), None),
    )


FAULTS = {
    "things that are there already, or are none": (
        "things: {arrival: [{id: first, turn: 2, place: rome}], unit: [{id: z, steps: 1}]}",
        [
            "1:25 duplicate-name: the arrival 'first' is there already (change its values under 'set')",
            "1:56 unknown-kind-of-thing: 'unit' is a piece, and a kind of thing is needed here (known here: arrival)",
        ],
    ),
    "a text grid with mistakes": (
        "board:\n  unit:\n    grid: |\n      id  | at    gun\n      x_1 | rom   2\n      x_3 | paris 2\n",
        [
            "4:19 unknown-attribute: there is no attribute 'gun' (did you mean 'guns'?)",
            "5:13 unknown-holder: there is no area 'rom' (did you mean 'rome'?)",
            "6:7 unknown-individual: there is no unit 'x_3' (did you mean 'x_2'?)",
        ],
    ),
    "an unknown option": (
        "options: {fogg: true}",
        ["1:11 unknown-option: there is no option 'fogg' (did you mean 'fog'?)"],
    ),
    "a setting out of bounds": (
        "options: {turns: 10}",
        ["1:18 wrong-setting: '10' is no value of the option 'turns' (write a whole number up to 9)"],
    ),
    "an unknown path": (
        "set: {area/romme/owner: red, area/rome/ownr: red, state/moral: 3, aera/rome/owner: red, rome: 3}",
        [
            "1:7 unknown-individual: there is no area 'romme' (did you mean 'rome'?)",
            "1:30 unknown-attribute: area has no attribute 'ownr' (did you mean 'owner'?)",
            "1:51 unknown-state-value: there is no state value 'moral' (did you mean 'morale'?)",
            "1:67 unknown-kind: there is no kind 'aera' (did you mean 'area'?)",
            "1:89 wrong-path: 'rome' is no path to a value (write 'kind/id/attribute' or 'state/name')",
        ],
    ),
    "a value of another type": (
        "set: {area/rome/owner: bleu, state/morale: much}",
        [
            "1:24 wrong-value: owner: expected player, found 'bleu' (did you mean 'blue'?)",
            "1:44 wrong-value: morale: expected int, found 'much' (write a whole number)",
        ],
    ),
    "an unknown piece": (
        "board: {unit: [{ids: [x_1, x_3], at: paris}]}",
        ["1:28 unknown-individual: there is no unit 'x_3' (did you mean 'x_2'?)"],
    ),
    "a piece placed twice": (
        "board: {unit: [{id: x_1, at: paris}, {id: x_1, at: rome}]}",
        [
            (
                "1:43 placed-twice: 'x_1' is put on the board twice"
                " (take it out of one of the two; the first is at r.yaml:1:21)"
            )
        ],
    ),
    "a place that isn't": (
        "board: {unit: [{id: x_1, at: pari}]}",
        ["1:30 unknown-holder: there is no area 'pari' (did you mean 'paris'?)"],
    ),
    "a counter that is there already": (
        "pieces: {unit: [{id: x_1, steps: 2}]}",
        [("1:22 duplicate-name: the unit 'x_1' is there already (put it on the 'board' to change its location)")],
    ),
    "counters without a value are reported once": (
        "pieces: {unit: [{id: z, count: 3, at: paris}]}",
        ["1:22 missing-value: unit 'z_1' has no 'steps' (add 'steps:')"],
    ),
    "pieces of no piece kind": (
        "pieces: {area: [{id: z}]}",
        [
            (
                "1:10 unknown-kind-of-piece: 'area' is a space, and a kind of piece is needed here"
                " (known here: counter, unit)"
            )
        ],
    ),
    "a name of an unknown thing": (
        "names: {area: {romme: R}, unit: {x: X}, legion: {x: X}}",
        [
            "1:16 unknown-area: there is no area 'romme' (did you mean 'rome'?)",
            "1:41 unknown-kind: there is no kind 'legion' (known here: area, arrival, counter, player, unit)",
        ],
    ),
    "an unknown seat": (
        "seats: {green: G}",
        ["1:9 unknown-seat: there is no seat 'green' (known here: blue, red)"],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_scenarios(program, name):
    """Each mistake is reported once, at its place, with what to do."""
    text, expected = FAULTS[name]
    assert _said(program, text) == expected


def test_a_balance_is_one_of_seats_and_games(program):
    """Winners are seats of the ruleset, and there is a game; a seat that won none may be left out."""
    assert (
        _said(program, "scenario: {balance: [{player: greedy, wins: {red: 3}}, {player: x, wins: {red: 0}, draws: 1}]}")
        == []
    )
    assert _said(program, "scenario: {balance: [{player: greedy, wins: {rde: 3, blue: 2}}]}") == [
        "1:46 unknown-seat: there is no seat 'rde' (did you mean 'red'?)"
    ]
    assert _said(program, "scenario: {balance: [{player: greedy, wins: {red: 0}}]}") == [
        "1:22 no-games: this balance is one of no games (give the games that each seat has won, or 'draws')"
    ]
