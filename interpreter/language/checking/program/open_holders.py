"""Where nothing can be hidden: views that apply to nothing, and holders whose pieces no view hides."""

from __future__ import annotations

from typing import Any, Final

from interpreter.language.checking.types.derived_attributes import DerivedAttribute
from interpreter.language.model.kind_hierarchy import Attribute
from interpreter.language.model.program import Individual, Option, Parameter, Program, View
from interpreter.language.tree.expressions import (
    And,
    Attr,
    BoolLit,
    Compare,
    Expr,
    Name,
    NoneLit,
    Not,
    Or,
)
from interpreter.language.tree.types import OptionalType

_UNKNOWN: Final = object()
_SOMETHING: Final = object()
"""A value that is not none, and no more is known of it."""


class OpenHolders:
    """Evaluates the conditions of the views of a program as far as its options and individuals decide them."""

    def __init__(self, program: Program) -> None:
        self._program, self._views = program, list(program.views.values())

    def is_idle(self, view: View) -> bool:
        """Whether a view applies to nothing under the options of the program."""
        return view.when is not None and _value(view.when, None) is False

    def is_open(self, holder: Expr) -> bool:
        """Whether no view hides pieces in this holder."""
        if not isinstance(holder, Name) or not isinstance(holder.ref, Individual):
            return False
        place = holder.ref
        views = [each for each in self._views if self._can_hide(each, place)]
        return all(each.when is not None and _value(each.when, place) is False for each in views)

    def _can_hide(self, view: View, place: Individual) -> bool:
        """Whether a view is about pieces, or about the place itself."""
        kind = self._program.kinds.get(view.kind)
        return kind is None or kind.root == "piece" or self._program.is_a(place.kind, view.kind)


def _value(expr: Expr, holder: Individual | None) -> Any:
    """Returns the value of a condition for a piece in a holder, or `_UNKNOWN`."""
    match expr:
        case BoolLit(value=value):
            return value
        case NoneLit():
            return None
        case Name(ref=Option(value=value)):
            return value
        case Name(ref=Individual() as named):
            return named
        case Attr(of=Name(ref=Parameter()), ref=DerivedAttribute(how="at" | "up")) if holder is not None:
            return holder
        case Attr(of=base, ref=Attribute() as attribute):
            return _attribute(_value(base, holder), attribute)
        case Not(value=value):
            inner = _value(value, holder)
            return not inner if isinstance(inner, bool) else _UNKNOWN
        case And(items=items) | Or(items=items):
            decisive = isinstance(expr, Or)
            values = [_value(each, holder) for each in items]
            if decisive in values:
                return decisive
            return not decisive if all(each is (not decisive) for each in values) else _UNKNOWN
        case Compare(op="=" | "!=" as op, left=left, right=right):
            is_same = _is_same(_value(left, holder), _value(right, holder))
            return _UNKNOWN if is_same is None else is_same is (op == "=")
    return _UNKNOWN


def _attribute(thing: Any, attribute: Attribute) -> Any:
    if not isinstance(thing, Individual):
        return _UNKNOWN
    if attribute.name in thing.values:
        return None if thing.values[attribute.name] in (None, "none") else _SOMETHING
    has_default = attribute.written is not None and attribute.written.default is not None
    return None if isinstance(attribute.type, OptionalType) and not has_default else _UNKNOWN


def _is_same(one: Any, other: Any) -> bool | None:
    if one is _UNKNOWN or other is _UNKNOWN:
        return None
    if one is _SOMETHING or other is _SOMETHING:
        return False if one is None or other is None else None
    return one is other
