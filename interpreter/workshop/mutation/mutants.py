"""Generates mutants of a ruleset: small wrong changes of a cell, a modifier, a condition or a cost.

A mutant is applied to the documents in memory and reverted after its trial.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from interpreter.language.diagnostics import Place, RulesetError
from interpreter.language.parsing.lexer import Token
from interpreter.language.parsing.parse import rule_tokens
from interpreter.language.parsing.source_map import SourceText
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.documents.text_grids import read_datum, read_grid

_SWAPS: Final = (("<", "<="), (">", ">="), ("=", "!="), ("and", "or"), ("true", "false"), ("up", "down"))
_CALLS: Final = (("any", "all"), ("min", "max"))
_SWAPPED: Final = {one: other for pair in (*_SWAPS, *_CALLS) for one, other in (pair, pair[::-1])}
_OPERANDS: Final = frozenset({"NAME", "INT", "DECIMAL", "STRING", "RPAR", "RSQB", "RBRACE"})
_NON_OPERAND_WORDS: Final = frozenset(
    {"if", "else", "and", "or", "not", "where", "each", "by", "in", "return", "otherwise", "is"}
)
_TEXTS: Final = ("is", "when", "unless", "value", "cost", "within", "until", "repeat", "least", "most")
_LISTS: Final = ("each", "limits", "bars", "stops", "when")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the path of the changed text in the ruleset, its place, and the text before and after."""

    path: str
    place: Place
    was: str
    becomes: str
    holder: Mapping | Sequence
    key: str
    replacement: Node

    @property
    def rule(self) -> str:
        """The path of the changed entry, such as `tables/losses` or `pieces/card/raid/play`."""
        parts = self.path.split("/")
        return "/".join(parts[: 4 if parts[0] in _CARRYING else 2])

    @property
    def entry(self) -> str:
        """The path of the entry of a section that the change is in."""
        return "/".join(self.path.split("/")[:2])

    def __str__(self) -> str:
        return f"{self.place}: {self.path}: {self.was} -> {self.becomes}"

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Applies the change, and reverts it at the end."""
        items = self.holder.items
        if isinstance(items, dict):
            original = items[self.key]
            items[self.key] = self.replacement
            try:
                yield
            finally:
                items[self.key] = original
            return
        number = int(self.key)
        before = items[number]
        items[number] = self.replacement
        try:
            yield
        finally:
            items[number] = before


def mutants(documents: DocumentSet) -> list[Mutant]:
    """Returns all mutants of a ruleset, in document order."""
    methods = _methods(documents)
    return [
        each
        for document in documents.documents
        for each in (*_of_document(document.root), *_of_methods(document.root, methods))
    ]


def _of_document(root: Mapping) -> Iterator[Mutant]:
    for section, read in _SECTIONS.items():
        entries = root.get(section)
        if isinstance(entries, Mapping):
            for name, entry in entries.items.items():
                if isinstance(entry, Mapping):
                    yield from read(entry, f"{section}/{name}")


# ---------------------------------------------------------------- methods
def _methods(documents: DocumentSet) -> frozenset[str]:
    """Returns the names of the methods that kinds declare."""
    kinds = [kind for node in documents.nodes("kinds") for _, kind in _mappings(node)]
    return frozenset(name for kind in kinds for _, declared in _declared(kind) for name in declared.items)


def _declared(kind: Mapping) -> Iterator[tuple[str, Mapping]]:
    for section in ("definitions", "procedures"):
        if isinstance(declared := kind.get(section), Mapping):
            yield section, declared


def _of_methods(root: Mapping, methods: frozenset[str]) -> Iterator[Mutant]:
    """Yields mutants of the texts of methods: those of kinds, of individuals and of entries of the counter-mix."""
    for name, kind in _mappings(root.get("kinds")):
        for section, declared in _declared(kind):
            for method, entry in _mappings(declared):
                yield from _rule(entry, f"kinds/{name}/{section}/{method}")
    for section in ("individuals", "pieces"):
        for path, carrier in _carriers(root.get(section), section):
            for key in methods & carrier.items.keys():
                node = carrier.items[key]
                if isinstance(node, Mapping):
                    yield from _rule(node, f"{path}/{key}")
                else:
                    yield from _texts(carrier, key, node, path)


def _carriers(node: Node | None, section: str) -> Iterator[tuple[str, Mapping]]:
    for kind, entries in node.items.items() if isinstance(node, Mapping) else ():
        for name, entry in _mappings(entries):
            yield f"{section}/{kind}/{name}", entry


def _mappings(node: Node | None) -> Iterator[tuple[str, Mapping]]:
    """Yields the entries that are mappings, by key, or in a list by id."""
    if isinstance(node, Mapping):
        yield from ((name, each) for name, each in node.items.items() if isinstance(each, Mapping))
    elif isinstance(node, Sequence):
        for each in node.items:
            if isinstance(each, Mapping) and isinstance(named := each.get("id"), Scalar):
                yield named.text, each


# ---------------------------------------------------------------- by section
def _table(entry: Mapping, path: str) -> Iterator[Mutant]:
    node = entry.get("grid")
    grid = read_grid(node.source)[0] if isinstance(node, Scalar) else None
    if grid is None or not isinstance(node, Scalar):
        return
    texts = [cell.text for row in grid.rows for cell in row.cells]
    offsets = _offsets(node.source)
    for row in grid.rows:
        for heading, cell in zip(grid.headings, row.cells, strict=True):
            where = f"{path}/{'/'.join(each.text for each in row.keys)}/{heading.text}"
            becomes = _other_cell(cell.text, texts)
            at = offsets.get((cell.place.line, cell.place.column))
            if becomes is not None and at is not None and not cell.quoted:
                yield _edited(entry, "grid", node, where, (at, cell.text, becomes))


def _other_cell(text: str, texts: list[str]) -> str | None:
    """Returns a number one higher, a swapped word, or another cell of the same table."""
    number = read_datum(text)
    if isinstance(number, int) and not isinstance(number, bool):
        return str(number + 1)
    if text in ("true", "false"):
        return _SWAPPED[text]
    return next((each for each in texts if each != text), None)


def _rule(entry: Mapping, path: str) -> Iterator[Mutant]:
    """Yields mutants of the texts of an entry, and of the items of its lists: each left out, and each text changed."""
    for key, node in entry.items.items():
        if key in _TEXTS or key in ("do", "pick"):
            yield from _texts(entry, key, node, path)
        if key in _LISTS and isinstance(node, Sequence):
            yield from _items(entry, key, node, f"{path}/{key}")


def _constant(entry: Mapping, path: str) -> Iterator[Mutant]:
    if (node := entry.get("value")) is not None:
        yield from _texts(entry, "value", node, path)


def _step(entry: Mapping, path: str) -> Iterator[Mutant]:
    yield from _rule(entry, path)
    steps = entry.get("steps")
    if isinstance(steps, Mapping):
        for name, inner in steps.items.items():
            if isinstance(inner, Mapping):
                yield from _step(inner, f"{path}/{name}")


def _window(entry: Mapping, path: str) -> Iterator[Mutant]:
    for key in ("order", "seat", "times", "rounds", "until", "nested"):
        if (node := entry.get(key)) is not None:
            yield from _texts(entry, key, node, path)


_SECTIONS: Final[dict[str, Callable[[Mapping, str], Iterator[Mutant]]]] = {
    "constants": _constant,
    "tables": _table,
    "definitions": _rule,
    "modifiers": _rule,
    "restrictions": _rule,
    "searches": _rule,
    "procedures": _rule,
    "windows": _window,
    "actions": _rule,
    "sequence": _step,
}


def _items(holder: Mapping, key: str, items: Sequence, path: str) -> Iterator[Mutant]:
    for number, item in enumerate(items.items):
        if not isinstance(item, Mapping):
            continue
        named = item.get("id")
        where = f"{path}/{named.text if isinstance(named, Scalar) else number + 1}"
        shortened = Sequence(items.origin, items.start)
        shortened.items = [each for other, each in enumerate(items.items) if other != number]
        yield Mutant(where, item.place, "the item", "left out", holder, key, shortened)
        yield from _rule(item, where)


def _texts(holder: Mapping, key: str, node: Node, path: str) -> Iterator[Mutant]:
    if isinstance(node, Mapping):
        for name, inner in node.items.items():
            yield from _texts(node, name, inner, f"{path}/{key}")
    elif isinstance(node, Scalar) and node.value is not None and key != "prompt":
        for change in _changes(node.source):
            yield _edited(holder, key, node, f"{path}/{key}", change)


# ---------------------------------------------------------------- rule text
Change = tuple[int, str, str]
"""The offset in a text, the old text there, and the new text."""


def _changes(source: SourceText) -> Iterator[Change]:
    try:
        tokens = rule_tokens(source)
    except RulesetError:
        return
    assigning = False
    before: Token | None = None
    for number, token in enumerate(tokens):
        after = tokens[number + 1] if number + 1 < len(tokens) else token
        if before is None or before.kind in ("_NL", "_INDENT", "_DEDENT", "COLON"):
            assigning = token.text in ("let", "set")
        if token.kind in ("EQUAL", "ASSIGN") and assigning:
            assigning = False
        else:
            yield from _changed(source, token, before, after)
        before = token


def _changed(source: SourceText, token: Token, before: Token | None, after: Token) -> Iterator[Change]:
    previous = before.text if before is not None else ""
    if token.kind == "INT" and previous != "@":
        yield token.at, token.text, str(int(token.text) + 1)
    elif token.kind in ("COMPARE", "EQUAL"):
        yield token.at, token.text, _SWAPPED[token.text]
    elif token.kind in ("PLUS", "MINUS") and _is_binary_sign(before):
        yield token.at, token.text, "-" if token.kind == "PLUS" else "+"
    elif token.kind == "NAME" and previous != ".":
        if token.text in ("up", "down"):
            if previous == "rounded":
                yield token.at, token.text, _SWAPPED[token.text]
        elif token.text in ("any", "all", "min", "max"):
            if after.kind == "LPAR":
                yield token.at, token.text, _SWAPPED[token.text]
        elif token.text == "not" and after.text != "in" and previous != "is":
            yield token.at, source.text[token.at : after.at], ""
        elif token.text in ("and", "or", "true", "false"):
            yield token.at, token.text, _SWAPPED[token.text]


def _is_binary_sign(before: Token | None) -> bool:
    """Whether a sign after this token is a binary operator."""
    return before is not None and before.kind in _OPERANDS and before.text not in _NON_OPERAND_WORDS


def _edited(holder: Mapping, key: str, node: Scalar, path: str, change: Change) -> Mutant:
    at, was, becomes = change
    text = node.text[:at] + becomes + node.text[at + len(was) :]
    return Mutant(path, node.source.place(at), was.strip(), becomes or "(nothing)", holder, key, node.with_text(text))


def _offsets(source: SourceText) -> dict[tuple[int, int], int]:
    """Returns the offset in the text of each line and column of the file."""
    return {(place.line, place.column): at for at in range(len(source.text)) for place in (source.place(at),)}


# ---------------------------------------------------------------- reachable rules
def played_rules(documents: DocumentSet) -> set[str]:
    """Returns the entries that a game can reach, such as `definitions/strength`, without those only invariants read."""
    words = _names_by_entry(documents)
    return _closure(words, [path for path in words if path.split("/")[0] in _ROOTS])


def evaluated_rules(documents: DocumentSet) -> set[str]:
    """Returns the entries that the evaluation reads and no rule of the game does, such as `definitions/worth`."""
    words = _names_by_entry(documents)
    for number, node in enumerate(documents.nodes("evaluation")):
        words[f"evaluation/{number}"] = set(_names_in(node))
    return _closure(words, [path for path in words if path.startswith("evaluation/")]) - played_rules(documents)


def _closure(words: dict[str, set[str]], reached: list[str]) -> set[str]:
    """Returns the entries that are named from some entries on, at any depth, with these."""
    entries_by_name: dict[str, list[str]] = {}
    for path in words:
        entries_by_name.setdefault(path.split("/", 1)[1].rpartition(".")[2], []).append(path)
    found = set(reached)
    while reached:
        for word in words[reached.pop()] & entries_by_name.keys():
            unseen = [path for path in entries_by_name[word] if path not in found]
            found.update(unseen)
            reached += unseen
    return found


_CARRYING: Final = frozenset({"kinds", "individuals", "pieces"})
"""The sections in which the text of a method can be."""
_ROOTS: Final = frozenset({"procedures", "actions", "sequence", "views", "menus", "state"}) | _CARRYING


def _names_by_entry(documents: DocumentSet) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for document in documents.documents:
        for section in (*_SECTIONS, *_ROOTS):
            entries = document.root.get(section)
            if isinstance(entries, Mapping):
                for name, entry in entries.items.items():
                    found[f"{section}/{name}"] = set(_names_in(entry))
    return found


def _names_in(node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield from re.findall(r"[A-Za-z_]\w*", node.text)
    elif isinstance(node, Mapping):
        for each in node.items.values():
            yield from _names_in(each)
    elif isinstance(node, Sequence):
        for each in node.items:
            yield from _names_in(each)
