"""Writes graphs of objects of known classes as plain data, and reads them back strictly.

Every object has a number, greater than those of all objects that it contains, so that none contains itself. Fields that
are `late` are an exception: they are references, which may point anywhere, also in a circle. Plain data holds a
column for each field of each class, and a digest of the classes with their fields: it is only read by the same ones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from hashlib import blake2b
from typing import Any, Final

from interpreter.language.diagnostics import Place
from interpreter.language.field_shapes import (
    FieldColumn,
    Graph,
    MalformedDataError,
    Numbers,
    Plain,
    Shape,
    ShapeReader,
    read,
    write,
)

_NUMBERS: Final = "#"
"""The column with the numbers of the objects of a class; no field has this name."""


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    shape: Shape
    is_late: bool
    set: Callable[[Any, Any], None]


@dataclass(frozen=True, slots=True)
class _Class:
    """A class with the fields that are written, and those that get their default."""

    kind: type
    written: tuple[_Field, ...]
    left_out: tuple[tuple[Callable[[Any, Any], None], Callable[[], Any]], ...]
    is_value: bool
    """Whether equal objects are the same object."""


class ObjectCodec:
    """Writes and reads graphs of objects of these classes, which are dataclasses with slots.

    `aliases` are names that their annotations use for other annotations, `late` the names of fields with references,
    `left_out` fields by class that get their default when they are read. Equal objects of classes below those in
    `values`, which are hashable, are written as one.
    """

    def __init__(
        self,
        classes: Sequence[type],
        aliases: Mapping[str, str],
        late: Iterable[str] = (),
        left_out: Mapping[type, Iterable[str]] | None = None,
        values: tuple[type, ...] = (),
    ) -> None:
        shapes = ShapeReader(classes, aliases)
        late, left_out = frozenset(late), left_out or {}
        found = [_class(each, shapes, late, frozenset(left_out.get(each, ())), values) for each in classes]
        self._classes = {each.kind.__name__: each for each in found}
        self._by_kind = {each.kind: each for each in self._classes.values()}
        self._digest = _digest(self._classes.values(), aliases)

    def encode(self, root: object) -> Plain:
        """Returns an object and all that it contains as plain data.

        Raises:
            TypeError: if a value is not what the annotation of its field says.
            ValueError: if an object contains itself.
        """
        numbering = _Numbering(self._by_kind)
        numbering.add(root)
        grouped: dict[str, list[Any]] = {name: [] for name in self._classes}
        for each in numbering.objects:
            grouped[type(each).__name__].append(each)
        columns = {}
        for name, members in grouped.items():
            if members:
                columns[name] = {_NUMBERS: [numbering.of_object(each) for each in members]} | {
                    each.name: [write(each.shape, getattr(member, each.name), numbering) for member in members]
                    for each in self._classes[name].written
                }
        places = numbering.places
        files = {file: number for number, file in enumerate(dict.fromkeys([each.file for each in places]))}
        return {
            "classes": self._digest,
            "files": list(files),
            "places": [
                [files[each.file] for each in places],
                [each.line for each in places],
                [each.column for each in places],
            ],
            "objects": columns,
            "root": numbering.of_object(root),
        }

    def decode(self, data: Plain, root: type) -> Any:
        """Returns the object that `encode` wrote, which is of the class `root`.

        Raises:
            MalformedDataError: if the data is not that of an object of this class and what it contains.
        """
        keys = ("classes", "files", "places", "objects", "root")
        if not isinstance(data, dict) or tuple(data) != keys or data["classes"] != self._digest:
            raise MalformedDataError("it was not written by this version")
        columns, first = data["objects"], data["root"]
        if not isinstance(columns, dict) or not columns.keys() <= self._classes.keys():
            raise MalformedDataError("it has an unknown class")
        if not all(isinstance(each, dict) for each in columns.values()):
            raise MalformedDataError("the objects of a class have no columns")
        members, graph = self._empty_objects(columns, _places(data["files"], data["places"]))
        for name, objects in members.items():
            self._fill(name, objects, columns[name], graph)
        if type(first) is not int or not 0 <= first < len(graph.objects) or type(graph.objects[first]) is not root:
            raise MalformedDataError(f"it is not a {root.__name__}")
        return graph.objects[first]

    def _empty_objects(self, columns: dict[str, Plain], places: list[Place]) -> tuple[dict[str, list[Any]], Graph]:
        """Returns new objects without values, by class and by number."""
        objects: dict[int, Any] = {}
        members: dict[str, list[Any]] = {}
        count = 0
        for name, found in columns.items():
            numbers = found.get(_NUMBERS)
            if not isinstance(numbers, list) or set(map(type, numbers)) != {int}:
                raise MalformedDataError(f"the objects of the class {name} have no numbers")
            kind = self._classes[name].kind
            members[name] = [object.__new__(kind) for _ in numbers]
            objects.update(zip(numbers, members[name], strict=True))
            count += len(numbers)
        if len(objects) != count or (objects and (min(objects), max(objects)) != (0, count - 1)):
            raise MalformedDataError("a number is missing, or two objects have the same")
        return members, Graph([objects[number] for number in range(count)], places)

    def _fill(self, name: str, objects: list[Any], columns: dict[str, Plain], graph: Graph) -> None:
        """Sets all fields of the objects of a class."""
        known = self._classes[name]
        if tuple(columns) != (_NUMBERS, *[each.name for each in known.written]):
            raise MalformedDataError(f"the class {name} has other fields")
        anywhere = [len(graph.objects)] * len(objects)
        for each in known.written:
            column = columns[each.name]
            if not isinstance(column, list) or len(column) != len(objects):
                raise MalformedDataError(f"{name}.{each.name} is not a column")
            values = read(each.shape, FieldColumn(column, anywhere if each.is_late else columns[_NUMBERS], graph))
            deque(map(each.set, objects, values), maxlen=0)  # the fastest loop
        for setter, default in known.left_out:
            for owner in objects:
                setter(owner, default())


class _Numbering(Numbers):
    """Numbers objects so that each comes after all that it contains, and places in the order of their use."""

    def __init__(self, classes: Mapping[type, _Class]) -> None:
        self._classes = classes
        self._numbers: dict[object, int] = {}
        self.objects: list[Any] = []
        self._places: dict[Place, int] = {}

    @property
    def places(self) -> list[Place]:
        """The places that were written so far."""
        return list(self._places)

    def of_object(self, value: object) -> int:
        return self._numbers[self._key(value)]

    def of_place(self, value: Place) -> int:
        return self._places.setdefault(value, len(self._places))

    def _key(self, value: object) -> object:
        return value if self._classes[type(value)].is_value else id(value)

    def add(self, root: object) -> None:
        """Numbers an object and all that can be reached from it."""
        waiting = [root]
        opened: set[object] = set()
        while waiting:
            found = waiting.pop()
            if self._key(found) in self._numbers:
                continue
            stack = [(found, self._parts(found, waiting))]
            opened.add(self._key(found))
            while stack:
                owner, parts = stack[-1]
                part = next(parts, None)
                if part is None:
                    stack.pop()
                    self._numbers.setdefault(self._key(owner), len(self._numbers))
                    if len(self._numbers) > len(self.objects):
                        self.objects.append(owner)
                elif (key := self._key(part)) not in self._numbers:
                    if key in opened:
                        raise ValueError(f"a {type(part).__name__} contains itself")
                    opened.add(key)
                    stack.append((part, self._parts(part, waiting)))

    def _parts(self, owner: object, waiting: list[object]) -> Iterator[object]:
        """Yields the objects that an object contains, and adds those that it only refers to to the waiting ones."""
        for each in self._classes[type(owner)].written:
            found = each.shape.objects(getattr(owner, each.name))
            if each.is_late:
                waiting += found
            else:
                yield from found


def _class(
    kind: type, shapes: ShapeReader, late: frozenset[str], left_out: frozenset[str], values: tuple[type, ...]
) -> _Class:
    written, absent = [], []
    for each in fields(kind):
        setter = getattr(kind, each.name).__set__
        if each.name not in left_out:
            written.append(_Field(each.name, shapes.shape(str(each.type)), each.name in late, setter))
        elif each.default_factory is not MISSING:
            absent.append((setter, each.default_factory))
        else:
            absent.append((setter, lambda value=each.default: value))
    return _Class(kind, tuple(written), tuple(absent), issubclass(kind, values))


def _digest(classes: Iterable[_Class], aliases: Mapping[str, str]) -> str:
    lines = [f"{name} = {text}" for name, text in aliases.items()]
    for each in classes:
        written = [f"{found.name}: {found.shape.text}, {found.is_late}" for found in each.written]
        lines.append(f"{each.kind.__module__}.{each.kind.__qualname__}({'; '.join(written)})")
    return blake2b("\n".join(lines).encode(), digest_size=16).hexdigest()


def _places(files: Plain, columns: Plain) -> list[Place]:
    """Returns the places of a table of files and three columns: the number of the file, the line, and the column."""
    if not isinstance(files, list) or not all(isinstance(each, str) for each in files):
        raise MalformedDataError("the names of files are malformed")
    if not (isinstance(columns, list) and [*map(type, columns)] == [list] * 3 and len({*map(len, columns)}) == 1):
        raise MalformedDataError("the places are malformed")
    for column, limit in zip(columns, (len(files), _MAX_POSITION, _MAX_POSITION), strict=True):
        if column and not (set(map(type, column)) == {int} and min(column) >= 0 and max(column) < limit):
            raise MalformedDataError("a place is malformed")
    numbers, lines, positions = columns
    return list(map(Place, map(files.__getitem__, numbers), lines, positions))


_MAX_POSITION: Final = 1 << 31
