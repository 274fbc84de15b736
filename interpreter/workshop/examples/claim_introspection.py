"""Explains a false condition: which of its parts are false, and the values on both sides of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from interpreter.language.codegen.emit import emit_expressions
from interpreter.language.diagnostics import BicorneError
from interpreter.language.model.image import Site
from interpreter.language.tree.statements import (
    And,
    BoolLit,
    Call,
    Compare,
    DecimalLit,
    Each,
    Expr,
    In,
    IntLit,
    IsKind,
    NoneLit,
    Not,
    Or,
    TextLit,
)
from interpreter.language.tree.traversal import walk_tree
from interpreter.language.tree.types import BOOL
from interpreter.play.engine.engine import Event
from interpreter.workshop.examples.ad_hoc_expressions import CheckedExpression, offset_of
from interpreter.workshop.examples.prepare import PreparedExample
from interpreter.workshop.examples.scripted_game import ScriptedGame
from interpreter.world.things import Record

LITERALS = (IntLit, DecimalLit, BoolLit, NoneLit, TextLit)
MAX_SHOWN_ELEMENTS: Final = 16
"""The largest number of elements of a collection that are shown."""
_CONNECTIVE = re.compile(r"\s*(\bnot\s+in|\bin|\bis\s+not|\bis|\band|\bor|!=|<=|>=|=|<|>|,)[\s(]*$")


@dataclass(frozen=True, slots=True)
class SubCondition:
    """A part of a condition, and the offset at which its text ends."""

    expr: Expr
    end: int


class ClaimIntrospection:
    """Explains one condition of an example, given the values of its scope."""

    def __init__(
        self, prepared: PreparedExample, game: ScriptedGame, claim: CheckedExpression, values: tuple[Any, ...]
    ) -> None:
        self._program = prepared.environment.program
        self._game = game
        self._claim = claim
        self._values = values

    def explanations(self) -> list[str]:
        """Returns each relevant part with its value."""
        found: dict[str, None] = {}
        for part in self._parts(SubCondition(self._claim.expr, len(self._claim.node.text))):
            try:
                value = self._value(part.expr)
            except BicorneError:
                continue  # an earlier part guards this one
            text, value_shown = self._text(part), value_summary(value)
            if (failing_elements := self._failing_elements(part.expr, value)) is not None:
                found[f"{text}: false for {failing_elements}"] = None
            elif text != value_shown:
                found[f"{text} is {value_shown}"] = None
        return list(found)

    def _parts(self, part: SubCondition) -> Iterator[SubCondition]:
        match part.expr:
            case And(items=items):
                inner = list(self._with_ends(items, part.end))
                failed = [each for each in inner if not self._holds(each.expr)]
                for each in failed[:1]:
                    yield from self._parts(each)
            case Or(items=items):
                for each in self._with_ends(items, part.end):
                    yield from self._parts(each)
            case Not(value=value):
                yield from self._parts_or_whole(SubCondition(value, part.end))
            case Compare(left=left, right=right) | In(value=left, of=right):
                for each in self._with_ends((left, right), part.end):
                    if not isinstance(each.expr, LITERALS):
                        yield each
            case IsKind(value=value):
                yield SubCondition(value, part.end)
            case Call(arguments=arguments):
                for each in self._with_ends(arguments, part.end):
                    if not isinstance(each.expr, LITERALS):
                        yield each

    def _failing_elements(self, expr: Expr, values: Any) -> str | None:
        """Returns the elements for which an `of each condition` is false."""
        if not isinstance(expr, Each) or expr.value.type != BOOL:
            return None
        return value_summary([each for each, holds in zip(self._value(expr.of), values, strict=True) if not holds])

    def _parts_or_whole(self, part: SubCondition) -> Iterator[SubCondition]:
        found = list(self._parts(part))
        yield from found or [part]

    def _with_ends(self, items: tuple[Expr, ...], end: int) -> Iterator[SubCondition]:
        starts = [self._start_offset(each) for each in items]
        for each, stop in zip(items, [*starts, end][1:], strict=True):
            yield SubCondition(each, stop)

    def _start_offset(self, expr: Expr) -> int:
        return min(offset_of(self._claim.node, each) for each in walk_tree(expr))

    def _text(self, part: SubCondition) -> str:
        text = " ".join(self._claim.node.text[self._start_offset(part.expr) : part.end].split())
        return without_unmatched_brackets(_CONNECTIVE.sub("", text))

    def _holds(self, expr: Expr) -> bool:
        try:
            return bool(self._value(expr))
        except BicorneError:
            return True  # not reached, since an earlier part is false

    def _value(self, expr: Expr) -> Any:
        unit = emit_expressions(self._program, {"part_of_it": (expr, self._claim.scope)}, "traced")
        return evaluate(self._game, self._game.core.bind(unit, "part_of_it"), self._values)[0]


def evaluate(game: ScriptedGame, function: Any, values: tuple[Any, ...]) -> tuple[Any, list[Event]]:
    """Returns the value of a compiled expression in a game, and the events of its evaluation.

    Raises:
        BicorneError: if a rule that it reads fails.
    """
    with game.core.faults():
        return game.evaluate_unlogged(lambda: function(*values))


def without_unmatched_brackets(text: str) -> str:
    """Returns a text without the unmatched closing brackets at its end."""
    while text.endswith(")") and text.count(")") > text.count("("):
        text = text[:-1].rstrip()
    return text


# ---------------------------------------------------------------- values as an author writes them
def value_summary(value: Any) -> str:
    """Returns a value as rule text writes it: ids, numbers, `true`, `none`, `{a, b}`."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, Site):
        return value.address or value.rule
    if isinstance(value, Record):
        pairs = zip(value.attributes, value.slots, strict=True)
        return f"{value.kind}({', '.join(f'{name}: {value_summary(getattr(value, slot))}' for name, slot in pairs)})"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{value_summary(key)}: {value_summary(each)}" for key, each in value.items()) + "}"
    if isinstance(value, tuple | list | set | frozenset):
        return (
            "{"
            + ", ".join([value_summary(each) for each in list(value)[:MAX_SHOWN_ELEMENTS]])
            + _omitted_count(len(value))
            + "}"
        )
    return str(getattr(value, "id", value))


def _omitted_count(size: int) -> str:
    return f", … {size - MAX_SHOWN_ELEMENTS} more" if size > MAX_SHOWN_ELEMENTS else ""
