"""Tracking hints: what changed when the odds of a procedure were computed before.

In a situation like that the same things will change. Hints make no difference to the odds, only to how soon they are
known. They are also kept in the cache of compiled rulesets for the next start of the program.
"""

from __future__ import annotations

import json
from typing import Any, Final

from interpreter.inference.memo.tracking import Hints
from interpreter.language.strict_json import JsonError, read_own_json
from interpreter.rules.loading.cache import cache_key, open_cache

_MAX_PROCEDURES: Final = 4
_MAX_NAMES: Final = 2_000
"""Of more names most belong to situations that nobody asks about any more."""


class HintStore:
    """Hints by ruleset (its hash) and procedure; those used last are in memory."""

    def __init__(self) -> None:
        self._hints: dict[tuple[str, str], Hints] = {}

    def of(self, ruleset: str, procedure: str) -> Hints:
        """The hints for a procedure, empty where nothing is known."""
        found = self._hints.get((ruleset, procedure))
        if found is None:
            found = self._hints[ruleset, procedure] = _read(ruleset, procedure)
            self._evict()
        return found

    def update(self, ruleset: str, procedure: str, changed: Hints) -> None:
        """Replaces the hints for a procedure by what changed this time."""
        if len(changed[0]) > _MAX_NAMES:
            changed = [], []
        known = self._hints.pop((ruleset, procedure), None)
        self._hints[ruleset, procedure] = changed
        self._evict()
        if known is None or set(changed[0]) != set(known[0]) or set(changed[1]) != set(known[1]):
            _write(ruleset, procedure, changed)

    def _evict(self) -> None:
        while len(self._hints) > _MAX_PROCEDURES:
            del self._hints[next(iter(self._hints))]


def _key(ruleset: str, procedure: str) -> str:
    return cache_key("likely", ruleset, procedure)


def _read(ruleset: str, procedure: str) -> Hints:
    cache = open_cache()
    payload = cache.read(_key(ruleset, procedure)) if cache is not None else None
    if payload is None:
        return [], []
    try:
        found: Any = read_own_json(payload)
    except JsonError:
        return [], []
    match found:
        case [list(slots), list(variables)] if all(map(_is_pair, slots)) and all(map(_is_pair_or_half, variables)):
            return [(ref, slot) for ref, slot in slots], [(ref, kind) for ref, kind in variables]
    return [], []


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and [*map(type, value)] == [str, str]


def _is_pair_or_half(value: object) -> bool:
    return _is_pair(value) or (isinstance(value, list) and [*map(type, value)] == [str, type(None)])


def _write(ruleset: str, procedure: str, hints: Hints) -> None:
    cache = open_cache()
    if cache is not None:
        cache.write(_key(ruleset, procedure), json.dumps(hints).encode())
