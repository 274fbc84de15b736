"""Programs as plain data: the classes of their objects, and the text of a program for the cache."""

from __future__ import annotations

import json
from dataclasses import is_dataclass
from types import ModuleType
from typing import Final

from interpreter.language.checking.types.derived_attributes import DerivedAttribute
from interpreter.language.field_shapes import MalformedDataError
from interpreter.language.model import kind_hierarchy, program
from interpreter.language.model.image import GridLayout
from interpreter.language.model.program import Individual, LinkDeclaration, Program, Rule
from interpreter.language.object_codec import ObjectCodec
from interpreter.language.strict_json import JsonError, read_own_json
from interpreter.language.tree import expressions, statements, types

_ABSTRACT: Final = frozenset(
    {
        *(expressions.SyntaxNode, expressions.Expr, expressions.DecisionExpr, statements.Stmt, types.Type),
        *(kind_hierarchy.Symbol, Rule),
    }
)
"""Classes that only others derive from."""
_ALIASES: Final = {
    "Datum": 'int | bool | str | None | Fraction | tuple["Datum", ...]',
    "Body": "tuple[Stmt, ...]",
}
_LEFT_OUT: Final = {
    Program: ("_hierarchy", "nodes"),  # computed again on first use
    Individual: ("value_places",),  # only the checker reads them, which has passed this program
    LinkDeclaration: ("value_places",),
}


def _classes_of(module: ModuleType) -> list[type]:
    own = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__]
    return [each for each in own if is_dataclass(each) and each not in _ABSTRACT]


_MODULES: Final = (types, expressions, statements, kind_hierarchy, program)
_CLASSES: Final = [*[each for module in _MODULES for each in _classes_of(module)], DerivedAttribute, GridLayout]
_CODEC: Final = ObjectCodec(_CLASSES, _ALIASES, late=("ref",), left_out=_LEFT_OUT, values=(types.Type,))


def program_text(made: Program) -> bytes:
    """Returns a checked program as JSON."""
    return json.dumps(_CODEC.encode(made), separators=(",", ":"), allow_nan=False).encode()


def read_program(text: bytes) -> Program | None:
    """Returns the program in a text of `program_text`; none if it is not one of this version."""
    try:
        found: Program = _CODEC.decode(read_own_json(text), Program)
    except (JsonError, MalformedDataError, RecursionError):
        return None
    return found
