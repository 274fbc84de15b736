"""Values of rules as an author writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from interpreter.language.model.image import Site
from interpreter.world.things import Record

MOST: Final = 16
"""So many elements of a collection are shown."""


def shown(value: Any) -> str:
    """A value in the words of rule text: ids, numbers, `true`, `none`, `{a, b}`."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, Site):
        return value.address or value.rule
    if isinstance(value, Record):
        pairs = zip(value.attributes, value.slots, strict=True)
        return f"{value.kind}({', '.join(f'{name}: {shown(getattr(value, slot))}' for name, slot in pairs)})"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{shown(key)}: {shown(each)}" for key, each in value.items()) + "}"
    if isinstance(value, tuple | list | set | frozenset):
        return "{" + ", ".join([shown(each) for each in list(value)[:MOST]]) + _rest(len(value)) + "}"
    return str(getattr(value, "id", value))


def _rest(size: int) -> str:
    return f", … {size - MOST} more" if size > MOST else ""
