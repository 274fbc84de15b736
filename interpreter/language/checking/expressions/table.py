"""The dispatch table from classes of expressions to the functions that infer their types."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.language.checking.context.rule_context import Handler
from interpreter.language.checking.expressions import calls, collections, decisions, names, operators
from interpreter.language.tree.statements import Expr

TABLE: Mapping[type[Expr], Handler] = {
    **names.HANDLERS,
    **operators.HANDLERS,
    **collections.HANDLERS,
    **calls.HANDLERS,
    **decisions.HANDLERS,
}
