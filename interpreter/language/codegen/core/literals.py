"""Data values as Python text, and as stored in an image."""

from __future__ import annotations

from fractions import Fraction

from interpreter.language.model.emitted_names import INDIVIDUAL, WORD
from interpreter.language.model.image import Stored
from interpreter.language.model.program import Datum
from interpreter.language.tree.types import EnumType, Type, present


def fraction(number: Fraction) -> str:
    """An exact fraction as Python text; a whole one is an int."""
    return str(number.numerator) if number.denominator == 1 else f"Fraction({number.numerator}, {number.denominator})"


def literal(datum: Datum, kind: Type) -> str:
    """The value of an option as Python text."""
    expected = present(kind)
    if isinstance(expected, EnumType) and isinstance(datum, str):
        return WORD(expected.name, datum)
    if isinstance(datum, Fraction):
        return fraction(datum)
    return repr(datum)


def stored_text(stored: Stored) -> str:
    """A stored value as Python text for the namespace of emitted code."""
    match stored:
        case None | bool() | int() | str():
            return repr(stored)
        case ("word", enum, name):
            return WORD(enum, name)
        case ("ref", kind, name):
            return INDIVIDUAL(kind, name)
        case ("fraction", top, bottom):
            return fraction(Fraction(top, bottom))
        case ("list", items):
            return "(" + "".join([f"{stored_text(each)}, " for each in items]) + ")"
        case other:
            raise AssertionError(f"{other!r} is not a stored value")
