"""Resolves written types, and converts values given as data."""

from __future__ import annotations

import re
from fractions import Fraction

from interpreter.language.diagnostics import Diagnostic, Place, RulesetError, did_you_mean, with_article
from interpreter.language.model.image import Stored
from interpreter.language.model.kind_hierarchy import Attribute
from interpreter.language.model.program import Datum, Program
from interpreter.language.tree.statements import TypeExpr
from interpreter.language.tree.types import (
    BOOL,
    INT,
    NUMBER,
    SCALARS,
    TEXT,
    UNKNOWN,
    EnumType,
    KindType,
    ListType,
    MapType,
    OptionalType,
    SetType,
    Type,
    UnknownType,
    optional,
)
from interpreter.language.whole_numbers import MAX_DIGITS, signed_number

ROOT_TYPES = ("space", "piece", "thing", "seat")
_DIGITS = rf"[0-9]{{1,{MAX_DIGITS}}}"
DECIMAL = re.compile(rf"[+-]?{_DIGITS}(\.{_DIGITS}|/(?=[1-9]){_DIGITS})?")


_FOREIGN_TYPES = {"integer": "int", "boolean": "bool", "string": "text", "str": "text", "float": "number"}


def resolve_type(program: Program, written: TypeExpr, report: list[Diagnostic]) -> Type:
    """Returns the type that was written; an unknown name is reported and gives the unknown type."""
    parts = [resolve_type(program, each, report) for each in written.of]
    match written.form:
        case "optional":
            return optional(parts[0])
        case "set":
            return SetType(parts[0])
        case "list":
            return ListType(parts[0])
        case "map":
            return MapType(parts[0], parts[1])
    name = written.name
    if name in SCALARS:
        return SCALARS[name]
    if name in program.enums:
        return EnumType(name)
    if name in program.kinds or name in ROOT_TYPES:
        return KindType(name)
    known = [*SCALARS, *program.enums, *program.kinds, *ROOT_TYPES]
    hint = f"write '{_FOREIGN_TYPES[name]}'" if name in _FOREIGN_TYPES else did_you_mean(name, known)
    report.append(Diagnostic("unknown-type", f"there is no type '{name}'", written.place, hint))
    return UNKNOWN


def may_be_missing(attribute: Attribute) -> bool:
    """Whether the attribute needs no value: it has a default, may be none, or is a collection."""
    if attribute.written is not None and attribute.written.default is not None:
        return True
    return isinstance(attribute.type, OptionalType | SetType | ListType | MapType | UnknownType)


def store(program: Program, datum: Datum | dict[str, Datum], kind: Type, place: Place) -> Stored:
    """Returns a value given as data in the form of the image; the expected type resolves words and individuals.

    Raises:
        RulesetError: if the value is not of that type.
    """
    if isinstance(datum, dict):
        return _record(program, datum, kind, place)
    match kind:
        case OptionalType(of):
            return None if datum is None or datum == "none" else store(program, datum, of, place)
        case EnumType(name):
            return _word(program, datum, name, place)
        case KindType(name):
            return _thing(program, datum, name, place)
        case SetType(of) | ListType(of):
            return ("list", tuple([store(program, each, of, place) for each in _items(datum, kind, place)]))
        case _:
            return _scalar(datum, kind, place)


_WRITTEN: dict[Type, str] = {INT: "write a whole number", BOOL: "write true or false", TEXT: "write a text in quotes"}


def _wrong_value(datum: object, kind: Type, place: Place, hint: str | None = None) -> RulesetError:
    return RulesetError([Diagnostic("wrong-value", f"expected {kind}, found {_datum_text(datum)}", place, hint)])


def _datum_text(datum: object) -> str:
    match datum:
        case None:
            return "nothing"
        case bool():
            return "true" if datum else "false"
        case str():
            return f"'{datum}'"
        case tuple():
            return "a list"
        case dict():
            return "several values by name"
    return str(datum)


def _scalar(datum: Datum, kind: Type, place: Place) -> Stored:
    if kind == INT:
        if isinstance(datum, int) and not isinstance(datum, bool):
            return datum
        if isinstance(datum, str) and (number := signed_number(datum)) is not None:
            return number
    elif kind == NUMBER:
        return _number(datum, place)
    elif kind == BOOL:
        if isinstance(datum, bool):
            return datum
        if datum in ("true", "false"):
            return datum == "true"
    elif kind == TEXT and isinstance(datum, str):
        return datum
    raise _wrong_value(datum, kind, place, _WRITTEN.get(kind))


def _number(datum: Datum, place: Place) -> Stored:
    if isinstance(datum, str) and DECIMAL.fullmatch(datum):
        datum = Fraction(datum)
    if isinstance(datum, int) and not isinstance(datum, bool):
        return datum
    if isinstance(datum, Fraction):
        return datum.numerator if datum.denominator == 1 else ("fraction", datum.numerator, datum.denominator)
    raise _wrong_value(datum, NUMBER, place, "write a number")


def _items(datum: Datum, kind: Type, place: Place) -> tuple[Datum, ...]:
    if isinstance(datum, tuple):
        return datum
    raise _wrong_value(datum, kind, place, "write a list: '[…]'")


def _word(program: Program, datum: Datum, name: str, place: Place) -> Stored:
    words = program.enums[name].words if name in program.enums else ()
    if isinstance(datum, str) and datum in words:
        return ("word", name, datum)
    hint = did_you_mean(datum, words) if isinstance(datum, str) else None
    raise _wrong_value(datum, EnumType(name), place, hint)


def _thing(program: Program, datum: Datum, name: str, place: Place) -> Stored:
    if isinstance(datum, str):
        owner = owner_of(program, name, datum)
        if owner is not None:
            return ("ref", owner, datum)
    known = [each for (kind, each) in program.individuals if kind == name or program.is_a(kind, name)]
    known += [each for kind in program.subkinds(name) for each in kind.members]
    raise _wrong_value(
        datum, KindType(name), place, did_you_mean(str(datum), known) if isinstance(datum, str) else None
    )


def owner_of(program: Program, kind: str, name: str) -> str | None:
    """Returns `kind` or the sub-kind of it that has an individual or seat of that name, or none."""
    below = program.subkinds(kind) or [each for each in program.kinds.values() if each.root == kind]
    for each in below:
        if (each.name, name) in program.individuals or name in each.members:
            return each.name
    return None


def _record(program: Program, values: dict[str, Datum], kind: Type, place: Place) -> Stored:
    if not isinstance(kind, KindType) or kind.name not in program.kinds or program.kinds[kind.name].root != "record":
        raise _wrong_value(values, kind, place)
    attributes = program.attributes(kind.name)
    faults: list[Diagnostic] = []
    stored = []
    for name, datum in values.items():
        if name not in attributes:
            hint = did_you_mean(name, attributes)
            faults.append(Diagnostic("unknown-attribute", f"{kind} has no attribute '{name}'", place, hint))
            continue
        try:
            stored.append((name, store(program, datum, attributes[name].type, place)))
        except RulesetError as error:
            faults += error.diagnostics
    for name, attribute in attributes.items():
        if name not in values and not may_be_missing(attribute):
            faults.append(Diagnostic("missing-value", f"{with_article(kind)} needs '{name}' ({attribute.type})", place))
    if faults:
        raise RulesetError(faults)
    return ("record", kind.name, tuple(stored))
