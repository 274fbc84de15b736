"""The view of a game for one seat, as JSON data."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

from interpreter.language.model.emitted_names import DEFINITION, SLOT, is_hidden_name
from interpreter.language.strict_json import canonical_json
from interpreter.play.engine.core import Core
from interpreter.play.engine.engine import GameEngine
from interpreter.play.inputs.value_codec import Act, encode, encode_json
from interpreter.play.views.visibility import CONTENTS, COUNT, HiddenPiece, Visibility, has_hidden, seat_by_id
from interpreter.world.things import Link, Piece, Seat, Space, Thing, Word

Data = dict[str, Any]


def view(game: GameEngine, seat: str | None) -> Data:
    """Returns everything that a seat may know of the state; without a seat, what everybody may know.

    Every thing has `kind`, `id`, `attributes` and, if it can hold pieces, `contents`. A hidden piece has `hidden`
    instead of its id, its visible kind, and its visible attributes; it follows the known pieces. Hidden contents have
    `count` if others may see it.

    The caller must not change the data: parts of it are shared with other views.

    Raises:
        UsageError: if there is no such seat.
    """
    game.core.begin_query()
    visible = game.before_simultaneous() or game
    return _state(visible, seat) | {"decision": _decision(game, Visibility(game.core, seat_by_id(game.core, seat)))}


def view_hash(game: GameEngine, seat: str | None) -> str:
    """Returns a digest of the view of a seat, the same on every machine: it covers nothing that is hidden from it.

    Raises:
        UsageError: if there is no such seat.
    """
    return blake2b(canonical_json(view(game, seat)).encode(), digest_size=16).hexdigest()


def _state(game: GameEngine, seat: str | None) -> Data:
    core = game.core
    picture = _SeatPicture(core, Visibility(core, seat_by_id(core, seat)))
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
    """The objects of a world as data for one seat."""

    def __init__(self, core: Core, visibility: Visibility) -> None:
        self.visibility = visibility
        self._core = core
        self._objects = core.world.objects

    def all_of(self, kind: type[Thing]) -> list[Data]:
        """Returns every thing of a root kind, in canonical order."""
        return [self.thing(each) for each in self._objects if isinstance(each, kind)]

    def others(self) -> list[Data]:
        """Returns everything that is neither seat, space, link nor piece."""
        return [self.thing(each) for each in self._objects if not isinstance(each, Seat | Space | Link | Piece)]

    def links(self) -> list[Data]:
        """Returns the links with values."""
        return [self.thing(each) for each in self._objects if isinstance(each, Link) and any(each.values(each))]

    def removed(self) -> list[Data]:
        """Returns the pieces without a place."""
        return self._pieces([each for each in self._objects if isinstance(each, Piece) and each.at is None])

    def thing(self, thing: Thing) -> Data:
        """Returns everything that the seat may know of one thing."""
        known = self.visibility.name(thing)
        data: Data = {"kind": known.kind}
        if isinstance(known, HiddenPiece):
            data["hidden"] = True
        else:
            data["id"] = thing.id
        data["attributes"] = self._attributes(thing, known)
        mask = self.visibility.mask(thing)
        if not thing.holds:
            return data
        contents = [each for slot in sorted(thing.holds) for each in getattr(thing, slot)]
        if mask is None or CONTENTS in mask.seen:
            data["contents"] = self._pieces(contents)
            return data
        shown = [each for each in contents if not self.visibility.hides(each)]
        if shown:
            data["contents"] = self._pieces(shown)
        if COUNT in mask.seen:
            data["count"] = len(contents)
        return data

    def values(self, bundle: Any) -> Data:
        """Returns all values of a thing or of the state."""
        pairs = zip(bundle.attributes, bundle.slots, strict=True)
        return {name: self.visibility.plain(getattr(bundle, slot)) for name, slot in pairs if not is_hidden_name(name)}

    def _values_of(self, thing: Thing) -> Data:
        """Returns all values of a thing; values that nobody hides are cached until they change."""
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
        mask = self.visibility.mask(thing)
        if mask is None:
            return {} if isinstance(known, HiddenPiece) else self._values_of(thing)
        found: Data = {}
        for name in sorted(mask.seen - {CONTENTS, COUNT}):
            if name in thing.attributes:
                found[name] = self.visibility.plain(getattr(thing, SLOT(name)))
            elif (computed := self._computed(thing, name)) is not None:
                found[name] = self.visibility.plain(computed(thing))
        return found

    def _computed(self, thing: Thing, name: str) -> Any:
        for kind in thing.lineage:
            if (found := self._core.names.get(DEFINITION(kind, name))) is not None:
                return found
        return None

    def _pieces(self, pieces: list[Any]) -> list[Data]:
        """Returns pieces with the hidden ones last, ordered by their visible data."""
        known = [self.thing(each) for each in pieces if not self.visibility.hides(each)]
        hidden = [self.thing(each) for each in pieces if self.visibility.hides(each)]
        return known + sorted(hidden, key=lambda each: json.dumps(each, sort_keys=True))


def _is_open(value: Any) -> bool:
    """Whether a value is the same for everybody: it names no piece, not even in a text."""
    if isinstance(value, tuple):
        return all(map(_is_open, value))
    return value is None or isinstance(value, int | Word) or (isinstance(value, Thing) and not isinstance(value, Piece))


def _decision(game: GameEngine, visibility: Visibility) -> Data | None:
    """Returns the open decision; question and options only for its seat, and of a secret one nothing else at all."""
    decision = game.decision
    if decision is None:
        return None
    is_own = decision.seat_object is visibility.seat
    if decision.site.secret and not is_own:
        return {"seat": decision.seat, "secret": True}
    data: Data = {"seat": decision.seat, "address": decision.address, "kind": decision.kind}
    if not is_own:
        return data
    data["prompt"] = visibility.text(decision.prompt)
    data["cites"] = list(decision.cites)
    data["chosen"] = visibility.plain(decision.chosen)
    data["options"] = [_option(decision, option, visibility) for option in decision.options]
    return data


def _option(decision: Any, option: Any, visibility: Visibility) -> Data:
    """Returns an option with its stable value and label; without both if it would name a hidden piece."""
    if isinstance(option, Thing) and visibility.hides(option):
        return {"value": None, "label": decision.label(visibility.name(option)), "hidden": True}
    masked = option if isinstance(option, Act) else visibility.masked(option)
    if has_hidden(masked):
        return {"value": None, "label": decision.label(masked), "hidden": True}
    return {"value": encode_json(encode(option)), "label": decision.label(option)}
