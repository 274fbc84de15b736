"""Every way in which chance can fall, one after the other: a path of branchings that is walked depth first."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from interpreter.language.diagnostics import BicorneError


class TooManyBranchesError(BicorneError):
    """An enumeration outgrew its budget."""


class PathEnumerator:
    """The path to the present leaf; rule text is run anew for each leaf and asks `pick` at each branching.

    `pick` must be asked the same questions in the same order for the same answers before.
    """

    def __init__(self, most_leaves: int) -> None:
        self.leaves = 0
        self._most = most_leaves
        self._path: list[tuple[int, Sequence[int], int]] = []
        self._asked = 0

    def pick(self, weights: Sequence[int], total: int) -> int:
        """The branch that the present leaf lies on; each weighs `weights[n] / total`."""
        if len(weights) == 1:
            return 0
        if self._asked == len(self._path):
            self._path.append((0, weights, total))
        index = self._path[self._asked][0]
        self._asked += 1
        return index

    def weight(self) -> Fraction:
        """The probability of the present leaf."""
        return Fraction(*self.share())

    def share(self) -> tuple[int, int]:
        """The probability of the present leaf, as so many of so many."""
        top = bottom = 1
        for index, weights, total in self._path:
            top *= weights[index]
            bottom *= total
        return top, bottom

    def advance(self) -> bool:
        """Goes on to the next leaf; false when every one has been visited.

        Raises:
            TooManyLeavesError: if there are more of them than the budget allows.
        """
        self.leaves += 1
        self._asked = 0
        while self._path:
            index, weights, total = self._path.pop()
            if index + 1 < len(weights):
                if self.leaves >= self._most:
                    raise TooManyBranchesError(
                        f"more than {self._most:,} different courses of events; "
                        "reckon a smaller situation, or play it many times with `simulate`"
                    )
                self._path.append((index + 1, weights, total))
                return True
        return False
