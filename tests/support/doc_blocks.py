"""Reads the blocks of the language guide and writes them as the ruleset that they are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "language.md"


class Block(NamedTuple):
    """A fenced block of the guide and the line it begins in."""

    mark: str
    line: int
    text: str


class Wrong(NamedTuple):
    """A mistake: the fragment that has it, and the report it must get."""

    fragment: str
    code: str
    piece: str


def blocks(mark: str) -> list[Block]:
    """The guide's blocks of one mark."""
    text = GUIDE.read_text(encoding="utf-8")
    found = re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    every = [Block(each[1], text.count("\n", 0, each.start()) + 2, each[2]) for each in found]
    return [each for each in every if each.mark == mark]


def wrong(block: Block) -> Wrong:
    """A block of a mistake, taken apart: its last line names the report."""
    *lines, last = block.text.rstrip("\n").split("\n")
    code, _, piece = last.partition(": ")
    return Wrong("\n".join(lines) + "\n", code, piece)


def write_guide(folder: Path, *more: str) -> Path:
    """The guide as a ruleset, each block a file of it; `more` are further files."""
    head, *rest = [each.text for each in blocks("yaml")]
    parts = {f"part_{number}.yaml": text for number, text in enumerate([*rest, *more], 2)}
    folder.joinpath("ruleset.yaml").write_text(f"{head}include: [{', '.join(parts)}]\n", encoding="utf-8")
    for name, text in parts.items():
        folder.joinpath(name).write_text(text, encoding="utf-8")
    return folder
