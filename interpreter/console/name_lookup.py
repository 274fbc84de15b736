"""Which of several things a person means by a name or a part of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from interpreter.language.diagnostics import UsageError
from interpreter.play.wording.messages import COMMA, NOTHING_MEANT, SEVERAL_MEANT
from interpreter.play.wording.wording import Wording

T = TypeVar("T")
_MOST_TOLD = 8


def resolve_name(name: str, known: Mapping[str, T], words: Wording) -> T:
    """What is called so: by its whole name in `known` (in small letters), else by its beginning, else by any part.

    Raises:
        UsageError: if nothing is, or several things are.
    """
    wanted = name.casefold()
    for fits in (str.__eq__, str.startswith, str.__contains__):
        found = list(dict.fromkeys([each for text, each in known.items() if fits(text, wanted)]))
        if len(found) == 1:
            return found[0]
        if found:
            told = words.say(COMMA).join([words.of(each) for each in found[:_MOST_TOLD]])
            more = " …" if len(found) > _MOST_TOLD else ""
            raise UsageError(words.say(SEVERAL_MEANT, name=name, told=told + more))
    raise UsageError(words.hinted(words.say(NOTHING_MEANT, name=name), wanted, known))
