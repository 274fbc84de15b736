"""What the schema of rulesets says about keys: which there are, so that one that isn't there yet can be begun."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from interpreter.rules.schema.validate import RULESET, read_schema


@lru_cache
def field_names() -> frozenset[str]:
    """Every key that a document can have anywhere below its sections."""
    found: set[str] = set()
    todo: list[Any] = [read_schema(RULESET)["$defs"]]
    while todo:
        here = todo.pop()
        if isinstance(here, dict):
            found.update(here.get("properties", ()))
            todo += here.values()
        elif isinstance(here, list):
            todo += here
    return frozenset(found)


@lru_cache
def section_names() -> frozenset[str]:
    """Every section that an overlay can add to."""
    return frozenset(read_schema(RULESET)["properties"]) - {"ruleset", "include"}
