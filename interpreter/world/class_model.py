"""The classes, words and map of a ruleset, on which the blueprint of its games is based."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from interpreter.language.diagnostics import unknown
from interpreter.language.model.emitted_names import ALL, HOLDS, SLOT
from interpreter.language.model.image import AttributeImage, Image, KindImage, Stored, index_slot
from interpreter.world.map_graph import Map
from interpreter.world.things import ROOTS, Board, Piece, Record, State, Thing, Word

AnyClass = type[Thing] | type[Record]


@dataclass(slots=True)
class Border:
    """A link that every game has: its kind, the indexes of its ends, its values by attribute."""

    kind: str
    ends: tuple[int, int]
    values: tuple[tuple[str, Stored], ...]


class ClassModel:
    """Holds the classes by kind, the words and the map of a ruleset; it is immutable in play."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self.kinds: dict[str, KindImage] = {each.name: each for each in image.kinds}
        self.declared: dict[str, tuple[AttributeImage, ...]] = {}
        """All attributes of each kind, those of the topmost kind first."""
        self.classes: dict[str, AnyClass] = {}
        self.nested = any(each.root == "piece" and each.contents for each in image.kinds)
        """Whether pieces can hold pieces."""
        self.nothing: list[None] = [None] * len(image.kinds)
        """The initial value of `Thing.inside`, in which nothing is memoized."""
        self.state_empties = [(SLOT(each.name), empty_of(each.type)) for each in image.state]
        self.below: dict[str, tuple[str, ...]] = {
            name: tuple(each.name for each in image.kinds if name in self.lineage(each.name)) for name in self.kinds
        }
        for each in image.kinds:
            self._class_of(each.name)
        self.words: dict[str, tuple[Word, ...]] = {
            enum.name: tuple(Word(enum.name, word, index) for index, word in enumerate(enum.words))
            for enum in image.enums
        }
        self._words = {word.ref: word for words in self.words.values() for word in words}
        self.state_class = type(
            "State",
            (State,),
            {
                "__slots__": tuple(SLOT(each.name) for each in image.state),
                "attributes": tuple(each.name for each in image.state),
                "slots": tuple(SLOT(each.name) for each in image.state),
            },
        )
        listed = [each.name for each in image.kinds if each.root != "record"] + [each.name for each in image.enums]
        self.board_class = type("Board", (Board,), {"__slots__": _board_slots(image, listed)})
        self.record_slots = {name: self._record_slots(name) for name in self.kinds}
        """The slots of each kind whose values can contain a record."""
        self.map = Map(image)
        self.borders = _borders(self)

    def lineage(self, kind: str) -> tuple[str, ...]:
        """Returns the kind and its ancestors, nearest first."""
        line, name = [], kind
        while name in self.kinds:
            line.append(name)
            name = self.kinds[name].parent or ""
        return tuple(line)

    def _record_slots(self, kind: str) -> tuple[str, ...]:
        records = {each.name for each in self.image.kinds if each.root == "record"}
        return tuple([SLOT(each.name) for each in self.declared[kind] if records & set(re.findall(r"\w+", each.type))])

    def _steady_slots(self, kind: str) -> set[str]:
        """Returns the slots of a kind's attributes that no rule changes."""
        line = self.lineage(kind)
        return {SLOT(name) for of, name in self.image.steady if of in line}

    def word(self, enum: str, name: str) -> Word:
        """Returns a word of an enum.

        Raises:
            UsageError: if the enum has no such word.
        """
        found = self._words.get(f"{enum}/{name}")
        if found is None:
            known = [each.id for each in self.words.get(enum, ())]
            raise unknown(enum, name, known)
        return found

    def _class_of(self, name: str) -> AnyClass:
        if name in self.classes:
            return self.classes[name]
        kind = self.kinds[name]
        base = ROOTS[kind.root] if kind.parent is None or kind.parent not in self.kinds else self._class_of(kind.parent)
        inherited = self.declared.get(kind.parent or "", ())
        self.declared[name] = (*inherited, *kind.attributes)
        made: AnyClass = type(name, (base,), self._class_body(kind, base))
        self.classes[name] = made
        return made

    def _class_body(self, kind: KindImage, base: AnyClass) -> dict[str, Any]:
        declared = self.declared[kind.name]
        own = tuple(SLOT(each.name) for each in kind.attributes)
        slots = tuple([SLOT(each.name) for each in declared])
        body: dict[str, Any] = {
            "kind": kind.name,
            "attributes": tuple(each.name for each in declared),
            "slots": slots,
            "slot_of": {each.name: SLOT(each.name) for each in declared},
            "changing": tuple([slot for slot in slots if slot not in self._steady_slots(kind.name)]),
            "values": staticmethod(_getter(slots)),
            "empties": tuple((SLOT(each.name), empty_of(each.type)) for each in declared),
        }
        if issubclass(base, Record):
            return body | {"__slots__": own}
        held = tuple(HOLDS(each) for each in kind.contents if HOLDS(each) not in base.holds)
        line = self.lineage(kind.name)
        body |= {"__slots__": (*own, *held), "lineage": line, "holds": base.holds | set(held), "nothing": self.nothing}
        if issubclass(base, Piece):
            indexes = [each for each in self.image.indexes if each[0] in line]
            body |= {
                "content_slot": HOLDS(line[-1]),
                "board_slots": tuple(ALL(each) for each in line),
                "indexed": tuple([(index_slot(each), SLOT(each[1])) for each in indexes if not each[2]]),
                "indexed_in": tuple(
                    [(index_slot(each), SLOT(each[1]), self.below[each[2]]) for each in indexes if each[2]]
                ),
            }
        return body


def _getter(slots: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Returns a function that gives all values of a thing in the order of its slots."""
    match slots:
        case ():
            return lambda _: ()
        case (slot,):
            return lambda thing: (getattr(thing, slot),)
    return attrgetter(*slots)


def _board_slots(image: Image, listed: Iterable[str]) -> tuple[str, ...]:
    return (*[ALL(each) for each in listed], *[index_slot(each) for each in image.indexes])


def empty_of(written: str) -> Any:
    """Returns the initial value of an attribute of this type: an empty collection or None."""
    if written.endswith("?"):
        return None
    if written.startswith(("set of ", "list of ")):
        return ()
    return {} if written.startswith("map of ") else None


def _borders(model: ClassModel) -> tuple[Border, ...]:
    """Returns the links of the map, and links with default values for all other pairs that a link kind joins."""
    positions = {(each.kind, each.id): index for index, each in enumerate(model.image.individuals)}
    given: dict[tuple[int, int], Border] = {}
    for link in model.image.links:
        if link.kind is not None:
            one, two = sorted(positions[end] for end in link.ends)
            given[one, two] = Border(link.kind, (one, two), link.values)
    for kind, joins in _joined_kinds(model).items():
        below = frozenset(model.below.get(joins, ()))
        members = [index for index, each in enumerate(model.image.individuals) if each.kind in below]
        is_member = set(members)
        for one in members:
            for two in model.map.neighbours[one]:
                if one < two and two in is_member:
                    given.setdefault((one, two), Border(kind, (one, two), ()))
    return tuple(given[each] for each in sorted(given))


def _joined_kinds(model: ClassModel) -> dict[str, str]:
    """Returns the kind of space that each link kind joins: the declared one, else the nearest shared by its ends."""
    joined: dict[str, str] = {}
    for kind in model.image.kinds:
        if kind.root != "link":
            continue
        if kind.between is not None:
            joined[kind.name] = kind.between
            continue
        lines = [model.lineage(end[0]) for link in model.image.links if link.kind == kind.name for end in link.ends]
        shared = [each for each in (lines[0] if lines else ()) if all(each in line for line in lines)]
        if shared:
            joined[kind.name] = shared[0]
    return joined
