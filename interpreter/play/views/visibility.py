"""What a seat can see of a game, by the views of its ruleset."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.language.diagnostics import UsageError, did_you_mean
from interpreter.language.model.image import ViewImage
from interpreter.world.things import Piece, Record, Thing, Word

if TYPE_CHECKING:
    from interpreter.play.engine.core import Core

CONTENTS, COUNT = "contents", "count"
_NAME = re.compile(r"\w+")


class HiddenPiece(Word):
    """Stands for a piece that a seat may not know: a word that says its kind and nothing else."""

    __slots__ = ()

    def __init__(self, kind: str) -> None:
        super().__init__(kind, f"hidden_{kind}", 0)


class Mask:
    """What the views that cover a thing leave to see, and the kind that it may be known as."""

    __slots__ = ("kind", "seen")

    def __init__(self, kind: str, seen: frozenset[str]) -> None:
        self.kind = kind
        self.seen = seen


class Visibility:
    """One seat's eyes on one state (`seat` none: somebody who looks on); to be made anew when the state has changed.

    A thing is *veiled* where a view covers it: its attributes and contents are hidden but for what others see. A piece
    is *hidden* if it is veiled, or stands in something whose contents are hidden: then nothing may tell which one it
    is. What was revealed to the seat is neither, until it moves. Each thing is looked at when it is first asked about.

    Raises:
        BicorneError: from every method, if the condition of a view goes wrong.
    """

    def __init__(self, core: Core, seat: Thing | None) -> None:
        self._core = core
        self.seat = seat
        self._exactly: frozenset[Thing] | None = None
        self._shown = {thing for thing, to in core.shown() if to is None or to is seat}
        self._veils: dict[Thing, Mask | None] = {}

    def veil(self, thing: Thing) -> Mask | None:
        """What covers a thing, if anything does."""
        if thing not in self._veils:
            self._veils[thing] = None if thing in self._shown else self._veil(thing)
        return self._veils[thing]

    def _veil(self, thing: Thing) -> Mask | None:
        found: Mask | None = None
        for view in self._core.image.views:
            if view.kind in thing.lineage and self._covers(view, thing):
                seen = frozenset(view.others_see)
                found = Mask(view.kind, seen) if found is None else Mask(found.kind, seen & found.seen)
        return found

    def settled(self) -> Visibility:
        """The same eyes when they have looked at everything, so that the state may be changed before they are asked."""
        for kind in {view.kind for view in self._core.image.views}:
            for each in self._core.world.all_of(kind):
                self.veil(each)
        return self

    def _covers(self, view: ViewImage, thing: Thing) -> bool:
        names = self._core.names
        try:
            if view.when and not names[f"vw_{view.name}"](thing):
                return False
            if not view.seen_by or self.seat is None:
                return True
            seers = names[f"vs_{view.name}"](thing)
        except Exception as error:
            raise self._core.fault(error) from error
        return seers is not self.seat and (not isinstance(seers, tuple | list) or self.seat not in seers)

    def hides(self, thing: Thing) -> bool:
        """Whether the seat may not know which thing this is."""
        if self._exactly is not None:
            return thing in self._exactly
        if not isinstance(thing, Piece) or thing in self._shown:
            return False
        if self.veil(thing) is not None:
            return True
        up = thing.at
        while up is not None:
            veil = self.veil(up)
            if veil is not None and CONTENTS not in veil.seen:
                return True
            up = up.at if isinstance(up, Piece) else None
        return False

    def name(self, thing: Thing) -> Thing | HiddenPiece:
        """The thing, or what stands for it."""
        if not self.hides(thing):
            return thing
        veil = self.veil(thing)
        return HiddenPiece(veil.kind if veil is not None else thing.lineage[-1])

    def masked(self, value: Any) -> Any:
        """A value of any shape with every hidden piece in it replaced, names in texts included.

        Hidden ones come last in their collection, so that their place tells nothing.
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
        """A text in which no id of a hidden piece stands."""
        if not self._core.image.views:
            return text
        return _NAME.sub(lambda found: self._name_in_text(found[0]), text)

    def _name_in_text(self, word: str) -> str:
        hidden = self._hidden_named(word)
        return self.name(hidden[0]).id if hidden else word

    def _hidden_named(self, word: str) -> list[Piece]:
        return [each for each in self._core.world.pieces_named(word) if self.hides(each)]

    def mentioned(self, value: Any) -> set[Piece]:
        """The hidden pieces that a value of any shape names, in texts too."""
        match value:
            case Thing():
                return {value} if isinstance(value, Piece) and self.hides(value) else set()
            case str():
                return {each for word in _NAME.findall(value) for each in self._hidden_named(word)}
            case Mapping():
                return self.mentioned(tuple(value.items()))
            case tuple() | list():
                return {found for each in value for found in self.mentioned(each)}
            case _:
                return set()

    def hiding(self, things: frozenset[Thing]) -> Visibility:
        """Eyes from which exactly these pieces are hidden."""
        other = copy(self)
        other._exactly = things
        return other

    def hidden(self) -> list[Piece]:
        """All hidden pieces."""
        if not self._core.image.views:
            return []
        return [each for each in self._core.world.all_pieces() if self.hides(each)]

    def plain(self, value: Any, around: tuple[Record, ...] = ()) -> Any:
        """A value as JSON data: things by `kind/id`, words by name, hidden pieces as `{"hidden": kind}`.

        A map is a list of pairs; a record is its kind and values, and `again` where it stands within itself.
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


def has_unseen(value: Any) -> bool:
    """Whether a masked value stands for anything hidden."""
    if isinstance(value, Mapping):
        return any(has_unseen(each) for pair in value.items() for each in pair)
    if isinstance(value, tuple | list):
        return any(map(has_unseen, value))
    return isinstance(value, HiddenPiece)


def seat_named(core: Core, seat: str | None) -> Thing | None:
    """The seat of this id; none stands for somebody who looks on.

    Raises:
        UsageError: if there is none.
    """
    if seat is None:
        return None
    seats = {each.id: each for each in core.seats}
    if seat not in seats:
        hint = did_you_mean(seat, seats)
        raise UsageError(f"there is no seat '{seat}'" + (f"; {hint}" if hint else ""))
    return seats[seat]
