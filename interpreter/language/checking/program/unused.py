"""Warns of what a ruleset declares and nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.language.checking.program.checker import Checker
from interpreter.language.checking.program.effects import effect_texts, pure_texts
from interpreter.language.diagnostics import Diagnostic
from interpreter.language.model.kind_hierarchy import Symbol
from interpreter.language.model.program import Definition, Procedure, Program, Rule
from interpreter.language.tree.statements import Attr, Call, SyntaxNode


def check_unused(checker: Checker) -> list[Diagnostic]:
    """Returns warnings for rules that nothing calls, menus that nobody is offered, and parameters never read."""
    program = checker.program
    used = {*_references(program), *map(id, program.victory)}
    report: list[Diagnostic] = []
    sections: list[tuple[str, list[Rule]]] = [
        ("definition", list(program.definitions.values())),
        ("modifiers", list(program.modifiers.values())),
        ("restrictions", list(program.restrictions.values())),
        ("search", list(program.searches.values())),
        ("procedure", list(program.procedures.values())),
    ]
    for noun, rules in sections:
        for rule in rules:
            asked_for = isinstance(rule, Procedure) and bool(rule.outcomes)
            if rule.layer_of:
                continue
            if id(rule) not in used and not asked_for and not _overrides_used(program, rule, used):
                report.append(_warning(f"unused-{noun}", f"nothing uses {rule.path}", rule))
            if not rule.called:  # the parameters of a method are those of its declaration
                report += _unread(checker, rule)
    for menu in program.menus.values():
        if id(menu) not in used:
            report.append(_warning("unused-menu", f"nobody is offered the menu '{menu.name}'", menu))
        if all(action.menu != menu.name for action in program.actions.values()):
            report.append(_warning("empty-menu", f"the menu '{menu.name}' has no actions", menu))
    return report


def _warning(code: str, message: str, symbol: Symbol) -> Diagnostic:
    return Diagnostic(code, message, symbol.place, severity="warning")


def _references(program: Program) -> Iterator[int]:
    """Yields the identities of the rules that another text refers to."""
    own: set[int] = set()
    for symbol, roots in effect_texts(program):
        own.update([id(each) for each in roots])
        yield from _in_texts(roots, symbol, program)
    for _, roots in pure_texts(program):
        yield from _in_texts([each for each in roots if id(each) not in own], None, program)
    for view in program.views.values():
        for name in view.others_see:
            rule = program.computed(view.kind, name)
            if rule is not None:
                yield id(rule)


def _in_texts(roots: list[SyntaxNode], owner: Symbol | None, program: Program) -> Iterator[int]:
    for root in roots:
        for node in program.nodes(root):
            if isinstance(node, Call | Attr) and isinstance(node.ref, Rule) and node.ref is not owner:
                yield id(node.ref)


def _overrides_used(program: Program, rule: Rule, used: set[int]) -> bool:
    """Whether a rule overrides a computed attribute that is used."""
    if not isinstance(rule, Definition) or rule.subject is None:
        return False
    name = rule.name.partition(".")[2]
    above = [program.definitions.get(f"{each.name}.{name}") for each in program.lineage(rule.subject)]
    return any(each is not None and id(each) in used for each in above)


def _unread(checker: Checker, rule: Rule) -> Iterator[Diagnostic]:
    takes = rule.takes[1:] if isinstance(rule, Definition) and rule.subject is not None else rule.takes
    for parameter in takes if rule.inner is None else ():
        if id(parameter) not in checker.read:
            message = f"'{rule.name}' never reads its parameter '{parameter.name}'"
            yield Diagnostic("unused-parameter", message, parameter.place, "leave it out", severity="warning")
