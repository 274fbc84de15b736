"""Checks victory conditions: that each of their texts gives what it is for."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from interpreter.language.checking.program.checker import Checker
from interpreter.language.checking.types.assignability import ANYTHING, is_collection
from interpreter.language.diagnostics import Diagnostic
from interpreter.language.model.emitted_names import victory_role
from interpreter.language.model.program import Definition
from interpreter.language.tree.types import (
    BOOL,
    NUMBER,
    EnumType,
    KindType,
    ListType,
    OptionalType,
    SetType,
    Type,
    element,
)

_SEAT: Final = KindType("seat")
_THINGS: Final = ListType(ANYTHING)
_WANTED: Final[dict[str, tuple[str, Type]]] = {
    "when": ("'when'", BOOL),
    "for": ("'for'", _SEAT),
    "value": ("'value'", NUMBER),
    "goal": ("'goal'", NUMBER),
    "parts": ("'of' of its parts", _THINGS),
    "part_value": ("'value' of its parts", ListType(NUMBER)),
    "part_most": ("'most' of its parts", ListType(NUMBER)),
    "levels": ("'of' of its levels", _THINGS),
    "level": ("'now' of its levels", OptionalType(ANYTHING)),
    "level_least": ("'least' of its levels", ListType(OptionalType(NUMBER))),
    "level_most": ("'most' of its levels", ListType(OptionalType(NUMBER))),
    "note": ("'when' of its notes", BOOL),
}
"""What each text is called in its document, and its type."""


def check_victory(checker: Checker) -> None:
    """Reports texts of another type than they need, and parameters of which there are no things."""
    for rule in checker.program.victory:
        what, wanted = _WANTED.get(victory_role(rule.name), ("a value of its notes", rule.gives))
        given = (element(rule.gives) if wanted is _SEAT and is_collection(rule.gives) else None) or rule.gives
        if not checker.lattice.fits(_with_words_as_things(given), wanted):
            place = rule.place if rule.value is None else rule.value.place
            message = f"{what} of the victory condition '{rule.called}': expected {wanted}, found {rule.gives}"
            checker.report.append(Diagnostic("wrong-type", message, place, checker.lattice.advice(given, wanted)))
        _check_takes(checker, rule)


def _with_words_as_things(kind: Type) -> Type:
    """Returns a type with things in place of words: what is counted or reached needs only a name."""
    match kind:
        case EnumType():
            return ANYTHING
        case SetType() | ListType() | OptionalType():
            return replace(kind, of=_with_words_as_things(kind.of))
        case _:
            return kind


def _check_takes(checker: Checker, rule: Definition) -> None:
    for number, parameter in enumerate(rule.takes):
        if number or not isinstance(parameter.type, KindType):
            message = f"the victory condition '{rule.called}' can take one thing, such as a seat"
            hint = "it is shown once for each thing of that kind"
            found = Diagnostic("wrong-type", message, parameter.place, hint)
            if found not in checker.report:
                checker.report.append(found)
