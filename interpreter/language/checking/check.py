"""All mistakes of a ruleset at once: names, types, values that may be missing, effects, and data.

`check_program` fills in the types and references of every tree, which emission relies on.
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
from interpreter.language.checking.program.unused import check_unused
from interpreter.language.checking.types.resolve_types import store
from interpreter.language.diagnostics import Diagnostic
from interpreter.language.model.program import Parameter, Program
from interpreter.language.tree.statements import Expr
from interpreter.language.tree.types import Type

__all__ = ["check_expression", "check_program", "store"]


def check_program(program: Program) -> list[Diagnostic]:
    """Checks a whole program and fills in its types, references and effects.

    Findings come in the order of the documents' places; a program with a finding of severity `error` can't be emitted.
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
    report += [] if checker.lost else check_call_depth(graph)
    report += check_unused(checker)
    return sorted(dict.fromkeys(report), key=lambda each: each.place)


def check_expression(
    program: Program, expr: Expr, scope: tuple[Parameter, ...], expected: Type | None
) -> list[Diagnostic]:
    """Checks one expression against a program that `check_program` has seen, with these parameters as its locals.

    The parameters may bear the names of global things; they come first, as locals do.
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
    """The names of a finished program, gathered once for the many texts that are read against it."""
    return Names(program)
