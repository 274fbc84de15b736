"""Affairs in a trace: what a procedure with named outcomes did, from its beginning to its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.language.model.image import Image
from interpreter.world.things import Record

Event = tuple[str, int, Any]

_TOLD = frozenset({"answer", "terms", "roll", "random", "reveal", "log", "result"})
_LOOK_UPS = frozenset({"table", "modifiers"})
_BETWEEN = _LOOK_UPS | {"enter", "leave", "line", "used", "restriction"}
"""What may stand between a roll and the look-ups that make something of it, or say how many dice there are."""


class ProcedureSpans:
    """The affairs in the events of a traced game."""

    def __init__(self, events: Sequence[Event], image: Image) -> None:
        self._events = events
        self._image = image
        paths = {f"{each.section}/{each.name}" for each in image.rules if each.outcomes}
        self._begins = {each.number for each in image.sites if each.kind == "procedures" and each.rule in paths}

    def around(self, at: int) -> range | None:
        """Where the innermost affair around an event stands; of one that is not over, as far as it has come."""
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
        """1 where an affair begins, -1 where one ends."""
        kind, site, _ = self._events[index]
        return -1 if kind == "leave" else int(kind == "enter" and site in self._begins)

    def _end(self, at: int) -> int:
        deep = 1
        for index in range(at, len(self._events)):
            deep += self._change(index)
            if deep == 0 or (self._events[index][0] == "step" and index > at):
                return index
        return len(self._events)

    def told(self, span: range) -> Iterator[int]:
        """The events that explain an affair: its beginning, then all but what rules only looked at on their way.

        A decision under terms is told as a whole and not pick by pick. Before what a rule did stands the event with
        which that rule began, wherever it comes from another one.
        """
        yield span.start
        beside = self._beside_rolls(span)
        settled = {self._events[index][1] for index in span if self._events[index][0] == "terms"}
        begun = {self._rule(span.start): span.start}
        latest = heading = span.start
        for index in span[1:]:
            kind, site, _ = self._events[index]
            if kind == "enter" and self._image.sites[site].kind == "procedures":
                begun[self._rule(index)] = latest = index
            elif (index in beside or self._is_told(index)) and not (kind == "answer" and site in settled):
                own = max(latest, heading) if kind in _LOOK_UPS else begun.get(self._rule(index), heading)
                if own != heading:
                    heading = own
                    yield heading
                yield index

    def _beside_rolls(self, span: range) -> set[int]:
        """The look-ups before and after a roll with nothing that happens between."""
        found: set[int] = set()
        for way in (span, reversed(span)):
            near = False
            for index in way:
                kind = self._events[index][0]
                near = kind == "roll" or (near and kind in _BETWEEN)
                if near and kind in _LOOK_UPS:
                    found.add(index)
        return found

    def _rule(self, index: int) -> str:
        site = self._events[index][1]
        return self._image.sites[site].rule if site >= 0 else ""

    def _is_told(self, index: int) -> bool:
        kind, _, data = self._events[index]
        if kind in _LOOK_UPS:
            return index + 1 < len(self._events) and self._events[index + 1][0] == "used"
        if kind == "set":
            return data[2] != data[3] or isinstance(data[0], Record)
        return kind in _TOLD or (kind == "move" and data[1] is not data[2])
