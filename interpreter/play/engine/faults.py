"""Converts exceptions of emitted code into faults with their place in the rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import CodeType, TracebackType
from typing import Any

from interpreter.language.diagnostics import NOWHERE, BicorneError, Diagnostic, Place, RuleFault
from interpreter.language.model.emitted_names import STEP_EACH, STEP_REPEAT, STEP_UNTIL, STEP_WHEN, TABLE, ids_of
from interpreter.language.model.image import Unit
from interpreter.language.runtime.values import RuntimeLimitError, value_text
from interpreter.play.engine.budget import BudgetExceeded

_BY_TYPE: tuple[tuple[type[Exception], str, str, str], ...] = (
    (ZeroDivisionError, "division-by-zero", "a division by zero", "test the divisor first"),
    (
        KeyError,
        "missing-key",
        "there is no entry for {error}",
        "give the map or table an entry, or test with 'in' first",
    ),
    (IndexError, "missing-entry", "an index out of range", "test the bounds first"),
    (AttributeError, "none-used", "an attribute of none was read", "test for none first"),
    (TypeError, "none-used", "a value is none where one is needed", "test for none first"),
    (RecursionError, "too-deep", "the recursion of rules is too deep", "let the recursion end sooner"),
    (MemoryError, "too-large", "a value is too large for the memory", "keep collections small"),
)


UnitOf = Callable[[CodeType], Unit]
"""Returns the unit that a code object belongs to."""


_TABLE_READ = re.compile(r"(\w+)\[")
_STEP_TEXTS = (STEP_WHEN, STEP_EACH, STEP_REPEAT, STEP_UNTIL)
_NAMED_WITH_STEP = frozenset({"no-option", "empty-pick", "absurd-dice", "bad-move"})
_LIMIT_HINT = "let the rule count or collect less, or test the value first"
_HINTS = {
    "no-row": "give the table such a heading or 'clamp: true', or test the value first",
    "negative-cost": "let the search's 'cost' be 0 or more",
}


def fault_place(traceback: TracebackType | None, names: Mapping[str, Any], unit_of: UnitOf) -> Place:
    """Returns the place of the innermost rule text in a traceback, or nowhere; for a table, where it is read."""
    found = NOWHERE
    for unit, code, line in _emitted(traceback, names, unit_of):
        if not TABLE.owns(code.co_name) or found is NOWHERE:
            found = unit.lines[line - 1] or found
    return found


def rule_places(error: BaseException, names: Mapping[str, Any], unit_of: UnitOf) -> list[Place]:
    """Returns the places of the lines of rule text that an exception has left, the outermost first."""
    found = [unit.lines[line - 1] for unit, _, line in _emitted(error.__traceback__, names, unit_of)]
    return [each for each in found if each is not None]


def _emitted(
    traceback: TracebackType | None, names: Mapping[str, Any], unit_of: UnitOf
) -> Iterator[tuple[Unit, CodeType, int]]:
    """Yields the lines of emitted code in a traceback, outermost first."""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if traceback.tb_frame.f_globals is names:
            unit = unit_of(code)
            if 0 < traceback.tb_lineno <= len(unit.lines):
                yield unit, code, traceback.tb_lineno
        traceback = traceback.tb_next


def positioned(error: Exception, names: Mapping[str, Any], unit_of: UnitOf, step: str) -> Exception:
    """Returns the fault for an exception of emitted code, at its place.

    A fault that has a place stays as it is. So does an exception outside rules, which is a bug of the interpreter.
    """
    if isinstance(error, RuleFault) and error.diagnostic.place is not NOWHERE:
        named = error.diagnostic.code in _NAMED_WITH_STEP
        diagnostic = _with_step(error.diagnostic, step) if named else error.diagnostic
        return error if diagnostic is error.diagnostic else RuleFault(diagnostic)
    if isinstance(error, BicorneError) and not isinstance(error, RuleFault | RuntimeLimitError):
        return error
    lines = list(_emitted(error.__traceback__, names, unit_of))
    if not lines and not isinstance(error, RuleFault | RuntimeLimitError | BudgetExceeded):
        return error
    place = fault_place(error.__traceback__, names, unit_of)
    if isinstance(error, RuleFault):
        return RuleFault(replace(_with_step(error.diagnostic, step), place=place))
    code, message, hint = _description(error)
    if isinstance(error, KeyError) and lines:
        code, message, hint = _missing_entry(error, lines[-1]) or (code, message, hint)
    steps = [ids_of(each.co_name)[0] for _, each, _ in lines for text in _STEP_TEXTS if text.owns(each.co_name)]
    return RuleFault(_with_step(Diagnostic(code, message, place, hint), step or "".join(steps[:1])))


def _with_step(diagnostic: Diagnostic, step: str) -> Diagnostic:
    """Returns the fault with its step in the message."""
    suffix = f" (in step '{step}')"
    if not step or suffix in diagnostic.message:
        return diagnostic
    return replace(diagnostic, message=diagnostic.message + suffix)


def _missing_entry(error: KeyError, line: tuple[Unit, CodeType, int]) -> tuple[str, str, str] | None:
    """Returns the code, message and hint for a key without a heading, if the line reads exactly one table."""
    unit, _, number = line
    read = set(_TABLE_READ.findall(unit.source.split("\n")[number - 1]))
    if len(read) != 1 or not TABLE.owns(table := read.pop()):
        return None
    key = error.args[0] if error.args else ""
    return (
        "no-row",
        f"table '{ids_of(table)[0]}' has no heading for {value_text(key)}",
        _HINTS["no-row"],
    )


def _description(error: Exception) -> tuple[str, str, str]:
    if isinstance(error, RuntimeLimitError):
        return (
            error.code,
            str(error),
            _HINTS.get(error.code, _LIMIT_HINT),
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
