"""Whether a rule gives anything at all, where that can be found out without all that it gives.

A definition that gives a collection is asked whether it is empty by a function of its own, which stops at the first
element. It is written (`early`) when something asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.language.codegen.analysis.may_fault import may_fail
from interpreter.language.codegen.core.context import CodeContext, Emission
from interpreter.language.codegen.core.dispatch import value
from interpreter.language.codegen.memo.piece_memo import inner_number
from interpreter.language.codegen.writers.calls import call_arguments, gives_several, opened
from interpreter.language.model.program import Definition
from interpreter.language.model.rule_bodies import rule_texts
from interpreter.language.tree.statements import Attr, Call, Expr, IfElse, Return, Where
from interpreter.language.tree.traversal import walk_tree
from interpreter.language.tree.types import OptionalType, element


def presence_name(rule: Definition) -> str:
    """The function that says whether a definition gives anything."""
    return f"any_{rule.name.replace('.', '__')}"


def presence(node: Expr, cx: CodeContext) -> str | None:
    """The Python text that says whether the collection behind a call is empty, or none where it is simply read."""
    rule = node.ref if isinstance(node, Call | Attr) else None
    if not isinstance(rule, Definition) or not can_stop(rule, cx.emission) or opened(node, cx) is not None:
        return None
    if isinstance(node, Attr):
        if node.spread or isinstance(node.of.type, OptionalType):
            return None
        given = value(node.of, cx)
    else:
        assert isinstance(node, Call)
        given = call_arguments(node, cx)
    cx.emission.present.setdefault(rule.path, rule)
    return f"{presence_name(rule)}({given})"


def can_stop(rule: Definition, emission: Emission) -> bool:
    """Whether a definition can say before it is through that it gives something.

    What can fail is read to its end, so that a fault that is there is found.
    """
    if rule.path not in emission.stopping:
        emission.stopping[rule.path] = False  # what it is taken for where it comes to call itself
        emission.stopping[rule.path] = (
            emission.variant == "fast"
            and not emission.apart
            and inner_number(rule, emission) is None
            and rule.gives is not None
            and element(rule.gives) is not None
            and rule.path not in emission.recursive
            and not emission.overridden(rule)
            and any(_stops(each, emission) for each in _given(rule))
            and not any(may_fail(each, emission) for each in rule_texts(rule))
        )
    return emission.stopping[rule.path]


def _given(rule: Definition) -> Iterator[Expr]:
    """What a definition gives in the end."""
    if rule.value is not None:
        yield rule.value
    for line in rule.body:
        yield from (each.value for each in walk_tree(line) if isinstance(each, Return) and each.value is not None)


def _stops(text: Expr, emission: Emission) -> bool:
    match text:
        case Where():
            return True
        case IfElse(value=one, other=other):
            return _stops(one, emission) or _stops(other, emission)
        case Attr() if gives_several(text):
            return True
        case Attr(ref=Definition() as rule) | Call(ref=Definition() as rule):
            return can_stop(rule, emission)
    return False
