"""What a game that follows a recorded one looked up and did where the two part, to be held against the other's."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from interpreter.language.model.image import Site
from interpreter.play.engine.budget import AT_LEISURE
from interpreter.play.engine.outcome import Result
from interpreter.play.engine.sequencer import Frame
from interpreter.play.game import Event
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


class TraceCapture(Follower):
    """A traced game that follows a course, stops after a step, and keeps what is seen in it and in the one before.

    `names` are those under which it tells of it. With `courses` it keeps what was looked up between all steps before,
    too: what comes after what may have been settled long ago.
    """

    def __init__(
        self,
        source: Any,
        course: Transcript,
        seed: int | str,
        step: int,
        names: NameMap = _AS_THEY_ARE,
        *,
        courses: bool = False,
    ) -> None:
        self.seen: list[TraceEvent] = []
        self._courses = courses
        self._between = True
        self._names = names
        self._last = step
        super().__init__(source, course, seed, trace=True)

    def _mark_step(self, frame: Frame) -> None:
        self.core.budget.seconds = AT_LEISURE
        super()._mark_step(frame)
        self._between = False
        if len(self.steps) > max(self._last, 1):
            raise self.parted("end", "", "")

    def _step_done(self) -> None:
        super()._step_done()
        self._between = True

    def _event(self, kind: str, site: int, data: Any) -> None:
        self._see(kind, site, data)

    def _note(self, kind: str, site: int, data: Any) -> None:
        self._see(kind, site, data)

    def _see(self, kind: str, number: int, data: Any) -> None:
        early = len(self.steps) < self._last - 1
        if kind in _SAID_TWICE or self.aside or (early and not (self._courses and self._between)):
            return
        site = self.core.image.sites[number] if number >= 0 else None
        rule, address, meant = "", "", self._meant(kind, data)
        if site is not None:
            rule, address = site.rule, site.address
        if self._names:
            rule, address, meant = self._renamed(kind, rule, address, meant)
        self.seen.append(TraceEvent(kind, rule, address, meant, self._listing, self._between, (kind, number, data)))

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
            sites = self.core.image.sites
            return (tuple([(sites[number].address, value) for number, value in tally]), total)
        if isinstance(data, Frame):
            return (data.node.path if data.node is not None else "", encode(data.scope))
        if isinstance(data, Result):
            return (data.winners, data.reason)
        return tuple(map(_named, data)) if isinstance(data, tuple) else _named(data)

    def site(self, seen: TraceEvent) -> Site | None:
        """The site of an event of this game."""
        number = seen.event[1]
        return self.core.image.sites[number] if number >= 0 else None

    def told(self, seen: TraceEvent) -> LogEntry:
        """An event of this game in words."""
        return LogBuilder((), self.core.image, self.setting.wording).entry(seen.event)


def _named(value: Any) -> Stable:
    """A value by its name; the state itself, which owns values that nothing else does, has none."""
    return None if isinstance(value, State) else encode(value)
