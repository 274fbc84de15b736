"""Rules that say whether they give anything: written as loops that stop at the first element."""

from __future__ import annotations

from interpreter.language.codegen.core.context import CodeContext, Emission
from interpreter.language.codegen.core.dispatch import condition, value
from interpreter.language.codegen.functions.functions import context, enter, parameters
from interpreter.language.codegen.memo.memoization import memoized, names_of
from interpreter.language.codegen.writers.collections import flat_run, pipe
from interpreter.language.codegen.writers.emptiness import presence, presence_name
from interpreter.language.codegen.writers.statements import body
from interpreter.language.model.program import Definition
from interpreter.language.tree.statements import Attr, Call, Expr, IfElse, Where


def write_presence(rule: Definition, emission: Emission) -> None:
    """The function that says whether a definition gives anything; what it gave, if that is known, says it as well."""
    name, out, cx = presence_name(rule), emission.out, context(emission, rule)
    if rule.subject is not None:
        cx.it = f"v_{rule.takes[0].name}"
    cx.returned = returned
    with (
        out.at(rule.place),
        memoized(name, names_of(rule.takes), rule, emission, whole=f"d_{rule.name.replace('.', '__')}") as own,
        out.block(f"def {own}({parameters(rule.takes)}):"),
    ):
        enter(rule, emission)
        if rule.value is not None:
            with out.at(rule.value.place):
                returned(rule.value, cx)
        else:
            body(rule.body, cx)


def returned(text: Expr, cx: CodeContext) -> None:
    """The lines that leave a function with whether a collection holds anything."""
    out = cx.emission.out
    if isinstance(text, IfElse):
        with out.block(f"if {condition(text.condition, cx)}:"):
            returned(text.value, cx)
        returned(text.other, cx)
    elif (asked := presence(text, cx)) is not None:
        out.line(f"return {asked}")
    elif isinstance(text, Where | Call | Attr):
        run = pipe(text, cx, flat_run)
        if run.head or not run.conditions:
            out.line(f"return True if {run.listed('0') if run.head else run.source} else False")
            return
        with out.block(f"for {run.variable} in {run.source}:"):
            for test in run.conditions:
                out.line(f"if {test}: return True" if test is run.conditions[-1] else f"if not {test}: continue")
        out.line("return False")
    else:
        out.line(f"return True if {value(text, cx)} else False")
