"""Lays out the lines of a document: indentation, empty lines, and blocks of text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from interpreter.workshop.format.text_style import INDENTATION, is_rule_text, style_grid, style_rules

_DASHES = re.compile(r"^(?:-[ \t]+)+")


@dataclass(slots=True)
class _TextBlock:
    """A literal or folded text: its range of lines (without `end`), its key, and its new margin.

    `fixed`: its header gives the indentation, so that it can only move as a whole. `keeps_end`: the empty lines at its
    end belong to it.
    """

    first: int
    end: int
    key: str
    margin: int
    fixed: bool
    keeps_end: bool
    literal: bool


@dataclass(slots=True)
class _LayoutPlan:
    """The planned layout: new columns of lines that begin an entry, blocks of text, items of lists, inner lines."""

    lines: list[str]
    columns: dict[int, int] = field(default_factory=dict)
    blocks: dict[int, _TextBlock] = field(default_factory=dict)
    items: set[int] = field(default_factory=set)
    inner: set[int] = field(default_factory=set)
    top: set[int] = field(default_factory=set)


def lay_out(text: str) -> str:
    """Returns the document with every line in its place."""
    plan = _LayoutPlan(text.split("\n"))
    root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if root is not None:
        _collection(root, 0, plan, top=True)
    return "\n".join(_with_section_gaps(_placed(plan))) + "\n"


# ---------------------------------------------------------------- plan
def _collection(node: yaml.Node, column: int, plan: _LayoutPlan, key: str = "", *, top: bool = False) -> None:
    """Plans a node whose entries begin in `column`."""
    if isinstance(node, yaml.ScalarNode):
        _text(node, column - INDENTATION, key, plan)
    elif isinstance(node, yaml.CollectionNode) and node.flow_style:
        for each in _scalars(node):
            _text(each, column - INDENTATION, key, plan)
    elif isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            _begin(name.start_mark, column, plan)
            if top:
                plan.top.add(name.start_mark.line)
            _collection(value, column + INDENTATION, plan, name.value)
    elif isinstance(node, yaml.SequenceNode):
        dash = node.start_mark.column
        for each in node.value:
            line = plan.lines[each.start_mark.line]
            if line[dash : dash + 1] == "-" and not line[:dash].strip():
                plan.columns[each.start_mark.line] = column
                plan.items.add(each.start_mark.line)
            _collection(each, column + INDENTATION, plan, key)


def _begin(mark: yaml.Mark, column: int, plan: _LayoutPlan) -> None:
    if not plan.lines[mark.line][: mark.column].strip():
        plan.columns[mark.line] = column


def _scalars(node: yaml.Node) -> Iterator[yaml.ScalarNode]:
    if isinstance(node, yaml.ScalarNode):
        yield node
    elif isinstance(node, yaml.MappingNode):
        for pair in node.value:
            for each in pair:
                yield from _scalars(each)
    else:
        for each in node.value:
            yield from _scalars(each)


def _text(node: yaml.ScalarNode, column: int, key: str, plan: _LayoutPlan) -> None:
    first, last = node.start_mark.line, node.end_mark.line
    if node.style in ("|", ">"):
        header = plan.lines[first][node.start_mark.column :].partition("#")[0]
        end = last if node.end_mark.column == 0 else last + 1
        margin, fixed = max(column, 0) + INDENTATION, any(sign.isdigit() for sign in header)
        plan.blocks[first + 1] = _TextBlock(first + 1, end, key, margin, fixed, "+" in header, node.style == "|")
    else:
        plan.inner.update(range(first + 1, last + 1))


# ---------------------------------------------------------------- lines
@dataclass(frozen=True, slots=True)
class _Line:
    """A line in its place; a `kept` line is part of a text, a `top` line begins a section."""

    text: str
    kept: bool = False
    top: bool = False


def _placed(plan: _LayoutPlan) -> list[_Line]:
    found: list[_Line] = []
    at, shift = 0, 0
    while at < len(plan.lines):
        if (block := plan.blocks.get(at)) is not None and block.end > at:
            lines = plan.lines[at : block.end]
            while lines and not lines[-1].strip() and not block.keeps_end:
                lines.pop()
            found += [_Line(line, kept=True) for line in _block_lines(lines, block, shift)]
            at += max(len(lines), 1)
            continue
        line = plan.lines[at]
        indent = len(line) - len(line.lstrip())
        if at in plan.columns:
            shift = plan.columns[at] - indent
        here = shift
        if line.lstrip().startswith("#") and at not in plan.inner:
            here = _comment_shift(plan, at, indent, shift)
        body = (
            _DASHES.sub(lambda dashes: "- " * dashes[0].count("-"), line.strip()) if at in plan.items else line.strip()
        )
        text = " " * max(indent + here, 0) + body if body else ""
        found.append(_Line(text, kept=at in plan.inner, top=at in plan.top))
        at += 1
    return found


def _comment_shift(plan: _LayoutPlan, at: int, indent: int, shift: int) -> int:
    """Returns the shift of a comment: that of the entry below in the same column, else that of the line before."""
    following = next((line for line in range(at + 1, len(plan.lines)) if line in plan.columns), None)
    if following is not None:
        line = plan.lines[following]
        if len(line) - len(line.lstrip()) == indent:
            return plan.columns[following] - indent
    return shift


def _block_lines(lines: list[str], block: _TextBlock, shift: int) -> list[str]:
    """Returns the lines of a block of text in its new place."""
    if block.fixed:
        return [_shifted(each, shift) for each in lines]
    old = min([len(each) - len(each.lstrip()) for each in lines if each.strip()], default=0)
    bare = [each[old:] for each in lines]
    if block.literal and block.key == "grid":
        bare = style_grid(bare)
    elif block.literal and is_rule_text("\n".join(bare), block.key):
        bare = _single_blank_lines(style_rules(bare, block.margin))
    return [" " * block.margin + each if each.strip() else "" for each in bare]


def _shifted(line: str, shift: int) -> str:
    indent = len(line) - len(line.lstrip())
    return " " * max(indent + shift, 0) + line.lstrip() if line.strip() else line


def _single_blank_lines(lines: list[str]) -> list[str]:
    return [each for at, each in enumerate(lines) if each or (at and lines[at - 1])]


def _with_section_gaps(lines: list[_Line]) -> list[str]:
    """Returns the lines with one empty line before each section and its comments, and never two in a row."""
    found: list[str] = []
    for line in lines:
        if line.kept or line.text:
            if line.top and found:
                _open_section(found)
            found.append(line.text)
        elif found and found[-1]:
            found.append("")
    while found and not found[-1]:
        found.pop()
    return found


def _open_section(found: list[str]) -> None:
    """Adds an empty line before the next section, above the comments directly over it."""
    at = len(found)
    while at and found[at - 1].startswith("#"):
        at -= 1
    if at and found[at - 1]:
        found.insert(at, "")
