"""Indexes by attributes that no rule changes: `units where .owner = x` needs no iteration over all units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from interpreter.language.checking.types.derived_attributes import DerivedAttribute
from interpreter.language.model.image import Index
from interpreter.language.model.kind_hierarchy import Attribute, Kind
from interpreter.language.model.program import Parameter, Program
from interpreter.language.model.rule_bodies import all_rules, item_texts, rule_texts, steps_of
from interpreter.language.tree.statements import And, Attr, Compare, Expr, IsKind, It, Name, Set, SyntaxNode, Where
from interpreter.language.tree.traversal import walk_tree
from interpreter.language.tree.types import EnumType, KindType, OptionalType


class LookUp(NamedTuple):
    """A filter that an index answers: the kind and attribute, the value, and the parts of the condition it covers."""

    kind: str
    attribute: str
    holder: str
    sought: Expr
    covered: tuple[Expr, ...]

    @property
    def where(self) -> Index:
        """The index for it."""
        return self.kind, self.attribute, self.holder


def changes_and_indexes(program: Program) -> tuple[frozenset[int], frozenset[Index]]:
    """The identities of all attributes that some rule sets, and the indexes that rules use."""
    changed: set[int] = set()
    filters: list[Where] = []
    for root in _all_roots(program):
        for node in program.nodes(root):
            if isinstance(node, Where):
                filters.append(node)
            elif isinstance(node, Set) and isinstance(node.target, Attr) and isinstance(node.target.ref, Attribute):
                changed.add(id(node.target.ref))
    fixed = frozenset(changed)
    found = [each for each in [looked_up(each, fixed) for each in filters] if each is not None]
    return fixed, frozenset([each.where for each in found] + [(*each.where[:2], "") for each in found])


def looked_up(node: Where, changed: frozenset[int], *, holders: bool = True) -> LookUp | None:
    """How an index answers a filter, or none.

    Without `holders` what a filter asks of where pieces stand is left to be tested.
    """
    if not (isinstance(node.of, Name) and isinstance(node.of.ref, Kind) and node.of.ref.root == "piece"):
        return None
    parts = conjuncts(node.condition)
    for number, part in enumerate(parts):
        if not (isinstance(part, Compare) and part.op == "="):
            continue
        for own, sought in ((part.left, part.right), (part.right, part.left)):
            if (
                isinstance(own, Attr)
                and isinstance(own.of, It)
                and node.element is None
                and isinstance(own.ref, Attribute)
                and id(own.ref) not in changed
                and isinstance(own.type, KindType | EnumType)
                and not any(isinstance(each, It) for each in walk_tree(sought))
                and (number == 0 or _always_there(sought))
            ):
                standing = next((each for each in parts if holders and _tells_holder(each)), None)
                holder = standing.kind if isinstance(standing, IsKind) else ""
                covered = (part,) if standing is None else (part, standing)
                return LookUp(node.of.ref.name, own.ref.name, holder, sought, covered)
    return None


def _tells_holder(part: Expr) -> bool:
    """Whether a test is about the kind of the holder of a piece."""
    if not (isinstance(part, IsKind) and not part.negated and isinstance(part.value, Attr)):
        return False
    return isinstance(part.value.of, It) and isinstance(part.value.ref, DerivedAttribute) and part.value.ref.how == "at"


def _always_there(sought: Expr) -> bool:
    """Whether a value can be computed before the tests that are written before it."""
    if isinstance(sought, Attr) and isinstance(sought.ref, Attribute) and isinstance(sought.of, Name):
        return not (isinstance(sought.of.ref, Parameter) and isinstance(sought.of.ref.type, OptionalType))
    return isinstance(sought, Name)


def without(condition: Expr, covered: tuple[Expr, ...]) -> list[Expr]:
    """The rest of a condition without the parts that are known to hold."""
    return [each for each in conjuncts(condition) if not any(each is part for part in covered)]


def conjuncts(condition: Expr) -> list[Expr]:
    """The conjuncts of a condition."""
    return [part for each in condition.items for part in conjuncts(each)] if isinstance(condition, And) else [condition]


def _all_roots(program: Program) -> Iterator[SyntaxNode]:
    for rule in all_rules(program):
        yield from rule_texts(rule)
    for action in program.actions.values():
        yield from item_texts(action.needs)
        yield from [each.of for each in action.picks]
        yield from action.body
    for step in steps_of(program.sequence):
        yield from step.body
        yield from [each for each in (step.when, step.repeat, step.until) if each is not None]
        if step.each is not None:
            yield step.each
