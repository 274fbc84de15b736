"""The shapes of the fields of classes as plain data, read from their annotations; reading is strict and by columns.

A column holds the values of one field of many objects. `None`, `bool`, `int` and `str` are written as they are, lists,
tuples and sets as lists, an object or a place as its number. A mapping is written as its keys and its values. In a
union a mapping, a fraction, and whatever looks like another member as plain data is written as `{member: value}`.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, islice, repeat
from math import gcd
from operator import lt
from typing import Any, Final

from interpreter.language.diagnostics import Place

Plain = Any
"""A value of JSON without fractions."""


class MalformedDataError(ValueError):
    """Plain data is not what its classes say."""


@dataclass(frozen=True, slots=True)
class Graph:
    """What numbers in plain data refer to while it is read."""

    objects: list[Any]
    places: list[Place]


@dataclass(frozen=True, slots=True)
class FieldColumn:
    """Plain data of one field of many objects; objects in it must have smaller numbers than those in `below`."""

    values: list[Plain]
    below: list[int]
    graph: Graph


class Numbers(ABC):
    """Gives numbers to objects and places while these are written."""

    @abstractmethod
    def of_object(self, value: object) -> int:
        """Returns the number of an object, which has one."""

    @abstractmethod
    def of_place(self, value: Place) -> int:
        """Returns the number of a place, a new one if needed."""


class Shape(ABC):
    """What a field may hold. `plain` is the class of its plain data, `text` its annotation."""

    plain: type
    text: str

    @abstractmethod
    def fits(self, value: object) -> bool:
        """Whether a value may be of this shape, by its class alone."""

    def objects(self, value: Any) -> Iterable[object]:  # noqa: ARG002 - most shapes hold none
        """Returns the objects in a value."""
        return ()

    @abstractmethod
    def write(self, value: Any, numbers: Numbers) -> Plain:
        """Returns a value as plain data."""

    @abstractmethod
    def read(self, column: FieldColumn) -> list[Any]:
        """Returns the values of a column, whose plain data have the class `plain`.

        Raises:
            MalformedDataError: if a value is not of this shape.
        """


@dataclass(frozen=True, slots=True)
class PlainShape(Shape):
    """A value that is plain data, of one class or of any."""

    plain: type
    text: str

    def fits(self, value: object) -> bool:
        return self.plain is object or value.__class__ is self.plain

    def write(self, value: Any, numbers: Numbers) -> Plain:  # noqa: ARG002 - holds no objects
        return value

    def read(self, column: FieldColumn) -> list[Any]:
        return column.values


@dataclass(frozen=True, slots=True)
class FractionShape(Shape):
    """A fraction in lowest terms, as numerator and denominator."""

    plain: type = list
    text: str = "Fraction"

    def fits(self, value: object) -> bool:
        return value.__class__ is Fraction

    def write(self, value: Any, numbers: Numbers) -> Plain:  # noqa: ARG002 - holds no objects
        return [value.numerator, value.denominator]

    def read(self, column: FieldColumn) -> list[Any]:
        for each in column.values:
            if [*map(type, each)] != [int, int] or each[1] < 1 or gcd(*each) != 1:
                raise MalformedDataError("a fraction is malformed")
        return [Fraction(*each) for each in column.values]


@dataclass(frozen=True, slots=True)
class PlaceShape(Shape):
    plain: type = int
    text: str = "Place"

    def fits(self, value: object) -> bool:
        return isinstance(value, Place)

    def write(self, value: Any, numbers: Numbers) -> Plain:
        return numbers.of_place(value)

    def read(self, column: FieldColumn) -> list[Any]:
        return _numbered(column.values, column.graph.places, "place")


@dataclass(frozen=True, slots=True)
class ObjectShape(Shape):
    """An object of one of these classes."""

    classes: frozenset[type]
    text: str
    plain: type = int

    def fits(self, value: object) -> bool:
        return value.__class__ in self.classes

    def objects(self, value: Any) -> Iterable[object]:
        return (value,)

    def write(self, value: Any, numbers: Numbers) -> Plain:
        return numbers.of_object(value)

    def read(self, column: FieldColumn) -> list[Any]:
        found = _numbered(column.values, column.graph.objects, "object")
        if not all(map(lt, column.values, column.below)):
            raise MalformedDataError(f"an object comes before a {self.text} that it contains")
        if not self.classes.issuperset(map(type, found)):
            raise MalformedDataError(f"an object is not of the class {self.text}")
        return found


@dataclass(frozen=True, slots=True)
class Many(Shape):
    """A list, a set or a tuple of any length."""

    kind: type
    of: Shape
    text: str
    plain: type = list

    def fits(self, value: object) -> bool:
        return value.__class__ is self.kind

    def objects(self, value: Any) -> Iterable[object]:
        return chain.from_iterable(map(self.of.objects, value))

    def write(self, value: Any, numbers: Numbers) -> Plain:
        return [write(self.of, each, numbers) for each in (sorted(value) if self.kind is frozenset else value)]

    def read(self, column: FieldColumn) -> list[Any]:
        sizes = list(map(len, column.values))
        owners = list(chain.from_iterable(map(repeat, column.below, sizes)))
        items = iter(read(self.of, FieldColumn(list(chain.from_iterable(column.values)), owners, column.graph)))
        found = [self.kind(islice(items, size)) for size in sizes]
        if self.kind is frozenset and list(map(len, found)) != sizes:
            raise MalformedDataError("a set has a member twice")
        return found


@dataclass(frozen=True, slots=True)
class Few(Shape):
    """A tuple of a fixed length."""

    items: tuple[Shape, ...]
    text: str
    plain: type = list

    def fits(self, value: object) -> bool:
        return isinstance(value, tuple) and len(value) == len(self.items)

    def objects(self, value: Any) -> Iterable[object]:
        return chain.from_iterable([shape.objects(each) for shape, each in zip(self.items, value, strict=True)])

    def write(self, value: Any, numbers: Numbers) -> Plain:
        return [write(shape, each, numbers) for shape, each in zip(self.items, value, strict=True)]

    def read(self, column: FieldColumn) -> list[Any]:
        if any(len(each) != len(self.items) for each in column.values):
            raise MalformedDataError(f"{self.text} has another number of items")
        parts = [list(each) for each in zip(*column.values, strict=True)] or [[] for _ in self.items]
        columns = [FieldColumn(each, column.below, column.graph) for each in parts]
        return list(zip(*map(read, self.items, columns), strict=True)) or [()] * len(column.values)


@dataclass(frozen=True, slots=True)
class Entries(Shape):
    """A mapping, as its keys and its values."""

    pairs: Few
    text: str
    plain: type = list

    def fits(self, value: object) -> bool:
        return value.__class__ is dict

    def objects(self, value: Any) -> Iterable[object]:
        return self.pairs.objects((tuple(value), tuple(value.values())))

    def write(self, value: Any, numbers: Numbers) -> Plain:
        return self.pairs.write((tuple(value), tuple(value.values())), numbers)

    def read(self, column: FieldColumn) -> list[Any]:
        found = []
        for keys, values in self.pairs.read(column):
            entries = dict(zip(keys, values, strict=False))
            if not len(entries) == len(keys) == len(values):
                raise MalformedDataError("a mapping has a key twice, or a key without a value")
            found.append(entries)
        return found


@dataclass(slots=True, eq=False)
class Union(Shape):
    """One of several shapes: `bare` by the class of their plain data, `tagged` by their text."""

    text: str
    bare: dict[type, Shape] = field(default_factory=dict)
    tagged: dict[str, Shape] = field(default_factory=dict)
    members: list[Shape] = field(default_factory=list)
    plain: type = object

    def add(self, members: Iterable[Shape]) -> None:
        """Adds members."""
        for each in members:
            self.members.append(each)
            if isinstance(each, FractionShape | Entries) or each.plain in self.bare:
                self.tagged[each.text] = each
            else:
                self.bare[each.plain] = each

    def fits(self, value: object) -> bool:
        return any(each.fits(value) for each in self.members)

    def _member(self, value: object) -> Shape:
        for each in self.members:
            if each.fits(value):
                return each
        raise TypeError(f"{value!r} is not {self.text}")

    def objects(self, value: Any) -> Iterable[object]:
        return self._member(value).objects(value)

    def write(self, value: Any, numbers: Numbers) -> Plain:
        member = self._member(value)
        written = member.write(value, numbers)
        return {member.text: written} if member.text in self.tagged else written

    def read(self, column: FieldColumn) -> list[Any]:
        kinds = set(map(type, column.values))
        plain = {kind for kind in kinds if isinstance(self.bare.get(kind), PlainShape)}
        if plain == kinds:
            return column.values
        found = column.values.copy()
        for kind in kinds - plain:
            at = [number for number, each in enumerate(column.values) if each.__class__ is kind]
            below = column.below if len(kinds) == 1 else [column.below[each] for each in at]
            part = FieldColumn([column.values[each] for each in at], below, column.graph)
            if kind is dict:
                values: Iterable[Any] = map(self._read_tagged, part.values, part.below, repeat(part.graph))
            elif (member := self.bare.get(kind)) is not None:
                values = member.read(part)
            else:
                raise MalformedDataError(f"{kind.__name__} is not {self.text}")
            for number, value in zip(at, values, strict=True):
                found[number] = value
        return found

    def _read_tagged(self, value: dict[str, Plain], below: int, graph: Graph) -> Any:
        for tag, each in value.items():
            if len(value) == 1 and (member := self.tagged.get(tag)) is not None:
                return read(member, FieldColumn([each], [below], graph))[0]
        raise MalformedDataError(f"{', '.join(value)} is not {self.text}")


def write(shape: Shape, value: Any, numbers: Numbers) -> Plain:
    """Returns a value as plain data.

    Raises:
        TypeError: if the value is not of the shape.
    """
    if not shape.fits(value):
        raise TypeError(f"{value!r} is not {shape.text}")
    return shape.write(value, numbers)


def read(shape: Shape, column: FieldColumn) -> list[Any]:
    """Returns the values of a column.

    Raises:
        MalformedDataError: if a value is not of the shape.
    """
    if shape.plain is not object and column.values and set(map(type, column.values)) != {shape.plain}:
        raise MalformedDataError(f"a value is not {shape.text}")
    return shape.read(column)


def _numbered(numbers: list[int], things: list[Any], noun: str) -> list[Any]:
    """Returns the things of these numbers."""
    if numbers and not (min(numbers) >= 0 and max(numbers) < len(things)):
        raise MalformedDataError(f"there is no {noun} of this number")
    return list(map(things.__getitem__, numbers))


# ---------------------------------------------------------------- from annotations
_OTHERS: Final = {"Fraction": FractionShape(), "Place": PlaceShape(), "Json": PlainShape(object, "Json")}
_SCALARS: Final = {each.__name__: each for each in (bool, int, str)}
_MANY: Final = {each.__name__: each for each in (frozenset, list)}


class ShapeReader:
    """Makes shapes of annotations; `aliases` are names for other annotations, which may contain themselves."""

    def __init__(self, classes: Sequence[type], aliases: Mapping[str, str]) -> None:
        self._classes = {each.__name__: each for each in classes}
        self._aliases = aliases
        self._known: dict[str, Shape] = {}

    def shape(self, annotation: str) -> Shape:
        """Returns the shape of an annotation.

        Raises:
            TypeError: if it has no shape.
        """
        found = self._known.get(annotation)
        if found is None:
            found = self._known[annotation] = self._shape(ast.parse(annotation, mode="eval").body)
        return found

    def _shape(self, node: ast.expr) -> Shape:
        text = ast.unparse(node)
        match node:
            case ast.Constant(value=None):
                return PlainShape(type(None), text)
            case ast.Constant(value=str(inner)):
                return self.shape(inner)
            case ast.Name(id=name) if name in self._aliases:
                return self._alias(name)
            case ast.Name(id=name):
                return self._named(name)
            case ast.BinOp(op=ast.BitOr()):
                found = Union(text)
                found.add(self._members(node))
                return found
            case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=[of, ast.Constant(value=each)])) if (
                each is ...
            ):
                return Many(tuple, self._shape(of), text)
            case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=items)):
                return Few(tuple(map(self._shape, items)), text)
            case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[key, value])):
                keys, values = (Many(tuple, self._shape(each), text) for each in (key, value))
                return Entries(Few((keys, values), text), text)
            case ast.Subscript(value=ast.Name(id=name), slice=of) if name in _MANY:
                return Many(_MANY[name], self._shape(of), text)
        raise TypeError(f"the annotation {text} has no shape")

    def _alias(self, name: str) -> Shape:
        """Returns the shape of an alias; one that contains itself must be a union."""
        if name not in self._known:
            node = ast.parse(self._aliases[name], mode="eval").body
            if not isinstance(node, ast.BinOp):
                return self._shape(node)
            made = self._known[name] = Union(name)
            made.add(self._members(node))
        return self._known[name]

    def _named(self, name: str) -> Shape:
        if name in _SCALARS:
            return PlainShape(_SCALARS[name], name)
        if (found := _OTHERS.get(name)) is not None:
            return found
        return ObjectShape(self._of_class(name), name)

    def _of_class(self, name: str) -> frozenset[type]:
        """Returns the known classes that are, or derive from, the class of this name."""
        below = [each for each in self._classes.values() if name in [base.__name__ for base in each.__mro__]]
        if not below:
            raise TypeError(f"no class is a {name}")
        return frozenset(below)

    def _members(self, node: ast.expr) -> Iterator[Shape]:
        """Yields the members of a union; objects of several classes are one member."""
        objects: list[ObjectShape] = []
        for each in self._flat(node):
            if isinstance(each, ObjectShape):
                objects.append(each)
            else:
                yield each
        if objects:
            yield ObjectShape(
                frozenset(chain.from_iterable([each.classes for each in objects])),
                " | ".join([each.text for each in objects]),
            )

    def _flat(self, node: ast.expr) -> Iterator[Shape]:
        if isinstance(node, ast.BinOp):
            yield from self._flat(node.left)
            yield from self._flat(node.right)
            return
        found = self._shape(node)
        if isinstance(found, Union):
            yield from found.members
        else:
            yield found
