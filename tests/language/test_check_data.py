"""Values given as data: their stored form, and the errors of wrong ones."""

from fractions import Fraction

import pytest
from checker_samples import BASE, formatted, found, program_of

from interpreter.language.checking.check import check_program, store
from interpreter.language.diagnostics import NOWHERE, RulesetError
from interpreter.language.model.program import Individual
from interpreter.language.tree.types import (
    BOOL,
    INT,
    NUMBER,
    TEXT,
    EnumType,
    KindType,
    ListType,
    OptionalType,
    SetType,
)

STORED = [
    (3, INT, 3),
    ("-4", INT, -4),
    (Fraction(1, 2), NUMBER, ("fraction", 1, 2)),
    ("1.50", NUMBER, ("fraction", 3, 2)),
    (Fraction(4, 2), NUMBER, 2),
    (True, BOOL, True),
    ("false", BOOL, False),
    ("words", TEXT, "words"),
    ("wood", EnumType("terrain"), ("word", "terrain", "wood")),
    ("bora", KindType("hex"), ("ref", "hex", "bora")),
    ("bora", KindType("place"), ("ref", "hex", "bora")),
    ("grey", KindType("player"), ("ref", "player", "grey")),
    ("b3", KindType("square"), ("ref", "square", "b3")),
    (None, OptionalType(KindType("hex")), None),
    ("none", OptionalType(INT), None),
    (
        ("wood", "hill"),
        SetType(EnumType("terrain")),
        ("list", (("word", "terrain", "wood"), ("word", "terrain", "hill"))),
    ),
    ((), ListType(INT), ("list", ())),
    ({"steps": 2}, KindType("report"), ("record", "report", (("steps", 2),))),
]


@pytest.mark.parametrize(("datum", "kind", "stored"), STORED)
def test_expected_type_determines_stored_value(datum, kind, stored):
    """Words, individuals, numbers and records are converted to the form of the image."""
    program = program_of(BASE)
    check_program(program)
    assert store(program, datum, kind, NOWHERE) == stored


REFUSED = [
    (True, INT, "wrong-value: expected int, found true (write a whole number)"),
    ("x", NUMBER, "wrong-value: expected number, found 'x' (write a number)"),
    (1, BOOL, "wrong-value: expected bool, found 1 (write true or false)"),
    (None, TEXT, "wrong-value: expected text, found nothing (write a text in quotes)"),
    ("wod", EnumType("terrain"), "wrong-value: expected terrain, found 'wod' (did you mean 'wood'?)"),
    ("albo", KindType("hex"), "wrong-value: expected hex, found 'albo' (did you mean 'alba'?)"),
    ("d1", KindType("square"), "wrong-value: expected square, found 'd1'"),
    ("wood", SetType(EnumType("terrain")), "wrong-value: expected set of terrain, found 'wood' (write a list: '[…]')"),
    (
        {"stepz": 1, "steps": 1},
        KindType("report"),
        "unknown-attribute: report has no attribute 'stepz' (did you mean 'steps'?)",
    ),
    ({}, KindType("report"), "missing-value: a report needs 'steps' (int)"),
    ({"a": 1}, KindType("hex"), "wrong-value: expected hex, found several values by name"),
]


@pytest.mark.parametrize(("datum", "kind", "findings"), REFUSED)
def test_wrong_data_is_rejected(datum, kind, findings: str):
    """The error names the expected type and the nearest valid value."""
    program = program_of(BASE)
    check_program(program)
    with pytest.raises(RulesetError) as caught:
        store(program, datum, kind, NOWHERE)
    assert formatted(list(caught.value.diagnostics)) == [findings]


def test_errors_of_individuals_have_the_place_of_the_value():
    """Wrong, unknown and missing values and an invalid holder are reported at their places."""
    program = program_of(BASE)
    boss = Individual(name="boss", kind="leader", at="limbo", values={"rank": "high", "rnk": 1}, place=NOWHERE)
    program.individuals["leader", "boss"] = boss
    assert formatted(found(program)) == [
        "wrong-value: boss.rank: expected int, found 'high' (write a whole number)",
        "unknown-attribute: leader has no attribute 'rnk' (did you mean 'rank'?)",
        "missing-value: boss needs 'nation' (nation) (give it here, or give the attribute a default)",
        "cannot-stand: 'boss': a leader can't be in a box (it can be in hex or army)",
    ]


def test_unknown_position_suggests_nearest_place():
    """An unknown position is an error that suggests the nearest place."""
    program = program_of(BASE)
    boss = Individual(name="boss", kind="leader", at="borra", values={"nation": "rosa"})
    program.individuals["leader", "boss"] = boss
    assert formatted(found(program)) == [
        "unknown-place: 'boss' is at 'borra', but there is no such place (did you mean 'bora'?)"
    ]
