"""Allocation under terms: every offered pick can be completed, and every allowed allocation can be reached."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from interpreter.language.runtime.allocation import Allocation
from interpreter.language.runtime.decisions import spread_with_terms

Points = tuple[int, ...]


def allocations(room: dict[str, int], amount: int) -> Iterator[Points]:
    ways = product(*[range(most + 1) for most in room.values()])
    return (each for each in ways if sum(each) == amount)


def met(names: list[str], way: Points, mode: str, of: Any) -> int:
    """Returns the amount of an allocation that a term counts."""
    if mode == "total":
        return sum(of(name) * points for name, points in zip(names, way, strict=True))
    return sum(points for name, points in zip(names, way, strict=True) if name in of)


def by_hand(room: dict[str, int], amount: int, terms: list[tuple[str, int, Any]]) -> set[Points]:
    """Returns the allowed allocations by brute force: first the bounds, then each floor as far as it can be met."""
    names = list(room)
    amount = min(amount, sum(room.values()))
    hard = [each for each in terms if each[0] != "at_least"]
    found: list[Points] = []
    while not found:
        found = [
            way
            for way in allocations(room, amount)
            if all(met(names, way, mode, of) <= wanted for mode, wanted, of in hard)
        ]
        amount -= 1
    for mode, wanted, of in terms:
        if mode == "at_least":
            best = max(met(names, way, mode, of) for way in found)
            found = [way for way in found if met(names, way, mode, of) >= min(wanted, best)]
    return set(found)


def reached(room: dict[str, int], amount: int, terms: list[tuple[str, int, Any]]) -> set[Points]:
    """Returns every allocation that a sequence of picks can reach."""
    found: set[Points] = set()
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        picks = waiting.pop()
        asking = spread_with_terms(None, None, amount, list(room), room.__getitem__, None, terms)  # type: ignore[arg-type]
        try:
            ask = next(asking)
            for pick in picks:
                ask = asking.send(pick)
        except StopIteration as done:
            found.add(tuple(done.value.values()))
            continue
        assert ask[2], "a pick without an option"
        waiting += [(*picks, option) for option in ask[2]]
    return found


def random_case(seed: int) -> tuple[dict[str, int], int, list[tuple[str, int, Any]]]:
    chance = Random(seed)
    room = {name: chance.randint(0, 3) for name in "abcd"[: chance.randint(1, 4)]}
    terms: list[tuple[str, int, Any]] = []
    for _ in range(chance.randint(1, 3)):
        mode = chance.choice(["at_least", "at_least", "at_most", "total"])
        if mode == "total":
            costs = {name: chance.randint(0, 2) for name in room}
            terms.append((mode, chance.randint(0, 6), costs.__getitem__))
        else:
            terms.append((mode, chance.randint(0, 4), {name for name in room if chance.random() < 0.5}))
    return room, chance.randint(0, 5), terms


@pytest.mark.parametrize("seed", range(150))
def test_reachable_allocations_equal_allowed_ones(seed: int) -> None:
    """The picks reach exactly the allocations that brute force allows."""
    room, amount, terms = random_case(seed)
    assert reached(room, amount, terms) == by_hand(room, amount, terms)


def test_terms_are_lowered_in_order() -> None:
    """The first floor is met before the second receives the rest."""
    allocation = Allocation({"a": 1, "b": 2}, 2, [("at_least", 2, {"a"}), ("at_least", 2, {"b"})])
    assert allocation.can_complete({"a": 0, "b": 0}, "a")
    assert allocation.can_complete({"a": 1, "b": 0}, "b")
    assert not allocation.can_complete({"a": 0, "b": 1}, "b")
