"""The log of a game with what one seat may not know left out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from interpreter.play.engine.engine import Event, GameEngine, Observer
from interpreter.play.engine.sequencer import Frame
from interpreter.play.log.log import LogBuilder, LogEntry
from interpreter.play.views.visibility import Visibility, seat_named
from interpreter.world.things import Piece, Thing


def visible_log(game: GameEngine, seat: str | None) -> list[LogEntry]:
    """What has happened, as far as a seat may know (with no seat: everybody).

    A piece is named where the seat could see it as it happened, or where a draw, choice or move took it; else it is
    told as hidden: who draws a card learns which, the others do not, not even when it is played later. What changed on
    a thing that the seat could not look into is not told.

    Raises:
        UsageError: if there is no such seat.
    """
    seat_named(game.core, seat)
    game = game.before_simultaneous() or game
    if not game.core.image.views:
        events = game.events if game.traced else game.twin(trace=True).events
    else:
        events = seat_events(game, seat)
    return LogBuilder(events, game.core.image, game.setting.wording).entries


def seat_events(game: GameEngine, seat: str | None) -> list[Event]:
    """The events of a game as far as a seat may know them: it is played again by its inputs before the seat's eyes."""
    observer = _SeatEvents(seat)
    GameEngine(
        game.setting,
        game.seed,
        True,
        dice=game.chance.dice,
        inputs=game.inputs.records,
        start=game.beginning,
        observers=(observer,),
    ).begin()
    observer.close()
    return observer.told


_GOING = frozenset({"random", "move", "answer"})
"""Events of pieces that are about to be somewhere else: they are named if the seat can see them there."""


@dataclass(slots=True)
class _Pending:
    """An event that named hidden pieces: where those stood that have not moved since, and those that stay hidden."""

    position: int
    waiting: dict[Piece, Any]
    hidden: set[Thing]


class _SeatEvents(Observer):
    """Collects in `told` what one seat learns of a game that is played again by its inputs."""

    def __init__(self, seat: str | None) -> None:
        self.told: list[Event] = []
        self._seat = seat
        self._sight: tuple[int, Collection[Any], Visibility] | None = None
        self._pending: list[_Pending] = []

    def on_event(self, kind: str, site: int, data: Any) -> None:
        """Keeps an event as far as the seat may know it."""
        with self.game.unlogged():  # a view's condition is a rule too: to evaluate it is no event
            self._watch(kind, site, data)

    def close(self) -> None:
        """Decides about everything that is still pending when the game has run."""
        with self.game.unlogged():
            self._look_again(over=True)

    def _watch(self, kind: str, site: int, data: Any) -> None:
        self._look_again(over=kind == "step")
        sight = self._see()
        if kind == "set" and _is_veiled(sight, data):
            return
        hidden = sight.mentioned(data)
        if kind not in _GOING:
            self.told.append((kind, site, masked_event(kind, data, sight) if hidden else data))
            return
        if hidden:
            self._pending.append(_Pending(len(self.told), {each: each.at for each in hidden}, set()))
        self.told.append((kind, site, data))

    def _see(self) -> Visibility:
        core = self.game.core
        stamp = len(core.world.journal)
        if self._sight is None or self._sight[0] != stamp or self._sight[1] is not core.revealed:
            self._sight = (stamp, core.revealed, Visibility(core, seat_named(core, self._seat)))
        return self._sight[2]

    def _look_again(self, over: bool) -> None:
        """Decide about pieces that have moved since they were named; when the step is over, about all."""
        if not self._pending:
            return
        sight, kept = self._see(), []
        for each in self._pending:
            for thing in [piece for piece, at in each.waiting.items() if over or piece.at is not at]:
                del each.waiting[thing]
                if sight.hides(thing):
                    each.hidden.add(thing)
            if each.waiting:
                kept.append(each)
            else:
                kind, site, data = self.told[each.position]
                self.told[each.position] = (kind, site, masked_event(kind, data, sight.hiding(frozenset(each.hidden))))
        self._pending = kept


def masked_event(kind: str, data: Any, sight: Visibility) -> Any:
    """The data of an event without what is hidden; where its parts have fixed places, these stay."""
    if isinstance(data, Frame):
        return data._replace(scope=tuple([sight.masked(each) for each in data.scope]))
    if isinstance(data, tuple) and kind != "random":
        return tuple([sight.masked(each) for each in data])
    return sight.masked(data)


def _is_veiled(sight: Visibility, data: tuple[Any, ...]) -> bool:
    owner, attribute = data[0], data[1]
    if not isinstance(owner, Thing):
        return False
    veil = sight.veil(owner)
    return sight.hides(owner) if veil is None else attribute not in veil.seen
