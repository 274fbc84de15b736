"""Which rules can come to call themselves."""

from __future__ import annotations

from interpreter.language.program import Program, Rule
from interpreter.language.rule_texts import called_rules, item_texts, rule_texts
from interpreter.language.syntax import Attr, Call, Take
from interpreter.language.walk import below


def recursive_rules(program: Program) -> frozenset[str]:
    """The paths of all rules that lie on a cycle of calls."""
    calls = {rule.path: _called(rule, program) for rule in called_rules(program)}
    return frozenset([path for path in calls if _reaches(path, path, calls)])


def _called(rule: Rule, program: Program) -> set[str]:
    roots = list(rule_texts(rule))
    for action in program.actions.values():
        if f"menus/{action.menu}" == rule.path:
            roots += [*action.body, *[each.of for each in action.picks]]
            roots += item_texts(action.needs)
    found = set()
    for root in roots:
        for node in below(root):
            call = node.menu if isinstance(node, Take) else node
            if isinstance(call, Call | Attr) and isinstance(call.ref, Rule):
                found.add(call.ref.path)
                found |= _overriding(call.ref, program)
    return found


def _overriding(rule: Rule, program: Program) -> set[str]:
    kind, dot, name = rule.name.partition(".")
    if not dot or kind not in program.kinds:
        return set()
    return {
        f"definitions/{each.name}.{name}"
        for each in program.below(kind)
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
