"""Evaluates the `when` condition of a patch on the options that a ruleset is loaded with."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from itertools import chain, product
from typing import Any, Final

from interpreter.language.diagnostics import MAX_LISTED_OPTIONS, Diagnostic, RulesetError, did_you_mean
from interpreter.language.parsing.parse import parse_expr
from interpreter.language.tree.statements import And, BoolLit, Compare, Expr, In, IntLit, Name, Neg, Not, Or, SetLit
from interpreter.language.tree.traversal import walk_tree
from interpreter.language.whole_numbers import whole_number
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping as Fields
from interpreter.rules.documents.nodes import Scalar
from interpreter.rules.documents.overlay_files import OverlayFile, OverlayName
from interpreter.rules.linking.link_context import text_of, texts
from interpreter.rules.overlays.patch.overlay import read_overlay

Value = bool | int | str
_COMPARISONS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_MAX_SETTINGS: Final = 64


def settings_of(documents: DocumentSet, options: Mapping[str, object]) -> dict[str, Value]:
    """Returns the value of every option: the given setting, or its default."""
    found: dict[str, Value] = {}
    for entry in documents.entries("options"):
        fields = entry.node
        default = fields.get("default") if isinstance(fields, Fields) else None
        value = default.value if isinstance(default, Scalar) else None
        found[entry.name] = False if value is None else value
    return found | {name: _plain(value, found[name]) for name, value in options.items() if name in found}


def _plain(value: object, default: Value) -> Value:
    """Converts a setting, which may be given as text, to the type of its default; linking rejects invalid ones."""
    if isinstance(default, bool) and isinstance(value, str):
        return value.strip().casefold() == "true"
    if isinstance(default, int) and isinstance(value, str) and (number := whole_number(value.strip())) is not None:
        return number
    return value if isinstance(value, bool | int | str) else default


def holds(when: Scalar, settings: Mapping[str, Value], documents: DocumentSet) -> bool:
    """Whether a condition on options holds.

    Raises:
        RulesetError: if it isn't a condition on options.
    """
    expr = parse_expr(when.source)
    words = {word for entry in documents.entries("options") for word in texts(_choices(entry.node))}
    found = _ConditionEvaluator(settings, words).evaluate(expr)
    if not isinstance(found, bool):
        raise _refused("wrong-type", f"'{text_of(when)}' is neither true nor false", expr, "compare it with a value")
    return found


def _choices(node: object) -> Scalar | None:
    return node.get("choices") if isinstance(node, Fields) else None  # type: ignore[return-value]


def _refused(code: str, message: str, expr: Expr, hint: str | None) -> RulesetError:
    return RulesetError([Diagnostic(code, message, expr.place, hint)])


class _ConditionEvaluator:
    """Evaluates a condition: options, their words, numbers, comparisons, `and`, `or`, `not`."""

    def __init__(self, settings: Mapping[str, Value], words: set[str]) -> None:
        self._settings = settings
        self._words = words

    def evaluate(self, expr: Expr) -> Value:
        match expr:
            case Name(name=name):
                return self._name(name, expr)
            case BoolLit(value=value) | IntLit(value=value):
                return value
            case Neg(value=inner):
                return -self._number(inner)
            case Not(value=inner):
                return not self.evaluate(inner)
            case And(items=items):
                return all(self.evaluate(each) for each in items)
            case Or(items=items):
                return any(self.evaluate(each) for each in items)
            case Compare(op=sign, left=left, right=right):
                return self._compared(sign, self.evaluate(left), self.evaluate(right), expr)
            case In(value=inner, of=SetLit(items=items), negated=negated):
                return (self.evaluate(inner) in [self.evaluate(each) for each in items]) != negated
        hint = "use only options, their values, comparisons, 'and', 'or' and 'not'"
        raise _refused("not-options", "the condition of a patch must depend on the options alone", expr, hint)

    def _name(self, name: str, expr: Expr) -> Value:
        if name in self._settings:
            return self._settings[name]
        if name in self._words:
            return name
        hint = did_you_mean(name, self._settings, MAX_LISTED_OPTIONS) or "declare it under 'options' in the overlay"
        raise _refused("unknown-option", f"there is no option '{name}'", expr, hint)

    def _number(self, expr: Expr) -> int:
        found = self.evaluate(expr)
        if isinstance(found, bool) or not isinstance(found, int):
            raise _refused("wrong-type", "expected a number", expr, None)
        return found

    @staticmethod
    def _compared(sign: str, left: Value, right: Value, expr: Expr) -> bool:
        if type(left) is not type(right):
            hint = "compare an option with one of its values"
            message = f"{_value_text(left)} and {_value_text(right)} can't be compared"
            raise _refused("wrong-type", message, expr, hint)
        return _COMPARISONS[sign](left, right)


def _value_text(value: Value) -> str:
    """Describes a value for a message."""
    return (
        "yes-or-no"
        if isinstance(value, bool)
        else "a whole number"
        if isinstance(value, int)
        else f"the word '{value}'"
    )


def enabling_settings(
    documents: DocumentSet, conditions: list[Scalar], settings: Mapping[str, Value]
) -> list[dict[str, Value]]:
    """Returns settings that differ from the given ones and together make each condition hold, as far as possible."""
    named = {each.name for when in conditions for each in walk_tree(parse_expr(when.source)) if isinstance(each, Name)}
    values = {name: _values(documents, name, conditions, settings) for name in settings if name in named}
    left = [each for each in conditions if not holds(each, settings, documents)]
    found: list[dict[str, Value]] = []
    for number, chosen in enumerate(product(*values.values())):
        if not left or number > _MAX_SETTINGS * _MAX_SETTINGS or len(found) > _MAX_SETTINGS:
            break
        tried = {**settings, **dict(zip(values, chosen, strict=True))}
        held = [each for each in left if holds(each, tried, documents)]
        if held:
            found.append({name: tried[name] for name in values})
            left = [each for each in left if each not in held]
    return found


def _values(documents: DocumentSet, name: str, conditions: list[Scalar], settings: Mapping[str, Value]) -> list[Value]:
    """Returns the values of an option that the conditions distinguish."""
    own = settings[name]
    if isinstance(own, bool):
        return [own, not own]
    if isinstance(own, str):
        entry = next(each for each in documents.entries("options") if each.name == name)
        return list(dict.fromkeys([own, *texts(_choices(entry.node))]))
    numbers = [
        each.value for when in conditions for each in walk_tree(parse_expr(when.source)) if isinstance(each, IntLit)
    ]
    return list(dict.fromkeys([own, *(value + more for value in numbers for more in (0, 1, -1))]))


def rename_options(
    options: Mapping[str, Any], before: Iterable[OverlayName], after: Iterable[OverlayName]
) -> dict[str, Any]:
    """Returns the settings of options under some overlays by the names that the options have under others."""
    files = [[each for each in overlays if isinstance(each, OverlayFile)] for overlays in (before, after)]
    known = [{each.digest for each in group} for group in files]
    removed = [_renamed_options(each) for each in files[0] if each.digest not in known[1]]
    added = [_renamed_options(each) for each in files[1] if each.digest not in known[0]]
    renames = [*((new, old) for pairs in removed[::-1] for old, new in pairs[::-1]), *chain.from_iterable(added)]
    found = dict(options)
    for old, new in renames:
        if old in found:
            found[new] = found.pop(old)
    return found


def _renamed_options(file: OverlayFile) -> list[tuple[str, str]]:
    """Returns the old and new names of the options that an overlay renames, in order."""
    renamed = [each for each in read_overlay(file).patches if each.verb == "rename"]
    return [
        (each.parts[1], each.value.text)
        for each in renamed
        if each.parts[:1] == ("options",) and len(each.parts) == 2 and isinstance(each.value, Scalar)
    ]
