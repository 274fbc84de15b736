"""A tree-walking evaluator of checked syntax trees, as an oracle: without generated code, indexes or shortcuts.

It knows the constructs that the property tests generate, and computes relations between things only from the position
of each piece and the links between spaces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Any

from interpreter.language.model.kind_hierarchy import Enum, Kind, WordDeclaration
from interpreter.language.model.program import Definition, Individual, Program, StateValue, Table
from interpreter.language.tree import statements as s
from interpreter.language.tree.types import ListType, SetType
from interpreter.play.engine.core import Core

OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


class NaiveEvaluator:
    """Evaluates expressions over the objects of one game; locals are looked up by name, the current element by `it`."""

    def __init__(self, program: Program, core: Core) -> None:
        self.program = program
        self.core = core

    def value(self, node: s.Expr, names: Mapping[str, Any]) -> Any:
        """Returns the value of an expression."""
        method: Callable[[Any, Mapping[str, Any]], Any] = getattr(self, f"_{type(node).__name__.lower()}")
        return method(node, names)

    # ------------------------------------------------------------ literals and names
    def _intlit(self, node: s.IntLit, _: Mapping[str, Any]) -> int:
        return node.value

    def _decimallit(self, node: s.DecimalLit, _: Mapping[str, Any]) -> Fraction:
        return node.value

    def _boollit(self, node: s.BoolLit, _: Mapping[str, Any]) -> bool:
        return node.value

    def _nonelit(self, _node: s.NoneLit, _: Mapping[str, Any]) -> None:
        return None

    def _it(self, _node: s.It, names: Mapping[str, Any]) -> Any:
        return names["it"]

    def _setlit(self, node: s.SetLit, names: Mapping[str, Any]) -> list[Any]:
        return _once([self.value(each, names) for each in node.items])

    def _listlit(self, node: s.ListLit, names: Mapping[str, Any]) -> list[Any]:
        return [self.value(each, names) for each in node.items]

    def _range(self, node: s.Range, names: Mapping[str, Any]) -> list[int]:
        return list(range(self.value(node.low, names), self.value(node.high, names) + 1))

    def _name(self, node: s.Name, names: Mapping[str, Any]) -> Any:
        if node.name in names:
            return names[node.name]
        match node.ref:
            case StateValue(name=name):
                return getattr(self.core.world.state, f"a_{name}")
            case Individual(kind=kind, name=name):
                return self.core.find(kind, name)
            case WordDeclaration(enum=enum, name=name):
                return self.core.find(enum, name)
            case Kind(name=name):
                return self._all(name)
            case Enum(name=name, words=words):
                return [self.core.find(name, word) for word in words]
        raise AssertionError(f"no value for {node.name}")

    def _all(self, kind: str) -> list[Any]:
        """Returns all things of a kind; pieces only while they have a position."""
        found: list[Any] = [each for each in self.core.world.objects if self.program.is_a(each.kind, kind)]
        return [each for each in found if each.root != "piece" or each.at is not None]

    # ------------------------------------------------------------ attributes and look-ups
    def _attr(self, node: s.Attr, names: Mapping[str, Any]) -> Any:
        of = self.value(node.of, names)
        if not isinstance(of, list):
            return None if of is None else self._attribute(of, node)
        found = [self._attribute(each, node) for each in of]
        if not isinstance(node.type, SetType) and not any(isinstance(each, list) for each in found):
            return found
        return _once([inner for each in found for inner in each])

    def _attribute(self, thing: Any, node: s.Attr) -> Any:
        name = node.name
        if isinstance(node.ref, Definition):
            assert node.ref.value is not None
            return self.value(node.ref.value, {"it": thing, node.ref.takes[0].name: thing})
        if hasattr(thing, f"a_{name}"):
            return getattr(thing, f"a_{name}")
        if name == "neighbours":
            ends = [tuple(self.core.find(*end) for end in link.ends) for link in self.core.image.links]
            joined = [b if a is thing else a for a, b in ends if thing in (a, b)]
            return sorted(joined, key=lambda each: each.index)
        if name == "at":
            return thing.at
        if name == "place":
            return self._around(thing, "place")
        plural = {each.plural: each.name for each in self.program.kinds.values()}
        return [each for each in self._all(plural[name]) if self._within(each, thing)]

    def _around(self, piece: Any, kind: str) -> Any:
        holder = piece.at
        while holder is not None and not self.program.is_a(holder.kind, kind):
            holder = getattr(holder, "at", None)
        return holder

    def _within(self, piece: Any, thing: Any) -> bool:
        holder = piece.at
        while holder is not None and holder is not thing:
            holder = getattr(holder, "at", None)
        return holder is thing

    def _index(self, node: s.Index, names: Mapping[str, Any]) -> Any:
        assert isinstance(node.of, s.Name)
        assert isinstance(node.of.ref, Table)
        keys = [self.value(each, names) for each in node.keys]
        return TABLES[node.of.name](*keys)

    # ------------------------------------------------------------ operators
    def _neg(self, node: s.Neg, names: Mapping[str, Any]) -> Any:
        return -self.value(node.value, names)

    def _not(self, node: s.Not, names: Mapping[str, Any]) -> bool:
        return not self.value(node.value, names)

    def _binary(self, node: s.Binary, names: Mapping[str, Any]) -> Any:
        left, right = self.value(node.left, names), self.value(node.right, names)
        if isinstance(left, list) or isinstance(right, list):
            lefts = left if isinstance(left, list) else [left]
            rights = right if isinstance(right, list) else [right]
            if node.op == "-":
                return [each for each in lefts if each not in rights]
            return lefts + rights if isinstance(node.type, ListType) else _once(lefts + rights)
        match node.op:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "mod":
                return left - floor(Fraction(left) / right) * right
        return Fraction(left) / right

    def _rounded(self, node: s.Rounded, names: Mapping[str, Any]) -> Any:
        value = self.value(node.value, names)
        if node.at is not None:
            return floor(value) + (value - floor(value) >= self.value(node.at, names))
        return ceil(value) if node.mode == "up" else floor(value)

    def _compare(self, node: s.Compare, names: Mapping[str, Any]) -> bool:
        left, right = self.value(node.left, names), self.value(node.right, names)
        if node.op in OPERATORS:
            return OPERATORS[node.op](left, right)
        lists = isinstance(node.left.type, ListType) and isinstance(node.right.type, ListType)
        if isinstance(left, list) and not lists:
            left, right = set(left), set(right)
        return bool(left == right) == (node.op == "=")

    def _in(self, node: s.In, names: Mapping[str, Any]) -> bool:
        return (self.value(node.value, names) in self.value(node.of, names)) != node.negated

    def _iskind(self, node: s.IsKind, names: Mapping[str, Any]) -> bool:
        return self.program.is_a(self.value(node.value, names).kind, node.kind) != node.negated

    def _and(self, node: s.And, names: Mapping[str, Any]) -> bool:
        return all(self.value(each, names) for each in node.items)

    def _or(self, node: s.Or, names: Mapping[str, Any]) -> bool:
        return any(self.value(each, names) for each in node.items)

    def _ifelse(self, node: s.IfElse, names: Mapping[str, Any]) -> Any:
        return self.value(node.value if self.value(node.condition, names) else node.other, names)

    def _otherwise(self, node: s.Otherwise, names: Mapping[str, Any]) -> Any:
        values = [self.value(each, names) for each in node.items]
        return next((each for each in values[:-1] if each is not None and each != []), values[-1])

    # ------------------------------------------------------------ collections
    def _where(self, node: s.Where, names: Mapping[str, Any]) -> list[Any]:
        of, name = self.value(node.of, names), node.element or "it"
        return [each for each in of if self.value(node.condition, {**names, name: each})]

    def _each(self, node: s.Each, names: Mapping[str, Any]) -> list[Any]:
        of, name = self.value(node.of, names), node.element or "it"
        return [self.value(node.value, {**names, name: each}) for each in of]

    def _sortedby(self, node: s.SortedBy, names: Mapping[str, Any]) -> list[Any]:
        of, name = self.value(node.of, names), node.element or "it"
        keyed = [(self.value(node.key, {**names, name: each}), number, each) for number, each in enumerate(of)]
        found = [each for _, _, each in sorted(keyed, key=lambda one: one[:2])]
        assert all(keys[0] <= keys[1] for keys in pairwise(sorted(key for key, _, _ in keyed)))
        return found

    def _call(self, node: s.Call, names: Mapping[str, Any]) -> Any:
        values = [self.value(each, names) for each in node.arguments]
        return CALLS[node.name](*values)


def _once(items: list[Any]) -> list[Any]:
    """Returns each element once, in the order of first occurrence."""
    found: list[Any] = []
    for each in items:
        if each not in found:
            found.append(each)
    return found


def _any(of: list[Any]) -> bool:
    return any(each is True for each in of) if of and isinstance(of[0], bool) else bool(of)


CALLS: Mapping[str, Callable[..., Any]] = {
    "count": len,
    "any": _any,
    "all": all,
    "sum": sum,
    "first": lambda of: of[0] if of else None,
    "distinct": _once,
    "min": lambda *of: min(of) if len(of) > 1 else min(of[0], default=None),
    "max": lambda *of: max(of) if len(of) > 1 else max(of[0], default=None),
}
TABLES: Mapping[str, Callable[..., Any]] = {
    "losses": lambda die: {1: 0, 2: 0, 3: 1, 4: 1, 5: 1, 6: 2}[die],
    "entry": lambda ground: {"plain": 1, "hill": 2, "marsh": 3}[ground.id],
    "crt": lambda total, odds: [[0, 0, 1, 2], [0, 1, 2, 3], [1, 2, 3, 4]][(total > 5) + (total > 9)][
        (odds > 0) + (odds > 1) + (odds > 3)
    ],
}
"""The tables of the guide, copied by hand."""
