"""The relations between types: assignability, the common type of two, and what can be compared."""

from __future__ import annotations

from interpreter.language.model.program import Program
from interpreter.language.tree.types import (
    BOOL,
    EMPTY,
    INT,
    NONE,
    NUMBER,
    TEXT,
    EnumType,
    KindType,
    ListType,
    MapType,
    OptionalType,
    SetType,
    Type,
    UnknownType,
    element,
    optional,
    present,
)

ANYTHING = KindType("thing")
"""The type of the holder of a piece that can be in spaces and in pieces; every thing with an identity fits it."""
MAY_BE_NONE = "it may be none: test it with '!= none' before, or give a value with 'otherwise'"
HOLDERS = ("space", "piece")
"""The roots of kinds that can hold pieces."""


def is_number(kind: Type) -> bool:
    """Whether the type is a number type, or unknown."""
    return kind in (INT, NUMBER) or isinstance(kind, UnknownType)


def is_collection(kind: Type) -> bool:
    """Whether the type is a set, a list or a map."""
    return isinstance(kind, SetType | ListType | MapType)


def has_identity(kind: Type) -> bool:
    """Whether values of the type are things, so that a list of them can be used as a set."""
    return isinstance(kind, KindType | UnknownType)


class TypeLattice:
    """Computes the relations between types, given the kinds of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def is_a(self, kind: str, ancestor: str) -> bool:
        """Whether things of `kind` are things of `ancestor`; `thing` includes everything with an identity."""
        if kind == ancestor or self.program.is_a(kind, ancestor):
            return True
        return ancestor == ANYTHING.name and self.root(kind) != "record"

    def root(self, kind: str) -> str:
        """Returns the root word of a kind; a root word is its own root."""
        found = self.program.kinds.get(kind)
        return kind if found is None else found.root

    def overlap(self, one: str, other: str) -> bool:
        """Whether a thing can be of both kinds."""
        return self.is_a(one, other) or self.is_a(other, one)

    def fits(self, given: Type, wanted: Type) -> bool:
        """Whether a value of type `given` can be used where `wanted` is expected."""
        if given == wanted or isinstance(given, UnknownType) or isinstance(wanted, UnknownType):
            return True
        match given, wanted:
            case _, OptionalType(of):
                return given == NONE or self.fits(present(given), of)
            case KindType(one), KindType(other):
                return self.is_a(one, other)
            case SetType(), SetType(of) | ListType(of):
                return given == EMPTY or self.fits(given.of, of)
            case ListType(), ListType(of):
                return self.fits(given.of, of)
            case ListType(), SetType(of):
                return has_identity(given.of) and self.fits(given.of, of)
            case MapType(), SetType(of) | ListType(of):
                return self.fits(given.key, of)
            case MapType(), MapType(key, value):
                return self.fits(given.key, key) and self.fits(given.value, value)
            case SetType(), MapType():
                return given == EMPTY
        return given == INT and wanted == NUMBER

    def join(self, one: Type, other: Type) -> Type | None:
        """Returns the narrowest type that both fit, or none if there is no sensible one."""
        if self.fits(one, other):
            return other
        if self.fits(other, one):
            return one
        if NONE in (one, other):
            return optional(other if one == NONE else one)
        if isinstance(one, OptionalType) or isinstance(other, OptionalType):
            both = self.join(present(one), present(other))
            return None if both is None else optional(both)
        match one, other:
            case KindType(), KindType():
                return self.common([one.name, other.name])
            case SetType(), SetType():
                both = self.join(one.of, other.of)
                return None if both is None else SetType(both)
            case SetType() | ListType(), SetType() | ListType():
                both = self.join(one.of, other.of)
                return None if both is None else ListType(both)
        return None

    def common(self, kinds: list[str]) -> KindType | None:
        """Returns the nearest common ancestor of the kinds, or their root word, or none."""
        if not kinds:
            return None
        line = [each.name for each in self.program.lineage(kinds[0])] + [self.root(kinds[0])]
        for name in line:
            if all(each == name or self.program.is_a(each, name) for each in kinds):
                return KindType(name)
        return None

    def comparable(self, one: Type, other: Type) -> bool:
        """Whether values of the two types can ever be equal."""
        left, right = present(one), present(other)
        if NONE in (left, right) or {left, right} <= {INT, NUMBER}:
            return True
        match left, right:
            case KindType(), KindType():
                return self.overlap(left.name, right.name)
            case SetType() | ListType(), SetType() | ListType():
                return EMPTY in (left, right) or self.comparable(left.of, right.of)
        return self.fits(left, right) or self.fits(right, left)

    def advice(self, given: Type, wanted: Type) -> str | None:
        """Returns a hint how to turn a `given` into a `wanted`, or none."""
        inner = element(given)
        if isinstance(given, OptionalType) and self.fits(given.of, wanted):
            return MAY_BE_NONE
        if given == NONE and (wanted in (INT, NUMBER, TEXT) or isinstance(wanted, KindType | EnumType)):
            return f"what may be none is declared as '{wanted}?'"
        if wanted == BOOL and inner is not None:
            return "test it with 'any(…)' or 'all(…)'"
        if wanted == BOOL and given in (INT, NUMBER):
            return "compare it with a number, as in '> 0'"
        if wanted == BOOL and isinstance(given, OptionalType):
            return "compare it with none, or give a value with 'otherwise'"
        if wanted == INT and given == NUMBER:
            return "round it: 'rounded up', 'rounded down' or 'rounded at 0.5'"
        if wanted in (INT, NUMBER) and given == BOOL:
            return "write '1 if … else 0'"
        if isinstance(inner, OptionalType) and is_collection(wanted):
            return "it may contain none: leave those out with 'where it != none'"
        if isinstance(wanted, SetType) and isinstance(given, ListType):
            return "a list can contain the same value twice: write 'distinct(…)'"
        if is_collection(wanted) and (of := element(wanted)) is not None and self.fits(given, of):
            return "put it in braces: '{…}'"
        if inner is not None and self.fits(inner, present(wanted)):
            return "it is a collection: take one with 'first(…)', or loop over it with 'for each'"
        return None
