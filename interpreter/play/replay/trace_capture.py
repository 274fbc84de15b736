"""The events of a following game around a divergence, for comparison with those of the recorded game."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from interpreter.language.model.image import Site
from interpreter.play.engine.budget import OBSERVED_SECONDS
from interpreter.play.engine.engine import Event, Observer
from interpreter.play.engine.outcome import Result
from interpreter.play.engine.sequencer import Frame
from interpreter.play.inputs.value_codec import Stable, encode
from interpreter.play.log.log import LogBuilder, LogEntry
from interpreter.play.replay.follower import Follower
from interpreter.play.replay.name_map import NameMap
from interpreter.play.replay.transcript import Transcript
from interpreter.world.things import State

_NO_RENAMES: Final = NameMap()
_REDUNDANT: Final = frozenset({"used", "leave", "terms"})
"""Kinds of events that only add to other events."""


class TraceEvent(NamedTuple):
    """An event by names: its kind, the path of its rule, its address and its data.

    `listed` events come from listing options, `between` events from the search for the next step.
    """

    kind: str
    rule: str
    address: str
    data: Any
    listed: bool
    between: bool
    event: Event

    @property
    def subject(self) -> tuple[str, str, str]:
        """The kind, rule and address of the event."""
        return self.kind, self.rule, self.address

    @property
    def content(self) -> tuple[str, str, str, Any]:
        """The subject of the event with its data."""
        return self.kind, self.rule, self.address, self.data


class TraceCapture(Observer):
    """Keeps the events of a traced game in one step and the step before, and stops the game after that step.

    `names` renames the events. With `between_steps` the look-ups between all earlier steps are kept too, because the
    order of steps may have been decided much earlier.
    """

    def __init__(self, step: int, names: NameMap = _NO_RENAMES, *, between_steps: bool = False) -> None:
        self.events: list[TraceEvent] = []
        self._between_steps = between_steps
        self._between = True
        self._names = names
        self._last = step

    def on_step_begin(self) -> None:
        """Stops the game at the first step after the last one to capture."""
        self.game.core.budget.seconds = OBSERVED_SECONDS
        self._between = False
        if len(self.game.steps) > max(self._last, 1):
            assert isinstance(self.game, Follower)
            raise self.game.diverged("end", "", "")

    def on_step_end(self) -> None:
        """Marks further events as those between two steps."""
        self._between = True

    def on_event(self, kind: str, site: int, data: Any) -> None:
        """Keeps an event of the last two steps."""
        self._keep(kind, site, data, listed=False)

    def on_unlogged_event(self, kind: str, site: int, data: Any) -> None:
        """Keeps an event of listing options in the last two steps."""
        self._keep(kind, site, data, listed=True)

    def _keep(self, kind: str, site: int, data: Any, *, listed: bool) -> None:
        """Keeps an event by names."""
        early = len(self.game.steps) < self._last - 1
        if kind in _REDUNDANT or self.game.speculative or (early and not (self._between_steps and self._between)):
            return
        found = self.game.core.image.sites[site] if site >= 0 else None
        rule, address, named = "", "", self._named_data(kind, data)
        if found is not None:
            rule, address = found.rule, found.address
        if self._names:
            rule, address, named = self._renamed(kind, rule, address, named)
        self.events.append(TraceEvent(kind, rule, address, named, listed, self._between, (kind, site, data)))

    def _renamed(self, kind: str, rule: str, address: str, named: Any) -> tuple[str, str, Any]:
        """Returns the rule, address and data of an event of the recorded rules under the new names."""
        names = self._names
        if kind == "step":
            return rule, address, (names.path(named[0]), names.value(named[1]))
        if kind == "result":
            return rule, address, names.result(*named)
        if kind == "set":
            owner, attribute, *values = named
            named = (owner, names.attributes.get(attribute, attribute), *values)
        return names.path(rule), names.address(address), names.value(named)

    def _named_data(self, kind: str, data: Any) -> Any:
        if kind == "modifiers":
            tally, total, whose = data
            sites = self.game.core.image.sites
            return (tuple([(sites[number].address, value) for number, value in tally]), total, _named(whose))
        if isinstance(data, Frame):
            return (data.node.path if data.node is not None else "", encode(data.scope))
        if isinstance(data, Result):
            return (data.winners, data.reason)
        return tuple(map(_named, data)) if isinstance(data, tuple) else _named(data)

    def site(self, captured: TraceEvent) -> Site | None:
        """Returns the site of an event of this game, if it has one."""
        number = captured.event[1]
        return self.game.core.image.sites[number] if number >= 0 else None

    def entry(self, captured: TraceEvent) -> LogEntry:
        """Returns the log entry of an event of this game."""
        return LogBuilder((), self.game.core.image, self.game.source.wording).entry(captured.event)


def capture_trace(
    source: Any,
    transcript: Transcript,
    seed: int | str,
    step: int,
    names: NameMap = _NO_RENAMES,
    *,
    between_steps: bool = False,
) -> TraceCapture:
    """Returns the events of a traced game that follows a transcript, up to the end of a step; see `TraceCapture`."""
    capture = TraceCapture(step, names, between_steps=between_steps)
    Follower(source, transcript, seed, trace=True, observers=(capture,))
    return capture


def _named(value: Any) -> Stable:
    """Returns the stable form of a value; none for the state itself, which has no name."""
    return None if isinstance(value, State) else encode(value)
