"""The memo trie finds a result where the state has the same values for everything read, and nowhere else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from interpreter.inference.memo.memo_trie import MemoTrie
from interpreter.inference.memo.recorder import SlotKey, Values, settled_reads
from interpreter.inference.memo.shadow_state import STALE, ShadowState

KEYS = 6
Tree = int | tuple[int, "Tree", "Tree", "Tree"]
"""The key that is read next with the tree for each value; or a result."""


class UnchangedWorld:
    """A world that never changes."""

    def mark(self) -> int:
        """The beginning."""
        return 0

    def undo(self, mark: int) -> None:
        """Does nothing."""


def trees() -> st.SearchStrategy[Tree]:
    """Computations: each reads one of three values of a key, and branches on it."""
    return st.recursive(
        st.integers(0, 9), lambda inner: st.tuples(st.integers(0, KEYS - 1), inner, inner, inner), max_leaves=30
    )


def run(tree: Tree, state: tuple[int, ...], slots: list[SlotKey]) -> tuple[Values, int]:
    """The reads of a computation in a state, in order, and its result."""
    reads: Values = {}
    while isinstance(tree, tuple):
        key, *children = tree
        reads[slots[key]] = state[key]
        tree = children[state[key]]  # type: ignore[assignment]
    return reads, tree


@given(trees(), st.lists(st.tuples(*[st.integers(0, 2)] * KEYS), min_size=1, max_size=40), st.randoms())
def test_memo_trie_equals_recomputation(tree: Tree, states: list[tuple[int, ...]], source: object) -> None:
    """In a state seen before the result is found; in another state nothing or the right result is found."""
    shadow = ShadowState(UnchangedWorld())
    trie = MemoTrie[int](shadow)
    now: tuple[int, ...] = states[0]
    slots = [shadow.slot(lambda at=at: now[at], 0) for at in range(KEYS)]  # type: ignore[misc]
    for now in states:
        shadow.values[:] = [STALE if source.random() < 0.3 else each for each in now]  # type: ignore[attr-defined]
        reads, result = run(tree, now, slots)
        found = trie.find()
        assert found in (None, result)
        if found is None:
            trie.add(settled_reads(reads), result)
        assert trie.find() == result
    for now in states:
        shadow.values[:] = now
        assert trie.find() == run(tree, now, slots)[1]
