"""What a game that follows a recorded one looked up and did where the two part, to be held against the other's."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from interpreter.language.model.image import Site
from interpreter.play.engine.budget import AT_LEISURE
from interpreter.play.engine.engine import Event, Observer
from interpreter.play.engine.outcome import Result
from interpreter.play.engine.sequencer import Frame
from interpreter.play.inputs.value_codec import Stable, encode
from interpreter.play.log.log import LogBuilder, LogEntry
from interpreter.play.migration.follower import Follower
from interpreter.play.migration.name_map import NameMap
from interpreter.play.migration.transcript import Transcript
from interpreter.world.things import State

_AS_THEY_ARE: Final = NameMap()
_SAID_TWICE: Final = frozenset({"used", "leave", "terms"})
"""Events that only say more of others."""


class TraceEvent(NamedTuple):
    """An event in meaning: its kind, the path of its rule, its address, its data by names.

    `listed` says that it came of listing options, `between` that it came between two steps, of finding the next one.
    """

    kind: str
    rule: str
    address: str
    data: Any
    listed: bool
    between: bool
    event: Event

    @property
    def spot(self) -> tuple[str, str, str]:
        """What it is an event of."""
        return self.kind, self.rule, self.address

    @property
    def meaning(self) -> tuple[str, str, str, Any]:
        """What it says."""
        return self.kind, self.rule, self.address, self.data


class TraceCapture(Observer):
    """Keeps what is seen of a traced game in a step and in the one before, and stops the game after it.

    `names` are those under which it tells of it. With `between_steps` it keeps what was looked up between all steps
    before, too: what comes after what may have been settled long ago.
    """

    def __init__(self, step: int, names: NameMap = _AS_THEY_ARE, *, between_steps: bool = False) -> None:
        self.seen: list[TraceEvent] = []
        self._between_steps = between_steps
        self._between = True
        self._names = names
        self._last = step

    def on_step_begin(self) -> None:
        """Stops the game where the step after the last one begins."""
        self.game.core.budget.seconds = AT_LEISURE
        self._between = False
        if len(self.game.steps) > max(self._last, 1):
            assert isinstance(self.game, Follower)
            raise self.game.parted("end", "", "")

    def on_step_end(self) -> None:
        """From now on the next step is looked for."""
        self._between = True

    def on_event(self, kind: str, site: int, data: Any) -> None:
        """Keeps an event of the last two steps."""
        self._keep(kind, site, data, listed=False)

    def on_unlogged_event(self, kind: str, site: int, data: Any) -> None:
        """Keeps what listing options did in the last two steps."""
        self._keep(kind, site, data, listed=True)

    def _keep(self, kind: str, site: int, data: Any, *, listed: bool) -> None:
        """Keeps an event by its meaning."""
        early = len(self.game.steps) < self._last - 1
        if kind in _SAID_TWICE or self.game.speculative or (early and not (self._between_steps and self._between)):
            return
        found = self.game.core.image.sites[site] if site >= 0 else None
        rule, address, meant = "", "", self._meant(kind, data)
        if found is not None:
            rule, address = found.rule, found.address
        if self._names:
            rule, address, meant = self._renamed(kind, rule, address, meant)
        self.seen.append(TraceEvent(kind, rule, address, meant, listed, self._between, (kind, site, data)))

    def _renamed(self, kind: str, rule: str, address: str, meant: Any) -> tuple[str, str, Any]:
        """An event of the record's rules in the names of the others."""
        names = self._names
        if kind == "step":
            return rule, address, (names.path(meant[0]), names.value(meant[1]))
        if kind == "result":
            return rule, address, names.result(*meant)
        if kind == "set":
            owner, attribute, *values = meant
            meant = (owner, names.attributes.get(attribute, attribute), *values)
        return names.path(rule), names.address(address), names.value(meant)

    def _meant(self, kind: str, data: Any) -> Any:
        if kind == "modifiers":
            tally, total = data
            sites = self.game.core.image.sites
            return (tuple([(sites[number].address, value) for number, value in tally]), total)
        if isinstance(data, Frame):
            return (data.node.path if data.node is not None else "", encode(data.scope))
        if isinstance(data, Result):
            return (data.winners, data.reason)
        return tuple(map(_named, data)) if isinstance(data, tuple) else _named(data)

    def site(self, seen: TraceEvent) -> Site | None:
        """The site of an event of this game."""
        number = seen.event[1]
        return self.game.core.image.sites[number] if number >= 0 else None

    def told(self, seen: TraceEvent) -> LogEntry:
        """An event of this game in words."""
        return LogBuilder((), self.game.core.image, self.game.setting.wording).entry(seen.event)


def capture_trace(
    source: Any,
    course: Transcript,
    seed: int | str,
    step: int,
    names: NameMap = _AS_THEY_ARE,
    *,
    between_steps: bool = False,
) -> TraceCapture:
    """What is seen of a traced game that follows a transcript, up to the end of a step; see `TraceCapture`."""
    capture = TraceCapture(step, names, between_steps=between_steps)
    Follower(source, course, seed, trace=True, observers=(capture,))
    return capture


def _named(value: Any) -> Stable:
    """A value by its name; the state itself, which owns values that nothing else does, has none."""
    return None if isinstance(value, State) else encode(value)
