"""Which of several things a person means by a name or a part of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from interpreter.language.diagnostics import UsageError, did_you_mean

T = TypeVar("T")
_MOST_TOLD = 8


def the_one(name: str, known: Mapping[str, T], say: Callable[[T], str]) -> T:
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
            told = ", ".join([say(each) for each in found[:_MOST_TOLD]])
            raise UsageError(f"'{name}' could be any of: {told}{' …' if len(found) > _MOST_TOLD else ''}")
    hint = did_you_mean(wanted, known)
    raise UsageError(f"nothing here is called '{name}'" + (f"; {hint}" if hint else ""))
