"""A part of a procedure that is taken apart: a function of a few lines, with the locals that it takes and gives."""

from __future__ import annotations

import re
from dataclasses import dataclass

from interpreter.language.codegen.core.source_writer import Writer

WHOLE = ""
"""Stands among the attributes of a local that are read where it is read itself."""

_USES = re.compile(r"\b(v_\w+)(?:\.a_(\w+))?")
_STIRS = re.compile(r"\byield\b|\bp_\w+\(|\b(?:roll|random|draw)_\w+\(")
"""Where a text asks, runs a procedure, or leaves something to chance."""
_PLAIN = re.compile(
    r"(?:\b(?:v_\w+(?:\.a_\w+)?|[eik]_\w+|None|True|False|is|not|and|or|if|else|tuple(?=\()|\d+)\b|[-+<>=!(), ])*"
)
"""A text of locals, attributes of theirs and constants."""


@dataclass(slots=True)
class Block:
    """A function of a few lines, with the locals that it takes and gives."""

    name: str
    lines: Writer
    takes: list[str]
    gives: list[str]

    @property
    def text(self) -> str:
        """What it runs."""
        return "\n".join(self.lines.lines)

    @property
    def quiet(self) -> bool:
        """Whether it runs straight through, whatever the state."""
        return _STIRS.search(self.text) is None

    def attributes(self) -> dict[str, set[str]]:
        """By local that it takes, the attributes that it reads of it; `WHOLE` where it reads more."""
        found: dict[str, set[str]] = {each: set() for each in self.takes}
        for local, attribute in _USES.findall(self.text):
            if local in found:
                found[local].add(attribute)
        return found

    def reads_locals(self, changed: frozenset[str]) -> bool:
        """Whether it reads nothing but locals, and of their attributes none of those that change."""
        attributes = {attribute for _, attribute in _USES.findall(self.text)}
        return attributes.isdisjoint(changed) and all(_PLAIN.fullmatch(each) for each in self.lines.lines)

    def write(self, out: Writer) -> None:
        """Writes the function."""
        with out.block(f"def {self.name}({', '.join(self.takes)}):"):
            out.take(self.lines)
            out.line(f"return ({''.join([f'{each}, ' for each in self.gives])})")
