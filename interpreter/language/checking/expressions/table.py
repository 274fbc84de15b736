"""The type of every expression: which function finds it."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.language.checking import infer_asking, infer_calls, infer_collections, infer_names, infer_operators
from interpreter.language.checking.context import Handler
from interpreter.language.syntax import Expr

TABLE: Mapping[type[Expr], Handler] = {
    **infer_names.HANDLERS,
    **infer_operators.HANDLERS,
    **infer_collections.HANDLERS,
    **infer_calls.HANDLERS,
    **infer_asking.HANDLERS,
}
