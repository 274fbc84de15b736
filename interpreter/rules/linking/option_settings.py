"""Settings of options: applied from outside, read and described."""

from __future__ import annotations

from collections.abc import Mapping as Settings
from copy import copy
from dataclasses import replace

from interpreter.language.diagnostics import UsageError, did_you_mean
from interpreter.language.model.program import Datum, Option, Program
from interpreter.language.tree.types import BOOL, INT
from interpreter.language.whole_numbers import whole_number


def apply_settings(options: dict[str, Option], settings: Settings[str, object], ignored: set[str]) -> None:
    """Sets options from outside.

    Raises:
        UsageError: if a setting names no option, or is no value of its option.
    """
    for name, value in settings.items():
        if name in options:
            options[name].value = read_setting(options[name], value)
        elif name not in ignored:
            hint = did_you_mean(name, options) or "'bicorne list RULESET' shows all"
            raise UsageError(f"there is no option '{name}'; {hint}")


def with_settings(program: Program, settings: Settings[str, object]) -> Program:
    """Returns a checked program under other settings of its options; everything else is shared with it.

    Raises:
        UsageError: if a setting names no option, or is no value of its option.
    """
    made = copy(program)
    made.options = {name: replace(each) for name, each in program.options.items()}
    apply_settings(made.options, settings, set())
    return made


def read_setting(option: Option, value: object) -> Datum:
    """The value of an option, given as a value or as text.

    Raises:
        UsageError: if it is no value of the option.
    """
    read = setting_value(option, value)
    if read is None:
        raise UsageError(f"'{value}' is no value of the option '{option.name}'; expected {describe_settings(option)}")
    return read


def describe_settings(option: Option) -> str:
    """The values that an option can have, in words."""
    if option.choices:
        return "one of " + ", ".join(option.choices)
    if option.type == BOOL:
        return "true or false"
    low = f" from {option.least}" if option.least is not None else ""
    high = f" up to {option.most}" if option.most is not None else ""
    return f"a whole number{low}{high}"


def setting_value(option: Option, value: object) -> bool | int | str | None:
    """The value in the form of the option, or none if it is not one of its values."""
    if option.type == BOOL:
        if isinstance(value, str):
            return {"true": True, "false": False}.get(value.strip().casefold())
        return value if isinstance(value, bool) else None
    if option.type == INT:
        if isinstance(value, str):
            value = whole_number(value.strip())
        if isinstance(value, bool) or not isinstance(value, int):
            return None
        too_low = option.least is not None and value < option.least
        too_high = option.most is not None and value > option.most
        return None if too_low or too_high or (option.choices and str(value) not in option.choices) else value
    return value if isinstance(value, str) and value in option.choices else None
