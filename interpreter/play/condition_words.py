"""A condition that is not as it has to be, in words: what it reads, its value now, and the value that is needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from interpreter.language.checking.types.derived_attributes import DerivedAttribute
from interpreter.language.model.kind_hierarchy import Attribute
from interpreter.language.model.program import Builtin, Definition
from interpreter.language.tree.expressions import (
    And,
    Attr,
    BoolLit,
    Call,
    Compare,
    DecimalLit,
    Expr,
    In,
    IntLit,
    It,
    Name,
    NoneLit,
    SetLit,
    TextLit,
    Where,
)
from interpreter.play.engine.core import Core
from interpreter.play.views.visibility import Visibility
from interpreter.play.wording import messages
from interpreter.play.wording.message import Message
from interpreter.play.wording.wording import Wording
from interpreter.world.things import Piece, Thing

_MAX_VALUES = 4
_NEGATED: Final = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED: Final = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_NEEDED: Final[Mapping[str, Message]] = {
    "<": messages.LESS_THAN,
    "<=": messages.AT_MOST,
    ">": messages.MORE_THAN,
    ">=": messages.AT_LEAST,
}


@dataclass(frozen=True, slots=True)
class Unmet:
    """What keeps a condition from being as it has to be; complete if it also says which value would do."""

    text: str
    is_complete: bool = False


class ConditionWords:
    """Words conditions for one seat; `evaluate` gives the value of an expression in the scope of the condition."""

    def __init__(self, words: Wording, visibility: Visibility, core: Core) -> None:
        self._words = words
        self._visibility = visibility
        places = (each for each in core.world.objects if not isinstance(each, Piece))
        masks = ((each, visibility.mask(each)) for each in places) if core.image.views else ()
        self._is_open = all(mask is None or mask.seen.issuperset(each.attributes) for each, mask in masks)
        """Whether values that rules compute show nothing hidden, while the hidden pieces are off the board."""

    def unmet(self, condition: Expr, evaluate: Callable[[Expr], Any], *, wanted: bool) -> Unmet | None:
        """Returns what a condition reads and what it needs, as far as the seat may see it, else none."""
        match condition:
            case And(items=items) if not wanted:
                parts = [self.unmet(each, evaluate, wanted=False) for each in items]
                known = [each.text for each in parts if each is not None]
                return Unmet(self._words.listed(known)) if len(known) == len(parts) else None
            case Compare():
                return self._compared(condition, evaluate, wanted=wanted)
            case In(value=value, of=of, negated=negated) if negated is not wanted:
                return self._not_among(value, of, evaluate)
            case Call(name="any", ref=Builtin()):
                return self._any(condition.arguments[0], evaluate, wanted=wanted)
            case Attr():
                name = self._name(condition, evaluate)
                return None if name is None else self._valued(name, evaluate(condition))
        return None

    # ------------------------------------------------------------ sorts of conditions
    def _compared(self, condition: Compare, evaluate: Callable[[Expr], Any], *, wanted: bool) -> Unmet | None:
        op = condition.op if wanted else _NEGATED[condition.op]
        read, other = condition.left, condition.right
        name = self._name(read, evaluate)
        if name is None:
            read, other, op = other, read, _MIRRORED[op]
            name = self._name(read, evaluate)
        if name is None or not self._may_show(other, evaluate):
            return None
        value, needed = self._seen(evaluate(read)), self._seen(evaluate(other))
        if op == "=":
            return Unmet(self._words.say(messages.NOT_THE_VALUE, name=name, value=value, other=needed), True)
        if op == "!=":
            return self._valued(name, evaluate(read))
        bound = self._words.say(_NEEDED[op], asked=needed)
        return Unmet(self._words.say(messages.VALUE_NEEDED, name=name, value=value, needed=bound))

    def _not_among(self, read: Expr, collection: Expr, evaluate: Callable[[Expr], Any]) -> Unmet | None:
        name, possible = self._name(read, evaluate), evaluate(collection)
        if name is None or not isinstance(possible, tuple | list) or not 0 < len(possible) <= _MAX_VALUES:
            return None
        if not self._may_show(collection, evaluate):
            return None
        value, other = self._seen(evaluate(read)), self._seen(possible)
        return Unmet(self._words.say(messages.NOT_THE_VALUE, name=name, value=value, other=other), True)

    def _any(self, collection: Expr, evaluate: Callable[[Expr], Any], *, wanted: bool) -> Unmet | None:
        is_filtered = isinstance(collection, Where)
        while isinstance(collection, Where):
            collection = collection.of
        name, found = self._name(collection, evaluate), evaluate(collection)
        if name is None or not isinstance(found, tuple | list) or (is_filtered and found) or bool(found) is wanted:
            return None
        return self._valued(name, found)

    # ------------------------------------------------------------ names and values
    def _name(self, read: Expr, evaluate: Callable[[Expr], Any]) -> str | None:
        """Returns the name of what an expression reads; none if it has none, or if the seat may not see the value."""
        if isinstance(read, Call) and read.name == "count" and isinstance(read.ref, Builtin):
            return self._name(read.arguments[0], evaluate)
        if isinstance(read, Call) and isinstance(read.ref, Definition) and self._may_show(read, evaluate):
            return self._words.of_reading(read.name, None, None)
        if not isinstance(read, Attr) or read.spread or not self._may_show(read, evaluate):
            return None
        kind = read.ref.kind if isinstance(read.ref, DerivedAttribute) else None
        return self._words.of_reading(read.name, evaluate(read.of), kind)

    def _may_show(self, read: Expr, evaluate: Callable[[Expr], Any]) -> bool:
        """Whether the seat may see the value of an expression: of one that reads nothing hidden, for certain."""
        match read:
            case IntLit() | DecimalLit() | TextLit() | BoolLit() | NoneLit():
                return True
            case SetLit(items=items):
                return all(self._may_show(each, evaluate) for each in items)
            case Name() | It():
                value = evaluate(read)
                return not isinstance(value, Thing) or not self._visibility.hides(value)
            case Attr(of=of, spread=False):
                owner = evaluate(of)
                return isinstance(owner, Thing) and self._may_show(of, evaluate) and self._is_seen(owner, read)
            case Call(ref=Definition(), ordered=given):
                return self._is_open and all(self._may_show(each, evaluate) for each in given)
        return False

    def _is_seen(self, owner: Thing, read: Attr) -> bool:
        if self._visibility.hides(owner):
            return False
        if isinstance(read.ref, Attribute):
            mask = self._visibility.mask(owner)
            return mask is None or read.name in mask.seen
        return self._is_open

    def _valued(self, name: str, value: Any) -> Unmet:
        return Unmet(self._words.say(messages.VALUE_OF, name=name, value=self._seen(value)))

    def _seen(self, value: Any) -> str:
        """Returns a value as the seat sees it; a longer list by its first items."""
        if isinstance(value, tuple | list) and len(value) > _MAX_VALUES:
            names = self._seen(value[:_MAX_VALUES])
            return self._words.say(messages.AND_MORE, names=names, count=len(value) - _MAX_VALUES)
        return self._words.of(self._visibility.masked(value))
