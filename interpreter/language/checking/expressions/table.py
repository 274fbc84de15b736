"""The type of every expression: which function finds it."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.language.checking.expressions import calls as infer_calls
from interpreter.language.checking.expressions import collections as infer_collections
from interpreter.language.checking.expressions import decisions as infer_asking
from interpreter.language.checking.expressions import names as infer_names
from interpreter.language.checking.expressions import operators as infer_operators
from interpreter.language.checking.rule_context import Handler
from interpreter.language.tree.statements import Expr

TABLE: Mapping[type[Expr], Handler] = {
    **infer_names.HANDLERS,
    **infer_operators.HANDLERS,
    **infer_collections.HANDLERS,
    **infer_calls.HANDLERS,
    **infer_asking.HANDLERS,
}
