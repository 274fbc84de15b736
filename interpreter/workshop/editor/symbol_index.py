"""An index of the names in a checked program by place, for hovers and jumps to definitions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from interpreter.language.diagnostics import Place
from interpreter.language.model.kind_hierarchy import Attribute, Kind, Symbol
from interpreter.language.model.program import Individual, Parameter, Program, Rule, Table
from interpreter.language.tree.expressions import Attr, Call, Expr, It, Name, New
from interpreter.language.tree.statements import SyntaxNode
from interpreter.language.tree.traversal import walk_tree


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a name: in words, the place of its declaration, and the clauses it implements."""

    text: str
    place: Place | None = None
    cites: tuple[str, ...] = ()


class SymbolIndex:
    """The names of one program, by file and line."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._by_line: dict[tuple[str, int], list[Expr]] = {}
        for node in nodes_of(program):
            if isinstance(node, Name | Attr | Call | New | It):
                self._by_line.setdefault((node.place.file, node.place.line), []).append(node)

    def meaning(self, word: str, place: Place) -> Meaning | None:
        """Returns the meaning of a word at a place, if it is a name in rule text or in the ruleset."""
        candidates = [each for each in self._by_line.get((place.file, place.line), ()) if _name(each) == word]
        if candidates:
            node = min(candidates, key=lambda each: abs(each.place.column - place.column))
            return _of_node(node, self._program)
        symbol = next(self.symbols(word), None)
        return None if symbol is None else Meaning(signature(symbol), symbol.place, symbol.cites)

    def type_before(self, word: str, place: Place) -> str | None:
        """Returns the type of a word by its use on this line or near it, for the completion of attributes."""
        near = [
            each
            for (file, line), nodes in self._by_line.items()
            if file == place.file and abs(line - place.line) <= _MAX_LINE_DISTANCE
            for each in nodes
            if _name(each) == word
        ]
        near.sort(key=lambda each: abs(each.place.line - place.line))
        return next((str(each.type) for each in near), None)

    def symbols(self, word: str) -> Iterator[Symbol]:
        """Yields every symbol of the ruleset with this name."""
        for symbol in symbols_of(self._program):
            if word in (symbol.name, symbol.name.rpartition(".")[2], getattr(symbol, "plural", None)):
                yield symbol


_MAX_LINE_DISTANCE = 12


def _name(node: Expr) -> str:
    if isinstance(node, New):
        return node.kind
    return "it" if isinstance(node, It) else str(getattr(node, "name", ""))


def _of_node(node: Expr, program: Program) -> Meaning:
    ref: Any = getattr(node, "ref", None)
    if isinstance(node, New):
        ref = program.kinds.get(node.kind)
    if isinstance(ref, Symbol):
        return Meaning(signature(ref), ref.place, ref.cites)
    if isinstance(ref, Attribute):
        owner = f"attribute of {ref.owner}" if ref.owner else "state"
        return Meaning(f"{ref.name}: {ref.type} — {owner}", ref.place)
    if isinstance(ref, Parameter):
        return Meaning(f"{ref.name}: {ref.type}", ref.place)
    return Meaning(f"{_name(node)}: {node.type}")


def signature(symbol: Symbol) -> str:
    """Returns the declaration of a symbol in one line."""
    what = type(symbol).__name__.lower()
    if isinstance(symbol, Rule):
        takes = ", ".join(f"{each.name}: {each.type}" for each in symbol.takes)
        gives = getattr(symbol, "gives", None)
        given = f" gives {gives}" if gives is not None and str(gives) not in ("void", "unknown") else ""
        return f"{what} {symbol.name}({takes}){given}"
    if isinstance(symbol, Table):
        keys = ", ".join(f"{each.parameter.name}: {each.parameter.type}" for each in symbol.axes)
        return f"table {symbol.name}[{keys}] gives {symbol.type}"
    if isinstance(symbol, Individual):
        return f"{symbol.kind} {symbol.name}"
    if isinstance(symbol, Kind):
        return f"kind {symbol.name} is {symbol.parent or symbol.root}"
    known = getattr(symbol, "type", None)
    return f"{what} {symbol.name}" + (f": {known}" if known is not None else "")


# ---------------------------------------------------------------- symbols and nodes
def symbols_of(program: Program) -> Iterator[Symbol]:
    """Yields every symbol of a program."""
    for each in fields(program):
        value = getattr(program, each.name)
        if isinstance(value, dict):
            yield from (symbol for symbol in value.values() if isinstance(symbol, Symbol))


def nodes_of(program: Program) -> Iterator[SyntaxNode]:
    """Yields every node of every rule text of a program."""
    return _nodes(program, set())


def _nodes(value: Any, seen: set[int]) -> Iterator[SyntaxNode]:
    if isinstance(value, SyntaxNode):
        yield from walk_tree(value)
    elif isinstance(value, dict):
        for each in value.values():
            yield from _nodes(each, seen)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _nodes(each, seen)
    elif is_dataclass(value) and not isinstance(value, type) and id(value) not in seen:
        seen.add(id(value))
        for slot in fields(value):
            yield from _nodes(getattr(value, slot.name), seen)
