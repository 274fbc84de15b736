"""Exceptions of emitted code, turned into faults that say where in the rules they arose."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import CodeType, TracebackType
from typing import Any

from interpreter.language.diagnostics import NOWHERE, BicorneError, Diagnostic, Place, RuleFault
from interpreter.language.model.image import Unit
from interpreter.language.runtime.values import RuntimeLimitError, shown
from interpreter.play.engine.budget import BudgetExceeded

_BY_TYPE: tuple[tuple[type[Exception], str, str, str], ...] = (
    (ZeroDivisionError, "division-by-zero", "a division by zero", "test the divisor first"),
    (
        KeyError,
        "missing-key",
        "there is no entry for {error}",
        "give the map or table an entry, or test with 'in' first",
    ),
    (IndexError, "missing-entry", "a look-up outside of what there is", "test the bounds first"),
    (AttributeError, "none-used", "an attribute of nothing was asked for", "test for none first"),
    (TypeError, "none-used", "a value is missing where one is needed", "test for none first"),
    (RecursionError, "too-deep", "rules called one another too deeply", "let the recursion end sooner"),
    (MemoryError, "too-large", "a value outgrew the memory", "keep collections small"),
)


UnitOf = Callable[[CodeType], Unit]
"""The unit that a piece of code belongs to."""


_LOOKED_UP = re.compile(r"(\w+)\[")
_LOOK_UP = "t_"
_STEP_TEXT = re.compile(r"s[weru]_(\w+)")
_IN_PLAY = frozenset({"no-option", "empty-pick", "absurd-dice", "bad-move"})
_TOO_MUCH = "let the rule count or collect less, or test the value first"
_HINTS = {
    "no-row": "give the table such a heading or 'clamp: true', or test the value first",
    "negative-cost": "let the search's 'cost' be 0 or more",
}


def fault_place(traceback: TracebackType | None, names: Mapping[str, Any], unit_of: UnitOf) -> Place:
    """The place of the innermost line of rule text in a traceback, or nowhere; a table is blamed where it is read."""
    found = NOWHERE
    for unit, code, line in _emitted(traceback, names, unit_of):
        if not code.co_name.startswith(_LOOK_UP) or found is NOWHERE:
            found = unit.lines[line - 1] or found
    return found


def _emitted(
    traceback: TracebackType | None, names: Mapping[str, Any], unit_of: UnitOf
) -> Iterator[tuple[Unit, CodeType, int]]:
    """The lines of emitted code in a traceback, outermost first."""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if traceback.tb_frame.f_globals is names:
            unit = unit_of(code)
            if 0 < traceback.tb_lineno <= len(unit.lines):
                yield unit, code, traceback.tb_lineno
        traceback = traceback.tb_next


def positioned(error: Exception, names: Mapping[str, Any], unit_of: UnitOf, step: str) -> Exception:
    """The fault that an exception of emitted code means, at its place; one that already has a place stays as it is.

    So does an exception that no rule was running for: that is a mistake of the interpreter, and nobody else's.
    """
    if isinstance(error, RuleFault) and error.diagnostic.place is not NOWHERE:
        told = _with_step(error.diagnostic, step) if error.diagnostic.code in _IN_PLAY else error.diagnostic
        return error if told is error.diagnostic else RuleFault(told)
    if isinstance(error, BicorneError) and not isinstance(error, RuleFault | RuntimeLimitError):
        return error
    lines = list(_emitted(error.__traceback__, names, unit_of))
    if not lines and not isinstance(error, RuleFault | RuntimeLimitError | BudgetExceeded):
        return error
    place = fault_place(error.__traceback__, names, unit_of)
    if isinstance(error, RuleFault):
        return RuleFault(replace(_with_step(error.diagnostic, step), place=place))
    code, message, hint = _said(error)
    if isinstance(error, KeyError) and lines:
        code, message, hint = _missing_entry(error, lines[-1]) or (code, message, hint)
    steps = [found[1] for _, each, _ in lines if (found := _STEP_TEXT.fullmatch(each.co_name))]
    return RuleFault(_with_step(Diagnostic(code, message, place, hint), step or "".join(steps[:1])))


def _with_step(diagnostic: Diagnostic, step: str) -> Diagnostic:
    """The fault with the step that it happened in."""
    said = f" (in step '{step}')"
    if not step or said in diagnostic.message:
        return diagnostic
    return replace(diagnostic, message=diagnostic.message + said)


def _missing_entry(error: KeyError, line: tuple[Unit, CodeType, int]) -> tuple[str, str, str] | None:
    """What is said of a key that a table lacks, where the line reads one table and no other is in question."""
    unit, _, number = line
    read = set(_LOOKED_UP.findall(unit.source.split("\n")[number - 1]))
    if len(read) != 1 or not (table := read.pop()).startswith(_LOOK_UP):
        return None
    key = error.args[0] if error.args else ""
    return "no-row", f"table '{table.removeprefix(_LOOK_UP)}' has no heading for {shown(key)}", _HINTS["no-row"]


def _said(error: Exception) -> tuple[str, str, str]:
    if isinstance(error, RuntimeLimitError):
        return (
            error.code,
            str(error),
            _HINTS.get(error.code, _TOO_MUCH),
        )
    if isinstance(error, BudgetExceeded):
        return "budget", str(error), "bound the loops and the recursion of this rule"
    for kind, code, message, hint in _BY_TYPE:
        if isinstance(error, kind):
            return code, message.format(error=error), hint
    return (
        "rule-failed",
        f"{type(error).__name__}: {error}",
        "report this with the ruleset: the rule text should not allow it",
    )
