"""Finds the thing that a person means by a name or a part of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from interpreter.language.diagnostics import UsageError
from interpreter.play.wording.messages import AMBIGUOUS_NAME, COMMA, UNKNOWN_NAME
from interpreter.play.wording.wording import Wording

T = TypeVar("T")
_MAX_NAMES = 8


def resolve_name(name: str, known: Mapping[str, T], words: Wording) -> T:
    """Returns the value for a name: by the whole name in `known` (lower case), else by its beginning, else by any part.

    Raises:
        UsageError: if nothing has this name, or several things do.
    """
    return resolve_names(name, known, words, most=1)[0]


def resolve_names(name: str, known: Mapping[str, T], words: Wording, most: int) -> list[T]:
    """Returns the values that a name may mean, at most `most`, found as `resolve_name` finds one.

    Raises:
        UsageError: if nothing has this name, or more things do.
    """
    wanted = name.casefold()
    for fits in (str.__eq__, str.startswith, str.__contains__):
        found = list(dict.fromkeys([each for text, each in known.items() if fits(text, wanted)]))
        if 0 < len(found) <= most:
            return found
        if found:
            names = words.say(COMMA).join([words.of(each) for each in found[:_MAX_NAMES]])
            more = " …" if len(found) > _MAX_NAMES else ""
            raise UsageError(words.say(AMBIGUOUS_NAME, name=name, names=names + more))
    raise UsageError(words.with_hint(words.say(UNKNOWN_NAME, name=name), wanted, known))
