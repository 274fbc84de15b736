"""What chance has brought about and no rule has read yet.

A *fate* is a set of values that things have taken, a *doubt* several fates with their weights, of which one has come
true: nobody has looked which. When a rule looks, the fates that agree in what it sees stay together as one course.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Any, NamedTuple

Key = tuple[Any, str]
"""A value of the state: a thing, record or other holder of values, and one of its slots."""

AT = "at"
UNSET = object()
"""Stands for a value that was in doubt."""


class Fate:
    """Values that were taken together, and doubts that are left in them."""

    def __init__(self, values: Mapping[Key, Any], open_: frozenset[Doubt]) -> None:
        self.values = values
        self.open = open_

    @cached_property
    def same(self) -> tuple[Any, ...]:
        """What tells it from other fates."""
        return frozenset(self.values.items()), self.open


class Settled(NamedTuple):
    """What is certain of some fates: values, doubts that all of them leave, and the doubt in which of them it is."""

    values: Mapping[Key, Any]
    open: tuple[Doubt, ...]


class Doubt:
    """Weighted fates; all of them say something of the same keys. Made by `Doubts` alone: equal ones are the same."""

    def __init__(self, fates: tuple[tuple[int, Fate], ...], doubts: Doubts) -> None:
        self.fates = fates
        self._doubts = doubts
        self._told: dict[Key, list[tuple[int, Settled]]] = {}

    @cached_property
    def keys(self) -> frozenset[Key]:
        """Everything that it leaves in doubt."""
        _, fate = self.fates[0]
        return frozenset(fate.values).union(*[each.keys for each in fate.open])

    @cached_property
    def table(self) -> Mapping[Key, Doubt]:
        """Each of its keys with the doubt itself."""
        return dict.fromkeys(self.keys, self)

    @cached_property
    def unset(self) -> Mapping[Key, Any]:
        """Each of its keys, as what has no certain value."""
        return dict.fromkeys(self.keys, UNSET)

    @cached_property
    def pieces(self) -> frozenset[Any]:
        """The pieces of which it is in doubt where they stand."""
        return frozenset([thing for thing, slot in self.keys if slot == AT])

    @cached_property
    def standing(self) -> Mapping[Key, tuple[Any, ...]]:
        """For the contents of each holder in which a piece may stand: the pieces of which that is in doubt."""
        found: dict[Key, dict[Any, None]] = {}
        for _, fate in self.fates:
            for (piece, slot), holder in fate.values.items():
                if slot == AT and holder is not None:
                    found.setdefault((holder, piece.content_slot), {})[piece] = None
            for each in fate.open:
                for key, pieces in each.standing.items():
                    found.setdefault(key, {}).update(dict.fromkeys(pieces))
        return {key: tuple(pieces) for key, pieces in found.items()}

    def seen(self, key: Key) -> list[tuple[int, Settled]]:
        """The courses into which a look at a value parts it, with their weights."""
        if key not in self._told:
            parts: dict[Any, list[tuple[int, Fate]]] = {}
            for weight, fate in self.fates:
                if key in fate.values:
                    label: Any = ("value", fate.values[key])
                else:
                    label = ("doubt", next(each for each in fate.open if key in each.keys))
                parts.setdefault(label, []).append((weight, fate))
            self._told[key] = [(sum([each for each, _ in some]), self._doubts.settle(some)) for some in parts.values()]
        return self._told[key]

    def without(self, key: Key) -> Settled | None:
        """What is left when one value is overwritten, or none where that value hangs on a further doubt."""
        if any(key not in fate.values for _, fate in self.fates):
            return None
        rest = [
            (weight, Fate({each: value for each, value in fate.values.items() if each != key}, fate.open))
            for weight, fate in self.fates
        ]
        return self._doubts.settle(rest)


class Doubts:
    """All doubts of one reckoning."""

    def __init__(self) -> None:
        self._known: dict[frozenset[Any], Doubt] = {}

    def settle(self, fates: Iterable[tuple[int, Fate]]) -> Settled:
        """What is certain of weighted fates, with one doubt for the rest of it."""
        merged: dict[Any, tuple[int, Fate]] = {}
        for weight, fate in fates:
            same = fate.same
            before = merged.get(same)
            merged[same] = (weight + before[0], before[1]) if before else (weight, fate)
        some = list(merged.values())
        _, first = some[0]
        if len(some) == 1:
            return Settled(first.values, tuple(first.open))
        values = {
            key: value
            for key, value in first.values.items()
            if all(key in fate.values and fate.values[key] == value for _, fate in some)
        }
        open_ = frozenset.intersection(*[fate.open for _, fate in some])
        shared = min([gcd(*[weight for weight, _ in some])])
        rest = tuple(
            [
                (
                    weight // shared,
                    Fate({key: each for key, each in fate.values.items() if key not in values}, fate.open - open_),
                )
                for weight, fate in some
            ]
        )
        return Settled(values, (*open_, self._doubt(rest)))

    def _doubt(self, fates: tuple[tuple[int, Fate], ...]) -> Doubt:
        same = frozenset([(weight, fate.same) for weight, fate in fates])
        found = self._known.get(same)
        if found is None:
            found = self._known[same] = Doubt(fates, self)
        return found


def whole_weights(shares: list[Fraction]) -> list[int]:
    """Whole numbers that stand to one another as the shares do."""
    bottom = lcm(*[each.denominator for each in shares])
    return [int(each * bottom) for each in shares]
