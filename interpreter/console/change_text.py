"""Why something changed: within which calls, after which decision and result, by which clause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.console.narration import cite_suffix, fold_entries
from interpreter.play.wording import messages

if TYPE_CHECKING:
    from interpreter.play.log.log import Explanation, LogEntry
    from interpreter.play.wording.wording import Wording

CHANGE_KINDS = frozenset({"set", "move", "log", "reveal", "shuffle", "result"})
"""Kinds of entries that say what changed, not how the dice fell."""
_CAUSES = frozenset({"answer", "roll", "random", "modifiers", "table", "log", "reveal"})
_STEP = "sequence"
_MAX_CAUSES = 8
_MAX_CLAUSES = 2
_MAX_OTHERS = 5
_MAX_TEXT = 90
"""The most characters of an earlier change that are shown."""


def change_lines(explanation: Explanation, clauses: Mapping[str, Any], words: Wording) -> list[str]:
    """Returns a change with the calls that it happened in, what came before it, and the text of its first clauses."""
    entry = explanation.entry
    lines = [entry.text + cite_suffix(entry.cites)]
    if within := call_names(explanation, words):
        lines.append(f"  {words.say(messages.HAPPENED_IN, calls=words.say(messages.THEN).join(within))}")
    causes = [each for each in explanation.since_decision if each.kind in _CAUSES and each.text != entry.text]
    if causes:
        lines.append(f"  {words.say(messages.HAPPENED_AFTER)}")
        lines += ["    …"] if len(causes) > _MAX_CAUSES else []
        lines += [f"    {each.text}{cite_suffix(each.cites)}" for each in fold_entries(causes[-_MAX_CAUSES:])]
    known = [clauses[each] for each in entry.cites if each in clauses]
    said = [words.say(messages.VALUE_OF, name=each.id, value=each.text(words.language)) for each in known]
    return lines + [f"  {' '.join(each.split())}" for each in said[:_MAX_CLAUSES]]


def call_names(explanation: Explanation, words: Wording) -> list[str]:
    """Returns the step and the calls that the ruleset has words for, the outermost first, with their arguments."""
    return list(dict.fromkeys([each.text for each in explanation.calls if _is_named(each, words)]))


def earlier_lines(entries: Sequence[LogEntry], words: Wording) -> list[str]:
    """Returns the last of some entries with their numbers, each on a line."""
    shown = [_shortened(f"{each.number:>6}  {each.text}") for each in entries[-_MAX_OTHERS:]]
    return [f"  {words.say(messages.CHANGED_BEFORE)}", *shown] if shown else []


def _is_named(call: LogEntry, words: Wording) -> bool:
    """Whether a call is one that players know: a step, which is a heading of the narration, or a rule with a word."""
    section, _, path = str(call.data["rule"]).partition("/")
    return section == _STEP or words.has_word(path.rpartition("/")[2])


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]}…"
