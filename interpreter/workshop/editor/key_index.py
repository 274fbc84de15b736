"""Finds the keys that a JSON Schema allows at a place of a document, for completion and hovers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from interpreter.rules.documents.package_data import schemas_folder

MAX_DEPTH = 24


def keys_at(schema_name: str, path: Sequence[str]) -> dict[str, str]:
    """Returns the keys of the mapping at a path of a document, with their descriptions in the schema.

    An item of a list is the step `-`.
    """
    found: dict[str, str] = {}
    root = _schema(schema_name)
    for schema in _at([root], tuple(path), root):
        for key, value in schema.get("properties", {}).items():
            found.setdefault(key, _description(value, root))
    return found


@lru_cache(maxsize=8)
def _schema(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((schemas_folder() / f"{name}.schema.json").read_text(encoding="utf-8"))
    return schema


def _at(schemas: list[dict[str, Any]], path: tuple[str, ...], root: dict[str, Any]) -> list[dict[str, Any]]:
    found = [branch for each in schemas for branch in _branches(each, root, 0)]
    for step in path:
        inner = [below for each in found for below in _below(each, step)]
        found = [branch for each in inner for branch in _branches(each, root, 0)]
    return found


def _below(schema: dict[str, Any], step: str) -> Iterator[dict[str, Any]]:
    if step == "-":
        if isinstance(items := schema.get("items"), dict):
            yield items
    elif step in schema.get("properties", {}):
        yield schema["properties"][step]
    else:
        for each in (*schema.get("patternProperties", {}).values(), schema.get("additionalProperties")):
            if isinstance(each, dict):
                yield each


def _branches(schema: dict[str, Any], root: dict[str, Any], depth: int) -> Iterator[dict[str, Any]]:
    """Yields a schema with all schemas that it refers to or allows as alternatives."""
    if depth > MAX_DEPTH:
        return
    yield schema
    if (name := schema.get("$ref", "").removeprefix("#/$defs/")) in root.get("$defs", {}):
        yield from _branches(root["$defs"][name], root, depth + 1)
    for key in ("anyOf", "oneOf", "allOf"):
        for each in schema.get(key, ()):
            yield from _branches(each, root, depth + 1)


def _description(schema: Any, root: dict[str, Any]) -> str:
    if not isinstance(schema, dict):
        return ""
    for each in _branches(schema, root, 0):
        if text := each.get("description") or each.get("title"):
            return str(text)
    return ""
