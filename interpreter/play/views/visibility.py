"""What a seat can see of a game, by the views of its ruleset."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from copy import copy
from fractions import Fraction
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from interpreter.language.diagnostics import UsageError, did_you_mean
from interpreter.language.model.emitted_names import VIEW_SEEN_BY, VIEW_WHEN
from interpreter.language.model.image import Image
from interpreter.play.views.quiet_query import without_events
from interpreter.world.things import Piece, Record, Seat, Thing, Word

if TYPE_CHECKING:
    from interpreter.play.engine.core import Core

CONTENTS, COUNT = "contents", "count"
_NAME = re.compile(r"\w+")


@lru_cache(maxsize=2048)
def words_of(text: str) -> frozenset[str]:
    """Returns the words of a text that could be the ids of pieces; most texts are those of the ruleset."""
    return frozenset(_NAME.findall(text))


def has_secrets(image: Image) -> bool:
    """Whether a game of this image can hide anything from a seat, under its options."""
    return bool(image.views) or any(each.secret for each in image.sites)


class HiddenPiece(Word):
    """Replaces a piece that a seat may not know: a word with its kind and the seat that it shows, nothing else."""

    __slots__ = ("owner",)

    def __init__(self, kind: str, owner: Thing | None = None) -> None:
        super().__init__(kind, f"hidden_{kind}", 0)
        self.owner = owner


class Mask:
    """The attributes of a covered thing that stay visible, and its visible kind."""

    __slots__ = ("kind", "seen")

    def __init__(self, kind: str, seen: frozenset[str]) -> None:
        self.kind = kind
        self.seen = seen


class Visibility:
    """The visibility of one state for one seat (`seat` none: an onlooker); a changed state needs a new one.

    A thing is *masked* if a view covers it: its attributes and contents are hidden, except those that others see. A
    piece is *hidden* if it is masked, or is located in something whose contents are hidden: its identity must not be
    visible. A thing that was revealed to the seat is neither, until it moves. Masks are computed on demand.

    Raises:
        BicorneError: from every method, if the condition of a view fails.
    """

    def __init__(self, core: Core, seat: Thing | None) -> None:
        self._core = core
        self.seat = seat
        self._hidden_only: frozenset[Thing] | None = None
        self._inside_hidden: frozenset[Thing] = frozenset()
        """Those of `_hidden_only` that were in something whose contents are hidden, wherever they are now."""
        self._revealed = {thing for thing, to in core.shown() if to is None or to is seat}
        self._masks: dict[Thing, Mask | None] = {}
        self._concealing: dict[Thing, bool] = {}
        """Whether the contents of a thing are hidden, by itself or by something that it is in."""
        self._evaluating = core.faults if core.variant == "fast" else partial(without_events, core)
        names = core.names
        self._views = [
            (
                view,
                names[VIEW_WHEN(view.name)] if view.when else None,
                names[VIEW_SEEN_BY(view.name)] if view.seen_by else None,
            )
            for view in core.image.views
        ]
        """The views, each with the functions of its condition and of the seats that see."""

    def mask(self, thing: Thing) -> Mask | None:
        """Returns the mask of a thing, or none."""
        if thing not in self._masks:
            self._masks[thing] = None if thing in self._revealed else self._compute_mask(thing)
        return self._masks[thing]

    def _compute_mask(self, thing: Thing) -> Mask | None:
        found: Mask | None = None
        for view, when, seen_by in self._views:
            if view.kind in thing.lineage and self._covers(when, seen_by, thing):
                seen = frozenset(view.others_see)
                found = Mask(view.kind, seen) if found is None else Mask(found.kind, seen & found.seen)
        return found

    def precomputed(self) -> Visibility:
        """Computes all masks, so that the state may change before they are used; returns itself."""
        for kind in {view.kind for view in self._core.image.views}:
            for each in self._core.world.all_of(kind):
                self.mask(each)
        return self

    def _covers(
        self, when: Callable[[Thing], Any] | None, seen_by: Callable[[Thing], Any] | None, thing: Thing
    ) -> bool:
        with self._evaluating():
            if when is not None and not when(thing):
                return False
            if seen_by is None or self.seat is None:
                return True
            seers = seen_by(thing)
        return seers is not self.seat and (not isinstance(seers, tuple | list) or self.seat not in seers)

    def hides(self, thing: Thing) -> bool:
        """Whether the identity of a thing is hidden from the seat."""
        if self._hidden_only is not None:
            return thing in self._hidden_only
        if not isinstance(thing, Piece) or thing in self._revealed:
            return False
        return self.mask(thing) is not None or self._is_inside_hidden(thing)

    def _is_inside_hidden(self, thing: Thing) -> bool:
        """Whether a thing is in something whose contents are hidden, at any depth."""
        if thing in self._inside_hidden:
            return True
        return self._conceals(thing.at) if isinstance(thing, Piece) and thing.at is not None else False

    def _conceals(self, holder: Thing) -> bool:
        """Whether what is in a thing is hidden: by a view of the thing, or of something that it is in."""
        if holder not in self._concealing:
            mask, up = self.mask(holder), holder.at if isinstance(holder, Piece) else None
            is_open = mask is None or CONTENTS in mask.seen
            self._concealing[holder] = not is_open or (up is not None and self._conceals(up))
        return self._concealing[holder]

    def seen_values(self, thing: Thing) -> dict[str, Any]:
        """Returns the stored values of a masked thing that its views leave visible, without hidden pieces.

        There are none of a piece in something whose contents are hidden.
        """
        mask = self.mask(thing)
        if mask is None or self._is_inside_hidden(thing):
            return {}
        pairs = zip(thing.attributes, thing.slots, strict=True)
        return {name: self.masked(getattr(thing, slot)) for name, slot in pairs if name in mask.seen}

    def name(self, thing: Thing) -> Thing | HiddenPiece:
        """Returns the thing, or its replacement if it is hidden."""
        if not self.hides(thing):
            return thing
        mask = self.mask(thing)
        if mask is None:
            return HiddenPiece(thing.lineage[-1])
        seen = self.seen_values(thing).values() if mask.seen else ()
        return HiddenPiece(mask.kind, next((each for each in seen if isinstance(each, Seat)), None))

    def masked(self, value: Any) -> Any:
        """Returns a value of any shape with every hidden piece replaced, including names in texts.

        Hidden pieces come last in their collection, so that their position reveals nothing.
        """
        match value:
            case Thing():
                return self.name(value)
            case str():
                return self.text(value)
            case Mapping():
                pairs = [(self.masked(key), each) for key, each in value.items()]
                known = {key: self.masked(each) for key, each in pairs if not isinstance(key, HiddenPiece)}
                return known | {key: key for key, _ in pairs if isinstance(key, HiddenPiece)}
            case tuple() | list():
                items = [self.masked(each) for each in value]
                return tuple(sorted(items, key=lambda each: isinstance(each, HiddenPiece)))
            case _:
                return value

    def text(self, text: str) -> str:
        """Returns a text with the ids of hidden pieces replaced."""
        if not self._core.image.views or not self._core.world.names_pieces(words_of(text)):
            return text
        return _NAME.sub(lambda found: self._name_in_text(found[0]), text)

    def _name_in_text(self, word: str) -> str:
        hidden = self._hidden_named(word)
        return self.name(hidden[0]).id if hidden else word

    def _hidden_named(self, word: str) -> list[Piece]:
        return [each for each in self._core.world.pieces_named(word) if self.hides(each)]

    def hidden_in(self, value: Any) -> set[Piece]:
        """Returns the hidden pieces that a value of any shape names, in texts too."""
        match value:
            case Thing():
                return {value} if isinstance(value, Piece) and self.hides(value) else set()
            case str():
                return {each for word in _NAME.findall(value) for each in self._hidden_named(word)}
            case Mapping():
                return self.hidden_in(tuple(value.items()))
            case tuple() | list():
                return {found for each in value for found in self.hidden_in(each)}
            case _:
                return set()

    def with_hidden(self, things: frozenset[Thing]) -> Visibility:
        """Returns a visibility from which exactly these pieces are hidden."""
        other = copy(self)
        other._hidden_only, other._concealing = things, {}
        other._inside_hidden = frozenset([each for each in things if self._is_inside_hidden(each)])
        return other

    def hidden(self) -> list[Piece]:
        """Returns all hidden pieces."""
        if not self._core.image.views:
            return []
        return [each for each in self._core.world.all_pieces() if self.hides(each)]

    def plain(self, value: Any, around: tuple[Record, ...] = ()) -> Any:
        """Returns a value as JSON data: things by `kind/id`, words by name, hidden pieces as `{"hidden": kind}`.

        A map is a list of pairs. A record has its kind and values, or `again` inside itself.
        """
        match value:
            case None | bool() | int():
                return value
            case str():
                return self.text(value)
            case HiddenPiece():
                return {"hidden": value.kind}
            case Word():
                return value.id
            case Thing():
                known = self.name(value)
                return self.plain(known) if isinstance(known, HiddenPiece) else known.ref
            case Fraction():
                return {"fraction": [value.numerator, value.denominator]}
            case Record():
                return self._plain_record(value, around)
            case Mapping():
                return [[self.plain(key, around), self.plain(each, around)] for key, each in self.masked(value).items()]
            case tuple() | list() | range():
                return [self.plain(each, around) for each in self.masked(tuple(value))]
            case _:
                return str(getattr(value, "id", value))

    def _plain_record(self, record: Record, around: tuple[Record, ...]) -> dict[str, Any]:
        if any(each is record for each in around):
            return {"record": record.kind, "again": True}
        within = (*around, record)
        pairs = zip(record.attributes, record.slots, strict=True)
        return {
            "record": record.kind,
            "values": {name: self.plain(getattr(record, slot), within) for name, slot in pairs},
        }


def has_hidden(value: Any) -> bool:
    """Whether a masked value contains a hidden piece."""
    if isinstance(value, Mapping):
        return any(has_hidden(each) for pair in value.items() for each in pair)
    if isinstance(value, tuple | list):
        return any(map(has_hidden, value))
    return isinstance(value, HiddenPiece)


def seat_by_id(core: Core, seat: str | None) -> Thing | None:
    """Returns the seat with this id; none for an onlooker.

    Raises:
        UsageError: if there is no such seat.
    """
    if seat is None:
        return None
    seats = {each.id: each for each in core.seats}
    if seat not in seats:
        hint = did_you_mean(seat, seats)
        raise UsageError(f"there is no seat '{seat}'" + (f"; {hint}" if hint else ""))
    return seats[seat]


def withheld_from(core: Core, seat: str) -> frozenset[str]:
    """Returns the things of which anything is hidden from a seat, by their full names."""
    if not has_secrets(core.image):
        return frozenset()
    core.begin_query()
    visibility = Visibility(core, seat_by_id(core, seat))
    things = core.world.objects
    return frozenset([each.ref for each in things if visibility.hides(each) or visibility.mask(each) is not None])
