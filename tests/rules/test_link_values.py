"""Linking options, state, constants and dice."""

from fractions import Fraction

import pytest
from link_by_hand import documents, linked, said

from interpreter.language.diagnostics import UsageError
from interpreter.language.tree.types import BOOL, INT, EnumType
from interpreter.rules.linking.link import figures

OPTIONS = """
    kinds: {season: {is: enum, members: [spring, summer, autumn]}}
    options:
      fog: {cite: 17.7, says: {en: Fog of war, ja: 霧}}
      turns: {type: int, default: 10, least: 5, most: 20}
      length: {default: short, choices: [short, long]}
      start: {type: word, default: spring, choices: [spring, autumn]}
"""


def test_an_option_has_its_default_unless_it_is_set():
    """The type follows from the default where none is written; words are those of an enum."""
    options = linked(OPTIONS).options
    assert [(each.name, each.type, each.default, each.value) for each in options.values()] == [
        ("fog", BOOL, False, False),
        ("turns", INT, 10, 10),
        ("length", EnumType("length"), "short", "short"),
        ("start", EnumType("season"), "spring", "spring"),
    ]
    assert options["fog"].says == "Fog of war"
    assert linked(OPTIONS).enums["length"].words == ("short", "long")


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("fog", "true", True),
        ("fog", False, False),
        ("turns", "7", 7),
        ("turns", 20, 20),
        ("length", "long", "long"),
    ],
)
def test_settings_are_read_from_values_and_from_text(name, given, value):
    """The command line gives text, a scenario values; the default stays known."""
    option = linked(OPTIONS, **{name: given}).options[name]
    assert option.value == value
    assert type(option.value) is type(value)
    assert option.default != value or name == "fog"


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("fogg", True, "there is no option 'fogg'; did you mean 'fog'?"),
        ("fog", "yes", "'yes' is no value of the option 'fog'; expected true or false"),
        ("fog", 1, "'1' is no value of the option 'fog'; expected true or false"),
        ("turns", "21", "'21' is no value of the option 'turns'; expected a whole number from 5 up to 20"),
        ("turns", True, "'True' is no value of the option 'turns'; expected a whole number from 5 up to 20"),
        ("turns", "²", "'²' is no value of the option 'turns'; expected a whole number from 5 up to 20"),
        ("length", "lang", "'lang' is no value of the option 'length'; expected one of short, long"),
    ],
)
def test_wrong_settings_are_usage_errors(name, given, message):
    """The message says which settings there are."""
    with pytest.raises(UsageError) as caught:
        linked(OPTIONS, **{name: given})
    assert str(caught.value) == message


def test_state_and_constants():
    """State values have a type and a default; constants are read as rule text, numbers too."""
    text = """
        state: {morale: "int = 20", leader: text?}
        constants:
          leg: {cite: 7.1, standing: derived, value: 4}
          hits: {value: 5..6}
          half: {value: "0.5"}
          debt: {value: -3}
    """
    program = linked(text)
    morale = program.state["morale"].attribute
    assert (morale.name, morale.owner, str(morale.place)) == ("morale", None, "r.yaml:1:9")
    assert morale.written is not None
    assert morale.written.default is not None
    assert program.constants["leg"].standing == "derived"
    assert program.constants["leg"].cites == ("7.1",)
    found = figures(documents(text), program)
    assert [(each.path, each.value, each.standing) for each in found] == [
        ("constants/leg", 4, "derived"),
        ("constants/hits", "5..6", "stated"),
        ("constants/half", Fraction(1, 2), "stated"),
        ("constants/debt", -3, "stated"),
    ]


def test_dice_of_words_and_of_numbers():
    """Named dice have the faces of an enum, or whole numbers."""
    dice = linked("""
        kinds: {symbol: {is: enum, members: [flag, saber]}}
        dice:
          battle: {of: symbol, faces: [flag, flag, saber]}
          average: {cite: 2, faces: [2, 3, 3, 4]}
    """).dice
    assert (dice["battle"].enum, dice["battle"].faces) == ("symbol", ("flag", "flag", "saber"))
    assert (dice["average"].enum, dice["average"].faces, dice["average"].cites) == (None, (2, 3, 3, 4), ("2",))


FAULTS = {
    "a default out of bounds": (
        "options: {a: {default: 3, least: 4}}",
        [("1:24 wrong-default: '3' can't be the default of the option 'a' (write a whole number from 4)")],
    ),
    "a bound that is no number": (
        "options: {a: {default: 3, most: many}}",
        ["1:33 wrong-bound: 'most' must be a whole number"],
    ),
    "a word without choices": (
        "options: {a: {default: short}}",
        [
            (
                "1:11 no-choices: nothing says what the option 'a' can be"
                " (add 'choices:' with the words that it can be set to)"
            )
        ],
    ),
    "a default that is no choice": (
        "options: {a: {default: shirt, choices: [short, long]}}",
        [("1:24 wrong-default: 'shirt' can't be the default of the option 'a' (write one of short, long)")],
    ),
    "a function's name": (
        "state: {count: int}",
        [
            (
                "1:9 reserved-name: 'count' is a function of the rule language and can't be the name of a state value"
                " (choose another, such as 'count_')"
            )
        ],
    ),
    "a name twice": (
        "state: {leg: int}\nconstants: {leg: {value: 3}}",
        [
            (
                "2:13 ambiguous-name: 'leg' can mean the state value 'leg' and the constant 'leg'"
                " (rename one of them; the other is at r.yaml:1:9)"
            )
        ],
    ),
    "one face": (
        "dice: {a: {faces: [1]}}",
        ["1:12 wrong-faces: a die has 2 to 1000 faces, not 1"],
    ),
    "a face of no enum": (
        "kinds: {s: {is: enum, members: [flag, saber]}}\ndice: {a: {of: s, faces: [flag, sabre]}}",
        ["2:33 unknown-word: s has no word 'sabre' (did you mean 'saber'?)"],
    ),
    "words without an enum": (
        "dice: {a: {faces: [flag, 1]}}",
        [
            (
                "1:20 wrong-faces: 'flag' is no face of a die without an enum"
                " (write whole numbers, or name an enum with 'of:')"
            )
        ],
    ),
    "an unknown enum": (
        "kinds: {symbol: {is: enum, members: [flag, saber]}}\ndice: {a: {of: symbl, faces: [flag, saber]}}",
        ["2:16 unknown-enum: there is no enum 'symbl' (did you mean 'symbol'?)"],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_values(name):
    """Each mistake is reported once, at its place, with what to do."""
    text, expected = FAULTS[name]
    assert said(text) == expected
