"""The types of the rule language; they refer to kinds and enums by name, so that a type is a plain value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """The base class of all types."""


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
    """Distinct values in a fixed order; at run time a tuple or a list that is never changed."""

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
    """Values by key, in insertion order."""

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
    """The type of an expression with a reported error; it fits everything, so that one mistake is reported once."""

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
"""The type of `{}` and `[]` while the element type is undetermined; it fits every set and list."""


def element(kind: Type) -> Type | None:
    """Returns the element type of a collection (the key type of a map), or none for other types."""
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
    """Returns the type without `none`."""
    return kind.of if isinstance(kind, OptionalType) else kind


def optional(kind: Type) -> Type:
    """Returns the type with `none` added."""
    if isinstance(kind, OptionalType | UnknownType) or kind == NONE:
        return kind
    return OptionalType(kind)
