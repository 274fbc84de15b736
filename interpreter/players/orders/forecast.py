"""Forecasts: how the map looks after an answer of a plan if nobody interferes, to tell whether anything changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interpreter.play.engine.core import Core
from interpreter.play.inputs.value_codec import Stable, encode
from interpreter.play.views.visibility import Visibility, seat_by_id
from interpreter.world.things import Piece, Space

Places = Mapping[str, str]
"""Where the pieces on the map are that a seat sees: by full name, the full name of what each is in."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """Where a seat sees the pieces on the map, and the attributes of those that a plan moves, by their full names."""

    places: Places
    moved: Mapping[str, tuple[Stable, ...]]

    @classmethod
    def of(cls, core: Core, seat: str, before: Places) -> Forecast:
        """Returns the forecast that is true now, of a plan that began with the pieces at the places `before`."""
        places = places_on_map(core, seat)
        moved = [each for each in core.world.all_pieces() if places.get(each.ref) != before.get(each.ref)]
        return cls(places, {each.ref: _attributes(each) for each in moved})

    def is_true(self, core: Core, seat: str) -> bool:
        """Whether all pieces are where they were to be, and those that the plan moves are unharmed."""
        if places_on_map(core, seat) != self.places:
            return False
        known = {each.ref: each for each in core.world.all_pieces() if each.ref in self.moved}
        return all(_attributes(known[name]) == values for name, values in self.moved.items())


def places_on_map(core: Core, seat: str) -> Places:
    """Returns where the pieces are that a seat sees on the map: in spaces that have neighbours."""
    core.begin_query()
    visibility = Visibility(core, seat_by_id(core, seat))
    found: dict[str, str] = {}
    for each in core.world.all_pieces():
        if each.at is not None and _is_on_map(each) and not visibility.hides(each):
            found[each.ref] = each.at.ref
    return found


def _is_on_map(piece: Piece) -> bool:
    holder = piece.at
    while isinstance(holder, Piece):
        holder = holder.at
    return isinstance(holder, Space) and bool(holder.neighbours)


def _attributes(piece: Piece) -> tuple[Stable, ...]:
    return tuple([encode(getattr(piece, each)) for each in piece.slots])
