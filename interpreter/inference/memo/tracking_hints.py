"""What changed when a procedure of a ruleset was reckoned before: in a situation like that the same will change.

It makes no difference to the odds, only to how soon they are known. It is kept beside the compiled rulesets, too, for
the next start of the program.
"""

from __future__ import annotations

import json
from typing import Final

from interpreter.inference.memo.tracking import Likely
from interpreter.rules.loading.cache import cache_key, open_cache

_KEPT: Final = 4
_MOST: Final = 2_000
"""Names that are expected to change; of more most belong to situations that are long past."""


class Expectations:
    """By rulesets (their hashes) and procedures; those that were last asked for are at hand."""

    def __init__(self) -> None:
        self._likely: dict[tuple[str, str], Likely] = {}

    def of(self, ruleset: str, procedure: str) -> Likely:
        """What is likely to change; nothing where nothing is known."""
        found = self._likely.get((ruleset, procedure))
        if found is None:
            found = self._likely[ruleset, procedure] = _read(ruleset, procedure)
            self._let_go()
        return found

    def learn(self, ruleset: str, procedure: str, changed: Likely) -> None:
        """Keeps what changed this time, in place of what was known."""
        if len(changed[0]) > _MOST:
            changed = [], []
        known = self._likely.pop((ruleset, procedure), None)
        self._likely[ruleset, procedure] = changed
        self._let_go()
        if known is None or set(changed[0]) != set(known[0]) or set(changed[1]) != set(known[1]):
            _write(ruleset, procedure, changed)

    def _let_go(self) -> None:
        while len(self._likely) > _KEPT:
            del self._likely[next(iter(self._likely))]


def _key(ruleset: str, procedure: str) -> str:
    return cache_key("likely", ruleset, procedure)


def _read(ruleset: str, procedure: str) -> Likely:
    cache = open_cache()
    payload = cache.read(_key(ruleset, procedure)) if cache is not None else None
    if payload is None:
        return [], []
    slots, marks = json.loads(payload)
    return [(ref, slot) for ref, slot in slots], [(ref, kind) for ref, kind in marks]


def _write(ruleset: str, procedure: str, likely: Likely) -> None:
    cache = open_cache()
    if cache is not None:
        cache.write(_key(ruleset, procedure), json.dumps(likely).encode())
