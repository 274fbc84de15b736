"""Procedures that only write to the log: untraced games need not run them."""

from __future__ import annotations

from interpreter.language.checking.program.effects import own_effect
from interpreter.language.codegen.core.context import Emission
from interpreter.language.model.program import Procedure
from interpreter.language.tree.statements import After, Call, Log, New, Proceed, SyntaxNode
from interpreter.language.tree.traversal import walk_tree


def only_logs(rule: Procedure, emission: Emission) -> bool:
    """Whether a procedure only reads and writes to the log."""
    if rule.key not in emission.log_only:
        emission.log_only[rule.key] = False  # the value during recursion
        effects = rule.effects
        emission.log_only[rule.key] = not (effects.asks or effects.rolls or effects.ends) and not any(
            _does_something(each, emission) for statement in rule.body for each in walk_tree(statement)
        )
    return emission.log_only[rule.key]


def _does_something(node: SyntaxNode, emission: Emission) -> bool:
    match node:
        case Log():
            return False
        case New() | After() | Proceed():
            return True
        case Call(ref=Procedure() as rule):
            return not only_logs(rule, emission)
    return own_effect(emission.program, node) is not None
