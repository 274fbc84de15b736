"""Pictures: the view of a seat with what is needed to make the next one and to see what has changed.

The state hash keeps the text of every object's state. Only the entries of objects whose text differs are made anew, and
those that depend on what is hidden. Changes are a function of two views alone, so that they give away nothing else.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress, count
from operator import ne
from typing import Final

from interpreter.play.engine.core import Core
from interpreter.play.engine.engine import GameEngine
from interpreter.play.inputs.inputs import Input
from interpreter.play.views.seat_data import Data, SeatData, decision_data, is_open
from interpreter.play.views.visibility import Visibility, seat_by_id
from interpreter.world.things import Link, Piece, Seat, Space, Thing

SECTIONS: Final = ("seats", "spaces", "things", "links")
"""The parts of a view that are lists of things with an id."""
WHOLE: Final = "whole"
"""The key of changes under which parts of a view are given as a whole."""
_REMOVED: Final = -1
"""The place of pieces without a holder."""


@dataclass(slots=True)
class Picture:
    """A view of one seat: `head`, and the `entries` of its sections by the index of the thing."""

    head: Data
    removed: list[Data]
    entries: dict[int, Data]
    sections: Mapping[str, tuple[int, ...]]
    """The indexes of the things of each section; links without values have no entry."""
    unstable: frozenset[int]
    """The entries that can change without a change of their thing or its contents."""
    texts: list[str]
    """The text of the state of each object."""
    lasting: dict[int, Data]
    """The data of pieces that nothing can hide, by their indexes; see `SeatData`."""
    places: dict[int, int]
    """The thing of a section in which each piece is, at any depth, by their indexes."""
    chain: object
    """The same for all pictures of which each was made after the one before."""
    point: tuple[int, Input | None] = (0, None)
    """The number of inputs that led to what is seen, and the last of them."""
    number: int = 0
    """The position of the picture in its chain."""
    renewed: dict[int, int] = field(default_factory=dict)
    """The entries that were made anew in the chain, each with the number of the last picture that did it."""

    def is_of(self, point: tuple[int, Input | None]) -> bool:
        """Whether these inputs led to what is seen."""
        return self.point[0] == point[0] and self.point[1] is point[1]

    def data(self) -> Data:
        """Returns the view."""
        return {**self.head, **{name: self._listed(name) for name in SECTIONS}, "removed": self.removed}

    def changes_since(self, before: Picture) -> Data:
        """Returns the changes since an earlier picture of the same seat: changed parts of `state` and of the sections.

        Of a section there are the entries that differ. What has other entries than before is under `whole`.
        """
        old, new = before.head["state"], self.head["state"]
        found = {**self.head, "state": {name: value for name, value in new.items() if old[name] != value}}
        whole = {} if self.removed == before.removed else {"removed": self.removed}
        renewed = self._renewed_since(before)
        for name, indexes in self.sections.items():
            pairs = [(self.entries.get(each), before.entries.get(each)) for each in _common(indexes, renewed)]
            if any((entry is None) is not (former is None) for entry, former in pairs):
                found[name], whole[name] = [], self._listed(name)
            else:
                found[name] = [entry for entry, former in pairs if entry is not former and entry != former]
        return {**found, WHOLE: whole}

    def shows_the_same_as(self, before: Picture) -> bool:
        """Whether a seat cannot distinguish this view from an earlier one of its own."""
        if self.head != before.head or self.removed != before.removed:
            return False
        renewed = self._renewed_since(before)
        if renewed is None:
            return self.entries == before.entries
        return all(self.entries.get(each) == before.entries.get(each) for each in renewed)

    def _renewed_since(self, before: Picture) -> set[int] | None:
        """Returns the entries made anew since an earlier picture; none if it is of another chain."""
        if self.chain is not before.chain:
            return None
        return {index for index, number in self.renewed.items() if number > before.number}

    def _listed(self, section: str) -> list[Data]:
        return [self.entries[each] for each in self.sections[section] if each in self.entries]


def picture_of(game: GameEngine, seat: str | None, before: Picture | None = None) -> Picture:
    """Returns what a seat sees now; of an earlier picture of this seat all is reused that is still the same.

    Raises:
        UsageError: if there is no such seat.
    """
    game.core.begin_query()
    point = _visible_point(game)
    decision = decision_data(game, Visibility(game.core, seat_by_id(game.core, seat)))
    if before is not None and game.core.simultaneous_since is not None and before.is_of(point):
        return replace(before, head={**before.head, "decision": decision}, number=before.number + 1)
    visible = game.before_simultaneous() or game
    maker = _PictureMaker(visible.core, seat)
    result = visible.result
    head: Data = {
        "seat": seat,
        "step": visible.step_path,
        "result": None if result is None else {"winners": list(result.winners), "reason": result.reason},
        "decision": decision,
        "state": maker.seen.values(visible.core.world.state),
    }
    made = maker.first(head) if before is None else maker.after(before, head)
    made.point = point
    return made


def _visible_point(game: GameEngine) -> tuple[int, Input | None]:
    """Returns how many inputs led to what seats may see, and the last of them."""
    since, items = game.core.simultaneous_since, game.inputs.items
    seen = len(items) if since is None else since
    return seen, items[seen - 1] if seen else None


class _PictureMaker:
    """Makes the picture of one state for one seat."""

    def __init__(self, core: Core, seat: str | None) -> None:
        self.seen = SeatData(core, Visibility(core, seat_by_id(core, seat)))
        self._objects = core.world.objects
        self._texts = list(core.world.hasher.texts())
        self._with_records = core.world.hasher.with_records

    def first(self, head: Data) -> Picture:
        """Returns the picture without an earlier one."""
        places = {each.index: _place(each) for each in self._objects if isinstance(each, Piece)}
        sections = _sections(self._objects)
        made = Picture(head, [], {}, sections, frozenset(), self._texts, self.seen.lasting, places, chain=object())
        self._renew(made, {_REMOVED, *[each for indexes in sections.values() for each in indexes]})
        return made

    def after(self, before: Picture, head: Data) -> Picture:
        """Returns the picture after an earlier one, from which everything is taken that is the same."""
        places = dict(before.places)
        self.seen.lasting.update(before.lasting)
        stale = self._stale(before, places)
        made = replace(
            before,
            head=head,
            entries=dict(before.entries),
            texts=self._texts,
            lasting=self.seen.lasting,
            places=places,
            number=before.number + 1,
        )
        made.renewed = before.renewed | dict.fromkeys(stale, made.number)
        self._renew(made, stale)
        return made

    def _stale(self, before: Picture, places: dict[int, int]) -> set[int]:
        """Returns the entries that may differ from an earlier picture, and updates the places of its pieces."""
        old, new, objects = before.texts, self._texts, self._objects
        changed = [*compress(count(), map(ne, old, new))]
        changed += range(min(len(old), len(new)), max(len(old), len(new)))
        stale = {*before.unstable}
        for index in {*changed, *self._with_records}:
            self.seen.lasting.pop(index, None)
            if index in before.places:
                stale.add(before.places[index])
            if index >= len(objects):
                places.pop(index, None)
                continue
            thing = objects[index]
            if isinstance(thing, Piece):
                _follow(thing, _place(thing), places)
                stale.add(places[index])
            else:
                stale.add(index)
        return stale

    def _renew(self, made: Picture, stale: set[int]) -> None:
        unstable = set(made.unstable)
        for index in stale:
            if index == _REMOVED:
                pieces = self._removed(made)
                made.removed = self.seen.removed(pieces)
                is_stable = not self.seen.covered or all(map(self._is_stable, pieces))
                (unstable.discard if is_stable else unstable.add)(index)
                continue
            thing = self._objects[index]
            if isinstance(thing, Link) and not any(thing.values(thing)):
                made.entries.pop(index, None)
                continue
            made.entries[index] = self.seen.thing(thing)
            is_stable = not self.seen.covered or self._is_stable(thing)
            (unstable.discard if is_stable else unstable.add)(index)
        made.unstable = frozenset(unstable)

    def _removed(self, made: Picture) -> list[Piece]:
        found = [self._objects[index] for index in sorted(made.places) if made.places[index] == _REMOVED]
        return [each for each in found if isinstance(each, Piece)]

    def _is_stable(self, thing: Thing) -> bool:
        """Whether the entry of a thing depends on nothing but the thing and its contents, whatever is hidden."""
        if thing.index in self.seen.lasting:
            return True
        if not self.seen.covered.isdisjoint(thing.lineage) or not all(map(is_open, thing.values(thing))):
            return False
        return all(self._is_stable(each) for slot in thing.holds for each in getattr(thing, slot))


def _sections(objects: Sequence[Thing]) -> dict[str, tuple[int, ...]]:
    """Returns the indexes of the things of each section."""
    found: dict[str, list[int]] = {name: [] for name in SECTIONS}
    for each in objects:
        if isinstance(each, Piece):
            continue
        kinds = ((Seat, "seats"), (Space, "spaces"), (Link, "links"))
        found[next((name for kind, name in kinds if isinstance(each, kind)), "things")].append(each.index)
    return {name: tuple(indexes) for name, indexes in found.items()}


def _common(indexes: Sequence[int], wanted: set[int] | None) -> Sequence[int]:
    """Returns those of some ascending indexes that are wanted, or all."""
    if wanted is None:
        return indexes
    return [
        each for each in sorted(wanted) if (at := bisect_left(indexes, each)) < len(indexes) and indexes[at] == each
    ]


def _place(piece: Piece) -> int:
    """Returns the index of the thing of a section in which a piece is, at any depth."""
    up = piece.at
    while isinstance(up, Piece):
        up = up.at
    return _REMOVED if up is None else up.index


def _follow(piece: Thing, place: int, places: dict[int, int]) -> None:
    """Sets the place of a piece and of all pieces in it."""
    places[piece.index] = place
    for slot in piece.holds:
        for each in getattr(piece, slot):
            _follow(each, place, places)
