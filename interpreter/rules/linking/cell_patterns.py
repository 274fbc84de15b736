"""Patterns of table cells: `{number}{plus:+}{check:C}` reads `4+C` as a number and two flags."""

from __future__ import annotations

import re
from dataclasses import dataclass

from interpreter.language.diagnostics import Place
from interpreter.language.model.program import Datum
from interpreter.rules.documents.nodes import Scalar
from interpreter.rules.documents.text_grids import read_datum
from interpreter.rules.linking.link_context import LinkContext

_PART = re.compile(r"\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::(?P<sign>[^{}]+))?\}|(?P<text>[^{}]+)|(?P<brace>[{}])")
_VALUE = r"[+-]?[0-9]+|[A-Za-z_][A-Za-z0-9_]*?|-"


@dataclass(frozen=True, slots=True)
class CellPattern:
    """How the text of a cell gives the attributes of a record; each attribute with the place of its first use."""

    text: str
    attributes: dict[str, Place]
    flags: frozenset[str]
    matcher: re.Pattern[str]

    def read(self, cell: str) -> dict[str, Datum] | None:
        """The attributes of a cell, or none if it does not match."""
        found = self.matcher.fullmatch(cell)
        if found is None:
            return None
        return {
            name: found.group(name) is not None if name in self.flags else read_datum(found.group(name))
            for name in self.attributes
        }

    @property
    def sample(self) -> str:
        """An example cell of this pattern, with all its flags."""
        return _PART.sub(lambda part: part["sign"] or part["text"] or "1", self.text)


def read_pattern(context: LinkContext, node: Scalar) -> CellPattern | None:
    """The pattern of a text; reports an error and returns none if it is invalid."""
    attributes: dict[str, Place] = {}
    flags: set[str] = set()
    parts: list[str] = []
    for found in _PART.finditer(node.text):
        place = node.source.place(found.start())
        name, sign = found["name"], found["sign"]
        if found["brace"] is not None:
            hint = "write {attribute} for a value, {attribute:sign} for a flag"
            context.fault("bad-pattern", "a brace of the pattern doesn't belong to an attribute", place, hint)
            return None
        if name is None:
            parts.append(re.escape(found["text"]))
            continue
        if name in attributes:
            context.fault("bad-pattern", f"'{name}' appears twice in the pattern", place)
            return None
        attributes[name] = place
        if sign is not None:
            flags.add(name)
        parts.append(f"(?P<{name}>{_VALUE})" if sign is None else f"(?P<{name}>{re.escape(sign)})?")
    return CellPattern(node.text, attributes, frozenset(flags), re.compile("".join(parts)))
