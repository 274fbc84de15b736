"""Reads rule text step by step: the value of an expression, and what a definition returns here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.language.codegen.emit import emit_expression
from interpreter.language.model.program import Builtin, Definition, Parameter, Program
from interpreter.language.tree.expressions import Attr, Otherwise
from interpreter.language.tree.statements import (
    Call,
    Each,
    Expr,
    If,
    IfElse,
    Let,
    Name,
    Return,
    Stmt,
    Where,
)
from interpreter.language.tree.types import KindType, ListType, SetType
from interpreter.play.engine.core import Core

_MAX_DEPTH = 12
_CANDIDATE = "candidate__"


@dataclass(frozen=True, slots=True)
class RuleScope:
    """The names that an expression may use, their values, and the clauses of its rule.

    Inside the conditions of nested `where`s, `filters` are these nodes, outermost first, each with the element that is
    tested. In a computed attribute a leading dot means `subject`.
    """

    names: tuple[Parameter, ...]
    values: tuple[Any, ...]
    cites: tuple[str, ...] = ()
    filters: tuple[tuple[Where, Any], ...] = ()
    subject: Parameter | None = None
    lets: Mapping[str, Expr] = field(default_factory=dict)
    """What the names are given in the same rule text, of those that are given a value once."""
    is_cited: bool = False
    """Whether the clauses are those of a definition or a statement, and not those of the whole question."""

    def with_name(self, name: Parameter, value: Any) -> RuleScope:
        """Returns the scope with one more name."""
        return replace(self, names=(*self.names, name), values=(*self.values, value))

    def with_let(self, let: Let, value: Any) -> RuleScope:
        """Returns the scope with a name that a statement gives a value."""
        name = Parameter(name=let.name, type=let.value.type)
        return replace(self.with_name(name, value), lets={**self.lets, let.name: let.value})

    def with_element(self, where: Where, value: Any) -> RuleScope:
        """Returns the scope inside the condition of a `where`, for one element."""
        return replace(self, filters=(*self.filters, (where, value)))


class RuleReader:
    """Evaluates expressions of a ruleset on the objects of one game, and follows its definitions."""

    def __init__(self, core: Core, program: Program | None) -> None:
        self._core = core
        self._program = program

    def evaluate(self, expr: Expr, scope: RuleScope) -> Any:
        """Returns the value of an expression."""
        names, values = scope.names, scope.values
        for number, (where, value) in reversed(list(enumerate(scope.filters))):
            alone = Parameter(name=f"{_CANDIDATE}{number}", type=SetType(KindType("thing")))
            name = Name(expr.place, alone.name)
            name.ref, name.type = alone, where.of.type
            each = Each(expr.place, name, expr, where.element)
            each.type = ListType(expr.type)
            expr, names, values = each, (*names, alone), (*values, (value,))
        found = self._run(expr, names, values, scope.subject)
        for _ in scope.filters:
            found = found[0]
        return found

    def _run(
        self, expr: Expr, names: tuple[Parameter, ...], values: tuple[Any, ...], subject: Parameter | None = None
    ) -> Any:
        assert self._program is not None
        return self._core.bind(emit_expression(self._program, expr, names, subject=subject), "ad_hoc")(*values)

    def opened(self, source: Expr, scope: RuleScope) -> tuple[Expr, RuleScope]:
        """Follows calls of definitions, branches and differences to the expression that makes the collection."""
        for _ in range(_MAX_DEPTH):
            match source:
                case Call(ref=Definition()) | Attr(ref=Definition(), spread=False):
                    inner = self._returned(source, scope)
                    if inner is None:
                        return source, scope
                    source, scope = inner
                case Name(name=name) if name in scope.lets:
                    source = scope.lets[name]
                case Call(name="distinct", ref=Builtin()):
                    source = source.arguments[0]
                case Otherwise(items=items):
                    source = next((each for each in items if self.evaluate(each, scope)), items[-1])
                case IfElse():
                    source = source.value if self.evaluate(source.condition, scope) else source.other
                case _:
                    return source, scope
        return source, scope

    def _returned(self, call: Call | Attr, scope: RuleScope) -> tuple[Expr, RuleScope] | None:
        """Returns the expression that a definition returns here, and the names there; none if it is too complex."""
        rule = call.ref
        assert isinstance(rule, Definition)
        given = call.ordered if isinstance(call, Call) else (call.of,)
        inner = self.inside(rule, given, scope)
        if rule.value is not None:
            return rule.value, inner
        end = self.end(rule.body, inner)
        return None if end is None or end[0].value is None else (end[0].value, end[1])

    def inside(self, rule: Definition, given: Sequence[Expr], scope: RuleScope) -> RuleScope:
        """Returns the names inside a definition that is called with these arguments."""
        values = tuple([self.evaluate(each, scope) for each in given])
        subject = rule.takes[0] if rule.subject is not None else None
        is_cited = bool(rule.cites) or scope.is_cited
        return RuleScope(rule.takes, values, rule.cites or scope.cites, subject=subject, is_cited=is_cited)

    def end(self, body: tuple[Stmt, ...], scope: RuleScope) -> tuple[Return, RuleScope, tuple[Expr, ...]] | None:
        """Returns the return statement that a body reaches, the names there, and the conditions that led to it."""
        met: tuple[Expr, ...] = ()
        for each in body:
            match each:
                case Let(terms=()):
                    scope = scope.with_let(each, self.evaluate(each.value, scope))
                case Return():
                    return each, self._citing(each, scope), met
                case If():
                    chosen = next((pair for pair in each.branches if self.evaluate(pair[0], scope)), None)
                    branch = each.otherwise if chosen is None else chosen[1]
                    inner = self._citing(each, scope)
                    end = self.end(branch, inner) if branch else None
                    if end is not None:
                        return (*end[:2], (*(() if chosen is None else (chosen[0],)), *end[2]))
                    if branch:
                        return None
                case _:
                    return None
        return None

    def _citing(self, statement: Return | If, scope: RuleScope) -> RuleScope:
        return replace(scope, cites=statement.cites, is_cited=True) if statement.cites else scope
