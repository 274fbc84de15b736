"""The log of a game for one seat, without anything that it may not know."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from interpreter.play.engine.engine import Event, GameEngine, Observer
from interpreter.play.engine.sequencer import Frame
from interpreter.play.log.log import LogBuilder, LogEntry
from interpreter.play.views.visibility import Visibility, has_secrets, seat_by_id
from interpreter.world.things import Piece, Thing


def visible_log(game: GameEngine, seat: str | None) -> list[LogEntry]:
    """Returns the log entries that a seat may know (without a seat: that everybody may know).

    A piece is named if the seat could see it at the time of the event, or at the destination of a draw, choice or
    move; else it is shown as hidden. So only the seat that draws a card learns which card it is, even if the card is
    played later. Changes of a thing that the seat could not see are left out, and so are other seats' secret answers.

    Raises:
        UsageError: if there is no such seat.
    """
    return readable_log(game, seat).entries


def readable_log(game: GameEngine, seat: str | None) -> LogBuilder:
    """Returns the log of `visible_log`, which also explains its entries, with nothing else than the seat may know.

    Raises:
        UsageError: if there is no such seat.
    """
    seat_by_id(game.core, seat)
    game = game.before_simultaneous() or game
    if has_secrets(game.core.image):
        events = seat_events(game, seat)
    else:
        events = game.events if game.traced else game.twin(trace=True).events
    return LogBuilder(events, game.core.image, game.source.wording)


def seat_events(game: GameEngine, seat: str | None) -> list[Event]:
    """Returns the events of a game that a seat may know, by a replay with the visibility of that seat."""
    observer = _SeatEvents(seat)
    GameEngine(
        game.source,
        game.seed,
        True,
        dice=game.chance.dice,
        inputs=game.inputs.items,
        start=game.start,
        observers=(observer,),
    ).begin()
    observer.close()
    return observer.events


_MOVING_EVENTS = frozenset({"random", "move", "answer"})
"""Events of pieces that are about to move: they are named if the seat can see them at their destination."""


@dataclass(slots=True)
class _Pending:
    """An event that names hidden pieces: the places of those that have not moved yet, and those that stay hidden."""

    position: int
    waiting: dict[Piece, Any]
    hidden: set[Thing]


class _SeatEvents(Observer):
    """Collects in `events` what one seat learns of a replayed game."""

    def __init__(self, seat: str | None) -> None:
        self.events: list[Event] = []
        self._seat = seat
        self._cached: tuple[int, Collection[Any], Visibility] | None = None
        self._pending: list[_Pending] = []

    def on_event(self, kind: str, site: int, data: Any) -> None:
        """Keeps an event with only what the seat may know."""
        with self.game.unlogged():  # the condition of a view is a rule too, but its evaluation is no event
            self._collect(kind, site, data)

    def close(self) -> None:
        """Resolves all pending events at the end of the game."""
        with self.game.unlogged():
            self._resolve_pending(all_pieces=True)

    def _collect(self, kind: str, site: int, data: Any) -> None:
        self._resolve_pending(all_pieces=kind == "step")
        if kind == "answer" and self.game.core.image.sites[site].secret and data[0].id != self._seat:
            return
        visibility = self._visibility()
        if kind == "set" and _is_masked(visibility, data):
            return
        hidden = visibility.hidden_in(data)
        if kind not in _MOVING_EVENTS:
            self.events.append((kind, site, masked_event(kind, data, visibility) if hidden else data))
            return
        if hidden:
            self._pending.append(_Pending(len(self.events), {each: each.at for each in hidden}, set()))
        self.events.append((kind, site, data))

    def _visibility(self) -> Visibility:
        core = self.game.core
        stamp = len(core.world.journal)
        if self._cached is None or self._cached[0] != stamp or self._cached[1] is not core.revealed:
            self._cached = (stamp, core.revealed, Visibility(core, seat_by_id(core, self._seat)))
        return self._cached[2]

    def _resolve_pending(self, all_pieces: bool) -> None:
        """Decides which pieces are named: those that have moved since the event, or all."""
        if not self._pending:
            return
        visibility, kept = self._visibility(), []
        for each in self._pending:
            for thing in [piece for piece, at in each.waiting.items() if all_pieces or piece.at is not at]:
                del each.waiting[thing]
                if visibility.hides(thing):
                    each.hidden.add(thing)
            if each.waiting:
                kept.append(each)
            else:
                kind, site, data = self.events[each.position]
                self.events[each.position] = (
                    kind,
                    site,
                    masked_event(kind, data, visibility.with_hidden(frozenset(each.hidden))),
                )
        self._pending = kept


def masked_event(kind: str, data: Any, visibility: Visibility) -> Any:
    """Returns the data of an event without hidden pieces; parts in fixed positions keep them."""
    if isinstance(data, Frame):
        return data._replace(scope=tuple([visibility.masked(each) for each in data.scope]))
    if isinstance(data, tuple) and kind != "random":
        return tuple([visibility.masked(each) for each in data])
    return visibility.masked(data)


def _is_masked(visibility: Visibility, data: tuple[Any, ...]) -> bool:
    owner, attribute = data[0], data[1]
    if not isinstance(owner, Thing):
        return False
    mask = visibility.mask(owner)
    return visibility.hides(owner) if mask is None else attribute not in mask.seen
