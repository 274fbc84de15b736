"""Finds the functions of emitted code by the paths of their rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from inspect import signature
from typing import Any

from interpreter.language.diagnostics import UsageError, unknown
from interpreter.language.model.emitted_names import (
    ACTION,
    DEFINITION,
    INVARIANT,
    MENU,
    MODIFIERS,
    PROCEDURE,
    RESTRICTIONS,
    SEARCH_RULE,
    TABLE,
    ids_of,
    prefix_of,
    whole_of,
)
from interpreter.language.model.image import Image

_CATEGORIES = {
    "definitions": DEFINITION,
    "procedures": PROCEDURE,
    "modifiers": MODIFIERS,
    "restrictions": RESTRICTIONS,
    "tables": TABLE,
    "searches": SEARCH_RULE,
    "menus": MENU,
    "actions": ACTION,
    "invariants": INVARIANT,
}
"""The categories of the functions of rules in emitted code, by section."""
_SECTIONS = {category.prefix: section for section, category in _CATEGORIES.items()}
_CHANGING = ("procedures", "actions")


def emitted_names(image: Image, names: Mapping[str, Any]) -> dict[str, str]:
    """Returns the names in emitted code of all rules that have a function, by their paths."""
    found = {
        f"{section}/{ids_of(name)[0]}": name
        for name in names
        if (section := _SECTIONS.get(prefix_of(name))) and whole_of(name) == name and len(ids_of(name)) == 1
    }
    for each in image.rules:
        name = _CATEGORIES[each.section](each.name)
        if name in names:
            found[f"{each.section}/{each.name}"] = name
    return found


def emitted_name(path: str, known: Mapping[str, str]) -> str:
    """Returns the name in emitted code of the rule of a path; `known` are the names of all rules by path.

    Raises:
        UsageError: if the ruleset has no such rule.
    """
    if path not in known:
        raise unknown("rule", path, known)
    return known[path]


def rule_function(path: str, known: Mapping[str, str], names: Mapping[str, Any]) -> Callable[..., Any]:
    """Returns the function of the rule of a path; a procedure that asks has a generator function.

    Raises:
        UsageError: if the ruleset has no such rule.
    """
    found = names[emitted_name(path, known)]
    return partial(_cell, path, found) if isinstance(found, dict) else found


def check_values(path: str, rule: Callable[..., Any], values: tuple[Any, ...]) -> None:
    """Checks that a rule can be evaluated with these values.

    Raises:
        UsageError: if the rule changes the game, or takes other values.
    """
    if path.partition("/")[0] in _CHANGING:
        raise UsageError(f"'{path}' changes the game, so it can't be evaluated")
    try:
        signature(rule).bind(*values)
    except TypeError as error:
        raise UsageError(f"'{path}' can't be evaluated with {len(values)} values: {error}") from error


def _cell(path: str, table: Mapping[Any, Any], *keys: Any) -> Any:
    key = keys[0] if len(keys) == 1 else keys
    if key not in table:
        raise UsageError(f"'{path}' has no cell for {', '.join(map(str, keys))}")
    return table[key]
