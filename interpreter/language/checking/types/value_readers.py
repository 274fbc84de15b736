"""Fast readers for values given as data: they convert valid values, and only flag invalid ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from interpreter.language.checking.types.resolve_types import may_be_missing
from interpreter.language.model.image import Stored
from interpreter.language.model.kind_hierarchy import Attribute
from interpreter.language.model.program import Datum, Program
from interpreter.language.tree.types import (
    BOOL,
    INT,
    TEXT,
    EnumType,
    KindType,
    ListType,
    OptionalType,
    SetType,
    Type,
)

UNFIT: Final = object()
"""The result of a reader for an invalid value, or for one that only `resolve_types.store` can read."""

Reader = Callable[[Datum], Stored | Any]


class ValueReaders:
    """Readers of the attributes of every kind, created on demand; all individuals must be linked before."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._by_type: dict[Type, Reader] = {}
        self._by_kind: dict[str, dict[str, Reader]] = {}
        self._needed: dict[str, tuple[Attribute, ...]] = {}

    def readers(self, kind: str) -> Mapping[str, Reader]:
        """Returns the readers of a kind's attributes by name."""
        if kind not in self._by_kind:
            attributes = self._program.attributes(kind)
            self._by_kind[kind] = {name: self.reader(each.type) for name, each in attributes.items()}
        return self._by_kind[kind]

    def needed(self, kind: str) -> tuple[Attribute, ...]:
        """Returns the attributes for which a thing of a kind needs a value."""
        if kind not in self._needed:
            attributes = self._program.attributes(kind).values()
            self._needed[kind] = tuple([each for each in attributes if not may_be_missing(each)])
        return self._needed[kind]

    def reader(self, kind: Type) -> Reader:
        """Returns the reader of values of a type."""
        if kind not in self._by_type:
            self._by_type[kind] = self._make(kind)
        return self._by_type[kind]

    def _make(self, kind: Type) -> Reader:
        match kind:
            case OptionalType(of):
                inner = self.reader(of)
                return lambda datum: None if datum is None or datum == "none" else inner(datum)
            case EnumType(name):
                enum = self._program.enums.get(name)
                return _look_up({word: ("word", name, word) for word in enum.words} if enum is not None else {})
            case KindType(name):
                return _look_up(self._things(name))
            case SetType(of) | ListType(of):
                return _list_of(self.reader(of))
        plain = {INT: int, BOOL: bool, TEXT: str}.get(kind)  # type: ignore[call-overload]
        return lambda datum: datum if type(datum) is plain else UNFIT

    def _things(self, kind: str) -> dict[str, Stored]:
        """Returns the things of a kind and its sub-kinds by name; the kind declared first wins."""
        found: dict[str, dict[str, Stored]] = {each.name: {} for each in self._program.subkinds(kind)}
        for of, name in self._program.individuals:
            if of in found:
                found[of][name] = ("ref", of, name)
        return {name: ref for things in reversed(found.values()) for name, ref in things.items()}


def _look_up(known: Mapping[str, Stored]) -> Reader:
    return lambda datum: known.get(datum, UNFIT) if isinstance(datum, str) else UNFIT


def _list_of(inner: Reader) -> Reader:
    def read(datum: Datum) -> Any:
        if not isinstance(datum, tuple):
            return UNFIT
        items = tuple([inner(each) for each in datum])
        return UNFIT if UNFIT in items else ("list", items)

    return read
