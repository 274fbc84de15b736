"""Enumerates every path through nested random choices, depth first."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from interpreter.language.diagnostics import BicorneError


class TooManyBranchesError(BicorneError):
    """An enumeration exceeded its limit."""


class PathEnumerator:
    """The path to the present leaf of the tree of choices.

    The rule text is run again for each leaf and calls `pick` at each choice. It must make the same choices in the same
    order as long as `pick` returns the same branches.
    """

    def __init__(self, max_leaves: int) -> None:
        self.leaves = 0
        self._max_leaves = max_leaves
        self._path: list[tuple[int, Sequence[int], int]] = []
        self._depth = 0

    def pick(self, weights: Sequence[int], total: int) -> int:
        """The branch on the path to the present leaf; branch `n` has the probability `weights[n] / total`."""
        if len(weights) == 1:
            return 0
        if self._depth == len(self._path):
            self._path.append((0, weights, total))
        index = self._path[self._depth][0]
        self._depth += 1
        return index

    def weight(self) -> Fraction:
        """The probability of the present leaf."""
        return Fraction(*self.share())

    def share(self) -> tuple[int, int]:
        """The probability of the present leaf, as numerator and denominator."""
        top = bottom = 1
        for index, weights, total in self._path:
            top *= weights[index]
            bottom *= total
        return top, bottom

    def advance(self) -> bool:
        """Goes on to the next leaf; false when all have been visited.

        Raises:
            TooManyBranchesError: if there are more leaves than the limit.
        """
        self.leaves += 1
        self._depth = 0
        while self._path:
            index, weights, total = self._path.pop()
            if index + 1 < len(weights):
                if self.leaves >= self._max_leaves:
                    raise too_many_branches(self._max_leaves)
                self._path.append((index + 1, weights, total))
                return True
        return False


def too_many_branches(limit: int) -> TooManyBranchesError:
    """The error for more branches than a limit."""
    return TooManyBranchesError(
        f"more than {limit:,} branches of dice and decisions; "
        "use a smaller situation, or play it many times with `simulate`"
    )
