"""Where a search is cut: the way to a place that it does not reach with the fewest steps that bars or stops forbid."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from heapq import heappop, heappush
from typing import Any, NamedTuple

from interpreter.language.diagnostics import BicorneError

Causes = Callable[[Any, Any], Sequence[Any]]
_NO_STEP = (BicorneError, LookupError, ArithmeticError, TypeError)
"""What the cost of a forbidden step may raise: it need not have any."""


class Cut(NamedTuple):
    """A step that a search may not make: where it would begin and end, and what forbids it."""

    here: Any
    there: Any
    causes: tuple[Any, ...]


class _Label(NamedTuple):
    """A way from the start: how many cuts it has, what it costs, and the stops that apply where it ends."""

    cuts: int
    cost: Any
    order: int
    place: Any
    stops: tuple[Any, ...]
    found: tuple[Cut, ...]


class CutFinder:
    """What a search says of its steps, and where it is cut."""

    def __init__(
        self,
        follow: Callable[[Any], Iterable[Any]],
        cost: Callable[[Any, Any], Any],
        bars: Causes,
        stops: Causes,
        tick: Callable[[], Any],
    ) -> None:
        self._follow, self._cost, self._bars, self._stops, self._tick = follow, cost, bars, stops, tick

    def least_cuts(self, start: Any, goals: Collection[Any], within: Any) -> tuple[Cut, ...] | None:
        """Returns the cuts of the way to a goal with the fewest, the cheapest of these; none if all are too far.

        Labels are settled by their cuts, then by cost; a later one counts only if it costs less than all before it.
        """
        waiting = [_Label(0, 0, 0, start, (), ())]
        best: dict[tuple[Any, bool], Any] = {}
        order = 0
        while waiting:
            label = heappop(waiting)
            if label.place in goals:
                return label.found
            key = (label.place, bool(label.stops))
            if key in best and (within is None or best[key] <= label.cost):
                continue
            best[key] = label.cost
            self._tick()
            for following in self._labels(label, within):
                order += 1
                heappush(waiting, following._replace(order=order))
        return None

    def _labels(self, label: _Label, within: Any) -> Iterable[_Label]:
        here = label.place
        for there in self._follow(here):
            causes = (*label.stops, *self._bars(here, there))
            cost = self._cost_of(here, there, is_forbidden=bool(causes))
            if cost is None or (within is not None and label.cost + cost > within):
                continue
            found = (*label.found, Cut(here, there, causes)) if causes else label.found
            yield _Label(len(found), label.cost + cost, 0, there, tuple(self._stops(here, there)), found)

    def _cost_of(self, here: Any, there: Any, *, is_forbidden: bool) -> Any:
        try:
            return self._cost(here, there)
        except _NO_STEP:
            if is_forbidden:
                return None
            raise


def cut_steps(cuts: tuple[Cut, ...] | None) -> dict[Any, Any]:
    """Returns where the cuts of a way begin, each with where it would end."""
    return {each.here: each.there for each in cuts or ()}


def cut_causes(cuts: tuple[Cut, ...] | None) -> tuple[Any, ...]:
    """Returns what forbids the first step of a way that is cut."""
    return tuple({id(each): each for each in cuts[0].causes}.values()) if cuts else ()


HELPERS: dict[str, object] = {"CutFinder": CutFinder, "cut_steps": cut_steps, "cut_causes": cut_causes}
"""What generated code calls of this module."""
