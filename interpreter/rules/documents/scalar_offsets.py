"""Maps offsets in the value of a YAML scalar to offsets in its source text.

YAML folds lines, strips indentation and has escapes, so the value of a scalar isn't a slice of its file. The functions
here parse the slice again by the rules of YAML 1.1 and record the source offset of each character.
"""

from __future__ import annotations

import re

_BREAKS = re.compile(r"(?<![ \t])[ \t]*\n[ \t\n]*")
_QUOTED_PART = re.compile(r"(?P<fold>[ \t]*\n[ \t\n]*)|(?P<twice>'')|(?P<run>[^'\n \t]+|[ \t]+)")
_DOUBLE_PART = re.compile(
    r"(?P<joined>\\\n[ \t]*(?P<more>\n[ \t\n]*)?)"
    r"|(?P<escape>\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.))"
    r"|(?P<fold>[ \t]*\n[ \t\n]*)|(?P<run>[^\\\n \t]+|[ \t]+)"
)


class _Trace:
    """The mapping so far: the length of the value, and `(offset in value, offset in slice)` of each contiguous run."""

    def __init__(self) -> None:
        self.runs: list[tuple[int, int]] = []
        self.length = 0
        self._next = -1

    def add(self, length: int, at: int) -> None:
        """Adds `length` characters of the value, which are contiguous in the source from `at` on."""
        if not length:
            return
        if at != self._next:
            self.runs.append((self.length, at))
        self.length += length
        self._next = at + length

    def line_break(self, at: int) -> None:
        """Adds a line break at `at`."""
        self._next = -1
        self.add(1, at)
        self._next = -1

    def fold(self, at: int, breaks: int) -> None:
        """Adds a fold at `at`: one line break becomes a blank, each further one a line break."""
        for _ in range(max(breaks - 1, 1)):
            self.line_break(at)


def offset_runs(raw: str, style: str, value: str) -> list[tuple[int, int]]:
    """Returns the runs `(offset in value, offset in raw)` of a scalar in a style (`'`, `"`, `|`, `>`, empty: plain)."""
    trace = _Trace()
    if style in ("|", ">"):
        _block(trace, raw, value, folded=style == ">")
    elif style == '"':
        _double(trace, raw)
    elif style == "'":
        _single(trace, raw)
    else:
        _plain(trace, raw)
    return trace.runs or [(0, 0)]


def _plain(trace: _Trace, raw: str) -> None:
    at = 0
    for found in _BREAKS.finditer(raw):
        if found.end() == len(raw):
            break
        trace.add(found.start() - at, at)
        trace.fold(found.start(), found[0].count("\n"))
        at = found.end()
    trace.add(len(raw.rstrip(" \t\n")) - at, at)


def _single(trace: _Trace, raw: str) -> None:
    for found in _QUOTED_PART.finditer(raw, 1, len(raw) - 1):
        if found["fold"]:
            trace.fold(found.start(), found[0].count("\n"))
        elif found["twice"]:
            trace.add(1, found.start())
        else:
            trace.add(len(found[0]), found.start())


def _double(trace: _Trace, raw: str) -> None:
    for found in _DOUBLE_PART.finditer(raw, 1, len(raw) - 1):
        if found["joined"]:
            for _ in range((found["more"] or "").count("\n")):
                trace.fold(found.start(), 1)
        elif found["escape"]:
            trace.add(1, found.start())
        elif found["fold"]:
            trace.fold(found.start(), found[0].count("\n"))
        else:
            trace.add(len(found[0]), found.start())


# ---------------------------------------------------------------- blocks
def _block(trace: _Trace, raw: str, value: str, *, folded: bool) -> None:
    header, _, body = raw.partition("\n")
    base = len(header) + 1
    lines = body.split("\n")
    indent = _indent(lines, value, explicit=any(each.isdigit() for each in header.partition("#")[0]))
    pending: list[int] = []  # offsets of line breaks not yet added
    previous_blank = True  # no fold before the first line
    seen = False
    at = base
    for number, line in enumerate(lines):
        content = line[indent:] if len(line) > indent else ""
        if content:
            blank = content[0] in " \t"
            if folded and seen and not previous_blank and not blank and pending:
                trace.fold(pending[0], len(pending))
            else:
                _breaks(trace, pending)
            pending = []
            trace.add(len(content), at + indent)
            previous_blank, seen = blank, True
        if number < len(lines) - 1:
            pending.append(at + len(line))
        at += len(line) + 1
    _breaks(trace, pending[: max(len(value) - trace.length, 0)])


def _breaks(trace: _Trace, places: list[int]) -> None:
    for at in places:
        trace.line_break(at)


def _indent(lines: list[str], value: str, *, explicit: bool) -> int:
    """Returns the indentation of a block; with an explicit indicator it is derived from the value."""
    spaces = [len(line) - len(line.lstrip(" ")) for line in lines]
    written = [width for line, width in zip(lines, spaces, strict=True) if line.strip(" ")]
    if not explicit:
        return written[0] if written else max(spaces)
    if not written:
        return max(spaces) - max((len(each) for each in value.split("\n")), default=0)
    first = next(line for line in value.split("\n") if line.strip(" "))
    return written[0] - (len(first) - len(first.lstrip(" ")))
