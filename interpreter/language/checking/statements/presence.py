"""Tracks pieces that a rule takes off the board: from there on, where they are may be none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from interpreter.language.checking.context.rule_context import Facts, RuleContext
from interpreter.language.checking.types.derived_attributes import DerivedAttribute
from interpreter.language.model.program import Program
from interpreter.language.tree.statements import Call, Expr, Name, Remove, Stmt
from interpreter.language.tree.traversal import walk_tree
from interpreter.language.tree.types import KindType, OptionalType, present


def take_off(cx: RuleContext, piece: Expr) -> None:
    """Notes that a piece with a path is off the board: earlier tests are void, and things around it optional."""
    path, kind = cx.path(piece), present(piece.type)
    if path is None or not isinstance(kind, KindType):
        return
    cx.scope.forget(f"{path}.at")
    for name in _enclosing(cx, kind):
        cx.scope.forget(f"{path}.{name}")
        cx.scope.facts[f"{path}.{name}"] = OptionalType(KindType(name))


def take_off_by_calls(cx: RuleContext, statement: Stmt) -> None:
    """Notes the pieces that the procedures called in a statement may take off the board."""
    program = cx.environment.program
    for call in walk_tree(statement):
        rule = program.procedures.get(call.name) if isinstance(call, Call) else None
        if rule is None or not isinstance(call, Call):
            continue
        removed = removed_parameters(program)[rule.name]
        for parameter, given in zip(rule.takes, call.arguments, strict=False):
            if parameter.name in removed and isinstance(given, Name):
                take_off(cx, given)


@lru_cache(maxsize=4)
def removed_parameters(program: Program) -> dict[str, frozenset[str]]:
    """Returns for each procedure the parameters that it, or a procedure that it calls, may take off the board."""
    found: dict[str, set[str]] = {name: set() for name in program.procedures}
    changed = True
    while changed:
        changed = False
        for rule in program.procedures.values():
            before = len(found[rule.name])
            for node in (each for statement in rule.body for each in walk_tree(statement)):
                if isinstance(node, Remove) and isinstance(node.what, Name):
                    found[rule.name].add(node.what.name)
                elif isinstance(node, Call) and (called := program.procedures.get(node.name)) is not None:
                    for parameter, given in zip(called.takes, node.arguments, strict=False):
                        if parameter.name in found[called.name] and isinstance(given, Name):
                            found[rule.name].add(given.name)
            changed = changed or len(found[rule.name]) > before
    return {name: frozenset(each) for name, each in found.items()}


def put_on(cx: RuleContext, piece: Expr) -> None:
    """Notes that a piece with a path has a holder."""
    path, kind = cx.path(piece), present(piece.type)
    if path is None or not isinstance(kind, KindType):
        return
    for name in _enclosing(cx, kind):
        cx.scope.forget(f"{path}.{name}")
    at = cx.environment.attributes.find(kind, "at")
    if isinstance(at, DerivedAttribute):
        cx.scope.facts[f"{path}.at"] = present(cx.environment.attributes.derived_type(kind.name, at))


def off_board_in_any(ends: Sequence[Facts]) -> Facts:
    """Returns the facts that a piece may be off the board after branches, at the end of any of them."""
    return {path: kind for end in ends for path, kind in end.items() if isinstance(kind, OptionalType)}


def _enclosing(cx: RuleContext, kind: KindType) -> Iterator[str]:
    """Yields the kinds of which a piece on the board is always in one thing: `unit.place` has a value."""
    attributes = cx.environment.attributes
    for name in cx.environment.program.kinds:
        found = attributes.find(kind, name)
        is_around = isinstance(found, DerivedAttribute) and found.how == "up"
        if is_around and attributes.always_within(kind.name, name):
            yield name
