"""The state of checking one rule text: its scope, its findings, and the checks that all constructs share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from interpreter.language.checking.context.scope import Scope, target_noun
from interpreter.language.checking.context.type_environment import TypeEnvironment
from interpreter.language.checking.types.assignability import ANYTHING, HOLDERS, MAY_BE_NONE, is_number
from interpreter.language.diagnostics import Diagnostic, Place, quoted
from interpreter.language.model.program import Definition, Parameter, Procedure
from interpreter.language.tree.statements import Attr, Expr, It, Name
from interpreter.language.tree.types import (
    BOOL,
    INT,
    UNKNOWN,
    KindType,
    MapType,
    SetType,
    Type,
    UnknownType,
    element,
    present,
)

NO, AGREE, WHOLE = 0, 1, 2
"""Which decisions are allowed in an expression: none, an `agrees to` only, or any."""

MAX_OFFERED_NAMES = 3
"""The number of names that a hint offers."""

Handler = Callable[["RuleContext", Any, Type | None], Type]
Facts = dict[str, Type]


@dataclass(slots=True)
class RuleContext:
    """Holds the state of checking one rule text.

    `owner` begins the addresses of its decisions. `settable` holds the locals that `set` may change; `widened` the
    types that later lines gave to locals that began as `none`, `{}` or a whole number; `off_board` for each loop the
    facts about pieces that an earlier iteration may have taken off the board.
    """

    environment: TypeEnvironment
    table: Mapping[type[Expr], Handler]
    owner: str
    scope: Scope = field(default_factory=Scope)
    report: list[Diagnostic] = field(default_factory=list)
    returns: list[tuple[Type, Place]] = field(default_factory=list)
    gives: Type | None = None
    loops: int = 0
    allowed: int = NO
    decision_name: str = "result"
    subject: Parameter | None = None
    settable: set[int] = field(default_factory=set)
    lets: list[Parameter] = field(default_factory=list)
    widened: dict[int, Type] = field(default_factory=dict)
    off_board: dict[int, Facts] = field(default_factory=dict)
    origins: dict[int, int] = field(default_factory=dict)
    lists: set[int] = field(default_factory=set)
    reread: bool = False
    proceeds: Definition | Procedure | None = None
    """The rule that `proceed` runs here."""

    # ------------------------------------------------------------ findings
    def error(self, code: str, message: str, place: Place, hint: str | None = None) -> Type:
        """Reports an error; returns the unknown type, which causes no further errors."""
        self.report.append(Diagnostic(code, message, place, hint))
        return UNKNOWN

    def warn(self, code: str, message: str, place: Place, hint: str | None = None) -> None:
        """Reports a warning."""
        self.report.append(Diagnostic(code, message, place, hint, severity="warning"))

    # ------------------------------------------------------------ types of parts
    def infer(self, node: Expr, expected: Type | None = None, allowed: int = NO) -> Type:
        """Infers the type of an expression and all its parts; `expected` only resolves ambiguous names."""
        self.allowed = allowed
        node.type = self.table[type(node)](self, node, expected)
        return node.type

    def expect(self, node: Expr, wanted: Type, what: str = "", allowed: int = NO) -> Type:
        """Infers the type of an expression that must fit `wanted`; `what` names it in messages."""
        given = self.infer(node, wanted, allowed)
        self.must_fit(given, wanted, node.place, what)
        return given

    def must_fit(self, given: Type, wanted: Type, place: Place, what: str = "") -> None:
        """Reports a value of the wrong type."""
        lattice = self.environment.lattice
        if not lattice.fits(given, wanted):
            head = f"{what}: " if what else ""
            self.error("wrong-type", f"{head}expected {wanted}, found {given}", place, self.advice(given, wanted))

    def advice(self, given: Type, wanted: Type) -> str | None:
        """Returns a hint how to turn a `given` into a `wanted`, or the attribute that was probably meant."""
        known = self.environment.lattice.advice(given, wanted)
        if known is not None:
            return known
        names = self.environment.attributes.giving(present(given), wanted)
        return f"did you mean its {quoted(names)}?" if 0 < len(names) <= MAX_OFFERED_NAMES else None

    def condition(self, node: Expr, allowed: int = NO) -> None:
        """Checks an expression that must be a bool."""
        self.expect(node, BOOL, allowed=allowed)

    def integer(self, node: Expr) -> None:
        """Checks an expression that must be an int."""
        self.expect(node, INT)

    def number(self, node: Expr) -> Type:
        """Checks an expression that must be an int or a number, and returns its type."""
        given = self.infer(node)
        if is_number(given):
            return given
        advice = self.advice(given, INT)
        return self.error("wrong-type", f"expected a number, found {given}", node.place, advice)

    def collection(self, node: Expr, expected: Type | None = None, allowed: int = NO) -> Type:
        """Checks an expression that must be a set, list or map; returns the type of its elements."""
        given = self.infer(node, expected, allowed)
        inner = element(given)
        if inner is not None:
            return inner
        hint = self.advice(given, SetType(present(given)))
        if element(present(given)) is not None:
            hint = "it may be none: give a value with 'otherwise'"
        elif hint is not None and (names := self.environment.attributes.collections(present(given))):
            offered = quoted([f".{each}" for each in names[:MAX_OFFERED_NAMES]])
            hint = f"write {offered} for what belongs to it, or '{{…}}' for it alone"
        return self.error("wrong-type", f"expected a collection, found {given}", node.place, hint)

    def thing(self, node: Expr, *roots: str, hint: str | None = None) -> Type:
        """Checks an expression that must be a thing of one of these roots, never none; `hint` is what else to do.

        The holder of a piece can be a space or a piece, if its kind allows both.
        """
        given = self.infer(node, KindType(roots[0]))
        lattice = self.environment.lattice
        if isinstance(given, UnknownType) or (isinstance(given, KindType) and lattice.root(given.name) in roots):
            return given
        if given == ANYTHING and {*HOLDERS} <= {*roots}:
            return given
        hint = self.advice(given, KindType(roots[0])) or hint
        if present(given) == ANYTHING and {*HOLDERS} <= {*roots}:
            hint = MAY_BE_NONE
        return self.error("wrong-type", f"expected a {' or '.join(roots)}, found {given}", node.place, hint)

    # ------------------------------------------------------------ scopes
    @contextmanager
    def inner(self, facts: Facts | None = None) -> Iterator[Scope]:
        """Enters a scope inside the current one, with additional facts."""
        outer, self.scope = self.scope, self.scope.child()
        self.scope.facts.update(facts or {})
        try:
            yield self.scope
        finally:
            self.scope = outer

    @contextmanager
    def elements(self, kind: Type, name: str | None, place: Place) -> Iterator[str]:
        """Enters a scope in which an element of a collection is `it` or has a name; yields its path."""
        outer = self.scope
        self.scope = outer.child() if name else outer.element(kind)
        if name:
            self.declare(name, kind, place)
        try:
            yield name or self.scope.it_path
        finally:
            self.scope = outer

    def declare(self, name: str, kind: Type, place: Place) -> Parameter:
        """Declares a new local; reports a name that is taken."""
        return self.adopt(Parameter(name=name, place=place, type=kind))

    def adopt(self, parameter: Parameter) -> Parameter:
        """Adds a parameter to the current scope; reports a name that is taken."""
        name, place = parameter.name, parameter.place
        hidden = self.environment.names.shadowed_by(name)
        if name in self.scope.locals:
            self.error("shadows", f"'{name}' is already the name of a local", place, self.free_name(name))
        elif hidden:
            self.error("shadows", f"'{name}' is already {target_noun(hidden[0])}", place, self.free_name(name))
        self.scope.locals[name] = parameter
        self.scope.forget(name)
        return parameter

    def free_name(self, name: str) -> str:
        """Returns a hint with a name that is not taken."""
        for candidate in (f"the_{name}", f"this_{name}", f"one_{name}"):
            if candidate not in self.scope.locals and not self.environment.names.meanings(candidate):
                return f"call it something else, for instance '{candidate}'"
        return "call it something else"

    # ------------------------------------------------------------ narrowing of paths
    def path(self, node: Expr) -> str | None:
        """Returns the path of a name, of `it`, or of an attribute of a path; none for other expressions."""
        match node:
            case Name(name=name):
                return name
            case It():
                return self.scope.it_path
            case Attr(of=of, name=name):
                base = self.path(of)
                return None if base is None or isinstance(of.type, MapType) or node.spread else f"{base}.{name}"
        return None

    def narrowed(self, node: Expr, kind: Type) -> Type:
        """Returns the type of a path, or the narrower one that a test has shown."""
        path = self.path(node)
        return kind if path is None else self.scope.facts.get(path, kind)
