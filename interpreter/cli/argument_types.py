"""The types of arguments: each reads a text of the command line, or says what was expected."""

from __future__ import annotations

import argparse

from interpreter.language.whole_numbers import MAX_DIGITS


def percent(text: str) -> float:
    """Reads a percentage, with or without its sign.

    Raises:
        ArgumentTypeError: for any other text.
    """
    try:
        share = float(text.removesuffix("%"))
    except ValueError:
        share = -1.0
    if not 0 <= share <= 100:
        raise argparse.ArgumentTypeError(f"expected a percentage from 0 to 100, not '{text}'")
    return share


def seconds(text: str, most: int = 3_600) -> float:
    """Reads a number of seconds above 0 and up to `most`.

    Raises:
        ArgumentTypeError: for any other text.
    """
    try:
        time = float(text)
    except ValueError:
        time = 0.0
    if not 0 < time <= most:
        raise argparse.ArgumentTypeError(f"expected seconds above 0 and up to {most}, not '{text}'")
    return time


def budget(text: str) -> float:
    """Reads a CPU time in seconds, above 0.

    Raises:
        ArgumentTypeError: for any other text.
    """
    return seconds(text, 1_000_000)


def positive_integer(text: str) -> int:
    """Reads a whole number from 1 on.

    Raises:
        ArgumentTypeError: for any other text.
    """
    if not text.isdecimal() or len(text) > 4_000 or not 0 < int(text) <= 10**9:
        limit = " up to 1,000,000,000" if text.isdecimal() and text.strip("0") else ""
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 on{limit}, not '{text}'")
    return int(text)


def entry_number(text: str) -> int:
    """Reads the number of an entry of a log.

    Raises:
        ArgumentTypeError: for any other text.
    """
    if not text.removeprefix("-").isdecimal() or len(text) > MAX_DIGITS:
        raise argparse.ArgumentTypeError(f"expected the number of an entry, not '{text}'")
    return int(text)


def seed(text: str) -> str:
    """Reads the seed of dice.

    Raises:
        ArgumentTypeError: for any other text.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError(
            f"expected a number or a text, not bytes that are not UTF-8: {text!a}"
        ) from None
    return text
