"""Allocates points over a set under terms: decides which partial allocations can still be completed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter.language.runtime.values import RuntimeLimitError

MAX_TRIES = 500_000


class TryBudget:
    """A budget for the search for ways to meet terms; each answer of a player resets it."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = MAX_TRIES

    def spend(self, number: int = 1) -> None:
        """Counts tries.

        Raises:
            RuntimeLimitError: when there were too many.
        """
        self._left -= number
        if self._left < 0:
            raise RuntimeLimitError("too-large", "terms with too many combinations to try")

    def reset(self) -> None:
        """Restores the full budget, after an answer."""
        self._left = MAX_TRIES


Terms = Sequence[tuple[str, int, Any]]


class Allocation:
    """Decides which allocations meet the terms; elements that no term distinguishes form one group.

    `amount` is lowered to what `at_most` and `total` permit, then each `at_least` in turn to what can be met together
    with the terms before it.
    """

    def __init__(self, room: Mapping[Any, int], amount: int, terms: Terms) -> None:
        hard = [(wanted, frozenset(each)) for mode, wanted, each in terms if mode == "at_most"]
        totals = [(wanted, each) for mode, wanted, each in terms if mode == "total"]
        floors = [(wanted, frozenset(each)) for mode, wanted, each in terms if mode == "at_least"]
        self._room = room
        self.budget = TryBudget()
        self._traits: dict[Any, tuple[tuple[bool, ...], tuple[int, ...]]] = {
            each: (
                tuple([each in of for _, of in floors]),
                (*[int(each in of) for _, of in hard], *[of(each) for _, of in totals]),
            )
            for each in room
        }
        self._most = [wanted for wanted, _ in (*hard, *totals)]
        self._modes = [(mode, wanted) for mode, wanted, _ in terms]
        self._least = [0] * len(floors)
        self.amount = amount
        while self.amount > 0 and not self._possible({}):
            self.amount -= 1
        for number, (wanted, _) in enumerate(floors):
            self._least[number] = max(min(wanted, self.amount), 0)
            while self._least[number] > 0 and not self._possible({}):
                self._least[number] -= 1

    @property
    def met(self) -> list[int]:
        """The amount of each term, lowered to what can be met."""
        floors = iter(self._least)
        return [next(floors) if mode == "at_least" else wanted for mode, wanted in self._modes]

    def open_elements(self, so_far: Mapping[Any, int]) -> tuple[Any, ...]:
        """Returns the elements that can receive one more point so that the allocation can still be completed."""
        found: dict[Any, bool] = {}
        chosen = []
        for each, traits in self._traits.items():
            if so_far[each] < self._room[each]:
                if traits not in found:
                    found[traits] = self.can_complete(so_far, each)
                if found[traits]:
                    chosen.append(each)
        return tuple(chosen)

    def can_complete(self, so_far: Mapping[Any, int], one_more: Any) -> bool:
        """Whether an allocation can be completed after one more point on an element."""
        return self._possible({**so_far, one_more: so_far[one_more] + 1})

    def _possible(self, given: Mapping[Any, int]) -> bool:
        self.budget.spend(len(self._traits))
        groups: dict[tuple[tuple[bool, ...], tuple[int, ...]], int] = {}
        least, most, left = list(self._least), list(self._most), self.amount
        for each, traits in self._traits.items():
            points = given.get(each, 0)
            groups[traits] = groups.get(traits, 0) + self._room[each] - points
            if points:
                left -= points
                least = [need - points if member else need for need, member in zip(least, traits[0], strict=True)]
                most = [bound - points * cost for bound, cost in zip(most, traits[1], strict=True)]
        # groups that meet most terms come first, so that an existing allocation is found early
        order = sorted(groups.items(), key=lambda group: -sum(group[0][0]))
        return min(most, default=0) >= 0 and _fits(order, 0, left, least, most, self.budget)


def _fits(
    groups: Sequence[tuple[tuple[tuple[bool, ...], tuple[int, ...]], int]],
    at: int,
    left: int,
    least: Sequence[int],
    most: Sequence[int],
    budget: TryBudget,
) -> bool:
    """Whether exactly `left` points can be allocated to the groups from `at` on."""
    budget.spend()
    if left == 0:
        return all(need <= 0 for need in least)
    if at == len(groups) or max(least, default=0) > left or sum([room for _, room in groups[at:]]) < left:
        return False
    (members, costs), room = groups[at]
    for points in range(min(room, left), -1, -1):
        bounds = [bound - points * cost for bound, cost in zip(most, costs, strict=True)]
        if min(bounds, default=0) < 0:
            continue
        needs = [need - points if member else need for need, member in zip(least, members, strict=True)]
        if _fits(groups, at + 1, left - points, needs, bounds, budget):
            return True
    return False
