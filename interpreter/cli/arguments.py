"""Parses the values of command line arguments."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.language.diagnostics import UsageError, with_hint
from interpreter.language.whole_numbers import whole_number

_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def read_options(arguments: Sequence[str]) -> dict[str, object]:
    """Returns options given as `name=value`; a value is a boolean, an integer or a word.

    Raises:
        UsageError: if an option has no `=`, or is given twice.
    """
    options: dict[str, object] = {}
    for each in arguments:
        name, equals, value = each.partition("=")
        if not equals or not name:
            raise UsageError(f"expected an option as name=value, not '{each}'")
        if name in options:
            raise UsageError(f"the option '{name}' is given twice; leave one out")
        options[name] = read_value(value)
    return options


def read_value(text: str) -> object:
    """Returns an integer, a boolean, or the word itself."""
    number = whole_number(text)
    return _WORDS.get(text, text) if number is None else number


def read_seed(text: str) -> int | str:
    """Returns a seed: an integer if the text is one, else the text."""
    return int(text) if text.removeprefix("-").isdecimal() and len(text) <= 18 else text


def check_seat(seat: str | None, known: Sequence[str]) -> None:
    """Checks a seat of a game, if one is given.

    Raises:
        UsageError: if it is none of the seats that are known.
    """
    if seat is not None and seat not in known:
        raise with_hint(f"there is no seat '{seat}' in this game", seat, known)


def read_pairs(arguments: Sequence[str], what: str, known: Sequence[str]) -> dict[str, str]:
    """Returns settings given as `seat=word`; `what` is the argument's name, `known` are the seats.

    Raises:
        UsageError: if a setting has no `=`, is given twice, or names an unknown seat.
    """
    pairs: dict[str, str] = {}
    for each in arguments:
        name, equals, value = each.partition("=")
        if not equals or not name or not value:
            raise UsageError(f"expected {what} as seat=player, not '{each}'")
        check_seat(name, known)
        if name in pairs:
            raise UsageError(f"the seat '{name}' is given twice; leave one out")
        pairs[name] = value
    return pairs
