"""Compares two graphs of objects, whatever objects they share and in whatever circles they go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any


def difference(one: object, two: object, left_out: Mapping[type, tuple[str, ...]] | None = None) -> str | None:
    """Returns where two graphs differ in values or in what they share, or none; `left_out` are fields by class."""
    partners: dict[int, int] = {}
    kept: list[object] = []
    waiting: list[tuple[str, Any, Any]] = [("root", one, two)]
    while waiting:
        path, mine, other = waiting.pop()
        if type(mine) is not type(other):
            return f"{path}: {mine!r} and {other!r}"
        if _is_node(mine):
            kept += (mine, other)
            if partners.setdefault(id(mine), id(other)) != id(other):
                return f"{path}: {mine!r} is another object than elsewhere"
            if partners.setdefault(-id(other), id(mine)) != id(mine):
                return f"{path}: {other!r} is another object than elsewhere"
        parts = _parts(mine, other, (left_out or {}).get(type(mine), ()))
        if parts is None:
            return f"{path}: {mine!r} and {other!r}"
        for name, first, second in parts:
            if not (_is_node(first) and partners.get(id(first)) == id(second)):
                waiting.append((f"{path}.{name}", first, second))
    return None


def _is_node(value: object) -> bool:
    """Whether a value is an object with an identity."""
    return is_dataclass(value) and type(value).__eq__ is object.__eq__


def _parts(mine: Any, other: Any, left_out: tuple[str, ...]) -> list[tuple[str, Any, Any]] | None:
    """Returns the parts of two values of a class by name, or none if they differ by themselves."""
    if is_dataclass(mine) and not isinstance(mine, type):
        names = [each.name for each in fields(mine) if each.name not in left_out]
        return [(each, getattr(mine, each), getattr(other, each)) for each in names]
    if isinstance(mine, dict):
        if list(mine) != list(other):
            return None
        return [(str(key), mine[key], other[key]) for key in mine]
    if isinstance(mine, list | tuple):
        if len(mine) != len(other):
            return None
        return [(str(number), *each) for number, each in enumerate(zip(mine, other, strict=True))]
    return [] if mine == other else None
