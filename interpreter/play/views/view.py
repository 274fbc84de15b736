"""A game as one seat sees it, as plain JSON data."""

from __future__ import annotations

import json
from typing import Any

from interpreter.play.engine.core import Core
from interpreter.play.engine.engine import GameEngine
from interpreter.play.inputs.value_codec import Act, encode, plain
from interpreter.play.views.visibility import CONTENTS, COUNT, HiddenPiece, Visibility, has_unseen, seat_named
from interpreter.world.things import Link, Piece, Seat, Space, Thing, Word

Data = dict[str, Any]


def view(game: GameEngine, seat: str | None) -> Data:
    """All that a seat may know of the state; with no seat, what everybody may.

    Every thing has `kind`, `id`, `attributes` and, if it can hold pieces, `contents`. A hidden piece has `hidden` in
    place of its id, the kind that it may be known as, and what others may see of it; it stands behind the known ones.
    Where contents are hidden there is `count` if others may see it.

    The data is the caller's to keep and not to change: parts of it are shared with other views.

    Raises:
        UsageError: if there is no such seat.
    """
    game.core.look()
    seen = game.before_simultaneous() or game
    return _state(seen, seat) | {"decision": _decision(game, Visibility(game.core, seat_named(game.core, seat)))}


def _state(game: GameEngine, seat: str | None) -> Data:
    core = game.core
    picture = _SeatPicture(core, Visibility(core, seat_named(core, seat)))
    return {
        "seat": seat,
        "step": game.step_path,
        "result": None if game.result is None else {"winners": list(game.result.winners), "reason": game.result.reason},
        "decision": None,
        "state": picture.values(core.world.state),
        "seats": picture.all_of(Seat),
        "spaces": picture.all_of(Space),
        "things": picture.others(),
        "links": picture.links(),
        "removed": picture.removed(),
    }


class _SeatPicture:
    """The objects of a world as one seat sees them."""

    def __init__(self, core: Core, sight: Visibility) -> None:
        self.sight = sight
        self._core = core
        self._objects = core.world.objects

    def all_of(self, kind: type[Thing]) -> list[Data]:
        """Every thing of a root kind, in canonical order."""
        return [self.thing(each) for each in self._objects if isinstance(each, kind)]

    def others(self) -> list[Data]:
        """Everything that is neither seat, space, link nor piece."""
        return [self.thing(each) for each in self._objects if not isinstance(each, Seat | Space | Link | Piece)]

    def links(self) -> list[Data]:
        """The links that carry anything."""
        return [self.thing(each) for each in self._objects if isinstance(each, Link) and any(each.values(each))]

    def removed(self) -> list[Data]:
        """The pieces that stand nowhere."""
        return self._pieces([each for each in self._objects if isinstance(each, Piece) and each.at is None])

    def thing(self, thing: Thing) -> Data:
        """One thing: what the seat may know of it."""
        known = self.sight.name(thing)
        data: Data = {"kind": known.kind}
        if isinstance(known, HiddenPiece):
            data["hidden"] = True
        else:
            data["id"] = thing.id
        data["attributes"] = self._attributes(thing, known)
        veil = self.sight.veil(thing)
        if not thing.holds:
            return data
        contents = [each for slot in sorted(thing.holds) for each in getattr(thing, slot)]
        if veil is None or CONTENTS in veil.seen:
            data["contents"] = self._pieces(contents)
            return data
        shown = [each for each in contents if not self.sight.hides(each)]
        if shown:
            data["contents"] = self._pieces(shown)
        if COUNT in veil.seen:
            data["count"] = len(contents)
        return data

    def values(self, bundle: Any) -> Data:
        """All values of a thing or of the state."""
        pairs = zip(bundle.attributes, bundle.slots, strict=True)
        return {name: self.sight.plain(getattr(bundle, slot)) for name, slot in pairs}

    def _values_of(self, thing: Thing) -> Data:
        """All values of a thing; where none can be hidden from anybody, they are worked out when they have changed."""
        values = thing.values(thing)
        known = self._core.open_values.get(thing.index)
        if known is not None and known[0] == values and known[1] is thing:
            return dict(known[2])
        data = self.values(thing)
        if all(map(_is_open, values)):
            self._core.open_values[thing.index] = (values, thing, data)
            return dict(data)
        return data

    def _attributes(self, thing: Thing, known: Thing | HiddenPiece) -> Data:
        veil = self.sight.veil(thing)
        if veil is None:
            return {} if isinstance(known, HiddenPiece) else self._values_of(thing)
        found: Data = {}
        for name in sorted(veil.seen - {CONTENTS, COUNT}):
            if name in thing.attributes:
                found[name] = self.sight.plain(getattr(thing, f"a_{name}"))
            elif (computed := self._computed(thing, name)) is not None:
                found[name] = self.sight.plain(computed(thing))
        return found

    def _computed(self, thing: Thing, name: str) -> Any:
        for kind in thing.lineage:
            if (found := self._core.names.get(f"d_{kind}__{name}")) is not None:
                return found
        return None

    def _pieces(self, pieces: list[Any]) -> list[Data]:
        """Pieces with the hidden ones last, in the order of what can be seen of them."""
        known = [self.thing(each) for each in pieces if not self.sight.hides(each)]
        hidden = [self.thing(each) for each in pieces if self.sight.hides(each)]
        return known + sorted(hidden, key=lambda each: json.dumps(each, sort_keys=True))


def _is_open(value: Any) -> bool:
    """Whether a value tells the same to everybody: it names no piece, not even in a text."""
    if isinstance(value, tuple):
        return all(map(_is_open, value))
    return value is None or isinstance(value, int | Word) or (isinstance(value, Thing) and not isinstance(value, Piece))


def _decision(game: GameEngine, sight: Visibility) -> Data | None:
    """Who is asked what; the question and the options only for the seat that is asked."""
    decision = game.decision
    if decision is None:
        return None
    data: Data = {"seat": decision.seat, "address": decision.address, "kind": decision.kind}
    if decision.seat_object is not sight.seat:
        return data
    data["prompt"] = sight.text(decision.prompt)
    data["cites"] = list(decision.cites)
    data["chosen"] = sight.plain(decision.chosen)
    data["options"] = [_option(decision, option, sight) for option in decision.options]
    return data


def _option(decision: Any, option: Any, sight: Visibility) -> Data:
    """An option by its stable value and in words; one that would name a hidden piece says neither."""
    if isinstance(option, Thing) and sight.hides(option):
        return {"value": None, "label": decision.label(sight.name(option)), "hidden": True}
    masked = option if isinstance(option, Act) else sight.masked(option)
    if has_unseen(masked):
        return {"value": None, "label": decision.label(masked), "hidden": True}
    return {"value": plain(encode(option)), "label": decision.label(option)}
