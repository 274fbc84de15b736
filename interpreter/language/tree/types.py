"""The types of the rule language; kinds and enums are named, so that a type is a plain value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """Any type; the subclasses are all there are."""


@dataclass(frozen=True, slots=True)
class ScalarType(Type):
    """`int`, `number` (an exact fraction), `bool`, `text`, `reason` (of a restriction), `none`, or nothing (`void`)."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class EnumType(Type):
    """The words of one enum kind."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class KindType(Type):
    """Things of a kind or of its sub-kinds; `space`, `piece`, `thing` and `seat` name the roots."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class SetType(Type):
    """Distinct values in a fixed order; at run time a tuple or a list that nobody changes."""

    of: Type

    def __str__(self) -> str:
        return f"set of {self.of}"


@dataclass(frozen=True, slots=True)
class ListType(Type):
    """Values in order, repeats allowed."""

    of: Type

    def __str__(self) -> str:
        return f"list of {self.of}"


@dataclass(frozen=True, slots=True)
class MapType(Type):
    """Values by key, in the order in which the keys came."""

    key: Type
    value: Type

    def __str__(self) -> str:
        return f"map of {self.key} to {self.value}"


@dataclass(frozen=True, slots=True)
class OptionalType(Type):
    """A value or `none`."""

    of: Type

    def __str__(self) -> str:
        return f"{self.of}?"


@dataclass(frozen=True, slots=True)
class UnknownType(Type):
    """Of something already reported, so that one mistake is said once; it fits everything."""

    def __str__(self) -> str:
        return "unknown"


INT = ScalarType("int")
NUMBER = ScalarType("number")
BOOL = ScalarType("bool")
TEXT = ScalarType("text")
REASON = ScalarType("reason")
NONE = ScalarType("none")
VOID = ScalarType("void")
UNKNOWN = UnknownType()
SCALARS = {each.name: each for each in (INT, NUMBER, BOOL, TEXT)}

EMPTY = SetType(NONE)
"""The type of `{}`, `[]` before anything tells what it is to hold; it fits every set and list."""


def element(kind: Type) -> Type | None:
    """What a collection holds (the keys of a map), or none for anything else."""
    match kind:
        case SetType(of) | ListType(of):
            return of
        case MapType(key, _):
            return key
        case UnknownType():
            return UNKNOWN
        case _:
            return None


def present(kind: Type) -> Type:
    """The type without its `none`."""
    return kind.of if isinstance(kind, OptionalType) else kind


def optional(kind: Type) -> Type:
    """The type with `none` added."""
    if isinstance(kind, OptionalType | UnknownType) or kind == NONE:
        return kind
    return OptionalType(kind)
