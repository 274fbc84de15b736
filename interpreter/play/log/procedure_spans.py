"""Procedure spans in a trace: the events of a call of a procedure with named outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.language.model.image import Image
from interpreter.play.log.look_ups import BETWEEN, LOOK_UPS, Event
from interpreter.world.things import Record

_EXPLAINING = frozenset({"answer", "terms", "roll", "random", "reveal", "log", "result"})


class ProcedureSpans:
    """The spans of procedures with outcomes in the events of a traced game."""

    def __init__(self, events: Sequence[Event], image: Image) -> None:
        self._events = events
        self._image = image
        paths = {f"{each.section}/{each.name}" for each in image.rules if each.outcomes}
        self._begins = {each.number for each in image.sites if each.kind == "procedures" and each.rule in paths}

    def around(self, at: int) -> range | None:
        """Returns the innermost span around an event; an unfinished span ends with the events."""
        if not self._begins:
            return None
        first = next(index for index in range(at, -1, -1) if index == 0 or self._events[index][0] == "step")
        begun: list[int] = []
        for index in range(first, at):
            change = self._change(index)
            if change > 0:
                begun.append(index)
            elif change < 0 and begun:
                begun.pop()
        return range(begun[-1], self._end(at)) if begun else None

    def _change(self, index: int) -> int:
        """Returns 1 where a span begins, -1 where one ends."""
        kind, site, _ = self._events[index]
        return {"enter": 1, "leave": -1}.get(kind, 0) if site in self._begins else 0

    def _end(self, at: int) -> int:
        depth = 1
        for index in range(at, len(self._events)):
            depth += self._change(index)
            if depth == 0 or (self._events[index][0] == "step" and index > at):
                return index
        return len(self._events)

    def explaining_events(self, span: range) -> Iterator[int]:
        """Yields the events that explain a span: its start, then all except look-ups without effect.

        A decision under terms is one event, not one for each pick. Where the rule changes, the start of the new rule
        precedes its events.
        """
        yield span.start
        near_rolls = self._near_rolls(span)
        with_terms = {self._events[index][1] for index in span if self._events[index][0] == "terms"}
        begun = {self._rule(span.start): span.start}
        latest = heading = span.start
        for index in span[1:]:
            kind, site, _ = self._events[index]
            if kind == "enter" and self._image.sites[site].kind == "procedures":
                begun[self._rule(index)] = latest = index
            elif (index in near_rolls or self._explains(index)) and not (kind == "answer" and site in with_terms):
                own = max(latest, heading) if kind in LOOK_UPS else begun.get(self._rule(index), heading)
                if own != heading:
                    heading = own
                    yield heading
                yield index

    def _near_rolls(self, span: range) -> set[int]:
        """Returns the look-ups before and after a roll, without other effects between."""
        near: set[int] = set()
        for direction in (span, reversed(span)):
            is_near = False
            for index in direction:
                kind = self._events[index][0]
                is_near = kind == "roll" or (is_near and kind in BETWEEN)
                if is_near and kind in LOOK_UPS:
                    near.add(index)
        return near

    def _rule(self, index: int) -> str:
        site = self._events[index][1]
        return self._image.sites[site].rule if site >= 0 else ""

    def _explains(self, index: int) -> bool:
        kind, _, data = self._events[index]
        if kind in LOOK_UPS:
            return index + 1 < len(self._events) and self._events[index + 1][0] == "used"
        if kind == "set":
            return data[2] != data[3] or isinstance(data[0], Record)
        return kind in _EXPLAINING or (kind == "move" and data[1] is not data[2])
