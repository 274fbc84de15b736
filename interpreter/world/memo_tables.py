"""What rules gave, kept for as long as nothing that they read has changed.

A rule's answers stand in a table by its arguments. What it reads is told as topics: `a_x` an attribute or a state value
of that name, `@kind` where pieces of a kind stand, `+kind` which of them stand anywhere. Changes are read off the
journal, and only when a rule is asked again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.world.journal import PLACE, Entry

_LARGE = 20_000
"""How many answers a table may hold before it is emptied; tested now and then."""
_NOW_AND_THEN = 64

Table = dict[Any, Any]
Tables = dict[str, list[Table]]


class MemoTables:
    """The tables of one world."""

    __slots__ = ("_calls", "_placed", "_reading", "_standing", "_tables", "catch_up", "journal", "seen")

    def __init__(self, journal: list[Entry]) -> None:
        self.journal = journal
        self._tables: list[Table] = []
        self._reading: Tables = {}
        """Tables by the slots that they rest on …"""
        self._placed: Tables = {}
        """… by the kinds of which they rest on where each piece stands …"""
        self._standing: Tables = {}
        """… and by those of which they rest on which pieces stand anywhere."""
        self._calls = 0
        self.seen = [0]
        """How much of the journal the tables know of: emitted code compares it with the journal's length."""
        self.catch_up = _make_catch_up(journal, self.seen, self._reading, self._placed, self._standing)
        """Empties the tables that rest on what has changed since the journal was last looked at."""

    def table(self, topics: str) -> Table:
        """A new table for the answers of one rule that reads these topics, with blanks between them."""
        made: Table = {}
        self._tables.append(made)
        for each in topics.split():
            if each[0] == "@":
                self._placed.setdefault(each[1:], []).append(made)
            elif each[0] == "+":
                self._standing.setdefault(each[1:], []).append(made)
            else:
                self._reading.setdefault(each, []).append(made)
        return made

    def drop(self, tables: list[Table]) -> None:
        """Forget tables in which nothing will be kept any more."""
        dropped = {id(each) for each in tables}
        for each in tables:
            each.clear()
        for rests in (self._reading, self._placed, self._standing) if dropped else ():
            for resting in rests.values():
                resting[:] = [each for each in resting if id(each) not in dropped]
        self._tables = [each for each in self._tables if id(each) not in dropped]

    def before_rollback(self, mark: int) -> None:
        """The journal is about to be taken back to `mark`."""
        self.seen[0] = min(self.seen[0], mark)
        self.catch_up()
        self.seen[0] = mark
        self._thin_out()

    def before_settling(self) -> None:
        """The journal is about to be emptied."""
        self.catch_up()
        self.seen[0] = 0
        self._thin_out()

    def forget(self) -> None:
        """Something was changed past the journal."""
        self.seen[0] = len(self.journal)
        for each in self._tables:
            each.clear()

    def _thin_out(self) -> None:
        self._calls += 1
        if not self._calls % _NOW_AND_THEN:
            for each in self._tables:
                if len(each) > _LARGE:
                    each.clear()


def _make_catch_up(
    journal: list[Entry], seen: list[int], reading: Tables, placed: Tables, standing: Tables
) -> Callable[[], None]:
    none: list[Table] = []

    def catch_up() -> None:
        since = seen[0]
        seen[0] = len(journal)
        done = set()
        for target, slot, old in journal[since:]:
            if target is not PLACE:
                if slot in reading and slot not in done:
                    done.add(slot)
                    for table in filter(None, reading[slot]):
                        table.clear()
                continue
            kind = slot.__class__
            if kind not in done:
                done.add(kind)
                for table in filter(None, placed.get(kind.kind, none)):
                    table.clear()
            if old is None or slot.at is None:
                for table in filter(None, standing.get(kind.kind, none)):
                    table.clear()

    return catch_up
