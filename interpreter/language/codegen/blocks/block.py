"""A basic block of a procedure: a function of a few lines, with its input and output locals."""

from __future__ import annotations

import re
from dataclasses import dataclass

from interpreter.language.codegen.core.source_writer import Writer

WHOLE = ""
"""In a set of attributes that are read of a local: the local itself is read."""

_USES = re.compile(r"\b(v_\w+)(?:\.a_(\w+))?")
_IMPURE = re.compile(r"\byield\b|\bp_\w+\(|\b(?:roll|random|draw)_\w+\(")
"""Text that asks, runs a procedure, or depends on chance."""
_LOCAL_ONLY = re.compile(
    r"(?:\b(?:v_\w+(?:\.a_\w+)?|[eik]_\w+|None|True|False|is|not|and|or|if|else|tuple(?=\()|\d+)\b|[-+<>=!(), ])*"
)
"""Text of locals, their attributes and constants only."""


@dataclass(slots=True)
class Block:
    """A function of a few lines; `takes` are its input locals, `gives` its output locals."""

    name: str
    lines: Writer
    takes: list[str]
    gives: list[str]

    @property
    def text(self) -> str:
        """The Python text of its body."""
        return "\n".join(self.lines.lines)

    @property
    def is_straight(self) -> bool:
        """Whether it neither asks nor rolls nor calls a procedure."""
        return _IMPURE.search(self.text) is None

    def attributes(self) -> dict[str, set[str]]:
        """The attributes that it reads of each input local; `WHOLE` where it reads the local itself."""
        found: dict[str, set[str]] = {each: set() for each in self.takes}
        for local, attribute in _USES.findall(self.text):
            if local in found:
                found[local].add(attribute)
        return found

    def reads_locals(self, changed: frozenset[str]) -> bool:
        """Whether it reads locals only, and none of their attributes in `changed`."""
        attributes = {attribute for _, attribute in _USES.findall(self.text)}
        return attributes.isdisjoint(changed) and all(_LOCAL_ONLY.fullmatch(each) for each in self.lines.lines)

    def write(self, out: Writer) -> None:
        """Writes the function."""
        with out.block(f"def {self.name}({', '.join(self.takes)}):"):
            out.take(self.lines)
            out.line(f"return ({''.join([f'{each}, ' for each in self.gives])})")
