"""Walking a syntax tree without knowing its nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from interpreter.language.syntax import Node

_NO_CHILDREN = frozenset({"place", "type", "ref", "cites", "spread", "address", "ordered"})
_NO_NODES = frozenset(
    {"str", "str | None", "int", "int | None", "bool", "Fraction", "Place", "tuple[str, ...]", "dict[str, Place]"}
)
"""Declared types of fields in which no node can stand."""


class _Slots(dict[type[Node], tuple[str, ...]]):
    """The fields of each class of nodes in which nodes can stand, found when first asked for."""

    def __missing__(self, node: type[Node]) -> tuple[str, ...]:
        names = [each.name for each in fields(node) if each.name not in _NO_CHILDREN and each.type not in _NO_NODES]
        self[node] = tuple(names)
        return self[node]


_SLOTS = _Slots()


def nodes_in(value: object) -> list[Node]:
    """A node itself, or those in a tuple, also of tuples, as the branches of an `if` are."""
    if isinstance(value, Node):
        return [value]
    return [node for each in value for node in nodes_in(each)] if isinstance(value, tuple) else []


def children(node: Node) -> list[Node]:
    """The nodes directly below a node, in the order in which they were written."""
    found: list[Node] = []
    for slot in _SLOTS[type(node)]:
        value = getattr(node, slot)
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple):
            found += nodes_in(value)
    return found


def below(root: Node) -> Iterator[Node]:
    """A node and all that is below it, in the order in which it was written."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if _SLOTS[type(node)]:  # most nodes are names and numbers, with nothing below
            stack += reversed(children(node))
