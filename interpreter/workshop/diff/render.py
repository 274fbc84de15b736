"""Formats differences as lines for people: grids side by side, rule text line by line, single values with an arrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher, ndiff
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from interpreter.language.text_width import width
from interpreter.play.wording.text_table import padded
from interpreter.workshop.diff.compare import ComparedGrid, Difference
from interpreter.workshop.report_data import citation_suffix, source_text

_SIGNS: Final = {"new": "+", "gone": "-"}
_STYLES: Final = {"new": "green", "gone": "red"}
_MAX_INLINE_WIDTH: Final = 60
"""The largest width of two texts that share a line."""
_MAX_WHOLE_ROWS: Final = 20
"""The largest number of rows of a grid that is shown whole."""
_MAX_LISTED_CELLS: Final = 3
"""The largest number of cells with the same change of standing that are listed one by one."""
_GUTTER: Final = "     "


class StyledLine(NamedTuple):
    """A line and the style in which a terminal shows it, or none."""

    text: str
    style: str | None = None


def difference_lines(found: Iterable[Difference], columns: int) -> Iterator[StyledLine]:
    """Yields all differences, entry by entry, within `columns` if the grids allow it."""
    for number, (entry, group) in enumerate(groupby(found, key=lambda each: each.entry)):
        members = list(group)
        clauses = list(dict.fromkeys(clause for each in members for clause in each.clauses))
        if number:
            yield StyledLine("")
        yield StyledLine(f"{entry}{citation_suffix(clauses)}  {source_text(members[0].place)}", "bold")
        for each, name in _grouped(members, entry):
            yield from _lines(each, name, columns)


def _grouped(members: Sequence[Difference], entry: str) -> Iterator[tuple[Difference, str]]:
    """Yields the differences of an entry with their names in it, grids first; equal changes of standing are joined."""
    alike: dict[object, list[Difference]] = {}
    for each in sorted(members, key=lambda each: not isinstance(each.after, ComparedGrid)):
        about = each.path.removeprefix(entry).removeprefix("/")
        single = (each.what, each.before, each.after) if about.startswith("figures/") else each
        alike.setdefault(single, []).append(each)
    for group in alike.values():
        names = [each.path.removeprefix(entry).removeprefix("/") for each in group]
        if len(group) > _MAX_LISTED_CELLS:
            yield group[0], f"{names[0]} and {len(group) - 1} more"
        else:
            yield from zip(group, names, strict=True)


def _lines(each: Difference, name: str, columns: int) -> Iterator[StyledLine]:
    if isinstance(each.before, ComparedGrid) and isinstance(each.after, ComparedGrid):
        yield from grid_lines(each.before, each.after, columns)
    elif each.what in ("order", "renamed"):
        yield StyledLine(f"  {f'{name}: ' if name else ''}{each.what}: {each.before}  ->  {each.after}")
    elif each.what in _STYLES:
        text = each.after if each.what == "new" else each.before
        assert isinstance(text, str)
        sign, style = _SIGNS[each.what], _STYLES[each.what]
        if "\n" not in text and width(text) <= _MAX_INLINE_WIDTH:
            yield StyledLine(f"  {sign} {f'{name}: ' if name else ''}{text}", style)
            return
        if name:
            yield StyledLine(f"  {sign} {name}:", style)
        yield from (StyledLine(f"  {sign} {'  ' if name else ''}{line}".rstrip(), style) for line in text.split("\n"))
    else:
        assert isinstance(each.before, str)
        assert isinstance(each.after, str)
        yield from _changed(name, each.before, each.after)


def _changed(name: str, before: str, after: str) -> Iterator[StyledLine]:
    if "\n" not in before + after and width(before + after) <= _MAX_INLINE_WIDTH:
        yield StyledLine(f"  {f'{name}: ' if name else ''}{before}  ->  {after}")
        return
    if name:
        yield StyledLine(f"  {name}:")
    for line in ndiff(before.split("\n"), after.split("\n")):
        sign, text = line[0], line[2:]
        if sign != "?":
            yield StyledLine(f"    {sign} {text}".rstrip(), {"+": "green", "-": "red"}.get(sign))


# ---------------------------------------------------------------- grids
def grid_lines(before: ComparedGrid, after: ComparedGrid, columns: int) -> Iterator[StyledLine]:
    """Yields two grids side by side with changed cells in brackets, or one below the other if there is no room.

    Of a long grid only the changed rows and their neighbours are shown.
    """
    rows = _aligned(before.keys, after.keys)
    headings = _aligned([(each,) for each in before.cells[0]], [(each,) for each in after.cells[0]])
    whole = (_drawn(before, rows, headings, 0, after), _drawn(after, rows, headings, 1, before))
    left, right = whole if len(rows) <= _MAX_WHOLE_ROWS else _changed_rows(*whole)
    wide = max(width(text) for text, _ in left)
    if 2 + wide + len(_GUTTER) + max(width(text) for text, _ in right) <= columns:
        for (one, marked), (other, also) in zip(left, right, strict=True):
            yield StyledLine(f"  {padded(one, wide)}{_GUTTER}{other}".rstrip(), "yellow" if marked or also else None)
        return
    for sign, style, lines in (("-", "red", left), ("+", "green", right)):
        yield from (
            StyledLine(f"  {sign} {text}".rstrip(), style if marked else None) for text, marked in lines if text
        )


GridLines = list[tuple[str, bool]]
"""The lines of a grid, each with whether it differs; a line is empty if only the other grid has the row."""


def _changed_rows(left: GridLines, right: GridLines) -> tuple[GridLines, GridLines]:
    """Returns the heading, the changed rows and their neighbours, with dots in place of the others."""
    changed = [number for number, (one, other) in enumerate(zip(left, right, strict=True)) if one[1] or other[1]]
    kept = sorted({0, *(near for each in changed for near in (each - 1, each, each + 1) if 0 < near < len(left))})
    found: tuple[GridLines, GridLines] = ([], [])
    for last, number in pairwise((-1, *kept, len(left))):
        for shown, lines in zip(found, (left, right), strict=True):
            shown.extend([("…", False)] if number > last + 1 else [])
            shown.extend(lines[number : number + 1])
    return found


Pair = tuple[int | None, int | None]


def _aligned(before: Sequence[tuple[str, ...]], after: Sequence[tuple[str, ...]]) -> list[Pair]:
    """Pairs rows or columns by their names; one without a counterpart is paired with none."""
    found: list[Pair] = []
    for what, one, two, three, four in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what == "equal":
            found += zip(range(one, two), range(three, four), strict=True)
        else:
            found += [(at, None) for at in range(one, two)] + [(None, at) for at in range(three, four)]
    return found


def _drawn(
    grid: ComparedGrid, rows: Sequence[Pair], headings: Sequence[Pair], side: int, other: ComparedGrid
) -> GridLines:
    """Returns the lines of one grid beside another."""
    texts: list[list[str] | None] = []
    marks: list[bool] = []
    for row in rows:
        at, there = row[side], row[1 - side]
        if at is None:
            texts.append(None)
            marks.append(True)
            continue
        cells = [
            _cell(grid, at, column[side], other, there, column[1 - side])
            for column in headings
            if column[side] is not None
        ]
        marks.append(there is None or any(marked for _, marked in cells))
        texts.append([*grid.keys[at], "|", *[text for text, _ in cells]])
    filled = [each for each in texts if each is not None]
    widths = [max(map(width, column)) for column in zip(*filled, strict=True)]
    lines = [
        "" if each is None else " ".join([padded(cell, widths[at]) for at, cell in enumerate(each)]).rstrip()
        for each in texts
    ]
    return list(zip(lines, marks, strict=True))


def _cell(
    grid: ComparedGrid, row: int, column: int | None, other: ComparedGrid, there: int | None, across: int | None
) -> tuple[str, bool]:
    assert column is not None
    text = grid.cells[row][column]
    changed = there is None or across is None or other.cells[there][across] != text
    return (f"[{text}]", True) if changed else (f" {text} ", False)
