r"""Makes characters visible that a terminal would obey, reorder or hide.

The texts of files, arguments and folders are a stranger's. Control characters could move the cursor, set the title or
fake a line; bidirectional controls could reorder what is read; characters without a glyph could make two names look
the same. Each is shown as its escape, such as `\x1b` or `\u202e`.
"""

from __future__ import annotations

import re
from typing import Final

_CONTROLS: Final = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
_BIDIRECTIONAL: Final = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_LINE_ENDS: Final = r"\u2028\u2029"
_SURROGATES: Final = r"\ud800-\udfff"
_WITHOUT_GLYPH: Final = (
    r"\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    r"\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
_JOINERS: Final = r"\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Joiners and variation selectors: they shape letters of other scripts, and do nothing after a letter of ASCII."""

_HIDDEN: Final = f"[{_CONTROLS}{_BIDIRECTIONAL}{_LINE_ENDS}{_SURROGATES}{_WITHOUT_GLYPH}]"
_IN_TEXT: Final = re.compile(rf"{_HIDDEN}|(?:^|(?<=[\x00-\x7f]))[{_JOINERS}]+", re.MULTILINE)
_IN_LINE: Final = re.compile(rf"[\t\n]|{_IN_TEXT.pattern}")
_CONTROL: Final = re.compile(rf"[\t\n{_CONTROLS}{_LINE_ENDS}]")
_IN_JSON: Final = re.compile(rf"{_HIDDEN}|[{_JOINERS}]")
_NAMES: Final = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def visible(text: str) -> str:
    """Returns a text of one or more lines with escapes for its hidden characters; line breaks and tabs remain."""
    return text if text.isascii() and text.isprintable() else _IN_TEXT.sub(_escape, text)


def visible_line(text: str) -> str:
    """Returns a text as one line, with escapes for its hidden characters, line breaks and tabs."""
    return text if text.isascii() and text.isprintable() else _IN_LINE.sub(_escape, text)


def indented(text: str) -> str:
    """Returns the visible text with an indent after its first line, so that no line of it passes for one of ours."""
    return visible(text).replace("\n", "\n    ")


def visible_json(text: str) -> str:
    """Returns JSON text that means the same, with the escapes of JSON for hidden characters in its strings."""
    return text if text.isascii() and "\x7f" not in text else _IN_JSON.sub(_escape_json, text)


def control_character(text: str) -> str | None:
    """Returns the escape of the first control character in a text, a line break or tab included, or none."""
    found = _CONTROL.search(text)
    return None if found is None else _escape(found)


def _escape(found: re.Match[str]) -> str:
    return "".join(map(_escape_of, found[0]))


def _escape_of(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"  # a byte of a file name that is not UTF-8
    if character in _NAMES:
        return _NAMES[character]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _escape_json(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join([f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2)])
