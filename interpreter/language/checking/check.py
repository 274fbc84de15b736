"""Checks a whole ruleset: names, types, values that may be missing, effects, and data.

`check_program` fills in the types and references of every tree; code generation relies on them.
"""

from __future__ import annotations

from functools import lru_cache

from interpreter.language.checking.context.rule_context import RuleContext
from interpreter.language.checking.context.scope import Names
from interpreter.language.checking.program.call_depth import check_call_depth
from interpreter.language.checking.program.checker import Checker
from interpreter.language.checking.program.data import check_data
from interpreter.language.checking.program.declarations import check_declarations, resolve_declarations
from interpreter.language.checking.program.effects import EffectGraph, check_effects, check_suppositions, fill_effects
from interpreter.language.checking.program.rules import check_rules
from interpreter.language.checking.program.secrets import check_secrets
from interpreter.language.checking.program.unused import check_unused
from interpreter.language.checking.program.wordless import check_words
from interpreter.language.checking.types.resolve_types import store
from interpreter.language.diagnostics import Diagnostic
from interpreter.language.model.program import Parameter, Program
from interpreter.language.tree.statements import Expr
from interpreter.language.tree.types import Type

__all__ = ["check_expression", "check_program", "store"]


def check_program(program: Program) -> list[Diagnostic]:
    """Checks a whole program and fills in its types, references and effects.

    Returns the findings in the order of their places; a program with a finding of severity `error` can't be compiled.
    """
    report: list[Diagnostic] = []
    resolve_declarations(program, report)
    checker = Checker(program)
    checker.report = report
    check_declarations(checker)
    check_rules(checker)
    check_data(checker)
    graph = EffectGraph(program)
    fill_effects(graph)
    report += check_effects(graph)
    report += [] if checker.gave_up else check_call_depth(graph)
    report += check_unused(checker)
    report += check_words(checker.program)
    report += [] if any(each.severity == "error" for each in report) else check_secrets(program)
    return sorted(dict.fromkeys(report), key=lambda each: each.place)


def check_expression(
    program: Program, expr: Expr, scope: tuple[Parameter, ...], expected: Type | None
) -> list[Diagnostic]:
    """Checks one expression in a program that `check_program` has checked, with these parameters as its locals.

    The parameters may have the names of global things, and shadow them.
    """
    checker = Checker(program, _names_of(program))

    def look(cx: RuleContext) -> None:
        cx.scope.locals.update({each.name: each for each in scope})
        if expected is None:
            cx.infer(expr)
        else:
            cx.expect(expr, expected)

    checker.read_text("expression", look)
    return [*checker.report, *check_suppositions(program, expr)]


@lru_cache(maxsize=4)
def _names_of(program: Program) -> Names:
    """Returns the names of a checked program, collected once for the many texts that refer to it."""
    return Names(program)
