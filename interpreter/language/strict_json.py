"""Reads JSON that strangers may have written, strictly, and writes canonical JSON.

What is not plain, finite and unambiguous is refused, with its place if that is known.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, NoReturn

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]
"""What files of this program hold: JSON without fractions."""

MAX_DEPTH: Final = 64
_MAX_SHOWN: Final = 40
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_LONE: Final = re.compile("[\ud800-\udfff]")


class JsonError(ValueError):
    """A text is not JSON as it is read here; `line` and `column` (from 1) are 0 where they are not known."""

    def __init__(self, reason: str, line: int = 0, column: int = 0) -> None:
        self.reason, self.line, self.column = reason, line, column
        super().__init__(f"line {line}, column {column}: {reason}" if line else reason)


def read_json(content: str | bytes, *, max_depth: int = MAX_DEPTH) -> Json:
    """Returns the value of a JSON text of a stranger; bytes must be UTF-8.

    Raises:
        JsonError: for anything but JSON, a name that an object has twice, a number that is not whole or has too many
            digits, too deep a nesting, and half a character (a lone surrogate).
    """
    text = content if isinstance(content, str) else _decoded(content)
    value = _value(text)
    _check_depth(value, max_depth)
    if _SURROGATE.search(text):
        _check_characters(value)
    return value


def read_own_json(content: bytes) -> Json:
    """Returns the value of a JSON text of this program, of any depth, which may hold names of files that are no text.

    Raises:
        JsonError: for anything but JSON, a name that an object has twice, and a number that is not whole.
    """
    return _value(_decoded(content))


def canonical_json(data: Any) -> str:
    """Returns the canonical text of JSON data, for files and digests."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _value(text: str) -> Json:
    try:
        value: Json = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise JsonError(error.msg[:1].lower() + error.msg[1:], error.lineno, error.colno) from error
    except RecursionError as error:
        raise JsonError("it is nested too deep") from error
    except JsonError:
        raise
    except ValueError as error:  # more digits than Python writes or reads
        raise JsonError("a number has too many digits") from error
    return value


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        column = error.start - before.rfind(b"\n")
        raise JsonError("it is not text in UTF-8", before.count(b"\n") + 1, column) from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise JsonError(f"an object has the name {_shown(name)} twice")
            seen.add(name)
    return found


def _no_number(text: str) -> NoReturn:
    raise JsonError(f"{_shown(text)} is not a whole number")


def _shown(text: str) -> str:
    """Returns the start of a text of a stranger in ASCII, for a message."""
    return ascii(text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…")


def _check_depth(value: Json, limit: int) -> None:
    level: list[Any] = [value]
    for _ in range(limit + 1):
        lists = [each for each in level if each.__class__ is list]
        objects = [each for each in level if each.__class__ is dict]
        if not lists and not objects:
            return
        level = [item for each in objects for item in each.values()]
        level += [item for each in lists for item in each]
    raise JsonError(f"it is nested more than {limit} deep")


def _check_characters(value: Json) -> None:
    level: list[Any] = [value]
    while level:
        each = level.pop()
        if isinstance(each, str) and _LONE.search(each):
            raise JsonError(f"the text {_shown(each)} has half a character")
        if isinstance(each, dict):
            level += [*each, *each.values()]
        elif isinstance(each, list):
            level += each


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_float=_no_number, parse_constant=_no_number)
