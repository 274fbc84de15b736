"""The objects with which every game of a ruleset begins, computed once, so that new games are cheap."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import repeat
from typing import Any

from interpreter.language.model.emitted_names import INDIVIDUAL, SLOT
from interpreter.language.model.image import IndividualImage, Stored
from interpreter.world.class_model import ClassModel
from interpreter.world.things import Space, Thing

ObjectData = tuple[str, str, tuple[tuple[str, Stored], ...]]
"""Kind, id and values."""
_PER_GAME = object()
"""Marks a value that must be made in each game."""


class Batch:
    """All objects of one class by slot, so that a few calls make them all."""

    def __init__(self, made: list[Thing]) -> None:
        self._class = type(made[0])
        self.kind = self._class.kind
        self.indexes = [each.index for each in made]
        self.names = [each.id for each in made]
        slots = [slot for base in self._class.__mro__ for slot in base.__dict__.get("__slots__", ())]
        self._columns: list[tuple[Callable[[Thing, Any], None], Callable[[], Iterable[Any]]]] = [
            (getattr(self._class, slot).__set__, _column([getattr(each, slot) for each in made]))
            for slot in slots
            if slot != "index" and hasattr(made[0], slot)
        ]

    def make(self) -> list[Thing]:
        """Returns the objects for a new game."""
        made = [new(self._class) for new in repeat(object.__new__, len(self.indexes))]
        for each, index in zip(made, self.indexes, strict=True):
            each.index = index
        for set_, values in self._columns:
            deque(map(set_, made, values()), maxlen=0)
        return made

    def shifted(self, begin: int, by: int) -> Batch:
        """Returns the batch of games in which `by` other objects were inserted at `begin`."""
        if self.indexes[-1] < begin:
            return self
        moved = copy(self)
        moved.indexes = _all_shifted(self.indexes, begin, by)
        return moved


def _column(values: list[Any]) -> Callable[[], Iterable[Any]]:
    """Returns a function that gives the values of a slot, the same for every game."""
    first = values[0]
    if all(each is first for each in values):
        return partial(repeat, first)
    return lambda: values


@dataclass(slots=True)
class ObjectPlan:
    """One object: its class, id and slot values, without references to other objects."""

    make: Callable[[str, int], Thing]
    id: str
    values: tuple[tuple[str, Any], ...]


class Blueprint:
    """Plans the objects of every game of a model by index: the individuals of the ruleset, then its links."""

    def __init__(self, model: ClassModel) -> None:
        self._model = model
        image = model.image
        self._positions = {(each.kind, each.id): index for index, each in enumerate(image.individuals)}
        given: list[ObjectData] = [(each.kind, each.id, each.values) for each in image.individuals]
        names = link_names(model)
        given += [(each.kind, name, each.values) for each, name in zip(model.borders, names, strict=True)]
        self.plans: list[ObjectPlan] = []
        self.references: list[tuple[int, str, Any]] = []
        """Slots whose value is another object, given by its index, or a tuple of such."""
        self.stored: list[tuple[int, str, Stored]] = []
        """Slots whose value must be made in each game."""
        self._empties: dict[str, tuple[tuple[str, Any], ...]] = {
            name: (*made.empties, *[(slot, ()) for slot in made.holds])
            for name, made in model.classes.items()
            if issubclass(made, Thing)
        }
        self._defaulted = {
            kind: [(each.name, each.default, SLOT(each.name)) for each in declared if each.default is not None]
            for kind, declared in model.declared.items()
        }
        self._missing: dict[tuple[str, str], list[int]] = {}
        self._by_kind: dict[str, list[int]] = {}
        self._plan_all(0, given)
        self.named = _named(image.individuals, 0)

    @property
    def defaults(self) -> list[tuple[str, str, list[int]]]:
        """The emitted functions of defaults, each with its slot and the indexes of the objects that use it."""
        return [(default, slot, found) for (default, slot), found in self._missing.items()]

    @cached_property
    def listed(self) -> dict[str, tuple[int, ...]]:
        """The indexes of the objects of each kind whose number never changes."""
        return {
            name: tuple(sorted([index for each in self._model.below[name] for index in self._by_kind.get(each, ())]))
            for name, kind in self._model.kinds.items()
            if kind.root not in ("record", "piece")
        }

    def extended(self, model: ClassModel, begin: int) -> Blueprint:
        """Returns the blueprint of a model with further individuals, which begin at this index."""
        further = model.image.individuals[begin:]
        by = len(further)
        made = copy(self)
        for cached in ("listed", "neighbours"):
            made.__dict__.pop(cached, None)
        made._model = model
        made._positions = self._positions | {
            (each.kind, each.id): index for index, each in enumerate(further, start=begin)
        }
        made.references = [(_shifted(index, begin, by), slot, value) for index, slot, value in self.references]
        made.stored = [(_shifted(index, begin, by), slot, value) for index, slot, value in self.stored]
        made._missing = {key: _all_shifted(found, begin, by) for key, found in self._missing.items()}
        made._by_kind = {key: _all_shifted(found, begin, by) for key, found in self._by_kind.items()}
        made.plans = self.plans[:begin]
        made._plan_all(begin, [(each.kind, each.id, each.values) for each in further])
        made.batches = [each.shifted(begin, by) for each in self.batches] + made._batches(begin, made.plans[begin:])
        made.plans += self.plans[begin:]
        made.named = (*self.named, *_named(further, begin))
        return made

    def _plan_all(self, begin: int, given: list[ObjectData]) -> None:
        for index, (kind, own, values) in enumerate(given, start=begin):
            self.plans.append(self._plan(index, kind, own, values))
            self._by_kind.setdefault(kind, []).append(index)
            named = {name for name, _ in values} if values else ()
            for name, default, slot in self._defaulted[kind]:
                if name not in named:
                    self._missing.setdefault((default, slot), []).append(index)

    def _plan(self, index: int, kind: str, own: str, values: tuple[tuple[str, Stored], ...]) -> ObjectPlan:
        made: Any = self._model.classes[kind]
        if not values:
            return ObjectPlan(made, own, self._empties[kind])
        slots = dict(self._empties[kind])
        for name, stored in values:
            slot = SLOT(name)
            value = stored if not isinstance(stored, tuple) else self._shared(stored)
            if value is not _PER_GAME:
                slots[slot] = value
            elif (reference := self._reference(stored)) is not _PER_GAME:
                self.references.append((index, slot, reference))
            else:
                self.stored.append((index, slot, stored))
        return ObjectPlan(made, own, tuple(slots.items()))

    def _shared(self, stored: Stored) -> Any:
        """Returns a value that all games share, or `_PER_GAME`."""
        match stored:
            case ("word", enum, name):
                return self._model.word(enum, name)
            case ("fraction", above, below):
                return Fraction(above, below)
            case ("list", items):
                values = tuple([self._shared(each) for each in items])
                return _PER_GAME if _PER_GAME in values else values
            case ("ref" | "record", *_):
                return _PER_GAME
        return stored

    def _reference(self, stored: Stored) -> Any:
        match stored:
            case ("ref", kind, name):
                return self._positions.get((kind, name), _PER_GAME)
            case ("list", items):
                found = tuple([self._reference(each) for each in items])
                return _PER_GAME if _PER_GAME in found else found
        return _PER_GAME

    @cached_property
    def batches(self) -> list[Batch]:
        """The objects of a new game by class, without references between them; one class may have several batches."""
        return self._batches(0, self.plans)

    def _batches(self, begin: int, plans: list[ObjectPlan]) -> list[Batch]:
        """Returns the batches of planned objects whose indexes start with `begin`."""
        by_class: dict[Any, list[Thing]] = {}
        individuals = self._model.image.individuals
        for index, plan in enumerate(plans, start=begin):
            made = plan.make(plan.id, index)
            for slot, value in plan.values:
                setattr(made, slot, value)
            if isinstance(made, Space):
                made.column, made.row = individuals[index].column, individuals[index].row
            by_class.setdefault(type(made), []).append(made)
        return [Batch(each) for each in by_class.values()]

    @cached_property
    def neighbours(self) -> list[tuple[int, tuple[int, ...]]]:
        """The spaces that have neighbours, each with these."""
        return [(index, near) for index, near in enumerate(self._model.map.neighbours) if near]

    @cached_property
    def ends(self) -> tuple[list[int], list[int]]:
        """The first ends and the second ends of all links, in order."""
        pairs = [each.ends for each in self._model.borders]
        return [one for one, _ in pairs], [other for _, other in pairs]

    def set_references(self, objects: list[Thing]) -> None:
        """Sets the references between the objects of a new game."""
        for index, slot, reference in self.references:
            setattr(objects[index], slot, _referred(objects, reference))


def _referred(objects: list[Thing], reference: Any) -> Any:
    """Returns the object with an index, or a tuple of objects for a tuple."""
    if isinstance(reference, tuple):
        return tuple([_referred(objects, each) for each in reference])
    return objects[reference]


def _shifted(index: int, begin: int, by: int) -> int:
    """Returns the index of an object after `by` others were inserted at `begin`."""
    return index if index < begin else index + by


def _all_shifted(indexes: list[int], begin: int, by: int) -> list[int]:
    """Returns the shifted indexes of a sorted list; see `_shifted`."""
    cut = bisect_left(indexes, begin)
    return [*indexes[:cut], *[each + by for each in indexes[cut:]]]


def _named(individuals: tuple[IndividualImage, ...], begin: int) -> tuple[tuple[str, int], ...]:
    """Returns the names of individuals in emitted code, with their indexes."""
    return tuple([(INDIVIDUAL(each.kind, each.id), index) for index, each in enumerate(individuals, start=begin)])


def link_names(model: ClassModel) -> list[str]:
    """Returns the id of each border: the ids of its ends, with their kinds if the ids alone would be ambiguous."""
    individuals = model.image.individuals
    spaces: dict[str, int] = {}
    for each in individuals:
        if model.kinds[each.kind].root == "space":
            spaces[each.id] = spaces.get(each.id, 0) + 1
    names = []
    for border in model.borders:
        ends = [individuals[each] for each in border.ends]
        names.append("-".join([each.id if spaces[each.id] == 1 else f"{each.kind}.{each.id}" for each in ends]))
    return names
