"""Walking a syntax tree without knowing its nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

from interpreter.language.tree.statements import SyntaxNode

_NO_CHILDREN = frozenset({"place", "type", "ref", "cites", "spread", "address", "ordered"})
_NO_NODES = frozenset(
    {"str", "str | None", "int", "int | None", "bool", "Fraction", "Place", "tuple[str, ...]", "dict[str, Place]"}
)
"""Declared types of fields in which no node can stand."""


_ONE, _MANY, _MIXED = range(3)
"""How nodes stand in a field: one or none; in a tuple of nothing else; in tuples of tuples, or among texts."""
_ONLY_NODES = re.compile(r"tuple\[\w+, \.\.\.\]")


class _ChildFields(dict[type[SyntaxNode], tuple[tuple[str, int], ...]]):
    """The fields of each class of nodes in which nodes can stand, and how they do, found when first asked for."""

    def __missing__(self, node: type[SyntaxNode]) -> tuple[tuple[str, int], ...]:
        able = [each for each in fields(node) if each.name not in _NO_CHILDREN and each.type not in _NO_NODES]
        self[node] = tuple([(each.name, _arity(str(each.type))) for each in able])
        return self[node]


def _arity(declared: str) -> int:
    if "tuple" not in declared:
        return _ONE
    return _MANY if _ONLY_NODES.fullmatch(declared) else _MIXED


_CHILD_FIELDS = _ChildFields()


def nodes_in(value: object) -> list[SyntaxNode]:
    """A node itself, or those in a tuple, also of tuples, as the branches of an `if` are."""
    if isinstance(value, SyntaxNode):
        return [value]
    return [node for each in value for node in nodes_in(each)] if isinstance(value, tuple) else []


def children(node: SyntaxNode) -> list[SyntaxNode]:
    """The nodes directly below a node, in the order in which they were written."""
    found: list[SyntaxNode] = []
    for slot, how in _CHILD_FIELDS[type(node)]:
        value = getattr(node, slot)
        if how == _ONE:
            if value is not None:
                found.append(value)
        elif how == _MANY:
            found += value
        else:
            found += nodes_in(value)
    return found


def walk_tree(root: SyntaxNode) -> Iterator[SyntaxNode]:
    """A node and all that is below it, in the order in which it was written."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if _CHILD_FIELDS[type(node)]:  # most nodes are names and numbers, with nothing below
            stack += reversed(children(node))


class NodeCache:
    """What stands in the texts of a linked program: none changes any more, so that each is taken apart once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[SyntaxNode, ...]] = {}

    def __call__(self, root: SyntaxNode) -> tuple[SyntaxNode, ...]:
        """A text and all that is below it, in the order in which it was written."""
        found = self._known.get(id(root))
        if found is None:
            found = self._known[id(root)] = tuple(walk_tree(root))
        return found
