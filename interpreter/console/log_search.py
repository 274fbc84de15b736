"""What in the log is about the words that a person types: the last change of a thing, or an entry that says them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from interpreter.console.typed_words import said_words, says_word
from interpreter.play.inputs.value_codec import encode, encode_json
from interpreter.play.log.log import LogEntry
from interpreter.play.views.thing_names import ThingNames
from interpreter.play.wording.why_messages import THE_RESULT
from interpreter.play.wording.wording import Wording
from interpreter.world.things import Space, Thing

_UNSAID = frozenset({"answer", "step"})
"""Kinds of entries that change nothing themselves."""
_TELLING = frozenset({"log", "random", "result"})
"""Kinds of entries that tell of a thing by its name."""


@dataclass(frozen=True, slots=True)
class Found:
    """Entries of a log, the last one at the end, and the words that the last one does not say."""

    entries: Sequence[LogEntry]
    missing: Sequence[str] = ()


class LogSearch:
    """Finds entries in a log that a seat may read; `names` are those of the things that it can see."""

    def __init__(self, entries: Sequence[LogEntry], names: ThingNames, words: Wording) -> None:
        self._entries = [each for each in entries if each.kind not in _UNSAID]
        self._names = names
        self._words = words

    def about(self, text: str) -> Found:
        """Returns the entries that a text is about.

        These are the changes of the thing with the longest name in the text, of those the ones with all other words of
        the text. If there is no such thing, or none of its changes has these words, they are the entries that say the
        text, or else all of its words, or else most of them. Small words such as 'did' and 'the' count for nothing. The
        word for the result of the game means the entry of its end.
        """
        typed = " ".join(text.casefold().split())
        if typed == self._words.say(THE_RESULT) and (
            ended := [each for each in self._entries if each.kind == "result"]
        ):
            return Found(ended)
        things, name = self._names.longest_in(typed)
        changes = self._changes(things)
        rest = said_words(typed.replace(name, " ", 1)) if name else []
        if name and not rest:
            return Found(changes)
        words = said_words(typed) or typed.split()
        found = (
            _with_words(changes, rest)
            or [each for each in self._entries if typed in each.text.casefold()]
            or _with_words(self._entries, words)
        )
        return Found(found) if found else self._nearest(changes, rest, words)

    def _nearest(self, changes: Sequence[LogEntry], rest: Sequence[str], words: Sequence[str]) -> Found:
        """Returns the entries that say most of some words; the changes of a named thing have to say only the rest."""
        is_change = {each.number for each in changes}
        missing = {each.number: _unsaid(each, rest if each.number in is_change else words) for each in self._entries}
        fewest = min(map(len, missing.values()), default=len(words))
        if fewest >= len(words):
            return Found(())
        found = [each for each in self._entries if len(missing[each.number]) == fewest]
        return Found(found, missing[found[-1].number])

    def _changes(self, things: Sequence[Thing]) -> list[LogEntry]:
        """Returns the changes of things and what the log tells of them; of a space without any, its contents' moves."""
        refs, codes = {each.ref for each in things}, [_code(each) for each in things]
        named = [re.compile(rf"(?<!\w){re.escape(self._words.of(each))}(?!\w)").search for each in things]
        found = [
            each
            for each in self._entries
            if (each.kind == "set" and each.data["thing"] in refs)
            or (each.kind == "move" and each.data["piece"] in codes)
            or (each.kind == "reveal" and any(code in (each.data["what"], *each.data["what"]) for code in codes))
            or (each.kind in _TELLING and any(names(each.text) for names in named))
        ]
        spaces = [_code(each) for each in things if isinstance(each, Space)]
        moves = [each for each in self._entries if each.kind == "move"] if spaces and not found else []
        return found or [each for each in moves if each.data["from"] in spaces or each.data["to"] in spaces]


def _code(thing: Thing) -> object:
    return encode_json(encode(thing))


def _with_words(entries: Iterable[LogEntry], words: Sequence[str]) -> list[LogEntry]:
    return [each for each in entries if not _unsaid(each, words)]


def _unsaid(entry: LogEntry, words: Sequence[str]) -> list[str]:
    text = entry.text.casefold()
    return [each for each in words if not says_word(text, each)]
