"""Linking definitions, modifiers, restrictions, searches, procedures, menus, actions, the sequence and views."""

import pytest
from link_by_hand import documents, linked, said

from interpreter.language.tree.statements import BoolLit, Call, Compare, IntLit, Name
from interpreter.rules.linking.link import figures

KINDS = """
    kinds:
      player: {is: seat, members: [red, blue]}
      area: {is: space, has: {sea: "bool = false"}}
      unit: {is: piece, in: area, has: {owner: player, steps: "int = 1"}}
"""


def test_a_definition_is_a_function_or_a_computed_attribute():
    """The subject of a computed attribute is its first parameter, under the name of its kind."""
    program = linked(
        KINDS,
        """
        definitions:
          losses: {cite: 1.1, takes: {unit: unit, by: int}, gives: int, is: unit.steps - by}
          unit.strong: {takes: {than: int}, is: .steps > than}
          six: {is: 6}
          always: {is: true}
          long:
            do: |
              return 3
        """,
    )
    losses, strong, six, always, long = program.definitions.values()
    assert [(each.name, each.written.name if each.written else None) for each in losses.takes] == [
        ("unit", "unit"),
        ("by", "int"),
    ]
    assert (losses.subject, losses.cites, losses.written.name) == (None, ("1.1",), "int")
    assert (strong.name, strong.subject, [each.name for each in strong.takes]) == (
        "unit.strong",
        "unit",
        ["unit", "than"],
    )
    assert isinstance(six.value, IntLit)
    assert isinstance(always.value, BoolLit)
    assert (long.value, len(long.body)) == (None, 1)
    assert str(six.value.place) == "r.yaml:8:13"


def test_modifiers_have_items_and_limits():
    """Items and limits keep their conditions, values and scopes; plain numbers are figures."""
    text = """
        modifiers:
          drm:
            cite: 2.1
            takes: {unit: unit}
            each:
              - {id: sea, cite: 2.2, when: unit.area.sea, unless: unit.steps > 3, value: -2}
              - {id: steps, value: unit.steps}
              - {id: luck, value: "1.5", standing: derived}
            limits:
              - {id: cap, cite: 2.3, on_each: [sea, luck], least: -1, most: 4}
              - {id: rest, except: sea, most: unit.steps}
    """
    program = linked(KINDS, text)
    drm = program.modifiers["drm"]
    assert [(each.name, each.cites, str(each.place)) for each in drm.items] == [
        ("sea", ("2.2",), "r.yaml:10:14"),
        ("steps", (), "r.yaml:11:14"),
        ("luck", (), "r.yaml:12:14"),
    ]
    assert isinstance(drm.items[0].unless, Compare)
    assert [(each.name, each.on_each, each.on_sum, each.except_) for each in drm.limits] == [
        ("cap", ("sea", "luck"), (), ()),
        ("rest", (), (), ("sea",)),
    ]
    assert drm.limits[1].least is None
    found = figures(documents(KINDS, text), program)
    assert [(each.path, float(each.value), each.standing) for each in found] == [
        ("modifiers/drm/each/sea/value", -2, "stated"),
        ("modifiers/drm/each/luck/value", 1.5, "derived"),
    ]


def test_restrictions_and_searches():
    """A restriction has reasons, a search its graph; the texts of a search see here and there."""
    program = linked(
        KINDS,
        """
        restrictions:
          march_bars: {takes: {unit: unit}, each: [{id: sea, when: unit.area.sea, says: {en: No ships}}]}
        searches:
          way: {takes: {unit: unit}, over: area, cost: 2, within: unit.steps, bars: [{id: sea, when: there.sea}]}
        """,
    )
    (item,) = program.restrictions["march_bars"].items
    assert (item.name, item.says) == ("sea", "No ships")
    way = program.searches["way"]
    assert (way.over, way.next, way.here.name, way.there.name) == ("area", None, "here", "there")
    assert [each.name for each in way.bars] == ["sea"]
    assert isinstance(way.cost, IntLit)


def test_procedures_menus_and_actions():
    """The conditions of an action are kept one by one; picks keep their order and prompts."""
    program = linked(
        KINDS,
        """
        procedures:
          march: {cite: 3, takes: {unit: unit}, when: unit.owner = red, gives: int, do: return 1, outcomes: {far: true}}
        menus:
          moves: {takes: {player: player}, prompt: Your move?}
        actions:
          move:
            menu: moves
            cite: 3.1
            when: player = red and (1 < 2 and not false)
            pick:
              unit: units where .owner = player
              to: {of: unit.area.neighbours, prompt: Where to?}
            do: move unit to to
          rest: {menu: moves, when: [{id: tired, cite: 3.2, when: 1 > 2, says: not tired}], do: march(first(units))}
          wait: {menu: moves, when: player = blue, do: return}
          stay: {menu: moves, when: (player = blue and true), do: return}
        """,
    )
    march = program.procedures["march"]
    assert list(march.outcomes) == ["far"]
    assert [each.says for each in march.needs] == ["unit.owner = red"]
    assert program.menus["moves"].prompt == "Your move?"
    move, rest, wait, stay = program.actions.values()
    assert [(each.name, each.says) for each in move.needs] == [("1", "player = red"), ("2", "(1 < 2 and not false)")]
    assert [(each.parameter.name, each.prompt) for each in move.picks] == [("unit", ""), ("to", "Where to?")]
    assert [(each.name, each.cites, each.says) for each in rest.needs] == [("tired", ("3.2",), "not tired")]
    assert [each.says for each in wait.needs] == ["player = blue"]
    assert [each.says for each in stay.needs] == ["", ""]
    assert move.menu == "moves"


def test_the_sequence_is_a_tree():
    """Steps know what the steps around them bind."""
    root = linked(
        KINDS,
        """
        sequence:
          game:
            repeat: 10
            until: 1 > 2
            steps:
              turn:
                cite: 4
                each: player in players
                when: true
                steps:
                  moving: {each: unit in units, do: remove unit}
                  ending: {do: end turn}
        """,
    ).sequence
    assert root is not None
    assert isinstance(root.repeat, IntLit)
    (turn,) = root.steps
    moving, ending = turn.steps
    assert [(each.name, each.parent) for each in (root, turn, moving)] == [
        ("game", None),
        ("turn", "game"),
        ("moving", "turn"),
    ]
    assert [each.name for each in moving.scope] == ["player", "unit"]
    assert [each.name for each in ending.scope] == ["player"]
    assert moving.bound is moving.scope[1]
    assert turn.bound is turn.scope[0]
    assert isinstance(turn.each.of, Name)


def test_views_opinions_and_invariants():
    """A view's text sees the thing under its kind's name."""
    program = linked(
        KINDS,
        """
        views: {stacks: {of: unit, when: unit.steps > 1, seen_by: "{unit.owner}", others_see: [owner, contents]}}
        evaluation: {takes: {player: player}, is: count(units where .owner = player)}
        priors: {march: 3, march.unit: {takes: {player: player, unit: unit}, do: return unit.steps}}
        invariants: {few: {cite: 5, is: count(units) < 100}}
        """,
    )
    view = program.views["stacks"]
    assert (view.kind, view.subject.name, view.others_see) == ("unit", "unit", ("owner", "contents"))
    assert program.evaluation is not None
    assert isinstance(program.evaluation.value, Call)
    assert [each.name for each in program.evaluation.takes] == ["player"]
    assert {name: len(each.takes) for name, each in program.priors.items()} == {"march": 0, "march.unit": 2}
    assert {each.section for each in program.priors.values()} == {"priors"}
    assert program.invariants["few"].cites == ("5",)


FAULTS = {
    "a subject that is no kind": (
        "definitions: {unti.x: {is: 3}}",
        ["5:15 unknown-kind: there is no kind 'unti' (did you mean 'unit'?)"],
    ),
    "an attribute both stored and computed": (
        "definitions: {unit.steps: {is: 3}}",
        [
            (
                "5:15 duplicate-name: 'steps' is a stored attribute of 'unit' and can't be computed too"
                " (rename or remove one of the two; the first is at r.yaml:4:52)"
            )
        ],
    ),
    "both ways of a definition": (
        "definitions: {x: {is: 3, do: return 3}}",
        [("5:15 wrong-shape: 'x' has both 'is' and 'do' ('is' holds an expression, 'do' a block that returns one)")],
    ),
    "a word of the language": (
        "procedures: {move: {do: return}}",
        [
            (
                "5:14 reserved-name: 'move' is a word of the rule language and can't be the name of a procedure"
                " (choose another, such as 'move_')"
            )
        ],
    ),
    "one name for two rules": (
        "definitions: {x: {is: 3}}\nprocedures: {x: {do: return}}",
        [
            (
                "6:14 ambiguous-name: 'x' can mean the definition 'x' and the procedure 'x'"
                " (rename one of them; the other is at r.yaml:5:15)"
            )
        ],
    ),
    "an item twice": (
        "modifiers: {m: {each: [{id: a, value: 1}, {id: a, value: 2}]}}",
        [
            (
                "5:48 duplicate-name: two modifiers are called 'a'"
                " (rename or remove one of the two; the first is at r.yaml:5:29)"
            )
        ],
    ),
    "a limit on no item": (
        "modifiers: {m: {each: [{id: supply, value: 1}], limits: [{id: l, on_each: suply, most: 2}]}}",
        ["5:75 unknown-modifier: there is no modifier 'suply' (did you mean 'supply'?)"],
    ),
    "a limit on two scopes": (
        "modifiers: {m: {each: [{id: a, value: 1}], limits: [{id: l, on_each: a, except: a, most: 2}]}}",
        ["5:58 wrong-shape: the limit 'l' says twice what it is on (write a limit for each of them)"],
    ),
    "a search over no spaces": (
        "searches: {s: {over: unit}}",
        ["5:22 unknown-kind: 'unit' is a piece, and a kind of space is needed here (known here: area, space)"],
    ),
    "an action in no menu": (
        "menus: {moves: {}}\nactions: {a: {menu: move, do: return}}",
        ["6:21 unknown-menu: there is no menu 'move' (did you mean 'moves'?)"],
    ),
    "a step twice": (
        "sequence: {game: {steps: {a: {do: return}, b: {steps: {a: {do: return}}}}}}",
        [
            (
                "5:56 duplicate-name: two steps are called 'a'"
                " (rename one, as 'end a' could mean either; the first is at r.yaml:5:27)"
            )
        ],
    ),
    "two roots": (
        "sequence: {game: {do: return}, more: {do: return}}",
        [
            (
                "5:32 second-root: the sequence begins with 'game' already"
                " (put it among the 'steps' of 'game', or put one step around both)"
            )
        ],
    ),
    "until without repeat": (
        "sequence: {game: {until: true, do: return}}",
        [
            (
                "5:12 missing-key: the step 'game' has 'until' without 'repeat'"
                " (add 'repeat:' with the most repetitions there can be)"
            )
        ],
    ),
    "a view of nothing": (
        "views: {v: {of: unti}}",
        ["5:17 unknown-kind: there is no kind 'unti' (did you mean 'unit'?)"],
    ),
    "a view of no attribute": (
        "views: {v: {of: unit, others_see: [ownr]}}",
        ["5:36 unknown-attribute: unit has no attribute 'ownr' (did you mean 'owner'?)"],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_rules(name):
    """Each mistake is reported once, at its place, with what to do."""
    text, expected = FAULTS[name]
    assert said(KINDS, text) == expected


def test_a_syntax_error_doesnt_hide_another():
    """Every faulty text of a ruleset is reported, each at its own line and column."""
    found = said(
        KINDS,
        """
        definitions:
          a: {is: 3 +}
        procedures:
          b:
            do: |
              let x = 1
              set x == 2
        sequence:
          game: {when: not, do: b()}
        """,
    )
    assert [each.split(" ")[0] for each in found] == ["6:14", "11:13", "13:19"]


CLAUSES = """
    clauses:
      - {id: 10.2.1, kind: rule, says: one, see: 10.3.1}
      - {id: 10.3, kind: rule, says: two}
"""


def test_citations_name_clauses_or_sections():
    """A clause, a section of clauses, and a line's citation of either are known."""
    text = "state: {x: int}\nprocedures: {p: {cite: [10.2.1, 10.2, 10], do: 'set x = 1 @10.3'}}\n"
    assert said("clauses:\n  - {id: 10.2.1, kind: rule, says: a}\n  - {id: 10.3, kind: rule, says: b}\n", text) == []


def test_unknown_citations_are_found_everywhere():
    """In symbols, items, figures, examples, lists of clauses, and at the ends of lines however deep."""
    text = """
    kinds: {arm: {is: enum, members: [foot], cite: 10.4}}
    state: {x: int}
    modifiers: {m: {each: [{id: a, cite: 10.2.2, value: 1}]}}
    procedures:
      p:
        do: |
          if x = 1:
            repeat 2 times: set x = 1    @11
    sequence: {game: {do: set x = 1 @12}}
    examples: {e: {cite: 13, run: p()}}
    left_out: [{clauses: [10.3, 14], reason: none}]
    """
    assert [each.split(" (")[0] for each in said(CLAUSES, text)] == [
        f"{place} unknown-clause: the ruleset has no clause '{name}'"
        for place, name in (
            ("2:46", "10.3.1"),
            ("4:48", "10.4"),
            ("6:38", "10.2.2"),
            ("11:39", "11"),
            ("12:34", "12"),
            ("13:22", "13"),
            ("14:29", "14"),
        )
    ]


def test_without_clauses_no_citation_is_checked():
    """A ruleset may cite a rulebook whose clauses it doesn't carry."""
    assert said("state: {x: int}\nprocedures: {p: {cite: 7, do: 'set x = 1 @8'}}") == []
