"""Data classes for explanations of clauses and of log entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from interpreter.language.diagnostics import Place
from interpreter.language.visible_text import indented
from interpreter.play.log.log import LogEntry
from interpreter.play.wording import clause_messages, messages
from interpreter.play.wording.message import Message
from interpreter.play.wording.wording import Wording
from interpreter.workshop.coverage.provenance import FigureOrigin
from interpreter.workshop.report_data import citation_suffix, source_text


@dataclass(frozen=True, slots=True)
class Passage:
    """Something that implements a clause, with its text, and the overlays that change it with their places."""

    path: str
    place: Place
    text: str
    changed_by: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Returns the passage as JSON data."""
        changed = {"changed_by": list(self.changed_by)} if self.changed_by else {}
        return {"path": self.path, "place": source_text(self.place), "text": self.text, **changed}


@dataclass(frozen=True, slots=True)
class Reading:
    """The interpretation of an ambiguous clause, and its reason."""

    id: str
    clauses: tuple[str, ...]
    reading: str
    reason: str
    alternatives: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Returns the reading as JSON data."""
        return {
            "id": self.id,
            "clauses": list(self.clauses),
            "reading": self.reading,
            "reason": self.reason,
            "alternatives": list(self.alternatives),
        }

    def __str__(self) -> str:
        others = f" (or: {'; '.join(self.alternatives)})" if self.alternatives else ""
        return f"{self.id}: {self.reading}{' – ' + self.reason if self.reason else ''}{others}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseExplanation:
    """A clause with its implementations, examples, readings and figures."""

    ruleset: str
    id: str
    kind: str
    says: str
    implemented_by: tuple[Passage, ...]
    examples: tuple[tuple[str, str], ...]
    """The names of the examples that cite it, with their descriptions."""
    readings: tuple[Reading, ...]
    figures: tuple[FigureOrigin, ...]
    see: tuple[tuple[str, str], ...]
    """The clauses that it refers to, with their texts."""
    left_out: str | None
    language: str

    def as_json(self) -> dict[str, Any]:
        """The explanation as plain data."""
        return {
            "ruleset": self.ruleset,
            "id": self.id,
            "kind": self.kind,
            "says": self.says,
            "implemented_by": [each.as_json() for each in self.implemented_by],
            "examples": [{"name": name, "says": says} for name, says in self.examples],
            "readings": [each.as_json() for each in self.readings],
            "figures": [each.as_json() for each in self.figures],
            "see": [{"id": name, "says": says} for name, says in self.see],
            "left_out": self.left_out,
        }

    def __str__(self) -> str:
        kind = self._say(clause_messages.CLAUSE_KINDS[self.kind])
        lines = [indented(self._say(clause_messages.CLAUSE, id=self.id, kind=kind, says=self.says))]
        if self.left_out is not None:
            lines.append(indented(self._say(clause_messages.LEFT_OUT, reason=self.left_out)))
        for each in self.implemented_by:
            lines += ["", f"{each.path}  ({source_text(each.place)})"]
            if each.changed_by:
                lines.append(self._say(clause_messages.CHANGED_BY, overlays=", ".join(each.changed_by)))
            lines += [f"    {line}" for line in each.text.split("\n")]
        if not self.implemented_by and self.left_out is None:
            lines.append(self._say(clause_messages.NOT_IMPLEMENTED))
        lines += _titled_list(self._say(messages.READINGS), map(str, self.readings))
        figures = [
            self._say(messages.FIGURE, path=each.path, value=each.value, because=each.because(self.language))
            for each in self.figures
        ]
        lines += _titled_list(self._say(messages.FIGURES), figures)
        examples = [f"{name}: {says}" if says else name for name, says in self.examples]
        lines += _titled_list(self._say(messages.EXAMPLES), examples)
        lines += _titled_list(self._say(messages.OTHER_CLAUSES), [f"{name}: {says}" for name, says in self.see])
        return "\n".join(lines)

    def _say(self, message: Message, **values: Any) -> str:
        return message.format(self.language, values)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryExplanation:
    """The origin of a log entry: the entries that led to it, the rule, and the texts of its clauses."""

    entry: LogEntry
    rule: str
    lines: tuple[LogEntry, ...]
    place: Place | None
    text: str
    """The line of rule text that made the entry, if there is one."""
    cells: tuple[tuple[str, str, str], ...]
    """The table cells that were read: table, headings, standing."""
    clauses: tuple[tuple[str, str], ...]
    readings: tuple[Reading, ...]
    words: Wording

    def as_json(self) -> dict[str, Any]:
        """The explanation as plain data."""
        return {
            "number": self.entry.number,
            "step": self.entry.step,
            "text": self.entry.text,
            "rule": self.rule,
            "place": source_text(self.place) if self.place is not None else None,
            "rule_text": self.text,
            "lines": [{"text": each.text, "cites": list(each.cites), "data": each.data} for each in self.lines],
            "cells": [{"table": table, "at": at, "standing": standing} for table, at, standing in self.cells],
            "clauses": [{"id": name, "says": says} for name, says in self.clauses],
            "readings": [each.as_json() for each in self.readings],
        }

    def __str__(self) -> str:
        say = self.words.say
        lines = [
            f"{self.entry.number}: {self.entry.text}",
            say(messages.BY_IN_STEP, rule=self.rule, step=self.entry.step),
        ]
        if self.place is not None:
            lines.append(f"    {self.text}  ({source_text(self.place)})")
        lines += [line for each in self.lines if each.kind != "line" for line in _entry_lines(each)]
        cells = [
            say(messages.CELL, table=self.words.word(table), at=at, standing=say(messages.STANDING_WORDS[standing]))
            for table, at, standing in self.cells
        ]
        lines += _titled_list(say(messages.FIGURES), cells)
        lines += _titled_list(say(messages.CLAUSES), [f"{name}: {says}" for name, says in self.clauses])
        lines += _titled_list(say(messages.READINGS), map(str, self.readings))
        return "\n".join(lines)


def _entry_lines(entry: LogEntry) -> list[str]:
    """Formats an entry as lines: a heading, a sum item by item, or its text."""
    if entry.kind == "enter":
        return [f"  {entry.text}:"]
    if not entry.items:
        return [f"    {entry.text}{citation_suffix(entry.cites)}"]
    lines = [f"      {value:+d}  {name}{citation_suffix(cites)}" for name, value, cites in entry.items]
    return [f"    {entry.short_text}{citation_suffix(entry.cites)}", *lines]


def _titled_list(title: str, lines: Iterable[str]) -> list[str]:
    items = [f"  {indented(each)}" for each in lines]
    return ["", f"{title}:", *items] if items else []
