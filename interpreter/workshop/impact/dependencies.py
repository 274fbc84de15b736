"""The dependencies of the rules of a ruleset, through everything that they call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.language.model.kind_hierarchy import Attribute, Symbol
from interpreter.language.model.program import Action, Constant, Menu, Program, Rule, Step
from interpreter.language.model.rule_bodies import item_texts, rule_texts, steps_of
from interpreter.language.tree.statements import SyntaxNode
from interpreter.language.tree.traversal import walk_tree

PathParts = tuple[str, ...]


class DependencyGraph:
    """The read dependencies of a program: for the path of each entry, the entries and attributes that it reads."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._symbols: dict[str, list[Symbol]] = {}
        for each in _symbols(program):
            self._symbols.setdefault(f"{each.section}/{each.title}", []).append(each)
        self._known: dict[str, tuple[frozenset[str], frozenset[str]]] = {}

    def reads(self, path: str) -> tuple[frozenset[str], frozenset[str]]:
        """Returns the paths of all entries that an entry reads, directly or not, and the names of the attributes.

        The entry itself is among them.
        """
        if path not in self._known:
            entries, attributes, pending = {path}, set[str](), [path]
            while pending:
                for node_ref in self._direct_reads(pending.pop()):
                    if isinstance(node_ref, Attribute):
                        attributes.add(node_ref.name)
                        entries.add(f"kinds/{node_ref.owner}" if node_ref.owner else f"state/{node_ref.name}")
                    elif (found := f"{node_ref.section}/{node_ref.title}") not in entries:
                        entries.add(found)
                        pending.append(found)
            self._known[path] = frozenset(entries), frozenset(attributes)
        return self._known[path]

    def is_affected_by(self, path: str, parts: PathParts) -> bool:
        """Whether a change at a path of these parts can affect what an entry reads."""
        entries, attributes = self.reads(path)
        if parts[0] == "sequence":
            return any(f"sequence/{each}" in entries for each in parts[1:])
        if "/".join(parts[:2]) in entries or parts[0] in ("links", "options"):
            return parts[0] != "options" or f"options/{parts[1]}" in entries
        if parts[0] == "layers":
            return True
        return parts[0] in ("individuals", "pieces") and (len(parts) < 4 or parts[-1] in attributes or parts[-1] == "*")

    def _direct_reads(self, path: str) -> Iterator[Symbol | Attribute]:
        for symbol in self._symbols.get(path, ()):
            for root in _texts(symbol):
                for node in walk_tree(root):
                    ref = getattr(node, "ref", None)
                    if isinstance(ref, Symbol | Attribute):
                        yield ref
            if isinstance(symbol, Menu):
                yield from (each for each in self._program.actions.values() if each.menu == symbol.name)
            if isinstance(symbol, Rule) and symbol.inner is not None:
                yield symbol.inner


def _symbols(program: Program) -> Iterator[Symbol]:
    for section in (
        program.tables, program.constants, program.definitions, program.modifiers, program.restrictions,
        program.searches, program.procedures, program.menus, program.actions, program.invariants,
    ):  # fmt: skip
        for symbol in section.values():
            inner: Symbol | None = symbol
            while inner is not None:
                yield inner
                inner = inner.inner if isinstance(inner, Rule) else None
    yield from steps_of(program.sequence)


def _texts(symbol: Symbol) -> Iterable[SyntaxNode]:
    match symbol:
        case Rule():
            yield from rule_texts(symbol)
        case Constant(value=value):
            yield value
        case Action(needs=needs, picks=picks, body=body):
            yield from item_texts(needs)
            yield from (each.of for each in picks)
            yield from body
        case Step(when=when, each=each, repeat=repeat, until=until, body=body):
            yield from (text for text in (when, repeat, until) if text is not None)
            if each is not None:
                yield each
            yield from body
