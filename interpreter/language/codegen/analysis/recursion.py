"""Recursive rules: those on a cycle of the call graph."""

from __future__ import annotations

from collections import defaultdict

from interpreter.language.model.program import Program, Rule
from interpreter.language.model.rule_bodies import called_rules, item_texts, rule_texts
from interpreter.language.tree.statements import Attr, Call, SyntaxNode, Take


def recursive_rules(program: Program) -> frozenset[str]:
    """The keys of all rules on a cycle of the call graph."""
    of_menus = _texts_of_menus(program)
    calls = {rule.key: _called([*rule_texts(rule), *of_menus[rule.key]], program) for rule in called_rules(program)}
    left = _not_settled(calls)
    return frozenset([path for path in left if _reaches(path, path, left)])


def _texts_of_menus(program: Program) -> dict[str, list[SyntaxNode]]:
    """The texts of the actions of every menu, by the menu's key."""
    found: dict[str, list[SyntaxNode]] = defaultdict(list)
    for action in program.actions.values():
        found[f"menus/{action.menu}"] += [*action.body, *[each.of for each in action.picks], *item_texts(action.needs)]
    return found


def _called(roots: list[SyntaxNode], program: Program) -> set[str]:
    found = set()
    for root in roots:
        for node in program.nodes(root):
            call = node.menu if isinstance(node, Take) else node
            if isinstance(call, Call | Attr) and isinstance(call.ref, Rule):
                found.add(call.ref.key)
                found |= _overriding(call.ref, program)
    return found


def _not_settled(calls: dict[str, set[str]]) -> dict[str, set[str]]:
    """The call graph without its leaves, removed repeatedly: the cycles, and the rules that lead to them."""
    left = {path: callees & calls.keys() for path, callees in calls.items()}
    callers: dict[str, list[str]] = defaultdict(list)
    for path, callees in left.items():
        for each in callees:
            callers[each].append(path)
    settled = [path for path, callees in left.items() if not callees]
    while settled:
        path = settled.pop()
        del left[path]
        for caller in callers[path]:
            left[caller].discard(path)
            if not left[caller]:
                settled.append(caller)
    return left


def _overriding(rule: Rule, program: Program) -> set[str]:
    kind, dot, name = rule.name.partition(".")
    if not dot or kind not in program.kinds:
        return set()
    return {
        f"definitions/{each.name}.{name}"
        for each in program.subkinds(kind)
        if f"{each.name}.{name}" in program.definitions
    }


def _reaches(start: str, goal: str, calls: dict[str, set[str]]) -> bool:
    seen: set[str] = set()
    stack = [start]
    while stack:
        for each in calls.get(stack.pop(), ()):
            if each == goal:
                return True
            if each not in seen:
                seen.add(each)
                stack.append(each)
    return False
