"""Memo tables: results of rules, kept until the state that they read changes.

A rule's results are kept in a table by its arguments. Its read set is written as topics: `a_x` is an attribute or state
value of that name, `@kind` the holders of pieces of a kind, `+kind` which of these pieces have a holder. Changes are
read from the journal, and only when a rule is called again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.world.journal import PLACE, Entry

_MAX_ENTRIES = 20_000
"""A table with more results than this is emptied at the next eviction."""
_EVICTION_INTERVAL = 64
"""The number of rollbacks and commits between two evictions."""

Table = dict[Any, Any]
Tables = dict[str, list[Table]]


class MemoTables:
    """The memo tables of one world."""

    __slots__ = ("_by_holder", "_by_presence", "_by_slot", "_calls", "_tables", "invalidate", "journal", "seen")

    def __init__(self, journal: list[Entry]) -> None:
        self.journal = journal
        self._tables: list[Table] = []
        self._by_slot: Tables = {}
        """Tables by the slots that they depend on."""
        self._by_holder: Tables = {}
        """Tables by the kinds of pieces whose holders they depend on."""
        self._by_presence: Tables = {}
        """Tables by the kinds of pieces of which they depend on whether these have a holder."""
        self._calls = 0
        self.seen = [0]
        """The journal length up to which tables are valid; emitted code compares it with the present length."""
        self.invalidate = _make_invalidate(journal, self.seen, self._by_slot, self._by_holder, self._by_presence)
        """Empties the tables that depend on changes journalled since the last call."""

    def table(self, topics: str) -> Table:
        """Returns a new table for the results of a rule that reads these topics, separated by blanks."""
        made: Table = {}
        self._tables.append(made)
        for each in topics.split():
            if each[0] == "@":
                self._by_holder.setdefault(each[1:], []).append(made)
            elif each[0] == "+":
                self._by_presence.setdefault(each[1:], []).append(made)
            else:
                self._by_slot.setdefault(each, []).append(made)
        return made

    def drop(self, tables: list[Table]) -> None:
        """Removes tables that are no longer used."""
        dropped = {id(each) for each in tables}
        for each in tables:
            each.clear()
        for by_topic in (self._by_slot, self._by_holder, self._by_presence) if dropped else ():
            for dependent in by_topic.values():
                dependent[:] = [each for each in dependent if id(each) not in dropped]
        self._tables = [each for each in self._tables if id(each) not in dropped]

    def before_rollback(self, mark: int) -> None:
        """Invalidates tables before the journal is rolled back to `mark`."""
        self.seen[0] = min(self.seen[0], mark)
        self.invalidate()
        self.seen[0] = mark
        self._evict()

    def before_commit(self) -> None:
        """Invalidates tables before the journal is emptied."""
        self.invalidate()
        self.seen[0] = 0
        self._evict()

    def clear(self) -> None:
        """Empties all tables, after a change that was not journalled."""
        self.seen[0] = len(self.journal)
        for each in self._tables:
            each.clear()

    def _evict(self) -> None:
        self._calls += 1
        if not self._calls % _EVICTION_INTERVAL:
            for each in self._tables:
                if len(each) > _MAX_ENTRIES:
                    each.clear()


def _make_invalidate(
    journal: list[Entry], seen: list[int], by_slot: Tables, by_holder: Tables, by_presence: Tables
) -> Callable[[], None]:
    none: list[Table] = []

    def invalidate() -> None:
        since = seen[0]
        seen[0] = len(journal)
        done = set()
        for target, slot, old in journal[since:]:
            if target is not PLACE:
                if slot in by_slot and slot not in done:
                    done.add(slot)
                    for table in filter(None, by_slot[slot]):
                        table.clear()
                continue
            kind = slot.__class__
            if kind not in done:
                done.add(kind)
                for table in filter(None, by_holder.get(kind.kind, none)):
                    table.clear()
            if old is None or slot.at is None:
                for table in filter(None, by_presence.get(kind.kind, none)):
                    table.clear()

    return invalidate
