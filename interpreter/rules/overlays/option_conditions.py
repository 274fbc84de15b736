"""Whether a patch holds under the options that a ruleset is loaded with."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from itertools import chain, product
from typing import Any, Final

from interpreter.language.diagnostics import Diagnostic, RulesetError, did_you_mean
from interpreter.language.parsing.parse import parse_expr
from interpreter.language.tree.statements import And, BoolLit, Compare, Expr, In, IntLit, Name, Neg, Not, Or, SetLit
from interpreter.language.tree.traversal import below
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
_MOST: Final = 64


def settings_of(documents: DocumentSet, options: Mapping[str, object]) -> dict[str, Value]:
    """The value of every option: as it is set from outside, or its default."""
    found: dict[str, Value] = {}
    for entry in documents.entries("options"):
        fields = entry.node
        default = fields.get("default") if isinstance(fields, Fields) else None
        value = default.value if isinstance(default, Scalar) else None
        found[entry.name] = False if value is None else value
    return found | {name: _plain(value, found[name]) for name, value in options.items() if name in found}


def _plain(value: object, default: Value) -> Value:
    """A setting as options have it, even where it is given as text; what is no setting is refused when linking."""
    if isinstance(default, bool) and isinstance(value, str):
        return value.strip().casefold() == "true"
    if isinstance(default, int) and isinstance(value, str) and value.strip().removeprefix("-").isdecimal():
        return int(value)
    return value if isinstance(value, bool | int | str) else default


def holds(when: Scalar, settings: Mapping[str, Value], documents: DocumentSet) -> bool:
    """Whether a condition on options holds.

    Raises:
        RulesetError: if it is no condition on options.
    """
    expr = parse_expr(when.source)
    words = {word for entry in documents.entries("options") for word in texts(_choices(entry.node))}
    found = _ConditionParser(settings, words).read(expr)
    if not isinstance(found, bool):
        raise _refused("wrong-type", f"'{text_of(when)}' is neither true nor false", expr, "compare it with something")
    return found


def _choices(node: object) -> Scalar | None:
    return node.get("choices") if isinstance(node, Fields) else None  # type: ignore[return-value]


def _refused(code: str, message: str, expr: Expr, hint: str | None) -> RulesetError:
    return RulesetError([Diagnostic(code, message, expr.place, hint)])


class _ConditionParser:
    """Reads a condition: options, their words, numbers, comparisons, `and`, `or`, `not`."""

    def __init__(self, settings: Mapping[str, Value], words: set[str]) -> None:
        self._settings = settings
        self._words = words

    def read(self, expr: Expr) -> Value:
        match expr:
            case Name(name=name):
                return self._name(name, expr)
            case BoolLit(value=value) | IntLit(value=value):
                return value
            case Neg(value=inner):
                return -self._number(inner)
            case Not(value=inner):
                return not self.read(inner)
            case And(items=items):
                return all(self.read(each) for each in items)
            case Or(items=items):
                return any(self.read(each) for each in items)
            case Compare(op=sign, left=left, right=right):
                return self._compared(sign, self.read(left), self.read(right), expr)
            case In(value=inner, of=SetLit(items=items), negated=negated):
                return (self.read(inner) in [self.read(each) for each in items]) != negated
        hint = "only options, their values, comparisons, 'and', 'or' and 'not' can stand there"
        raise _refused("not-options", "whether a patch holds must follow from the options alone", expr, hint)

    def _name(self, name: str, expr: Expr) -> Value:
        if name in self._settings:
            return self._settings[name]
        if name in self._words:
            return name
        raise _refused("unknown-option", f"there is no option '{name}'", expr, did_you_mean(name, self._settings))

    def _number(self, expr: Expr) -> int:
        found = self.read(expr)
        if isinstance(found, bool) or not isinstance(found, int):
            raise _refused("wrong-type", "a number is needed here", expr, None)
        return found

    @staticmethod
    def _compared(sign: str, left: Value, right: Value, expr: Expr) -> bool:
        if type(left) is not type(right):
            hint = "compare an option with a value that it can have"
            message = f"{_sort(left)} and {_sort(right)} can't be compared"
            raise _refused("wrong-type", message, expr, hint)
        return _COMPARISONS[sign](left, right)


def _sort(value: Value) -> str:
    """What a value is, as a message says it."""
    return (
        "yes-or-no"
        if isinstance(value, bool)
        else "a whole number"
        if isinstance(value, int)
        else f"the word '{value}'"
    )


def telling_settings(
    documents: DocumentSet, conditions: list[Scalar], settings: Mapping[str, Value]
) -> list[dict[str, Value]]:
    """Settings that differ from the given ones and between them make each condition hold, if that can be."""
    named = {each.name for when in conditions for each in below(parse_expr(when.source)) if isinstance(each, Name)}
    values = {name: _values(documents, name, conditions, settings) for name in settings if name in named}
    left = [each for each in conditions if not holds(each, settings, documents)]
    found: list[dict[str, Value]] = []
    for number, chosen in enumerate(product(*values.values())):
        if not left or number > _MOST * _MOST or len(found) > _MOST:
            break
        tried = {**settings, **dict(zip(values, chosen, strict=True))}
        held = [each for each in left if holds(each, tried, documents)]
        if held:
            found.append({name: tried[name] for name in values})
            left = [each for each in left if each not in held]
    return found


def _values(documents: DocumentSet, name: str, conditions: list[Scalar], settings: Mapping[str, Value]) -> list[Value]:
    """The settings of an option that conditions can tell apart."""
    own = settings[name]
    if isinstance(own, bool):
        return [own, not own]
    if isinstance(own, str):
        entry = next(each for each in documents.entries("options") if each.name == name)
        return list(dict.fromkeys([own, *texts(_choices(entry.node))]))
    numbers = [each.value for when in conditions for each in below(parse_expr(when.source)) if isinstance(each, IntLit)]
    return list(dict.fromkeys([own, *(value + more for value in numbers for more in (0, 1, -1))]))


def follow_options(
    options: Mapping[str, Any], laid: Iterable[OverlayName], now: Iterable[OverlayName]
) -> dict[str, Any]:
    """Settings made under some overlays, by the names that the options have under others."""
    before, after = ([each for each in files if isinstance(each, OverlayFile)] for files in (laid, now))
    known = {each.digest for each in before}, {each.digest for each in after}
    taken_off = [_renamed_options(each) for each in before if each.digest not in known[1]]
    laid_on = [_renamed_options(each) for each in after if each.digest not in known[0]]
    ways = [*((new, old) for pairs in taken_off[::-1] for old, new in pairs[::-1]), *chain.from_iterable(laid_on)]
    found = dict(options)
    for old, new in ways:
        if old in found:
            found[new] = found.pop(old)
    return found


def _renamed_options(file: OverlayFile) -> list[tuple[str, str]]:
    """The old and new names of options that an overlay renames, in order."""
    renamed = [each for each in read_overlay(file).patches if each.verb == "rename"]
    return [
        (each.parts[1], each.value.text)
        for each in renamed
        if each.parts[:1] == ("options",) and len(each.parts) == 2 and isinstance(each.value, Scalar)
    ]
