"""What is known is found where the state is the same in all that was read, and nowhere else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from interpreter.inference.memo.memo_trie import MemoTrie
from interpreter.inference.memo.recorder import SlotKey, Values, reads_of
from interpreter.inference.memo.shadow_state import PENDING, ShadowState
from interpreter.inference.solver.machine import OFTEN, SELDOM, TRIALS, Spot

KEYS = 6
Tree = int | tuple[int, "Tree", "Tree", "Tree"]
"""What is read next, and what follows from each value; or what comes of it."""


class Still:
    """A world that nobody changes."""

    def mark(self) -> int:
        """Nowhere."""
        return 0

    def undo(self, mark: int) -> None:
        """Nothing to take back."""


def trees() -> st.SearchStrategy[Tree]:
    """Stretches of play: each reads one of three values of a key, and goes on by what it is."""
    return st.recursive(
        st.integers(0, 9), lambda inner: st.tuples(st.integers(0, KEYS - 1), inner, inner, inner), max_leaves=30
    )


def run(tree: Tree, state: tuple[int, ...], slots: list[SlotKey]) -> tuple[Values, int]:
    """What a stretch reads in a state, in that order, and what comes of it."""
    reads: Values = {}
    while isinstance(tree, tuple):
        key, *following = tree
        reads[slots[key]] = state[key]
        tree = following[state[key]]  # type: ignore[assignment]
    return reads, tree


@given(trees(), st.lists(st.tuples(*[st.integers(0, 2)] * KEYS), min_size=1, max_size=40), st.randoms())
def test_what_is_found_is_what_would_come(tree: Tree, states: list[tuple[int, ...]], source: object) -> None:
    """In every state that was seen before what came of it is found; in another either nothing or what would come."""
    sheet = ShadowState(Still())
    shelf = MemoTrie[int](sheet)
    now: tuple[int, ...] = states[0]
    slots = [sheet.slot(lambda at=at: now[at], 0) for at in range(KEYS)]  # type: ignore[misc]
    for now in states:
        sheet.values[:] = [PENDING if source.random() < 0.3 else each for each in now]  # type: ignore[attr-defined]
        reads, comes = run(tree, now, slots)
        found = shelf.find()
        assert found in (None, comes)
        if found is None:
            shelf.add(reads_of(reads), comes)
        assert shelf.find() == comes
    for now in states:
        sheet.values[:] = now
        assert shelf.find() == run(tree, now, slots)[1]


def test_a_step_where_nobody_meets_is_passed() -> None:
    """After some trials only one course in several is compared; one that meets another there stands for many."""
    spot = Spot()
    assert all(spot.pays() for _ in range(TRIALS))
    assert [spot.pays() for _ in range(2 * OFTEN)].count(True) == 2
    spot.meet()
    assert not spot.lonely
    assert spot.met == SELDOM


def test_a_step_where_some_meet_is_not_passed() -> None:
    """More than one meeting in `SELDOM` courses is enough."""
    spot = Spot()
    for number in range(10 * TRIALS):
        assert spot.pays()
        if number % (SELDOM // 2) == 0:
            spot.meet()
