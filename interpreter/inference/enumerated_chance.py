"""Chance by enumeration: a roll, random pick or draw becomes one branch for each result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, factorial
from typing import Any, Protocol

from interpreter.language.diagnostics import Diagnostic, RuleFault
from interpreter.language.model.image import Site
from interpreter.play.inputs.chance import chance_names
from interpreter.play.inputs.dice import check_dice

Reader = Callable[[Any], Any] | None
"""What the rules read of a result; results with the same reading are one branch. None: the result itself."""
MAX_BRANCHES = 100_000


class Picker(Protocol):
    """Chooses the branch that is on the present path."""

    def pick(self, weights: Sequence[int], total: int) -> int:
        """The branch; branch `n` has the probability `weights[n] / total`."""


class EnumeratedChance:
    """The functions of chance as emitted code calls them, by enumeration."""

    def __init__(self, picker: Picker) -> None:
        self._picker = picker

    def names(self) -> dict[str, object]:
        """The functions by the names under which emitted code calls them."""
        return chance_names(self)

    def roll_sum(self, site: Site, _seat: Any, count: int, faces: int, reader: Reader) -> int:
        """The sum of dice: one branch for each value of the reader."""
        check_dice(site, count, faces)
        sums = sum_weights(count, faces)
        classes = _classes(((each, weight) for each, weight in sums), reader)
        return int(classes[self._pick([weight for _, weight in classes], faces**count)][0])

    def roll_apart(self, site: Site, _seat: Any, count: int, faces: Sequence[Any], reader: Reader) -> list[Any]:
        """The faces of dice: one branch for each number of dice in each class of faces."""
        check_dice(site, count, len(faces))
        classes = _classes(((each, 1) for each in faces), reader or _itself)
        sizes = tuple([weight for _, weight in classes])
        if comb(count + len(sizes) - 1, len(sizes) - 1) > MAX_BRANCHES:
            raise _too_wide(site, f"{count} dice with {len(sizes)} results that matter")
        pools = pool_weights(count, sizes)
        chosen, _ = pools[self._pick([weight for _, weight in pools], len(faces) ** count)]
        return [face for (face, _), number in zip(classes, chosen, strict=True) for _ in range(number)]

    def random_one(self, site: Site, of: Sequence[Any]) -> Any:
        """One element of a collection, each with the same probability."""
        if not of:
            raise _too_wide(site, "a random one of nothing")
        return of[self._pick([1] * len(of), len(of))]

    def random_some(self, site: Site, count: int, of: Sequence[Any]) -> list[Any]:
        """Some elements of a collection, each set of them with the same probability."""
        count = min(max(count, 0), len(of))
        ways = comb(len(of), count)
        if ways > MAX_BRANCHES:
            raise _too_wide(site, f"{count} of {len(of)}")
        index = self._pick([1] * ways, ways)
        return list(next(each for number, each in enumerate(combinations(of, count)) if number == index))

    def _pick(self, weights: Sequence[int], total: int) -> int:
        return self._picker.pick(weights, total)


def _too_wide(site: Site, what: str) -> RuleFault:
    return RuleFault(Diagnostic("too-wide", f"{what}: this can't be enumerated", site.place, "use a smaller situation"))


def _classes(outcomes: Iterator[tuple[Any, int]], reader: Reader) -> list[tuple[Any, int]]:
    """One outcome for each value of the reader, with the summed weights of the outcomes that have this value."""
    if reader is None:
        return list(outcomes)
    found: dict[Any, tuple[Any, int]] = {}
    for outcome, weight in outcomes:
        key = reader(outcome)
        if isinstance(key, list):
            key = tuple(key)
        first, so_far = found.get(key, (outcome, 0))
        found[key] = (first, so_far + weight)
    return list(found.values())


def _itself(face: Any) -> Any:
    """The reader of dice of which everything is read: equal faces are one class."""
    return face


@lru_cache(maxsize=256)
def sum_weights(count: int, faces: int) -> tuple[tuple[int, int], ...]:
    """Each sum of `count` dice with the number of rolls that give it."""
    ways = {0: 1}
    for _ in range(count):
        after: dict[int, int] = {}
        for total, number in ways.items():
            for face in range(1, faces + 1):
                after[total + face] = after.get(total + face, 0) + number
        ways = after
    return tuple(sorted(ways.items()))


@lru_cache(maxsize=1024)
def pool_weights(count: int, sizes: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Every distribution of `count` dice over classes of faces, with the number of rolls that give it."""
    found = []
    for numbers in _shares(count, len(sizes)):
        weight = factorial(count)
        for number, size in zip(numbers, sizes, strict=True):
            weight = weight // factorial(number) * size**number
        found.append((numbers, weight))
    return tuple(found)


def _shares(count: int, classes: int) -> Iterator[tuple[int, ...]]:
    if classes == 1:
        yield (count,)
        return
    for first in range(count + 1):
        for rest in _shares(count - first, classes - 1):
            yield (first, *rest)
