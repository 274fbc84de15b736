"""Generic traversal of a syntax tree, by the fields of its node classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

from interpreter.language.tree.statements import SyntaxNode

_NO_CHILDREN = frozenset({"place", "type", "ref", "cites", "spread", "address", "ordered"})
_NO_NODES = frozenset(
    {"str", "str | None", "int", "int | None", "bool", "Fraction", "Place", "tuple[str, ...]", "dict[str, Place]"}
)
"""Declared types of fields that never hold a node."""


_ONE, _MANY, _MIXED = range(3)
"""What a field holds: one node or none; a tuple of nodes only; nested tuples, or a mix of nodes and texts."""
_ONLY_NODES = re.compile(r"tuple\[\w+, \.\.\.\]")


class _ChildFields(dict[type[SyntaxNode], tuple[tuple[str, int], ...]]):
    """The fields of each class of nodes that can hold nodes, with what they hold; computed on first use."""

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
    """Returns the node itself, or the nodes in a tuple, nested ones included (the branches of an `if`)."""
    if isinstance(value, SyntaxNode):
        return [value]
    return [node for each in value for node in nodes_in(each)] if isinstance(value, tuple) else []


def children(node: SyntaxNode) -> list[SyntaxNode]:
    """Returns the child nodes of a node in source order."""
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
    """Yields a node and all its descendants in source order."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if _CHILD_FIELDS[type(node)]:  # most nodes are names and numbers, without children
            stack += reversed(children(node))


class NodeCache:
    """Caches the nodes of each text of a linked program, whose trees no longer change."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[SyntaxNode, ...]] = {}

    def __call__(self, root: SyntaxNode) -> tuple[SyntaxNode, ...]:
        """Returns a node and all its descendants in source order."""
        found = self._known.get(id(root))
        if found is None:
            found = self._known[id(root)] = tuple(walk_tree(root))
        return found
