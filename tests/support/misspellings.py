"""Finds the names in rule text and misspells them in a copy of the ruleset."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from interpreter.language.diagnostics import Diagnostic
from interpreter.language.parsing.lalr_tables import load_tables
from interpreter.rules.documents.document_set import read_ruleset
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.loading.compile import check_ruleset

TEXTS = frozenset(
    {"is", "do", "when", "unless", "value", "cost", "within", "next", "seen_by", "repeat", "until", "each"}
)
"""Keys whose value is rule text."""
MAPPINGS = frozenset({"takes", "has", "outcomes", "pick", "keys"})
"""Keys of mappings whose values are rule text."""
OTHERS = frozenset(
    {"presentation", "glossary", "clauses", "readings", "left_out", "examples", "ruleset", "options", "sources"}
)
"""Sections without rule text that a check reads."""
NEW = frozenset({"let", "each", "as"})
"""Words before a name that a text gives; `_BLANKED` takes away the other names that it gives, and clauses."""
_TEXT = re.compile(r'"[^"\n]*"')
_BRACES = re.compile(r"\{([^{}]*)\}")
_BLANKED = re.compile(
    r"@\S+|#[^\n]*|\bagrees to \w+|\bfor any \w+|\bchooses \w+\s*:|^ *\w+(?= +when\b| *:)|^\w+(?= in )", re.MULTILINE
)
_NAME = re.compile(r"\w+")
_DICE = re.compile(r"\d*d\d+")


@dataclass(frozen=True)
class Spot:
    """A name in rule text, and the entry that it is in."""

    file: str
    line: int
    column: int
    name: str
    entry: str


def name_spots(folder: Path) -> list[Spot]:
    """Every use of a name in the rule text of a ruleset; not where a text gives a name of its own."""
    found = []
    for document in read_ruleset(folder).documents:
        for section, node in document.root.items.items():
            if section in OTHERS:
                continue
            for entry, inner in node.items.items() if isinstance(node, Mapping) else ():
                for scalar in _texts(inner, section == "state"):
                    found += [Spot(document.name, *each, f"{section}/{entry}") for each in _names(scalar)]
    return found


def _texts(node: Node, is_text: bool) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        if is_text and isinstance(node.value, str):
            yield node
    elif isinstance(node, Sequence):
        for each in node:
            yield from _texts(each, False)
    elif isinstance(node, Mapping):
        for key, value in node.items.items():
            if key == "of" and "prompt" in node:
                yield from _texts(value, True)
            elif key in MAPPINGS and isinstance(value, Mapping):
                for inner in value.items.values():
                    yield from _texts(inner, True)
            else:
                yield from _texts(value, key in TEXTS and isinstance(value, Scalar))


def _names(scalar: Scalar) -> Iterator[tuple[int, int, str]]:
    text = _BLANKED.sub(lambda found: " " * len(found[0]), _TEXT.sub(_inner, scalar.text))
    before = ""
    for found in _NAME.finditer(text):
        name = found[0]
        if name not in load_tables().words and not name.isdigit() and not _DICE.fullmatch(name) and before not in NEW:
            place = scalar.source.place(found.start())
            yield place.line, place.column, name
        before = name


def _inner(text: re.Match[str]) -> str:
    """A text of which only the parts in braces are left."""
    kept = [(found.start() - text.start(), found[1]) for found in _BRACES.finditer(text.string, *text.span())]
    letters = [" "] * len(text[0])
    for at, inner in kept:
        letters[at + 1 : at + 1 + len(inner)] = inner
    return "".join(letters)


def misspelt(name: str) -> str:
    """The name with two letters more, so that it is no other name of the ruleset."""
    return name[:-1] + "zq" + name[-1]


def found_in_copy(folder: Path, copy: Path, spots: list[Spot]) -> list[Diagnostic]:
    """What a check finds when these names are misspelt at once in a copy of the ruleset."""
    for path in folder.rglob("*.yaml"):
        lines = path.read_text(encoding="utf-8").split("\n")
        for spot in sorted(spots, key=lambda each: -each.column):
            if path.relative_to(folder).as_posix() == spot.file:
                line, at = lines[spot.line - 1], spot.column - 1
                assert line[at : at + len(spot.name)] == spot.name
                lines[spot.line - 1] = line[:at] + misspelt(spot.name) + line[at + len(spot.name) :]
        target = copy / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(lines), encoding="utf-8")
    return check_ruleset(copy)


def unreported(folder: Path, copy: Path, spots: list[Spot]) -> list[Spot]:
    """The misspelt names that no finding points at; those that others may have hidden are tried with fewer."""
    missed = _missed(folder, copy, spots)
    if len(spots) == 1 or not missed:
        return missed
    half = max(len(missed) // 2, 1)
    return [each for part in (missed[:half], missed[half:]) if part for each in unreported(folder, copy, part)]


def _missed(folder: Path, copy: Path, spots: list[Spot]) -> list[Spot]:
    found = found_in_copy(folder, copy, spots)
    places = {(Path(each.place.file).name, each.place.line, each.place.column) for each in found}
    return [each for each in spots if (each.file, each.line, each.column) not in places]


def batches(spots: list[Spot]) -> list[list[Spot]]:
    """The spots in groups with at most one of each entry, so that one doesn't hide another."""
    left: dict[str, list[Spot]] = {}
    for each in spots:
        left.setdefault(each.entry, []).append(each)
    found = []
    while any(left.values()):
        found.append([each.pop() for each in left.values() if each])
    return found
