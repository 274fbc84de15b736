"""Arguments as they are written on the command line, read into values."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.language.diagnostics import UsageError, with_hint

_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def read_options(written: Sequence[str]) -> dict[str, object]:
    """Options given as `name=value`: yes or no, a whole number, or a word.

    Raises:
        UsageError: if one has no `=`, or is given twice.
    """
    options: dict[str, object] = {}
    for each in written:
        name, equals, value = each.partition("=")
        if not equals or not name:
            raise UsageError(f"an option is given as name=value, not as '{each}'")
        if name in options:
            raise UsageError(f"the option '{name}' is given twice; leave one out")
        options[name] = read_value(value)
    return options


def read_value(text: str) -> object:
    """A whole number, yes or no, or the word itself."""
    if text.removeprefix("-").isdecimal() and len(text) <= 18:
        return int(text)
    return _WORDS.get(text, text)


def read_seed(text: str) -> int | str:
    """A seed: a whole number where it is one, else a text."""
    return int(text) if text.removeprefix("-").isdecimal() and len(text) <= 18 else text


def read_pairs(written: Sequence[str], what: str, known: Sequence[str]) -> dict[str, str]:
    """Settings of seats given as `seat=word`; the seats must be among the known ones.

    Raises:
        UsageError: if one has no `=`, or names no seat of the game.
    """
    pairs: dict[str, str] = {}
    for each in written:
        name, equals, value = each.partition("=")
        if not equals or not name or not value:
            raise UsageError(f"{what} is given as seat=player, not as '{each}'")
        if name not in known:
            raise with_hint(f"'{name}' is no seat of this game", name, known)
        if name in pairs:
            raise UsageError(f"the seat '{name}' is given twice; leave one out")
        pairs[name] = value
    return pairs
