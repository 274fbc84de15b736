"""Contents that a filter divides by an attribute, in the variant `odds`: they are read apart from the others."""

from __future__ import annotations

import re

from interpreter.language.codegen.analysis.indexes import conjuncts
from interpreter.language.codegen.analysis.may_fault import may_fault
from interpreter.language.codegen.core.context import CodeContext
from interpreter.language.codegen.core.dispatch import value
from interpreter.language.model.emitted_names import DIVIDING
from interpreter.language.tree.statements import Attr, Compare, Expr, It, Name, Where
from interpreter.language.tree.traversal import walk_tree

_HELD = re.compile(r'held\(([^"]+), ("c_\w+", \w+)\)')
_CONTENTS = re.compile(r"([\w.]+)\.(c_\w+)")
_PIECE = "piece"
_AMONG = "among("
TICK = "tick() is None"
"""A condition of an iteration that counts its passes."""


def divided(node: Where, source: str, cx: CodeContext) -> tuple[str, list[Expr]]:
    """The contents that a filter reads as Python text, and the conditions that are still to be tested."""
    whole = [node.condition]
    if not cx.emission.for_odds or cx.emission.is_ad_hoc:
        return source, whole
    contents = _contents(source)
    parts = conjuncts(node.condition)
    sides = _attribute_and_value(parts[0], node) if contents else None
    if sides is None or any(may_fault(each, cx.emission) for each in sides):
        return source, whole
    attribute, wanted = sides
    text = value(attribute, cx.element(_PIECE, node.element))
    return f"{_AMONG}{contents}, {_function(text, cx)}, {value(wanted, cx.source())})", parts[1:]


def any_divided(source: str, conditions: list[str]) -> str:
    """Whether divided contents have an element, as Python text; empty where something else is iterated."""
    if not source.startswith(_AMONG) or any(each != TICK for each in conditions):
        return ""
    return f"any_{source}"


def _contents(source: str) -> str:
    """What contents are read, as arguments: the holder, the slot and the kind; empty where something else is read."""
    if (found := _HELD.fullmatch(source)) is not None:
        return f"{found[1]}, {found[2]}"
    found = _CONTENTS.fullmatch(source)
    return f'{found[1]}, "{found[2]}", None' if found is not None else ""


def _attribute_and_value(part: Expr, node: Where) -> tuple[Expr, Expr] | None:
    """The sides of an equation: an attribute of the element, and what does not depend on the element."""
    if isinstance(part, Compare) and part.op == "=":
        for own, other in ((part.left, part.right), (part.right, part.left)):
            if _is_attribute(own, node) and not any(_is_element(each, node) for each in walk_tree(other)):
                return own, other
    return None


def _is_attribute(text: Expr, node: Where) -> bool:
    return isinstance(text, Attr) and (_is_element(text.of, node) or _is_attribute(text.of, node))


def _is_element(text: object, node: Where) -> bool:
    if isinstance(text, It):
        return node.element is None
    return isinstance(text, Name) and node.element is not None and text.name == node.element


def _function(text: str, cx: CodeContext) -> str:
    """The name of the function that gives the attribute."""
    emission = cx.emission
    name = emission.member_filters.setdefault(f"di {text}", DIVIDING(str(len(emission.member_filters))))

    def write() -> None:
        with emission.out.block(f"def {name}({_PIECE}):"):
            emission.out.line(f"return {text}")

    emission.needed.setdefault(name, write)
    return name
