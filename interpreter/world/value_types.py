"""Type tests for values that come from outside."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interpreter.world.model import Model
from interpreter.world.things import ROOTS, Word

_SCALARS: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "number": (int, Fraction),
    "bool": (bool,),
    "text": (str,),
    "reason": (str,),
}


def has_type(value: Any, written: str, model: Model) -> bool:
    """Whether a value has the written type (`set of unit`, `map of unit to int`, `hex?`) or is None."""
    if value is None:
        return True
    written = written.strip()
    if written.startswith(("set of ", "list of ")):
        of = written.split(" of ", 1)[1]
        return isinstance(value, tuple | list) and all(has_type(each, of, model) for each in value)
    if written.startswith("map of "):
        key, _, inner = written[len("map of ") :].partition(" to ")
        return isinstance(value, dict) and all(
            has_type(each, key, model) and has_type(of, inner, model) for each, of in value.items()
        )
    if written.endswith("?"):
        return has_type(value, written[:-1], model)
    if written in _SCALARS:
        return isinstance(value, _SCALARS[written]) and (written == "bool" or not isinstance(value, bool))
    if written in model.words:
        return isinstance(value, Word) and value.enum == written
    if written in model.classes:
        return isinstance(value, model.classes[written])
    return written in ROOTS and isinstance(value, ROOTS[written])
