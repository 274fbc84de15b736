"""The keys that the schema of rulesets allows, so that a patch can add a missing one."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from interpreter.rules.schema.validate import RULESET, read_schema


@lru_cache
def field_names() -> frozenset[str]:
    """Returns every key that a document can contain below its sections."""
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
    """Returns every section that an overlay can add to."""
    return frozenset(read_schema(RULESET)["properties"]) - {"ruleset", "include"}
