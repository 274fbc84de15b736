"""Takes a condition that did not hold to pieces: which parts failed, and what stood on both of their sides."""

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
from interpreter.language.tree.traversal import below
from interpreter.language.tree.types import BOOL
from interpreter.play.engine.engine import Event
from interpreter.workshop.examples.ad_hoc_expressions import Spoken, offset_of
from interpreter.workshop.examples.prepare import Prepared
from interpreter.workshop.examples.scripted_game import ScriptedGame
from interpreter.world.things import Record

LITERALS = (IntLit, DecimalLit, BoolLit, NoneLit, TextLit)
MOST: Final = 16
"""How many elements of a collection are shown."""
_CONNECTIVE = re.compile(r"\s*(\bnot\s+in|\bin|\bis\s+not|\bis|\band|\bor|!=|<=|>=|=|<|>|,)[\s(]*$")


@dataclass(frozen=True, slots=True)
class SubCondition:
    """A part of a condition and where its text ends."""

    expr: Expr
    end: int


class Dissection:
    """One condition of an example under the knife, with the values that its scope had."""

    def __init__(self, prepared: Prepared, game: ScriptedGame, claim: Spoken, values: tuple[Any, ...]) -> None:
        self._program = prepared.stage.program
        self._game = game
        self._claim = claim
        self._values = values

    def told(self) -> list[str]:
        """Each part with what it is."""
        found: dict[str, None] = {}
        for part in self._parts(SubCondition(self._claim.expr, len(self._claim.node.text))):
            try:
                value = self._value(part.expr)
            except BicorneError:
                continue  # a part that the parts before it guard
            text, said = self._text(part), shown(value)
            if (exceptions := self._exceptions(part.expr, value)) is not None:
                found[f"{text}: false for {exceptions}"] = None
            elif text != said:
                found[f"{text} is {said}"] = None
        return list(found)

    def _parts(self, part: SubCondition) -> Iterator[SubCondition]:
        match part.expr:
            case And(items=items):
                inner = list(self._spread(items, part.end))
                failed = [each for each in inner if not self._holds(each.expr)]
                for each in failed[:1]:
                    yield from self._parts(each)
            case Or(items=items):
                for each in self._spread(items, part.end):
                    yield from self._parts(each)
            case Not(value=value):
                yield from self._telling(SubCondition(value, part.end))
            case Compare(left=left, right=right) | In(value=left, of=right):
                for each in self._spread((left, right), part.end):
                    if not isinstance(each.expr, LITERALS):
                        yield each
            case IsKind(value=value):
                yield SubCondition(value, part.end)
            case Call(arguments=arguments):
                for each in self._spread(arguments, part.end):
                    if not isinstance(each.expr, LITERALS):
                        yield each

    def _exceptions(self, expr: Expr, values: Any) -> str | None:
        """The elements for which an `of each condition` is false."""
        if not isinstance(expr, Each) or expr.value.type != BOOL:
            return None
        return shown([each for each, holds in zip(self._value(expr.of), values, strict=True) if not holds])

    def _telling(self, part: SubCondition) -> Iterator[SubCondition]:
        found = list(self._parts(part))
        yield from found or [part]

    def _spread(self, items: tuple[Expr, ...], end: int) -> Iterator[SubCondition]:
        starts = [self._start(each) for each in items]
        for each, stop in zip(items, [*starts[1:], end], strict=True):
            yield SubCondition(each, stop)

    def _start(self, expr: Expr) -> int:
        return min(offset_of(self._claim.node, each) for each in below(expr))

    def _text(self, part: SubCondition) -> str:
        text = " ".join(self._claim.node.text[self._start(part.expr) : part.end].split())
        return text_even(_CONNECTIVE.sub("", text))

    def _holds(self, expr: Expr) -> bool:
        try:
            return bool(self._value(expr))
        except BicorneError:
            return True  # not reached, since a part before it failed

    def _value(self, expr: Expr) -> Any:
        unit = emit_expressions(self._program, {"part_of_it": (expr, self._claim.scope)}, "traced")
        return look(self._game, self._game.core.bind(unit, "part_of_it"), self._values)[0]


def look(game: ScriptedGame, function: Any, values: tuple[Any, ...]) -> tuple[Any, list[Event]]:
    """What a compiled expression gives in a game, and the events on the way.

    Raises:
        BicorneError: where a rule that it reads goes wrong.
    """
    try:
        return game.overhear(lambda: function(*values))
    except Exception as error:
        game.core.renew_budget()
        fault = game.core.fault(error)
        if fault is error:
            raise
        raise fault from error


def text_even(text: str) -> str:
    """A text without the closing brackets that it has too many of."""
    while text.endswith(")") and text.count(")") > text.count("("):
        text = text[:-1].rstrip()
    return text


# ---------------------------------------------------------------- values as an author writes them
def shown(value: Any) -> str:
    """A value in the words of rule text: ids, numbers, `true`, `none`, `{a, b}`."""
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
        return f"{value.kind}({', '.join(f'{name}: {shown(getattr(value, slot))}' for name, slot in pairs)})"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{shown(key)}: {shown(each)}" for key, each in value.items()) + "}"
    if isinstance(value, tuple | list | set | frozenset):
        return "{" + ", ".join([shown(each) for each in list(value)[:MOST]]) + _rest(len(value)) + "}"
    return str(getattr(value, "id", value))


def _rest(size: int) -> str:
    return f", … {size - MOST} more" if size > MOST else ""
