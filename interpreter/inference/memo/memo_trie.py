"""A memo whose keys are the values that a computation reads, stored as a trie."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any, Generic, TypeVar

from interpreter.inference.memo.recorder import Key, SettledReads
from interpreter.inference.memo.shadow_state import STALE, ShadowState

Result = TypeVar("Result")


class MemoTrie(Generic[Result]):
    """The memoized results of one computation, found by the values that it reads in the shadow state.

    A computation is determined by what it reads: two executions that have read the same values read the same key next.
    So results form a trie: a node tests the values that all results below it share, and then branches on the value of
    one key; a leaf tests the values that are left.
    """

    __slots__ = ("_root", "_shadow")

    def __init__(self, shadow: ShadowState) -> None:
        self._shadow = shadow
        self._root: _TrieNode[Result] | _Leaf[Result] | None = None

    def find(self) -> Result | None:
        """The result that holds in the present state, if one is known."""
        node, shadow = self._root, self._shadow
        while node is not None and (node.start == node.end or node.matches(shadow)):
            if type(node) is _Leaf:
                return node.result
            value = shadow.values[node.index]  # type: ignore[union-attr]
            if value is STALE:
                value = shadow.value(node.key)  # type: ignore[union-attr]
            node = node.children.get(value)  # type: ignore[union-attr]
        return None

    def add(self, reads: SettledReads, result: Result) -> None:
        """Stores a result that was computed in a state with these reads."""
        leaf = _Leaf(list(reads.values), list(reads.values.values()), result)
        node, position = self._root, 0
        parent: tuple[_TrieNode[Result], Any] | None = None
        while node is not None:
            shared = node.common_prefix(leaf, position)
            position += shared
            if position == len(leaf.keys):
                break
            if shared < node.end - node.start:
                if node.keys[node.start + shared] is leaf.keys[position]:
                    split: _TrieNode[Result] = _TrieNode(node, shared)
                    self._attach(parent, split)
                    parent = split, leaf.values[position]
                    position += 1
                break
            if type(node) is _Leaf or node.key is not leaf.keys[position]:  # type: ignore[union-attr]
                break
            parent = node, leaf.values[position]  # type: ignore[assignment]
            node = node.children.get(leaf.values[position])  # type: ignore[union-attr]
            position += 1
        leaf.start_at(position)
        self._attach(parent, leaf)

    def _attach(self, parent: tuple[_TrieNode[Result], Any] | None, node: _TrieNode[Result] | _Leaf[Result]) -> None:
        if parent is None:
            self._root = node
        else:
            above, value = parent
            above.children[value] = node


class _Segment:
    """Keys in the order in which they were read, with their values; those from `start` to `end` are tested here."""

    __slots__ = ("_expected", "_get", "end", "keys", "start", "values")

    def __init__(self, keys: list[Key], values: list[Any], start: int, end: int) -> None:
        self.keys, self.values, self.end = keys, values, end
        self.start_at(start)

    def start_at(self, start: int) -> None:
        """Tests only the keys from this position on."""
        self.start = start
        self._get: Callable[[list[Any]], Any] | None = None
        self._expected: Any = None

    def matches(self, shadow: ShadowState) -> bool:
        """Whether the values tested here, at least one, are those of the present state."""
        get = self._get
        if get is None:
            get = self._get = itemgetter(*[key.index for key in self.keys[self.start : self.end]])
            self._expected = tuple(self.values[self.start : self.end])
            if len(self._expected) == 1:
                [self._expected] = self._expected
        values = shadow.values
        found = get(values)
        if found == self._expected:
            return True
        if STALE not in (found if self.end - self.start > 1 else (found,)):
            return False
        for key in self.keys[self.start : self.end]:
            shadow.value(key)
        return bool(get(values) == self._expected)

    def common_prefix(self, other: _Segment, position: int) -> int:
        """How many keys tested here, with their values, are those of another segment from a position on."""
        start, end = self.start, self.end
        stop = position + end - start
        keys, values = other.keys[position:stop], other.values[position:stop]
        if keys == self.keys[start:end] and values == self.values[start:end]:
            return end - start
        pairs = zip(keys, values, self.keys[start:end], self.values[start:end], strict=False)
        for at, (key, value, own_key, own_value) in enumerate(pairs):
            if key is not own_key or value != own_value:
                return at
        return len(keys)


class _Leaf(_Segment, Generic[Result]):
    """A result, with the reads that it depends on."""

    __slots__ = ("result",)

    def __init__(self, keys: list[Key], values: list[Any], result: Result) -> None:
        super().__init__(keys, values, 0, len(keys))
        self.result = result


class _TrieNode(_Segment, Generic[Result]):
    """Branches on the value of the key that follows the ones it tests."""

    __slots__ = ("children", "index", "key")

    def __init__(self, node: _TrieNode[Result] | _Leaf[Result], shared: int) -> None:
        """Takes over the first `shared` keys of a node, which from now on tests those after the next one."""
        end = node.start + shared
        super().__init__(node.keys, node.values, node.start, end)
        self.key = node.keys[end]
        self.index = self.key.index
        self.children: dict[Any, _TrieNode[Result] | _Leaf[Result]] = {node.values[end]: node}
        node.start_at(end + 1)
