"""Warns of conditions of actions that no words explain to a player who is refused."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.language.diagnostics import Diagnostic
from interpreter.language.model.program import Item, Program, Restrictions
from interpreter.language.tree.statements import And, Call, Expr
from interpreter.language.tree.traversal import walk_tree


def check_words(program: Program) -> list[Diagnostic]:
    """Returns a warning for each condition of an action without `says`, unless restrictions say why it fails."""
    return [each for action in program.actions.values() for need in action.needs if not need.says for each in _in(need)]


def _in(need: Item) -> Iterator[Diagnostic]:
    conditions = [each for each in (need.when, need.unless) if each is not None]
    wordless = [part for each in conditions for part in _conjuncts(each) if not _is_named(part)]
    if wordless:
        message = f"no words say why '{need.name}' forbids the action"
        hint = "add 'says: {en: …, ja: …}', which a player reads who asks 'why not'"
        yield Diagnostic("no-words", message, wordless[0].place, hint, severity="warning")


def _conjuncts(condition: Expr) -> tuple[Expr, ...]:
    return condition.items if isinstance(condition, And) else (condition,)


def _is_named(condition: Expr) -> bool:
    """Whether a condition uses restrictions, which have words of their own."""
    return any(isinstance(each, Call) and isinstance(each.ref, Restrictions) for each in walk_tree(condition))
