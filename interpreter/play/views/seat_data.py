"""What a seat may know of single things, of the state and of the open decision, as JSON data."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from interpreter.language.model.emitted_names import DEFINITION, SLOT, is_hidden_name
from interpreter.play.engine.core import Core
from interpreter.play.engine.engine import GameEngine
from interpreter.play.inputs.value_codec import Act, encode, encode_json
from interpreter.play.views.quiet_query import without_events
from interpreter.play.views.visibility import CONTENTS, COUNT, HiddenPiece, Visibility, has_hidden, words_of
from interpreter.world.things import Piece, Thing, Word

Data = dict[str, Any]


class SeatData:
    """The objects of a world as data for one seat."""

    def __init__(self, core: Core, visibility: Visibility) -> None:
        self.visibility = visibility
        self.covered = frozenset([each.kind for each in core.image.views])
        """The kinds of which views can hide anything."""
        self.lasting: dict[int, Data] = {}
        """The data of pieces that hold nothing and that nothing can hide, by their indexes, until they change."""
        self._core = core

    def removed(self, pieces: list[Piece]) -> list[Data]:
        """Returns those of some pieces that have no place."""
        return self._pieces([each for each in pieces if each.at is None])

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
        plain = self.visibility.plain
        return {name: plain(getattr(bundle, slot)) for name, slot in _shown(bundle.attributes, bundle.slots)}

    def _values_of(self, thing: Thing) -> Data:
        """Returns all values of a thing; values that nobody hides are cached until they change.

        A text is hidden from nobody as long as it names no piece.
        """
        values = thing.values(thing)
        known = self._core.open_values.get(thing.index)
        if known is not None and known[0] == values and known[1] is thing and not self._names_pieces(known[3]):
            return dict(known[2])
        data = self.values(thing)
        texts = [each for each in values if isinstance(each, str)]
        words: frozenset[str] = frozenset().union(*map(words_of, texts))
        if all(isinstance(each, str) or is_open(each) for each in values) and not self._names_pieces(words):
            self._core.open_values[thing.index] = (values, thing, data, words)
            return dict(data)
        return data

    def _lasts(self, piece: Piece) -> bool:
        """Whether the data of a piece stays the same until its values or its place change, whatever else does."""
        if piece.holds or isinstance(piece.at, Piece) or not all(map(is_open, piece.values(piece))):
            return False
        return self.covered.isdisjoint(piece.lineage) and (
            piece.at is None or self.covered.isdisjoint(piece.at.lineage)
        )

    def _names_pieces(self, words: frozenset[str]) -> bool:
        return bool(words) and self._core.world.names_pieces(words)

    def _attributes(self, thing: Thing, known: Thing | HiddenPiece) -> Data:
        mask = self.visibility.mask(thing)
        if mask is None:
            return {} if isinstance(known, HiddenPiece) else self._values_of(thing)
        found: Data = {}
        for name in sorted(mask.seen - {CONTENTS, COUNT}):
            if name in thing.attributes:
                found[name] = self.visibility.plain(getattr(thing, SLOT(name)))
            elif (computed := self._computed(thing, name)) is not None:
                with without_events(self._core):
                    value = computed(thing)
                found[name] = self.visibility.plain(value)
        return found

    def _computed(self, thing: Thing, name: str) -> Any:
        for kind in thing.lineage:
            if (found := self._core.names.get(DEFINITION(kind, name))) is not None:
                return found
        return None

    def _pieces(self, pieces: list[Any]) -> list[Data]:
        """Returns pieces with the hidden ones last, ordered by their visible data."""
        known: list[Data] = []
        hidden: list[Data] = []
        for each in pieces:
            data = self.lasting.get(each.index)
            if data is not None:
                known.append(data)
            elif self.visibility.hides(each):
                hidden.append(self.thing(each))
            else:
                known.append(self.thing(each))
                if self._lasts(each):
                    self.lasting[each.index] = known[-1]
        if any(each != hidden[0] for each in hidden):
            hidden.sort(key=lambda each: json.dumps(each, sort_keys=True))
        return known + hidden


@lru_cache(maxsize=1024)
def _shown(attributes: tuple[str, ...], slots: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Returns the attributes that anybody may see at all, each with its slot."""
    return tuple([(name, slot) for name, slot in zip(attributes, slots, strict=True) if not is_hidden_name(name)])


def is_open(value: Any) -> bool:
    """Whether a value is the same for everybody: it names no piece, not even in a text."""
    if isinstance(value, tuple):
        return all(map(is_open, value))
    return value is None or isinstance(value, int | Word) or (isinstance(value, Thing) and not isinstance(value, Piece))


def is_secret_from(game: GameEngine, seat: Thing | None) -> bool:
    """Whether a seat learns of the open decision only who decides: another's that is secret, or simultaneous."""
    decision = game.decision
    if decision is None or decision.seat_object is seat:
        return False
    return decision.site.secret or game.core.simultaneous_since is not None


def decision_data(game: GameEngine, visibility: Visibility) -> Data | None:
    """Returns the open decision; question and options only for its seat.

    Other seats learn nothing else of a secret one, or of one in a block of simultaneous lines, but who decides.
    """
    decision = game.decision
    if decision is None:
        return None
    if is_secret_from(game, visibility.seat):
        return {"seat": decision.seat, "secret": True}
    data: Data = {"seat": decision.seat, "address": decision.address, "kind": decision.kind}
    if decision.seat_object is not visibility.seat:
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
